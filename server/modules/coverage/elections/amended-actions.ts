import type { Ctx } from '../../../runtime/ctx.ts'
import {
  listAmended,
  listAreaRatesOf,
  listEnrollmentFacts,
  listPlanYearPrices,
  savePriced,
  type PlanYearPrice,
} from './amended-queries.ts'
import { changesOf, pricedElections, type PricedElection } from './amended-rules.ts'
import type { Price } from './price-rules.ts'
import type { FoundFacts } from './queries.ts'

/** An enrollment with its elections as they are to be. */
export type PricedEnrollment = { enrollment: FoundFacts; elections: PricedElection[] }

/** The elections of enrollments as they are to be at prices of their plan years; writes nothing. */
export async function priceEnrollments(
  ctx: Ctx,
  organization_id: string,
  enrollments: FoundFacts[],
  listed: PlanYearPrice[],
): Promise<PricedEnrollment[]> {
  const ids = enrollments.map(({ id }) => id)
  const lists = new Map(
    (await listAreaRatesOf(ctx, organization_id, ids, listed)).map((list) => [
      `${list.enrollment_id} ${list.plan_id} ${list.effective_on}`,
      list.rates,
    ]),
  )
  const of_benefit = Map.groupBy(listed, ({ plan_year_id, benefit_id }) => `${plan_year_id} ${benefit_id}`)
  return enrollments.map((enrollment) => {
    const { id, plan_year_id, benefit_id } = enrollment
    const prices: Price[] = (of_benefit.get(`${plan_year_id} ${benefit_id}`) ?? []).map((price) => ({
      ...price,
      rates: lists.get(`${id} ${price.plan_id} ${price.effective_on}`) ?? null,
    }))
    return { enrollment, elections: pricedElections(enrollment, prices) }
  })
}

/**
 * Brings the elections of enrollments into step with the prices of their plan years, as these are stored; returns those
 * in which that changed anything. Run again it changes nothing. The organization is locked.
 */
export async function followPrices(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<FoundFacts[]> {
  if (enrollment_ids.length === 0) return []
  const enrollments = await listEnrollmentFacts(ctx, organization_id, enrollment_ids)
  const plan_year_ids = [...new Set(enrollments.map(({ plan_year_id }) => plan_year_id))]
  const listed = await listPlanYearPrices(ctx, organization_id, plan_year_ids)
  const changes = (await priceEnrollments(ctx, organization_id, enrollments, listed)).flatMap(
    ({ enrollment, elections }) => {
      const change = changesOf(enrollment.elections, elections)
      return change ? [{ ...change, enrollment_id: enrollment.id, enrollment }] : []
    },
  )
  await savePriced(ctx, organization_id, changes)
  return changes.map(({ enrollment }) => enrollment)
}

/** The same of those among them whose benefit was amended at all. */
export const followAmendedPrices = async (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  followPrices(ctx, organization_id, await listAmended(ctx, organization_id, enrollment_ids))
