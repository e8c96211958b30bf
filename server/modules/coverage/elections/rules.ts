import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { ContributionStrategy } from '../plan-years/contribution-schemas.ts'
import type { Cost } from '../plan-years/contribution-rules.ts'
import type { CoverageTier, DependentField, ProductCode } from '../../directory/catalog/schemas.ts'
import type { CallerKind } from '../../../runtime/caller.ts'
import type { LifeEventKind } from '../enrollments/rules.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import type { EnrollmentCorrection } from './schemas.ts'

export const refusals = declareRefusals({
  employee_is_not_employed: [
    409,
    'This employment has ended, so this action is not possible.',
    'Use the current employment of the person, if any.',
  ],
  enrollment_window_closed: [
    409,
    'No election window is open.',
    'Wait for open enrollment, or report a life event. Once the operator approves it, its window opens.',
  ],
  enrollment_is_inactive: [
    409,
    'The enrollment is inactive, so the benefit can no longer be elected or waived.',
    'List the enrollments of the employee to find a newer one.',
  ],
  coverage_has_started: [
    409,
    'Coverage has begun: it can be changed but not waived.',
    'End the coverage after a life event instead of waiving it.',
  ],
  change_not_consistent: [
    409,
    'The life event does not allow this change.',
    'Make a change that the event allows (see Life events in the guide), or wait for open enrollment.',
  ],
  coverage_ends_first: [
    409,
    'The election could only take effect after coverage, eligibility or the plan year has ended.',
    'Elect in the next plan year.',
  ],
  plan_not_offered: [
    422,
    'The plan year does not offer this plan with this coverage level for this benefit.',
    'Use a plan and a coverage level from the `plans` of the enrollment.',
  ],
  individual_plan_does_not_fit: [
    422,
    'ICHRA_REIMBURSEMENT_ONLY requires the plan that the employee bought and whether it was bought on an ' +
      'exchange. No other benefit accepts a bought plan.',
    'Send `individual_plan` and `bought_on_exchange` only for `ICHRA_REIMBURSEMENT_ONLY`.',
  ],
  dependents_do_not_fit_tier: [
    422,
    'The dependents do not fit the coverage level: EE covers the employee only, ES one spouse, EC at least one ' +
      'child, EF one spouse and at least one child.',
    'Choose the coverage level that fits the dependents, or send other dependents.',
  ],
  dependent_not_coverable: [
    422,
    'This person is not a dependent of the employee, or cannot be covered on that day.',
    'Send dependents of the employee whose `covered_until` is null or not before that day.',
  ],
  dependent_data_missing: [
    422,
    'The benefit requires data that a dependent lacks.',
    'Add the data that `details` names to the dependent, then elect again.',
  ],
})

/** The number of days in which the end of a dependent can be reversed. */
export const days_to_reinstate = 60

/** The days of an election window, first to last. */
export type Window = { start: Day; end: Day }

/** A qualifying life event that the operator has approved. */
export type LifeEventWindow = Window & { id?: string; type: LifeEventKind; occurred_on: Day; exception?: boolean }

export type DependentFacts = {
  id: string
  relationship: 'spouse' | 'domestic_partner' | 'child'
  date_of_birth: Day
  ended_on: Day | null
  /** The last day on which the dependent can be covered. Null if no end is known. */
  covered_until: Day | null
  name?: string
  /** The data that a benefit may require and this dependent lacks. */
  missing?: DependentField[]
}

/** The day from which an election applies. The first election always applies from the start of coverage. */
export type EffectiveOn = Day | '-infinity'

/** An elected plan and coverage level with the covered dependents. */
export type Choice = { plan_id: string; coverage_tier: CoverageTier; dependent_ids: string[] }

type Costed = Choice & {
  premium_in_cents?: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
  individual_plan_name?: string | null
  bought_on_exchange?: boolean | null
}

/** The price of an election at the time it was made, and the amendment of the plan year that set it. */
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
  /** The amendment of the plan year that set the price. Null if the price was never amended. */
  amendment_id?: string | null
  /** The original price, if the election was repriced since. */
  as_elected?: ElectedPrice | null
  /**
   * Whether the election follows from the end of a dependent or from an amended price. Such an election has no actor.
   */
  follows?: boolean
  /** The elected dependents with an end of coverage before the first day. */
  removed_dependent_ids?: string[]
}

/** The contribution of an employer to a benefit from a day until the next one. */
export type Contribution = { effective_on: EffectiveOn; contribution_strategy: ContributionStrategy }

/** The facts about an enrollment that decide which answers are possible. An answer is an election or a waiver. */
export type EnrollmentFacts = {
  id: string
  organization_id: string
  employee_id: string
  answer: 'enrolled' | 'waived' | null
  /** The person or rule that elected or waived. Omitted if it is unknown. */
  elected_by?: ElectedBy | null
  /** The employee's last day. Null or omitted if no end is known. */
  last_day?: Day | null
  granted_on: Day
  window_ends_on: Day
  coverage_start: Day
  coverage_end: Day | null
  inactive_on: Day | null
  terminated_at: string | null
  /** The last day of coverage that was ended on request. Null or omitted if it was not. */
  ended_on?: Day | null
  open_enrollment_start: Day | null
  open_enrollment_end: Day | null
  plan_year_start: Day
  plan_year_end: Day
  product_code: ProductCode
  required_dependent_fields?: DependentField[]
  /** The contributions of the employer in order of their first days. The first one applies from the start. */
  contributions: Contribution[]
  /** The history of elections in order. Empty unless enrolled. */
  elections: ElectionFacts[]
  life_events: LifeEventWindow[]
  dependents: DependentFacts[]
  /** The employee classes in order of their first days. Empty means Full Time. */
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

/** Returns why an employment no longer accepts changes: its last day is past. */
export const whyNotEmployed = ({ terminated_on }: { terminated_on: Day | null }, today: Day): RefusalKind | undefined =>
  terminated_on !== null && terminated_on < today ? refusals.employee_is_not_employed : undefined

/**
 * Returns why an employee can't answer with an employee token. Former employees can only read with it; their partner
 * makes corrections.
 */
export const whyNotBySelf = (
  { last_day = null }: Pick<EnrollmentFacts, 'last_day'>,
  { caller, today }: { caller: { kind: CallerKind }; today: Day },
): RefusalKind | undefined =>
  caller.kind === 'employee_token' ? whyNotEmployed({ terminated_on: last_day }, today) : undefined

/** The source of an answer that a caller gives. Null for the service itself, which acts for an unspecified actor. */
export const electorOf = (kind: CallerKind): ElectedBy | null => electors[kind] ?? null

/** Whether an answer was carried over by a renewal or resumed after a return. */
export const isCarried = ({ elected_by }: Pick<EnrollmentFacts, 'elected_by'>): boolean =>
  elected_by === 'renewal' || elected_by === 'return'

/** Whether the employee was enrolled by an actual answer. Answers that were carried over or resumed do not count. */
export const hasEnrolled = (enrollment: EnrollmentFacts): boolean =>
  enrollment.answer === 'enrolled' && !isCarried(enrollment)

export const isInactive = (enrollment: Pick<EnrollmentFacts, 'inactive_on'>, today: Day): boolean =>
  enrollment.inactive_on !== null && enrollment.inactive_on <= today

/** Whether two choices have the same plan, coverage level and covered dependents. */
export const isSameChoice = (a: Choice, b: Choice): boolean =>
  a.plan_id === b.plan_id &&
  a.coverage_tier === b.coverage_tier &&
  [...a.dependent_ids].sort().join() === [...b.dependent_ids].sort().join()

/** Whether an election differs from the previous one in its choice or cost. */
export const isElectionChanged = (election: Costed, former: Costed | undefined): boolean =>
  !former ||
  !isSameChoice(election, former) ||
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

/** The coverage level for an employee with these dependents. A domestic partner counts as a spouse. */
export function tierOf(people: DependentFacts[]): CoverageTier {
  const spouse = people.some(isSpouse)
  const children = people.some(({ relationship }) => relationship === 'child')
  return spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
}

export type Step = Choice & { day: Day }

/** The step without its domestic partner. Undefined if it covers no domestic partner. */
export function withoutPartner(dependents: DependentFacts[], step: Step): Step | undefined {
  const people = dependents.filter(({ id }) => step.dependent_ids.includes(id))
  const others = people.filter(({ relationship }) => relationship !== 'domestic_partner')
  if (others.length === people.length) return undefined
  return { ...step, coverage_tier: tierOf(others), dependent_ids: others.map(({ id }) => id) }
}

/**
 * The part of a deduction that a domestic partner adds. If the others could not be covered alone, this is the whole
 * deduction.
 */
export const partnersShare = (cost: Cost, without: Cost | null | undefined): number =>
  Math.max(0, cost.employee_deduction_in_cents - (without?.employee_deduction_in_cents ?? 0))

/**
 * The dependents in an election from a day, or from a birth by `born_by`: those in `named`, or all that fit the
 * coverage level. Refuses dependents without possible coverage on that day, and dependents that don't fit the coverage
 * level.
 */
export function selectDependents(
  dependents: DependentFacts[],
  tier: CoverageTier,
  named: string[] | undefined,
  day: Day,
  born_by = day,
): DependentFacts[] | Refusal {
  const coverable = dependents.filter(
    (dependent) =>
      dependent.ended_on === null && dependent.date_of_birth <= born_by && (dependent.covered_until ?? day) >= day,
  )
  const unknown_at = named?.findIndex((id) => !coverable.some((dependent) => dependent.id === id)) ?? -1
  if (unknown_at >= 0) {
    const detail = {
      field: `dependent_ids[${unknown_at}]`,
      message: 'is not a dependent, or cannot be covered on that day',
    }
    return new Refusal(refusals.dependent_not_coverable, [detail])
  }
  const covered = named
    ? coverable.filter(({ id }) => named.includes(id))
    : coverable.filter(({ relationship }) => fitting[tier].includes(relationship))
  const fit = tierOf(covered)
  const is_one_couple = covered.filter(isSpouse).length <= 1
  if (is_one_couple && fit === tier) return covered
  const message = is_one_couple ? `does not fit the dependents; ${fit} does` : 'covers at most one spouse'
  return new Refusal(refusals.dependents_do_not_fit_tier, [{ field: 'coverage_tier', message }])
}

const missing_words: Record<DependentField, string> = {
  address: 'an address',
  gender: 'a gender',
  verification: 'a document that proves the relationship',
}

/** Returns why a benefit can't cover dependents: one of them lacks required data. */
export function whyIncomplete(
  covered: DependentFacts[],
  { required_dependent_fields: required = [] }: Pick<EnrollmentFacts, 'required_dependent_fields'>,
): Refusal | undefined {
  const details = covered.flatMap(({ id, name = '', missing = [] }) =>
    missing
      .filter((field) => required.includes(field))
      .map((field) => ({ field: `dependents.${id}.${field}`, message: `${name} needs ${missing_words[field]}` })),
  )
  return details.length > 0 ? new Refusal(refusals.dependent_data_missing, details) : undefined
}

const invalid = (field: string, message: string) => new Refusal(generic.invalid_request, [{ field, message }])

/** Returns why the operator can't make a correction. An inactive enrollment stays inactive. */
export function whyNotCorrect(
  enrollment: EnrollmentFacts,
  correction: EnrollmentCorrection,
  today: Day,
): Refusal | RefusalKind | undefined {
  const { election, waive, coverage_start, coverage_end } = correction
  if (election && waive) return invalid('waive', 'must not be sent together with an election')
  if (!election && !waive && coverage_start === undefined && coverage_end === undefined)
    return invalid('', 'must contain a correction: election, waive, coverage_start or coverage_end')
  if (isInactive(enrollment, today) && !changesPastDays(correction, today)) return refusals.enrollment_is_inactive
  if (coverage_end !== undefined && (waive || (enrollment.answer !== 'enrolled' && !election)))
    return invalid('coverage_end', 'only elected coverage can end')
  return whyNotDays(enrollment, correction)
}

const changesPastDays = ({ election, waive, coverage_start, coverage_end }: EnrollmentCorrection, today: Day) =>
  !election && !waive && coverage_start !== null && coverage_end !== null && (coverage_end ?? '') < today

function whyNotDays(enrollment: EnrollmentFacts, input: EnrollmentCorrection): Refusal | undefined {
  const start = input.coverage_start ?? enrollment.coverage_start
  const end = input.coverage_end === undefined ? enrollment.coverage_end : input.coverage_end
  if (start < enrollment.plan_year_start || start > enrollment.plan_year_end)
    return invalid('coverage_start', 'must be a day of the plan year')
  if (end !== null && end < addDays(start, -1))
    return invalid('coverage_end', 'must not be before the day before coverage_start')
  return end !== null && end > enrollment.plan_year_end
    ? invalid('coverage_end', 'must not be after the plan year')
    : undefined
}
