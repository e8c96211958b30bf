import { removeAccents } from '../../../kernel/person-names.ts'
import { figuresOf, type YearFigures } from '../../directory/ichra/figure-rules.ts'
import {
  countOffers,
  exposureInCents,
  exposureOf,
  type Exposure,
  type OfferCounts,
  type OfferedMonth,
} from '../offers/rules.ts'
import type { PersonMonth } from './code-rules.ts'
import { isEmployedAtEnd, monthsOf, type FormFacts, type FormPerson } from './fact-rules.ts'
import { reportedMonth, withOverride, type ShownMonth, type StoredOverride } from './override-rules.ts'
import { personYearOf, type MeasuredMonth } from './person-rules.ts'
import {
  formOf,
  hasAffordableOffer,
  hasQualifyingOffer,
  isFormDue,
  isAffordable,
  isOfferedWholeMonth,
  type FormContent,
} from './rules.ts'

/** The problems to check before a form is filed, the most urgent first. */
export const form_exceptions = [
  'no_offer',
  'unaffordable_offer',
  'cost_unknown',
  'hours_not_reported',
  'tax_identifier_missing',
  'address_missing',
  'name_not_accepted',
  'overridden',
] as const
export type FormException = (typeof form_exceptions)[number]

/** The facts of an employment for a form, and the cells that a user has overridden. */
export type FormInput = FormFacts & { override: StoredOverride | null }

/** The derived form of a person who works under one EIN. */
export type DerivedForm = {
  /** The latest employment, with the enrollments and the override of all. */
  facts: FormInput
  form: FormContent<FormPerson>
  /** The facts of each month as the cells with the override report them. */
  reported: PersonMonth[]
  months: ShownMonth[]
  exceptions: FormException[]
  /** The first and last names that the IRS does not accept. Empty if no form is due. */
  names_not_accepted: string[]
  /** For each month, whether the person is an employee on its last day. */
  is_employed_at_end: boolean[]
}

/** The latest employment under the EIN, with the enrollments and the override of all employments under it. */
function joinFacts(employments: readonly FormInput[]): FormInput {
  const latest = employments.reduce((a, b) => ((b.hired_on ?? '') > (a.hired_on ?? '') ? b : a))
  const enrollments = employments.flatMap((one) => one.enrollments)
  return {
    ...latest,
    enrollments: enrollments.toSorted((a, b) => (a.coverage_start < b.coverage_start ? -1 : 1)),
    // Form 1095-B has no cells that a user could override.
    override:
      latest.form_type === '1095-C' ? (employments.find(({ override }) => override !== null)?.override ?? null) : null,
  }
}

/**
 * Derives the form of a person under one EIN from all employments in its group, and applies the cells that a user has
 * overridden.
 */
export function derivedForm(
  employments: readonly FormInput[],
  tax_year: number,
  figures: readonly YearFigures[],
  measured: readonly MeasuredMonth[] | null,
): DerivedForm {
  const own = employments.filter(({ is_own }) => is_own)
  const facts = joinFacts(own)
  const year = personYearOf(employments, tax_year, figures, measured)
  const overridden = facts.override?.months ?? []
  const reported = year.months.map((month, at) =>
    reportedMonth(
      month,
      overridden.find((one) => one.month === at + 1),
    ),
  )
  const form = formOf(year, facts.form_type, reported)
  const months = withOverride(form.months, facts.override)
  const is_due = isFormDue(form)
  const full_time = months.filter((_, at) => reported[at]!.status === 'full_time')
  const has = (test: (month: ShownMonth) => boolean) => is_due && full_time.some(test)
  const people = [facts.person, ...form.covered_people]
  const names = new Set(is_due ? people.flatMap(({ first_name, last_name }) => [first_name, last_name]) : [])
  const names_not_accepted = [...names].filter((name) => !isAccepted(name))
  const found: Record<FormException, boolean> = {
    no_offer: has(({ line_14, line_16 }) => line_14.value === '1H' && line_16.value === null),
    unaffordable_offer: has(isUnaffordable),
    cost_unknown: has(({ line_14, line_15 }) => line_15.value === null && mayNeedCost(line_14.value)),
    // Missing hours may be the reason why no form is due, so this does not depend on whether one is due.
    hours_not_reported: facts.form_type === '1095-C' && measured?.some(({ lacks_hours }) => lacks_hours) === true,
    tax_identifier_missing: is_due && people.some((one) => one.tax_identifier_last_four === null),
    address_missing: is_due && facts.address === null,
    name_not_accepted: names_not_accepted.length > 0,
    overridden: facts.override !== null,
  }
  return {
    facts,
    form,
    reported,
    months,
    exceptions: form_exceptions.filter((exception) => found[exception]),
    names_not_accepted,
    is_employed_at_end: monthsOf(tax_year).map((month) => own.some((one) => isEmployedAtEnd(one, month))),
  }
}

/** Whether the IRS accepts a name: in letters from A to Z, apart from accents, and without digits. */
function isAccepted(name: string): boolean {
  const plain = removeAccents(name)
  return /[A-Za-z]/.test(plain) && !/[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u.test(plain.replaceAll(/[A-Za-z]/g, ''))
}

/** The codes that have no cost: qualifying offers, no minimum value, whole years, no offer, unaffordable ICHRAs. */
const without_cost: readonly (string | null)[] = ['1A', '1F', '1G', '1H', '1R', '1S']
const mayNeedCost = (code: string | null): boolean => !without_cost.includes(code)

/** Whether a full-time employee got an offer that is not affordable by any safe harbor, and did not enroll. */
const isUnaffordable = ({ line_14, line_16 }: ShownMonth): boolean =>
  line_16.value === null && line_14.value !== '1A' && line_14.value !== '1H'

/** The position of a form in the review: the most urgent exception first, then those without one. */
export const urgencyOf = ({ exceptions }: DerivedForm): number =>
  exceptions[0] === undefined ? form_exceptions.length : form_exceptions.indexOf(exceptions[0])

/**
 * The month of a person for the offer test. An employer that contributes to a multiemployer plan that offers affordable
 * coverage is treated as offering it (Instructions for Forms 1094-C and 1095-C, multiemployer interim rule relief).
 */
export function offeredMonthOf({ has_multiemployer_relief: has_relief, ...month }: PersonMonth): OfferedMonth {
  const { status, offer, is_enrolled } = month
  const is_whole = isOfferedWholeMonth(month)
  return {
    status,
    is_offered: has_relief || (is_whole && offer!.children),
    is_protected: has_relief || is_enrolled || (is_whole && isAffordable(offer!)),
  }
}

/** The counts of the people of an ALE member in a year, for the offer test and Form 1094-C. */
export type YearCounts = {
  /** Line 20 of Form 1094-C or line 9 of Form 1094-B: the number of forms under the EIN. */
  form_count: number
  /** The people with months that are part-time only because no hours are reported, with a form or without. */
  unreported_hours_count: number
  /** Their employments. */
  unreported_ids: string[]
  /** The forms of people with an affordable offer in all months, for the 98% Offer Method. */
  affordable_form_count: number
  /** Line 22, box A: at least one employee got a qualifying offer for all months of full-time employment. */
  has_qualifying_offer: boolean
  months: MonthCounts[]
}

/** The counts of a month. `total_count`: the employees on the last day of the month (line 24 to 35, column (c)). */
export type MonthCounts = OfferCounts & { total_count: number }

/** The counts of people of an ALE member, by their forms. */
export function countForms(forms: readonly DerivedForm[]): YearCounts {
  const due = forms.filter(({ form }) => isFormDue(form))
  const unreported = forms.filter(({ exceptions }) => exceptions.includes('hours_not_reported'))
  return {
    form_count: due.length,
    unreported_hours_count: unreported.length,
    unreported_ids: unreported.map(({ facts }) => facts.employee_id),
    affordable_form_count: due.filter(({ reported }) => hasAffordableOffer(reported)).length,
    has_qualifying_offer: due.some(({ reported, months }) => hasQualifyingOffer(reported, months)),
    months: Array.from({ length: 12 }, (_, at) => ({
      ...countOffers(forms.map(({ reported }) => offeredMonthOf(reported[at]!))),
      total_count: forms.filter(({ is_employed_at_end }) => is_employed_at_end[at]).length,
    })),
  }
}

/** The counts of two batches of people together. A person must not be in both. */
export const addCounts = (a: YearCounts, b: YearCounts): YearCounts => ({
  form_count: a.form_count + b.form_count,
  unreported_hours_count: a.unreported_hours_count + b.unreported_hours_count,
  unreported_ids: [...a.unreported_ids, ...b.unreported_ids],
  affordable_form_count: a.affordable_form_count + b.affordable_form_count,
  has_qualifying_offer: a.has_qualifying_offer || b.has_qualifying_offer,
  months: a.months.map((month, at) => ({
    full_time_count: month.full_time_count + b.months[at]!.full_time_count,
    offered_count: month.offered_count + b.months[at]!.offered_count,
    unprotected_count: month.unprotected_count + b.months[at]!.unprotected_count,
    total_count: month.total_count + b.months[at]!.total_count,
  })),
})

/**
 * The highest assessable payments of a year of an ALE member. `others`: the counts of the other members of its
 * aggregated ALE group. Null if the assessable payments of the year are unknown.
 */
export function exposureOfYear(
  counts: YearCounts,
  others: readonly YearCounts[],
  tax_year: number,
  figures: readonly YearFigures[],
): { months: Exposure[]; in_cents: number } | null {
  const payments = figuresOf(tax_year, figures).assessable_payments
  if (!payments) return null
  const months = counts.months.map((month, at) => {
    const of_group = others.reduce((sum, other) => sum + other.months[at]!.full_time_count, month.full_time_count)
    return exposureOf(month, payments, of_group)
  })
  return { months, in_cents: exposureInCents(months) }
}
