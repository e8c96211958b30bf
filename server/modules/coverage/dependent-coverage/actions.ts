import { lastOf } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { followPrices } from '../elections/amended-actions.ts'
import { isAmended, withoutPriceSteps } from '../elections/amended-rules.ts'
import { costOn, price, priceOf } from '../elections/price-rules.ts'
import { deleteFollowing, findEnrollmentFacts, insertElections, listPrices } from '../elections/queries.ts'
import type { EnrollmentKey } from '../enrollments/queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { openWindowsOfLeavers } from '../life-events/actions.ts'
import { followingSteps, isFollowed, toldBefore, type FollowingStep } from './rules.ts'
import { deleteEnds, listEnding, listLosing, listNaming, saveEnds } from './queries.ts'

/** Dependents in one transaction: each enrollment that names them is priced by itself. */
const chunk_size = 100

/**
 * What follows when coverage of dependents ends, or turns out not to: it is told ahead and on the day, each end once,
 * and so is that it goes on after all; their enrollments go on without them in the tier that fits, and their employees
 * may choose again. Run again it changes nothing. The organization is locked.
 */
export async function followEnds(ctx: Ctx, organization_id: string, dependent_ids: string[]): Promise<void> {
  if (dependent_ids.length === 0) return
  const changed: string[] = []
  for (const enrollment of await listNaming(ctx, organization_id, dependent_ids))
    if (await followDependents(ctx, enrollment)) changed.push(enrollment.enrollment_id)
  const reinstated = await deleteEnds(ctx, organization_id, dependent_ids)
  const ends = await saveEnds(ctx, organization_id, dependent_ids)
  await recordEvidence(
    ctx,
    organization_id,
    changed.map((enrollment_id) => ({ enrollment_id, action: 'dependents_changed', by: 'rule' })),
  )
  await recordEvents(
    ctx,
    [...reinstated, ...ends].map(({ dependent_id, told }) => ({
      event_name: `dependent.coverage_${told}`,
      organization_id,
      resource_id: dependent_id,
    })),
  )
  if (changed.length > 0 || ends.some(({ told }) => told === 'ended'))
    await openWindowsOfLeavers(ctx, organization_id, await listLosing(ctx, organization_id, dependent_ids))
}

/**
 * Brings the elections of an enrollment into step with who can be covered today, at the prices of its plan year: those
 * whose coverage has ended drop out, those who did not leave after all are back. True when that changed anything; run
 * again it changes nothing. The organization is locked.
 */
async function followDependents(ctx: Ctx, key: EnrollmentKey): Promise<boolean> {
  const found = (await findEnrollmentFacts(ctx, key.enrollment_id))!
  const enrollment = { ...found, elections: withoutPriceSteps(found.elections) }
  const prices = await listPrices(ctx, enrollment)
  const start = enrollment.coverage_start
  const steps = followingSteps(enrollment, (choice, day) => priceOf(prices, choice, day) !== undefined, ctx.today)
  if (isFollowed(enrollment, steps)) return false
  const told = (step: FollowingStep) => toldBefore(enrollment, step)
  // What is listed no more has no price: then it stays as it is until it is elected anew.
  if (steps.some((step) => !costOn(enrollment, prices, told(step), step, start))) return false
  const elections = steps.map((step) => ({
    ...price(enrollment, prices, told(step), step, start),
    effective_on: step.effective_on,
    follows: step.follows,
    left_dependent_ids: step.left_dependent_ids,
  }))
  const days = elections.map(({ effective_on }) => effective_on)
  const made = await deleteFollowing(ctx, enrollment, days)
  await insertElections(
    ctx,
    enrollment,
    elections.map((one) => ({ ...one, made: made.get(one.effective_on) })),
    null,
  )
  if (isAmended(prices)) await followPrices(ctx, key.organization_id, [key.enrollment_id])
  return true
}

/** The daily run: coverage of dependents ends, or does so soon. */
export async function dailyEnds(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const few = { ...chunk, most: Math.min(chunk.most, chunk_size) }
  const dependent_ids = await listEnding(ctx, organization_id, few)
  await followEnds(ctx, organization_id, dependent_ids)
  return lastOf(dependent_ids, few)
}

/** What follows from a change of dependents, or of who is covered. */
export const followSoon = (
  runtime: Runtime,
  { organization_id, dependent_ids }: { organization_id: string; dependent_ids: string[] },
): Promise<void> => inOrganization(runtime, organization_id, (ctx) => followEnds(ctx, organization_id, dependent_ids))
