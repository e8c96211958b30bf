import { addDays, daysBetween, firstOnOrAfter, monthEnd, monthsAfter, type Day } from '../../../kernel/days.ts'
import { ichraCostFor, type PersonalAffordability } from '../../coverage/plan-years/contribution-rules.ts'
import { figuresOf, povertyLine, yearOf, type YearFigures } from '../../directory/ichra/figure-rules.ts'
import { isWithinPovertyLine } from '../../directory/ichra/rules.ts'
import { costLimits, safeHarborOf, type RateOfPay, type SafeHarborFacts } from '../affordability/rules.ts'
import type { ServiceHours } from '../measurement/hour-rules.ts'
import type { MonthStatus } from '../offers/rules.ts'
import type { MonthOffer } from './code-rules.ts'
import type { FormType } from './rules.ts'

/** An identity on a form. */
export type FormPerson = {
  person_id: string
  first_name: string
  last_name: string
  suffix: string | null
  date_of_birth: Day
  tax_identifier_last_four: string | null
}

/** The cost for the employee alone of a plan, from a day until before another. */
type PlanCost = { effective_on: Day; until: Day; cost_in_cents: number }

/** An election, from a day until the next one. The first has `-infinity`. */
export type FormElection = {
  effective_on: string
  coverage_tier: string
  self_insured: boolean
  dependents: { id: string; covered_until: Day | null }[]
}

/** An enrollment in minimum essential coverage. */
export type FormEnrollment = {
  kind: MonthOffer['kind']
  /** Whether a plan of the offer provides minimum value. */
  has_minimum_value: boolean
  plan_year_start: Day
  plan_year_end: Day
  coverage_start: Day
  coverage_end: Day | null
  answer: 'enrolled' | 'waived' | null
  inactive_on: Day | null
  ended_by: string | null
  /** The state of employment on the first day of the offer: the worksite, or else the home or the employer. */
  employment_state: string | null
  coverage_tiers: string[]
  costs: PlanCost[]
  elections: FormElection[]
  /** For an ICHRA: the facts from each day with another home. The first applies from the first day of coverage. */
  affordability: { effective_on: Day; facts: PersonalAffordability }[] | null
}

/** A period of COBRA: its months, from 1 to 12, and the premium for the employee alone. */
export type ContinuationPeriod = { months: number[]; is_enrolled: boolean; monthly_premium_in_cents: number }

type HomeAddress = {
  address_line_1: string
  address_line_2: string | null
  city: string
  state: string
  zipcode: string
}

/** The facts about an employment and a tax year. Lists with `effective_on` are ordered by it. */
export type FormFacts = {
  /** The form of the EIN in the tax year. */
  form_type: FormType
  employee_id: string
  /** The employer with the EIN of the employment. */
  ein_employer_id: string
  /** Whether the EIN is that of the form. Of other employments in the group, only the offers and the hours count. */
  is_own: boolean
  /** The hours in the tax year. Empty unless the person works under several EINs of the group. */
  group_hours: ServiceHours[]
  person: FormPerson
  family: FormPerson[]
  hired_on: Day | null
  terminated_on: Day | null
  /** The employments of the person in the group that ended before this one began. */
  earlier_employments: { hired_on: Day | null; terminated_on: Day }[]
  address: HomeAddress | null
  classes: { effective_on: Day; employee_class: string }[]
  compensations: { effective_on: Day; compensation_type: 'Salary' | 'Hourly' }[]
  wages: { effective_on: Day; monthly_wage_in_cents: number }[]
  enrollments: FormEnrollment[]
  continuation_coverage: ContinuationPeriod[]
  /** The periods of COBRA continuation coverage that continue an enrollment. */
  continuations: (ContinuationPeriod & { enrollment: FormEnrollment })[]
  /** Whether the employer measures hours of service. */
  is_measured: boolean
  /** The wages in box 1 of Form W-2. Null if unknown. */
  w2_wages_in_cents: number | null
  /** The months with contributions to a multiemployer plan that offers affordable coverage, from 1 to 12. */
  multiemployer_months: number[]
  /** The offer to a spouse depends on a condition, such as no other coverage. */
  has_conditional_spouse_offer: boolean
}

/** The first and the last day of a month. */
export type DayRange = { first: Day; last: Day }

export const monthsOf = (year: number): DayRange[] =>
  Array.from({ length: 12 }, (_, at) => {
    const first = `${year}-${String(at + 1).padStart(2, '0')}-01`
    return { first, last: monthEnd(first) }
  })

/** The last entry that applies on a day. Undefined if all begin later. */
const entryOn = <Entry extends { effective_on: Day }>(entries: readonly Entry[], day: Day): Entry | undefined =>
  entries.findLast(({ effective_on }) => effective_on <= day)

/** The days on which an enrollment is an offer of coverage. Undefined without any. */
export function offeredDays(enrollment: FormEnrollment): DayRange | undefined {
  const { coverage_start: first, plan_year_end, answer, inactive_on, ended_by } = enrollment
  if (ended_by === 'duplicate') return undefined
  // Coverage ends with the month in which eligibility is lost. A waived offer ends then too.
  const waived_until = inactive_on === null ? plan_year_end : monthEnd(addDays(inactive_on, -1))
  const last = answer === 'enrolled' ? (enrollment.coverage_end ?? plan_year_end) : waived_until
  if (answer !== 'enrolled' && inactive_on !== null && inactive_on <= first) return undefined
  return last < first ? undefined : { first, last: last < plan_year_end ? last : plan_year_end }
}

export const overlaps = (span: DayRange | undefined, month: DayRange): boolean =>
  span !== undefined && span.first <= month.last && span.last >= month.first

/** Whether the days of some enrollments, in order of their first day, contain each day of a month together. */
export function isWhole(spans: readonly (DayRange | undefined)[], month: DayRange): boolean {
  let missing = month.first
  for (const span of spans) if (span && span.first <= missing && span.last >= missing) missing = addDays(span.last, 1)
  return missing > month.last
}

/** The days on which an enrollment covers the employee. */
export const coveredDays = (enrollment: FormEnrollment): DayRange | undefined =>
  enrollment.answer === 'enrolled' ? offeredDays(enrollment) : undefined

/** The number of full calendar months after a hire without an offer (54.4980H-3(c)(2) and (d)(2)(iii)). */
const months_without_offer = 3

/** The days without service after which a returning employee is a new one: 13 weeks. */
const days_of_break = 13 * 7

/**
 * The first day of continuing service. An employee who returns within 13 weeks is a continuing one, for whom no new
 * limited non-assessment period begins (54.4980H-3(c)(4)(i) and (d)(6)(i)). Null if the start is unknown.
 */
function serviceStart({ hired_on, earlier_employments }: FormFacts): Day | null {
  let start = hired_on
  for (const earlier of earlier_employments.toSorted((a, b) => (a.terminated_on < b.terminated_on ? 1 : -1)))
    if (start !== null && daysBetween(earlier.terminated_on, start) - 1 < days_of_break) start = earlier.hired_on
  return start
}

/**
 * Whether a month of a full-time employee is in a limited non-assessment period: the month of the hire, unless it is a
 * full one (54.4980H-1(a)(26)), and the first three full months if coverage is offered after them at the latest.
 */
export function isWithoutAssessment(facts: FormFacts, month: DayRange): boolean {
  const { terminated_on, enrollments } = facts
  const start = serviceStart(facts)
  if (start === null || month.last < start) return false
  if (month.first < start) return true
  const end = monthsAfter(firstOnOrAfter(start), months_without_offer)
  if (month.first >= end) return false
  if (terminated_on !== null && terminated_on < end) return true
  return enrollments.some((one) => {
    const offered = offeredDays(one)
    return offered !== undefined && offered.first > month.first && offered.first <= end
  })
}

/**
 * The status of an employee in a month by the employee class, for employees whose hours are not measured. Contractors
 * are not employees. A missing class counts as Full Time, as in eligibility.
 */
export function statusByClass(facts: FormFacts, month: DayRange): MonthStatus {
  const { hired_on, terminated_on, classes } = facts
  if ((hired_on ?? '') > month.last || (terminated_on !== null && terminated_on < month.first)) return 'not_employed'
  const employee_class = (entryOn(classes, month.last) ?? classes[0])?.employee_class ?? 'Full Time'
  if (employee_class === 'Individual Contractor') return 'not_employed'
  if (employee_class !== 'Full Time') return 'part_time'
  const is_offered = isWhole(facts.enrollments.map(offeredDays), month)
  return !is_offered && isWithoutAssessment(facts, month) ? 'limited_non_assessment' : 'full_time'
}

/** Whether an employment has a day in a month. Contractors are not employees. */
export const isEmployedIn = (facts: FormFacts, month: DayRange): boolean =>
  statusByClass(facts, month) !== 'not_employed'

/** Whether an employment is full-time in a month by its employee class. */
export const isFullTimeByClass = (facts: FormFacts, month: DayRange): boolean =>
  ['full_time', 'limited_non_assessment'].includes(statusByClass(facts, month))

/** Whether an employment continues on the last day of a month. Contractors are not employees. */
export const isEmployedAtEnd = (facts: FormFacts, month: DayRange): boolean =>
  isEmployedIn(facts, month) && (facts.terminated_on ?? month.last) >= month.last

/** The wages that the rate of pay safe harbor compares in a month. Null if unknown. */
function rateOfPayIn({ wages, compensations }: FormFacts, period_start: Day, month: DayRange): RateOfPay | null {
  const first = entryOn(wages, period_start) ?? wages[0]
  if (!first || first.effective_on > month.last) return null
  const during = wages.filter(({ effective_on }) => effective_on > month.first && effective_on <= month.last)
  const at_start = entryOn(wages, month.first) ?? first
  const lowest = Math.min(...[at_start, ...during].map((wage) => wage.monthly_wage_in_cents))
  const paid_by = entryOn(compensations, month.last)?.compensation_type === 'Salary' ? 'month' : 'hour'
  return { paid_by, first_day: first.monthly_wage_in_cents, lowest }
}

/** The facts about an ICHRA on the first day of a month. A move within the month counts from the next one on. */
const affordabilityIn = ({ affordability }: FormEnrollment, first: Day): PersonalAffordability | undefined =>
  affordability ? (entryOn(affordability, first) ?? affordability[0])?.facts : undefined

/** The lowest cost for the employee alone of some enrollments on the first day of a month. Null if unknown. */
function lowestCost(enrollments: FormEnrollment[], { first, last }: DayRange): number | null {
  const costs = enrollments.flatMap((enrollment) => {
    const ichra = affordabilityIn(enrollment, first)
    if (ichra) return ichraCostFor(ichra) ?? []
    const day = enrollment.coverage_start > first ? enrollment.coverage_start : first
    return enrollment.costs
      .filter(({ effective_on, until }) => effective_on <= (day > last ? last : day) && until > day)
      .map(({ cost_in_cents }) => cost_in_cents)
  })
  return costs.length === 0 ? null : Math.min(...costs)
}

/** The offers of a month that the form reports: plans of minimum value, or else an ICHRA, or else other coverage. */
function reportedOffers(offers: FormEnrollment[]): FormEnrollment[] {
  const of_value = offers.filter(({ kind, has_minimum_value }) => kind === 'group_plan' && has_minimum_value)
  const ichras = offers.filter(({ kind }) => kind === 'ichra')
  return of_value.length > 0 ? of_value : ichras.length > 0 ? ichras : offers
}

/** The offer of coverage of a month. Null without an offer. */
export function offerIn(
  facts: FormFacts,
  month: DayRange,
  figures: readonly YearFigures[],
  yearly_wages: SafeHarborFacts['yearly_wages'],
): MonthOffer | null {
  const all = facts.enrollments.filter((one) => overlaps(offeredDays(one), month))
  const whole = all.filter((one) => isWhole([offeredDays(one)], month))
  const offers = whole.length > 0 ? whole : all
  const best = reportedOffers(offers)
  const areWhole = (some: FormEnrollment[]) => isWhole(some.map(offeredDays), month)
  // Offers of different value can follow each other in a month. The lowest value counts.
  const reported = !areWhole(best) && areWhole(offers) ? offers : best
  const [one] = reported
  if (!one) return null
  // If a plan year ends in the month and the next one follows, the cost is that of the first day.
  const of_year = reported.filter(({ plan_year_start }) => plan_year_start === one.plan_year_start)
  const cost_in_cents = lowestCost(of_year, month)
  const part = figuresOf(yearOf(one.plan_year_start), figures).required_contribution
  // The poverty line of the state in which the employee is employed (54.4980H-5(e)(2)(iv)).
  const line = povertyLine(one.plan_year_start, one.employment_state, figures)
  const mainland = povertyLine(one.plan_year_start, null, figures)
  const is_known = cost_in_cents !== null && part !== null && line !== undefined && mainland !== undefined
  const rate_of_pay = rateOfPayIn(facts, one.plan_year_start, month)
  const harbor_facts = { part: part!, cost_in_cents: cost_in_cents!, poverty_line: line!, rate_of_pay }
  const tiers = new Set(offers.flatMap(({ coverage_tiers }) => coverage_tiers))
  const ichra = affordabilityIn(one, month.first)
  const has = (tier: string) => tiers.has(tier) || tiers.has('EF')
  return {
    kind: one.kind,
    is_whole_month: areWhole(reported),
    has_minimum_value: reported.every(({ has_minimum_value }) => has_minimum_value),
    spouse: !has('ES') ? 'none' : facts.has_conditional_spouse_offer ? 'conditional' : 'offered',
    children: has('EC'),
    cost_in_cents,
    is_within_mainland_poverty_line: is_known && isWithinPovertyLine(cost_in_cents, mainland, part),
    safe_harbor: is_known ? (safeHarborOf({ ...harbor_facts, yearly_wages }) ?? null) : null,
    limits: is_known ? costLimits({ ...harbor_facts, yearly_wages }) : null,
    location: ichra?.location ?? 'residence',
    zipcode: ichra?.zipcode?.slice(0, 5) ?? null,
  }
}
