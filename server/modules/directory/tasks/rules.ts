/** The operation that completes a task. The path contains names of fields of the task or of its details. */
type SettlingOperation = { operation: string; method: 'POST' | 'PUT' | 'PATCH' | 'GET'; path: string }

/**
 * The number of past days for which partners may end coverage or reverse such an end. For earlier days, an operator
 * decides by completing a task.
 */
export const correction_window_days = 60

/**
 * The kinds of tasks, each with the operation that completes it. A module that opens tasks of a kind also closes them
 * if they are completed in another way.
 */
export const actions = {
  /** An enrollment without an election for the next plan year, whose coverage would end with the current one. */
  enrollment_lapsing: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{resource_id}/corrections',
  },
  /** A roster reports a last day of employment further back than partners may report. */
  termination_too_old: {
    operation: 'operator_terminate_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/terminate',
  },
  /** An employee whom a roster left out before the correction window, and whom a later roster lists. */
  reinstatement_too_old: {
    operation: 'operator_reinstate_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/reinstate',
  },
  /** A roster reports a first day that would remove coverage from before the correction window. */
  start_too_old: {
    operation: 'operator_correct_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/corrections',
  },
  /** A replacing census that would terminate many employees. An operator confirms or discards it. */
  census_held: {
    operation: 'operator_confirm_census_sync',
    method: 'POST',
    path: '/operator/v1/census-syncs/{resource_id}/confirm',
  },
  /** Two elections for one period: the earlier one is in force, and the later one differs. */
  enrollment_superseded: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{resource_id}/corrections',
  },
  /** A reported life event without a decision. */
  life_event_pending: {
    operation: 'operator_approve_life_event',
    method: 'POST',
    path: '/operator/v1/qualifying-life-events/{resource_id}/approve',
  },
  /** A connection whose credentials the payroll system rejected. */
  hris_access_lost: {
    operation: 'operator_renew_hris_access',
    method: 'PUT',
    path: '/operator/v1/hris-connections/{resource_id}/access-token',
  },
  /** A subscription that was disabled because its receiver failed. */
  webhook_disabled: {
    operation: 'operator_resume_webhook_subscription',
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{resource_id}/resume',
  },
  /** An active subscription with an event that was not delivered in any attempt. */
  webhook_deliveries_failed: {
    operation: 'operator_resume_webhook_subscription',
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{resource_id}/resume',
  },
  /** A draft of an invoice, to be checked before it is issued automatically. */
  invoice_drafted: {
    operation: 'operator_issue_invoice',
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{resource_id}/issue',
  },
  /** A job that exhausted its retries. */
  job_failed: {
    operation: 'operator_run_job',
    method: 'POST',
    path: '/operator/v1/jobs/{resource_id}/run',
  },
  /** A daily run that has not finished an hour after midnight. */
  daily_run_late: {
    operation: 'operator_run_day',
    method: 'POST',
    path: '/operator/v1/organizations/{organization_id}/daily-run',
  },
  /** A missing public figure that plan years within 120 days need for affordability. */
  affordability_figure_missing: {
    operation: 'operator_set_affordability_figures',
    method: 'POST',
    path: '/operator/v1/affordability-figures',
  },
} as const satisfies Record<string, SettlingOperation>

export type TaskKind = keyof typeof actions
export const task_kinds = Object.keys(actions) as [TaskKind, ...TaskKind[]]

/** Kinds that are derived when tasks are listed, and so are never opened or closed. */
export const seen_kinds = ['job_failed', 'daily_run_late', 'affordability_figure_missing'] as const satisfies TaskKind[]
export type SeenKind = (typeof seen_kinds)[number]

export const isSeen = (kind: TaskKind): kind is SeenKind => (seen_kinds as readonly TaskKind[]).includes(kind)
