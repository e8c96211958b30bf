import type { AdjustmentCause } from 'openbenefits'
import { dayOf, sentence } from './words.ts'

/** Facts of an employee, by the operation that reported them. */
export const facts: Record<string, string> = {
  employees_terminate: 'Termination',
  operator_terminate_employee: 'Termination',
  employees_reinstate: 'Termination withdrawn',
  operator_reinstate_employee: 'Termination withdrawn',
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
  resumption_withdrawn: 'Return withdrawn',
  corrected: 'Enrollment corrected',
  terminated: 'Enrollment terminated',
  reissued: 'Enrollment reopened',
  ended: 'Coverage ended',
  end_changed: 'End of coverage changed',
  reinstated: 'Coverage reinstated',
  dependents_changed: 'Covered dependents changed',
  amended: 'Plan year amended',
  invoice_voided: 'Earlier invoice voided',
  manual_adjustment: 'Booked by hand',
}

const reporters: Record<string, string> = {
  employee: ' by the employee',
  partner: ' by the partner',
  operator: ' by the operator',
  renewal: ' by the renewal',
  rule: '',
}

/** Describes the cause of an adjustment in a sentence: the fact, who reported it when, and the reason. */
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

/** The same of a line in the file of a statement: `coverage ended, reported Mar 20, 2026 by the partner`. */
export function causeOfLine({ cause, cause_reported_on, cause_reported_by }: LineCause): string {
  const fact = actions[cause as AdjustmentCause['action']] ?? sentence(cause)
  return `${fact.toLowerCase()}, reported ${dayOf(cause_reported_on)}${reporters[cause_reported_by] ?? ''}`
}
