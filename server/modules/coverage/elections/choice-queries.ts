import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Rival } from './choice-rules.ts'
import type { EnrollmentFacts } from './rules.ts'

const rivals = statement(
  'elections.listRivals',
  `select rival.id, rival.organization_id, rival.answer, rival.elected_by, rival.choice, rival.coverage_start,
          rival.coverage_end, rival.inactive_on, year.coverage_end as plan_year_end, product.name as instead,
          coalesce((select max(choice) from (select * from enrollments
                     where employee_id = enrollment.employee_id and organization_id = :organization_id offset 0) as own
                     where own.benefit_id = enrollment.benefit_id and own.id <> enrollment.id
                       and own.answer = 'enrolled'), 0) as own_choice
     from (select * from enrollments where id = :enrollment_id and organization_id = :organization_id offset 0)
            as enrollment
     join plan_year_benefits as own on own.plan_year_id = enrollment.plan_year_id
      and own.organization_id = :organization_id and own.benefit_id = enrollment.benefit_id
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = :organization_id
    cross join lateral (
      select * from enrollments
       where employee_id = enrollment.employee_id and organization_id = :organization_id offset 0) as rival
     join plan_year_benefits as other on other.plan_year_id = rival.plan_year_id
      and other.organization_id = :organization_id and other.benefit_id = rival.benefit_id
      and other.choice_group = own.choice_group
     join benefit_plan_years as year on year.id = rival.plan_year_id and year.organization_id = :organization_id
    where rival.benefit_id <> enrollment.benefit_id
    order by rival.id`,
)

/** The enrollments of the same employee, at any time, of the other benefits of an enrollment's choice group. */
export const listRivals = (ctx: Ctx, { id, organization_id }: EnrollmentFacts) =>
  rivals.rows<Rival>(ctx, { enrollment_id: id, organization_id })
