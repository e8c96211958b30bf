import { ageOn, type Day } from '../../../kernel/days.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { premiumFor, type Price } from '../elections/price-rules.ts'
import { partnersShare, type DependentFacts } from '../elections/rules.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import type { AreaRate } from '../../directory/ichra/rules.ts'
import { costOf, costOfOwn, type Cost, type Pricing } from '../plan-years/rules.ts'
import type { ContributionStrategy } from '../plan-years/schemas.ts'

/** Why somebody is not carried; what `judge-renewal.sql` says. */
export const reasons = [
  'coverage_ended',
  'nothing_to_carry',
  'benefit_not_offered',
  'not_eligible',
  'coverage_gap',
  'active_renewal',
  'choice_group',
  'plan_not_offered',
  'tier_not_offered',
  'no_premium',
  'after_renewal',
] as const
type RenewalReason = (typeof reasons)[number]

/** What becomes of somebody's coverage by a benefit in a plan year. */
export const outcomes = ['carried', 'answered', 'lapses', 'not_carried'] as const
type RenewalOutcome = (typeof outcomes)[number]

/** What a renewal does with somebody and a benefit. */
export type RenewalJudgement = {
  employee_id: string
  benefit_id: string
  former_enrollment_id: string | null
  former_plan_id: string | null
  former_tier: CoverageTier | null
  /** in the plan year; null while none is granted */
  enrollment_id: string | null
  /** the answer that there is for the plan year */
  answer: 'enrolled' | 'waived' | null
  elected_by: string | null
  outcome: RenewalOutcome
  reason: RenewalReason | null
  /** what would be carried */
  carries: 'enrolled' | 'waived'
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  coverage_start: Day | null
  /** the plan, tier and price that are carried, and the people; of a waiver all null */
  plan_id: string | null
  coverage_tier: CoverageTier | null
  tier_id: string | null
  premium_in_cents: number | null
  pricing: Pricing | null
  amendment_id: string | null
  /** of a tier with a partner: that of the others in the plan; null where it is not offered */
  price_without_partner: Pick<Price, 'coverage_tier' | 'tier_id' | 'premium_in_cents'> | null
  /** of a plan by ages: the list of where they live */
  rates: AreaRate[] | null
  /** what they had told of a plan that they bought */
  told_premium_in_cents: number | null
  individual_plan_name: string | null
  bought_on_exchange: boolean | null
  dependents: DependentFacts[] | null
  /** whom the former election covered, or would have, and who can be covered no more when coverage begins */
  left_dependent_ids: string[] | null
  contribution_strategy: ContributionStrategy | null
  date_of_birth: Day
  state: string | null
  employee_class: string
}

/** What is elected by a renewal, at its monthly cost. */
type RenewedElection = Cost & {
  plan_id: string
  coverage_tier: CoverageTier
  tier_id: string | null
  amendment_id: string | null
  domestic_partner_share_in_cents: number
  individual_plan_name: string | null
  bought_on_exchange: boolean | null
  covered: { dependent_id: string; covered_until: Day | null }[]
  left_dependent_ids: string[]
}

/**
 * What somebody is carried to, at the price of the plan year; undefined for a waiver, for who is not carried, and where
 * the plan has no premium for all who would be covered. What the person bought themselves costs what they told last.
 */
export function renewedElection(judged: RenewalJudgement): RenewedElection | undefined {
  const { outcome, carries, answer, plan_id, coverage_tier, tier_id, coverage_start } = judged
  if (outcome !== 'carried' || carries !== 'enrolled' || answer !== null) return undefined
  if (!plan_id || !coverage_tier || !coverage_start) return undefined
  const [dependents, premium_in_cents] = [judged.dependents!, judged.premium_in_cents!]
  const cost = costFor(judged, { coverage_tier, tier_id, premium_in_cents }, dependents, coverage_start)
  if (!cost) return undefined
  const { pricing, individual_plan_name, bought_on_exchange, price_without_partner } = judged
  const others = dependents.filter(({ relationship }) => relationship !== 'domestic_partner')
  const without = price_without_partner && costFor(judged, price_without_partner, others, coverage_start)
  return {
    plan_id,
    coverage_tier,
    tier_id: judged.rates ? null : tier_id,
    amendment_id: judged.amendment_id,
    individual_plan_name: pricing === 'told' ? individual_plan_name : null,
    bought_on_exchange,
    covered: dependents.map(({ id, covered_until }) => ({ dependent_id: id, covered_until })),
    left_dependent_ids: judged.left_dependent_ids ?? [],
    ...cost,
    domestic_partner_share_in_cents: others.length < dependents.length ? partnersShare(cost, without) : 0,
  }
}

/** What the plan that is carried costs for these people; undefined where it has no premium for all of them. */
function costFor(
  judged: RenewalJudgement,
  price: Pick<Price, 'coverage_tier' | 'tier_id' | 'premium_in_cents'>,
  dependents: DependentFacts[],
  start: Day,
): Cost | undefined {
  const { rates, date_of_birth, state, employee_class, told_premium_in_cents, individual_plan_name: name } = judged
  const { coverage_tier } = price
  const pricing = judged.pricing!
  const individual_plan =
    name !== null && told_premium_in_cents !== null ? { name, premium_in_cents: told_premium_in_cents } : undefined
  const premium_in_cents = premiumFor(
    { ...price, pricing, rates },
    { date_of_birth, dependents },
    { coverage_tier, dependent_ids: dependents.map(({ id }) => id) },
    start,
    { individual_plan, bought_on_exchange: judged.bought_on_exchange ?? undefined },
  )
  if (premium_in_cents === undefined) return undefined
  const costs = pricing === 'told' ? costOfOwn : costOf
  const person = { employee_class, age: ageOn(date_of_birth, start), state }
  return costs({ premium_in_cents, coverage_tier }, judged.contribution_strategy!, person)
}

/** A judgement once it is priced: who would be carried to what has no premium for them is not. */
export const withPrice = <Judged extends RenewalJudgement>(judged: Judged): Judged =>
  judged.outcome === 'carried' && judged.answer === null && judged.carries === 'enrolled' && !renewedElection(judged)
    ? { ...judged, outcome: 'lapses', reason: 'no_premium' }
    : judged

/** What is elected in the plan year already. */
export type StoredElection = Cost & { plan_id: string; coverage_tier: CoverageTier; dependent_ids: string[] }

/** A plan year as its renewal depends on it. */
export type RenewingYear = {
  id: string
  organization_id: string
  employer_id: string
  coverage_start: Day
  due_on: Day
  renewal: 'passive' | 'active'
  renewed_on: Day | null
  /** whether enrollments of it are granted today */
  grants: boolean
}

/** Whether who can be carried into a plan year is: from the day on which it is due, at any time. */
export const isCarrying = ({ renewal, due_on }: RenewingYear, today: Day): boolean =>
  renewal === 'passive' && due_on <= today

/** Whether a plan year is to be renewed today for everybody. */
export const isDue = (year: RenewingYear, today: Day): boolean => year.renewed_on === null && isCarrying(year, today)

/** Whether somebody's coverage is about to end with the former plan year, and an answer can still keep it. */
export const isLapsing = (judged: RenewalJudgement, { coverage_start }: RenewingYear, today: Day): boolean =>
  judged.outcome === 'lapses' && judged.enrollment_id !== null && today < coverage_start

/** What is, or will be, elected for somebody in the plan year, as a report shows it. */
export function shownElection(judged: RenewalJudgement, stored: StoredElection | null) {
  const renewed = renewedElection(judged)
  const election = stored ?? (renewed && { ...renewed, dependent_ids: renewed.covered.map((one) => one.dependent_id) })
  return {
    answer: judged.answer ?? (judged.outcome === 'carried' ? judged.carries : null),
    coverage_tier: election?.coverage_tier ?? null,
    premium_in_cents: election?.premium_in_cents ?? null,
    employer_contribution_in_cents: election?.employer_contribution_in_cents ?? null,
    employee_deduction_in_cents: election?.employee_deduction_in_cents ?? null,
    dependent_ids: election?.dependent_ids ?? [],
    elects: election !== undefined,
  }
}
