import { atEndOfTurn } from '../../kernel/end-of-turn.ts'
import { busy } from '../../kernel/fair-queue.ts'
import { isDatabaseError, type ScopedQuery } from './pipeline.ts'
import { answersOf, valuesTogether, weightOf, type StatementAnswer, type Together } from './batched-query.ts'

/**
 * Asks in the turn of somebody. When that has come, `take` tells for whom: a query for so many requests, or undefined
 * where nobody waits any more. Undefined: they have to ask for themselves.
 */
export type AskInTurn = (
  whose: string,
  statement: string,
  take: () => { query: ScopedQuery; count: number } | undefined,
) => Promise<StatementAnswer | undefined>

export type GatheringOptions = {
  ask: AskInTurn
  /** how many statements of a kind are under way before what comes is gathered */
  at_once: number
  /** how many of a kind may wait; who comes after them is refused at once */
  waiting_of_one: number
  /** how long one waits before it is refused */
  patience_ms: number
}

type WaitingRead = {
  query: ScopedQuery
  since: number
  resolve: (answer: StatementAnswer | undefined) => void
  reject: (error: Error) => void
}

/** Requests that can be asked together, and how many turns are had or waited for. */
type ReadKind = {
  key: string
  whose: string
  statement: string
  form: Together
  waiting: WaitingRead[]
  turns: number
  is_due: boolean
  timer: NodeJS.Timeout | undefined
}

/** Those are of a kind who have all in common but what is their own: caller, reach, day, and what may be touched. */
const keyOf = (whose: string, statement: string, { scope, position, values }: ScopedQuery, { common }: Together) =>
  JSON.stringify([whose, statement, scope, position, common.map((at) => values![at])])

/** How many of those who wait go in one statement: as many as fit, and one at least. */
function fitting(waiting: WaitingRead[], form: Together): number {
  let weight = 0
  const at = waiting.findIndex(({ query }) => (weight += weightOf(form, query.values!)) > form.most)
  return at < 0 ? waiting.length : at
}

function queryFor(waiters: WaitingRead[], form: Together): ScopedQuery {
  const { query } = waiters[0]!
  if (waiters.length === 1) return query
  const values = waiters.map((waiter) => waiter.query.values!)
  const name = query.name === undefined ? undefined : `${query.name}_together`
  return { ...query, name, text: form.text, values: valuesTogether(form, values) }
}

/**
 * Gathers reads of a kind that come in the same turn of the event loop, or while as many as may be are under way, and
 * asks them in one statement. Nobody waits for others to come: whose turn it is goes at once, and takes along who waits
 * by then. What fails for several is for each of them to ask alone, so that nobody is refused for another's sake.
 */
export class Gathering {
  readonly #options: GatheringOptions
  readonly #kinds = new Map<string, ReadKind>()

  constructor(options: GatheringOptions) {
    this.#options = options
  }

  /** Undefined: whoever asks has to do so for himself. Throws `busy`, a 503, where too many wait or for too long. */
  run(whose: string, statement: string, query: ScopedQuery, form: Together): Promise<StatementAnswer | undefined> {
    const kind = this.#kindOf(whose, statement, query, form)
    if (kind.waiting.length >= this.#options.waiting_of_one) throw busy()
    return new Promise((resolve, reject) => {
      kind.waiting.push({ query, since: performance.now(), resolve, reject })
      this.#begin(kind)
    })
  }

  #kindOf(whose: string, statement: string, query: ScopedQuery, form: Together): ReadKind {
    const key = keyOf(whose, statement, query, form)
    let kind = this.#kinds.get(key)
    if (!kind) {
      kind = { key, whose, statement, form, waiting: [], turns: 0, is_due: false, timer: undefined }
      this.#kinds.set(key, kind)
    }
    return kind
  }

  /** Begins as many turns as are wanted, when all who come in this turn of the event loop are here. */
  #begin(kind: ReadKind): void {
    if (kind.is_due) return
    kind.is_due = true
    atEndOfTurn(() => {
      kind.is_due = false
      const { waiting, form } = kind
      const weight = waiting.reduce((sum, { query }) => sum + weightOf(form, query.values!), 0)
      const wanted = kind.turns + Math.ceil(weight / form.most)
      while (kind.turns < Math.min(wanted, this.#options.at_once)) void this.#takeTurn(kind)
      if (waiting.length > 0) kind.timer ??= this.#giveUpLater(kind)
      else this.#forgetIdle(kind)
    })
  }

  async #takeTurn(kind: ReadKind): Promise<void> {
    const { whose, statement, form, waiting } = kind
    let taken: WaitingRead[] = []
    const take = () => {
      taken = waiting.splice(0, fitting(waiting, form))
      return taken.length === 0 ? undefined : { query: queryFor(taken, form), count: taken.length }
    }
    kind.turns++
    try {
      const answer = await this.#options.ask(whose, statement, take)
      if (taken.length === 1) taken[0]!.resolve(answer)
      else if (!answer) for (const { resolve } of taken) resolve(undefined)
      else for (const [at, each] of answersOf(answer, taken.length).entries()) taken[at]!.resolve(each)
    } catch (error) {
      const is_of_several = taken.length > 1 && isDatabaseError(error)
      // Whose turn never came was refused: so are those who would have had it.
      if (taken.length === 0) take()
      for (const { resolve, reject } of taken)
        if (is_of_several) resolve(undefined)
        else reject(error as Error)
    }
    kind.turns--
    if (waiting.length > 0) this.#begin(kind)
    else this.#forgetIdle(kind)
  }

  #giveUpLater(kind: ReadKind): NodeJS.Timeout {
    const { patience_ms } = this.#options
    const { waiting } = kind
    return setTimeout(
      () => {
        const since = performance.now() - patience_ms
        while (waiting[0] && waiting[0].since <= since) waiting.shift()!.reject(busy())
        kind.timer = waiting.length > 0 ? this.#giveUpLater(kind) : undefined
      },
      waiting[0]!.since + patience_ms - performance.now(),
    )
  }

  #forgetIdle({ key, turns, is_due, timer }: ReadKind): void {
    if (turns > 0 || is_due) return
    clearTimeout(timer)
    this.#kinds.delete(key)
  }
}
