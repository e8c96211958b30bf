/** The allowed values of filters and actions in URLs. */

export const stages = ['onboarding', 'open_enrollment', 'active', 'renewal', 'cancelled'] as const
export const families = ['mec', 'mvp', 'ichra', 'vpc', 'dental', 'vision'] as const
export const book_orders = ['name', 'employee_count', 'enrollment', 'monthly_premium', 'next_date'] as const
export const hris_states = ['active', 'pending', 'paused', 'inactive'] as const
export const invoice_states = ['draft', 'open', 'overdue', 'paid', 'void'] as const
export const invoice_ages = ['not_due', 'to_30_days', 'to_60_days', 'to_90_days', 'longer'] as const
export const invoice_actions = ['issue', 'pay', 'void'] as const
export const employment_statuses = ['active', 'terminated'] as const
export const election_statuses = ['enrolled', 'waived', 'pending', 'expired'] as const
export const participation_statuses = ['not_started', 'in_progress', 'enrolled', 'waived'] as const
export const deduction_changes = ['new', 'changed', 'ended', 'same'] as const
export const audit_outcomes = ['succeeded', 'refused', 'failed'] as const
export const run_outcomes = ['created', 'rehired', 'reinstated', 'terminated', 'updated'] as const
export const job_states = ['failed', 'waiting', 'running'] as const
/** The outcomes by which deliveries can be filtered. */
export const delivery_outcomes = ['failed', 'waiting'] as const
export const setup_steps = [
  'details',
  'eligibility',
  'payroll_calendar',
  'contacts',
  'plan_year',
  'census',
  'invitations',
  'go_live',
] as const
/** The kinds of tasks that the home page groups. Windows, renewals and overdue invoices have sections of their own. */
export const task_kinds = [
  'employer_setup',
  'note_mention',
  'life_event_pending',
  'dependent_verification_pending',
  'enrollment_lapsing',
  'census_held',
  'census_failed',
  'hris_access_lost',
  'hris_sync_failed',
  'full_time_trend',
  'tax_identifiers_missing',
  'tax_forms_due',
  'tax_forms_unmailed',
  'tax_forms_unfiled',
  'tax_form_errors',
  'invoice_drafted',
  'webhook_disabled',
  'webhook_deliveries_failed',
] as const
