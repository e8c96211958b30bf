import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals } from '../../../kernel/refusal.ts'
import { cellsOf, cellsOfWholeYear, type MonthCells, type MonthOffer, type PersonMonth } from './code-rules.ts'

/**
 * The form of an employer. 1095-C: of an applicable large employer. 1095-B: of another employer, which reports only
 * self-insured coverage (26 CFR 1.6055-1). The transmittals are Forms 1094-C and 1094-B.
 */
export const form_types = ['1095-B', '1095-C'] as const
export type FormType = (typeof form_types)[number]

export const form_refusals = declareRefusals({
  form_type_fixed: [
    409,
    'Forms of the other type were released for the tax year.',
    'The form type of a tax year can change only before its first release.',
  ],
  form_without_cells: [
    409,
    'Form 1095-B has no cells to override.',
    'Correct the enrollments of the employee instead. They determine the months of coverage.',
  ],
})

/** A person covered by self-insured coverage, and the months with coverage on at least one day. */
export type CoveredPerson<Identity> = Identity & { months: boolean[] }

/** The facts about a person in a tax year. `months` are January to December. */
export type PersonYear<Identity> = {
  months: PersonMonth[]
  /** Covered by a self-insured plan or an ICHRA, the employee first. Empty if the coverage is insured. */
  self_insured: CoveredPerson<Identity>[]
  /** An ICHRA was offered in the year, also as continuation coverage. */
  has_ichra: boolean
}

/** Why an employee gets a form, or why not. */
export const form_needs = ['full_time', 'self_insured_coverage', 'not_full_time', 'not_covered'] as const
export type FormNeed = (typeof form_needs)[number]

/** Parts II and III of Form 1095-C, or Part IV of Form 1095-B, which has no months of offers. */
export type FormContent<Identity> = {
  need: FormNeed
  months: MonthCells[]
  covered_people: CoveredPerson<Identity>[]
}

/**
 * Why a form is due. Form 1095-C: for each employee who was full-time in at least one month outside a limited
 * non-assessment period. Both forms: for each person enrolled in self-insured coverage (26 CFR 301.6056-1, 1.6055-1).
 */
export function formNeedOf({ months, self_insured }: PersonYear<unknown>, type: FormType): FormNeed {
  if (type === '1095-C' && months.some(({ status }) => status === 'full_time')) return 'full_time'
  if (self_insured.some((person) => person.months.includes(true))) return 'self_insured_coverage'
  return type === '1095-C' ? 'not_full_time' : 'not_covered'
}

/** Whether a form is due. */
export const isFormDue = ({ need }: FormContent<unknown>): boolean =>
  need === 'full_time' || need === 'self_insured_coverage'

/** The content of the form of a person. `reported`: the months after overrides, which can make a form due. */
export function formOf<Identity>(
  year: PersonYear<Identity>,
  type: FormType,
  reported: readonly PersonMonth[] = [],
): FormContent<Identity> {
  const need = formNeedOf({ ...year, months: [...year.months, ...reported] }, type)
  const covered_people = year.self_insured.filter((person) => person.months.includes(true))
  if (type === '1095-B') return { need, months: [], covered_people }
  if (need !== 'self_insured_coverage') return { need, months: year.months.map(cellsOf), covered_people }
  return { need, months: year.months.map(() => cellsOfWholeYear(year.has_ichra ? '1S' : '1G')), covered_people }
}

/** Whether a full-time employee got a qualifying offer for all months of full-time employment. */
export function hasQualifyingOffer(
  months: readonly PersonMonth[],
  cells: readonly { line_14: { value: string | null } }[],
): boolean {
  const full_time = cells.filter((_, at) => months[at]!.status === 'full_time')
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
export function hasAffordableOffer(months: readonly PersonMonth[]): boolean {
  const assessed = months.filter(({ status }) => status === 'full_time' || status === 'part_time')
  return assessed.every(
    (month) =>
      month.has_multiemployer_relief ||
      (isOfferedWholeMonth(month) && month.offer!.children && isAffordable(month.offer!)),
  )
}

/** The jurisdictions that receive copies of the forms of residents, besides the IRS. */
export const copied_states = ['CA', 'DC', 'MA', 'NJ', 'RI'] as const
export type Jurisdiction = 'IRS' | (typeof copied_states)[number]

/** The last day to furnish forms to employees or to file them with a jurisdiction. */
export type FormDeadline = { jurisdiction: Jurisdiction; step: 'furnish' | 'file'; form: string; due_on: Day }

/** The next weekday. A deadline on a weekend ends on the next business day (section 7503). */
function weekdayFrom(day: Day): Day {
  const { dayOfWeek } = Temporal.PlainDate.from(day)
  return dayOfWeek < 6 ? day : addDays(day, 8 - dayOfWeek)
}

/**
 * The last day to furnish a form: 30 days after January 31 (26 CFR 301.6056-1(g)(1), 1.6055-1(g)(4)), which is March 2,
 * or March 1 in a leap year. An employer that posts a notice by that day may furnish forms on request, by January 31 or
 * 30 days after the request (Paperwork Burden Reduction Act, IRS Notice 2025-15). The states have not adopted this.
 */
export const furnishBy = (tax_year: number): Day => weekdayFrom(addDays(`${tax_year + 1}-01-31`, 30))

/** The last day to file forms electronically with the IRS (26 CFR 301.6056-1(e)). */
export const fileBy = (tax_year: number): Day => weekdayFrom(`${tax_year + 1}-03-31`)

/**
 * The deadlines of a tax year, for the IRS and the states in which employees live. Electronic filing with the IRS ends
 * on March 31, and filing on paper on February 28 (26 CFR 301.6056-1(e), 1.6055-1(f)(1)).
 * docs/integrating/tax-forms.md lists the sources of the states. California: January 31 and March 31, with penalties
 * only after May 31. New Jersey: as the IRS. Rhode Island: January 31, except for 2020. District of Columbia: 30 days
 * after the IRS. Massachusetts: Form MA 1099-HC by January 31.
 */
export function deadlinesOf(tax_year: number, states: readonly string[], type: FormType): FormDeadline[] {
  const next = tax_year + 1
  const january = weekdayFrom(`${next}-01-31`)
  const march = fileBy(tax_year)
  const days: Record<Jurisdiction, [furnish: Day, file: Day, form: string]> = {
    IRS: [furnishBy(tax_year), march, type],
    CA: [january, march, type],
    DC: [furnishBy(tax_year), weekdayFrom(`${next}-04-30`), type],
    MA: [january, january, 'MA 1099-HC'],
    NJ: [furnishBy(tax_year), march, type],
    RI: [january, january, type],
  }
  const jurisdictions: Jurisdiction[] = ['IRS', ...copied_states.filter((state) => states.includes(state))]
  return jurisdictions.flatMap((jurisdiction) => {
    const [furnish, file, form] = days[jurisdiction]
    return [
      { jurisdiction, step: 'furnish' as const, form, due_on: furnish },
      { jurisdiction, step: 'file' as const, form, due_on: file },
    ]
  })
}
