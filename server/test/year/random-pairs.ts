import fc from 'fast-check'
import { addDays, type Day } from '../../kernel/days.ts'
import { withdrawAmendment } from '../../modules/coverage/amendments/actions.ts'
import { locateAmendment } from '../../modules/coverage/amendments/queries.ts'
import { correctEmployee, reinstateEmployee } from '../../modules/roster/employee-corrections/actions.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { theEmployee } from '../cast.ts'
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
  type Place,
} from './random-years.ts'

/**
 * Two employers live through the same random years. Now and then one of them is told facts that are withdrawn days
 * later, or both are told the same facts in another order. In between nobody can tell them apart.
 */

const days_apart = 10
const all_steps = 47

const kinds = ['reprice', 'contribute', 'close', 'end', 'terminate', 'reclassify', 'leave', 'take_over'] as const
type Kind = (typeof kinds)[number]
/** Those that hold beside each other in whichever order they are told. */
const lasting = ['reprice', 'contribute', 'terminate', 'reclassify', 'take_over'] as const

type Fact = { kind: Kind } & Details
const factOf = (...of: Kind[]) =>
  fc.tuple(fc.constantFrom(...of), details).map(([kind, said]): Fact => ({ kind, ...said }))

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

/** Takes back what was told. */
type Undo = (ctx: Ctx) => Promise<unknown>

/** Tells an amendment; it is taken back by its name. */
const amends =
  (kind: 'reprice' | 'contribute' | 'close' | 'end') =>
  async (ctx: Ctx, place: Place, fact: Fact): Promise<Undo | null> => {
    const before = place.model.years.map(({ told }) => told.length)
    if (!(await does[kind](ctx, place, { ...fact, kind }))) return null
    const at = place.model.years.findIndex(({ told }, nth) => told.length > before[nth]!)
    const told = place.model.years[at]!.told.at(-1)!
    return async (later) => {
      const key = { benefit_plan_year_id: place.year_ids[at]!, amendment_id: told.id }
      await withdrawAmendment(later, (await locateAmendment(later, key))!, 'Random')
      told.withdrawn = true
    }
  }

/** How a fact is told; null where there is nothing that could be taken back as if it had never been told. */
const tells: Record<Kind, (ctx: Ctx, place: Place, fact: Fact) => Promise<Undo | null>> = {
  reprice: amends('reprice'),
  contribute: amends('contribute'),
  close: amends('close'),
  end: amends('end'),
  terminate: async (ctx, place, fact) => {
    const person = people[fact.who]!
    if (!place.model.isServed || place.model.terminated.has(person)) return null
    await does.terminate(ctx, place, { ...fact, kind: 'terminate' })
    return async (later) => {
      const employee = await theEmployee(later, place.ids.get(person)!)
      await reinstateEmployee(later, employee, { reason: 'Random' }, null)
      place.model.terminated.delete(person)
    }
  },
  reclassify: async (ctx, place, { who, days }) => {
    const person = people[who]!
    if (place.model.reclassified.has(person)) return null
    const day = addDays(ctx.today, -Math.abs(days))
    const effective_date = day.endsWith('-01') ? addDays(day, -1) : day
    const say = async (now: Ctx, employee_class: 'Full Time' | 'Part Time') => {
      const employee = await theEmployee(now, place.ids.get(person)!)
      await correctEmployee(now, employee, { employee_class, effective_date, reason: 'Random' })
    }
    await say(ctx, 'Part Time')
    place.model.reclassified.set(person, effective_date)
    return async (later) => {
      await say(later, 'Full Time')
      place.model.reclassified.delete(person)
    }
  },
  // At the latest on the next step: an end that lies ahead can be moved, and not taken back.
  leave: async (ctx, place, { days, ...fact }) => {
    const said = { ...fact, days: Math.min(days, days_apart) }
    if (!place.model.isServed || !(await does.leave(ctx, place, { ...said, kind: 'leave' }))) return null
    return (later) => does.resume(later, place, { ...said, kind: 'resume' })
  },
  take_over: async (ctx, place, { choice, days }) => {
    const former = place.model.administered_from
    const withdrawn_by = addDays(ctx.today, 5 * days_apart)
    if (withdrawn_by > last_take_over) return null
    const is_told = await takeOver(ctx, place, choice % 4 ? addDays(ctx.today, days) : null)
    return is_told ? (later) => takeOver(later, place, former) : null
  },
}

/** Tells facts, in order, each at most once of a kind and person; returns those that were taken, with their undoing. */
async function tell(ctx: Ctx, place: Place, facts: Fact[]): Promise<{ fact: Fact; undo: Undo }[]> {
  const told: { fact: Fact; undo: Undo }[] = []
  for (const fact of facts) {
    if (told.some(({ fact: other }) => other.kind === fact.kind && other.who === fact.who)) continue
    await attempt(ctx, `told: ${fact.kind}`, async () => {
      const undo = await tells[fact.kind](ctx, place, fact)
      if (undo) told.push({ fact, undo })
      return undo !== null
    })
  }
  return told
}

/** Two employers with one history; `spared` is told nothing that is withdrawn. */
export class Pair {
  readonly spared: Place
  readonly told: Place
  readonly #history: PairHistory
  readonly #actions: Action[]
  #undone: { fact: Fact; undo: Undo }[] = []

  constructor(said: PairHistory, spared: Place, told: Place) {
    this.#history = said
    this.#actions = [...said.history.actions]
    this.spared = spared
    this.told = told
  }

  get places(): [Place, Place] {
    return [this.spared, this.told]
  }

  /** Whether one of them has been told something that is yet to be withdrawn. */
  get isApart(): boolean {
    return this.#undone.length > 0
  }

  /** What happens on a step; `acts`: also an action. Throws where one is refused what the other could do. */
  async live(ctx: Ctx, step: number, acts: boolean): Promise<void> {
    const { episodes, shuffled } = this.#history
    const present = episodes.find(({ from, steps: length }) => from <= step && step <= from + length)
    if (present) {
      if (present.from === step) this.#undone = await tell(ctx, this.told, present.facts)
      if (present.from + present.steps === step) await this.#withdraw(ctx)
      return
    }
    const { year_ids, history: lived } = this.spared
    if (year_ids.length === 1 && ctx.today >= lived.renews_on)
      await this.#both(ctx, 'copy', (place) => copy(ctx, place))
    if (shuffled.at === step) return this.#shuffle(ctx, shuffled.facts)
    const action = acts ? this.#actions.shift() : undefined
    if (action)
      await this.#both(ctx, action.kind, (place) =>
        attempt(ctx, action.kind, () => does[action.kind](ctx, place, action)),
      )
  }

  /** Who was told of late may have more days in which to answer, and so may do more. */
  async #both(ctx: Ctx, kind: string, work: (place: Place) => Promise<boolean>): Promise<void> {
    if (!(await work(this.spared)) || (await work(this.told))) return
    throw new Error(`${kind} on ${ctx.today}: done by ${this.spared.employer_id}, not by ${this.told.employer_id}`)
  }

  /** A subscription is resumed first, since nobody is taken back by an employer without; then what was told last. */
  async #withdraw(ctx: Ctx): Promise<void> {
    const leaves = ({ fact }: { fact: Fact }) => fact.kind === 'leave'
    const undone = this.#undone.toReversed()
    for (const { undo } of [...undone.filter(leaves), ...undone.filter((one) => !leaves(one))]) await undo(ctx)
    this.#undone = []
  }

  async #shuffle(ctx: Ctx, said: Fact[]): Promise<void> {
    // Of one person a class may be told before the last day alone.
    const leaver = said.find(({ kind }) => kind === 'terminate')?.who ?? 0
    const facts = said.map((fact) =>
      fact.kind === 'reclassify' ? { ...fact, who: (leaver + 1) % people.length } : fact,
    )
    const told = [await tell(ctx, this.spared, facts), await tell(ctx, this.told, facts.toReversed())]
    const [one, other] = told.map((taken) =>
      taken
        .map(({ fact }) => fact.kind)
        .sort()
        .join(),
    )
    if (one !== other) throw new Error(`on ${ctx.today}: ${one} in one order, ${other} in the other`)
    for (const place of this.places) for (const year of place.model.years) year.seal()
  }
}

/** The days on which something happens. */
export const daysAfter = (first: Day): Day[] =>
  Array.from({ length: all_steps }, (_, step) => addDays(first, days_apart * (step + 1)))
