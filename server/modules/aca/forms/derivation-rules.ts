import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import { figuresOf } from '../../directory/ichra/figure-rules.ts'
import {
  exposureInCents,
  exposureOf,
  testOffers,
  type Exposure,
  type OfferedMonth,
  type OfferTest,
} from '../offers/rules.ts'
import type { PersonMonth } from './code-rules.ts'
import { personYearOf, type FormFacts, type FormPerson } from './fact-rules.ts'
import { withOverride, type ShownMonth, type StoredOverride } from './override-rules.ts'
import {
  formOf,
  hasQualifyingOffer,
  transmittalOf,
  type FormContent,
  type PersonYear,
  type Transmittal,
  type TransmittedPerson,
} from './rules.ts'

/** The problems to check before a form is filed, the most urgent first. */
export const form_exceptions = [
  'no_offer',
  'unaffordable_offer',
  'cost_unknown',
  'tax_identifier_missing',
  'address_missing',
  'overridden',
] as const
export type FormException = (typeof form_exceptions)[number]

/** The facts of a form, and the override of a person. */
export type FormInput = FormFacts & { override: StoredOverride | null }

/** The derived form of an employee. */
export type DerivedForm = {
  facts: FormInput
  year: PersonYear<FormPerson>
  form: FormContent<FormPerson>
  months: ShownMonth[]
  exceptions: FormException[]
}

/** Derives the form of an employee from the facts, with the override of a person. */
export function derivedForm(facts: FormInput, tax_year: number, figures: readonly YearFigures[]): DerivedForm {
  const year = personYearOf(facts, tax_year, figures)
  const form = formOf(year)
  const months = withOverride(form.months, facts.override)
  const is_due = form.need !== 'not_full_time'
  const full_time = months.filter((_, at) => year.months[at]!.status === 'full_time')
  const has = (test: (month: ShownMonth) => boolean) => is_due && full_time.some(test)
  const people = [facts.person, ...form.covered_people]
  const found: Record<FormException, boolean> = {
    no_offer: has(({ line_14, line_16 }) => line_14.value === '1H' && line_16.value === null),
    unaffordable_offer: has(isUnaffordable),
    cost_unknown: has(({ line_14, line_15 }) => line_15.value === null && mayNeedCost(line_14.value)),
    tax_identifier_missing: is_due && people.some((one) => one.tax_identifier_last_four === null),
    address_missing: is_due && facts.address === null,
    overridden: facts.override !== null,
  }
  return { facts, year, form, months, exceptions: form_exceptions.filter((exception) => found[exception]) }
}

/** The codes that have no cost: qualifying offers, no minimum value, whole years, no offer, unaffordable ICHRAs. */
const without_cost: readonly (string | null)[] = ['1A', '1F', '1G', '1H', '1R', '1S']
const mayNeedCost = (code: string | null): boolean => !without_cost.includes(code)

/** Whether a full-time employee got an offer that is not affordable by any safe harbor, and did not enroll. */
const isUnaffordable = ({ line_14, line_16 }: ShownMonth): boolean =>
  line_16.value === null && line_14.value !== '1A' && line_14.value !== '1H'

/**
 * The month of a person for the offer test. An offer that ends only with the employment counts for the whole month
 * (54.4980H-4(c) and 54.4980H-5(b)).
 */
export function offeredMonthOf({ status, offer, is_enrolled, left_in_month }: PersonMonth): OfferedMonth {
  const is_whole = offer !== null && (offer.is_whole_month || left_in_month)
  const has_value = offer?.kind === 'ichra' || offer?.has_minimum_value === true
  return {
    status,
    is_offered: is_whole && offer.children,
    is_protected: is_enrolled || (is_whole && has_value && offer.safe_harbor !== null),
  }
}

/** The statuses from the one that counts most, for a person with several employments under one EIN. */
const by_weight = ['full_time', 'limited_non_assessment', 'part_time', 'not_employed'] as const

/**
 * The people of an ALE member from the forms of their employments: employments of one person under one EIN count
 * together, and an offer of any of them counts.
 */
export function peopleOf(forms: readonly DerivedForm[]): (TransmittedPerson & { months: OfferedMonth[] })[] {
  const by_person = Map.groupBy(forms, ({ facts }) => facts.person.person_id)
  return [...by_person.values()].map((those) => ({
    is_due: those.some(({ form }) => form.need !== 'not_full_time'),
    has_qualifying_offer: those.some(({ year, form }) => hasQualifyingOffer(year, form)),
    months: Array.from({ length: 12 }, (_, at) => {
      const months = those.map(({ year }) => offeredMonthOf(year.months[at]!))
      return {
        status: by_weight.find((status) => months.some((month) => month.status === status))!,
        is_offered: months.some(({ is_offered }) => is_offered),
        is_protected: months.some(({ is_protected }) => is_protected),
      }
    }),
  }))
}

/** The offer test of each month of a year, with the exposure. */
export type OfferTestYear = {
  tests: OfferTest[]
  transmittal: Transmittal
  /** Null if the assessable payments of the year are unknown. */
  exposure: { months: Exposure[]; in_cents: number } | null
}

const testsOf = (people: readonly { months: OfferedMonth[] }[]): OfferTest[] =>
  Array.from({ length: 12 }, (_, at) => testOffers(people.map(({ months }) => months[at]!)))

/** The offer test of an ALE member. `others` are the forms of the other members of its aggregated ALE group, by EIN. */
export function offerTestOf(
  forms: readonly DerivedForm[],
  others: readonly (readonly DerivedForm[])[],
  tax_year: number,
  figures: readonly YearFigures[],
): OfferTestYear {
  const people = peopleOf(forms)
  const tests = testsOf(people)
  const of_others = others.map((those) => testsOf(peopleOf(those)))
  const groupCount = (at: number) =>
    of_others.reduce((sum, those) => sum + those[at]!.full_time_count, tests[at]!.full_time_count)
  const payments = figuresOf(tax_year, figures).assessable_payments
  const months = payments && tests.map((test, at) => exposureOf(test, payments, groupCount(at)))
  return {
    tests,
    transmittal: transmittalOf(people, tests),
    exposure: months && { months, in_cents: exposureInCents(months) },
  }
}
