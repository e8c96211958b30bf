import { useId } from 'react'
import { hasFacts, inALine } from '../../../parts/benefits/plan-facts.tsx'
import { takesShare, type Benefit, type Offer, type Share } from './offer.ts'

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
                    <span className="quiet block">{inALine(facts)}</span>
                  </span>
                </label>
              ))}
            </div>
          )}
          {benefit.plans.length === 1 && hasFacts(benefit.plans[0]!) && (
            <p className="quiet">{inALine(benefit.plans[0]!.facts)}</p>
          )}
          {takesShare(benefit) ? (
            <>
              <ShareOf
                label="Employer contribution, employee only"
                of={offer.alone}
                most={mostOf(benefit)}
                change={(alone) => change({ ...offer, alone })}
              />
              <ShareOf
                label="Employer contribution, with dependents"
                of={offer.others}
                most={mostOf(benefit)}
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
const mostOf = ({ plans }: Benefit) =>
  Math.ceil(Math.max(100, ...plans.flatMap(({ tier_rates }) => tier_rates.map((rate) => rate.premium_in_cents / 100))))

type ShareOfProps = { label: string; of: Share; most: number; change: (share: Share) => void }

function ShareOf({ label, of: { method, value }, most, change }: ShareOfProps) {
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
          onChange={({ target }) => change({ method: target.value as Share['method'], value: '50' })}
        >
          <option value="percentage">%</option>
          <option value="fixed">$</option>
        </select>
      </span>
    </div>
  )
}
