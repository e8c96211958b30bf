import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { addDays, yearsAfter, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { requestRecalculation } from '../../directory/employers/actions.ts'
import { endPlanYearRequest } from '../employer-setup/actions.ts'
import { saveOffers, findCatalogBenefits, listFormerPlans, listOfferOverlaps } from './offer-queries.ts'
import {
  windowOfCopy,
  isOpenOn,
  whyNotChange,
  whyNotFollow,
  whyNotOpen,
  withChanges,
  defaultYearOf,
  type PlanYear,
} from './rules.ts'
import {
  findStoredPlanYear,
  hasElections,
  listBenefitsToRefresh,
  saveEmployerBenefits,
  savePlanYear,
  saveRenewalTerms,
  type PlanYearKey,
} from './queries.ts'
import {
  groupOf,
  whyNotGroup,
  withGroups,
  type ChoiceGroup,
  offerOf,
  offerInputOf,
  whyNotOffer,
  type Offer,
  type OfferInput,
  plansOffered,
  plansWithPrice,
  whyNotSucceed,
  withSuccessors,
  type PlanOfBenefit,
  type RenewalTerms,
} from './offer-rules.ts'
import type { NewPlanYear, PlanYearChanges, PlanYearCopy } from './schemas.ts'

/** The fields of a plan year that are stored, without its offers. */
type PlanYearRecord = PlanYear & RenewalTerms
type StoredPlanYear = PlanYearRecord & { is_amended: boolean; offers: Offer[] }

/**
 * Opens a plan year of an employer at the prices of the catalog and returns its id. Refused with 409 if a concurrent
 * plan year offers one of the benefits; with 422 for days, benefits, plans or contributions that are not valid.
 */
export const openPlanYear = (ctx: Ctx, employer: EmployerKey, input: NewPlanYear): Promise<string> =>
  insertPlanYear(ctx, employer, planYearOf(input), withGroups(input.benefits, input.choice_groups), input.choice_groups)

const planYearOf = (input: Partial<NewPlanYear> & { coverage_start: Day }): PlanYearRecord => ({
  year: input.year ?? defaultYearOf(input.coverage_start),
  coverage_start: input.coverage_start,
  coverage_end: input.coverage_end ?? lastDayOf(input.coverage_start),
  open_enrollment_start: input.open_enrollment_start ?? null,
  open_enrollment_end: input.open_enrollment_end ?? null,
  offered_states: input.offered_states ?? [],
  renewal: input.renewal ?? 'active',
  plan_successors: input.plan_successors ?? {},
})

const lastDayOf = (coverage_start: Day): Day => addDays(yearsAfter(coverage_start, 1), -1)

async function insertPlanYear(
  ctx: Ctx,
  employer: EmployerKey,
  year: PlanYearRecord,
  input: OfferInput[],
  groups: ChoiceGroup[] = [],
): Promise<string> {
  refuse(
    whyNotOpen(
      year,
      await listOfferOverlaps(ctx, { ...employer, ...year, plan_year_id: null, benefit_ids: benefitsOf(input) }),
      input,
    ),
  )
  refuse(whyNotGroup(groups, benefitsOf(input)))
  const offers = await priced(ctx, employer.organization_id, year, input)
  refuse(await whySuccessorsDontFit(ctx, employer, year, plansOffered(offers)))
  const id = newId('plyr')
  await save(ctx, employer, id, year, offers)
  await endPlanYearRequest(ctx, employer)
  return id
}

/** Returns why plan successors do not fit the offers of a plan year and the earlier offers of the employer. */
const whySuccessorsDontFit = async (
  ctx: Ctx,
  employer: EmployerKey,
  { plan_successors, coverage_start }: PlanYearRecord,
  offered: PlanOfBenefit[],
) =>
  Object.keys(plan_successors).length > 0
    ? whyNotSucceed(plan_successors, await listFormerPlans(ctx, { ...employer, coverage_start }), offered)
    : undefined

const benefitsOf = (offers: { benefit_id: string }[]): string[] => offers.map(({ benefit_id }) => benefit_id)

/** The offers of a plan year at the prices of the catalog on its first day. Offers in `kept` stay unchanged. */
async function priced(
  ctx: Ctx,
  organization_id: string,
  year: PlanYear,
  input: OfferInput[],
  kept: Offer[] = [],
): Promise<Offer[]> {
  const catalog = await findCatalogBenefits(ctx, {
    organization_id,
    benefit_ids: benefitsOf(input),
    day: year.coverage_start,
  })
  return input.map((benefit_input, index) => {
    const offer = kept.find(({ benefit_id }) => benefit_id === benefit_input.benefit_id)
    if (offer) return offer
    const benefit = catalog.find(({ id }) => id === benefit_input.benefit_id)
    refuse(whyNotOffer(benefit_input, benefit, year, `benefits[${index}]`))
    return { ...offerOf(benefit_input, benefit!, year), choice_group: groupOf(benefit_input, benefit!) }
  })
}

/** Saves a plan year with its offers. A job updates the employees. */
async function save(ctx: Ctx, employer: EmployerKey, id: string, year: PlanYearRecord, offers: Offer[]): Promise<void> {
  const { organization_id, employer_id } = employer
  await savePlanYear(ctx, employer, id, year)
  await saveOffers(ctx, organization_id, id, offers)
  await saveEmployerBenefits(ctx, organization_id, [employer_id])
  await requestRecalculation(ctx, employer)
  await requestRenewal(ctx, employer, id)
}

/** Enqueues the renewal of a plan year, to the extent that it is due, including tasks for coverage that will lapse. */
const requestRenewal = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, plan_year_id: string) =>
  ctx.enqueue('renew_plan_year', { organization_id, plan_year_id }, { key: `renew:${employer_id}:${plan_year_id}` })

/**
 * Changes the fields of a plan year that were sent, before it starts, at the current prices of the catalog. Once an
 * employee has elected, coverage dates, existing offers and their prices can't change (409); other fields still can.
 * The renewal terms can change later too.
 */
export async function changePlanYear(ctx: Ctx, plan_year: PlanYearKey, changes: PlanYearChanges): Promise<void> {
  const former = await readPlanYear(ctx, plan_year)
  const { renewal = former.renewal, plan_successors = former.plan_successors, ...others } = changes
  const terms = { renewal, plan_successors }
  const changes_others = Object.values(others).some((value) => value !== undefined)
  const changes_terms = changes.renewal !== undefined || changes.plan_successors !== undefined
  if (changes_terms && !changes_others) return changeRenewal(ctx, plan_year, { ...former, ...terms })
  await changeOffers(ctx, plan_year, former, others, terms)
}

async function changeRenewal(ctx: Ctx, plan_year: PlanYearKey, year: StoredPlanYear): Promise<void> {
  refuse(await whySuccessorsDontFit(ctx, plan_year, year, plansOffered(year.offers)))
  await saveRenewalTerms(ctx, plan_year, year)
  await requestRenewal(ctx, plan_year, plan_year.benefit_plan_year_id)
}

async function changeOffers(
  ctx: Ctx,
  plan_year: PlanYearKey,
  former: StoredPlanYear,
  { benefits, choice_groups: groups, ...days }: Omit<PlanYearChanges, keyof RenewalTerms>,
  terms: RenewalTerms,
): Promise<void> {
  const { organization_id, benefit_plan_year_id: plan_year_id } = plan_year
  const { offers: before, renewal: _, plan_successors: __, is_amended: ___, ...stored } = former
  const year = withChanges(stored, days)
  const again = before.map((offer) => offerInputOf(offer, former))
  const input = benefits || groups ? withGroups(benefits ?? again, groups, before) : undefined
  const has_elections = await hasElections(ctx, { organization_id, plan_year_id })
  const overlaps = await listOfferOverlaps(ctx, {
    ...plan_year,
    ...year,
    plan_year_id,
    benefit_ids: benefitsOf(input ?? before),
  })
  refuse(whyNotChange({ former, year, input, overlaps, has_elections }, ctx.today))

  const wanted = input ?? again
  refuse(whyNotGroup(groups ?? [], benefitsOf(wanted)))
  const offers = await priced(ctx, organization_id, year, wanted, has_elections ? before : [])
  const changed = { ...year, ...terms }
  refuse(await whySuccessorsDontFit(ctx, plan_year, changed, plansOffered(offers)))
  await save(ctx, plan_year, plan_year_id, changed, offers)
  if (isOpenOn(year, ctx.today) && !isOpenOn(former, ctx.today)) await announce(ctx, plan_year, plan_year_id)
}

/**
 * Publishes events for enrollments granted before today if a change opens enrollment today, which the daily run does
 * not notice.
 */
const announce = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, plan_year_id: string) =>
  ctx.enqueue(
    'announce_open_enrollment',
    { organization_id, plan_year_id },
    { key: `announce:${employer_id}:${plan_year_id}` },
  )

/**
 * Opens the plan year after another one: the same benefits, plans and contributions, at the prices of its first day.
 * Without an open enrollment in the body, that of the previous plan year is moved. Plans with a successor are replaced
 * by it (422 if the successor is not valid).
 */
export async function copyPlanYear(ctx: Ctx, plan_year: PlanYearKey, input: PlanYearCopy): Promise<string> {
  const { year, again } = await nextYearOf(ctx, plan_year, input)
  return insertPlanYear(ctx, plan_year, year, again)
}

/** The copy of a plan year to the next one at the prices of the catalog. Stores nothing. */
export async function priceNextYear(ctx: Ctx, plan_year: PlanYearKey, input: PlanYearCopy) {
  const { former, year, again } = await nextYearOf(ctx, plan_year, input)
  refuse(whyNotFollow(year, former) ?? whyNotOpen(year, [], again))
  return { year, offers: await priced(ctx, plan_year.organization_id, year, again) }
}

/** The plan year after another one, and its benefits with the same plans and contributions. */
async function nextYearOf(ctx: Ctx, plan_year: PlanYearKey, input: PlanYearCopy) {
  const former = await readPlanYear(ctx, plan_year)
  const { coverage_start = addDays(former.coverage_end, 1), renewal = 'passive', plan_successors = {} } = input
  const { offered_states } = former
  const has_window = input.open_enrollment_start !== undefined || input.open_enrollment_end !== undefined
  const window = has_window ? {} : windowOfCopy(former, coverage_start, ctx.today)
  const year = { ...planYearOf({ ...input, coverage_start, renewal, plan_successors, offered_states }), ...window }
  const again = former.offers.map((offer) =>
    withSuccessors({ ...offerInputOf(offer, former), starts_on: undefined }, plan_successors),
  )
  if (Object.keys(plan_successors).length > 0) {
    const catalog = await findCatalogBenefits(ctx, {
      organization_id: plan_year.organization_id,
      benefit_ids: benefitsOf(again),
      day: coverage_start,
    })
    refuse(whyNotSucceed(plan_successors, plansOffered(former.offers), plansWithPrice(again, catalog)))
  }
  return { former, year, again }
}

const readPlanYear = async (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id }: PlanYearKey,
): Promise<StoredPlanYear> => (await findStoredPlanYear(ctx, { organization_id, plan_year_id: benefit_plan_year_id }))!

/** The daily run: updates the employers book when plan years, windows and benefits begin or end. */
export async function dailyEmployerBenefits(
  ctx: Ctx,
  organization_id: string,
  chunk: DailyChunk,
): Promise<string | null> {
  const employer_ids = await listBenefitsToRefresh(ctx, { organization_id, ...chunk })
  if (employer_ids.length > 0) await saveEmployerBenefits(ctx, organization_id, employer_ids)
  return lastOf(employer_ids, chunk)
}
