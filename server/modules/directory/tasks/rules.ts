import {
  enrolling,
  everyone,
  operating,
  administering,
  type KeyScope,
  type Role,
} from '../../../runtime/permissions.ts'

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
  /** A partner requested a plan year for an employer. */
  plan_year_requested: {
    operation: 'operator_open_benefit_plan_year',
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/benefit-plan-years',
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
  /** A missing public figure that affordability or assessable payments need within 120 days. */
  affordability_figure_missing: {
    operation: 'operator_set_affordability_figures',
    method: 'POST',
    path: '/operator/v1/affordability-figures',
  },
} as const satisfies Record<string, SettlingOperation>

export type TaskKind = keyof typeof actions
export const task_kinds = Object.keys(actions) as [TaskKind, ...TaskKind[]]

/** Kinds that are derived when tasks are listed, and so are never opened or closed. */
export const derived_kinds = [
  'job_failed',
  'daily_run_late',
  'affordability_figure_missing',
] as const satisfies TaskKind[]
export type DerivedKind = (typeof derived_kinds)[number]

export const isDerived = (kind: TaskKind): kind is DerivedKind => (derived_kinds as readonly TaskKind[]).includes(kind)

/** How many days before the end of a plan year its renewal becomes a task for partners. */
export const renewal_days = 120
/** How many days after its end a plan year without a successor stays in the list. */
export const ended_days = 30
/** How many days a failed census remains a task. */
export const census_days = 30
/** How many days after its latest document the verification of a dependent is due. */
export const verification_days = 30
/** The maximum number of employers in setup that are listed as tasks, latest first. */
export const max_setups = 50

/** An operation of partners, and the role and scope that its resource requires besides `read` and `write`. */
type PartnerOperation = {
  operation: string
  method: 'POST' | 'PUT' | 'PATCH' | 'GET'
  path: string
  roles: readonly Role[]
  scope?: KeyScope
}

const of_people = { roles: enrolling, scope: 'people' } as const
const of_rosters = { roles: operating, scope: 'people' } as const
const of_money = { roles: operating, scope: 'money' } as const
const on_form_filing = {
  operation: 'employers_get_form_filing',
  method: 'GET',
  path: '/v1/employers/{employer_id}/form-filing',
  roles: operating,
  scope: 'tax',
} as const
const of_webhooks = { roles: administering, scope: 'webhooks' } as const

/**
 * The kinds of tasks of partners, each with the operation that completes it or shows its resource. Callers see a task
 * if their role and scopes let them see its resource.
 */
export const partner_actions = {
  /** A reported life event, which the operator approves or declines. */
  life_event_pending: {
    operation: 'life_events_list',
    method: 'GET',
    path: '/v1/employees/{employee_id}/qualifying-life-events',
    ...of_people,
  },
  /** A dependent whose documents wait for a decision. */
  dependent_verification_pending: {
    operation: 'dependents_decide_verification',
    method: 'PUT',
    path: '/v1/dependents/{resource_id}/verification',
    ...of_people,
  },
  /** An open enrollment window in which people have not answered. */
  open_enrollment_pending: {
    operation: 'employers_list_benefit_plan_year_enrollments',
    method: 'GET',
    path: '/v1/employers/{employer_id}/benefit-plan-years/{resource_id}/enrollments',
    ...of_people,
  },
  /** An enrollment without an election for the next plan year, whose coverage would end with the current one. */
  enrollment_lapsing: {
    operation: 'enrollments_elect',
    method: 'POST',
    path: '/v1/enrollments/{resource_id}/elect',
    ...of_people,
  },
  /**
   * An employer whose first coverage has not started, with steps that the organization or the operator can complete.
   */
  employer_setup: {
    operation: 'employers_get_setup',
    method: 'GET',
    path: '/v1/employers/{employer_id}/setup',
    roles: operating,
  },
  /** A note that mentions the caller, who marks the mention as done. */
  note_mention: {
    operation: 'notes_mark_mention',
    method: 'PUT',
    path: '/v1/notes/{resource_id}/mention',
    roles: everyone,
  },
  /** A plan year that ends within 120 days and has no successor. */
  renewal_due: {
    operation: 'employers_get_benefit_plan_year',
    method: 'GET',
    path: '/v1/employers/{employer_id}/benefit-plan-years/{resource_id}',
    roles: everyone,
  },
  /** A replacing census that would terminate many employees, and waits for confirmation. */
  census_held: {
    operation: 'employers_confirm_census_sync',
    method: 'POST',
    path: '/v1/employers/{employer_id}/census-sync/{resource_id}/confirm',
    ...of_rosters,
  },
  /** The latest census of an employer, if it or some of its rows failed. */
  census_failed: {
    operation: 'employers_get_census_sync',
    method: 'GET',
    path: '/v1/employers/{employer_id}/census-sync/{resource_id}',
    ...of_rosters,
  },
  /** A connection whose credentials the payroll system rejected. */
  hris_access_lost: {
    operation: 'employers_get_hris',
    method: 'GET',
    path: '/v1/employers/{employer_id}/hris',
    roles: operating,
  },
  /** A connection whose latest sync failed for another reason. */
  hris_sync_failed: {
    operation: 'employers_get_hris',
    method: 'GET',
    path: '/v1/employers/{employer_id}/hris',
    roles: operating,
  },
  /** Employees who are not full-time, but whose hours so far in a measurement are. */
  full_time_trend: {
    operation: 'employers_list_aca_statuses',
    method: 'GET',
    path: '/v1/employers/{employer_id}/aca-statuses',
    ...of_rosters,
  },
  /** People whose tax form lacks a tax identifier, by employer. */
  tax_identifiers_missing: on_form_filing,
  /** Tax forms of the past year that were not released. */
  tax_forms_due: on_form_filing,
  /** Released tax forms of the past year to furnish on paper, without a mailing. */
  tax_forms_unmailed: on_form_filing,
  /** Released Forms 1095-C of the past year without a transmission that the IRS accepted. */
  tax_forms_unfiled: on_form_filing,
  /** Tax forms that the IRS rejected, or accepted with errors. */
  tax_form_errors: on_form_filing,
  /** An issued invoice that was not paid by its due date. */
  invoice_overdue: {
    operation: 'employers_get_invoice_pdf',
    method: 'GET',
    path: '/v1/employers/{employer_id}/invoices/{resource_id}/pdf',
    ...of_money,
  },
  /** A draft of an invoice, to be checked before it is issued automatically. */
  invoice_drafted: {
    operation: 'employers_list_invoice_lines',
    method: 'GET',
    path: '/v1/employers/{employer_id}/invoices/{resource_id}/lines',
    ...of_money,
  },
  /** A subscription that was disabled because its receiver failed. */
  webhook_disabled: {
    operation: 'webhook_subscriptions_update',
    method: 'PATCH',
    path: '/v1/webhook-subscriptions/{resource_id}',
    ...of_webhooks,
  },
  /** An active subscription with an event that was not delivered in any attempt. */
  webhook_deliveries_failed: {
    operation: 'webhook_subscriptions_replay',
    method: 'POST',
    path: '/v1/webhook-subscriptions/{resource_id}/replay',
    ...of_webhooks,
  },
} as const satisfies Record<string, PartnerOperation>

export type PartnerTaskKind = keyof typeof partner_actions
export const partner_task_kinds = Object.keys(partner_actions) as [PartnerTaskKind, ...PartnerTaskKind[]]

/** The kinds of tasks whose resources a role and scopes allow to see. */
export const kindsFor = (role: Role | undefined, scopes: readonly KeyScope[]): PartnerTaskKind[] =>
  partner_task_kinds.filter((kind) => {
    const { roles, scope }: PartnerOperation = partner_actions[kind]
    return role !== undefined && roles.includes(role) && (scope === undefined || scopes.includes(scope))
  })
