import { useId } from 'react'
import type { BenefitPlanYear, Catalog, ContributionTier, NewPlanYearBenefit } from 'openbenefits/operator'
import { hasFacts, summarizeFacts } from '../../../parts/benefits/plan-facts.tsx'

type BenefitOfferProps = {
  benefit: Benefit
  offer: Offer | undefined
  toggle: () => void
  change: (offer: Offer) => void
}

/** A benefit of the catalog, with the offered plans and the employer contribution. */
export function BenefitOffer({ benefit, offer, toggle, change }: BenefitOfferProps) {
  const togglePlan = (id: string) => {
    const plan_ids = benefit.plans
      .map((plan) => plan.id)
      .filter((one) => offer!.plan_ids.includes(one) !== (one === id))
    // A benefit without a plan is not offered.
    if (plan_ids.length > 0) change({ ...offer!, plan_ids })
  }
  return (
    <fieldset className="offer" data-offered={offer !== undefined}>
      <legend className="unseen">{benefit.name}</legend>
      <label className="offer-name">
        <input type="checkbox" checked={offer !== undefined} onChange={toggle} />
        {benefit.name} <span className="quiet">{benefit.product_code}</span>
      </label>
      {offer && (
        <div className="offer-body">
          {benefit.plans.length > 1 && (
            <div className="boxes">
              {benefit.plans.map(({ id, name, facts }) => (
                <label key={id}>
                  <input type="checkbox" checked={offer.plan_ids.includes(id)} onChange={() => togglePlan(id)} />
                  <span>
                    {name}
                    <span className="quiet block">{summarizeFacts(facts)}</span>
                  </span>
                </label>
              ))}
            </div>
          )}
          {benefit.plans.length === 1 && hasFacts(benefit.plans[0]!) && (
            <p className="quiet">{summarizeFacts(benefit.plans[0]!.facts)}</p>
          )}
          {hasContribution(benefit) ? (
            <>
              <ContributionInput
                label="Employer contribution, employee only"
                of={offer.alone}
                most={highestPremium(benefit)}
                change={(alone) => change({ ...offer, alone })}
              />
              <ContributionInput
                label="Employer contribution, with dependents"
                of={offer.others}
                most={highestPremium(benefit)}
                change={(others) => change({ ...offer, others })}
              />
            </>
          ) : (
            <p className="quiet">Allowances come from the catalog.</p>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** The highest premium of a benefit in dollars, which limits the contribution. */
const highestPremium = ({ plans }: Benefit) =>
  Math.ceil(Math.max(100, ...plans.flatMap(({ tier_rates }) => tier_rates.map((rate) => rate.premium_in_cents / 100))))

type ContributionInputProps = { label: string; of: Contribution; most: number; change: (share: Contribution) => void }

function ContributionInput({ label, of: { method, value }, most, change }: ContributionInputProps) {
  const id = useId()
  return (
    <div className="share-of">
      <label htmlFor={id}>{label}</label>
      <span className="share-inputs">
        <input
          id={id}
          type="range"
          min={0}
          max={method === 'percentage' ? 100 : most}
          step={method === 'percentage' ? 0.5 : 1}
          value={Number(value)}
          onChange={({ target }) => change({ method, value: target.value })}
        />
        <input
          type="number"
          aria-label={`${label}, exact value`}
          min={0}
          value={value}
          onChange={({ target }) => change({ method, value: target.value })}
        />
        <select
          aria-label={`${label}, unit`}
          value={method}
          onChange={({ target }) => change({ method: target.value as Contribution['method'], value: '50' })}
        >
          <option value="percentage">%</option>
          <option value="fixed">$</option>
        </select>
      </span>
    </div>
  )
}

/** The employer contribution: a percentage of the premium or a dollar amount. */
export type Contribution = { method: 'percentage' | 'fixed'; value: string }

/** A benefit in the plan year that is being built. */
export type Offer = { benefit_id: string; plan_ids: string[]; alone: Contribution; others: Contribution }

export type Benefit = Catalog['benefits'][number]

/** Allowances for individual coverage come from the catalog. For other benefits, the employer sets its contribution. */
export const hasContribution = ({ product_code }: Pick<Benefit, 'product_code'>): boolean =>
  !product_code.startsWith('ICHRA')

const default_contribution: Contribution = { method: 'percentage', value: '50' }

export const newOffer = ({ id, plans }: Benefit): Offer => ({
  benefit_id: id,
  plan_ids: plans.map((plan) => plan.id),
  alone: default_contribution,
  others: default_contribution,
})

const contributionTier = (coverage_tier: 'EE' | null, { method, value }: Contribution): ContributionTier =>
  method === 'percentage'
    ? { coverage_tier, method, percentage: Number(value) }
    : { coverage_tier, method, amount_in_cents: Math.round(Number(value) * 100) }

/** The offer as a request body. */
export const offerRequest = ({ benefit_id, plan_ids, alone, others }: Offer, benefit: Benefit): NewPlanYearBenefit => ({
  benefit_id,
  plan_ids,
  ...(hasContribution(benefit) && {
    contribution_tiers: [contributionTier('EE', alone), contributionTier(null, others)],
  }),
})

type Rule = BenefitPlanYear['contribution_strategy']['contribution_rules'][number]

const contributionOf = (rule: Rule | undefined): Contribution =>
  rule === undefined
    ? default_contribution
    : rule.method === 'percentage'
      ? { method: 'percentage', value: String(rule.percentage) }
      : { method: 'fixed', value: String(rule.amount_in_cents / 100) }

/** The offers of another plan year that the catalog still contains. */
export function copyOffers({ benefits, contribution_strategy }: BenefitPlanYear, catalog: Benefit[]): Offer[] {
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
        alone: contributionOf(rules.find(({ coverage_tier }) => coverage_tier === 'EE') ?? others),
        others: contributionOf(others),
      }
    })
}
