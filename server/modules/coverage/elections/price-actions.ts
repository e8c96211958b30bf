import type { Ctx } from '../../../runtime/ctx.ts'
import {
  listAmended,
  listEnrollmentFacts,
  listPlanYearPrices,
  listPricesOf,
  savePriced,
  type PlanYearPrice,
} from './price-queries.ts'
import { electionChangesOf, pricedElections, type PricedElection } from './price-rules.ts'
import type { FoundFacts } from './queries.ts'

type PricedEnrollment = { enrollment: FoundFacts; elections: PricedElection[] }

/** Calculates the elections of enrollments at the prices of their plan years. Writes nothing. */
export async function priceEnrollments(
  ctx: Ctx,
  organization_id: string,
  enrollments: FoundFacts[],
  listed: PlanYearPrice[],
): Promise<PricedEnrollment[]> {
  const prices = await listPricesOf(ctx, organization_id, enrollments, listed)
  return enrollments.map((enrollment) => ({
    enrollment,
    elections: pricedElections(enrollment, prices.get(enrollment.id)!),
  }))
}

/**
 * Updates the elections of enrollments to the stored prices of their plan years. Returns the enrollments that changed.
 * A second run changes nothing. The organization must be locked.
 */
export async function repriceElections(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
): Promise<FoundFacts[]> {
  if (enrollment_ids.length === 0) return []
  const enrollments = await listEnrollmentFacts(ctx, { organization_id, enrollment_ids })
  const listed = await listPlanYearPrices(ctx, organization_id, enrollment_ids)
  const changes = (await priceEnrollments(ctx, organization_id, enrollments, listed)).flatMap(
    ({ enrollment, elections }) => {
      const change = electionChangesOf(enrollment.elections, elections)
      return change ? [{ ...change, enrollment_id: enrollment.id, enrollment }] : []
    },
  )
  await savePriced(ctx, organization_id, changes)
  return changes.map(({ enrollment }) => enrollment)
}

/** The same, only for enrollments in amended benefits. */
export const repriceAmendedElections = async (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  repriceElections(ctx, organization_id, await listAmended(ctx, { organization_id, enrollment_ids }))
