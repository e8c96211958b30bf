import { isDeepStrictEqual } from 'node:util'
import { addDays, type Day } from '../../../kernel/days.ts'
import { contributionRange } from '../plan-years/contribution-rules.ts'
import type { Offer, Rate } from '../plan-years/offer-rules.ts'
import type { Closure, OfferedRows } from '../plan-years/offer-queries.ts'
import type { ContributionStrategy } from '../plan-years/contribution-schemas.ts'

/** A price of the catalog in the form that a plan year stores. */
type CatalogPrice = Omit<Rate, 'plan_id' | 'min_contribution_in_cents' | 'max_contribution_in_cents'>

/** The original terms of a plan year. */
export type AsOpened = { coverage_end: Day; offers: Offer[] }

/** The changes of an amendment at the prices of the catalog when it was made. */
export type AmendmentTerms = {
  id: string
  effective_on: Day
  coverage_end: Day | null
  contributions: { benefit_id: string; contribution_strategy: ContributionStrategy }[]
  /** Plans with their prices starting that day. `adds`: the plan was not offered before. */
  plans: { benefit_id: string; plan_id: string; adds: boolean; prices: CatalogPrice[] }[]
  closed_plan_ids: string[]
  offers: Offer[]
  withdrawn_benefit_ids: string[]
}

/** `amendment_id` is the latest amendment that changed the cost, `priced_by` the one that set the premium. */
type AmendedRate = Rate & { amendment_id: string | null; priced_by: string | null; priced_on: Day | null }
type AmendedOffer = Omit<Offer, 'rates'> & { ends_on: Day | null; contributed_by: string | null; rates: AmendedRate[] }

/** The offers of a plan year from a day until the next version. */
type Version = { effective_on: Day | '-infinity'; offers: AmendedOffer[] }

/**
 * The offers of a plan year over time. `added`: the plans that an amendment adds, even if another amendment closed
 * them.
 */
export type PlanYearTerms = {
  coverage_start: Day
  coverage_end: Day
  opened: Offer[]
  versions: Version[]
  added: AmendmentTerms['plans']
}

/**
 * The offers of a plan year over time: the original ones, and those with each amendment starting on its day. A value
 * applies until the next day for which an amendment changes it, independent of the order in which the amendments were
 * made. For the same day, the latest amendment applies.
 */
export function termsOf(opened: AsOpened, coverage_start: Day, amendments: AmendmentTerms[]): PlanYearTerms {
  const versions: Version[] = [
    { effective_on: '-infinity', offers: opened.offers.map((offer) => unamended(offer, null)) },
  ]
  const laterOf = laterAmendment(amendments)
  for (const amendment of amendments.toSorted((a, b) =>
    a.effective_on < b.effective_on ? -1 : a.effective_on > b.effective_on ? 1 : 0,
  )) {
    const effective_on = amendment.effective_on <= coverage_start ? '-infinity' : amendment.effective_on
    const last = versions.at(-1)!
    const offers = amended(last.offers, amendment, laterOf)
    if (last.effective_on === effective_on) last.offers = offers
    else versions.push({ effective_on, offers })
  }
  const coverage_end =
    amendments.findLast((amendment) => amendment.coverage_end !== null)?.coverage_end ?? opened.coverage_end
  const added = amendments.flatMap(({ plans }) => plans.filter(({ adds }) => adds))
  return { coverage_start, coverage_end, opened: opened.offers, versions, added }
}

/** Returns the later one of two amendments. Null stands for the original terms. */
type Later = (a: string | null, b: string | null) => string | null

const laterAmendment = (amendments: AmendmentTerms[]): Later => {
  const positions = new Map<string | null, number>(amendments.map(({ id }, index) => [id, index]))
  return (a, b) => ((positions.get(a) ?? -1) > (positions.get(b) ?? -1) ? a : b)
}

const unamended = (offer: Offer, amendment_id: string | null): AmendedOffer => ({
  ...offer,
  ends_on: null,
  contributed_by: amendment_id,
  rates: offer.rates.map((rate) => ({
    ...rate,
    amendment_id,
    priced_by: amendment_id,
    priced_on: amendment_id === null ? null : offer.starts_on,
  })),
})

/** Applies an amendment to offers. Offers that do not change keep their values and costs. */
function amended(offers: AmendedOffer[], amendment: AmendmentTerms, laterOf: Later): AmendedOffer[] {
  const { id, effective_on, contributions, plans, closed_plan_ids, withdrawn_benefit_ids } = amendment
  const changed = offers.map((offer) => {
    const contribution = contributions.find(({ benefit_id }) => benefit_id === offer.benefit_id)
    const contribution_strategy = contribution?.contribution_strategy ?? offer.contribution_strategy
    const has_new_contribution = !isDeepStrictEqual(contribution_strategy, offer.contribution_strategy)
    const isOffered = (plan_id: string) => offer.rates.some((rate) => rate.plan_id === plan_id)
    const priced = plans.filter(
      ({ benefit_id, plan_id, adds }) => benefit_id === offer.benefit_id && adds !== isOffered(plan_id),
    )
    const contributed_by = has_new_contribution ? id : offer.contributed_by
    type Priced = CatalogPrice & Pick<AmendedRate, 'plan_id' | 'priced_by' | 'priced_on'>
    const reprice = (rate: Priced): AmendedRate => {
      const { least, most } = contributionRange(rate, contribution_strategy)
      const range = { min_contribution_in_cents: least, max_contribution_in_cents: most }
      return { ...rate, ...range, amendment_id: laterOf(rate.priced_by, contributed_by) }
    }
    const kept_rates = offer.rates
      .filter((rate) => !closed_plan_ids.includes(rate.plan_id) && !priced.some((one) => repricesRate(one, rate)))
      .map((rate) => (has_new_contribution ? reprice(rate) : rate))
    const news = priced.flatMap(({ plan_id, prices }) =>
      prices.map((price) => {
        const former = offer.rates.find(
          (rate) => rate.plan_id === plan_id && rate.coverage_tier === price.coverage_tier,
        )
        return former && !has_new_contribution && isSamePrice(former, price)
          ? former
          : reprice({ ...price, plan_id, priced_by: id, priced_on: effective_on })
      }),
    )
    const ends_on = withdrawn_benefit_ids.includes(offer.benefit_id) ? addDays(effective_on, -1) : offer.ends_on
    return { ...offer, contribution_strategy, contributed_by, ends_on, rates: [...kept_rates, ...news] }
  })
  const added = amendment.offers.filter(
    (added_offer) => !offers.some(({ benefit_id }) => benefit_id === added_offer.benefit_id),
  )
  return [...changed, ...added.map((offer) => unamended(offer, id))]
}

const repricesRate = ({ plan_id, prices }: AmendmentTerms['plans'][number], rate: Rate): boolean =>
  plan_id === rate.plan_id && prices.some(({ coverage_tier }) => coverage_tier === rate.coverage_tier)

/**
 * Prices by age and area never count as the same, because their rates can differ on another day, which these fields do
 * not show.
 */
const isSamePrice = (a: CatalogPrice, b: CatalogPrice): boolean =>
  (a.pricing ?? 'tier') === 'tier' && (b.pricing ?? 'tier') === 'tier' && a.premium_in_cents === b.premium_in_cents

export const offersOn = ({ versions }: PlanYearTerms, day: Day): AmendedOffer[] =>
  versions.findLast(({ effective_on }) => effective_on <= day)!.offers

/** A value starting on a day, with the day before which it ends. */
type PriceRun<Value> = { effective_on: Day | '-infinity'; until: Day | 'infinity'; value: Value }

/** The periods in which a value stays the same across the versions. Versions without the value are skipped. */
function runsOf<Value>(versions: Version[], valueIn: (offers: AmendedOffer[]) => Value | undefined): PriceRun<Value>[] {
  const runs: PriceRun<Value>[] = []
  versions.forEach(({ effective_on, offers }, index) => {
    const value = valueIn(offers)
    const until = versions[index + 1]?.effective_on ?? 'infinity'
    const last = runs.at(-1)
    if (value === undefined) return
    if (last?.until === effective_on && isDeepStrictEqual(last.value, value)) last.until = until
    else runs.push({ effective_on, until, value })
  })
  return runs
}

/**
 * Converts the terms of a plan year to the rows of its tables. The costs of a benefit that is added later are shown
 * from the start.
 */
export function rowsOf(terms: PlanYearTerms): OfferedRows {
  const offers = terms.versions.at(-1)!.offers
  const rows: OfferedRows = { benefits: [], contributions: [], rates: [] }
  for (const { benefit_id, starts_on, ends_on, choice_group } of offers) {
    const versions = versionsOf(terms, benefit_id)
    const offerIn = (version_offers: AmendedOffer[]) => version_offers.find((offer) => offer.benefit_id === benefit_id)!
    for (const { value, ...days } of runsOf(
      versions,
      (version_offers) => offerIn(version_offers).contribution_strategy,
    ))
      rows.contributions.push({ benefit_id, contribution_strategy: value, ...days })
    const rates = versions.flatMap(({ offers: version_offers }) => offerIn(version_offers).rates)
    const keyOf = ({ plan_id, coverage_tier }: Pick<Rate, 'plan_id' | 'coverage_tier'>) => `${plan_id} ${coverage_tier}`
    for (const key of new Set(rates.map(keyOf))) {
      const runs = runsOf(versions, (version_offers) =>
        offerIn(version_offers).rates.find((rate) => keyOf(rate) === key),
      )
      for (const { value, ...days } of runs) rows.rates.push({ benefit_id, ...value, ...days })
    }
    rows.benefits.push({ benefit_id, starts_on, choice_group, ends_on, closed_plans: closedPlans(terms, benefit_id) })
  }
  return rows
}

/** The days on which plans of a benefit are closed. A plan is not closed before its benefit is added. */
function closedPlans(terms: PlanYearTerms, benefit_id: string): Record<string, Closure[]> {
  const versions = versionsOf(terms, benefit_id)
  const ratesIn = (offers: Offer[]) => offers.find((offer) => offer.benefit_id === benefit_id)?.rates ?? []
  const idsIn = (plans: { plan_id: string }[]) => plans.map(({ plan_id }) => plan_id)
  const opened = idsIn(ratesIn(terms.opened))
  const added = idsIn(terms.added.filter((plan) => plan.benefit_id === benefit_id))
  const ids = new Set([...opened, ...added, ...versions.flatMap(({ offers }) => idsIn(ratesIn(offers)))])
  const closed = [...ids].map((plan_id): [string, Closure[]] => {
    const offered = runsOf(
      versions,
      (version_offers) => ratesIn(version_offers).some((rate) => rate.plan_id === plan_id) || undefined,
    )
    const begins = offered.map(({ effective_on }) => effective_on)
    const ends: (Day | 'infinity')[] = offered.map(({ until }) => until)
    // A plan is closed from the start if the plan year was opened with it but does not offer it then, or if it was
    // added but is never offered.
    const never_began = begins.length === 0 || (opened.includes(plan_id) && begins[0] !== '-infinity')
    if (never_began) ends.unshift(terms.coverage_start)
    else begins.shift()
    return [
      plan_id,
      ends.flatMap((from, index) => (from === 'infinity' ? [] : [{ from, until: begins[index] ?? null }])),
    ]
  })
  return Object.fromEntries(closed.filter(([, closures]) => closures.length > 0))
}

/** The versions that offer a benefit, with the first one extended to the start. */
function versionsOf({ versions }: PlanYearTerms, benefit_id: string): Version[] {
  const offering = versions.filter(({ offers }) => offers.some((offer) => offer.benefit_id === benefit_id))
  return offering.map((version, index) => (index === 0 ? { ...version, effective_on: '-infinity' } : version))
}
