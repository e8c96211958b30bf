import type { Day } from '../../kernel/days.ts'
import { declareRefusals, type Refusal, type RefusalKind } from '../../kernel/refusal.ts'
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

/** Up to which day, today at the latest, an enrollment has covered somebody; null when it has not. */
export type CoveredUntil = { enrollment_id: string; covered_until: Day | null }

/** Coverage that had been in force and is taken away: somebody may have relied on it. */
export type Rescission = { enrollment_id: string; covered_until: Day; covers_until: Day | null }

/** What a correction took away of the coverage that there had been. */
export function rescissionsOf(before: CoveredUntil[], after: CoveredUntil[]): Rescission[] {
  const now = new Map(after.map(({ enrollment_id, covered_until }) => [enrollment_id, covered_until]))
  return before.flatMap(({ enrollment_id, covered_until }) => {
    const covers_until = now.get(enrollment_id) ?? null
    if (covered_until === null || (covers_until !== null && covers_until >= covered_until)) return []
    return [{ enrollment_id, covered_until, covers_until }]
  })
}
