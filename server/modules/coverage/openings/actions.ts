import type { Ctx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import { recalculate } from '../enrollments/actions.ts'
import {
  listGranted,
  type GrantedOffer,
  findPreviewFacts,
  listElectedCosts,
  listPlanYearRoster,
  type RosteredEmployee,
} from './queries.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import { findRenewingYear, decideRenewals } from '../renewals/queries.ts'
import type { RenewalJudgement } from '../renewals/rules.ts'
import { affordabilityAt, missingAt, PlanYearTotals, renewalPreviewOf } from './rules.ts'
import { max_totalled, type PlanYearPreview, type PreviewedOffer } from './schemas.ts'

/** The number of employees calculated without a pause, which limits how long other requests wait. */
const chunk_size = 100

/**
 * Previews the grants and costs of a stored plan year: a page of employees and the totals. Grants the enrollments that
 * a recalculation would grant at the start of open enrollment. Only for a dry run, because its transaction is rolled
 * back.
 */
export async function previewPlanYear(ctx: Ctx, key: PlanYearKey, { limit, page }: Page): Promise<PlanYearPreview> {
  const { as_of, total } = await findPreviewFacts(ctx, key)
  const opening_ctx = { ...ctx, today: as_of }
  const data = await previewRows(opening_ctx, key, await listPlanYearRoster(opening_ctx, key, { limit, page }))
  const totals = total > max_totalled ? null : await totalsOf(opening_ctx, key, total)
  return { as_of, data, totals, pagination: { limit, page, total, total_pages: Math.ceil(total / limit) } }
}

async function totalsOf(ctx: Ctx, key: PlanYearKey, total: number) {
  const totals = new PlanYearTotals()
  for (let page = 1; (page - 1) * chunk_size < total; page++) {
    const chunk = await listPlanYearRoster(ctx, key, { limit: chunk_size, page })
    for (const row of await previewRows(ctx, key, chunk)) totals.add(row)
  }
  return totals.sums(total)
}

/** The effects of a plan year on employees: one row for each benefit that they are granted or had before. */
async function previewRows(ctx: Ctx, key: PlanYearKey, employees: RosteredEmployee[]): Promise<PreviewedOffer[]> {
  const { organization_id, benefit_plan_year_id } = key
  const employee_ids = employees.map(({ id }) => id)
  await recalculate(ctx, organization_id, employee_ids)
  const year = (await findRenewingYear(ctx, { organization_id, plan_year_id: benefit_plan_year_id }))!
  const judged = Map.groupBy(await decideRenewals(ctx, year, employee_ids), ({ employee_id }) => employee_id)
  const granted = Map.groupBy(await listGranted(ctx, key, employee_ids), ({ employee_id }) => employee_id)
  const enrollment_ids = [
    ...[...judged.values()].flat().flatMap(({ former_enrollment_id }) => former_enrollment_id ?? []),
    ...[...granted.values()].flat().map(({ id }) => id),
  ]
  const costs = await listElectedCosts(ctx, organization_id, enrollment_ids)
  const rowOf = (employee: RosteredEmployee, judgement?: RenewalJudgement, offer?: GrantedOffer): PreviewedOffer => {
    const former = judgement?.former_enrollment_id
    const given = { answer: offer?.answer ?? null, cost: (offer && costs.get(offer.id)) ?? null }
    return {
      employee_id: employee.id,
      employee_external_reference_id: employee.reference_id,
      member_first_name: employee.first_name,
      member_last_name: employee.last_name,
      benefit_id: (offer ?? judgement)!.benefit_id,
      status: offer?.status ?? null,
      coverage_start: offer?.coverage_start ?? null,
      plans: offer?.plans ?? [],
      affordability: offer ? affordabilityAt(offer) : null,
      missing_figures: offer ? missingAt(offer) : null,
      former: (former && costs.get(former)) || null,
      ...renewalPreviewOf(judgement, given),
    }
  }
  return employees.flatMap((employee) => {
    const judgements = new Map((judged.get(employee.id) ?? []).map((judgement) => [judgement.benefit_id, judgement]))
    const offers = granted.get(employee.id) ?? []
    const lost = [...judgements.values()].filter(
      (judgement) => !offers.some((offer) => offer.benefit_id === judgement.benefit_id),
    )
    return [
      ...offers.map((offer) => rowOf(employee, judgements.get(offer.benefit_id), offer)),
      ...lost.map((judgement) => rowOf(employee, judgement)),
    ]
  })
}
