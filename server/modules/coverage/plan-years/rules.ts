import { isDeepStrictEqual } from 'node:util'
import { addDays, type Day } from '../../../kernel/days.ts'
import { Refusal, type Detail, type RefusalKind } from '../../../kernel/refusal.ts'
import { coverage_tiers } from '../../directory/catalog/schemas.ts'
import { refusals } from './refusal-rules.ts'
import type { ContributionStrategy } from './schemas.ts'

/** What a plan costs in a tier, per month. */
export type Premium = { premium_in_cents: number; coverage_tier: string }

/** How a plan year prices a plan: by the tier; by ages and the area (ICHRA); or as the person tells, who bought it. */
export type Pricing = 'tier' | 'area' | 'told'

/** Whom an ICHRA allowance depends on. A missing class counts as Full Time. */
export type Person = { employee_class: string | null; age: number; state: string | null }

/** Monthly, and premium = contribution + deduction. */
export type Cost = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/**
 * What an election costs per month: by the contribution classes where there are any (ICHRA), or else by the tiers; the
 * first that fits counts, and none is nothing. Never more than the premium. Of nobody (null) only classes fit that
 * ask nothing of a person.
 */
export function costOf(rate: Premium, strategy: ContributionStrategy, person: Person | null): Cost {
  const { contribution_tiers, ichra_contribution_classes: classes } = strategy
  const { premium_in_cents, coverage_tier } = rate
  const allowed =
    classes.length > 0
      ? allowanceOf(strategy, coverage_tier, person)
      : shareOf(
          premium_in_cents,
          contribution_tiers.find((one) => isOfTier(one, coverage_tier)),
        )
  const employer_contribution_in_cents = Math.min(allowed ?? 0, premium_in_cents)
  return {
    premium_in_cents,
    employer_contribution_in_cents,
    employee_deduction_in_cents: premium_in_cents - employer_contribution_in_cents,
  }
}

/**
 * What an election costs of a plan that the person bought and pays themselves (ICHRA_REIMBURSEMENT_ONLY): the employer
 * gives back at most the allowance, and nothing is deducted from pay.
 */
export const costOfOwn = (rate: Premium, strategy: ContributionStrategy, person: Person | null): Cost => ({
  ...costOf(rate, strategy, person),
  employee_deduction_in_cents: 0,
})

/** What ICHRA allows a person in a tier per month at most. */
export const allowanceOf = (
  { ichra_contribution_classes: classes }: ContributionStrategy,
  coverage_tier: string,
  person: Person | null,
): number => classes.find((one) => isOfTier(one, coverage_tier) && fits(one, person))?.allowance_in_cents ?? 0

type ContributionTier = ContributionStrategy['contribution_tiers'][number]
type ContributionClass = ContributionStrategy['ichra_contribution_classes'][number]

const isOfTier = (one: { coverage_tier: string | null }, tier: string): boolean =>
  one.coverage_tier === null || one.coverage_tier === tier

const asksNothing = ({ employee_class, min_age, max_age, state }: ContributionClass): boolean =>
  [employee_class, min_age, max_age, state].every((value) => value === null)

function fits(one: ContributionClass, person: Person | null): boolean {
  if (person === null) return asksNothing(one)
  return (
    (one.employee_class === null || one.employee_class === (person.employee_class ?? 'Full Time')) &&
    (one.min_age === null || one.min_age <= person.age) &&
    (one.max_age === null || person.age <= one.max_age) &&
    (one.state === null || one.state === person.state)
  )
}

/** Half up, once. Hundredths of a percent are whole numbers, and so is everything made of them. */
function shareOf(premium: number, tier: ContributionTier | undefined): number | undefined {
  if (tier?.method !== 'percentage') return tier?.amount_in_cents
  const hundredths = BigInt(Math.round(tier.percentage * 100))
  return Number((BigInt(premium) * hundredths + 5_000n) / 10_000n)
}

/** The least and the most that the employer may pay for somebody at this price. */
export function contributionRange(
  rate: Premium & { pricing?: Pricing },
  strategy: ContributionStrategy,
): { least: number; most: number } {
  const classes = strategy.ichra_contribution_classes.filter((one) => isOfTier(one, rate.coverage_tier))
  // Whom no earlier one fits, this one does; those behind it are never reached.
  const last = classes.findIndex(asksNothing)
  const reached = last < 0 ? classes : classes.slice(0, last + 1)
  // What depends on the person may cost anything: no premium is below the allowance for sure.
  const premium = (rate.pricing ?? 'tier') === 'tier' ? rate.premium_in_cents : Number.MAX_SAFE_INTEGER
  const by = (one: ContributionClass) => Math.min(one.allowance_in_cents, premium)
  const amounts = [
    ...reached.map(by),
    ...(last < 0 ? [costOf(rate, strategy, null).employer_contribution_in_cents] : []),
  ]
  return { least: Math.min(...amounts), most: Math.max(...amounts) }
}

export type PlanYear = {
  year: number
  coverage_start: Day
  coverage_end: Day
  open_enrollment_start: Day | null
  open_enrollment_end: Day | null
  offered_states: string[]
}

/** A tier at its price; by area the lowest that there is for an employee alone, unless the plan has one of the tier. */
type TierPrice = Premium & { tier_id: string | null; pricing?: Pricing; area_version?: number | null }

/** A plan and tier at its price, with the least and the most that the employer pays of it. */
export type Rate = TierPrice & {
  plan_id: string
  least_contribution_in_cents: number
  most_contribution_in_cents: number
}

/** A benefit as a plan year offers it. */
export type Offer = {
  benefit_id: string
  starts_on: Day
  contribution_strategy: ContributionStrategy
  rates: Rate[]
  /** of which benefits one may be held at a time; null: it is in no such group */
  choice_group: string | null
}

/** A benefit as the operator says it; what is undefined is as usual. */
export type SaidOffer = {
  /** taken over from a plan year: no field of the request speaks of it */
  taken_over?: boolean
  benefit_id: string
  plan_ids?: string[] | undefined
  starts_on?: Day | undefined
  contribution_tiers?: ContributionStrategy['contribution_tiers'] | undefined
  ichra_contribution_classes?: ContributionStrategy['ichra_contribution_classes'] | undefined
  choice_group?: string | null | undefined
}

/** A plan of the catalog: its rates by tier on a day, and which lists by age and area it has by then, if any. */
type CatalogPlan = {
  id: string
  rates: (Premium & { tier_id: string })[]
  area?: { version: number; lowest_in_cents: number } | null
  allowances: Omit<ContributionClass, 'name'>[]
}

/** A benefit of the catalog with the rates of its plans on a day. */
export type CatalogBenefit = { id: string; family: string; product_code?: string; plans: CatalogPlan[] }

/** What the tiers of a plan cost; none where the catalog has no rate. */
export function pricesOf({ rates, area }: CatalogPlan, { product_code }: CatalogBenefit): TierPrice[] {
  if (area)
    return coverage_tiers.map((coverage_tier) => ({
      ...(rates.find((rate) => rate.coverage_tier === coverage_tier) ?? {
        coverage_tier,
        tier_id: null,
        premium_in_cents: area.lowest_in_cents,
      }),
      pricing: 'area',
      area_version: area.version,
    }))
  if (rates.length > 0 || product_code !== 'ICHRA_REIMBURSEMENT_ONLY') return rates
  return coverage_tiers.map((coverage_tier) => ({
    coverage_tier,
    tier_id: null,
    premium_in_cents: 0,
    pricing: 'told',
  }))
}

type Why = Refusal | RefusalKind | undefined

/** A plan year with changes. It is called after its first day until somebody calls it otherwise. */
export function withChanges(former: PlanYear, changes: { [field in keyof PlanYear]?: PlanYear[field] | undefined }) {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  const year: PlanYear = { ...former, ...Object.fromEntries(sent) }
  const follows = changes.year === undefined && former.year === yearOf(former.coverage_start)
  return follows ? { ...year, year: yearOf(year.coverage_start) } : year
}

/** What a plan year is called that begins on a day. */
export const yearOf = (coverage_start: Day): number => Number(coverage_start.slice(0, 4))

/** Whether a day is within the open enrollment of a plan year. */
export const isOpenOn = ({ open_enrollment_start: opens, open_enrollment_end: closes }: PlanYear, day: Day): boolean =>
  opens !== null && closes !== null && opens <= day && day <= closes

/** A benefit that another plan year of the employer offers in the same time. */
export type Overlap = { benefit_id: string; plan_year_id: string; coverage_start: Day; coverage_end: Day }

/** Why a plan year can't be opened with the benefits `said`. `former`: of a change. */
export const whyNotOpen = (year: PlanYear, overlaps: Overlap[], said: SaidOffer[] = [], former?: PlanYear): Why =>
  overlaps.length > 0
    ? new Refusal(
        refusals.plan_year_overlaps,
        overlaps.map((overlap) => detailOf(overlap, said)),
      )
    : whyDaysDontFit(year, former)

function detailOf({ benefit_id, plan_year_id, coverage_start, coverage_end }: Overlap, said: SaidOffer[]): Detail {
  const at = said.findIndex((one) => one.benefit_id === benefit_id && !one.taken_over)
  const message = `is in the plan year ${plan_year_id} from ${coverage_start} to ${coverage_end}`
  return at < 0
    ? { field: '', message: `benefit ${benefit_id}: ${message}` }
    : { field: `benefits[${at}].benefit_id`, message }
}

/** How a plan year is to be changed, and what its change is decided by. */
export type Change = {
  former: PlanYear & { is_amended: boolean; offers: Offer[] }
  year: PlanYear
  /** undefined: as they are */
  said: SaidOffer[] | undefined
  overlaps: Overlap[]
  has_elections: boolean
}

/** Why a plan year can't be changed: it has started, somebody relies on it, or another has a benefit in its time. */
export function whyNotChange({ former, year, said, overlaps, has_elections }: Change, today: Day): Why {
  if (former.coverage_start <= today) return refusals.plan_year_has_started
  if (former.is_amended) return refusals.plan_year_is_amended
  const moves = former.coverage_start !== year.coverage_start || former.coverage_end !== year.coverage_end
  if (has_elections && (moves || (said && !former.offers.every((offer) => staysAs(offer, said)))))
    return refusals.plan_year_has_elections
  return whyNotOpen(year, overlaps, said, former)
}

/** Whether an offer is named again, and nothing of it said differently. */
function staysAs(
  { benefit_id, starts_on, contribution_strategy, rates, choice_group }: Offer,
  said: SaidOffer[],
): boolean {
  const again = said.find((one) => one.benefit_id === benefit_id)
  if (!again) return false
  const { contribution_tiers, ichra_contribution_classes } = contribution_strategy
  const same = (now: unknown, before: unknown) => now === undefined || isDeepStrictEqual(now, before)
  return (
    same(again.starts_on, starts_on) &&
    same(again.choice_group, choice_group) &&
    same(again.plan_ids && new Set(again.plan_ids), new Set(rates.map((rate) => rate.plan_id))) &&
    same(again.contribution_tiers, contribution_tiers) &&
    same(again.ichra_contribution_classes, ichra_contribution_classes)
  )
}

/** Why the days of a plan year don't fit together; of two of which a change sent one, it names that one. */
function whyDaysDontFit(year: PlanYear, former?: PlanYear): Refusal | undefined {
  const { coverage_start, coverage_end, open_enrollment_start: opens, open_enrollment_end: closes } = year
  const invalid = (...sides: [field: keyof PlanYear, message: string][]) => {
    const [field, message] = sides.find(([name]) => former?.[name] !== year[name]) ?? sides[0]!
    return new Refusal(refusals.invalid_plan_year, [{ field, message }])
  }
  if (coverage_end <= coverage_start)
    return invalid(['coverage_end', 'must be after coverage_start'], ['coverage_start', 'must be before coverage_end'])
  if (coverage_end > addDays(coverage_start, 365))
    return invalid(
      ['coverage_end', 'must be within 366 days'],
      ['coverage_start', 'must be within 366 days of coverage_end'],
    )
  if (opens === null && closes === null) return undefined
  if (opens === null) return invalid(['open_enrollment_start', 'is required with open_enrollment_end'])
  if (closes === null) return invalid(['open_enrollment_end', 'is required with open_enrollment_start'])
  if (closes < opens)
    return invalid(
      ['open_enrollment_end', 'must not be before open_enrollment_start'],
      ['open_enrollment_start', 'must not be after open_enrollment_end'],
    )
  if (closes > coverage_end)
    return invalid(
      ['open_enrollment_end', 'must not be after coverage_end'],
      ['coverage_end', 'must not be before open_enrollment_end'],
    )
  return undefined
}

/** Why a benefit can't be offered as said. `field` is where it stands in the request, if it was said there. */
export function whyNotOffer(
  said: SaidOffer,
  benefit: CatalogBenefit | undefined,
  year: PlanYear,
  field: string,
): Refusal | undefined {
  const no = (kind: RefusalKind, name: string, message: string, subject = name) => {
    const whole = { field: '', message: `benefit ${said.benefit_id}: ${subject} ${message}` }
    return new Refusal(kind, [said.taken_over ? whole : { field: `${field}.${name}`, message }])
  }
  if (!benefit) return no(refusals.unknown_benefit, 'benefit_id', "is not in the organization's catalog")
  const missing = said.plan_ids?.findIndex((id) => !benefit.plans.some((plan) => plan.id === id)) ?? -1
  if (missing >= 0) return no(refusals.unknown_plan, `plan_ids[${missing}]`, 'is not a plan of the benefit')
  const plans = plansOf(said, benefit)
  if (plans.length === 0) return no(refusals.plan_has_no_rate, 'benefit_id', 'has no plan with a rate')
  const unpriced = plans.findIndex((plan) => pricesOf(plan, benefit).length === 0)
  const { coverage_start, coverage_end } = year
  if (unpriced >= 0)
    return no(
      refusals.plan_has_no_rate,
      `plan_ids[${unpriced}]`,
      `has no rate on ${coverage_start}`,
      `plan ${plans[unpriced]!.id}`,
    )
  const starts_on = said.starts_on ?? coverage_start
  if (starts_on < coverage_start || starts_on > coverage_end)
    return no(refusals.invalid_plan_year, 'starts_on', 'must be within the plan year')

  const other = benefit.family === 'ichra' ? 'contribution_tiers' : 'ichra_contribution_classes'
  if (said[other]?.length) return no(refusals.contribution_does_not_fit, other, 'is not for this benefit')
  const needed = benefit.family === 'ichra' && classesOf(said, plans).length === 0
  return needed ? no(refusals.contribution_missing, 'ichra_contribution_classes', 'is required') : undefined
}

/** The plans that are meant: those said in their order, or else all that have a rate. */
const plansOf = ({ plan_ids }: SaidOffer, benefit: CatalogBenefit) =>
  plan_ids?.map((id) => benefit.plans.find((plan) => plan.id === id)!) ??
  benefit.plans.filter((plan) => pricesOf(plan, benefit).length > 0)

/** The classes said, or else the allowances of the catalog where all plans have the same. */
function classesOf({ ichra_contribution_classes: said }: SaidOffer, plans: CatalogBenefit['plans']) {
  if (said !== undefined) return said
  const [first, ...others] = plans.map((plan) => plan.allowances)
  if (!first || !others.every((allowances) => isDeepStrictEqual(allowances, first))) return []
  return first.map((allowance) => ({ name: nameOf(allowance), ...allowance }))
}

function nameOf({ employee_class, min_age, max_age, state, coverage_tier }: Omit<ContributionClass, 'name'>): string {
  const ages = min_age === null && max_age === null ? null : `${min_age ?? 0} to ${max_age ?? 'any age'}`
  return [employee_class, ages, state, coverage_tier].filter((part) => part !== null).join(', ') || 'Everybody'
}

/** A benefit as it is offered at the prices of the catalog. whyNotOffer has found nothing. */
export function offerOf(said: SaidOffer, benefit: CatalogBenefit, year: PlanYear): Omit<Offer, 'choice_group'> {
  const plans = plansOf(said, benefit)
  const contribution_strategy = {
    contribution_tiers: said.contribution_tiers ?? [],
    ichra_contribution_classes: benefit.family === 'ichra' ? classesOf(said, plans) : [],
  }
  const rates = plans.flatMap((plan) =>
    pricesOf(plan, benefit).map((rate) => {
      const { least, most } = contributionRange(rate, contribution_strategy)
      return { ...rate, plan_id: plan.id, least_contribution_in_cents: least, most_contribution_in_cents: most }
    }),
  )
  return { benefit_id: benefit.id, starts_on: said.starts_on ?? year.coverage_start, contribution_strategy, rates }
}

/** An offer said anew, for other days: what began with its plan year does so again. */
export const saidAgain = (
  { benefit_id, starts_on, contribution_strategy, rates, choice_group }: Offer,
  former: PlanYear,
): SaidOffer => ({
  taken_over: true,
  benefit_id,
  choice_group,
  plan_ids: [...new Set(rates.map((rate) => rate.plan_id))],
  starts_on: starts_on === former.coverage_start ? undefined : starts_on,
  ...contribution_strategy,
})
