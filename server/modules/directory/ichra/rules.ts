import { addDays, ageOn, type Day } from '../../../kernel/days.ts'

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

/** From this age on, each child counts, as adults do. */
const adult_child = 21
/** Only this many younger children count, starting with the oldest. */
const most_children = 3

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
  const ages = [employee, ...(partner === null ? [] : [partner]), ...grown, ...young.slice(0, most_children)]
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
    children: relatives.filter(({ relationship }) => relationship === 'child').map((one) => age(one.date_of_birth)),
  }
}

/** Whether two premiums of a list apply to the same people: the same tier, or the same ages. */
const isOfSame = (one: AreaRate, other: AreaRate): boolean =>
  one.coverage_tier === other.coverage_tier && one.min_age === other.min_age && one.max_age === other.max_age

/** A premium list with added or changed premiums. Sorted, so that equal lists compare as equal. */
export function withRates(list: AreaRate[], rates: AreaRate[]): AreaRate[] {
  const kept = list.filter((rate) => !rates.some((one) => isOfSame(one, rate)))
  const order = (rate: AreaRate) => [rate.coverage_tier ?? '', String(rate.min_age ?? 0).padStart(3, '0')].join()
  return [...kept, ...rates].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** A premium of a list whose ages overlap with another one. Undefined if there is no overlap. */
export function overlappingRate(list: AreaRate[]): AreaRate | undefined {
  const by_age = list.filter((rate) => rate.coverage_tier === null).sort((a, b) => (a.min_age ?? 0) - (b.min_age ?? 0))
  return by_age.find((rate, at) => {
    const before = by_age[at - 1]
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

/**
 * The required contribution percentage: the largest share of income that affordable coverage may cost, in hundredths of
 * a percent, by the year in which a plan year starts. Rev. Proc. 2019-29, 2020-36, 2021-36, 2022-34, 2023-29, 2024-35,
 * 2025-25, 2026-26 (section 3.02).
 */
const required_contribution: Record<number, number> = {
  2020: 978,
  2021: 983,
  2022: 961,
  2023: 912,
  2024: 839,
  2025: 902,
  2026: 996,
  2027: 1022,
}

/**
 * The HHS poverty guidelines for one person in dollars per year: for the contiguous states and the District of
 * Columbia, for Alaska, and for Hawaii (Federal Register, each January; for 2026, 91 FR 1797).
 */
const poverty_guidelines: Record<number, [contiguous: number, alaska: number, hawaii: number]> = {
  2019: [12_490, 15_600, 14_380],
  2020: [12_760, 15_950, 14_680],
  2021: [12_880, 16_090, 14_820],
  2022: [13_590, 16_990, 15_630],
  2023: [14_580, 18_210, 16_770],
  2024: [15_060, 18_810, 17_310],
  2025: [15_650, 19_550, 17_990],
  2026: [15_960, 19_950, 18_360],
}

/**
 * The legal figures of a year: the required contribution percentage in hundredths of a percent, and the poverty
 * guidelines. Null if unknown.
 */
export type YearFigures = {
  year: number
  required_contribution: number | null
  poverty_guidelines: readonly [contiguous: number, alaska: number, hawaii: number] | null
}

/** The figures of a year. Figures that the operator saved take precedence over those in the release. */
function figuresOf(year: number, known_figures: readonly YearFigures[]): YearFigures {
  const stored = known_figures.find((one) => one.year === year)
  return {
    year,
    required_contribution: stored?.required_contribution ?? required_contribution[year] ?? null,
    poverty_guidelines: stored?.poverty_guidelines ?? poverty_guidelines[year] ?? null,
  }
}

/** The figures of every year with any known figure, latest first. */
export const allFigures = (figures: readonly YearFigures[]): YearFigures[] =>
  [...new Set([...Object.keys(required_contribution), ...Object.keys(poverty_guidelines)].map(Number))]
    .concat(figures.map(({ year }) => year))
    .filter((year, at, years) => years.indexOf(year) === at)
    .sort((a, b) => b - a)
    .map((year) => figuresOf(year, figures))

const yearOf = (day: Day): number => Number(day.slice(0, 4))

/**
 * The year of the poverty guidelines that an employer may use: those in effect within six months before the plan year.
 */
const guidelineYearOf = (plan_year_start: Day): number =>
  plan_year_start.slice(5, 7) > '06' ? yearOf(plan_year_start) : yearOf(plan_year_start) - 1

function povertyLine(plan_year_start: Day, state: string | null, figures: readonly YearFigures[]): number | undefined {
  const lines = figuresOf(guidelineYearOf(plan_year_start), figures).poverty_guidelines
  return lines?.[state === 'AK' ? 1 : state === 'HI' ? 2 : 0]
}

/** The figures that determine affordability. The first applies only to ICHRAs. */
export const needed_figures = [
  'lowest_cost_silver_premium',
  'required_contribution_percentage',
  'poverty_guidelines',
] as const

/** An unknown figure, and its year. */
export type MissingFigure = { figure: (typeof needed_figures)[number]; year: number }

/** The unknown legal figures for a plan year that starts on this day. */
export function missingFiguresOf(plan_year_start: Day, figures: readonly YearFigures[]): MissingFigure[] {
  const [year, guideline_year] = [yearOf(plan_year_start), guidelineYearOf(plan_year_start)]
  return [
    ...(figuresOf(year, figures).required_contribution === null
      ? [{ figure: 'required_contribution_percentage' as const, year }]
      : []),
    ...(figuresOf(guideline_year, figures).poverty_guidelines === null
      ? [{ figure: 'poverty_guidelines' as const, year: guideline_year }]
      : []),
  ]
}

/** The lead time of the operator's task for a missing figure, in days before a plan year needs it. */
const days_ahead = 120

/** A figure missing from this release, and the first day on which a plan year that needs it can start. */
export type DueFigure = MissingFigure & { needed_on: Day; due_on: Day }

/**
 * The figures of this and next year that are missing from this release and needed within 120 days. The percentage is
 * needed from the first plan year of its year on, the guidelines from the first plan year that starts in July.
 */
export function figuresDue(today: Day): DueFigure[] {
  const years = [yearOf(today), yearOf(today) + 1]
  const needed = years.flatMap((year): Omit<DueFigure, 'due_on'>[] => [
    ...(year in required_contribution
      ? []
      : [{ figure: 'required_contribution_percentage' as const, year, needed_on: `${year}-01-01` }]),
    ...(year in poverty_guidelines
      ? []
      : [{ figure: 'poverty_guidelines' as const, year, needed_on: `${year}-07-01` }]),
  ])
  return needed
    .map((one) => ({ ...one, due_on: addDays(one.needed_on, -days_ahead) }))
    .filter(({ due_on }) => due_on <= today)
}

export type Affordability = 'Affordable' | 'Not Affordable'

export type AffordabilityFacts = {
  plan_year_start: Day
  state: string | null
  /** The monthly premium for the employee alone, for an adult of their age where they live. Null if unknown. */
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

/** Whether a cost is affordable, and by which safe harbor. Null if by none. */
export type JudgedCost = { verdict: Affordability; safe_harbor: (typeof safe_harbors)[number] | null }

/**
 * Whether the monthly cost of coverage for the employee alone is at most the required contribution percentage of the
 * federal poverty line or of the employee's wage. Employers may rely on these safe harbors (26 CFR 54.4980H-5(e)). Null
 * if a figure is missing.
 */
export function judgeCost(
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
  // Compare integers: cents per month × 10,000 × 12 with dollars per year × 100 cents × hundredths of a percent.
  if (required_in_cents * 10_000 * 12 <= line * 100 * part)
    return { verdict: 'Affordable', safe_harbor: 'federal_poverty_line' }
  if (monthly_wage_in_cents !== null && required_in_cents * 10_000 <= monthly_wage_in_cents * part)
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
  return cost === null ? null : (judgeCost(cost, facts)?.verdict ?? null)
}
