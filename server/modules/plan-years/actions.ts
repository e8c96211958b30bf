import { lastOf } from '../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import { addDays, yearsAfter, type Day } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { EmployerKey } from '../auth/queries.ts'
import { requestRecalculation } from '../employers/actions.ts'
import {
  findCatalogBenefits,
  findStoredPlanYear,
  hasElections,
  listBenefitsToRefresh,
  overlapsPlanYear,
  saveEmployerBenefits,
  saveOffers,
  savePlanYear,
  type PlanYearKey,
} from './queries.ts'
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
import type { NewPlanYear, PlanYearChanges, PlanYearCopy } from './schemas.ts'

/**
 * Opens a plan year of an employer at the prices of the catalog, and returns its id. 409 when the employer has one in
 * this time, 422 for days, benefits, plans or contributions that don't fit.
 */
export const openPlanYear = (ctx: Ctx, employer: EmployerKey, said: NewPlanYear): Promise<string> =>
  insertPlanYear(ctx, employer, planYearOf(said), said.benefits)

const planYearOf = (said: Partial<NewPlanYear> & { coverage_start: Day }): PlanYear => ({
  year: said.year ?? yearOf(said.coverage_start),
  coverage_start: said.coverage_start,
  coverage_end: said.coverage_end ?? lastDayOf(said.coverage_start),
  open_enrollment_start: said.open_enrollment_start ?? null,
  open_enrollment_end: said.open_enrollment_end ?? null,
  offered_states: said.offered_states ?? [],
})

const lastDayOf = (coverage_start: Day): Day => addDays(yearsAfter(coverage_start, 1), -1)

async function insertPlanYear(ctx: Ctx, employer: EmployerKey, year: PlanYear, said: SaidOffer[]): Promise<string> {
  refuse(whyNotOpen(year, await overlapsPlanYear(ctx, employer, null, year)))
  const offers = await priced(ctx, employer.organization_id, year, said)
  const id = newId('plyr')
  await save(ctx, employer, id, year, offers)
  return id
}

/** What a plan year offers: benefits at the prices of the catalog on its first day; those that are kept as they are. */
async function priced(
  ctx: Ctx,
  organization_id: string,
  year: PlanYear,
  said: SaidOffer[],
  kept: Offer[] = [],
): Promise<Offer[]> {
  const benefit_ids = said.map((one) => one.benefit_id)
  const catalog = await findCatalogBenefits(ctx, organization_id, benefit_ids, year.coverage_start)
  return said.map((one, at) => {
    const offer = kept.find(({ benefit_id }) => benefit_id === one.benefit_id)
    if (offer) return offer
    const benefit = catalog.find(({ id }) => id === one.benefit_id)
    refuse(whyNotOffer(one, benefit, year, `benefits[${at}]`))
    return offerOf(one, benefit!, year)
  })
}

/** Writes a plan year with what it offers. What follows for the employees is a job. */
async function save(ctx: Ctx, employer: EmployerKey, id: string, year: PlanYear, offers: Offer[]): Promise<void> {
  const { organization_id, employer_id } = employer
  await savePlanYear(ctx, employer, id, year)
  await saveOffers(ctx, organization_id, id, offers)
  await saveEmployerBenefits(ctx, organization_id, [employer_id])
  await requestRecalculation(ctx, employer)
}

/**
 * Changes a plan year before it starts: what is sent, at the prices of the catalog as it is now. Once somebody has
 * elected, coverage dates and what is offered already stay, prices too (409); the rest may still change.
 */
export async function changePlanYear(ctx: Ctx, plan_year: PlanYearKey, changes: PlanYearChanges): Promise<void> {
  const { organization_id, benefit_plan_year_id: plan_year_id } = plan_year
  const former = await readPlanYear(ctx, plan_year)
  const { benefits: said, ...days } = changes
  const { offers: before, ...stored } = former
  const year = withChanges(stored, days)
  const has_elections = await hasElections(ctx, organization_id, plan_year_id)
  const overlaps = await overlapsPlanYear(ctx, plan_year, plan_year_id, year)
  refuse(whyNotChange({ former, year, said, overlaps, has_elections }, ctx.today))

  const wanted = said ?? before.map((offer) => saidAgain(offer, former))
  const offers = await priced(ctx, organization_id, year, wanted, has_elections ? before : [])
  await save(ctx, plan_year, plan_year_id, year, offers)
  if (isOpenOn(year, ctx.today) && !isOpenOn(former, ctx.today)) await announce(ctx, plan_year, plan_year_id)
}

/** Has those told, who were granted before today, that open enrollment holds from now on; the daily run can't. */
const announce = (ctx: Ctx, { organization_id, employer_id }: EmployerKey, plan_year_id: string) =>
  ctx.enqueue(
    'announce_open_enrollment',
    { organization_id, plan_year_id },
    { key: `announce:${employer_id}:${plan_year_id}` },
  )

/** Opens the plan year after another: the same benefits, plans and contributions, at the prices of its first day. */
export async function copyPlanYear(ctx: Ctx, plan_year: PlanYearKey, said: PlanYearCopy): Promise<string> {
  const former = await readPlanYear(ctx, plan_year)
  const coverage_start = said.coverage_start ?? addDays(former.coverage_end, 1)
  const year = planYearOf({ ...said, coverage_start, offered_states: former.offered_states })
  const again = former.offers.map((offer) => ({ ...saidAgain(offer, former), starts_on: undefined }))
  return insertPlanYear(ctx, plan_year, year, again)
}

/** A plan year as it is stored. */
const readPlanYear = async (ctx: Ctx, { organization_id, benefit_plan_year_id }: PlanYearKey) =>
  (await findStoredPlanYear(ctx, organization_id, benefit_plan_year_id))!

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
