import { Refusal } from '../../../kernel/refusal.ts'
import { coverage_tiers, type CoverageTier } from '../../directory/catalog/schemas.ts'
import { addCost, type Cost, costOf, no_cost, type Person, type Pricing } from '../plan-years/contribution-rules.ts'
import { type Offer, refusals, type RenewalTerms } from '../plan-years/offer-rules.ts'
import type { ProposedCosts, Scenario } from './schemas.ts'

/**
 * Enrollments with the same price: of one plan and coverage level, and for ICHRA of people with the same facts. `cost`
 * is their sum per month, and `premium_in_cents` the premium of each.
 */
export type EnrolledGroup = {
  benefit_id: string
  benefit_name: string
  plan_id: string
  plan_name: string
  coverage_tier: CoverageTier
  enrollment_count: number
  premium_in_cents: number
  cost: Cost
  /** Null for benefits other than ICHRA, whose cost does not depend on the person. */
  person: Person | null
}

/** The next plan year at the prices of the catalog. */
export type NextYear = { year: Pick<RenewalTerms, 'plan_successors'>; offers: Offer[] }

const months_in_year = 12

/** Returns why a scenario does not fit the offers of the next plan year. `at` is its position in the request. */
export function whyNotPropose({ rates = [], benefits = [] }: Scenario, offers: Offer[], at: number) {
  const pricingOf = (plan_id: string): Pricing | 'none' => {
    const rate = offers.flatMap((offer) => offer.rates).find((candidate) => candidate.plan_id === plan_id)
    return rate ? (rate.pricing ?? 'tier') : 'none'
  }
  for (const [index, { benefit_plan_id }] of rates.entries())
    if (pricingOf(benefit_plan_id) !== 'tier') {
      const field = `scenarios[${at}].rates[${index}].benefit_plan_id`
      return new Refusal(refusals.unknown_plan, [
        { field, message: 'is not a plan of the plan year with rates by tier' },
      ])
    }
  for (const [index, { benefit_id, contribution_tiers }] of benefits.entries()) {
    const offer = offers.find((candidate) => candidate.benefit_id === benefit_id)
    const field = `scenarios[${at}].benefits[${index}]`
    if (!offer)
      return new Refusal(refusals.unknown_benefit, [
        { field: `${field}.benefit_id`, message: 'is not offered by the plan year' },
      ])
    if (contribution_tiers && offer.contribution_strategy.ichra_contribution_classes.length > 0)
      return new Refusal(refusals.contribution_does_not_fit, [
        { field: `${field}.contribution_tiers`, message: 'does not apply to this benefit' },
      ])
  }
  return undefined
}

/** The cost of the enrollments in the current plan year. */
export const currentCosts = (groups: EnrolledGroup[], employee_count: number): ProposedCosts =>
  costsOf(
    groups.map((group) => ({ group, cost: group.cost })),
    employee_count,
  )

/** The cost of the same enrollments in the next plan year, by a scenario. */
export const scenarioCosts = (
  scenario: Scenario,
  groups: EnrolledGroup[],
  { year: { plan_successors }, offers }: NextYear,
  employee_count: number,
  current: ProposedCosts,
): ProposedCosts =>
  costsOf(
    groups.map((group) => {
      const plan_id = plan_successors[group.plan_id] ?? group.plan_id
      const cost = costInScenario(scenario, { ...group, plan_id }, offers)
      return { group, cost: multiplied(cost, group.enrollment_count) }
    }),
    employee_count,
    current,
  )

/** The monthly cost of an enrollment in a scenario. Zero if its benefit or plan is no longer offered. */
function costInScenario(scenario: Scenario, group: EnrolledGroup, offers: Offer[]): Cost {
  const { benefit_id, plan_id, coverage_tier, person } = group
  const offer = offers.find((candidate) => candidate.benefit_id === benefit_id)
  const rate = offer?.rates.find(
    (candidate) => candidate.plan_id === plan_id && candidate.coverage_tier === coverage_tier,
  )
  if (!offer || !rate) return no_cost
  const pricing = rate.pricing ?? 'tier'
  const quoted = scenario.rates?.find(
    (rate_input) => rate_input.benefit_plan_id === plan_id && rate_input.coverage_tier === coverage_tier,
  )?.premium_in_cents
  const terms = scenario.benefits?.find((benefit) => benefit.benefit_id === benefit_id)
  const change = terms?.premium_change_percent ?? scenario.premium_change_percent ?? 0
  const base = pricing === 'tier' ? rate.premium_in_cents : group.premium_in_cents
  const premium_in_cents = quoted ?? changedBy(base, change)
  const strategy = terms?.contribution_tiers
    ? { contribution_tiers: terms.contribution_tiers, ichra_contribution_classes: [] }
    : offer.contribution_strategy
  return costOf({ premium_in_cents, coverage_tier, pricing }, strategy, person)
}

/** Rounds half up, once. Hundredths of a percent are integers, so the arithmetic is exact. */
function changedBy(premium: number, percent: number): number {
  const hundredths = BigInt(Math.round(percent * 100)) + 10_000n
  return Number((BigInt(premium) * hundredths + 5_000n) / 10_000n)
}

type PricedGroup = { group: EnrolledGroup; cost: Cost }

function costsOf(priced: PricedGroup[], employee_count: number, current?: ProposedCosts): ProposedCosts {
  const year = multiplied(sumOf(priced), months_in_year)
  return {
    per_year: { ...year, ...changesFrom(current?.per_year, year) },
    per_head: averageOf(year, employee_count),
    tiers: coverage_tiers.flatMap((coverage_tier) => {
      const tier = priced.filter(({ group }) => group.coverage_tier === coverage_tier)
      if (tier.length === 0) return []
      const cost = multiplied(sumOf(tier), months_in_year)
      const before = current?.tiers.find((current_tier) => current_tier.coverage_tier === coverage_tier)
      return { coverage_tier, enrollment_count: countOf(tier), ...cost, ...changesFrom(before, cost) }
    }),
    plans: [...Map.groupBy(priced, planAndTier).values()].map((plan) => {
      const { benefit_id, benefit_name, plan_id, plan_name, coverage_tier } = plan[0]!.group
      return {
        benefit_id,
        benefit_name,
        benefit_plan_id: plan_id,
        benefit_plan_name: plan_name,
        coverage_tier,
        enrollment_count: countOf(plan),
        ...averageOf(sumOf(plan), countOf(plan)),
      }
    }),
  }
}

const planAndTier = ({ group: { plan_id, coverage_tier } }: PricedGroup): string => `${plan_id} ${coverage_tier}`

const countOf = (priced: PricedGroup[]): number => priced.reduce((sum, { group }) => sum + group.enrollment_count, 0)

const sumOf = (priced: PricedGroup[]): Cost => priced.reduce((sum, { cost }) => addCost(sum, cost), no_cost)

const multiplied = (cost: Cost, factor: number): Cost => ({
  premium_in_cents: cost.premium_in_cents * factor,
  employer_contribution_in_cents: cost.employer_contribution_in_cents * factor,
  employee_deduction_in_cents: cost.employee_deduction_in_cents * factor,
})

/** Rounds each amount half up. The parts can differ from the premium by a cent. */
const averageOf = (cost: Cost, count: number): Cost => {
  const part = (cents: number) => (count === 0 ? 0 : Math.floor((2 * cents + count) / (2 * count)))
  return {
    premium_in_cents: part(cost.premium_in_cents),
    employer_contribution_in_cents: part(cost.employer_contribution_in_cents),
    employee_deduction_in_cents: part(cost.employee_deduction_in_cents),
  }
}

const changesFrom = (before: Cost | undefined, after: Cost) => ({
  premium_change_percent: changeOf(before?.premium_in_cents, after.premium_in_cents),
  employer_change_percent: changeOf(before?.employer_contribution_in_cents, after.employer_contribution_in_cents),
  employee_change_percent: changeOf(before?.employee_deduction_in_cents, after.employee_deduction_in_cents),
})

/** A change in percent with one decimal. Null if there was nothing before. */
const changeOf = (before: number | undefined, after: number): number | null =>
  before ? Math.round(((after - before) / before) * 1000) / 10 : null
