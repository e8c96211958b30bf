import { isDeepStrictEqual } from 'node:util'
import type { Day } from '../../../kernel/days.ts'
import { Refusal, type RefusalKind, declareRefusals } from '../../../kernel/refusal.ts'
import { coverage_tiers } from '../../directory/catalog/schemas.ts'
import type { ContributionStrategy } from './contribution-schemas.ts'
import { type Premium, type Pricing, type ContributionClass, contributionRange } from './contribution-rules.ts'
import { max_plan_year_days } from './schemas.ts'

/** The first and last day of a plan year. */
type CoveragePeriod = { coverage_start: Day; coverage_end: Day }

/**
 * A coverage level with its price. For a plan priced by area, the lowest price for an employee alone, unless the plan
 * has a price for the coverage level.
 */
type TierPrice = Premium & { tier_id: string | null; pricing?: Pricing; area_version?: number | null }

/** A plan and coverage level with its price and the range of the employer contribution. */
export type Rate = TierPrice & {
  plan_id: string
  min_contribution_in_cents: number
  max_contribution_in_cents: number
}

export type Offer = {
  benefit_id: string
  starts_on: Day
  contribution_strategy: ContributionStrategy
  rates: Rate[]
  /** The group of benefits of which an employee can hold one at a time. Null if the benefit is in no group. */
  choice_group: string | null
}

/** A benefit in the request of the operator. Undefined fields have their defaults. */
export type OfferInput = {
  /** Whether it was copied from a plan year, so that it has no field in the request. */
  taken_over?: boolean
  benefit_id: string
  plan_ids?: string[] | undefined
  starts_on?: Day | undefined
  contribution_tiers?: ContributionStrategy['contribution_tiers'] | undefined
  ichra_contribution_classes?: ContributionStrategy['ichra_contribution_classes'] | undefined
  choice_group?: string | null | undefined
}

/** A plan of the catalog: its rates by coverage level on a day, and its rates by age and area for that day, if any. */
type CatalogPlan = {
  id: string
  rates: (Premium & { tier_id: string })[]
  area?: { version: number; lowest_in_cents: number } | null
  allowances: Omit<ContributionClass, 'name'>[]
}

/** A benefit of the catalog with the rates of its plans on a day. */
export type CatalogBenefit = { id: string; family: string; product_code?: string; plans: CatalogPlan[] }

/** The prices of a plan by coverage level. Empty if the catalog has no rate. */
export function pricesOf({ rates, area }: CatalogPlan, { product_code }: CatalogBenefit): TierPrice[] {
  if (area)
    return coverage_tiers.map((coverage_tier) => ({
      ...(rates.find((rate) => rate.coverage_tier === coverage_tier) ?? {
        coverage_tier,
        tier_id: null,
        premium_in_cents: area.lowest_in_cents,
      }),
      pricing: 'area',
      area_version: area.version,
    }))
  if (rates.length > 0 || product_code !== 'ICHRA_REIMBURSEMENT_ONLY') return rates
  return coverage_tiers.map((coverage_tier) => ({
    coverage_tier,
    tier_id: null,
    premium_in_cents: 0,
    pricing: 'reported',
  }))
}

/** Returns why a benefit can't be offered. `field` is its position in the request, if it was part of the request. */
export function whyNotOffer(
  input: OfferInput,
  benefit: CatalogBenefit | undefined,
  year: CoveragePeriod,
  field: string,
): Refusal | undefined {
  const no = (kind: RefusalKind, name: string, message: string, subject = name) => {
    const whole = { field: '', message: `benefit ${input.benefit_id}: ${subject} ${message}` }
    return new Refusal(kind, [input.taken_over ? whole : { field: `${field}.${name}`, message }])
  }
  if (!benefit) return no(refusals.unknown_benefit, 'benefit_id', "is not in the organization's catalog")
  const missing = input.plan_ids?.findIndex((id) => !benefit.plans.some((plan) => plan.id === id)) ?? -1
  if (missing >= 0) return no(refusals.unknown_plan, `plan_ids[${missing}]`, 'is not a plan of the benefit')
  const plans = plansOf(input, benefit)
  if (plans.length === 0) return no(refusals.plan_has_no_rate, 'benefit_id', 'has no plan with a rate')
  const unpriced = plans.findIndex((plan) => pricesOf(plan, benefit).length === 0)
  const { coverage_start, coverage_end } = year
  if (unpriced >= 0)
    return no(
      refusals.plan_has_no_rate,
      `plan_ids[${unpriced}]`,
      `has no rate on ${coverage_start}`,
      `plan ${plans[unpriced]!.id}`,
    )
  const starts_on = input.starts_on ?? coverage_start
  if (starts_on < coverage_start || starts_on > coverage_end)
    return no(refusals.invalid_plan_year, 'starts_on', 'must be within the plan year')

  const unfit = benefit.family === 'ichra' ? 'contribution_tiers' : 'ichra_contribution_classes'
  if (input[unfit]?.length) return no(refusals.contribution_does_not_fit, unfit, 'does not apply to this benefit')
  const needed = benefit.family === 'ichra' && classesOf(input, plans).length === 0
  return needed ? no(refusals.contribution_missing, 'ichra_contribution_classes', 'is required') : undefined
}

/** The requested plans in their order, or all plans that have a rate. */
const plansOf = ({ plan_ids }: OfferInput, benefit: CatalogBenefit) =>
  plan_ids?.map((id) => benefit.plans.find((plan) => plan.id === id)!) ??
  benefit.plans.filter((plan) => pricesOf(plan, benefit).length > 0)

/** The requested classes, or the allowances of the catalog if all plans have the same ones. */
function classesOf({ ichra_contribution_classes: input }: OfferInput, plans: CatalogBenefit['plans']) {
  if (input !== undefined) return input
  const [first, ...others] = plans.map((plan) => plan.allowances)
  if (!first || !others.every((allowances) => isDeepStrictEqual(allowances, first))) return []
  return first.map((allowance) => ({ name: nameOf(allowance), ...allowance }))
}

function nameOf({ employee_class, min_age, max_age, state, coverage_tier }: Omit<ContributionClass, 'name'>): string {
  const ages = min_age === null && max_age === null ? null : `${min_age ?? 0} to ${max_age ?? 'any age'}`
  return [employee_class, ages, state, coverage_tier].filter((part) => part !== null).join(', ') || 'Everybody'
}

/** Creates an offer at the prices of the catalog. Call it only if `whyNotOffer` returns nothing. */
export function offerOf(input: OfferInput, benefit: CatalogBenefit, year: CoveragePeriod): Omit<Offer, 'choice_group'> {
  const plans = plansOf(input, benefit)
  const contribution_strategy = {
    contribution_tiers: input.contribution_tiers ?? [],
    ichra_contribution_classes: benefit.family === 'ichra' ? classesOf(input, plans) : [],
  }
  const rates = plans.flatMap((plan) =>
    pricesOf(plan, benefit).map((rate) => {
      const { least, most } = contributionRange(rate, contribution_strategy)
      return { ...rate, plan_id: plan.id, min_contribution_in_cents: least, max_contribution_in_cents: most }
    }),
  )
  return { benefit_id: benefit.id, starts_on: input.starts_on ?? year.coverage_start, contribution_strategy, rates }
}

/** Converts an offer to a request for other days. A benefit that began with its plan year does so again. */
export const offerInputOf = (
  { benefit_id, starts_on, contribution_strategy, rates, choice_group }: Offer,
  former: CoveragePeriod,
): OfferInput => ({
  taken_over: true,
  benefit_id,
  choice_group,
  plan_ids: [...new Set(rates.map((rate) => rate.plan_id))],
  starts_on: starts_on === former.coverage_start ? undefined : starts_on,
  ...contribution_strategy,
})

/** Benefits of a plan year of which an employee may hold one at a time. */
export type ChoiceGroup = { name: string; benefit_ids: string[] }

/** The group of a benefit: the requested one, or the default one. Null for no group. */
export function groupOf({ choice_group }: Pick<OfferInput, 'choice_group'>, { product_code = '' }: CatalogBenefit) {
  if (choice_group !== undefined) return choice_group
  return product_code === 'EBA' || /^(MEC|MVP|ICHRA)/.test(product_code) ? 'medical' : null
}

/** Returns why benefits can't form these groups. A group can only contain benefits that the plan year offers. */
export function whyNotGroup(groups: ChoiceGroup[], offered: string[]): Refusal | undefined {
  const details = groups.flatMap(({ benefit_ids }, index) =>
    benefit_ids.flatMap((id, position) =>
      offered.includes(id)
        ? []
        : [{ field: `choice_groups[${index}].benefit_ids[${position}]`, message: 'is not offered by the plan year' }],
    ),
  )
  return details.length > 0 ? new Refusal(refusals.invalid_choice_groups, details) : undefined
}

/** Adds to each benefit its requested group, or the group that it had in `before`. */
export const withGroups = (
  input: OfferInput[],
  groups: ChoiceGroup[] | undefined,
  before: Pick<Offer, 'benefit_id' | 'choice_group'>[] = [],
): OfferInput[] =>
  input.map((benefit_input) => {
    const { choice_group } = before.find(({ benefit_id }) => benefit_id === benefit_input.benefit_id) ?? benefit_input
    const named = groups?.find(({ benefit_ids }) => benefit_ids.includes(benefit_input.benefit_id))?.name ?? null
    return { ...benefit_input, choice_group: groups ? named : choice_group }
  })

/** How a plan year continues the previous one. */
export type RenewalTerms = {
  renewal: 'passive' | 'active'
  /** For plans that are no longer offered, the previous plan id with the id of the new plan. */
  plan_successors: Record<string, string>
}

export type PlanOfBenefit = { benefit_id: string; plan_id: string }

/**
 * Returns why plans can't have these successors, given the plans that were offered before and those that are offered
 * now.
 */
export function whyNotSucceed(
  successors: Record<string, string>,
  before: PlanOfBenefit[],
  now: PlanOfBenefit[],
): Refusal | undefined {
  const details = Object.entries(successors).flatMap(([plan_id, successor_id]) => {
    const field = `plan_successors.${plan_id}`
    const former = before.find((plan) => plan.plan_id === plan_id)
    if (!former) return [{ field, message: 'is not a plan of the previous plan year' }]
    if (now.some((plan) => plan.plan_id === plan_id)) return [{ field, message: 'is still offered' }]
    const follows = now.some((plan) => plan.plan_id === successor_id && plan.benefit_id === former.benefit_id)
    return follows ? [] : [{ field, message: 'must be replaced by an offered plan of the same benefit' }]
  })
  return details.length > 0 ? new Refusal(refusals.invalid_plan_successors, details) : undefined
}

export const plansOffered = (offers: Pick<Offer, 'benefit_id' | 'rates'>[]): PlanOfBenefit[] =>
  offers.flatMap(({ benefit_id, rates }) =>
    [...new Set(rates.map(({ plan_id }) => plan_id))].map((plan_id) => ({ benefit_id, plan_id })),
  )

/** Replaces the plans in an offer that are no longer offered by their successors. */
export const withSuccessors = (input: OfferInput, successors: Record<string, string>): OfferInput => ({
  ...input,
  plan_ids: input.plan_ids && [...new Set(input.plan_ids.map((plan_id) => successors[plan_id] ?? plan_id))],
})

export const plansWithPrice = (input: OfferInput[], catalog: CatalogBenefit[]): PlanOfBenefit[] =>
  input.flatMap(({ benefit_id, plan_ids = [] }) => {
    const benefit = catalog.find(({ id }) => id === benefit_id)
    const plans = benefit?.plans.filter((plan) => pricesOf(plan, benefit).length > 0) ?? []
    return plan_ids.filter((id) => plans.some((plan) => plan.id === id)).map((plan_id) => ({ benefit_id, plan_id }))
  })

export const refusals = declareRefusals({
  plan_year_overlaps: [
    409,
    'Another plan year of the employer offers one of the benefits at the same time.',
    'Begin the plan year after the other one ends, or offer other benefits.',
  ],
  plan_year_has_started: [
    409,
    "The plan year has started and can't change.",
    'Amend it starting on a later day, or change the next plan year.',
  ],
  plan_year_is_amended: [
    409,
    'The plan year has amendments.',
    'Withdraw the amendments first, starting with the last one, or add another amendment.',
  ],
  plan_year_has_elections: [
    409,
    "An employee has already elected, so the coverage dates and the existing offers can't change.",
    'Keep the days and benefits. You can still add benefits that no employee has elected.',
  ],
  invalid_plan_year: [
    422,
    'These dates do not form a valid plan year.',
    `Fix the fields listed in \`details\`. A plan year has at most ${max_plan_year_days} days, and open enrollment ` +
      'must end within it.',
  ],
  unknown_benefit: [
    422,
    "The organization's catalog has no such benefit.",
    'Use a benefit of the catalog, or import it first.',
  ],
  unknown_plan: [
    422,
    'The benefit does not have this plan.',
    'Use a plan of that benefit from the catalog, or import it first.',
  ],
  plan_has_no_rate: [
    422,
    'The catalog has no rate for the plan on the first day of the plan year.',
    'Import a premium that applies on the first day.',
  ],
  contribution_does_not_fit: [
    422,
    'ICHRA requires contribution classes. Every other benefit requires contribution tiers.',
    'Send `ichra_contribution_classes` for ICHRA, and `contribution_tiers` for all other benefits.',
  ],
  contribution_missing: [
    422,
    'ICHRA requires contribution classes, because the allowances in the catalog are missing or differ by plan.',
    'Send `ichra_contribution_classes`.',
  ],
  invalid_choice_groups: [
    422,
    'A choice group can only contain benefits that the plan year offers.',
    'List benefits of the plan year, each in one group.',
  ],
  invalid_plan_successors: [
    422,
    'The successor of a plan that is no longer offered must be an offered plan of the same benefit.',
    'Send an offered plan of the same benefit for each plan that is no longer offered.',
  ],
})
