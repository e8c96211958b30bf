import { lastOf } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { addDays, yearsAfter, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { requestRecalculation } from '../../directory/employers/actions.ts'
import { saveOffers } from './offer-queries.ts'
import { windowOfCopy } from './copy-rules.ts'
import {
  findCatalogBenefits,
  findStoredPlanYear,
  hasElections,
  listBenefitsToRefresh,
  listFormerPlans,
  listOverlaps,
  saveEmployerBenefits,
  savePlanYear,
  saveRenewalTerms,
  type PlanYearKey,
} from './queries.ts'
import { groupOf, whyNotGroup, withGroups, type ChoiceGroup } from './choice-rules.ts'
import {
  isOpenOn,
  offerOf,
  saidAgain,
  whyNotChange,
  whyNotOffer,
  whyNotOpen,
  withChanges,
  yearOf,
  type Offer,
  type PlanYear,
  type SaidOffer,
} from './rules.ts'
import {
  plansOffered,
  plansWithPrice,
  whyNotSucceed,
  withSuccessors,
  type PlanOfBenefit,
  type RenewalTerms,
} from './renewal-rules.ts'
import type { NewPlanYear, PlanYearChanges, PlanYearCopy } from './schemas.ts'

/** What is written of a plan year beside what it offers. */
type PlanYearRecord = PlanYear & RenewalTerms
type StoredPlanYear = PlanYearRecord & { is_amended: boolean; offers: Offer[] }

/**
 * Opens a plan year of an employer at the prices of the catalog, and returns its id. 409 when another plan year of this
 * time offers one of the benefits, 422 for days, benefits, plans or contributions that don't fit.
 */
export const openPlanYear = (ctx: Ctx, employer: EmployerKey, said: NewPlanYear): Promise<string> =>
  insertPlanYear(ctx, employer, planYearOf(said), withGroups(said.benefits, said.choice_groups), said.choice_groups)

const planYearOf = (said: Partial<NewPlanYear> & { coverage_start: Day }): PlanYearRecord => ({
  year: said.year ?? yearOf(said.coverage_start),
  coverage_start: said.coverage_start,
  coverage_end: said.coverage_end ?? lastDayOf(said.coverage_start),
  open_enrollment_start: said.open_enrollment_start ?? null,
  open_enrollment_end: said.open_enrollment_end ?? null,
  offered_states: said.offered_states ?? [],
  renewal: said.renewal ?? 'active',
  plan_successors: said.plan_successors ?? {},
})

const lastDayOf = (coverage_start: Day): Day => addDays(yearsAfter(coverage_start, 1), -1)

async function insertPlanYear(
  ctx: Ctx,
  employer: EmployerKey,
  year: PlanYearRecord,
  said: SaidOffer[],
  groups: ChoiceGroup[] = [],
): Promise<string> {
  refuse(whyNotOpen(year, await listOverlaps(ctx, employer, null, year, benefitsOf(said)), said))
  refuse(whyNotGroup(groups, benefitsOf(said)))
  const offers = await priced(ctx, employer.organization_id, year, said)
  refuse(await whySuccessorsDontFit(ctx, employer, year, plansOffered(offers)))
  const id = newId('plyr')
  await save(ctx, employer, id, year, offers)
  return id
}

/** Why the successors of a plan year don't fit what it offers, and what the employer offered before. */
const whySuccessorsDontFit = async (
  ctx: Ctx,
  employer: EmployerKey,
  { plan_successors, coverage_start }: PlanYearRecord,
  offered: PlanOfBenefit[],
) =>
  Object.keys(plan_successors).length > 0
    ? whyNotSucceed(plan_successors, await listFormerPlans(ctx, employer, coverage_start), offered)
    : undefined

const benefitsOf = (offers: { benefit_id: string }[]): string[] => offers.map(({ benefit_id }) => benefit_id)

/** What a plan year offers: benefits at the prices of the catalog on its first day; those that are kept as they are. */
async function priced(
  ctx: Ctx,
  organization_id: string,
  year: PlanYear,
  said: SaidOffer[],
  kept: Offer[] = [],
): Promise<Offer[]> {
  const catalog = await findCatalogBenefits(ctx, organization_id, benefitsOf(said), year.coverage_start)
  return said.map((one, at) => {
    const offer = kept.find(({ benefit_id }) => benefit_id === one.benefit_id)
    if (offer) return offer
    const benefit = catalog.find(({ id }) => id === one.benefit_id)
    refuse(whyNotOffer(one, benefit, year, `benefits[${at}]`))
    return { ...offerOf(one, benefit!, year), choice_group: groupOf(one, benefit!) }
  })
}

/** Writes a plan year with what it offers. What follows for the employees is a job. */
async function save(ctx: Ctx, employer: EmployerKey, id: string, year: PlanYearRecord, offers: Offer[]): Promise<void> {
  const { organization_id, employer_id } = employer
  await savePlanYear(ctx, employer, id, year)
  await saveOffers(ctx, organization_id, id, offers)
  await saveEmployerBenefits(ctx, organization_id, [employer_id])
  await requestRecalculation(ctx, employer)
  await requestRenewal(ctx, employer, id)
}

/** Has a plan year renewed as far as it is due, and those told of who are about to lapse. */
const requestRenewal = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, plan_year_id: string) =>
  ctx.enqueue('renew_plan_year', { organization_id, plan_year_id }, { key: `renew:${employer_id}:${plan_year_id}` })

/**
 * Changes a plan year before it starts: what is sent, at the prices of the catalog as it is now. Once somebody has
 * elected, coverage dates and what is offered already stay, prices too (409); the rest may still change. How it follows
 * on the one before may change later, too.
 */
export async function changePlanYear(ctx: Ctx, plan_year: PlanYearKey, changes: PlanYearChanges): Promise<void> {
  const former = await readPlanYear(ctx, plan_year)
  const { renewal = former.renewal, plan_successors = former.plan_successors, ...others } = changes
  const terms = { renewal, plan_successors }
  const says_others = Object.values(others).some((value) => value !== undefined)
  const says_terms = changes.renewal !== undefined || changes.plan_successors !== undefined
  if (says_terms && !says_others) return changeRenewal(ctx, plan_year, { ...former, ...terms })
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
  const again = before.map((offer) => saidAgain(offer, former))
  const said = benefits || groups ? withGroups(benefits ?? again, groups, before) : undefined
  const has_elections = await hasElections(ctx, organization_id, plan_year_id)
  const overlaps = await listOverlaps(ctx, plan_year, plan_year_id, year, benefitsOf(said ?? before))
  refuse(whyNotChange({ former, year, said, overlaps, has_elections }, ctx.today))

  const wanted = said ?? again
  refuse(whyNotGroup(groups ?? [], benefitsOf(wanted)))
  const offers = await priced(ctx, organization_id, year, wanted, has_elections ? before : [])
  const changed = { ...year, ...terms }
  refuse(await whySuccessorsDontFit(ctx, plan_year, changed, plansOffered(offers)))
  await save(ctx, plan_year, plan_year_id, changed, offers)
  if (isOpenOn(year, ctx.today) && !isOpenOn(former, ctx.today)) await announce(ctx, plan_year, plan_year_id)
}

/** Has those told, who were granted before today, that open enrollment holds from now on; the daily run can't. */
const announce = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, plan_year_id: string) =>
  ctx.enqueue(
    'announce_open_enrollment',
    { organization_id, plan_year_id },
    { key: `announce:${employer_id}:${plan_year_id}` },
  )

/**
 * Opens the plan year after another: the same benefits, plans and contributions, at the prices of its first day. Unless
 * the body has an open enrollment, that of the other one is moved along. Plans with a successor are not offered again,
 * but it is (422 for one that can't be).
 */
export async function copyPlanYear(ctx: Ctx, plan_year: PlanYearKey, said: PlanYearCopy): Promise<string> {
  const former = await readPlanYear(ctx, plan_year)
  const { coverage_start = addDays(former.coverage_end, 1), renewal = 'passive', plan_successors = {} } = said
  const { offered_states } = former
  const has_window = said.open_enrollment_start !== undefined || said.open_enrollment_end !== undefined
  const window = has_window ? {} : windowOfCopy(former, coverage_start, ctx.today)
  const year = { ...planYearOf({ ...said, coverage_start, renewal, plan_successors, offered_states }), ...window }
  const again = former.offers.map((offer) =>
    withSuccessors({ ...saidAgain(offer, former), starts_on: undefined }, plan_successors),
  )
  if (Object.keys(plan_successors).length > 0) {
    const catalog = await findCatalogBenefits(ctx, plan_year.organization_id, benefitsOf(again), coverage_start)
    refuse(whyNotSucceed(plan_successors, plansOffered(former.offers), plansWithPrice(again, catalog)))
  }
  return insertPlanYear(ctx, plan_year, year, again)
}

/** A plan year as it is stored. */
const readPlanYear = async (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id }: PlanYearKey,
): Promise<StoredPlanYear> => (await findStoredPlanYear(ctx, organization_id, benefit_plan_year_id))!

/** The daily run: the book learns which plan years, windows and benefits begin and end today. */
export async function dailyEmployerBenefits(
  ctx: Ctx,
  organization_id: string,
  chunk: DailyChunk,
): Promise<string | null> {
  const employer_ids = await listBenefitsToRefresh(ctx, organization_id, chunk)
  if (employer_ids.length > 0) await saveEmployerBenefits(ctx, organization_id, employer_ids)
  return lastOf(employer_ids, chunk)
}
