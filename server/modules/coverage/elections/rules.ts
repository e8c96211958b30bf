import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { ContributionStrategy } from '../plan-years/schemas.ts'
import type { Cost } from '../plan-years/rules.ts'
import type { CoverageTier, ProductCode } from '../../directory/catalog/schemas.ts'
import type { CallerKind } from '../../../runtime/caller.ts'
import { changesAllowedBy, type ApprovedEvent, type LifeEventKind } from '../enrollments/life-event-rules.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import type { EnrollmentCorrection } from './schemas.ts'

export const refusals = declareRefusals({
  employee_is_not_employed: [
    409,
    'This employment has ended: there is nothing to choose in it.',
    'Use the present employment of the person, if there is one.',
  ],
  enrollment_window_closed: [
    409,
    'No window is open in which to choose: wait for open enrollment, or report a qualifying life event.',
    'Wait for open enrollment, or report a life event: once it is approved, its window is open.',
  ],
  enrollment_is_inactive: [
    409,
    'The enrollment is inactive for good.',
    'List the enrollments of the employee: there may be a newer one.',
  ],
  coverage_has_started: [
    409,
    'Coverage has begun: it can be changed, and can not be waived any more.',
    'End it after a life event, instead of waiving it.',
  ],
  change_not_consistent: [
    409,
    'The life event does not allow this change.',
    'Make a change that the event allows (see Life events in the guide), or wait for open enrollment.',
  ],
  coverage_ends_first: [
    409,
    'The election could only begin after coverage, eligibility or the plan year has ended.',
    'There is nothing left to cover: look at the next plan year.',
  ],
  plan_not_offered: [
    422,
    'The plan year does not offer this plan and tier with this benefit.',
    'Take a plan and a tier from the `plans` of the enrollment.',
  ],
  individual_plan_does_not_fit: [
    422,
    'ICHRA_REIMBURSEMENT_ONLY needs the plan that the employee bought, and where; no other benefit takes one.',
    'Send `individual_plan` and `bought_on_exchange` for `ICHRA_REIMBURSEMENT_ONLY`, and for nothing else.',
  ],
  dependents_do_not_fit_tier: [
    422,
    'ES covers one spouse, EC one child or more, EF one spouse and one child or more, EE nobody else.',
    'Choose the tier that the dependents make, or name others.',
  ],
  dependent_not_coverable: [
    422,
    'This is no dependent of the employee who could be covered then.',
    'Name dependents of the employee whose `covered_until` is not before that day.',
  ],
})

/** How many days before coverage of a dependent ends it is told. */
export const days_of_notice = 60

/** Days in which an election may be made, first to last. */
type Window = { start: Day; end: Day }

/** A qualifying life event that the operator has approved. */
export type LifeEventWindow = Window & { id?: string; type: LifeEventKind; occurred_on: Day; exception?: boolean }

export type DependentFacts = {
  id: string
  relationship: 'spouse' | 'domestic_partner' | 'child'
  date_of_birth: Day
  ended_on: Day | null
  /** the last day on which they can be covered; null: no end is known */
  covered_until: Day | null
}

/** The day from which an election holds; the first one holds from the start of coverage, wherever that is. */
export type EffectiveOn = Day | '-infinity'

/** What is elected, and who is covered with the employee. */
export type Choice = { plan_id: string; coverage_tier: CoverageTier; dependent_ids: string[] }

/** What is elected at its monthly cost. */
type Costed = Choice & {
  premium_in_cents?: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
  individual_plan_name?: string | null
  bought_on_exchange?: boolean | null
}

/** What an election cost as it was elected, and by which amendment of the plan year. */
export type ElectedPrice = {
  amendment_id: string | null
  tier_id: string | null
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
  domestic_partner_share_in_cents: number
}

export type ElectionFacts = Costed & {
  effective_on: EffectiveOn
  tier_id?: string | null
  domestic_partner_share_in_cents?: number
  /** the amendment of the plan year by which it is priced; null: as that was opened */
  amendment_id?: string | null
  /** what it cost as it was elected, where it was priced anew since */
  as_elected?: ElectedPrice | null
  /** nobody made it: it follows from dependents who left, or from a price that is amended */
  follows?: boolean
  /** whom it would cover, had their coverage not ended before its first day */
  left_dependent_ids?: string[]
}

/** What an employer contributes to a benefit from a day on, until the next. */
export type Contribution = { effective_on: EffectiveOn; contribution_strategy: ContributionStrategy }

/** What is known of an enrollment when it is answered. */
export type EnrollmentFacts = {
  id: string
  organization_id: string
  employee_id: string
  answer: 'enrolled' | 'waived' | null
  /** who gave it; absent: nobody is known */
  elected_by?: ElectedBy | null
  /** the employee's last day; absent and null: none is known */
  last_day?: Day | null
  granted_on: Day
  window_ends_on: Day
  coverage_start: Day
  coverage_end: Day | null
  inactive_on: Day | null
  terminated_at: string | null
  /** the last day of coverage that was ended on request; absent and null: it was not */
  ended_on?: Day | null
  open_enrollment_start: Day | null
  open_enrollment_end: Day | null
  plan_year_start: Day
  plan_year_end: Day
  product_code: ProductCode
  /** what the employer contributes from which day on, the first one from the start */
  contributions: Contribution[]
  /** the history of elections, the first one first; empty unless enrolled */
  elections: ElectionFacts[]
  life_events: LifeEventWindow[]
  dependents: DependentFacts[]
  /** from which day on which class; none: Full Time */
  classes: { effective_on: Day; employee_class: string }[]
  date_of_birth: Day
  state: string | null
}

const electors: Partial<Record<CallerKind, ElectedBy>> = {
  employee_token: 'employee',
  api_key: 'partner',
  access_token: 'partner',
  operator: 'operator',
}

/** Why nothing can be chosen at an employment any more: its last day is past. */
export const whyNotEmployed = ({ terminated_on }: { terminated_on: Day | null }, today: Day): RefusalKind | undefined =>
  terminated_on !== null && terminated_on < today ? refusals.employee_is_not_employed : undefined

/** Why an employee can't answer by a token of their own: who has left reads, and leaves the rest to their partner. */
export const whyNotBySelf = (
  { last_day = null }: Pick<EnrollmentFacts, 'last_day'>,
  { caller, today }: { caller: { kind: CallerKind }; today: Day },
): RefusalKind | undefined =>
  caller.kind === 'employee_token' ? whyNotEmployed({ terminated_on: last_day }, today) : undefined

/** Whose answer it is that a caller gives; null for the service itself, which speaks for somebody it does not name. */
export const electorOf = (kind: CallerKind): ElectedBy | null => electors[kind] ?? null

/** Whether an answer was given by nobody, but carried: over into a plan year, or back by a return. */
export const isCarried = ({ elected_by }: Pick<EnrollmentFacts, 'elected_by'>): boolean =>
  elected_by === 'renewal' || elected_by === 'return'

/** Whether somebody has enrolled themselves, or was enrolled by who may: what is carried is no answer of theirs. */
export const hasEnrolled = (enrollment: EnrollmentFacts): boolean =>
  enrollment.answer === 'enrolled' && !isCarried(enrollment)

export const isInactive = (enrollment: Pick<EnrollmentFacts, 'inactive_on'>, today: Day): boolean =>
  enrollment.inactive_on !== null && enrollment.inactive_on <= today

const holds = (window: Window, day: Day) => window.start <= day && day <= window.end

/**
 * Whether the window of the grant or the plan year's open enrollment is open: coverage then begins as it was granted.
 */
export function isRegular(enrollment: EnrollmentFacts, today: Day): boolean {
  const { granted_on, window_ends_on, open_enrollment_start, open_enrollment_end } = enrollment
  const year = open_enrollment_start &&
    open_enrollment_end && { start: open_enrollment_start, end: open_enrollment_end }
  return holds({ start: granted_on, end: window_ends_on }, today) || (!!year && holds(year, today))
}

/** The life events whose windows are open. */
export const openLifeEvents = (enrollment: EnrollmentFacts, today: Day): LifeEventWindow[] =>
  enrollment.life_events.filter((event) => holds(event, today))

/** What the life events whose windows are open allow. */
export const openEvents = (enrollment: EnrollmentFacts, today: Day): ApprovedEvent[] =>
  openLifeEvents(enrollment, today).map(({ type, exception = false }) => ({ type, exception }))

/** The events after which people are covered from the day of the event, if they are elected soon. */
const arriving: LifeEventKind[] = ['birth', 'adoption', 'placement']

/** For how many days after an arrival an election covers people from its day (29 CFR 2590.701-6(b)(3)). */
const days_of_arrival = 30

/** The days of arrivals from which people who are added today are covered, in order. */
export const arrivalsOf = (enrollment: EnrollmentFacts, today: Day): Day[] =>
  openLifeEvents(enrollment, today)
    .filter(({ type, occurred_on }) => arriving.includes(type) && today <= addDays(occurred_on, days_of_arrival))
    .map(({ occurred_on }) => (occurred_on > enrollment.coverage_start ? occurred_on : enrollment.coverage_start))
    .sort()

/** Whether coverage that ended with its plan year still lets somebody join who arrived before that. */
const joinsAfterYear = (enrollment: EnrollmentFacts, today: Day): boolean =>
  enrollment.answer === 'enrolled' &&
  (enrollment.coverage_end ?? enrollment.plan_year_end) === enrollment.plan_year_end &&
  arrivalsOf(enrollment, today).some((on) => on <= enrollment.plan_year_end)

/** Why an enrollment can't be answered today. */
export function whyNotAnswer(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  if (isInactive(enrollment, today) && !joinsAfterYear(enrollment, today)) return refusals.enrollment_is_inactive
  const open = isRegular(enrollment, today) || openLifeEvents(enrollment, today).length > 0
  return open ? undefined : refusals.enrollment_window_closed
}

/**
 * Why coverage can't be waived today: once it has begun it can only end. Who was carried over, and still has the window
 * of the grant or open enrollment, may waive all the same.
 */
export function whyNotWaive(enrollment: EnrollmentFacts, today: Day): RefusalKind | undefined {
  const has_begun = enrollment.answer === 'enrolled' && enrollment.coverage_start <= today
  const may_waive = !has_begun || (!hasEnrolled(enrollment) && isRegular(enrollment, today))
  const why = whyNotAnswer(enrollment, today) ?? (may_waive ? undefined : refusals.coverage_has_started)
  if (why || enrollment.answer !== 'enrolled' || isRegular(enrollment, today)) return why
  return changesAllowedBy(openEvents(enrollment, today)).waive ? undefined : refusals.change_not_consistent
}

/** Why an election can't hold from a day: coverage ends before, or could not begin any more. */
export function whyNotFrom(enrollment: EnrollmentFacts, day: Day): RefusalKind | undefined {
  const { answer, coverage_end, inactive_on, plan_year_end } = enrollment
  const begins_late = answer !== 'enrolled' && inactive_on !== null && day >= inactive_on
  return begins_late || day > (coverage_end ?? plan_year_end) ? refusals.coverage_ends_first : undefined
}

/** Whether two choices are of the same plan and tier and cover the same people. */
export const isSame = (one: Choice, other: Choice): boolean =>
  one.plan_id === other.plan_id &&
  one.coverage_tier === other.coverage_tier &&
  [...one.dependent_ids].sort().join() === [...other.dependent_ids].sort().join()

/** Whether an election says anything that the one before it does not: a choice, or what it costs. */
export const isNews = (election: Costed, former: Costed | undefined): boolean =>
  !former ||
  !isSame(election, former) ||
  election.premium_in_cents !== former.premium_in_cents ||
  election.employer_contribution_in_cents !== former.employer_contribution_in_cents ||
  election.employee_deduction_in_cents !== former.employee_deduction_in_cents ||
  (election.individual_plan_name ?? null) !== (former.individual_plan_name ?? null) ||
  (election.bought_on_exchange ?? null) !== (former.bought_on_exchange ?? null)

const fitting: Record<CoverageTier, DependentFacts['relationship'][]> = {
  EE: [],
  ES: ['spouse', 'domestic_partner'],
  EC: ['child'],
  EF: ['spouse', 'domestic_partner', 'child'],
}

const isSpouse = ({ relationship }: DependentFacts): boolean => relationship !== 'child'

/** The tier that fits an employee with these people; a domestic partner counts like a spouse. */
export function tierOf(people: DependentFacts[]): CoverageTier {
  const spouse = people.some(isSpouse)
  const children = people.some(({ relationship }) => relationship === 'child')
  return spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
}

/** A choice, from a day on. */
export type Step = Choice & { day: Day }

/** A step without its domestic partner; undefined when it covers none. */
export function withoutPartner(dependents: DependentFacts[], step: Step): Step | undefined {
  const people = dependents.filter(({ id }) => step.dependent_ids.includes(id))
  const others = people.filter(({ relationship }) => relationship !== 'domestic_partner')
  if (others.length === people.length) return undefined
  return { ...step, coverage_tier: tierOf(others), dependent_ids: others.map(({ id }) => id) }
}

/** What a domestic partner adds to a deduction; all of it where the others alone could not be covered. */
export const partnersShare = (cost: Cost, without: Cost | null | undefined): number =>
  Math.max(0, cost.employee_deduction_in_cents - (without?.employee_deduction_in_cents ?? 0))

/**
 * Who is covered by an election from a day, or from a birth by `born_by`: those named, or else everybody who fits the
 * tier. Refuses people who can't be covered then, and a company that does not fit the tier.
 */
export function whoIsCovered(
  dependents: DependentFacts[],
  tier: CoverageTier,
  named: string[] | undefined,
  day: Day,
  born_by = day,
): DependentFacts[] | Refusal | RefusalKind {
  const coverable = dependents.filter(
    (one) => one.ended_on === null && one.date_of_birth <= born_by && (one.covered_until ?? day) >= day,
  )
  const stranger = named?.findIndex((id) => !coverable.some((one) => one.id === id)) ?? -1
  if (stranger >= 0) {
    const detail = { field: `dependent_ids[${stranger}]`, message: 'is no dependent who could be covered then' }
    return new Refusal(refusals.dependent_not_coverable, [detail])
  }
  const covered = named
    ? coverable.filter(({ id }) => named.includes(id))
    : coverable.filter(({ relationship }) => fitting[tier].includes(relationship))
  const spouses = covered.filter(isSpouse).length
  return spouses <= 1 && tierOf(covered) === tier ? covered : refusals.dependents_do_not_fit_tier
}

const invalid = (field: string, message: string) => new Refusal(generic.invalid_request, [{ field, message }])

/** Why the operator can't set an enrollment right like this. Nothing leaves inactive. */
export function whyNotCorrect(
  enrollment: EnrollmentFacts,
  correction: EnrollmentCorrection,
  today: Day,
): Refusal | RefusalKind | undefined {
  const { election, waive, coverage_start, coverage_end } = correction
  if (election && waive) return invalid('waive', 'must not be sent together with an election')
  if (!election && !waive && coverage_start === undefined && coverage_end === undefined)
    return invalid('', 'nothing is set right: send election, waive, coverage_start or coverage_end')
  if (isInactive(enrollment, today) && !concernsPastDays(correction, today)) return refusals.enrollment_is_inactive
  if (coverage_end !== undefined && (waive || (enrollment.answer !== 'enrolled' && !election)))
    return invalid('coverage_end', 'only coverage that was elected can end')
  return whyNotDays(enrollment, correction)
}

const concernsPastDays = ({ election, waive, coverage_start, coverage_end }: EnrollmentCorrection, today: Day) =>
  !election && !waive && coverage_start !== null && coverage_end !== null && (coverage_end ?? '') < today

function whyNotDays(enrollment: EnrollmentFacts, said: EnrollmentCorrection): Refusal | undefined {
  const start = said.coverage_start ?? enrollment.coverage_start
  const end = said.coverage_end === undefined ? enrollment.coverage_end : said.coverage_end
  if (start < enrollment.plan_year_start || start > enrollment.plan_year_end)
    return invalid('coverage_start', 'must be a day of the plan year')
  if (end !== null && end < addDays(start, -1))
    return invalid('coverage_end', 'must not be before the day before coverage_start')
  return end !== null && end > enrollment.plan_year_end
    ? invalid('coverage_end', 'must not be after the plan year')
    : undefined
}
