import type { Ctx } from '../../../runtime/ctx.ts'
import { priceEnrollments } from '../elections/price-actions.ts'
import { listEnrollmentFacts, type PlanYearPrice } from '../elections/price-queries.ts'
import type { OfferedRows } from '../plan-years/offer-queries.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import { planAmendment, readPlanYear } from './actions.ts'
import { previewOf, PreviewTotals } from './preview-rules.ts'
import { findPreviewFacts, listTouched, type PreviewFacts, type Touched, type TouchedRow } from './queries.ts'
import { choosesAgainOn, losesOn, touchedBenefits } from './rules.ts'
import { most_totalled, type NewAmendment } from './schemas.ts'
import { rowsOf, type PlanYearTerms } from './terms-rules.ts'

/** The number of enrollments that are calculated at once. Other requests wait at most that long. */
const chunk_size = 250

type OfferedTerms = { terms: PlanYearTerms; rows: OfferedRows }
/** The terms of a plan year before and after an amendment, and further facts for a preview. */
type Previewing = { key: PlanYearKey; before: OfferedTerms; after: OfferedTerms; facts: PreviewFacts }

/** The effects of an amendment on all employees, as the whole response: one page and the totals. Writes nothing. */
export async function previewAmendment(ctx: Ctx, key: PlanYearKey, input: NewAmendment): Promise<string> {
  const { limit = 20, page = 1 } = input
  const amending = await readPlanYear(ctx, key)
  const { amendment, after } = await planAmendment(ctx, key, amending, input)
  const touched: Touched = { ...key, benefit_ids: touchedBenefits(amendment, amending.terms) }
  const facts = await findPreviewFacts(ctx, touched)
  const sideOf = (terms: PlanYearTerms): OfferedTerms => ({ terms, rows: rowsOf(terms) })
  const previewing = { key, before: sideOf(amending.terms), after: sideOf(after), facts }
  const data = await previewRows(ctx, previewing, await listTouched(ctx, touched, { limit, page }))
  const totals = facts.total > most_totalled ? null : await totalsOf(ctx, previewing, touched)
  const pagination = { limit, page, total: facts.total, total_pages: Math.ceil(facts.total / limit) }
  return JSON.stringify({ data, totals, pagination })
}

async function totalsOf(ctx: Ctx, previewing: Previewing, touched: Touched) {
  const totals = new PreviewTotals()
  for (let page = 1; (page - 1) * chunk_size < previewing.facts.total; page++) {
    const chunk = await listTouched(ctx, touched, { limit: chunk_size, page })
    for (const row of await previewRows(ctx, previewing, chunk)) totals.add(row)
  }
  return totals.sums
}

/** The effects on enrollments, one row for each. */
async function previewRows(ctx: Ctx, { key, before, after, facts }: Previewing, touched: TouchedRow[]) {
  const ids = touched.map(({ id }) => id)
  const found = new Map((await listEnrollmentFacts(ctx, key.organization_id, ids)).map((one) => [one.id, one]))
  const enrollments = ids.map((id) => withContributions(found.get(id)!, after))
  const prices = pricesOf(key.benefit_plan_year_id, after.rows)
  const priced = await priceEnrollments(ctx, key.organization_id, enrollments, prices)
  return priced.map(({ enrollment, elections }, at) => {
    const { id, employee_id, benefit_id } = enrollment
    const loses = ({ terms, rows }: OfferedTerms, by: typeof elections) =>
      losesOn(rows, terms.coverage_end, enrollment, by)
    const former = { loses_on: loses(before, enrollment.elections), elections: enrollment.elections }
    const later = { loses_on: loses(after, elections), elections }
    const previewed = previewOf({ enrollment, before: former, after: later, ...facts })
    const { coverage_end } = after.terms
    return {
      enrollment_id: id,
      employee_id,
      member_first_name: touched[at]!.first_name,
      member_last_name: touched[at]!.last_name,
      benefit_id,
      can_elect_again: choosesAgainOn(after.rows, coverage_end, benefit_id, previewed.loses_coverage_on),
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
