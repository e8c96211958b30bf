import type { MonthStatus } from '../offers/rules.ts'
import { cellsOf, cellsOfWholeYear, type MonthCells, type PersonMonth } from './code-rules.ts'

/** A person covered by self-insured coverage, and the months with coverage on at least one day. */
export type CoveredPerson<Identity> = Identity & { months: boolean[] }

/** The facts about a person in a tax year. `months` are January to December. */
export type PersonYear<Identity> = {
  months: PersonMonth[]
  /** Covered by a self-insured plan or an ICHRA, the employee first. Empty if the coverage is insured. */
  self_insured: CoveredPerson<Identity>[]
}

/** Why an employee gets Form 1095-C, or why not. */
export type FormNeed = 'full_time' | 'self_insured_coverage' | 'not_full_time'

/** Parts II and III of Form 1095-C. */
export type FormContent<Identity> = {
  need: FormNeed
  months: MonthCells[]
  covered_people: CoveredPerson<Identity>[]
}

/**
 * Whether a form is due: for each employee who was full-time in at least one month outside a limited non-assessment
 * period, and for each person enrolled in self-insured coverage (26 CFR 301.6056-1, 1.6055-1).
 */
export function formNeedOf<Identity>({ months, self_insured }: PersonYear<Identity>): FormNeed {
  if (months.some(({ status }) => status === 'full_time')) return 'full_time'
  return self_insured.some((person) => person.months.includes(true)) ? 'self_insured_coverage' : 'not_full_time'
}

/** Parts II and III of the form of a person. */
export function formOf<Identity>(year: PersonYear<Identity>): FormContent<Identity> {
  const need = formNeedOf(year)
  const covered_people = year.self_insured.filter((person) => person.months.includes(true))
  if (need !== 'self_insured_coverage') return { need, months: year.months.map(cellsOf), covered_people }
  const is_ichra = year.months.some(({ offer }) => offer?.kind === 'ichra')
  return { need, months: year.months.map(() => cellsOfWholeYear(is_ichra ? '1S' : '1G')), covered_people }
}

/** The counts of one month of Part III of Form 1094-C. */
export type TransmittalMonth = {
  /** Whether minimum essential coverage was offered to 95 percent of full-time employees. */
  minimum_essential_coverage: boolean
  full_time_count: number
  /** All employees with at least one day of employment in the month. */
  total_count: number
}

/** The counts of Form 1094-C. */
export type Transmittal = {
  /** Line 20: the number of Forms 1095-C of the ALE member. */
  form_count: number
  /** Line 22, box A: at least one employee got a qualifying offer for all months of full-time employment. */
  has_qualifying_offer: boolean
  months: TransmittalMonth[]
}

/** Whether a full-time employee got a qualifying offer for all months of full-time employment. */
export function hasQualifyingOffer(year: PersonYear<unknown>, form: FormContent<unknown>): boolean {
  const full_time = form.months.filter((_, at) => year.months[at]!.status === 'full_time')
  return full_time.length > 0 && full_time.every(({ line_14 }) => line_14.value === '1A')
}

/** A person of an ALE member in a year. */
export type TransmittedPerson = { months: { status: MonthStatus }[]; is_due: boolean; has_qualifying_offer: boolean }

/** The counts of Form 1094-C from the people of an ALE member and the offer test of each month. */
export const transmittalOf = (
  people: readonly TransmittedPerson[],
  tests: readonly { full_time_count: number; passes: boolean }[],
): Transmittal => ({
  form_count: people.filter(({ is_due }) => is_due).length,
  has_qualifying_offer: people.some((person) => person.has_qualifying_offer),
  months: tests.map(({ full_time_count, passes }, at) => ({
    minimum_essential_coverage: passes,
    full_time_count,
    total_count: people.filter(({ months }) => months[at]!.status !== 'not_employed').length,
  })),
})
