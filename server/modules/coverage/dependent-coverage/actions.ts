import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { repriceElections } from '../elections/price-actions.ts'
import { isAmended, withoutPriceSteps, costOn, price, priceOf } from '../elections/price-rules.ts'
import { deleteFollowing, findEnrollmentFacts, insertElections } from '../elections/queries.ts'
import { listPrices } from '../elections/price-queries.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { openWindowsForLostCoverage } from '../life-events/actions.ts'
import { dependentSteps, isFollowed, boughtPlanBefore, type FollowingStep } from './rules.ts'
import { deleteEnds, listEndingDependents, listCoverageLosses, listEnrollmentsNaming, saveEnds } from './queries.ts'

/** The number of dependents in one transaction. Each of their enrollments is priced separately. */
const chunk_size = 100

/**
 * Follows the last days of dependents, for example when a child reaches the age limit. The SQL function
 * `dependent_covered_until` contains the rule. A second run changes nothing. The organization must be locked.
 *
 * 1. Enrollments continue without the dependent, with the coverage level that fits the others (`dependentSteps` in
 * `rules.ts`), at the prices of the plan year. If the end is withdrawn, the dependent is covered again.
 * 2. Each end is published once ahead and once on the day (`dependent.coverage_ending`, `dependent.coverage_ended`),
 * and `dependent.coverage_reinstated` if it is withdrawn.
 * 3. The employee gets a window of 30 days (`openWindowsForLostCoverage` in `life-events/actions.ts`).
 *
 * The next statement and invoice carry the corrections, as after any change of an election.
 */
export async function endDependentCoverage(ctx: Ctx, organization_id: string, dependent_ids: string[]): Promise<void> {
  if (dependent_ids.length === 0) return
  const changed: string[] = []
  for (const enrollment of await listEnrollmentsNaming(ctx, { organization_id, dependent_ids }))
    if (await updateElections(ctx, enrollment)) changed.push(enrollment.enrollment_id)
  const reinstated = await deleteEnds(ctx, { organization_id, dependent_ids })
  const ends = await saveEnds(ctx, { organization_id, dependent_ids })
  await recordEvidence(
    ctx,
    organization_id,
    changed.map((enrollment_id) => ({ enrollment_id, action: 'dependents_changed', by: 'rule' })),
  )
  await recordEvents(
    ctx,
    [...reinstated, ...ends].map(({ dependent_id, change }) => ({
      event_name: `dependent.coverage_${change}`,
      organization_id,
      resource_id: dependent_id,
    })),
  )
  if (changed.length > 0 || ends.some(({ change }) => change === 'ended'))
    await openWindowsForLostCoverage(
      ctx,
      organization_id,
      await listCoverageLosses(ctx, { organization_id, dependent_ids }),
    )
}

/**
 * Updates the elections of an enrollment to the dependents with possible coverage today. Returns whether any changed.
 */
async function updateElections(ctx: Ctx, key: EnrollmentKey): Promise<boolean> {
  const found = (await findEnrollmentFacts(ctx, key))!
  const enrollment = { ...found, elections: withoutPriceSteps(found.elections) }
  const prices = await listPrices(ctx, enrollment)
  const start = enrollment.coverage_start
  const steps = dependentSteps(enrollment, (choice, day) => priceOf(prices, choice, day) !== undefined, ctx.today)
  if (isFollowed(enrollment, steps)) return false
  const reported = (step: FollowingStep) => boughtPlanBefore(enrollment, step)
  // A plan that is no longer offered has no price. The election then stays unchanged until the employee elects or
  // waives again.
  if (steps.some((step) => !costOn(enrollment, prices, reported(step), step, start))) return false
  const elections = steps.map((step) => ({
    ...price(enrollment, prices, reported(step), step, start),
    effective_on: step.effective_on,
    follows: step.follows,
    removed_dependent_ids: step.removed_dependent_ids,
  }))
  const days = elections.map(({ effective_on }) => effective_on)
  const made = await deleteFollowing(ctx, enrollment, days)
  await insertElections(
    ctx,
    enrollment,
    elections.map((election) => ({ ...election, made: made.get(election.effective_on) })),
    null,
  )
  if (isAmended(prices)) await repriceElections(ctx, key.organization_id, [key.enrollment_id])
  return true
}

/** The daily run: ends coverage of dependents, and announces ends. */
export async function dailyEnds(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const few = { ...chunk, most: Math.min(chunk.most, chunk_size) }
  const dependent_ids = await listEndingDependents(ctx, { organization_id, ...few })
  await endDependentCoverage(ctx, organization_id, dependent_ids)
  return lastOf(dependent_ids, few)
}

/** Updates coverage after a change of dependents, or of the people that an election covers. */
const enqueueCoverageUpdate = (
  runtime: Runtime,
  { organization_id, dependent_ids }: { organization_id: string; dependent_ids: string[] },
): Promise<void> =>
  inOrganization(runtime, organization_id, (ctx) => endDependentCoverage(ctx, organization_id, dependent_ids))

export const tasks = {
  follow_dependents: task(
    z.object({ organization_id: z.string(), dependent_ids: z.array(z.string()) }),
    enqueueCoverageUpdate,
  ),
}
