import type { AdjustmentCause } from 'openbenefits'
import { dayOf, sentence } from '../../format.ts'

/** Labels of employee changes, by the operation that reported them. */
export const facts: Record<string, string> = {
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
export function causeOf({
  action,
  operation,
  reported_at,
  reported_by,
  coverage_end,
  reason,
}: AdjustmentCause): string {
  const fact = facts[operation ?? ''] ?? actions[action]
  const until = (action === 'ended' || action === 'end_changed') && coverage_end
  const by = reporters[reported_by?.kind ?? 'rule']
  return `${fact}${until ? `, coverage until ${dayOf(until)}` : ''}. Reported ${dayOf(reported_at)}${by}.${reason ? ` ${reason}` : ''}`
}

type LineCause = { cause: string; cause_reported_on: string; cause_reported_by: string }

/** The cause of a line in a statement file: `coverage ended, reported Mar 20, 2026 by the partner`. */
export function causeOfLine({ cause, cause_reported_on, cause_reported_by }: LineCause): string {
  const fact = actions[cause as AdjustmentCause['action']] ?? sentence(cause)
  return `${fact.toLowerCase()}, reported ${dayOf(cause_reported_on)}${reporters[cause_reported_by] ?? ''}`
}
