import { addDays, daysBetween, monthEnd, type Day } from '../../kernel/days.ts'

/**
 * A second implementation of coverage and cost, for tests that compare it with the engine. It calculates each month
 * directly from the reported facts. Everyone is eligible immediately, for two benefits, and enrolls alone.
 */

export const benefits = ['medical', 'dental'] as const
export type Benefit = (typeof benefits)[number]
/** Dental has one plan. Gold may replace Silver in the next plan year. */
export const plans = { silver: 'medical', bronze: 'medical', gold: 'medical', ppo: 'dental' } as const
export type Plan = keyof typeof plans

const base: Record<Plan, number> = { silver: 42_000, bronze: 31_500, gold: 50_003, ppo: 3_207 }

/** The catalog price of a plan on a day, which changes every month. */
export function catalogPrice(plan: Plan, day: Day): number {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return base[plan] + 101 * ((year - 2026) * 12 + month - 1)
}

/** An amendment. `percentage` is in tenths of a percent. */
type Input = { effective_on: Day } & (
  | { reprices: Plan[] }
  | { contributes: Benefit; percentage: number }
  | { closes: Plan }
  | { coverage_end: Day }
)
type Facts = { id: string; input: Input; withdrawn: boolean; sealed?: boolean }

/**
 * A person's elections of a benefit in a plan year: the first, and the second after the plan of the first was closed.
 */
type Held = { enrollment_id: string; first: Plan | null; second: Plan | null; answered: boolean }

export class ModelYear {
  readonly start: Day
  readonly #end: Day
  readonly #offered: Plan[]
  readonly #percentages: Record<Benefit, number>
  readonly amendments: Facts[] = []
  readonly #held = new Map<string, Held>()

  constructor(start: Day, end: Day, offered: Plan[], percentages: Record<Benefit, number>) {
    this.start = start
    this.#end = end
    this.#offered = offered
    this.#percentages = percentages
  }

  get #holding(): Input[] {
    return this.amendments.filter(({ withdrawn }) => !withdrawn).map(({ input }) => input)
  }

  /**
   * The value of the active amendment with the latest effective day up to `day`. Of several for one day, the last
   * reported wins.
   */
  #latest<Value>(day: Day, valueOf: (input: Input) => Value | undefined): Value | undefined {
    let best: { on: Day; value: Value } | undefined
    for (const input of this.#holding) {
      const value = valueOf(input)
      if (value === undefined || (input.effective_on > day && input.effective_on > this.start)) continue
      if (!best || input.effective_on >= best.on) best = { on: input.effective_on, value }
    }
    return best?.value
  }

  /** Prevents withdrawing the amendments so far, because the other employer received them in a different order. */
  seal(): void {
    for (const one of this.amendments) one.sealed = true
  }

  /** The amendment that may be withdrawn: the last active one. */
  get last(): Facts | undefined {
    const last = this.amendments.findLast(({ withdrawn }) => !withdrawn)
    return last?.sealed ? undefined : last
  }

  get end(): Day {
    return this.#holding.flatMap((input) => ('coverage_end' in input ? [input.coverage_end] : [])).at(-1) ?? this.#end
  }

  price(plan: Plan, day: Day): number {
    const priced_on = this.#latest(day, (input) =>
      'reprices' in input && input.reprices.includes(plan) ? input.effective_on : undefined,
    )
    return catalogPrice(plan, priced_on ?? this.start)
  }

  percentage(benefit: Benefit, day: Day): number {
    const input = this.#latest(day, (one) =>
      'contributes' in one && one.contributes === benefit ? one.percentage : undefined,
    )
    return input ?? this.#percentages[benefit]
  }

  /** The first day on which a plan covers no one. */
  #closes(plan: Plan): Day | undefined {
    return this.#holding
      .flatMap((input) => ('closes' in input && input.closes === plan ? [input.effective_on] : []))
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

  /** Records an election in an enrollment, also by renewal. Null for a waiver. */
  answer(key: string, enrollment_id: string, plan: Plan | null): void {
    const held = this.#held.get(key)
    if (held?.first && held.enrollment_id !== enrollment_id) held.second = plan
    else this.#held.set(key, { enrollment_id, first: plan, second: null, answered: true })
  }

  /** The plan that a person elected for a day within the plan year, regardless of their eligibility. */
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
  /** The day since which a person has been in an ineligible class. Never the first of a month. */
  readonly reclassified = new Map<string, Day>()
  /** The go-live day. Earlier months are neither deducted nor billed. */
  administered_from: Day | null = null
  /** The total of manual adjustments, all paid by employees. */
  booked_in_cents = 0

  constructor(first_year: ModelYear, started_on: Day) {
    this.years = [first_year]
    this.subscriptions = [{ started_on, ended_on: null }]
  }

  /** The last day of coverage after the employer has left. Null if it has not left, or returned in time. */
  get #servedUntil(): Day | null {
    const { ended_on } = this.subscriptions.at(-1)!
    return ended_on && monthEnd(addDays(ended_on, -1))
  }

  /** Whether the employer has a subscription without an end. */
  get isServed(): boolean {
    return this.subscriptions.at(-1)!.ended_on === null
  }

  mayResume(today: Day): boolean {
    const { ended_on } = this.subscriptions.at(-1)!
    return ended_on !== null && daysBetween(ended_on, today) <= 60
  }

  /** The last possible day of a person's coverage. Null if coverage has no known end. */
  lastDayOf(person: string): Day | null {
    const days = [this.terminated.get(person), this.reclassified.get(person)]
    const ends = days.flatMap((day) => (day ? [monthEnd(day)] : []))
    return [this.#servedUntil, ...ends].filter((day) => day !== null).sort()[0] ?? null
  }

  /** Whether a person has lost eligibility by a day, which also ends their open enrollments. */
  hasLost(person: string, day: Day): boolean {
    const [last, other_class] = [this.terminated.get(person), this.reclassified.get(person)]
    const days = [last && addDays(last, 1), other_class, this.subscriptions.at(-1)!.ended_on]
    return days.some((lost_on) => lost_on && lost_on <= day)
  }

  covering(year: ModelYear, person: string, benefit: Benefit, day: Day): Plan | null {
    const last = this.lastDayOf(person)
    return last !== null && day > last ? null : year.planOn(`${person} ${benefit}`, day)
  }

  /**
   * The last day of a person's coverage in a plan year, always the end of a month or of the plan year. Null if never
   * covered.
   */
  lastCovered(year: ModelYear, person: string, benefit: Benefit): Day | null {
    if (!year.held(`${person} ${benefit}`)?.first) return null
    for (let day = year.end; day >= year.start; day = addDays(`${day.slice(0, 7)}-01`, -1))
      if (this.covering(year, person, benefit, day)) return day
    return null
  }

  isCharged = (month: Day): boolean => this.administered_from === null || this.administered_from <= month

  /** The cost of a month: the plan, the premium, and the shares of employer and employee. Null if not covered. */
  charge(year: ModelYear, person: string, benefit: Benefit, month: Day): string | null {
    const plan = this.covering(year, person, benefit, month)
    if (plan === null) return null
    const premium = year.price(plan, month)
    // Rounded half up, once. Percentages are whole tenths.
    const paid = Math.floor((premium * year.percentage(benefit, month) * 2 + 1000) / 2000)
    return [plan, premium, paid, premium - paid].join(' ')
  }
}
