import { type Day, yearsAfter } from '../../../kernel/days.ts'
import { declareRefusals, type Detail } from '../../../kernel/refusal.ts'

export const refusals = declareRefusals({
  employer_is_cancelled: [
    409,
    'The subscription of the employer has ended.',
    'Contact the operator, who can start a new subscription.',
  ],
})

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
export const max_plans = 100

type RequestedDays = {
  coverage_start: Day
  coverage_end?: Day | null | undefined
  open_enrollment_start?: Day | null | undefined
  open_enrollment_end?: Day | null | undefined
}

/**
 * The years before and after today in which requested coverage can start. A year before is for an employer that changes
 * brokers.
 */
const years_back = 1
const years_ahead = 2

/** The faults in the days of a request. They are usually typing errors, such as a wrong year. */
export function requestFaults(days: RequestedDays, today: Day): Detail[] {
  const { coverage_start, coverage_end, open_enrollment_start, open_enrollment_end } = days
  const [first, last] = [yearsAfter(today, -years_back), yearsAfter(today, years_ahead)]
  const next_year = yearsAfter(coverage_start, 1)
  const faults: [is_fault: boolean, field: keyof RequestedDays, message: string][] = [
    [coverage_start < first || coverage_start > last, 'coverage_start', `must be from ${first} to ${last}`],
    [(coverage_end ?? coverage_start) >= next_year, 'coverage_end', 'must be within one year of coverage_start'],
    [(open_enrollment_start ?? coverage_start) >= next_year, 'open_enrollment_start', 'must be before coverage ends'],
    [(open_enrollment_end ?? today) < today, 'open_enrollment_end', 'must not be in the past'],
    [(open_enrollment_end ?? coverage_start) >= next_year, 'open_enrollment_end', 'must be before coverage ends'],
  ]
  return faults.filter(([is_fault]) => is_fault).map(([, field, message]) => ({ field, message }))
}
