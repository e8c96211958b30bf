import type { Day } from '../../kernel/days.ts'
import type { EligibilityExplanation, NewBenefitEligibilityPolicy, Warning } from './schemas.ts'

type Policy = { id: string } & NewBenefitEligibilityPolicy

/** What is offered to an employee, and the first day of coverage by the calendar rules. */
export type OfferedBenefit = {
  benefit: { id: string; category: string; name: string; product_code: string }
  benefit_plan_year_id: string
  plan_year_start: Day
  plan_year_end: Day
  starts_on: Day
  offered_in_state: boolean
  coverage_start: Day
  enrollment: { id: string; coverage_start: Day; coverage_end: Day | null } | null
}

/** The run of days in an eligible class that holds the day asked about, or else the last one before it. */
export type Period = {
  anchor: Day
  rule: Policy['waiting_period']
  raw_day: Day
  waited_on: Day
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
  eligibility_policy: Policy | null
  run: Period | null
  offers: OfferedBenefit[]
}

/** Why an employee is eligible on a day, or not, and when coverage by each benefit begins. */
export function explain(facts: EligibilityFacts, as_of: Day): EligibilityExplanation {
  const { run, hired_on, terminated_on, employee_class } = facts
  const { status, reason } = standing(facts, as_of)
  return {
    employee_id: facts.employee_id,
    employer_id: facts.employer_id,
    as_of,
    status,
    reason,
    hire_date: hired_on,
    termination_date: terminated_on,
    employee_class,
    eligibility_policy: facts.eligibility_policy,
    anchor: run?.anchor ?? null,
    waiting_period_ends_on: run?.waited_on ?? null,
    eligibility_lost_on: run?.lost_on ?? null,
    covered_until: run?.covered_until ?? null,
    benefits: run ? facts.offers.map((offer) => explainBenefit(offer, run)) : [],
    warnings: [
      ...(employee_class === null
        ? [warn('class_unknown', 'No class is known for this day: it counts as Full Time.')]
        : []),
      ...(hired_on === null
        ? [warn('hire_date_unknown', 'No hire date is known: the day on which we were told counts.')]
        : []),
    ],
  }
}

const warn = (code: Warning['code'], message: string): Warning => ({ code, message })

function standing(facts: EligibilityFacts, as_of: Day): Pick<EligibilityExplanation, 'status' | 'reason'> {
  const { run, eligibility_policy: policy, employee_class } = facts
  const no = (reason: string) => ({ status: 'not_eligible' as const, reason })
  if (run && (run.lost_on === null || run.lost_on > as_of)) {
    return run.waited_on <= as_of
      ? { status: 'eligible', reason: `The waiting period was over on ${run.waited_on}.` }
      : { status: 'waiting', reason: `The waiting period is over on ${run.waited_on}.` }
  }
  if (facts.terminated_on !== null && facts.terminated_on < as_of) return no(`Employed until ${facts.terminated_on}.`)
  if (facts.hired_on !== null && facts.hired_on > as_of) return no(`Employed from ${facts.hired_on}.`)
  if (!policy) return no('The employer has no eligibility policy.')
  return no(`The policy covers ${policy.classification}, and the class is ${employee_class ?? 'Full Time'}.`)
}

const later = (one: Day, other: Day): Day => (one > other ? one : other)

function explainBenefit(offer: OfferedBenefit, run: Period): EligibilityExplanation['benefits'][number] {
  const { benefit, benefit_plan_year_id, starts_on, plan_year_start, coverage_start, enrollment } = offer
  return {
    benefit,
    benefit_plan_year_id,
    anchor: run.anchor,
    rule: run.rule,
    raw_day: run.raw_day,
    floor: later(later(plan_year_start, starts_on), run.waited_on > run.raw_day ? run.waited_on : plan_year_start),
    cap: benefit.category === 'Medical' ? run.cap : null,
    coverage_start,
    enrollment,
    warnings: warningsOf(offer, run),
  }
}

/** What somebody should know who relies on the first day of coverage. */
function warningsOf(
  { benefit, plan_year_end, coverage_start, offered_in_state }: OfferedBenefit,
  run: Period,
): Warning[] {
  const warnings: Warning[] = []
  if (run.waited_on > run.raw_day)
    warnings.push(
      warn('policy_came_later', 'The policy came after the waiting period: it grants nothing for the time before.'),
    )
  if (benefit.category === 'Medical' && run.waited_on > run.cap)
    warnings.push(
      warn('coverage_capped', `For medical products the waiting is over 90 days after the anchor, so on ${run.cap}.`),
    )
  if (coverage_start > plan_year_end)
    warnings.push(
      warn('plan_year_ends_first', 'The plan year ends before coverage could start: nothing is granted in it.'),
    )
  if (!offered_in_state)
    warnings.push(warn('not_offered_in_state', 'The plan year is not offered in the state of residence.'))
  return warnings
}
