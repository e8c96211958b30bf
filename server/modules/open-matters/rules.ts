/** The one deed that settles a matter: an operation, at a path with names of the matter or of its details in it. */
type SettlingOperation = { operation: string; method: 'POST' | 'PUT' | 'PATCH' | 'GET'; path: string }

/**
 * What may need somebody, each kind with the deed that settles it. A kind is a line here; who opens its matters closes
 * them too, when it is settled in another way.
 */
export const deeds = {
  /** An enrollment whose coverage would end with the former plan year, since nobody has answered. */
  enrollment_lapsing: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{resource_id}/corrections',
  },
  /** A last day further back than partners may tell it, of which a census or HRIS roster tells each time. */
  termination_beyond_reach: {
    operation: 'operator_terminate_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/terminate',
  },
  /** Somebody whom a roster left out more than 60 days ago, and of whom a later one tells. */
  reinstatement_beyond_reach: {
    operation: 'operator_reinstate_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/reinstate',
  },
  /** A first day in a roster that would take away coverage of more than 60 days ago. */
  start_beyond_reach: {
    operation: 'operator_correct_employee',
    method: 'POST',
    path: '/operator/v1/employees/{resource_id}/corrections',
  },
  /** Somebody who holds two benefits of a choice group at a time, since before there were groups. */
  choice_group_doubled: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{enrollment_id}/corrections',
  },
  /** A replacing census that would end many, of whom somebody has to say whether they left. */
  census_held: {
    operation: 'operator_confirm_census_sync',
    method: 'POST',
    path: '/operator/v1/census-syncs/{resource_id}/confirm',
  },
  /** Two elections for what turned out to be one period: the earlier holds, and the later one says something else. */
  enrollment_superseded: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{resource_id}/corrections',
  },
  /** A life event that an employee reported and nobody has decided about. */
  life_event_pending: {
    operation: 'operator_approve_life_event',
    method: 'POST',
    path: '/operator/v1/qualifying-life-events/{resource_id}/approve',
  },
  /** A connection that its payroll system does not let in any more. */
  hris_access_lost: {
    operation: 'operator_renew_hris_access',
    method: 'PUT',
    path: '/operator/v1/hris-connections/{resource_id}/access-token',
  },
  /** A subscription that was given up for its receiver, whose partner has to hear of it. */
  webhook_disabled: {
    operation: 'operator_resume_webhook_subscription',
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{resource_id}/resume',
  },
  /** A subscription that goes on, and did not get something for as long as it was tried. */
  webhook_deliveries_failed: {
    operation: 'operator_resume_webhook_subscription',
    method: 'POST',
    path: '/operator/v1/webhook-subscriptions/{resource_id}/resume',
  },
  /** A draft of an invoice, to be looked at before it is issued by itself. */
  invoice_drafted: {
    operation: 'operator_issue_invoice',
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/invoices/{resource_id}/issue',
  },
  /** A job that failed as often as it may. */
  job_gave_up: {
    operation: 'operator_run_job',
    method: 'POST',
    path: '/operator/v1/jobs/{resource_id}/run',
  },
  /** A day that came for an organization more than an hour ago, and is not run. */
  daily_run_late: {
    operation: 'operator_run_day',
    method: 'POST',
    path: '/operator/v1/organizations/{organization_id}/daily-run',
  },
  /** A missing public figure that plan years within 120 days need for affordability. */
  affordability_figure_missing: {
    operation: 'operator_tell_affordability_figures',
    method: 'POST',
    path: '/operator/v1/affordability-figures',
  },
} as const satisfies Record<string, SettlingOperation>

export type MatterKind = keyof typeof deeds
export const matter_kinds = Object.keys(deeds) as [MatterKind, ...MatterKind[]]

/** Kinds that nobody opens or closes: what they tell of is seen where it is, whenever somebody looks. */
export const seen_kinds = [
  'job_gave_up',
  'daily_run_late',
  'affordability_figure_missing',
] as const satisfies MatterKind[]
export type SeenKind = (typeof seen_kinds)[number]

export const isSeen = (kind: MatterKind): kind is SeenKind => (seen_kinds as readonly MatterKind[]).includes(kind)
