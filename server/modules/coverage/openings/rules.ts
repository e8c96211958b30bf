import type { GrantedOffer } from './queries.ts'
import { missingFiguresOf, type MissingFigure } from '../../directory/ichra/figure-rules.ts'
import { decideAffordability } from '../../directory/ichra/rules.ts'
import { addCost, no_cost } from '../plan-years/contribution-rules.ts'
import { ichraCostFor, missingFiguresFor } from '../plan-years/contribution-rules.ts'
import { shownElection, type RenewalJudgement } from '../renewals/rules.ts'
import type { OfferedAffordability, OfferedCost, PlanYearPreview, PreviewedOffer } from './schemas.ts'

/**
 * The outcome of a renewal for an employee, with its cost. `given` is the existing answer and election in the plan
 * year; `judged` is the renewal decision about the earlier coverage.
 */
export function renewalPreviewOf(
  judged: RenewalJudgement | undefined,
  given: { answer: PreviewedOffer['answer']; cost: OfferedCost | null },
): Pick<PreviewedOffer, 'outcome' | 'reason' | 'answer' | 'elected'> {
  const { cost: stored } = given
  if (!judged) return { outcome: given.answer && 'answered', reason: null, answer: given.answer, elected: stored }
  const { elects, answer, ...cost } = shownElection(judged, stored && { ...stored, dependent_ids: [] })
  const plan_id = stored?.plan_id ?? judged.plan_id
  const elected =
    elects && plan_id !== null
      ? {
          plan_id,
          coverage_tier: cost.coverage_tier!,
          premium_in_cents: cost.premium_in_cents!,
          employer_contribution_in_cents: cost.employer_contribution_in_cents!,
          employee_deduction_in_cents: cost.employee_deduction_in_cents!,
        }
      : null
  return { outcome: judged.outcome, reason: judged.reason, answer, elected }
}

/**
 * The lowest monthly cost for the employee alone, which determines affordability, and whether that cost is affordable.
 * It is the cost of the cheapest plan of minimum value, or for ICHRA that of the silver plan after the allowance. Null
 * for other benefits, and if a figure is missing.
 */
export function affordabilityAt({
  family,
  plans,
  affordability_facts: facts,
}: GrantedOffer): OfferedAffordability | null {
  if (!facts) return null
  const own = plans.flatMap(({ tiers }) => tiers.filter(({ coverage_tier }) => coverage_tier === 'EE'))
  const costs = own.flatMap(({ employee_deduction_in_cents: cents }) => cents ?? [])
  const cost = family === 'ichra' ? ichraCostFor(facts) : costs.length > 0 ? Math.min(...costs) : null
  const judged = cost === null ? null : decideAffordability(cost, facts)
  return judged && { ...judged, self_only_cost_in_cents: cost! }
}

/**
 * The figures that the affordability of a benefit needs and the service does not have. Null if the benefit has no
 * affordability.
 */
export function missingAt({ family, affordability_facts: facts }: GrantedOffer): MissingFigure[] | null {
  if (!facts) return null
  return family === 'ichra' ? missingFiguresFor(facts) : missingFiguresOf(facts.plan_year_start, facts.figures ?? [])
}

export class PlanYearTotals {
  readonly #granted = new Set<string>()
  readonly #carried = new Set<string>()
  readonly #lapsing = new Set<string>()
  readonly #affordable = new Set<string>()
  readonly #unaffordable = new Set<string>()
  #before = no_cost
  #after = no_cost

  add({ employee_id, status, outcome, former, elected, affordability }: PreviewedOffer): void {
    if (status !== null) this.#granted.add(employee_id)
    if (outcome === 'carried' || outcome === 'answered') this.#carried.add(employee_id)
    if (outcome === 'lapses') this.#lapsing.add(employee_id)
    if (affordability) (affordability.verdict === 'Affordable' ? this.#affordable : this.#unaffordable).add(employee_id)
    this.#before = addCost(this.#before, former)
    this.#after = addCost(this.#after, elected)
  }

  sums(employee_count: number): NonNullable<PlanYearPreview['totals']> {
    return {
      employee_count,
      granted_employee_count: this.#granted.size,
      carried_employee_count: this.#carried.size,
      lapsing_employee_count: this.#lapsing.size,
      affordable_employee_count: this.#affordable.size,
      unaffordable_employee_count: this.#unaffordable.difference(this.#affordable).size,
      before: this.#before,
      after: this.#after,
    }
  }
}
