import { addDays, type Day } from '../../../kernel/days.ts'

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
 * The assessable payments of applicable large employers in dollars per year and full-time employee: for no offer of
 * coverage (section 4980H(a)), and for an offer that is unaffordable or without minimum value (4980H(b)). For 2024
 * to 2027: Rev. Proc. 2023-17, 2024-14, 2025-26, 2026-22. For earlier years: question 55 of the questions and answers
 * of the IRS on employer shared responsibility.
 */
const assessable_payments: Record<number, [no_offer: number, unaffordable_offer: number]> = {
  2020: [2_570, 3_860],
  2021: [2_700, 4_060],
  2022: [2_750, 4_120],
  2023: [2_880, 4_320],
  2024: [2_970, 4_460],
  2025: [2_900, 4_350],
  2026: [3_340, 5_010],
  2027: [3_780, 5_670],
}

/**
 * The legal figures of a year: the required contribution percentage in hundredths of a percent, the poverty guidelines
 * and the assessable payments. Null if unknown.
 */
export type YearFigures = {
  year: number
  required_contribution: number | null
  poverty_guidelines: readonly [contiguous: number, alaska: number, hawaii: number] | null
  assessable_payments: readonly [no_offer: number, unaffordable_offer: number] | null
}

/** The figures of a year. Figures that the operator saved take precedence over those in the release. */
export function figuresOf(year: number, known_figures: readonly YearFigures[]): YearFigures {
  const stored = known_figures.find((figure) => figure.year === year)
  return {
    year,
    required_contribution: stored?.required_contribution ?? required_contribution[year] ?? null,
    poverty_guidelines: stored?.poverty_guidelines ?? poverty_guidelines[year] ?? null,
    assessable_payments: stored?.assessable_payments ?? assessable_payments[year] ?? null,
  }
}

/** The figures of every year with any known figure, latest first. */
export const allFigures = (figures: readonly YearFigures[]): YearFigures[] =>
  [required_contribution, poverty_guidelines, assessable_payments]
    .flatMap((table) => Object.keys(table).map(Number))
    .concat(figures.map(({ year }) => year))
    .filter((year, index, years) => years.indexOf(year) === index)
    .sort((a, b) => b - a)
    .map((year) => figuresOf(year, figures))

export const yearOf = (day: Day): number => Number(day.slice(0, 4))

/**
 * The year of the poverty guidelines that an employer may use: those in effect within six months before the plan year.
 */
export const guidelineYearOf = (plan_year_start: Day): number =>
  plan_year_start.slice(5, 7) > '06' ? yearOf(plan_year_start) : yearOf(plan_year_start) - 1

/**
 * The federal poverty line of one person in dollars per year that applies to a plan year in a state. Undefined if
 * unknown.
 */
export function povertyLine(
  plan_year_start: Day,
  state: string | null,
  figures: readonly YearFigures[],
): number | undefined {
  const lines = figuresOf(guidelineYearOf(plan_year_start), figures).poverty_guidelines
  return lines?.[state === 'AK' ? 1 : state === 'HI' ? 2 : 0]
}

/** The figures that determine affordability. The first applies only to ICHRAs. */
export const needed_figures = [
  'lowest_cost_silver_premium',
  'required_contribution_percentage',
  'poverty_guidelines',
] as const

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

/** A figure missing from this release, and the first day on which it is needed. */
export type DueFigure = {
  figure: MissingFigure['figure'] | 'assessable_payments'
  year: number
  needed_on: Day
  due_on: Day
}

/**
 * The figures of this and next year that are missing from this release and needed within 120 days. The percentage is
 * needed from the first plan year of its year on, the guidelines from the first plan year that starts in July, and the
 * assessable payments from the first month of their year on.
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
    ...(year in assessable_payments
      ? []
      : [{ figure: 'assessable_payments' as const, year, needed_on: `${year}-01-01` }]),
  ])
  return needed
    .map((figure) => ({ ...figure, due_on: addDays(figure.needed_on, -days_ahead) }))
    .filter(({ due_on }) => due_on <= today)
}
