import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { listRivals } from '../elections/choice-queries.ts'
import { findEnrollmentFacts } from '../elections/queries.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveRequestedEnd } from '../enrollments/day-queries.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { requestedEnd, whyNotReissue, whyNotTerminate } from './rules.ts'
import type { EnrollmentReissue, EnrollmentTermination } from './schemas.ts'

/**
 * Ends coverage that was elected with the end of a month, in the window of a life event: 409 outside of one, for what
 * was not elected, has not begun or ends by then already. An earlier end that the rules know of still comes first.
 */
export async function terminateEnrollment(ctx: Ctx, key: EnrollmentKey, said: EnrollmentTermination): Promise<void> {
  const enrollment = (await findEnrollmentFacts(ctx, key.enrollment_id))!
  const { id, organization_id, employee_id } = enrollment
  refuse(whyNotTerminate(enrollment, said, ctx.today))
  await saveRequestedEnd(ctx, key, requestedEnd(said, ctx.today))
  await recordEvidence(ctx, organization_id, [{ enrollment_id: id, action: 'terminated', reason: said.reason ?? null }])
  await recordEvents(ctx, [{ event_name: 'enrollment.termination_rescheduled', organization_id, resource_id: id }])
  await recalculate(ctx, organization_id, [employee_id])
}

/**
 * Opens anew what was ended on request, as if it had not been: 409 for anything else, and for partners outside of the
 * window of a life event or more than 60 days after the last day.
 */
export async function reissueEnrollment(
  ctx: Ctx,
  key: EnrollmentKey,
  { reason }: EnrollmentReissue,
  by: 'partner' | 'operator' = 'partner',
): Promise<void> {
  const enrollment = (await findEnrollmentFacts(ctx, key.enrollment_id))!
  const { id, organization_id, employee_id, plan_year_end } = enrollment
  refuse(whyNotReissue(enrollment, await listRivals(ctx, enrollment), ctx.today, by))
  await saveRequestedEnd(ctx, key, null)
  await recordEvidence(ctx, organization_id, [{ enrollment_id: id, action: 'reissued', reason: reason ?? null }])
  await recordEvents(ctx, [{ event_name: 'enrollment.reissued', organization_id, resource_id: id }])
  await recalculate(ctx, organization_id, [employee_id], plan_year_end)
}
