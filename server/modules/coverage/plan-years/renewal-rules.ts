import { Refusal } from '../../../kernel/refusal.ts'
import { refusals } from './refusal-rules.ts'
import { pricesOf, type CatalogBenefit, type Offer, type SaidOffer } from './rules.ts'

/** How a plan year follows on the one before. */
export type RenewalTerms = {
  renewal: 'passive' | 'active'
  /** former plan id to new plan id, of plans that are not offered again */
  plan_successors: Record<string, string>
}

/** A plan, and of which benefit. */
export type PlanOfBenefit = { benefit_id: string; plan_id: string }

/** Why plans can't be followed by others: by those that were offered before, and those that are offered now. */
export function whyNotSucceed(
  successors: Record<string, string>,
  before: PlanOfBenefit[],
  now: PlanOfBenefit[],
): Refusal | undefined {
  const details = Object.entries(successors).flatMap(([plan_id, successor_id]) => {
    const field = `plan_successors.${plan_id}`
    const former = before.find((plan) => plan.plan_id === plan_id)
    if (!former) return [{ field, message: 'is not a plan of the former plan year' }]
    if (now.some((plan) => plan.plan_id === plan_id)) return [{ field, message: 'is offered again' }]
    const follows = now.some((plan) => plan.plan_id === successor_id && plan.benefit_id === former.benefit_id)
    return follows ? [] : [{ field, message: 'must be followed by a plan that is offered with the same benefit' }]
  })
  return details.length > 0 ? new Refusal(refusals.invalid_plan_successors, details) : undefined
}

/** The plans of offers. */
export const plansOffered = (offers: Pick<Offer, 'benefit_id' | 'rates'>[]): PlanOfBenefit[] =>
  offers.flatMap(({ benefit_id, rates }) =>
    [...new Set(rates.map(({ plan_id }) => plan_id))].map((plan_id) => ({ benefit_id, plan_id })),
  )

/** An offer said again with plans in the place of those that are not offered any more. */
export const withSuccessors = (said: SaidOffer, successors: Record<string, string>): SaidOffer => ({
  ...said,
  plan_ids: said.plan_ids && [...new Set(said.plan_ids.map((plan_id) => successors[plan_id] ?? plan_id))],
})

/** Those plans that offers say and the catalog has at a price. */
export const plansWithPrice = (said: SaidOffer[], catalog: CatalogBenefit[]): PlanOfBenefit[] =>
  said.flatMap(({ benefit_id, plan_ids = [] }) => {
    const benefit = catalog.find(({ id }) => id === benefit_id)
    const plans = benefit?.plans.filter((plan) => pricesOf(plan, benefit).length > 0) ?? []
    return plan_ids.filter((id) => plans.some((plan) => plan.id === id)).map((plan_id) => ({ benefit_id, plan_id }))
  })
