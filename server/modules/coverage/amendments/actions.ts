import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEventOfEach, recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { listEmployeesAfter } from '../eligibility/queries.ts'
import { repriceElections, priceEnrollments } from '../elections/price-actions.ts'
import { recalculate } from '../enrollments/actions.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { saveTerms, findCatalogBenefits, type OfferedRows } from '../plan-years/offer-queries.ts'
import { findStoredPlanYear, saveEmployerBenefits, type PlanYearKey } from '../plan-years/queries.ts'
import { groupOf, offerOf, whyNotOffer } from '../plan-years/offer-rules.ts'
import { whyNotOpen } from '../plan-years/rules.ts'
import {
  findAmendedYear,
  insertAmendment,
  listElected,
  listAmendedOverlaps,
  saveWithdrawal,
  type AmendedYear,
  type AmendmentKey,
  findPreviewFacts,
  listAffectedEnrollments,
  type PreviewFacts,
  type AffectedBenefits,
  type AffectedEnrollment,
} from './queries.ts'
import {
  amendmentTerms,
  isStructural,
  whyNotAmend,
  whyNotAmendFrom,
  whyNotAddAmendment,
  whyNotOfferTerms,
  whyNotWithdraw,
  canElectAgain,
  coverageLostOn,
  affectedBenefits,
  previewOf,
  PreviewTotals,
} from './rules.ts'
import { type NewAmendment, max_totalled } from './schemas.ts'
import { rowsOf, termsOf, type AmendmentTerms, type AsOpened, type PlanYearTerms } from './terms-rules.ts'
import { listEnrollmentFacts, type PlanYearPrice } from '../elections/price-queries.ts'

/** The number of employees in one transaction of a job. */
const chunk_size = 1000

/** A plan year with its original terms and its current terms after all amendments. */
type Amending = { year: AmendedYear; opened: AsOpened; terms: PlanYearTerms }

async function readPlanYear(ctx: Ctx, { organization_id, benefit_plan_year_id }: PlanYearKey): Promise<Amending> {
  const year = (await findAmendedYear(ctx, { organization_id, plan_year_id: benefit_plan_year_id }))!
  const opened =
    year.as_opened ?? (await findStoredPlanYear(ctx, { organization_id, plan_year_id: benefit_plan_year_id }))!
  const { coverage_end, offers } = opened
  return { year, opened: { coverage_end, offers }, terms: termsOf(opened, year.coverage_start, activeTerms(year)) }
}

const activeTerms = ({ amendments }: AmendedYear): AmendmentTerms[] => amendments.flatMap(({ terms }) => terms ?? [])

/**
 * Calculates the terms of an amendment and the resulting terms of the plan year. Refuses amendments that are not
 * possible.
 */
async function planAmendment(ctx: Ctx, key: PlanYearKey, { year, opened, terms }: Amending, input: NewAmendment) {
  refuse(whyNotAddAmendment(year.amendments))
  refuse(whyNotAmendFrom(input, year))
  const added = input.added_benefits ?? []
  const benefit_ids = [...terms.versions.flatMap(({ offers }) => offers), ...added].map(({ benefit_id }) => benefit_id)
  const ids = [...new Set(benefit_ids)]
  const catalog = await findCatalogBenefits(ctx, {
    organization_id: key.organization_id,
    benefit_ids: ids,
    day: input.effective_on,
  })
  refuse(whyNotAmend(input, terms, catalog))
  const from = { ...year, coverage_start: input.effective_on, coverage_end: input.coverage_end ?? year.coverage_end }
  const offers = added.map((added_benefit, index) => {
    const benefit = catalog.find(({ id }) => id === added_benefit.benefit_id)
    refuse(whyNotOffer(added_benefit, benefit, from, `added_benefits[${index}]`))
    return { ...offerOf(added_benefit, benefit!, from), choice_group: groupOf({}, benefit!) }
  })
  const amendment = amendmentTerms(newId('amnd'), input, catalog, offers)
  const after = termsOf(opened, year.coverage_start, [...activeTerms(year), amendment])
  await requireValidTerms(ctx, key, year, after)
  return { amendment, after }
}

async function requireValidTerms(ctx: Ctx, key: PlanYearKey, year: AmendedYear, terms: PlanYearTerms): Promise<void> {
  refuse(whyNotOfferTerms(terms))
  const days = { ...year, coverage_end: terms.coverage_end }
  refuse(whyNotOpen(days, await listAmendedOverlaps(ctx, key, days, rowsOf(terms).benefits)))
}

/**
 * Amends a plan year starting on a day. Elections stay and are repriced; after the loss of a plan, the employee can
 * elect another one. Returns the id of the amendment. A job updates the employees. Refused with 409 if another plan
 * year offers the benefit, with 422 for anything that does not fit the offers on that day.
 */
export async function amendPlanYear(ctx: Ctx, key: PlanYearKey, input: NewAmendment): Promise<string> {
  const amending = await readPlanYear(ctx, key)
  const { amendment, after } = await planAmendment(ctx, key, amending, input)
  const { reason, dry_run: _, limit: __, page: ___, ...terms } = input
  await insertAmendment(ctx, key, { terms: amendment, input: terms, reason })
  await save(ctx, key, { opened: amending.opened, terms: after }, { reason, settles: isStructural(amendment) })
  return amendment.id
}

/**
 * Withdraws the last amendment in force. The plan year offers what it did before, and all employees have the coverage
 * that they would have without it. Refused with 409 for any other amendment.
 */
export async function withdrawAmendment(ctx: Ctx, key: AmendmentKey, reason: string): Promise<void> {
  const { year, opened } = await readPlanYear(ctx, key)
  refuse(whyNotWithdraw(year.amendments, key.amendment_id))
  const withdrawn = activeTerms(year).find(({ id }) => id === key.amendment_id)!
  const others = activeTerms(year).filter((amendment) => amendment !== withdrawn)
  const terms = termsOf(opened, year.coverage_start, others)
  await requireValidTerms(ctx, key, year, terms)
  await saveWithdrawal(ctx, { ...key, reason })
  const as_opened = others.length > 0 ? opened : null
  await save(ctx, key, { opened: as_opened, terms }, { reason, settles: isStructural(withdrawn) })
}

/** Saves the amended terms of a plan year, publishes an event and enqueues the update of coverage. */
async function save(
  ctx: Ctx,
  key: PlanYearKey,
  { opened, terms }: { opened: AsOpened | null; terms: PlanYearTerms },
  { reason, settles }: { reason: string; settles: boolean },
): Promise<void> {
  const { organization_id, employer_id, benefit_plan_year_id: plan_year_id } = key
  const written = { coverage_end: terms.coverage_end, as_opened: opened, rows: rowsOf(terms) }
  const count = await saveTerms(ctx, key, written)
  await saveEmployerBenefits(ctx, organization_id, [employer_id])
  await recordEvents(ctx, [{ event_name: 'benefit_plan_year.amended', organization_id, resource_id: plan_year_id }])
  await requestNext(ctx, { organization_id, plan_year_id, employer_id, count, reason, settles })
}

export const AmendmentJob = z.object({
  organization_id: z.string(),
  plan_year_id: z.string(),
  employer_id: z.string(),
  /**
   * The number of amendments of the plan year when the job was enqueued. The jobs of each amendment run to the end of
   * the roster, so that no employee is skipped.
   */
  count: z.int(),
  reason: z.string(),
  settles: z.boolean(),
  /** The last employee who was updated. */
  through_employee_id: z.string().optional(),
})
type AmendmentJob = z.output<typeof AmendmentJob>

const requestNext = (ctx: Ctx, job: AmendmentJob) =>
  ctx.enqueue('follow_amendment', job, { key: `amend:${job.plan_year_id}:${job.count}` })

/**
 * Updates the coverage and elections of the next employees of an employer after an amendment, and enqueues the next
 * chunk in the same transaction. A second run changes nothing.
 */
export const applyAmendment = (runtime: Runtime, job: AmendmentJob): Promise<void> =>
  inOrganization(runtime, job.organization_id, async (ctx) => {
    const { organization_id, plan_year_id, reason, settles } = job
    const year = await findAmendedYear(ctx, { organization_id, plan_year_id })
    if (!year) return
    const employee_ids = await listEmployeesAfter(ctx, job, job.through_employee_id, chunk_size)
    if (settles) await recalculate(ctx, organization_id, employee_ids, { since: year.coverage_start })
    const enrolled = await listElected(ctx, { organization_id, plan_year_id, employee_ids })
    const changed = await repriceElections(ctx, organization_id, enrolled)
    const enrollment_ids = changed.map(({ id }) => id)
    const entry = { action: 'amended', by: 'rule', reason } as const
    const evidence = enrollment_ids.map((enrollment_id) => ({ enrollment_id, ...entry }))
    await recordEvidence(ctx, organization_id, evidence)
    await recordEventOfEach(ctx, 'enrollment.amended', organization_id, enrollment_ids)
    if (employee_ids.length === chunk_size)
      await requestNext(ctx, { ...job, through_employee_id: employee_ids.at(-1)! })
  })

/** The number of enrollments calculated without a pause, which limits how long other requests wait. */
const enrollments_at_once = 250

type OfferedTerms = { terms: PlanYearTerms; rows: OfferedRows }
type Previewing = { key: PlanYearKey; before: OfferedTerms; after: OfferedTerms; facts: PreviewFacts }

/** The effects of an amendment on all employees, as the whole response: one page and the totals. Writes nothing. */
export async function previewAmendment(ctx: Ctx, key: PlanYearKey, input: NewAmendment): Promise<string> {
  const { limit = 20, page = 1 } = input
  const amending = await readPlanYear(ctx, key)
  const { amendment, after } = await planAmendment(ctx, key, amending, input)
  const touched: AffectedBenefits = { ...key, benefit_ids: affectedBenefits(amendment, amending.terms) }
  const facts = await findPreviewFacts(ctx, touched)
  const sideOf = (terms: PlanYearTerms): OfferedTerms => ({ terms, rows: rowsOf(terms) })
  const previewing = { key, before: sideOf(amending.terms), after: sideOf(after), facts }
  const data = await previewRows(ctx, previewing, await listAffectedEnrollments(ctx, touched, { limit, page }))
  const totals = facts.total > max_totalled ? null : await totalsOf(ctx, previewing, touched)
  const pagination = { limit, page, total: facts.total, total_pages: Math.ceil(facts.total / limit) }
  return JSON.stringify({ data, totals, pagination })
}

async function totalsOf(ctx: Ctx, previewing: Previewing, touched: AffectedBenefits) {
  const totals = new PreviewTotals()
  for (let page = 1; (page - 1) * enrollments_at_once < previewing.facts.total; page++) {
    const chunk = await listAffectedEnrollments(ctx, touched, { limit: enrollments_at_once, page })
    for (const row of await previewRows(ctx, previewing, chunk)) totals.add(row)
  }
  return totals.sums
}

/** The effects on enrollments, one row for each. */
async function previewRows(ctx: Ctx, { key, before, after, facts }: Previewing, touched: AffectedEnrollment[]) {
  const ids = touched.map(({ id }) => id)
  const listed = await listEnrollmentFacts(ctx, { ...key, enrollment_ids: ids })
  const found = new Map(listed.map((enrollment) => [enrollment.id, enrollment]))
  const enrollments = ids.map((id) => withContributions(found.get(id)!, after))
  const prices = pricesOf(key.benefit_plan_year_id, after.rows)
  const priced = await priceEnrollments(ctx, key.organization_id, enrollments, prices)
  return priced.map(({ enrollment, elections }, index) => {
    const { id, employee_id, benefit_id } = enrollment
    const loses = ({ terms, rows }: OfferedTerms, elected: typeof elections) =>
      coverageLostOn(rows, terms.coverage_end, enrollment, elected)
    const former = { loses_on: loses(before, enrollment.elections), elections: enrollment.elections }
    const later = { loses_on: loses(after, elections), elections }
    const previewed = previewOf({ enrollment, before: former, after: later, ...facts })
    const { coverage_end } = after.terms
    return {
      enrollment_id: id,
      employee_id,
      member_first_name: touched[index]!.first_name,
      member_last_name: touched[index]!.last_name,
      benefit_id,
      can_elect_again: canElectAgain(after.rows, coverage_end, benefit_id, previewed.loses_coverage_on),
      ...previewed,
    }
  })
}

/** An enrollment with the contributions of these terms. */
const withContributions = <Facts extends { benefit_id: string; plan_year_end: string }>(
  enrollment: Facts,
  { terms, rows }: OfferedTerms,
) => ({
  ...enrollment,
  plan_year_end: terms.coverage_end,
  contributions: rows.contributions
    .filter(({ benefit_id }) => benefit_id === enrollment.benefit_id)
    .map(({ effective_on = '-infinity', contribution_strategy }) => ({ effective_on, contribution_strategy })),
})

/** The price lists of a plan year with these terms, in the form that is stored. */
const pricesOf = (plan_year_id: string, { rates }: OfferedRows): PlanYearPrice[] =>
  rates.map((rate) => ({
    plan_year_id,
    benefit_id: rate.benefit_id,
    plan_id: rate.plan_id,
    coverage_tier: rate.coverage_tier as PlanYearPrice['coverage_tier'],
    tier_id: rate.tier_id,
    premium_in_cents: rate.premium_in_cents,
    pricing: rate.pricing ?? 'tier',
    effective_on: rate.effective_on ?? '-infinity',
    until: rate.until ?? 'infinity',
    amendment_id: rate.amendment_id ?? null,
    area_version: rate.area_version ?? null,
    priced_on: rate.priced_on ?? null,
  }))

export const tasks = { follow_amendment: task(AmendmentJob, applyAmendment) }
