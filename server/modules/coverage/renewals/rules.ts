import { ageOn, type Day } from '../../../kernel/days.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { premiumFor, type Price } from '../elections/price-rules.ts'
import { partnersShare, type DependentFacts } from '../elections/rules.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import type { AreaRate } from '../../directory/ichra/rules.ts'
import { costOf, type Cost, type Pricing } from '../plan-years/contribution-rules.ts'
import type { ContributionStrategy } from '../plan-years/contribution-schemas.ts'

/** The reasons why an employee is not carried over, as returned by `judge-renewal.sql`. */
export const renewal_reasons = [
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

/** The possible outcomes of a renewal for an employee and a benefit. */
export const renewal_outcomes = ['carried', 'answered', 'lapses', 'not_carried'] as const

/** The renewal decision for an employee and a benefit. */
export type RenewalJudgement = {
  employee_id: string
  benefit_id: string
  former_enrollment_id: string | null
  former_plan_id: string | null
  former_tier: CoverageTier | null
  /** The enrollment in the plan year. Null until one is granted. */
  enrollment_id: string | null
  /** The existing answer for the plan year. */
  answer: 'enrolled' | 'waived' | null
  elected_by: string | null
  outcome: (typeof renewal_outcomes)[number]
  reason: (typeof renewal_reasons)[number] | null
  /** The answer that would be carried over. */
  carries: 'enrolled' | 'waived'
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  coverage_start: Day | null
  /** The plan, coverage level, price and dependents that are carried over. All null for a waiver. */
  plan_id: string | null
  coverage_tier: CoverageTier | null
  tier_id: string | null
  premium_in_cents: number | null
  pricing: Pricing | null
  amendment_id: string | null
  /**
   * For a coverage level with a domestic partner, the price of the plan for the others. Null if that coverage level is
   * not offered.
   */
  price_without_partner: Pick<Price, 'coverage_tier' | 'tier_id' | 'premium_in_cents'> | null
  /** For a plan priced by age, the rates of the area where the employee lives. */
  rates: AreaRate[] | null
  /** The reported premium of a plan that the employee bought. */
  reported_premium_in_cents: number | null
  individual_plan_name: string | null
  bought_on_exchange: boolean | null
  dependents: DependentFacts[] | null
  /** The dependents in the previous election without possible coverage at the start. */
  removed_dependent_ids: string[] | null
  contribution_strategy: ContributionStrategy | null
  date_of_birth: Day
  state: string | null
  employee_class: string
}

type RenewedElection = Cost & {
  plan_id: string
  coverage_tier: CoverageTier
  tier_id: string | null
  amendment_id: string | null
  domestic_partner_share_in_cents: number
  individual_plan_name: string | null
  bought_on_exchange: boolean | null
  covered: { dependent_id: string; covered_until: Day | null }[]
  removed_dependent_ids: string[]
}

/**
 * The election that is carried over, at the price of the new plan year. Undefined for a waiver, if nothing is carried
 * over, and if the plan has no premium for all covered people. A plan that the employee bought costs the last reported
 * premium.
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
    individual_plan_name: pricing === 'reported' ? individual_plan_name : null,
    bought_on_exchange,
    covered: dependents.map(({ id, covered_until }) => ({ dependent_id: id, covered_until })),
    removed_dependent_ids: judged.removed_dependent_ids ?? [],
    ...cost,
    domestic_partner_share_in_cents: others.length < dependents.length ? partnersShare(cost, without) : 0,
  }
}

/** The cost of the carried plan for these people. Undefined if it has no premium for all of them. */
function costFor(
  judged: RenewalJudgement,
  price: Pick<Price, 'coverage_tier' | 'tier_id' | 'premium_in_cents'>,
  dependents: DependentFacts[],
  start: Day,
): Cost | undefined {
  const { rates, date_of_birth, state, employee_class, reported_premium_in_cents, individual_plan_name: name } = judged
  const { coverage_tier } = price
  const pricing = judged.pricing!
  const individual_plan =
    name !== null && reported_premium_in_cents !== null
      ? { name, premium_in_cents: reported_premium_in_cents }
      : undefined
  const premium_in_cents = premiumFor(
    { ...price, pricing, rates },
    { date_of_birth, dependents },
    { coverage_tier, dependent_ids: dependents.map(({ id }) => id) },
    start,
    { individual_plan, bought_on_exchange: judged.bought_on_exchange ?? undefined },
  )
  if (premium_in_cents === undefined) return undefined
  const person = { employee_class, age: ageOn(date_of_birth, start), state }
  return costOf({ premium_in_cents, coverage_tier, pricing }, judged.contribution_strategy!, person)
}

/** Applies prices to a renewal decision. An election without a premium for all covered people is not carried over. */
export const withPrice = <Judged extends RenewalJudgement>(judged: Judged): Judged =>
  judged.outcome === 'carried' && judged.answer === null && judged.carries === 'enrolled' && !renewedElection(judged)
    ? { ...judged, outcome: 'lapses', reason: 'no_premium' }
    : judged

/** The existing election in the plan year. */
export type StoredElection = Cost & { plan_id: string; coverage_tier: CoverageTier; dependent_ids: string[] }

/** The facts about a plan year that its renewal depends on. */
export type RenewingYear = {
  id: string
  organization_id: string
  employer_id: string
  coverage_start: Day
  due_on: Day
  renewal: 'passive' | 'active'
  renewed_on: Day | null
  /** Whether enrollments of the plan year are granted today. */
  grants: boolean
}

/**
 * Whether employees can be carried over into a plan year today: at any time from the day on which the renewal is due.
 */
export const isRenewalOpen = ({ renewal, due_on }: RenewingYear, today: Day): boolean =>
  renewal === 'passive' && due_on <= today

/** Whether the plan year must be renewed today for all employees. */
export const isDue = (year: RenewingYear, today: Day): boolean => year.renewed_on === null && isRenewalOpen(year, today)

/** Whether coverage is about to end with the previous plan year, and an answer can still continue it. */
export const isLapsing = (judged: RenewalJudgement, { coverage_start }: RenewingYear, today: Day): boolean =>
  judged.outcome === 'lapses' && judged.enrollment_id !== null && today < coverage_start

/** The current or future election in the plan year, as a report shows it. */
export function shownElection(judged: RenewalJudgement, stored: StoredElection | null) {
  const renewed = renewedElection(judged)
  const election =
    stored ?? (renewed && { ...renewed, dependent_ids: renewed.covered.map((person) => person.dependent_id) })
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
