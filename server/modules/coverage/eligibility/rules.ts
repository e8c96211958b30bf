import { employee_classes } from '../../directory/catalog/schemas.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal } from '../../../kernel/refusal.ts'
import { stateName } from '../../../kernel/states.ts'
import type { EligibilityExplanation, NewBenefitEligibilityPolicy, PolicyInForce, Warning } from './schemas.ts'

export const refusals = declareRefusals({
  benefit_has_policy: [
    409,
    'One of the benefits has an active eligibility policy that also applies to other benefits.',
    'List all benefits of the existing policy, or none of them.',
  ],
  policy_benefit_unknown: [
    422,
    "The organization's catalog has no such benefit.",
    'Use benefit ids of plans that `GET /v1/plans` returns.',
  ],
})

const classes_of: Record<'full_time' | 'part_time' | 'all', PolicyInForce['employee_classes']> = {
  full_time: ['Full Time'],
  part_time: ['Part Time'],
  all: employee_classes.filter((name) => name !== 'Individual Contractor'),
}

/** The classification of a policy that lists its classes: `all` unless it covers exactly the classes of another one. */
const classificationOf = (classes: PolicyInForce['employee_classes']): PolicyInForce['classification'] =>
  (['full_time', 'part_time'] as const).find((name) => classes.join() === classes_of[name].join()) ?? 'all'

/** Creates a policy from the input, with defaults for omitted fields and the classes that it covers. */
export function policyOf(id: string, input: NewBenefitEligibilityPolicy): PolicyInForce {
  const { classification, waiting_period } = input
  return {
    id,
    classification: classification ?? classificationOf(input.employee_classes!),
    employee_classes: input.employee_classes ?? classes_of[classification!],
    compensation_types: input.compensation_types ?? null,
    waiting_period,
    start_alignment: input.start_alignment ?? 'exact',
    service_credit_weeks: input.service_credit_weeks ?? 13,
    benefit_ids: input.benefit_ids ?? [],
    eligibility_basis: input.eligibility_basis ?? 'employee_class',
  }
}

/**
 * The benefits of a new policy that the catalog lacks (`unknown`), and those that share a policy with benefits that the
 * new policy does not list (`taken`).
 */
export type JudgedBenefits = { unknown: string[]; taken: string[] }

/**
 * Returns why a policy can't apply to these benefits. A benefit never has two policies, and no benefit loses its
 * policy.
 */
export function whyNotFor(benefit_ids: string[], { unknown, taken }: JudgedBenefits): Refusal | undefined {
  const field = (id: string) => `benefit_ids[${benefit_ids.indexOf(id)}]`
  if (unknown[0]) {
    const message = "is not in the organization's catalog"
    return new Refusal(refusals.policy_benefit_unknown, [{ field: field(unknown[0]), message }])
  }
  if (!taken[0]) return undefined
  const message = 'shares a policy with other benefits: list those too'
  return new Refusal(refusals.benefit_has_policy, [{ field: field(taken[0]), message }])
}

/** A benefit that is offered to an employee, and the first day of coverage by the calendar rules. */
export type OfferedBenefit = {
  benefit: { id: string; category: string; name: string; product_code: string }
  benefit_plan_year_id: string
  plan_year_start: Day
  plan_year_end: Day
  starts_on: Day
  /** The employee's state of residence. Null if it is unknown, so that the employer's state counts. */
  state: string | null
  employer_state: string
  offered_in_state: boolean
  run: Period | null
  eligibility_policy: PolicyInForce | null
  /** Null if the employee has no period. */
  coverage_start: Day | null
  enrollment: { id: string; coverage_start: Day; coverage_end: Day | null } | null
}

/** The continuous period in an eligible class that contains the requested day, or else the last one before that day. */
export type Period = {
  anchor: Day
  rule: PolicyInForce['waiting_period']
  start_alignment: PolicyInForce['start_alignment']
  policy_id: string
  raw_day: Day
  aligned_day: Day
  waited_on: Day
  /** The first day of the service that counts, if the employee returned in time. */
  service_from: Day | null
  lost_on: Day | null
  covered_until: Day | null
  cap: Day
}

export type EligibilityFacts = {
  employee_id: string
  employer_id: string
  hired_on: Day | null
  terminated_on: Day | null
  employee_class: string | null
  compensation_type: string | null
  class_history: EligibilityExplanation['class_history']
  eligibility_policy: PolicyInForce | null
  run: Period | null
  offers: OfferedBenefit[]
}

/** Explains why an employee is eligible on a day or not, and when coverage by each benefit begins. */
export function explain(facts: EligibilityFacts, as_of: Day): EligibilityExplanation {
  const { run, hired_on, terminated_on, employee_class, compensation_type, offers } = facts
  const { status, reason_code, reason } = statusToday(facts, as_of)
  return {
    employee_id: facts.employee_id,
    employer_id: facts.employer_id,
    as_of,
    status,
    reason_code,
    reason,
    hire_date: hired_on,
    termination_date: terminated_on,
    employee_class,
    compensation_type,
    class_history: facts.class_history,
    eligibility_policy: facts.eligibility_policy,
    anchor: run?.anchor ?? null,
    eligible_on: run?.waited_on ?? null,
    eligibility_lost_on: run?.lost_on ?? null,
    covered_until: run?.covered_until ?? null,
    benefits: offers.flatMap((offer) => (offer.run ? [explainBenefit(offer, offer.run)] : [])),
    benefits_without_period: offers.flatMap((offer) => (offer.run ? [] : [outOfReach(offer, facts, as_of)])),
    warnings: [
      ...(employee_class === null
        ? [warn('class_unknown', 'The employee class on this day is unknown. The class Full Time is assumed.')]
        : []),
      ...(compensation_type === null && namesPay(facts)
        ? [
            warn(
              'compensation_type_unknown',
              'The compensation type on this day is unknown. Policies for specific compensation types do not apply.',
            ),
          ]
        : []),
      ...(hired_on === null
        ? [
            warn(
              'hire_date_unknown',
              'The hire date is unknown. The day on which the employee was reported is used instead.',
            ),
          ]
        : []),
    ],
  }
}

const warn = (code: Warning['code'], message: string): Warning => ({ code, message })

const namesPay = ({ eligibility_policy, offers }: EligibilityFacts): boolean =>
  [eligibility_policy, ...offers.map((offer) => offer.eligibility_policy)].some((policy) => policy?.compensation_types)

function statusToday(
  facts: EligibilityFacts,
  as_of: Day,
): Pick<EligibilityExplanation, 'status' | 'reason_code' | 'reason'> {
  const { run, eligibility_policy } = facts
  if (run && (run.lost_on === null || run.lost_on > as_of)) {
    const last_day = addDays(run.waited_on, -1)
    if (run.waited_on > as_of)
      return {
        status: 'waiting',
        reason_code: 'waiting',
        reason: `The waiting period ends on ${last_day}. Eligible from ${run.waited_on}.`,
      }
    const before = run.waited_on > run.anchor ? `The waiting period ended on ${last_day}. ` : ''
    return {
      status: 'eligible',
      reason_code: 'waiting_period_ended',
      reason: `${before}Eligible since ${run.waited_on}.`,
    }
  }
  return { status: 'not_eligible', ...whyNotCovered(facts, eligibility_policy, as_of) }
}

/** Returns why a policy does not cover an employee on a day. */
function whyNotCovered(facts: EligibilityFacts, policy: PolicyInForce | null, as_of: Day): WhyNotCovered {
  const { hired_on, terminated_on, employee_class, compensation_type } = facts
  const because = (reason_code: WhyNotCovered['reason_code'], reason: string): WhyNotCovered => ({
    reason_code,
    reason,
  })
  if (terminated_on !== null && terminated_on < as_of)
    return because('employment_ended', `Employed until ${terminated_on}.`)
  if (hired_on !== null && hired_on > as_of) return because('not_employed_yet', `Employed from ${hired_on}.`)
  if (!policy) return because('no_policy', 'The employer has no eligibility policy.')
  const { employee_classes: classes, compensation_types } = policy
  const current_class = employee_class ?? 'Full Time'
  const covers_class = classes.some((name) => name === current_class)
  if (compensation_types && covers_class && !compensation_types.some((name) => name === compensation_type)) {
    const pay = compensation_type ?? 'unknown'
    return because(
      'pay_not_covered',
      `The policy covers ${compensation_types.join(', ')}, and the compensation type is ${pay}.`,
    )
  }
  if (policy.eligibility_basis === 'measured' && covers_class)
    return because('not_measured_full_time', 'The policy covers full-time employees by hours of service.')
  return because('class_not_covered', `The policy covers ${classes.join(', ')}, and the class is ${current_class}.`)
}

type WhyNotCovered = Pick<EligibilityExplanation, 'reason_code' | 'reason'>

const outOfReach = (
  { benefit, benefit_plan_year_id, eligibility_policy }: OfferedBenefit,
  facts: EligibilityFacts,
  as_of: Day,
): EligibilityExplanation['benefits_without_period'][number] => ({
  benefit,
  benefit_plan_year_id,
  eligibility_policy,
  ...whyNotCovered(facts, eligibility_policy, as_of),
})

const laterDay = (a: Day, b: Day): Day => (a > b ? a : b)

function explainBenefit(offer: OfferedBenefit, run: Period): EligibilityExplanation['benefits'][number] {
  const { benefit, benefit_plan_year_id, starts_on, plan_year_start, coverage_start, enrollment } = offer
  return {
    benefit,
    benefit_plan_year_id,
    anchor: run.anchor,
    rule: run.rule,
    raw_day: run.raw_day,
    start_alignment: run.start_alignment,
    aligned_day: run.aligned_day,
    service_from: run.service_from,
    eligibility_policy_id: run.policy_id,
    floor: laterDay(
      laterDay(plan_year_start, starts_on),
      run.waited_on > run.aligned_day ? run.waited_on : plan_year_start,
    ),
    cap: benefit.category === 'Medical' ? run.cap : null,
    coverage_start: run.covered_until !== null && run.covered_until < coverage_start! ? null : coverage_start,
    enrollment,
    warnings: warningsOf(offer, run),
  }
}

/** Names the state that counts, because a wrong address is the usual cause. */
function notOfferedIn({ state, employer_state }: Pick<OfferedBenefit, 'state' | 'employer_state'>): string {
  if (state !== null) return `The plan year is not offered in ${stateName(state)}, where the employee lives.`
  const its_name = stateName(employer_state)
  return `The plan year is not offered in ${its_name}. The employer's state counts, because the employee's is unknown.`
}

/** Warnings about the first day of coverage. */
function warningsOf({ benefit, plan_year_end, coverage_start, ...offer }: OfferedBenefit, run: Period): Warning[] {
  const warnings: Warning[] = []
  if (run.waited_on > run.aligned_day)
    warnings.push(
      warn(
        'policy_came_later',
        'The policy was created after the waiting period had ended. It does not grant coverage retroactively.',
      ),
    )
  if (benefit.category === 'Medical' && run.waited_on > run.cap) {
    const aligned = run.start_alignment === 'exact' ? '' : ', which may not be the first of a month'
    const capped = `Medical coverage starts on ${run.cap} at the latest${aligned}.`
    warnings.push(warn('coverage_capped', capped))
  }
  if (coverage_start! > plan_year_end)
    warnings.push(
      warn('plan_year_ends_first', 'The plan year ends before coverage could start, so no enrollment is granted.'),
    )
  if (!offer.offered_in_state) warnings.push(warn('not_offered_in_state', notOfferedIn(offer)))
  return warnings
}
