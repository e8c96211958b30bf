import { addDays, ageOn, type Day } from '../../../kernel/days.ts'

/** Monthly: of everybody of an age (inclusive, `max_age` null: and above), or of a tier, where ages don't matter. */
export type AreaRate = {
  coverage_tier: string | null
  min_age: number | null
  max_age: number | null
  premium_in_cents: number
}

/** Who is covered, by age. */
export type FamilyAges = { employee: number; partner: number | null; children: number[] }

/** From this age on children count one by one, as adults do. */
const adult_child = 21
/** So many children below that age count, the oldest ones. */
const most_children = 3

const fits = (rate: AreaRate, age: number): boolean =>
  rate.coverage_tier === null && (rate.min_age ?? 0) <= age && (rate.max_age === null || age <= rate.max_age)

/**
 * The monthly premium of a plan by the list of an area: that of the tier, in a state that rates families so, or else
 * the sum over all who are covered, of whose children below 21 the three oldest count (45 CFR 147.102(c)(1)). Whoever
 * uses tobacco pays what others do. undefined where the list has no premium for somebody.
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

/** Somebody who may be covered with an employee. */
export type FamilyMember = { relationship: string; date_of_birth: Day }

/**
 * The ages that premiums go by: those on the first day of the employee's coverage in the plan year, which is when a
 * policy is issued or renewed (45 CFR 147.102(a)(1)(iii)), for whoever joins later too. Who is born later is 0.
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

/** Two premiums of a list are of the same people: one tier, or the same ages. */
const isOfSame = (one: AreaRate, other: AreaRate): boolean =>
  one.coverage_tier === other.coverage_tier && one.min_age === other.min_age && one.max_age === other.max_age

/** A list with premiums that are new or differ. The order tells nothing, and is always the same. */
export function withRates(list: AreaRate[], said: AreaRate[]): AreaRate[] {
  const kept = list.filter((rate) => !said.some((one) => isOfSame(one, rate)))
  const order = (rate: AreaRate) => [rate.coverage_tier ?? '', String(rate.min_age ?? 0).padStart(3, '0')].join()
  return [...kept, ...said].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/** A premium of a list for people of whom another one of it speaks too; undefined when each has one. */
export function overlappingRate(list: AreaRate[]): AreaRate | undefined {
  const by_age = list.filter((rate) => rate.coverage_tier === null).sort((a, b) => (a.min_age ?? 0) - (b.min_age ?? 0))
  return by_age.find((rate, at) => {
    const before = by_age[at - 1]
    return before && (before.max_age === null || (rate.min_age ?? 0) <= before.max_age)
  })
}

/** The premium that the list in force has for the same people, if it has. */
export const rateLike = (list: AreaRate[], said: AreaRate): AreaRate | undefined =>
  list.find((rate) => isOfSame(rate, said))

/**
 * The day by which employees are to have the notice of an ICHRA: 90 days before the plan year begins, or, for whoever
 * can be covered only later, the first day of coverage (26 CFR 54.9802-4(c)(6)).
 */
export const noticeDueOn = (plan_year_start: Day, coverage_start: Day): Day =>
  coverage_start > plan_year_start ? coverage_start : addDays(plan_year_start, -90)

/**
 * The part of income that coverage may cost at most to be affordable, in hundredths of a percent, by the year in which
 * a plan year begins: Rev. Proc. 2019-29, 2020-36, 2021-36, 2022-34, 2023-29, 2024-35, 2025-25, 2026-26 (section 3.02).
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
 * The poverty guidelines of the Department of Health and Human Services for one person, in dollars a year: of the
 * contiguous states and the District of Columbia, of Alaska, of Hawaii (Federal Register, each January; of 2026: 91 FR
 * 1797).
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

/** What the law says of a year: the part of income in hundredths of a percent, and the guidelines; null: not known. */
export type YearFigures = {
  year: number
  required_contribution: number | null
  poverty_guidelines: readonly [contiguous: number, alaska: number, hawaii: number] | null
}

/** The figures of a year: those that the operator told, and else those that come with the service. */
function figuresOf(year: number, told: readonly YearFigures[]): YearFigures {
  const said = told.find((one) => one.year === year)
  return {
    year,
    required_contribution: said?.required_contribution ?? required_contribution[year] ?? null,
    poverty_guidelines: said?.poverty_guidelines ?? poverty_guidelines[year] ?? null,
  }
}

/** Those of every year of which anything is known, the last year first. */
export const allFigures = (told: readonly YearFigures[]): YearFigures[] =>
  [...new Set([...Object.keys(required_contribution), ...Object.keys(poverty_guidelines)].map(Number))]
    .concat(told.map(({ year }) => year))
    .filter((year, at, years) => years.indexOf(year) === at)
    .sort((a, b) => b - a)
    .map((year) => figuresOf(year, told))

const yearOf = (day: Day): number => Number(day.slice(0, 4))

/** The year of the guidelines that an employer may rely on: in effect within the six months before the plan year. */
const guidelineYearOf = (plan_year_start: Day): number =>
  plan_year_start.slice(5, 7) > '06' ? yearOf(plan_year_start) : yearOf(plan_year_start) - 1

function povertyLine(plan_year_start: Day, state: string | null, told: readonly YearFigures[]): number | undefined {
  const lines = figuresOf(guidelineYearOf(plan_year_start), told).poverty_guidelines
  return lines?.[state === 'AK' ? 1 : state === 'HI' ? 2 : 0]
}

/** The figures that an affordability needs. The first is needed for ICHRA only. */
export const needed_figures = [
  'lowest_cost_silver_premium',
  'required_contribution_percentage',
  'poverty_guidelines',
] as const

/** A figure that is not known, and the year that it is of. */
export type MissingFigure = { figure: (typeof needed_figures)[number]; year: number }

/** The figures of the law that are not known for a plan year that begins on this day. */
export function missingFiguresOf(plan_year_start: Day, told: readonly YearFigures[]): MissingFigure[] {
  const [year, guideline_year] = [yearOf(plan_year_start), guidelineYearOf(plan_year_start)]
  return [
    ...(figuresOf(year, told).required_contribution === null
      ? [{ figure: 'required_contribution_percentage' as const, year }]
      : []),
    ...(figuresOf(guideline_year, told).poverty_guidelines === null
      ? [{ figure: 'poverty_guidelines' as const, year: guideline_year }]
      : []),
  ]
}

/** How many days before a plan year needs a missing figure the operator gets a task. */
const days_ahead = 120

/** A figure that does not come with this version, and the first day on which a plan year that needs it can begin. */
export type DueFigure = MissingFigure & { needed_on: Day; due_on: Day }

/**
 * The figures of this year and the next that do not come with this version and are needed within 120 days: the
 * percentage from the first plan year of its year on, the guidelines from the first that begins in July.
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
  /** of the employee alone, monthly, for an adult of their age where they live; null where none is known */
  lowest_silver_in_cents: number | null
  /** what the employer allows the employee alone, monthly */
  allowance_in_cents: number
  /** null: not told */
  monthly_wage_in_cents: number | null
  /** what the operator told of the years that count; null and absent: nothing */
  figures?: readonly YearFigures[] | null
}

/** What an employer may rely on when it judges ahead; W-2 wages are known only when the year is over. */
export const safe_harbors = ['federal_poverty_line', 'rate_of_pay'] as const

/** A verdict, and the safe harbor that it is by; null: none bears it. */
export type JudgedCost = { verdict: Affordability; safe_harbor: (typeof safe_harbors)[number] | null }

/**
 * Whether what coverage of the employee alone costs them a month is at most the part that the law says of the federal
 * poverty line, or of their pay: the safe harbors that an employer may rely on (26 CFR 54.4980H-5(e)). null where a
 * figure is missing.
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
  const told = figures ?? []
  const part = figuresOf(yearOf(plan_year_start), told).required_contribution
  const line = povertyLine(plan_year_start, state, told)
  if (part === null || line === undefined) return null
  // Cents a month × 10,000 against dollars a year × 100 cents / 12 × hundredths of a percent, in whole numbers.
  if (required_in_cents * 10_000 * 12 <= line * 100 * part)
    return { verdict: 'Affordable', safe_harbor: 'federal_poverty_line' }
  if (monthly_wage_in_cents !== null && required_in_cents * 10_000 <= monthly_wage_in_cents * part)
    return { verdict: 'Affordable', safe_harbor: 'rate_of_pay' }
  return { verdict: 'Not Affordable', safe_harbor: null }
}

/** What the lowest-cost silver plan costs an employee alone a month, less the allowance; null where it is not known. */
export const ichraCost = ({
  lowest_silver_in_cents: silver,
  allowance_in_cents,
}: Pick<AffordabilityFacts, 'lowest_silver_in_cents' | 'allowance_in_cents'>): number | null =>
  silver === null ? null : Math.max(0, silver - allowance_in_cents)

/** Whether an ICHRA is affordable to an employee; null where a figure is missing. */
export function affordabilityOf(facts: AffordabilityFacts): Affordability | null {
  const cost = ichraCost(facts)
  return cost === null ? null : (judgeCost(cost, facts)?.verdict ?? null)
}
