import { rowsWith } from '../../../database/sql/fragments.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { offsetOf, type Page } from '../../../kernel/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import type { OfferedCost } from './schemas.ts'
import { affordabilityFacts, personalFacts } from '../../directory/ichra/queries.ts'
import type { PersonalAffordability } from '../plan-years/contribution-rules.ts'
import { electablePlans, enrollmentSources, enrollmentStatus } from '../enrollments/queries.ts'
import { withPersonalPrices, type PersonalFacts } from '../enrollments/rules.ts'
import type { AnyEnrollment, ElectablePlan } from '../enrollments/schemas.ts'

// The following statements return facts for a preview. The organization must be locked.

const facts_found = statement(
  'openings.findPreviewFacts',
  `select greatest(:today::date, least(year.open_enrollment_start, year.coverage_start)) as as_of,
          (select count(*) from employees as employee
            where employee.employer_id = year.employer_id and employee.organization_id = year.organization_id
              and coalesce(employee.terminated_on >= year.coverage_start, true)) as total
     from benefit_plan_years as year
    where year.id = :benefit_plan_year_id and year.organization_id = :organization_id`,
)

/** Returns the day on which the plan year is granted, today or later, and the number of employees on its first day. */
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

/** A page of the employees of an employer without those leaving before the plan year, newest first. */
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

/** The last election of each enrollment with its cost. */
export async function listElectedCosts(
  ctx: Ctx,
  organization_id: string,
  enrollment_ids: string[],
): Promise<Map<string, OfferedCost>> {
  const rows = await costs.rows<OfferedCost & { enrollment_id: string }>(ctx, { organization_id, enrollment_ids })
  return new Map(rows.map(({ enrollment_id, ...cost }) => [enrollment_id, cost]))
}

const granted = statement(
  'enrollments.listGranted',
  `select enrollment.id, enrollment.employee_id, enrollment.benefit_id, enrollment.coverage_start, enrollment.answer,
          ${enrollmentStatus(':today')} as status, ${electablePlans},
          case when product.family = 'ichra' then (${personalFacts}) end as personal,
          case when product.family in ('ichra', 'mvp') then (${affordabilityFacts()}) end as affordability_facts,
          product.family
     from ${rowsWith('employee_ids', 'enrollments', 'enrollment', 'employee_id')}
    ${enrollmentSources}
    where enrollment.plan_year_id = :benefit_plan_year_id and coalesce(enrollment.inactive_on > :today::date, true)
    order by enrollment.employee_id, product.name, enrollment.id`,
)

/** An enrollment that an employee is granted in a plan year, with the electable plans and their cost. */
export type GrantedOffer = Pick<AnyEnrollment, 'id' | 'employee_id' | 'status'> & {
  benefit_id: string
  coverage_start: Day
  answer: 'enrolled' | 'waived' | null
  plans: ElectablePlan[]
  family: string
  /** For benefits with an affordability rule: ICHRA and plans of minimum value. */
  affordability_facts: PersonalAffordability | null
}

/** Lists the enrollments of employees in a plan year that are not inactive. */
export async function listGranted(
  ctx: Ctx,
  { organization_id, benefit_plan_year_id }: PlanYearKey,
  employee_ids: string[],
): Promise<GrantedOffer[]> {
  const rows = await granted.rows<GrantedOffer & { personal: PersonalFacts | null }>(ctx, {
    organization_id,
    benefit_plan_year_id,
    employee_ids,
  })
  return rows.map(({ personal, plans, ...offer }) => ({
    ...offer,
    plans: personal ? withPersonalPrices(plans, personal, ctx.today) : plans,
  }))
}
