import { max_plan_year_days } from '../plan-years/schemas.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { refusals as planYearRefusals, pricesOf, type CatalogBenefit, type Offer } from '../plan-years/offer-rules.ts'
import type { OfferedRows } from '../plan-years/offer-queries.ts'
import type { PlanYear } from '../plan-years/rules.ts'
import type { NewAmendment } from './schemas.ts'
import { offersOn, type AmendmentTerms, type PlanYearTerms } from './terms-rules.ts'
import type { ElectionFacts, EnrollmentFacts } from '../elections/rules.ts'
import { addCost, no_cost, type Cost } from '../plan-years/contribution-rules.ts'
import type { PartialMonthRule } from '../../directory/catalog/schemas.ts'
import { chargedMonths, type Lapse } from '../../money/deductions/rules.ts'

export const refusals = declareRefusals({
  invalid_amendment: [
    422,
    'The amendment does not fit the plan year.',
    'Fix the fields listed in `details`. They must fit the offers on that day.',
  ],
  amendment_is_withdrawn: [409, 'The amendment is already withdrawn.', 'No action is needed.'],
  amendment_is_not_last: [
    409,
    'A later amendment exists.',
    'Withdraw the later amendments first. `GET` the amendments to see them.',
  ],
  too_many_amendments: [
    409,
    'A plan year can have at most 100 amendments.',
    'Withdraw the last amendments and combine their changes in one amendment.',
  ],
})

/** The maximum number of amendments in force. Each new amendment reads all of them. */
const max_holding = 100

/** Returns why a plan year can't have another amendment. */
export const whyNotAddAmendment = (amendments: Pick<StoredAmendment, 'withdrawn'>[]): RefusalKind | undefined =>
  amendments.filter(({ withdrawn }) => !withdrawn).length >= max_holding ? refusals.too_many_amendments : undefined

const invalid = (field: string, message: string, kind: RefusalKind = refusals.invalid_amendment) =>
  new Refusal(kind, [{ field, message }])

/**
 * Returns why a plan year can't be amended for those days, or that the amendment contains no
 * change.
 */
export function whyNotAmendFrom(input: NewAmendment, year: PlanYear): Refusal | undefined {
  const { effective_on, coverage_end } = input
  const last = coverage_end !== undefined && coverage_end > year.coverage_end ? coverage_end : year.coverage_end
  if (effective_on < year.coverage_start || effective_on > last)
    return invalid('effective_on', 'must be a day of the plan year')
  if (effective_on !== year.coverage_start && !effective_on.endsWith('-01'))
    return invalid('effective_on', 'must be the first of a month, or of the plan year')
  if (coverage_end !== undefined && (coverage_end < effective_on || coverage_end <= year.coverage_start))
    return invalid('coverage_end', 'must be after coverage_start, and not before effective_on')
  if (coverage_end !== undefined && coverage_end > addDays(year.coverage_start, max_plan_year_days - 1))
    return invalid('coverage_end', `must be within ${max_plan_year_days} days of coverage_start`)
  return isEmptyAmendment(input) ? invalid('', 'must contain a change') : undefined
}

const isEmptyAmendment = ({
  effective_on: _,
  reason: __,
  dry_run: ___,
  limit: ____,
  page: _____,
  ...terms
}: NewAmendment): boolean => Object.values(terms).every((value) => value === undefined)

/** The position of an error in an amendment, and the reason for it. */
type PlanProblem = [at: number, field: string, message: string, kind?: RefusalKind]

const firstOf = <Item>(items: Item[] | undefined, isWrong: (item: Item) => boolean) => items?.findIndex(isWrong) ?? -1

/** Returns which plans in an amendment do not fit the plans that are offered on its day or later. */
function problemsOfPlans(
  input: NewAmendment,
  { offered, later }: OfferedThen,
  catalog: CatalogBenefit[],
): PlanProblem[] {
  const { repriced_plan_ids, closed_plan_ids, added_plan_ids } = input
  const hasPlan = (offers: Pick<Offer, 'rates'>[]) => (id: string) =>
    offers.some(({ rates }) => rates.some((rate) => rate.plan_id === id))
  const isOffered = hasPlan(offered)
  const isUnoffered = (id: string) => !offeredPlan(id, offered, catalog)
  const isUnpriced = (id: string) => {
    const found = offeredPlan(id, offered, catalog)
    return !found || pricesOf(found.plan, found.benefit).length === 0
  }
  const { unknown_plan, plan_has_no_rate } = planYearRefusals
  return [
    [firstOf(repriced_plan_ids, (id) => !isOffered(id)), 'repriced_plan_ids', 'is not offered on that day'],
    [firstOf(closed_plan_ids, (id) => !isOffered(id)), 'closed_plan_ids', 'is not offered on that day'],
    [
      firstOf(closed_plan_ids, (id) => repriced_plan_ids?.includes(id) ?? false),
      'closed_plan_ids',
      'is repriced in the same amendment',
    ],
    [firstOf(added_plan_ids, isOffered), 'added_plan_ids', 'is already offered on that day'],
    [
      firstOf(added_plan_ids, hasPlan(later)),
      'added_plan_ids',
      'is offered starting on a later day: withdraw that amendment first',
    ],
    [firstOf(added_plan_ids, isUnoffered), 'added_plan_ids', 'is not a plan of an offered benefit', unknown_plan],
    [firstOf(repriced_plan_ids, isUnpriced), 'repriced_plan_ids', 'has no rate on that day', plan_has_no_rate],
    [firstOf(added_plan_ids, isUnpriced), 'added_plan_ids', 'has no rate on that day', plan_has_no_rate],
  ]
}

/** The offers on the day of an amendment, and the offers starting on later days. */
type OfferedThen = { offered: Pick<Offer, 'benefit_id' | 'rates'>[]; later: Pick<Offer, 'benefit_id' | 'rates'>[] }

function offeredPlan(plan_id: string, offered: { benefit_id: string }[], catalog: CatalogBenefit[]) {
  const isThere = ({ id }: CatalogBenefit) => offered.some((offer) => offer.benefit_id === id)
  const benefit = catalog.find((candidate) => isThere(candidate) && candidate.plans.some((plan) => plan.id === plan_id))
  const plan = benefit?.plans.find(({ id }) => id === plan_id)
  return benefit && plan && { benefit, plan }
}

/** Returns why an amendment does not fit the offers of the plan year on its day or later. */
export function whyNotAmend(input: NewAmendment, terms: PlanYearTerms, catalog: CatalogBenefit[]): Refusal | undefined {
  const { effective_on, withdrawn_benefit_ids, added_benefits } = input
  const offered = offersOn(terms, effective_on).filter(({ ends_on }) => ends_on === null || ends_on >= effective_on)
  const later = terms.versions.filter((version) => version.effective_on > effective_on).flatMap(({ offers }) => offers)
  const ever = [...terms.versions.flatMap(({ offers }) => offers), ...terms.opened]
  const isIn = (offers: { benefit_id: string }[], id: string) => offers.some(({ benefit_id }) => benefit_id === id)
  const problems: PlanProblem[] = [
    ...problemsOfPlans(input, { offered, later }, catalog),
    [firstOf(withdrawn_benefit_ids, (id) => !isIn(offered, id)), 'withdrawn_benefit_ids', 'is not offered on that day'],
    [
      firstOf(added_benefits, ({ benefit_id }) => isIn(ever, benefit_id)),
      'added_benefits',
      'is, or was, offered in this plan year',
    ],
  ]
  const wrong = problems.find(([at]) => at >= 0)
  if (wrong) return invalid(`${wrong[1]}[${wrong[0]}]`, wrong[2], wrong[3])
  const benefit_ids = offered.map(({ benefit_id }) => benefit_id)
  return whyNotContribute(input, benefit_ids, catalog)
}

function whyNotContribute(
  { contributions = [], withdrawn_benefit_ids = [] }: NewAmendment,
  offered: string[],
  catalog: CatalogBenefit[],
): Refusal | undefined {
  for (const [index, contribution] of contributions.entries()) {
    const field = `contributions[${index}]`
    if (!offered.includes(contribution.benefit_id) || withdrawn_benefit_ids.includes(contribution.benefit_id))
      return invalid(`${field}.benefit_id`, 'is not offered on that day')
    const is_ichra = catalog.find(({ id }) => id === contribution.benefit_id)?.family === 'ichra'
    const unfit = is_ichra ? 'contribution_tiers' : 'ichra_contribution_classes'
    if (contribution[unfit]?.length)
      return invalid(`${field}.${unfit}`, 'does not apply to this benefit', planYearRefusals.contribution_does_not_fit)
    const needed = is_ichra ? 'ichra_contribution_classes' : 'contribution_tiers'
    if (!contribution[needed]) return invalid(`${field}.${needed}`, 'is required')
  }
  return undefined
}

/**
 * Returns why a plan year can't have these terms. It must always offer a benefit, and each offered benefit must have a
 * plan.
 */
export function whyNotOfferTerms({ versions }: PlanYearTerms): Refusal | undefined {
  for (const { offers } of versions) {
    if (offers.every(({ ends_on }) => ends_on !== null))
      return invalid('withdrawn_benefit_ids', 'would leave the plan year without benefits: send coverage_end instead')
    if (offers.some(({ ends_on, rates }) => ends_on === null && rates.length === 0))
      return invalid('closed_plan_ids', 'would leave a benefit without plans: withdraw the benefit instead')
  }
  return undefined
}

/** The terms of an amendment at the prices of the catalog on its day. Call it only if `whyNotAmend` returns nothing. */
export function amendmentTerms(
  id: string,
  input: NewAmendment,
  catalog: CatalogBenefit[],
  offers: AmendmentTerms['offers'],
): AmendmentTerms {
  const priced = (adds: boolean) => (plan_id: string) => {
    const benefit = catalog.find(({ plans }) => plans.some((plan) => plan.id === plan_id))!
    const plan = benefit.plans.find((plan_of_benefit) => plan_of_benefit.id === plan_id)!
    return { benefit_id: benefit.id, plan_id, adds, prices: pricesOf(plan, benefit) }
  }
  return {
    id,
    effective_on: input.effective_on,
    coverage_end: input.coverage_end ?? null,
    contributions: (input.contributions ?? []).map(
      ({ benefit_id, contribution_tiers = [], ichra_contribution_classes = [] }) => ({
        benefit_id,
        contribution_strategy: { contribution_tiers, ichra_contribution_classes },
      }),
    ),
    plans: [...(input.repriced_plan_ids ?? []).map(priced(false)), ...(input.added_plan_ids ?? []).map(priced(true))],
    closed_plan_ids: input.closed_plan_ids ?? [],
    offers,
    withdrawn_benefit_ids: input.withdrawn_benefit_ids ?? [],
  }
}

/** The benefits that an amendment affects. Null for all benefits of the plan year. */
export const affectedBenefits = (amendment: AmendmentTerms, terms: PlanYearTerms): string[] | null => {
  if (amendment.coverage_end !== null) return null
  const closed = terms.versions
    .flatMap(({ offers }) => offers)
    .filter(({ rates }) => rates.some(({ plan_id }) => amendment.closed_plan_ids.includes(plan_id)))
  return [
    ...new Set([
      ...[...amendment.contributions, ...amendment.plans, ...closed].map(({ benefit_id }) => benefit_id),
      ...amendment.withdrawn_benefit_ids,
    ]),
  ]
}

/** Whether an amendment can change the days of coverage, beyond the cost. */
export const isStructural = ({ coverage_end, plans, closed_plan_ids, offers, withdrawn_benefit_ids }: AmendmentTerms) =>
  coverage_end !== null ||
  offers.length + closed_plan_ids.length + withdrawn_benefit_ids.length > 0 ||
  plans.some(({ adds }) => adds)

/** A stored amendment. `terms` is null once it is withdrawn. */
export type StoredAmendment = { id: string; terms: AmendmentTerms | null; withdrawn: boolean }

/** Returns why an amendment can't be withdrawn. Only the last one in force can, so that its effects are known. */
export function whyNotWithdraw(amendments: StoredAmendment[], id: string): RefusalKind | undefined {
  if (amendments.find((amendment) => amendment.id === id)!.withdrawn) return refusals.amendment_is_withdrawn
  return amendments.findLast(({ withdrawn }) => !withdrawn)!.id === id ? undefined : refusals.amendment_is_not_last
}

type OfferedDays = Pick<OfferedRows['benefits'][number], 'benefit_id' | 'ends_on' | 'closed_plans'>

/**
 * Whether an employee who lost coverage on a day is granted the benefit again under these terms, because it is still
 * offered.
 */
export const canElectAgain = (
  { benefits }: { benefits: OfferedDays[] },
  coverage_end: Day,
  benefit_id: string,
  loses_coverage_on: Day | null,
): boolean => {
  const ends_on = benefits.find((benefit) => benefit.benefit_id === benefit_id)?.ends_on ?? coverage_end
  return loses_coverage_on !== null && loses_coverage_on <= coverage_end && loses_coverage_on <= ends_on
}

/** The first day on which these terms no longer cover an enrollment with its current elections. */
export function coverageLostOn(
  rows: { benefits: OfferedDays[] },
  coverage_end: Day,
  { benefit_id, coverage_start }: { benefit_id: string; coverage_start: Day },
  elections: { effective_on: string; plan_id: string }[],
): Day {
  const offer = rows.benefits.find((benefit) => benefit.benefit_id === benefit_id)
  const closes = elections.flatMap(({ effective_on, plan_id }, index) => {
    const begins = effective_on > coverage_start ? effective_on : coverage_start
    const next = elections[index + 1]?.effective_on ?? 'infinity'
    return (offer?.closed_plans[plan_id] ?? []).flatMap(({ from, until }) => {
      const on = begins > from ? begins : from
      return on < (until !== null && until < next ? until : next) ? [on] : []
    })
  })
  const ends = [coverage_end, ...(offer?.ends_on ? [offer.ends_on] : [])].map((day) => addDays(day, 1))
  return [...closes, ...ends].sort()[0]!
}

/** The first day without coverage by the rules of the plan year, and the resulting elections. */
type Side = { loses_on: Day; elections: ElectionFacts[] }

/** The effects of an amendment on an enrollment: its stored state and its state after the amendment. */
export type Previewed = {
  enrollment: Pick<EnrollmentFacts, 'coverage_start' | 'coverage_end'>
  before: Side
  after: Side
  lapses: Lapse[]
  first_open_month: Day
  /** The rules for partial months of plans that do not use the default rule. */
  partial_month_rules: Record<string, PartialMonthRule>
}

const costOf = (election: ElectionFacts | undefined) =>
  election
    ? {
        plan_id: election.plan_id,
        coverage_tier: election.coverage_tier,
        premium_in_cents: election.premium_in_cents!,
        employer_contribution_in_cents: election.employer_contribution_in_cents,
        employee_deduction_in_cents: election.employee_deduction_in_cents,
      }
    : null

type PreviewedCost = NonNullable<ReturnType<typeof costOf>>
type ChangedMonth = { month: string; before: PreviewedCost | null; after: PreviewedCost | null; is_corrected: boolean }
const sumsOf = (months: ChangedMonth[], side: 'before' | 'after'): Cost =>
  months.reduce((sum, month) => addCost(sum, month[side]), no_cost)

/**
 * The months of an enrollment that an amendment changes, with their cost before and after, their totals, and the first
 * day without coverage if that comes earlier. Elections stay: after the loss of a plan, the employee is shown without
 * another one.
 */
export function previewOf({ enrollment, before, after, lapses, first_open_month, partial_month_rules }: Previewed) {
  const { coverage_start, coverage_end } = enrollment
  // An end that the plan year caused can move to another day. Other ends stay.
  const own_end = coverage_end !== null && addDays(coverage_end, 1) === before.loses_on ? null : coverage_end
  const sideOf = ({ loses_on, elections: elected }: Side) => {
    const elections = elected.map((election) => ({
      ...election,
      partial_month_rule: partial_month_rules[election.plan_id],
    }))
    const last = addDays(loses_on, -1)
    const end = own_end !== null && own_end < last ? own_end : last
    return { end, coverage: { coverage_start, coverage_end: end, lapses, elections } }
  }
  const [former, later] = [sideOf(before), sideOf(after)]
  const ends = former.end > later.end ? former.end : later.end
  const months: ChangedMonth[] = []
  for (let year = Number(coverage_start.slice(0, 4)); year <= Number(ends.slice(0, 4)); year++) {
    const former_elections = new Map(
      chargedMonths(former.coverage, year).map(({ month, election }) => [month, election]),
    )
    const later_elections = new Map(chargedMonths(later.coverage, year).map(({ month, election }) => [month, election]))
    for (const month of [...new Set([...former_elections.keys(), ...later_elections.keys()])].sort()) {
      const sides = { before: costOf(former_elections.get(month)), after: costOf(later_elections.get(month)) }
      if (JSON.stringify(sides.before) !== JSON.stringify(sides.after))
        months.push({ month: month.slice(0, 7), ...sides, is_corrected: month >= first_open_month })
    }
  }
  const loses_coverage_on = later.end < former.end ? addDays(later.end, 1) : null
  return { loses_coverage_on, before: sumsOf(months, 'before'), after: sumsOf(months, 'after'), months }
}

/** The fields of a row that contribute to the totals. */
type PreviewedRow = ReturnType<typeof previewOf> & { employee_id: string; can_elect_again: boolean }

/** The totals of an amendment: the number of affected people, and the cost in cents of the months that change. */
export class PreviewTotals {
  readonly #all = new Set<string>()
  readonly #changed = new Set<string>()
  readonly #losing = new Set<string>()
  readonly #choosing = new Set<string>()
  #before = no_cost
  #after = no_cost

  add({ employee_id, months, loses_coverage_on, can_elect_again, before, after }: PreviewedRow): void {
    this.#all.add(employee_id)
    if (months.length > 0 || loses_coverage_on !== null) this.#changed.add(employee_id)
    if (loses_coverage_on !== null) this.#losing.add(employee_id)
    if (can_elect_again) this.#choosing.add(employee_id)
    this.#before = addCost(this.#before, before)
    this.#after = addCost(this.#after, after)
  }

  get sums() {
    return {
      employee_count: this.#all.size,
      changed_employee_count: this.#changed.size,
      losing_employee_count: this.#losing.size,
      electing_employee_count: this.#choosing.size,
      before: this.#before,
      after: this.#after,
    }
  }
}
