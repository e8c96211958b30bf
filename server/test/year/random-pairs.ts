import fc from 'fast-check'
import { addDays, type Day } from '../../kernel/days.ts'
import { withdrawAmendment } from '../../modules/coverage/amendments/actions.ts'
import { locateAmendment } from '../../modules/coverage/amendments/queries.ts'
import { correctEmployee, reinstateEmployee } from '../../modules/roster/employee-corrections/actions.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { theEmployee } from '../fixtures.ts'
import {
  attempt,
  copy,
  details,
  does,
  history,
  last_take_over,
  people,
  takeOver,
  type Action,
  type Details,
  type Position,
} from './random-years.ts'

/**
 * Two employers live through the same random years. Sometimes one of them receives facts that are withdrawn days later,
 * or both receive the same facts in a different order. Otherwise both must always be in the same state.
 */

const days_apart = 10
const all_steps = 47

const kinds = ['reprice', 'contribute', 'close', 'end', 'terminate', 'reclassify', 'leave', 'take_over'] as const
type Kind = (typeof kinds)[number]
/** Facts that apply together regardless of the order in which they are reported. */
const lasting = ['reprice', 'contribute', 'terminate', 'reclassify', 'take_over'] as const

type Fact = { kind: Kind } & Details
const factOf = (...of: Kind[]) =>
  fc.tuple(fc.constantFrom(...of), details).map(([kind, input]): Fact => ({ kind, ...input }))

const episode = (first: number, last: number) =>
  fc.record({
    from: fc.integer({ min: first, max: last }),
    steps: fc.integer({ min: 1, max: 4 }),
    facts: fc.array(factOf(...kinds), { minLength: 1, maxLength: 3 }),
  })

export const pair_history = fc.record({
  history,
  episodes: fc.tuple(episode(1, 8), episode(14, 22), episode(29, 38)),
  shuffled: fc.record({
    at: fc.integer({ min: 9, max: 40 }),
    facts: fc.uniqueArray(factOf(...lasting), { minLength: 2, maxLength: 4, selector: ({ kind }) => kind }),
  }),
})
type PairHistory = typeof pair_history extends fc.Arbitrary<infer T> ? T : never

/** Reverses a reported fact. */
type Undo = (ctx: Ctx) => Promise<unknown>

/** Reports an amendment. It is reversed by withdrawing it. */
const amends =
  (kind: 'reprice' | 'contribute' | 'close' | 'end') =>
  async (ctx: Ctx, position: Position, fact: Fact): Promise<Undo | null> => {
    const before = position.model.years.map(({ amendments }) => amendments.length)
    if (!(await does[kind](ctx, position, { ...fact, kind }))) return null
    const at = position.model.years.findIndex(({ amendments }, nth) => amendments.length > before[nth]!)
    const amendment = position.model.years[at]!.amendments.at(-1)!
    return async (later) => {
      const key = { benefit_plan_year_id: position.year_ids[at]!, amendment_id: amendment.id }
      await withdrawAmendment(later, (await locateAmendment(later, key))!, 'Random')
      amendment.withdrawn = true
    }
  }

/** How each kind of fact is reported. Null if it has no reversal that restores the earlier state. */
const records: Record<Kind, (ctx: Ctx, position: Position, fact: Fact) => Promise<Undo | null>> = {
  reprice: amends('reprice'),
  contribute: amends('contribute'),
  close: amends('close'),
  end: amends('end'),
  terminate: async (ctx, position, fact) => {
    const person = people[fact.who]!
    if (!position.model.isServed || position.model.terminated.has(person)) return null
    await does.terminate(ctx, position, { ...fact, kind: 'terminate' })
    return async (later) => {
      const employee = await theEmployee(later, position.ids.get(person)!)
      await reinstateEmployee(later, employee, { reason: 'Random' }, null)
      position.model.terminated.delete(person)
    }
  },
  reclassify: async (ctx, position, { who, days }) => {
    const person = people[who]!
    if (position.model.reclassified.has(person)) return null
    const day = addDays(ctx.today, -Math.abs(days))
    const effective_date = day.endsWith('-01') ? addDays(day, -1) : day
    const print = async (now: Ctx, employee_class: 'Full Time' | 'Part Time') => {
      const employee = await theEmployee(now, position.ids.get(person)!)
      await correctEmployee(now, employee, { employee_class, effective_date, reason: 'Random' })
    }
    await print(ctx, 'Part Time')
    position.model.reclassified.set(person, effective_date)
    return async (later) => {
      await print(later, 'Full Time')
      position.model.reclassified.delete(person)
    }
  },
  // At the latest on the next step: a future end can be moved but not reversed.
  leave: async (ctx, position, { days, ...fact }) => {
    const input = { ...fact, days: Math.min(days, days_apart) }
    if (!position.model.isServed || !(await does.leave(ctx, position, { ...input, kind: 'leave' }))) return null
    return (later) => does.resume(later, position, { ...input, kind: 'resume' })
  },
  take_over: async (ctx, position, { choice, days }) => {
    const former = position.model.administered_from
    const withdrawn_by = addDays(ctx.today, 5 * days_apart)
    if (withdrawn_by > last_take_over) return null
    const is_reported = await takeOver(ctx, position, choice % 4 ? addDays(ctx.today, days) : null)
    return is_reported ? (later) => takeOver(later, position, former) : null
  },
}

/** Reports facts in order, at most one per kind and person. Returns the accepted ones with their reversal. */
async function report(ctx: Ctx, position: Position, facts: Fact[]): Promise<{ fact: Fact; undo: Undo }[]> {
  const reported: { fact: Fact; undo: Undo }[] = []
  for (const fact of facts) {
    if (reported.some(({ fact: other }) => other.kind === fact.kind && other.who === fact.who)) continue
    await attempt(ctx, `changed: ${fact.kind}`, async () => {
      const undo = await records[fact.kind](ctx, position, fact)
      if (undo) reported.push({ fact, undo })
      return undo !== null
    })
  }
  return reported
}

/** Two employers with one history. `spared` receives no facts that are withdrawn. */
export class Pair {
  readonly spared: Position
  readonly changed: Position
  readonly #history: PairHistory
  readonly #actions: Action[]
  #undone: { fact: Fact; undo: Undo }[] = []

  constructor(input: PairHistory, spared: Position, changed: Position) {
    this.#history = input
    this.#actions = [...input.history.actions]
    this.spared = spared
    this.changed = changed
  }

  get positions(): [Position, Position] {
    return [this.spared, this.changed]
  }

  /** Whether one of them has a fact that a later step withdraws. */
  get isApart(): boolean {
    return this.#undone.length > 0
  }

  /** Performs a step, with `acts` also an action. Throws if one employer refuses what the other accepts. */
  async live(ctx: Ctx, step: number, acts: boolean): Promise<void> {
    const { episodes, shuffled } = this.#history
    const present = episodes.find(({ from, steps: length }) => from <= step && step <= from + length)
    if (present) {
      if (present.from === step) this.#undone = await report(ctx, this.changed, present.facts)
      if (present.from + present.steps === step) await this.#withdraw(ctx)
      return
    }
    const { year_ids, history: lived } = this.spared
    if (year_ids.length === 1 && ctx.today >= lived.renews_on)
      await this.#both(ctx, 'copy', (position) => copy(ctx, position))
    if (shuffled.at === step) return this.#shuffle(ctx, shuffled.facts)
    const action = acts ? this.#actions.shift() : undefined
    if (action)
      await this.#both(ctx, action.kind, (position) =>
        attempt(ctx, action.kind, () => does[action.kind](ctx, position, action)),
      )
  }

  /** The changed employer may accept more, because a late report can extend the time to submit. */
  async #both(ctx: Ctx, kind: string, work: (position: Position) => Promise<boolean>): Promise<void> {
    if (!(await work(this.spared)) || (await work(this.changed))) return
    throw new Error(`${kind} on ${ctx.today}: done by ${this.spared.employer_id}, not by ${this.changed.employer_id}`)
  }

  /**
   * Reverses facts, the latest first. Subscriptions are resumed before all others, since reinstating an employee
   * requires one.
   */
  async #withdraw(ctx: Ctx): Promise<void> {
    const leaves = ({ fact }: { fact: Fact }) => fact.kind === 'leave'
    const undone = this.#undone.toReversed()
    for (const { undo } of [...undone.filter(leaves), ...undone.filter((one) => !leaves(one))]) await undo(ctx)
    this.#undone = []
  }

  async #shuffle(ctx: Ctx, input: Fact[]): Promise<void> {
    // The class of a person can be reported only before their last day, so the two facts are about different people.
    const leaver = input.find(({ kind }) => kind === 'terminate')?.who ?? 0
    const facts = input.map((fact) =>
      fact.kind === 'reclassify' ? { ...fact, who: (leaver + 1) % people.length } : fact,
    )
    const reported = [await report(ctx, this.spared, facts), await report(ctx, this.changed, facts.toReversed())]
    const [one, other] = reported.map((taken) =>
      taken
        .map(({ fact }) => fact.kind)
        .sort()
        .join(),
    )
    if (one !== other) throw new Error(`on ${ctx.today}: ${one} in one order, ${other} in the other`)
    for (const position of this.positions) for (const year of position.model.years) year.seal()
  }
}

/** The days of the steps. */
export const daysAfter = (first: Day): Day[] =>
  Array.from({ length: all_steps }, (_, step) => addDays(first, days_apart * (step + 1)))
