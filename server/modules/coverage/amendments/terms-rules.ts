import { isDeepStrictEqual } from 'node:util'
import { addDays, type Day } from '../../../kernel/days.ts'
import { contributionRange, type Offer, type Rate } from '../plan-years/rules.ts'
import type { Closure, OfferedRows } from '../plan-years/offer-queries.ts'
import type { ContributionStrategy } from '../plan-years/schemas.ts'

/** A price of the catalog, as a plan year takes it. */
export type CatalogPrice = Omit<Rate, 'plan_id' | 'least_contribution_in_cents' | 'most_contribution_in_cents'>

/** What a plan year was opened with. */
export type AsOpened = { coverage_end: Day; offers: Offer[] }

/** What an amendment changes, at the prices of the catalog as it was told. */
export type AmendmentTerms = {
  id: string
  effective_on: Day
  coverage_end: Day | null
  contributions: { benefit_id: string; contribution_strategy: ContributionStrategy }[]
  /** plans at prices that hold from then on; `adds`: they were not offered before */
  plans: { benefit_id: string; plan_id: string; adds: boolean; prices: CatalogPrice[] }[]
  closed_plan_ids: string[]
  offers: Offer[]
  withdrawn_benefit_ids: string[]
}

/** `amendment_id`: of those that made what it costs, the one told last; `priced_by`: which says the premium. */
type AmendedRate = Rate & { amendment_id: string | null; priced_by: string | null; priced_on: Day | null }
type AmendedOffer = Omit<Offer, 'rates'> & { ends_on: Day | null; contributed_by: string | null; rates: AmendedRate[] }

/** What a plan year offers from a day on, until the next. */
type Version = { effective_on: Day | '-infinity'; offers: AmendedOffer[] }

/** What a plan year offers when. `added`: the plans that an amendment adds, though another may have closed them. */
export type PlanYearTerms = {
  coverage_start: Day
  coverage_end: Day
  opened: Offer[]
  versions: Version[]
  added: AmendmentTerms['plans']
}

/**
 * What a plan year offers when: as it was opened, and with each amendment from its day on. What is said of a matter
 * holds until a later day for which something else is said of it, in whichever order they were told; of one day the
 * last holds.
 */
export function termsOf(opened: AsOpened, coverage_start: Day, amendments: AmendmentTerms[]): PlanYearTerms {
  const versions: Version[] = [
    { effective_on: '-infinity', offers: opened.offers.map((offer) => unamended(offer, null)) },
  ]
  const laterOf = laterIn(amendments)
  for (const amendment of amendments.toSorted((a, b) =>
    a.effective_on < b.effective_on ? -1 : a.effective_on > b.effective_on ? 1 : 0,
  )) {
    const effective_on = amendment.effective_on <= coverage_start ? '-infinity' : amendment.effective_on
    const last = versions.at(-1)!
    const offers = amended(last.offers, amendment, laterOf)
    if (last.effective_on === effective_on) last.offers = offers
    else versions.push({ effective_on, offers })
  }
  const coverage_end = amendments.findLast((one) => one.coverage_end !== null)?.coverage_end ?? opened.coverage_end
  const added = amendments.flatMap(({ plans }) => plans.filter(({ adds }) => adds))
  return { coverage_start, coverage_end, opened: opened.offers, versions, added }
}

/** Of two amendments the one that was told later; null: as the plan year was opened. */
type Later = (one: string | null, other: string | null) => string | null

const laterIn = (amendments: AmendmentTerms[]): Later => {
  const told = new Map<string | null, number>(amendments.map(({ id }, at) => [id, at]))
  return (one, other) => ((told.get(one) ?? -1) > (told.get(other) ?? -1) ? one : other)
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

/** Offers with an amendment. What does not change stays as it was, and so does what it costs anybody. */
function amended(offers: AmendedOffer[], amendment: AmendmentTerms, laterOf: Later): AmendedOffer[] {
  const { id, effective_on, contributions, plans, closed_plan_ids, withdrawn_benefit_ids } = amendment
  const changed = offers.map((offer) => {
    const said = contributions.find(({ benefit_id }) => benefit_id === offer.benefit_id)
    const contribution_strategy = said?.contribution_strategy ?? offer.contribution_strategy
    const is_contributed_anew = !isDeepStrictEqual(contribution_strategy, offer.contribution_strategy)
    const has = (plan_id: string) => offer.rates.some((rate) => rate.plan_id === plan_id)
    const priced = plans.filter(
      ({ benefit_id, plan_id, adds }) => benefit_id === offer.benefit_id && adds !== has(plan_id),
    )
    const contributed_by = is_contributed_anew ? id : offer.contributed_by
    type Priced = CatalogPrice & Pick<AmendedRate, 'plan_id' | 'priced_by' | 'priced_on'>
    const anew = (rate: Priced): AmendedRate => {
      const { least, most } = contributionRange(rate, contribution_strategy)
      const range = { least_contribution_in_cents: least, most_contribution_in_cents: most }
      return { ...rate, ...range, amendment_id: laterOf(rate.priced_by, contributed_by) }
    }
    const kept = offer.rates
      .filter((rate) => !closed_plan_ids.includes(rate.plan_id) && !priced.some((one) => pricesAnew(one, rate)))
      .map((rate) => (is_contributed_anew ? anew(rate) : rate))
    const news = priced.flatMap(({ plan_id, prices }) =>
      prices.map((price) => {
        const former = offer.rates.find(
          (rate) => rate.plan_id === plan_id && rate.coverage_tier === price.coverage_tier,
        )
        return former && !is_contributed_anew && isSamePrice(former, price)
          ? former
          : anew({ ...price, plan_id, priced_by: id, priced_on: effective_on })
      }),
    )
    const ends_on = withdrawn_benefit_ids.includes(offer.benefit_id) ? addDays(effective_on, -1) : offer.ends_on
    return { ...offer, contribution_strategy, contributed_by, ends_on, rates: [...kept, ...news] }
  })
  const added = amendment.offers.filter((one) => !offers.some(({ benefit_id }) => benefit_id === one.benefit_id))
  return [...changed, ...added.map((offer) => unamended(offer, id))]
}

const pricesAnew = ({ plan_id, prices }: AmendmentTerms['plans'][number], rate: Rate): boolean =>
  plan_id === rate.plan_id && prices.some(({ coverage_tier }) => coverage_tier === rate.coverage_tier)

/** Lists by age and area may differ on another day, though nothing tells so here. */
const isSamePrice = (one: CatalogPrice, other: CatalogPrice): boolean =>
  (one.pricing ?? 'tier') === 'tier' &&
  (other.pricing ?? 'tier') === 'tier' &&
  one.premium_in_cents === other.premium_in_cents

/** What a plan year offers on a day. */
export const offersOn = ({ versions }: PlanYearTerms, day: Day): AmendedOffer[] =>
  versions.findLast(({ effective_on }) => effective_on <= day)!.offers

/** What holds from a day on, before another. */
type PriceRun<Value> = { effective_on: Day | '-infinity'; until: Day | 'infinity'; value: Value }

/** A value over the versions, as long as it stays the same; where there is none, nothing. */
function runsOf<Value>(versions: Version[], valueIn: (offers: AmendedOffer[]) => Value | undefined): PriceRun<Value>[] {
  const runs: PriceRun<Value>[] = []
  versions.forEach(({ effective_on, offers }, at) => {
    const value = valueIn(offers)
    const until = versions[at + 1]?.effective_on ?? 'infinity'
    const last = runs.at(-1)
    if (value === undefined) return
    if (last?.until === effective_on && isDeepStrictEqual(last.value, value)) last.until = until
    else runs.push({ effective_on, until, value })
  })
  return runs
}

/** A plan year's terms as its tables hold them. What a benefit costs that is added later is shown from the start. */
export function rowsOf(terms: PlanYearTerms): OfferedRows {
  const offers = terms.versions.at(-1)!.offers
  const rows: OfferedRows = { benefits: [], contributions: [], rates: [] }
  for (const { benefit_id, starts_on, ends_on, choice_group } of offers) {
    const versions = versionsOf(terms, benefit_id)
    const offerIn = (all: AmendedOffer[]) => all.find((one) => one.benefit_id === benefit_id)!
    for (const { value, ...days } of runsOf(versions, (all) => offerIn(all).contribution_strategy))
      rows.contributions.push({ benefit_id, contribution_strategy: value, ...days })
    const rates = versions.flatMap(({ offers: all }) => offerIn(all).rates)
    const keyOf = ({ plan_id, coverage_tier }: Pick<Rate, 'plan_id' | 'coverage_tier'>) => `${plan_id} ${coverage_tier}`
    for (const key of new Set(rates.map(keyOf))) {
      const runs = runsOf(versions, (all) => offerIn(all).rates.find((rate) => keyOf(rate) === key))
      for (const { value, ...days } of runs) rows.rates.push({ benefit_id, ...value, ...days })
    }
    rows.benefits.push({ benefit_id, starts_on, choice_group, ends_on, closed_plans: closedPlans(terms, benefit_id) })
  }
  return rows
}

/** When the plans of a benefit are closed, of those that are at all. Before it was added, a plan is not closed. */
function closedPlans(terms: PlanYearTerms, benefit_id: string): Record<string, Closure[]> {
  const versions = versionsOf(terms, benefit_id)
  const ratesIn = (offers: Offer[]) => offers.find((one) => one.benefit_id === benefit_id)?.rates ?? []
  const idsIn = (plans: { plan_id: string }[]) => plans.map(({ plan_id }) => plan_id)
  const opened = idsIn(ratesIn(terms.opened))
  const added = idsIn(terms.added.filter((one) => one.benefit_id === benefit_id))
  const ids = new Set([...opened, ...added, ...versions.flatMap(({ offers }) => idsIn(ratesIn(offers)))])
  const closed = [...ids].map((plan_id): [string, Closure[]] => {
    const offered = runsOf(versions, (all) => ratesIn(all).some((rate) => rate.plan_id === plan_id) || undefined)
    const begins = offered.map(({ effective_on }) => effective_on)
    const ends: (Day | 'infinity')[] = offered.map(({ until }) => until)
    // Closed from the start: the plan year was opened with it, or it was added and is never offered.
    const never_began = begins.length === 0 || (opened.includes(plan_id) && begins[0] !== '-infinity')
    if (never_began) ends.unshift(terms.coverage_start)
    else begins.shift()
    return [plan_id, ends.flatMap((from, at) => (from === 'infinity' ? [] : [{ from, until: begins[at] ?? null }]))]
  })
  return Object.fromEntries(closed.filter(([, closures]) => closures.length > 0))
}

/** The versions that offer a benefit, the first of them from the start. */
function versionsOf({ versions }: PlanYearTerms, benefit_id: string): Version[] {
  const theirs = versions.filter(({ offers }) => offers.some((one) => one.benefit_id === benefit_id))
  return theirs.map((version, at) => (at === 0 ? { ...version, effective_on: '-infinity' } : version))
}
