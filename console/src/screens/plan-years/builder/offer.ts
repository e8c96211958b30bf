import type { BenefitPlanYear, Catalog, ContributionTier, NewPlanYearBenefit } from 'openbenefits/operator'

/** The employer contribution: a percentage of the premium or a dollar amount. */
export type Share = { method: 'percentage' | 'fixed'; value: string }

/** A benefit in the plan year that is being built. */
export type Offer = { benefit_id: string; plan_ids: string[]; alone: Share; others: Share }

export type Benefit = Catalog['benefits'][number]

/** Allowances for individual coverage come from the catalog. For other benefits, the employer sets its contribution. */
export const takesShare = ({ product_code }: Pick<Benefit, 'product_code'>): boolean =>
  !product_code.startsWith('ICHRA')

const usual: Share = { method: 'percentage', value: '50' }

export const offerOf = ({ id, plans }: Benefit): Offer => ({
  benefit_id: id,
  plan_ids: plans.map((plan) => plan.id),
  alone: usual,
  others: usual,
})

const tierOf = (coverage_tier: 'EE' | null, { method, value }: Share): ContributionTier =>
  method === 'percentage'
    ? { coverage_tier, method, percentage: Number(value) }
    : { coverage_tier, method, amount_in_cents: Math.round(Number(value) * 100) }

/** The offer as a request body. */
export const bodyOf = ({ benefit_id, plan_ids, alone, others }: Offer, benefit: Benefit): NewPlanYearBenefit => ({
  benefit_id,
  plan_ids,
  ...(takesShare(benefit) && { contribution_tiers: [tierOf('EE', alone), tierOf(null, others)] }),
})

type Rule = BenefitPlanYear['contribution_strategy']['contribution_rules'][number]

const shareOf = (rule: Rule | undefined): Share =>
  rule === undefined
    ? usual
    : rule.method === 'percentage'
      ? { method: 'percentage', value: String(rule.percentage) }
      : { method: 'fixed', value: String(rule.amount_in_cents / 100) }

/** The offers of another plan year that the catalog still contains. */
export function offersLike({ benefits, contribution_strategy }: BenefitPlanYear, catalog: Benefit[]): Offer[] {
  const { contribution_rules, contribution_tiers } = contribution_strategy
  return catalog
    .filter(({ id }) => benefits.some((offered) => offered.id === id))
    .map(({ id, plans }) => {
      const rules = contribution_rules.filter(({ benefit_id }) => benefit_id === id)
      const priced = contribution_tiers
        .filter(({ benefit_id }) => benefit_id === id)
        .map((tier) => tier.benefit_plan_id)
      const others = rules.find(({ coverage_tier }) => coverage_tier !== 'EE')
      return {
        benefit_id: id,
        plan_ids: plans.map((plan) => plan.id).filter((plan) => priced.length === 0 || priced.includes(plan)),
        alone: shareOf(rules.find(({ coverage_tier }) => coverage_tier === 'EE') ?? others),
        others: shareOf(others),
      }
    })
}
