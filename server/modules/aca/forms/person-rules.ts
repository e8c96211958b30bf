import { addDays, type Day } from '../../../kernel/days.ts'
import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import type { YearlyWages } from '../affordability/rules.ts'
import { full_time_month, hoursIn, isReported } from '../measurement/hour-rules.ts'
import type { MonthStatus } from '../offers/rules.ts'
import type { MonthOffer, PersonMonth } from './code-rules.ts'
import { employmentYearOf } from './employment-rules.ts'
import {
  coveredDays,
  isEmployedAtEnd,
  isEmployedIn,
  isFullTimeByClass,
  isWhole,
  isWithoutAssessment,
  monthsOf,
  offeredDays,
  type DayRange,
  type FormEnrollment,
  type FormFacts,
  type FormPerson,
} from './fact-rules.ts'
import type { CoveredPerson, PersonYear } from './rules.ts'

/** The hours of service at an ALE member in a month, and the first day of employment there. */
type MemberMonth = { ein_employer_id: string; is_own: boolean; hundredths: number; since: Day }

/**
 * The hours of an employment in a month. A full-time class counts as 130 hours if no hours are reported: many employers
 * report no hours of salaried employees.
 */
function hundredthsIn(employment: FormFacts, month: DayRange): number {
  const span = { starts_on: month.first, ends_on: month.last }
  if (isReported(employment.group_hours, span)) return hoursIn(employment.group_hours, span)
  return isFullTimeByClass(employment, month) ? full_time_month : 0
}

/** The hours of the employments under one EIN in a month. */
function memberMonthOf(employments: readonly FormFacts[], month: DayRange): MemberMonth {
  const { ein_employer_id, is_own } = employments[0]!
  return {
    ein_employer_id,
    is_own,
    hundredths: employments.reduce((sum, one) => sum + hundredthsIn(one, month), 0),
    since: employments.map(({ hired_on }) => hired_on ?? '').sort()[0]!,
  }
}

const byHours = (a: MemberMonth, b: MemberMonth): number => {
  if (a.hundredths !== b.hundredths) return b.hundredths - a.hundredths
  return [a.since, a.ein_employer_id] < [b.since, b.ein_employer_id] ? -1 : 1
}

/**
 * Whether another ALE member of the group is the employer in a month: the one with the most hours of service of the
 * person (54.4980H-4(d) and 54.4980H-5(d)). Only that member reports the person for the month (Instructions for Forms
 * 1094-C and 1095-C). With equal hours, the group may choose: the member with the longest employment is the employer.
 */
function isEmployedElsewhere(employments: readonly FormFacts[], month: DayRange): boolean {
  const employed = employments.filter((one) => isEmployedIn(one, month))
  const members = [...Map.groupBy(employed, ({ ein_employer_id }) => ein_employer_id).values()]
  const [employer] = members.map((one) => memberMonthOf(one, month)).toSorted(byHours)
  return employer !== undefined && !employer.is_own
}

/** The statuses in order of precedence, for a person with several employments under one EIN. */
const by_weight: readonly MonthStatus[] = ['full_time', 'limited_non_assessment', 'part_time', 'not_employed']

const decisiveStatus = (statuses: MonthStatus[]): MonthStatus => by_weight.find((status) => statuses.includes(status))!

/** How well an offer protects the employer: for whole months, then by minimum value, children and affordability. */
function rankOf(offer: MonthOffer): number {
  const has_value = offer.kind === 'ichra' || offer.has_minimum_value
  return (
    1 +
    (offer.is_whole_month ? 8 : 0) +
    (has_value ? 4 : 0) +
    (offer.children ? 2 : 0) +
    (offer.safe_harbor === null ? 0 : 1)
  )
}

/** Whether the days of the enrollments of several employments contain each day of a month together. */
const isWholeTogether = (
  employments: readonly FormFacts[],
  daysOf: (enrollment: FormEnrollment) => DayRange | undefined,
  month: DayRange,
): boolean =>
  isWhole(
    employments
      .flatMap(({ enrollments }) => enrollments.map(daysOf))
      .filter((days) => days !== undefined)
      .toSorted((a, b) => (a.first < b.first ? -1 : 1)),
    month,
  )

/**
 * The offer of a month: the best one, or several that continue each other, such as after a transfer within the group.
 * Of these, the weakest one counts. Null without an offer.
 */
function offerOf(months: readonly PersonMonth[], employments: readonly FormFacts[], range: DayRange) {
  const offers = months.flatMap(({ offer }) => offer ?? []).toSorted((a, b) => rankOf(b) - rankOf(a))
  const [best = null] = offers
  if (best === null || best.is_whole_month || !isWholeTogether(employments, offeredDays, range)) return best
  return { ...offers.at(-1)!, is_whole_month: true }
}

/**
 * A month of a person with several employments in a group. The best offer of any of them counts, because an offer by
 * one ALE member is treated as an offer by all (54.4980H-4(b)(2)). The end of one employment counts as the end only if
 * no other employment continues on the next day. A return later in the month changes nothing, because the offer would
 * have continued without the end (54.4980H-4(c), code 2B).
 */
function joinMonths(months: PersonMonth[], employments: readonly FormFacts[], range: DayRange): PersonMonth {
  const own = months.filter((_, at) => employments[at]!.is_own)
  const is_elsewhere = isEmployedElsewhere(employments, range)
  const offer = offerOf(months, employments, range)
  const isEmployedOn = (day: Day) => employments.some((one) => isEmployedAtEnd(one, { first: day, last: day }))
  return {
    status: is_elsewhere ? 'not_employed' : decisiveStatus(own.map(({ status }) => status)),
    is_elsewhere,
    offer,
    is_enrolled: months.some(({ is_enrolled }) => is_enrolled) || isWholeTogether(employments, coveredDays, range),
    left_in_month:
      offer?.is_whole_month === false &&
      months.some(
        ({ left_in_month }, at) => left_in_month && !isEmployedOn(addDays(employments[at]!.terminated_on!, 1)),
      ),
    has_multiemployer_relief: own.some((month) => month.has_multiemployer_relief),
  }
}

/** The people in self-insured coverage of several employments: a month with coverage at any of them counts. */
const joinPeople = (years: PersonYear<FormPerson>[]): CoveredPerson<FormPerson>[] =>
  years[0]!.self_insured.map((person) => ({
    ...person,
    months: person.months.map((_, at) =>
      years.some(({ self_insured }) =>
        self_insured.some(({ person_id, months }) => person_id === person.person_id && months[at] === true),
      ),
    ),
  }))

/** The wages of Form W-2 and the contributions of a year. Null if the wages or a cost are unknown. */
function yearlyWagesOf(
  employments: readonly FormFacts[],
  months: readonly PersonMonth[],
): (YearlyWages & { contributions_in_cents: number }) | null {
  const wages = employments.flatMap(({ w2_wages_in_cents }) => w2_wages_in_cents ?? [])
  const offered = months.flatMap(({ offer }) => (offer?.is_whole_month === true ? [offer.cost_in_cents] : []))
  if (wages.length === 0 || offered.length === 0 || offered.includes(null)) return null
  return {
    wages_in_cents: wages.reduce((sum, amount) => sum + amount, 0),
    months_employed: months.filter(({ status }) => status !== 'not_employed').length,
    months_offered: offered.length,
    contributions_in_cents: offered.reduce<number>((sum, cost) => sum + cost!, 0),
  }
}

/**
 * The safe harbor of Form W-2 applies to all months with an offer or to none (Instructions for Forms 1094-C and 1095-C,
 * code 2F).
 */
function withOneSafeHarbor(months: PersonMonth[]): PersonMonth[] {
  if (!months.some(({ offer }) => offer?.safe_harbor === 'form_w2_wages')) return months
  return months.map((month) =>
    month.offer?.is_whole_month === true
      ? { ...month, offer: { ...month.offer, safe_harbor: 'form_w2_wages' } }
      : month,
  )
}

/**
 * The status of a month by measured hours. `needs_offer`: the limited non-assessment period applies only if coverage is
 * offered after the first three full months (54.4980H-1(a)(26)(i) and (ii)). `lacks_hours`: the month is part-time only
 * because no hours are reported.
 */
export type MeasuredMonth = { status: MonthStatus; needs_offer: boolean; lacks_hours: boolean }

/** The status of each month by measured hours, for the employments of a person. Null without a measurement policy. */
export function joinMeasured(lists: readonly (readonly MeasuredMonth[])[]): MeasuredMonth[] | null {
  if (lists.length === 0) return null
  return lists[0]!.map((_, at) => {
    const months = lists.map((list) => list[at]!)
    const status = decisiveStatus(months.map((month) => month.status))
    return months.find((month) => month.status === status)!
  })
}

/**
 * The facts of the twelve months of a tax year of a person under one EIN, from all employments in its aggregated ALE
 * group: one employee gets one form of an ALE member. `measured`: the status of each month by measured hours. Null
 * without a measurement policy.
 */
export function personYearOf(
  employments: readonly FormFacts[],
  tax_year: number,
  figures: readonly YearFigures[],
  measured: readonly MeasuredMonth[] | null = null,
): PersonYear<FormPerson> {
  const ranges = monthsOf(tax_year)
  const statusOf = ({ status, needs_offer }: MeasuredMonth, at: number): MonthStatus =>
    needs_offer && !employments.some((facts) => isWithoutAssessment(facts, ranges[at]!)) ? 'full_time' : status
  const yearWith = (wages: ReturnType<typeof yearlyWagesOf>) => {
    const years = employments.map((facts) => employmentYearOf(facts, tax_year, figures, wages))
    const months = years[0]!.months.map((_, at) => {
      const of_each = years.map(({ months }) => months[at]!)
      const joined = joinMonths(of_each, employments, ranges[at]!)
      return measured && !joined.is_elsewhere ? { ...joined, status: statusOf(measured[at]!, at) } : joined
    })
    const own_years = years.filter((_, at) => employments[at]!.is_own)
    return {
      months,
      self_insured: joinPeople(own_years),
      has_ichra: own_years.some(({ has_ichra }) => has_ichra),
    }
  }
  const year = yearWith(null)
  const own = employments.filter(({ is_own }) => is_own)
  const wages = yearlyWagesOf(own, year.months)
  if (wages === null) return year
  const by_wages = yearWith(wages)
  return { ...by_wages, months: withOneSafeHarbor(by_wages.months) }
}
