import { cellsOf, cellsOfWholeYear, type MonthCells, type MonthOffer, type PersonMonth } from './code-rules.ts'

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

/** Whether a full-time employee got a qualifying offer for all months of full-time employment. */
export function hasQualifyingOffer(year: PersonYear<unknown>, form: FormContent<unknown>): boolean {
  const full_time = form.months.filter((_, at) => year.months[at]!.status === 'full_time')
  return full_time.length > 0 && full_time.every(({ line_14 }) => line_14.value === '1A')
}

/** Whether an offer is of minimum value and affordable by a safe harbor. An ICHRA needs no minimum value. */
export const isAffordable = ({ kind, has_minimum_value, safe_harbor }: MonthOffer): boolean =>
  (kind === 'ichra' || has_minimum_value) && safe_harbor !== null

/**
 * Whether coverage was offered for a whole month. An offer that ends only with the employment counts for it
 * (54.4980H-4(c) and 54.4980H-5(b)).
 */
export const isOfferedWholeMonth = ({ offer, left_in_month }: Pick<PersonMonth, 'offer' | 'left_in_month'>): boolean =>
  offer !== null && (offer.is_whole_month || left_in_month)

/**
 * Whether affordable coverage of minimum value was offered to the employee and the children for all months of
 * employment outside a limited non-assessment period (98% Offer Method, Instructions for Form 1094-C, line 22, box D).
 */
export function hasAffordableOffer({ months }: PersonYear<unknown>): boolean {
  const assessed = months.filter(({ status }) => status === 'full_time' || status === 'part_time')
  return assessed.every(
    (month) =>
      month.has_multiemployer_relief ||
      (isOfferedWholeMonth(month) && month.offer!.children && isAffordable(month.offer!)),
  )
}
