import type { ReadCtx } from '../../../runtime/ctx.ts'
import { endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { Paging, type Page } from '../../../kernel/pages.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { listJudgements, type ReportedRenewal } from './queries.ts'
import { shownElection, withPrice } from './rules.ts'
import { RenewalPage } from './schemas.ts'

function rowOf(judged: ReportedRenewal) {
  const { elects, ...election } = shownElection(judged, judged.stored)
  return {
    member_id: judged.member_id,
    employee_id: judged.employee_id,
    employee_external_reference_id: judged.reference_id,
    member_first_name: judged.first_name,
    member_last_name: judged.last_name,
    benefit_id: judged.benefit_id,
    benefit_name: judged.benefit_name,
    former_enrollment_id: judged.former_enrollment_id,
    former_plan: judged.former_plan,
    former_coverage_tier: judged.former_tier,
    enrollment_id: judged.enrollment_id,
    outcome: judged.outcome,
    reason: judged.reason,
    coverage_start: judged.coverage_start,
    plan: elects ? judged.plan : null,
    ...election,
  }
}

async function findRenewal(
  ctx: ReadCtx,
  scope: { employer_id: string; benefit_plan_year_id: string },
  { limit, page }: Page,
): Promise<string | undefined> {
  const judged = await listJudgements(ctx, scope, { limit, page })
  const [first] = judged
  if (!first?.plan_year_id) return undefined
  const rows = judged.filter(({ employee_id }) => employee_id !== null).map((judgement) => rowOf(withPrice(judgement)))
  const pagination = { limit, page, total: first.total, total_pages: Math.ceil(first.total / limit) }
  return JSON.stringify({ data: rows, pagination })
}

export const endpoints = [
  endpoint({
    operation: 'employers_get_benefit_plan_year_renewal',
    sdk: 'planYears.getRenewal',
    method: 'GET',
    path: '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal',
    tag: 'Plan years',
    summary: 'List the renewal decisions of a plan year',
    description:
      'Lists a row for each employee and benefit, ordered by their ids, before and after the renewal. ' +
      'An employee is carried over if they were enrolled or had waived at the end of the previous plan year and have ' +
      'neither elected nor waived since. The row shows the election and its cost, or the reason why the employee is ' +
      'not ' +
      'carried over.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locatePlanYear,
    query: Paging,
    returns: { 200: RenewalPage },
    handle: (ctx, { params, query }) => findRenewal(ctx, params, query),
  }),
]
