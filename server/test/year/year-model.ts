import { addDays, daysBetween, monthEnd, type Day } from '../../kernel/days.ts'

/**
 * What an employer's people are covered by, and at which cents, told once more for tests that compare: month by month
 * from what was told, and by nothing of the engine's. Everybody is eligible at once, for two benefits, alone.
 */

export const benefits = ['medical', 'dental'] as const
export type Benefit = (typeof benefits)[number]
/** Dental has one plan; Gold is what Silver becomes in the next plan year, where it has a successor. */
export const plans = { silver: 'medical', bronze: 'medical', gold: 'medical', ppo: 'dental' } as const
export type Plan = keyof typeof plans

const base: Record<Plan, number> = { silver: 42_000, bronze: 31_500, gold: 50_003, ppo: 3_207 }

/** What the catalog says of a plan on a day: from each month on something else. */
export function catalogPrice(plan: Plan, day: Day): number {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return base[plan] + 101 * ((year - 2026) * 12 + month - 1)
}

/** What an amendment says; `percentage` in tenths. */
type Said = { effective_on: Day } & (
  | { reprices: Plan[] }
  | { contributes: Benefit; percentage: number }
  | { closes: Plan }
  | { coverage_end: Day }
)
type Told = { id: string; said: Said; withdrawn: boolean; sealed?: boolean }

/** What somebody holds of a benefit in a plan year: what they elected, and what instead, once that plan was closed. */
type Held = { enrollment_id: string; first: Plan | null; second: Plan | null; answered: boolean }

export class ModelYear {
  readonly start: Day
  readonly #end: Day
  readonly #offered: Plan[]
  readonly #percentages: Record<Benefit, number>
  readonly told: Told[] = []
  readonly #held = new Map<string, Held>()

  constructor(start: Day, end: Day, offered: Plan[], percentages: Record<Benefit, number>) {
    this.start = start
    this.#end = end
    this.#offered = offered
    this.#percentages = percentages
  }

  get #holding(): Said[] {
    return this.told.filter(({ withdrawn }) => !withdrawn).map(({ said }) => said)
  }

  /** Of those that hold from a day or before, what was said for the latest day; of one day what was told last. */
  #latest<Value>(day: Day, valueOf: (said: Said) => Value | undefined): Value | undefined {
    let best: { on: Day; value: Value } | undefined
    for (const said of this.#holding) {
      const value = valueOf(said)
      if (value === undefined || (said.effective_on > day && said.effective_on > this.start)) continue
      if (!best || said.effective_on >= best.on) best = { on: said.effective_on, value }
    }
    return best?.value
  }

  /** What was told so far is withdrawn no more: others were told it in another order. */
  seal(): void {
    for (const one of this.told) one.sealed = true
  }

  /** The amendment that may be withdrawn: the last that holds. */
  get last(): Told | undefined {
    const last = this.told.findLast(({ withdrawn }) => !withdrawn)
    return last?.sealed ? undefined : last
  }

  get end(): Day {
    return this.#holding.flatMap((said) => ('coverage_end' in said ? [said.coverage_end] : [])).at(-1) ?? this.#end
  }

  price(plan: Plan, day: Day): number {
    const priced_on = this.#latest(day, (said) =>
      'reprices' in said && said.reprices.includes(plan) ? said.effective_on : undefined,
    )
    return catalogPrice(plan, priced_on ?? this.start)
  }

  percentage(benefit: Benefit, day: Day): number {
    const said = this.#latest(day, (one) =>
      'contributes' in one && one.contributes === benefit ? one.percentage : undefined,
    )
    return said ?? this.#percentages[benefit]
  }

  /** The first day on which a plan covers nobody any more. */
  #closes(plan: Plan): Day | undefined {
    return this.#holding
      .flatMap((said) => ('closes' in said && said.closes === plan ? [said.effective_on] : []))
      .sort()[0]
  }

  offers(plan: Plan, day: Day): boolean {
    const closes = this.#closes(plan)
    return this.#offered.includes(plan) && (closes === undefined || day < closes)
  }

  offered(day: Day): Plan[] {
    return this.#offered.filter((plan) => this.offers(plan, day))
  }

  held(key: string): Held | undefined {
    return this.#held.get(key)
  }

  /** Somebody, or a renewal, elects a plan in an enrollment; null: they waive it. */
  answer(key: string, enrollment_id: string, plan: Plan | null): void {
    const held = this.#held.get(key)
    if (held?.first && held.enrollment_id !== enrollment_id) held.second = plan
    else this.#held.set(key, { enrollment_id, first: plan, second: null, answered: true })
  }

  /** The plan that somebody holds on a day within the plan year, whether or not they may still be covered. */
  planOn(key: string, day: Day): Plan | null {
    const held = this.#held.get(key)
    if (!held?.first || day < this.start || day > this.end) return null
    if (this.offers(held.first, day)) return held.first
    return held.second !== null && this.offers(held.second, day) ? held.second : null
  }
}

type Subscription = { started_on: Day; ended_on: Day | null }

export class ModelEmployer {
  readonly years: ModelYear[]
  readonly subscriptions: Subscription[]
  readonly terminated = new Map<string, Day>()
  /** since when people are in a class that is not eligible; never a first of a month */
  readonly reclassified = new Map<string, Day>()
  /** the go-live day: what is before it is neither deducted nor billed */
  administered_from: Day | null = null
  /** all that was booked by hand, of which employees bear all */
  booked_in_cents = 0

  constructor(first_year: ModelYear, started_on: Day) {
    this.years = [first_year]
    this.subscriptions = [{ started_on, ended_on: null }]
  }

  /** The last day on which anybody is covered, since the employer has left; null: it has not, or came back in time. */
  get #servedUntil(): Day | null {
    const { ended_on } = this.subscriptions.at(-1)!
    return ended_on && monthEnd(addDays(ended_on, -1))
  }

  /** Whether the employer has a subscription of which no end is known. */
  get isServed(): boolean {
    return this.subscriptions.at(-1)!.ended_on === null
  }

  mayResume(today: Day): boolean {
    const { ended_on } = this.subscriptions.at(-1)!
    return ended_on !== null && daysBetween(ended_on, today) <= 60
  }

  /** The last day on which somebody can be covered; null: no end is known. */
  lastDayOf(person: string): Day | null {
    const days = [this.terminated.get(person), this.reclassified.get(person)]
    const ends = days.flatMap((day) => (day ? [monthEnd(day)] : []))
    return [this.#servedUntil, ...ends].filter((day) => day !== null).sort()[0] ?? null
  }

  /** Whether somebody is no longer eligible on a day, so that what they have not answered is theirs no more. */
  hasLost(person: string, day: Day): boolean {
    const [last, other_class] = [this.terminated.get(person), this.reclassified.get(person)]
    const days = [last && addDays(last, 1), other_class, this.subscriptions.at(-1)!.ended_on]
    return days.some((lost_on) => lost_on && lost_on <= day)
  }

  covering(year: ModelYear, person: string, benefit: Benefit, day: Day): Plan | null {
    const last = this.lastDayOf(person)
    return last !== null && day > last ? null : year.planOn(`${person} ${benefit}`, day)
  }

  /** The last day on which somebody is covered in a plan year; null: on none. Whatever ends, ends with a month. */
  lastCovered(year: ModelYear, person: string, benefit: Benefit): Day | null {
    if (!year.held(`${person} ${benefit}`)?.first) return null
    for (let day = year.end; day >= year.start; day = addDays(`${day.slice(0, 7)}-01`, -1))
      if (this.covering(year, person, benefit, day)) return day
    return null
  }

  isCharged = (month: Day): boolean => this.administered_from === null || this.administered_from <= month

  /** What a month costs: the plan, the premium and what the employer and the employee pay of it; null: not covered. */
  charge(year: ModelYear, person: string, benefit: Benefit, month: Day): string | null {
    const plan = this.covering(year, person, benefit, month)
    if (plan === null) return null
    const premium = year.price(plan, month)
    // Rounded half up, once; percentages are whole tenths.
    const paid = Math.floor((premium * year.percentage(benefit, month) * 2 + 1000) / 2000)
    return [plan, premium, paid, premium - paid].join(' ')
  }
}
