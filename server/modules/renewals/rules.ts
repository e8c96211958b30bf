import { ageOn, type Day } from '../../kernel/days.ts'
import type { CoverageTier } from '../catalog/schemas.ts'
import { costOf, type Cost } from '../plan-years/rules.ts'
import type { ContributionStrategy } from '../plan-years/schemas.ts'

/** Why somebody is not carried; what `judge-renewal.sql` says. */
export const reasons = [
  'coverage_ended',
  'nothing_to_carry',
  'benefit_not_offered',
  'not_eligible',
  'coverage_gap',
  'active_renewal',
  'plan_not_offered',
  'tier_not_offered',
  'after_renewal',
] as const
type Reason = (typeof reasons)[number]

/** What becomes of somebody's coverage by a benefit in a plan year. */
export const outcomes = ['carried', 'answered', 'lapses', 'not_carried'] as const
type Outcome = (typeof outcomes)[number]

/** Somebody who may be covered with them, and could be in the former plan year. */
type CarriedDependent = { id: string; covered_until: Day | null }

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
  outcome: Outcome
  reason: Reason | null
  /** what would be carried */
  carries: 'enrolled' | 'waived'
  waiver_reason: string | null
  coverage_start: Day | null
  /** the plan, tier and price that are carried, and the people; of a waiver all null */
  plan_id: string | null
  coverage_tier: CoverageTier | null
  tier_id: string | null
  premium_in_cents: number | null
  dependents: CarriedDependent[] | null
  contribution_strategy: ContributionStrategy | null
  date_of_birth: Day
  state: string | null
  employee_class: string
}

/** What is elected by a renewal, at its monthly cost. */
export type RenewedElection = Cost & {
  plan_id: string
  coverage_tier: CoverageTier
  tier_id: string
  covered: { dependent_id: string; covered_until: Day | null }[]
}

/** What somebody is carried to, at the price of the plan year; undefined for a waiver, and for who is not carried. */
export function renewedElection(judged: RenewalJudgement): RenewedElection | undefined {
  const { outcome, carries, answer, plan_id, coverage_tier, tier_id, premium_in_cents, coverage_start } = judged
  if (outcome !== 'carried' || carries !== 'enrolled' || answer !== null) return undefined
  if (!plan_id || !coverage_tier || !tier_id || premium_in_cents === null || !coverage_start) return undefined
  const { employee_class, date_of_birth, state, contribution_strategy } = judged
  const person = { employee_class, age: ageOn(date_of_birth, coverage_start), state }
  const covered = judged.dependents!.map(({ id, covered_until }) => ({ dependent_id: id, covered_until }))
  const cost = costOf({ premium_in_cents, coverage_tier }, contribution_strategy!, person)
  return { plan_id, coverage_tier, tier_id, covered, ...cost }
}

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
}

/** Whether whoever can be carried into a plan year is to be carried today. */
export const isDue = ({ renewal, renewed_on, due_on }: RenewingYear, today: Day): boolean =>
  renewal === 'passive' && renewed_on === null && due_on <= today

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
