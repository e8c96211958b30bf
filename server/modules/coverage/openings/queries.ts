import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { offsetOf, type Page } from '../../../kernel/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import type { OfferedCost } from './schemas.ts'

// What a preview is told by. The organization is locked.

const facts_found = statement(
  'openings.findPreviewFacts',
  `select greatest(:today::date, least(year.open_enrollment_start, year.coverage_start)) as as_of,
          (select count(*) from employees as employee
            where employee.employer_id = year.employer_id and employee.organization_id = year.organization_id
              and coalesce(employee.terminated_on >= year.coverage_start, true)) as total
     from benefit_plan_years as year
    where year.id = :benefit_plan_year_id and year.organization_id = :organization_id`,
)

/** The day on which a plan year is granted, today or later, and how many employees there are by its first day. */
export const findPreviewFacts = async (ctx: Ctx, { organization_id, benefit_plan_year_id }: PlanYearKey) =>
  (await facts_found.row<{ as_of: Day; total: number }>(ctx, { organization_id, benefit_plan_year_id }))!

const roster = statement(
  'openings.listRoster',
  `select page.id, page.reference_id, member.first_name, member.last_name
     from benefit_plan_years as year
    cross join lateral (
      select employee.id, employee.reference_id, employee.member_id, employee.roster_number from employees as employee
       where employee.employer_id = year.employer_id and employee.organization_id = year.organization_id
         and coalesce(employee.terminated_on >= year.coverage_start, true)
       order by employee.roster_number desc limit :limit::int offset :offset::bigint) as page
     join members as member on member.id = page.member_id and member.organization_id = year.organization_id
    where year.id = :benefit_plan_year_id and year.organization_id = :organization_id
    order by page.roster_number desc`,
)

export type RosteredEmployee = { id: string; reference_id: string | null; first_name: string; last_name: string }

/** A page of an employer's employees who are not gone before the plan year, the newest first. */
export const listPlanYearRoster = (ctx: Ctx, { organization_id, benefit_plan_year_id }: PlanYearKey, page: Page) =>
  roster.rows<RosteredEmployee>(ctx, {
    organization_id,
    benefit_plan_year_id,
    limit: page.limit,
    offset: offsetOf(page),
  })

const costs = statement(
  'openings.listElectedCosts',
  `select distinct on (election.enrollment_id) election.enrollment_id, election.plan_id, election.coverage_tier,
          election.premium_in_cents, election.employer_contribution_in_cents, election.employee_deduction_in_cents
     from unnest(:enrollment_ids::text[]) as wanted (id)
     join elections as election on election.enrollment_id = wanted.id and election.organization_id = :organization_id
    order by election.enrollment_id, election.effective_on desc`,
)

/** What is elected in enrollments at last, by enrollment. */
export async function listElectedCosts(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
): Promise<Map<string, OfferedCost>> {
  const rows = await costs.rows<OfferedCost & { enrollment_id: string }>(ctx, { organization_id, enrollment_ids })
  return new Map(rows.map(({ enrollment_id, ...cost }) => [enrollment_id, cost]))
}
