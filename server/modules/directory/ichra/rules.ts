import { addDays, ageOn, type Day } from '../../../kernel/days.ts'
import { figuresOf, povertyLine, yearOf, type YearFigures } from './figure-rules.ts'

/**
 * A monthly premium, either for an age range (inclusive; no upper limit if `max_age` is null), or for a coverage tier
 * in states where premiums do not depend on age.
 */
export type AreaRate = {
  coverage_tier: string | null
  min_age: number | null
  max_age: number | null
  premium_in_cents: number
}

/** The ages of the covered people. */
export type FamilyAges = { employee: number; partner: number | null; children: number[] }

/** At this age and above, each child counts, as adults do. */
const adult_child = 21
/** Only this many younger children count, starting with the oldest. */
const max_children = 3

const fits = (rate: AreaRate, age: number): boolean =>
  rate.coverage_tier === null && (rate.min_age ?? 0) <= age && (rate.max_age === null || age <= rate.max_age)

/**
 * The monthly premium of a plan from the premium list of an area. In states with tier rating, this is the premium of
 * the tier. Otherwise, it is the sum over all covered people, with at most the three oldest children under 21 (45 CFR
 * 147.102(c)(1)). Tobacco use does not change the premium. Undefined if the list lacks a premium for any of them.
 */
export function premiumOf(list: AreaRate[], coverage_tier: string, family: FamilyAges): number | undefined {
  const of_tier = list.find((rate) => rate.coverage_tier === coverage_tier)
  if (of_tier) return of_tier.premium_in_cents
  const { employee, partner, children } = family
  const grown = children.filter((age) => age >= adult_child)
  const young = children.filter((age) => age < adult_child).sort((a, b) => b - a)
  const ages = [employee, ...(partner === null ? [] : [partner]), ...grown, ...young.slice(0, max_children)]
  const premiums = ages.map((age) => list.find((rate) => fits(rate, age))?.premium_in_cents)
  return premiums.every((premium) => premium !== undefined)
    ? premiums.reduce((sum, premium) => sum + premium, 0)
    : undefined
}

/** A person who may be covered with an employee. */
export type FamilyMember = { relationship: string; date_of_birth: Day }

/**
 * The ages that determine premiums: those on the first day of the employee's coverage in the plan year, when the policy
 * is issued or renewed (45 CFR 147.102(a)(1)(iii)). This also applies to dependents who join later. Those born later
 * count as age 0.
 */
export function agesOn(day: Day, date_of_birth: Day, relatives: FamilyMember[]): FamilyAges {
  const age = (born: Day) => Math.max(0, ageOn(born, day))
  const partner = relatives.find(({ relationship }) => relationship !== 'child')
  return {
    employee: age(date_of_birth),
    partner: partner ? age(partner.date_of_birth) : null,
    children: relatives.filter(({ relationship }) => relationship === 'child').map((child) => age(child.date_of_birth)),
  }
}

/** Whether two premiums of a list apply to the same people: the same tier, or the same ages. */
const isOfSame = (a: AreaRate, b: AreaRate): boolean =>
  a.coverage_tier === b.coverage_tier && a.min_age === b.min_age && a.max_age === b.max_age

/** A premium list with added or changed premiums. Sorted, so that equal lists compare as equal. */
export function withRates(list: AreaRate[], rates: AreaRate[]): AreaRate[] {
  const kept = list.filter((rate) => !rates.some((new_rate) => isOfSame(new_rate, rate)))
  const order = (rate: AreaRate) => [rate.coverage_tier ?? '', String(rate.min_age ?? 0).padStart(3, '0')].join()
  return [...kept, ...rates].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** A premium of a list whose ages overlap with another one. Undefined if there is no overlap. */
export function overlappingRate(list: AreaRate[]): AreaRate | undefined {
  const by_age = list.filter((rate) => rate.coverage_tier === null).sort((a, b) => (a.min_age ?? 0) - (b.min_age ?? 0))
  return by_age.find((rate, index) => {
    const before = by_age[index - 1]
    return before && (before.max_age === null || (rate.min_age ?? 0) <= before.max_age)
  })
}

/** The premium in a list for the same people, if it has one. */
export const rateLike = (list: AreaRate[], input: AreaRate): AreaRate | undefined =>
  list.find((rate) => isOfSame(rate, input))

/** How many days before the plan year an ICHRA notice is due (26 CFR 54.9802-4(c)(6)). */
export const ichra_notice_days = 90

/**
 * The day by which employees must receive the ICHRA notice: `ichra_notice_days` before the plan year, or the first day
 * of coverage for employees who become eligible later (26 CFR 54.9802-4(c)(6)).
 */
export const noticeDueOn = (plan_year_start: Day, coverage_start: Day): Day =>
  coverage_start > plan_year_start ? coverage_start : addDays(plan_year_start, -ichra_notice_days)

export type Affordability = 'Affordable' | 'Not Affordable'

export type AffordabilityFacts = {
  plan_year_start: Day
  state: string | null
  /** The monthly premium for the employee alone, for an adult of their age at home or at work. Null if unknown. */
  lowest_silver_in_cents: number | null
  /** The employer's monthly allowance for the employee alone. */
  allowance_in_cents: number
  /** Null if it was not reported. */
  monthly_wage_in_cents: number | null
  /** The figures that the operator saved for the relevant years. Null or absent if there are none. */
  figures?: readonly YearFigures[] | null
}

/** The safe harbors that an employer can use in advance. W-2 wages are known only after the year. */
export const safe_harbors = ['federal_poverty_line', 'rate_of_pay'] as const

// The following compare integers. A `part` is the required contribution percentage in hundredths of a percent.

/**
 * Whether a monthly cost is at most a part of one twelfth of the federal poverty line, which is in dollars per year (26
 * CFR 54.4980H-5(e)(2)(iv)).
 */
export const isWithinPovertyLine = (cost_in_cents: number, line: number, part: number): boolean =>
  cost_in_cents * 10_000 * 12 <= line * 100 * part

/** Whether a cost is at most a part of the wages of the same period. */
export const isWithinWages = (cost_in_cents: number, wages_in_cents: number, part: number): boolean =>
  cost_in_cents * 10_000 <= wages_in_cents * part

/** Whether a cost is affordable, and under which safe harbor. Null if it is not affordable. */
export type JudgedCost = { verdict: Affordability; safe_harbor: (typeof safe_harbors)[number] | null }

/**
 * Whether the monthly cost of coverage for the employee alone is at most the required contribution percentage of the
 * federal poverty line or of the employee's wage. Employers may rely on these safe harbors (26 CFR 54.4980H-5(e)). Null
 * if a figure is missing.
 */
export function decideAffordability(
  required_in_cents: number,
  {
    plan_year_start,
    state,
    monthly_wage_in_cents,
    figures,
  }: Omit<AffordabilityFacts, 'lowest_silver_in_cents' | 'allowance_in_cents'>,
): JudgedCost | null {
  const known_figures = figures ?? []
  const part = figuresOf(yearOf(plan_year_start), known_figures).required_contribution
  const line = povertyLine(plan_year_start, state, known_figures)
  if (part === null || line === undefined) return null
  if (isWithinPovertyLine(required_in_cents, line, part))
    return { verdict: 'Affordable', safe_harbor: 'federal_poverty_line' }
  if (monthly_wage_in_cents !== null && isWithinWages(required_in_cents, monthly_wage_in_cents, part))
    return { verdict: 'Affordable', safe_harbor: 'rate_of_pay' }
  return { verdict: 'Not Affordable', safe_harbor: null }
}

/** The monthly cost of the lowest-cost silver plan for the employee alone, less the allowance. Null if unknown. */
export const ichraCost = ({
  lowest_silver_in_cents: silver,
  allowance_in_cents,
}: Pick<AffordabilityFacts, 'lowest_silver_in_cents' | 'allowance_in_cents'>): number | null =>
  silver === null ? null : Math.max(0, silver - allowance_in_cents)

/** Whether an ICHRA is affordable for an employee. Null if a figure is missing. */
export function affordabilityOf(facts: AffordabilityFacts): Affordability | null {
  const cost = ichraCost(facts)
  return cost === null ? null : (decideAffordability(cost, facts)?.verdict ?? null)
}
