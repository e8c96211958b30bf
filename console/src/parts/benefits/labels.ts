import type { AdjustmentCause, BenefitEligibilityPolicy, Employee, MissingFigure, RenewalReason } from 'openbenefits'
import { formatDay, toSentence } from '../../format.ts'

/** Labels of employee changes, by the operation that reported them. */
export const fact_names: Record<string, string> = {
  employees_terminate: 'Termination',
  operator_terminate_employee: 'Termination',
  employees_reinstate: 'Termination reversed',
  operator_reinstate_employee: 'Termination reversed',
  employees_update: 'Class or start date changed',
  operator_correct_employee: 'Class, compensation or start date corrected',
  employees_rehire: 'Rehire',
  employers_submit_census_sync: 'Census',
  operator_sync_hris: 'Payroll roster',
}

const actions: Record<AdjustmentCause['action'], string> = {
  elected: 'Elected',
  waived: 'Waived',
  renewed: 'Renewed',
  resumed: 'Coverage resumed after a return',
  resumption_withdrawn: 'Return reversed',
  corrected: 'Enrollment corrected',
  terminated: 'Enrollment terminated',
  reissued: 'Enrollment reopened',
  ended: 'Coverage ended',
  end_changed: 'End of coverage changed',
  reinstated: 'Coverage reinstated',
  dependents_changed: 'Covered dependents changed',
  amended: 'Plan year amended',
  invoice_voided: 'Earlier invoice voided',
  manual_adjustment: 'Manual adjustment',
}

const reporters: Record<string, string> = {
  employee: ' by the employee',
  partner: ' by the partner',
  operator: ' by the operator',
  renewal: ' by the renewal',
  rule: '',
}

/** Describes the cause of an adjustment: the change, when and by whom it was reported, and the reason. */
export function describeCause({
  action,
  operation,
  reported_at,
  reported_by,
  coverage_end,
  reason,
}: AdjustmentCause): string {
  const fact = fact_names[operation ?? ''] ?? actions[action]
  const until = (action === 'ended' || action === 'end_changed') && coverage_end
  const by = reporters[reported_by?.kind ?? 'rule']
  const change = until ? `${fact}, coverage until ${formatDay(until)}` : fact
  return [`${change}. Reported ${formatDay(reported_at)}${by}.`, reason].filter(Boolean).join(' ')
}

type LineCause = { cause: string; cause_reported_on: string; cause_reported_by: string }

/** The cause of a line in a statement file: `coverage ended, reported Mar 20, 2026 by the partner`. */
export function describeLineCause({ cause, cause_reported_on, cause_reported_by }: LineCause): string {
  const fact = actions[cause as AdjustmentCause['action']] ?? toSentence(cause)
  return `${fact.toLowerCase()}, reported ${formatDay(cause_reported_on)}${reporters[cause_reported_by] ?? ''}`
}

const figure_names: Record<MissingFigure['figure'], string> = {
  lowest_cost_silver_premium: 'lowest-cost silver premium',
  required_contribution_percentage: 'percentage of income',
  poverty_guidelines: 'federal poverty line',
}

const verdicts = { Affordable: 'Affordable', 'Not Affordable': 'Not affordable' } as const

/** The label of an affordability verdict. */
export const affordabilityLabel = (verdict: keyof typeof verdicts | null): string =>
  verdict ? verdicts[verdict] : 'Affordability unknown'

/**
 * The figures missing for an affordability verdict, such as `no percentage of income for 2028`. Undefined if none is
 * missing.
 */
export function describeMissingFigures(rows: { missing_figures: MissingFigure[] | null }[]): string | undefined {
  const missing = rows.flatMap(({ missing_figures }) => missing_figures ?? [])
  const names = new Set(missing.map(({ figure, year }) => `no ${figure_names[figure]} for ${year}`))
  return names.size > 0 ? [...names].join(', ') : undefined
}

/** The labels of policy classifications. */
export const policy_classes: Record<string, string> = {
  full_time: 'Full time',
  part_time: 'Part time',
  all: 'Everyone except individual contractors',
}

/** The classes of employees. */
export const employee_classes = ['Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal', 'Individual Contractor']

/** A class in sentence case: `Full time` for `Full Time`. */
export const classLabel = (name: string): string => toSentence(name.toLowerCase())

/** The value of a field of a census row. */
export const valueLabel = (field: string, value: string): string =>
  field === 'employee_class' ? classLabel(value) : value

/** The class and the compensation type of an employee: `Full time, hourly`. Null without both. */
export const describeClass = ({
  employee_class,
  compensation_type,
}: Pick<Employee, 'employee_class' | 'compensation_type'>): string | null =>
  toSentence([employee_class, compensation_type].filter(Boolean).join(', ').toLowerCase()) || null

const all_classes_count = 5

/**
 * The classes that a policy covers. A policy with `employee_classes` covers only these, even if its classification is
 * `all`.
 */
export function describeClasses({
  classification,
  employee_classes: chosen,
}: Pick<BenefitEligibilityPolicy, 'classification' | 'employee_classes'>): string {
  const is_all = chosen.length === all_classes_count && !chosen.includes('Individual Contractor')
  return classification !== 'all' || is_all ? policy_classes[classification]! : chosen.map(classLabel).join(', ')
}

/** Event names whose words do not form a phrase. */
const event_names: Record<string, string> = {
  'employer.user_mentioned': 'Mentions in notes on employers',
  'employee.user_mentioned': 'Mentions in notes on people',
}

/** `employee.deduction_created` as `Employee deduction created`. */
export const eventLabel = (event_name: string): string =>
  event_names[event_name] ?? toSentence(event_name.replace('.', ' '))

const renewal_reasons: Record<RenewalReason, string> = {
  coverage_ended: 'coverage ended before the last day of the plan year',
  nothing_to_carry: 'the employee had neither elected nor waived',
  benefit_not_offered: 'the benefit is no longer offered',
  not_eligible: 'the employee is not eligible',
  coverage_gap: 'there is a gap between the plan years',
  active_renewal: 'the plan year requires each employee to elect',
  choice_group: 'the employee has another benefit of the choice group',
  plan_not_offered: 'neither the plan nor a successor is offered',
  tier_not_offered: 'the coverage level is not offered',
  no_premium: 'the plan has no premium for one of the people',
  after_renewal: 'the facts changed after the renewal',
}

/** The reason why an enrollment was not carried over. Reasons of later versions are shown as words. */
export const renewalReason = (reason: string): string =>
  renewal_reasons[reason as RenewalReason] ?? toSentence(reason).toLowerCase()

/** The coverage levels by their codes. */
export const tier_names = {
  EE: 'Employee only',
  ES: 'Employee + spouse',
  EC: 'Employee + children',
  EF: 'Family',
} as const

/** The coverage level of a code. An unknown code is returned as it is. */
export const coverageLevelLabel = (code: string | null): string | null =>
  code && (tier_names[code as keyof typeof tier_names] ?? code)
