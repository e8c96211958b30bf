/** The steps of the setup of an employer, in order. The SQL function `employer_setup` determines their status. */
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
export const step_statuses = ['done', 'open', 'waiting'] as const
export const actors = ['organization', 'operator'] as const

/** The maximum number of plans that a request can name. */
export const most_plans = 100
