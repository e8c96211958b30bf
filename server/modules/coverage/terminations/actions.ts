import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { listRivals, findEnrollmentFacts } from '../elections/queries.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveRequestedEnd } from '../enrollments/answer-queries.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { requestedEnd, whyNotReissue, whyNotTerminate } from './rules.ts'
import type { EnrollmentReissue, EnrollmentTermination } from './schemas.ts'

/**
 * Ends elected coverage at the end of a month, in the window of a life event. Refused with 409 outside of such a
 * window, and for coverage that was not elected, has not begun or already ends by then. An earlier end by the rules
 * takes precedence. The consequences are those of `recalculate` (`enrollments/actions.ts`).
 */
export async function terminateEnrollment(ctx: Ctx, key: EnrollmentKey, input: EnrollmentTermination): Promise<void> {
  const enrollment = (await findEnrollmentFacts(ctx, key))!
  const { id, organization_id, employee_id } = enrollment
  refuse(whyNotTerminate(enrollment, input, ctx.today))
  await saveRequestedEnd(ctx, { ...key, day: requestedEnd(input, ctx.today) })
  await recordEvidence(ctx, organization_id, [
    { enrollment_id: id, action: 'terminated', reason: input.reason ?? null },
  ])
  await recordEvents(ctx, [{ event_name: 'enrollment.termination_rescheduled', organization_id, resource_id: id }])
  await recalculate(ctx, organization_id, [employee_id])
}

/**
 * Reverses a requested end as if it had never been made. Refused with 409 for other ends, and for partners outside of
 * the window of a life event or more than `days_to_reissue` after the last day.
 */
export async function reissueEnrollment(
  ctx: Ctx,
  key: EnrollmentKey,
  { reason }: EnrollmentReissue,
  actor: 'partner' | 'operator' = 'partner',
): Promise<void> {
  const enrollment = (await findEnrollmentFacts(ctx, key))!
  const { id, organization_id, employee_id, plan_year_end } = enrollment
  refuse(whyNotReissue(enrollment, await listRivals(ctx, enrollment), ctx.today, actor))
  await saveRequestedEnd(ctx, { ...key, day: null })
  await recordEvidence(ctx, organization_id, [{ enrollment_id: id, action: 'reissued', reason: reason ?? null }])
  await recordEvents(ctx, [{ event_name: 'enrollment.reissued', organization_id, resource_id: id }])
  await recalculate(ctx, organization_id, [employee_id], { since: plan_year_end })
}
