import { correction_window_days } from '../../directory/tasks/rules.ts'
import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { refuseBeforeWindow, isBeforeWindow, type Employment } from '../employees/rules.ts'

export const refusals = declareRefusals({
  nothing_to_reinstate: [
    409,
    'This employment has not been terminated.',
    'Read the employee. There is no termination to reverse.',
  ],
  employee_was_rehired: [
    409,
    'This person was employed here again. Only their latest employment can be reinstated.',
    'Reinstate the latest employment, or leave the former one unchanged.',
  ],
})

/**
 * Explains why the last termination of an employment cannot be reversed. `latest` is the person's latest employment
 * here. `window_days` is how many days ago the last day may be, or null for the operator.
 */
export function whyNotReinstate(
  employment: Pick<Employment, 'id' | 'terminated_on'>,
  latest: Pick<Employment, 'id'>,
  today: Day,
  window_days: number | null = correction_window_days,
): Refusal | RefusalKind | undefined {
  if (employment.terminated_on === null) return refusals.nothing_to_reinstate
  if (employment.id !== latest.id) return refusals.employee_was_rehired
  return isBeforeWindow(employment.terminated_on, today, window_days)
    ? refuseBeforeWindow('termination_date')
    : undefined
}

/** Days of coverage, up to today, that a correction removed. The employee may have relied on them. */
export type Rescission = { enrollment_id: string; lost_from: Day; lost_until: Day }
