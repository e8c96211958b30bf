import { addDays } from '../../../kernel/days.ts'
import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import type { SafeHarborFacts } from '../affordability/rules.ts'
import type { PersonMonth } from './code-rules.ts'
import {
  coveredDays,
  isEmployedAtEnd,
  isWhole,
  monthsOf,
  offeredDays,
  offerIn,
  overlaps,
  statusByClass,
  type DayRange,
  type FormElection,
  type FormEnrollment,
  type FormFacts,
  type FormPerson,
} from './fact-rules.ts'
import type { CoveredPerson, PersonYear } from './rules.ts'

/**
 * Whether the employment ended before the last day of a month, and an offer from its first day on ended only for that
 * reason: the offer applied until the last day of employment (54.4980H-4(c); Instructions for Forms 1094-C and 1095-C,
 * code 2B).
 */
function isOfferEndedIn({ terminated_on, enrollments }: FormFacts, month: DayRange): boolean {
  if (terminated_on === null || terminated_on < month.first || terminated_on >= month.last) return false
  return isWhole(enrollments.map(offeredDays), { first: month.first, last: terminated_on })
}

/**
 * The continuation coverage of the months of a year, as enrollments of one month each. They are for the people whom the
 * last election covers.
 */
const continuedEnrollments = ({ continuations }: FormFacts, months: DayRange[]): FormEnrollment[] =>
  continuations.flatMap(({ enrollment, months: continued, is_enrolled, monthly_premium_in_cents: cost_in_cents }) => {
    const election = enrollment.elections.at(-1)
    if (!election) return []
    return continued.map((month) => {
      const { first, last } = months[month - 1]!
      return {
        ...enrollment,
        coverage_start: first,
        coverage_end: last,
        plan_year_end: last,
        answer: is_enrolled ? 'enrolled' : 'waived',
        inactive_on: null,
        ended_by: null,
        coverage_tiers: [election.coverage_tier],
        costs: [{ effective_on: first, until: addDays(last, 1), cost_in_cents }],
        elections: [{ ...election, effective_on: '-infinity' }],
      }
    })
  })

/**
 * The facts with the offers of continuation coverage. Only an offer to an employee counts, such as after a reduction of
 * hours: a former employee is reported without an offer (Instructions for Forms 1094-C and 1095-C, offer of COBRA
 * continuation coverage). The affordability of a continued ICHRA is not known.
 */
const withContinuedOffers = (facts: FormFacts, continued: FormEnrollment[]): FormFacts => ({
  ...facts,
  enrollments: [
    ...facts.enrollments,
    ...continued.filter(
      ({ kind, coverage_start: first, plan_year_end: last }) =>
        kind === 'group_plan' && isEmployedAtEnd(facts, { first, last }),
    ),
  ].toSorted((a, b) => (a.coverage_start < b.coverage_start ? -1 : 1)),
})

/** The elections of self-insured plans of an enrollment that apply on a day of a period. */
function selfInsuredIn(enrollment: FormEnrollment, month: DayRange): FormElection[] {
  if (!overlaps(coveredDays(enrollment), month)) return []
  return enrollment.elections.filter(({ effective_on, self_insured }, at) => {
    const next = enrollment.elections[at + 1]?.effective_on
    const applies = (effective_on === '-infinity' || effective_on <= month.last) && (!next || next > month.first)
    return self_insured && applies
  })
}

/** The people whom self-insured coverage covers, with their months, the employee first. */
function coveredPeople(
  { person, family }: FormFacts,
  enrollments: FormEnrollment[],
  months: DayRange[],
): CoveredPerson<FormPerson>[] {
  const elected = months.map((month) => enrollments.flatMap((enrollment) => selfInsuredIn(enrollment, month)))
  const covers = ({ dependents }: FormElection, id: string, { first, last }: DayRange) =>
    dependents.some((each) => each.id === id && (each.covered_until ?? last) >= first)
  return [
    { ...person, months: elected.map((elections) => elections.length > 0) },
    ...family.map((one) => ({
      ...one,
      months: months.map((month, at) => elected[at]!.some((election) => covers(election, one.person_id, month))),
    })),
  ]
}

/**
 * Line 8 of Form 1095-B, the origin of the coverage: G for an ICHRA, and B for other employer-sponsored coverage
 * (Instructions for Forms 1094-B and 1095-B). A person with both in a year gets one form with B.
 */
export function originOf(facts: FormFacts, tax_year: number): 'B' | 'G' {
  const year = { first: `${tax_year}-01-01`, last: `${tax_year}-12-31` }
  const covering = [...facts.enrollments, ...continuedEnrollments(facts, monthsOf(tax_year))].filter(
    (one) => selfInsuredIn(one, year).length > 0,
  )
  return covering.length > 0 && covering.every(({ kind }) => kind === 'ichra') ? 'G' : 'B'
}

/**
 * The facts of the twelve months of a tax year for one employment, and the people in self-insured coverage.
 * `yearly_wages`: of the person, for the safe harbor of Form W-2.
 */
export function employmentYearOf(
  recorded: FormFacts,
  tax_year: number,
  figures: readonly YearFigures[],
  yearly_wages: SafeHarborFacts['yearly_wages'],
): PersonYear<FormPerson> {
  const months = monthsOf(tax_year)
  const continued = continuedEnrollments(recorded, months)
  const facts = withContinuedOffers(recorded, continued)
  return {
    months: months.map((month, at): PersonMonth => {
      const offer = offerIn(facts, month, figures, yearly_wages)
      return {
        status: statusByClass(recorded, month),
        is_elsewhere: false,
        offer,
        is_enrolled: isWhole(facts.enrollments.map(coveredDays), month),
        left_in_month: offer?.is_whole_month === false && isOfferEndedIn(facts, month),
        has_multiemployer_relief: facts.multiemployer_months.includes(at + 1),
      }
    }),
    self_insured: coveredPeople(facts, [...recorded.enrollments, ...continued], months),
    has_ichra: [...recorded.enrollments, ...continued].some(
      (one) => one.kind === 'ichra' && months.some((month) => overlaps(offeredDays(one), month)),
    ),
  }
}
