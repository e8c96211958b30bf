import { busy } from '../../kernel/concurrency/fair-queue.ts'
import { atEndOfTurn, isDatabaseError, type ScopedQuery } from './pipeline.ts'
import { answersOf, batchedValues, weightOf, type StatementResult, type BatchedQuery } from './batched-query.ts'

/**
 * Runs a query in a turn of `tenant`. When the turn has come, `take` returns a query for a number of requests, or
 * undefined if no requests are left. Returns undefined if each request has to run alone.
 */
export type QueryInTurn = (
  tenant: string,
  statement: string,
  take: () => { query: ScopedQuery; count: number } | undefined,
) => Promise<StatementResult | undefined>

export type ReadBatcherOptions = {
  query: QueryInTurn
  /** how many statements of a kind run before further requests are batched */
  max_running: number
  /** how many requests of a kind may wait; further ones are refused immediately */
  max_waiting_per_key: number
  /** how long a request waits before it is refused */
  timeout_ms: number
}

type WaitingRead = {
  query: ScopedQuery
  since: number
  resolve: (answer: StatementResult | undefined) => void
  reject: (error: Error) => void
}

/** Requests that can share a statement, and the number of turns that run or wait for them. */
type ReadKind = {
  key: string
  tenant: string
  statement: string
  form: BatchedQuery
  waiting: WaitingRead[]
  turns: number
  is_due: boolean
  timer: NodeJS.Timeout | undefined
}

/** Requests are of one kind if they share the caller, the reach, the day, the scope and all other common values. */
const keyOf = (tenant: string, statement: string, { scope, position, values }: ScopedQuery, { common }: BatchedQuery) =>
  JSON.stringify([tenant, statement, scope, position, common.map((at) => values![at])])

/** The number of waiting requests that fit in one statement, at least one. */
function countFitting(waiting: WaitingRead[], form: BatchedQuery): number {
  let weight = 0
  const at = waiting.findIndex(({ query }) => (weight += weightOf(form, query.values!)) > form.most)
  return at < 0 ? waiting.length : at
}

function queryFor(waiters: WaitingRead[], form: BatchedQuery): ScopedQuery {
  const { query } = waiters[0]!
  if (waiters.length === 1) return query
  const values = waiters.map((waiter) => waiter.query.values!)
  const name = query.name === undefined ? undefined : `${query.name}_together`
  return { ...query, name, text: form.text, values: batchedValues(form, values) }
}

/**
 * Batches reads of one kind that arrive in the same turn of the event loop, or while the maximum of statements runs. No
 * request waits for others to arrive: a free turn starts immediately and takes all requests that are queued by then. If
 * a batched query fails, each of its requests runs alone, so that no request fails because of another.
 */
export class ReadBatcher {
  readonly #options: ReadBatcherOptions
  readonly #kinds = new Map<string, ReadKind>()

  constructor(options: ReadBatcherOptions) {
    this.#options = options
  }

  /**
   * Returns undefined if the request has to run alone. Throws `busy`, a 503, if the queue is full or the request waits
   * too long.
   */
  run(tenant: string, statement: string, query: ScopedQuery, form: BatchedQuery): Promise<StatementResult | undefined> {
    const kind = this.#kindOf(tenant, statement, query, form)
    if (kind.waiting.length >= this.#options.max_waiting_per_key) throw busy()
    return new Promise((resolve, reject) => {
      kind.waiting.push({ query, since: performance.now(), resolve, reject })
      this.#begin(kind)
    })
  }

  #kindOf(tenant: string, statement: string, query: ScopedQuery, form: BatchedQuery): ReadKind {
    const key = keyOf(tenant, statement, query, form)
    let kind = this.#kinds.get(key)
    if (!kind) {
      kind = { key, tenant, statement, form, waiting: [], turns: 0, is_due: false, timer: undefined }
      this.#kinds.set(key, kind)
    }
    return kind
  }

  /**
   * Starts as many statements as the waiting requests need, at the end of this turn of the event loop. By then, all
   * requests of the turn have arrived.
   */
  #begin(kind: ReadKind): void {
    if (kind.is_due) return
    kind.is_due = true
    atEndOfTurn(() => {
      kind.is_due = false
      const { waiting, form } = kind
      const weight = waiting.reduce((sum, { query }) => sum + weightOf(form, query.values!), 0)
      const wanted = kind.turns + Math.ceil(weight / form.most)
      while (kind.turns < Math.min(wanted, this.#options.max_running)) void this.#takeTurn(kind)
      if (waiting.length > 0) kind.timer ??= this.#giveUpLater(kind)
      else this.#forgetIdle(kind)
    })
  }

  async #takeTurn(kind: ReadKind): Promise<void> {
    const { tenant, statement, form, waiting } = kind
    let taken: WaitingRead[] = []
    const take = () => {
      taken = waiting.splice(0, countFitting(waiting, form))
      return taken.length === 0 ? undefined : { query: queryFor(taken, form), count: taken.length }
    }
    kind.turns++
    try {
      const answer = await this.#options.query(tenant, statement, take)
      if (taken.length === 1) taken[0]!.resolve(answer)
      else if (!answer) for (const { resolve } of taken) resolve(undefined)
      else for (const [at, each] of answersOf(answer, taken.length).entries()) taken[at]!.resolve(each)
    } catch (error) {
      const runs_alone = taken.length > 1 && isDatabaseError(error)
      // The queue refused the turn, so its requests are refused too.
      if (taken.length === 0) take()
      for (const { resolve, reject } of taken)
        if (runs_alone) resolve(undefined)
        else reject(error as Error)
    }
    kind.turns--
    if (waiting.length > 0) this.#begin(kind)
    else this.#forgetIdle(kind)
  }

  #giveUpLater(kind: ReadKind): NodeJS.Timeout {
    const { timeout_ms } = this.#options
    const { waiting } = kind
    return setTimeout(
      () => {
        const since = performance.now() - timeout_ms
        while (waiting[0] && waiting[0].since <= since) waiting.shift()!.reject(busy())
        kind.timer = waiting.length > 0 ? this.#giveUpLater(kind) : undefined
      },
      waiting[0]!.since + timeout_ms - performance.now(),
    )
  }

  #forgetIdle({ key, turns, is_due, timer }: ReadKind): void {
    if (turns > 0 || is_due) return
    clearTimeout(timer)
    this.#kinds.delete(key)
  }
}
