import type { Day } from '../../../kernel/days.ts'
import { declareRefusals, type Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { beyondReach, isBeyondReach, loss_reach, type Employment } from '../employees/rules.ts'

export const refusals = declareRefusals({
  nothing_to_reinstate: [
    409,
    'This employment has not ended, nor is it going to.',
    'Read the employee: there is nothing to take back.',
  ],
  employed_again: [
    409,
    'This person was employed here again since: only their latest employment can be reinstated.',
    'Reinstate the latest employment, or leave the former one as it is.',
  ],
})

/**
 * Why the last termination of an employment can't be taken back; `latest` is the latest employment of the person here.
 * `reach`: how many days ago the last day may be, null for the operator.
 */
export function whyNotReinstate(
  employment: Pick<Employment, 'id' | 'terminated_on'>,
  latest: Pick<Employment, 'id'>,
  today: Day,
  reach: number | null = loss_reach,
): Refusal | RefusalKind | undefined {
  if (employment.terminated_on === null) return refusals.nothing_to_reinstate
  if (employment.id !== latest.id) return refusals.employed_again
  return isBeyondReach(employment.terminated_on, today, reach) ? beyondReach('termination_date') : undefined
}

/** Days of coverage, up to today, that a correction took away: the employee may have relied on them. */
export type Rescission = { enrollment_id: string; lost_from: Day; lost_until: Day }
