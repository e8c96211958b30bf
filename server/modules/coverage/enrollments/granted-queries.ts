import type { Ctx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { statement } from '../../../database/sql/statement.ts'
import { affordabilityFacts, personalFacts } from '../../directory/ichra/queries.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import type { PersonalAffordability } from '../plan-years/affordability-rules.ts'
import { electable, enrollmentSources, enrollmentStatus } from './queries.ts'
import { withPersonalPrices, type PersonalFacts } from './rules.ts'
import type { AnyEnrollment, ElectablePlan } from './schemas.ts'

const granted = statement(
  'enrollments.listGranted',
  `select enrollment.id, enrollment.employee_id, enrollment.benefit_id, enrollment.coverage_start, enrollment.answer,
          ${enrollmentStatus(':today')} as status, ${electable},
          case when product.family = 'ichra' then (${personalFacts}) end as personal,
          case when product.family in ('ichra', 'mvp') then (${affordabilityFacts}) end as affordability_facts,
          product.family
     from unnest(:employee_ids::text[]) as wanted (id)
    cross join lateral (
      select * from enrollments
       where employee_id = wanted.id and organization_id = :organization_id offset 0) as enrollment
    ${enrollmentSources}
    where enrollment.plan_year_id = :benefit_plan_year_id and coalesce(enrollment.inactive_on > :today::date, true)
    order by enrollment.employee_id, product.name, enrollment.id`,
)

/** What somebody is granted in a plan year, and what they can elect, at what they would pay. */
export type GrantedOffer = Pick<AnyEnrollment, 'id' | 'employee_id' | 'status'> & {
  benefit_id: string
  coverage_start: Day
  answer: 'enrolled' | 'waived' | null
  plans: ElectablePlan[]
  family: string
  /** of what may be judged by its cost: individual coverage, and plans of minimum value */
  affordability_facts: PersonalAffordability | null
}

/** The enrollments of employees in a plan year that are not over. */
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
