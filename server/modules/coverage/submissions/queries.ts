import type { Ctx } from '../../../runtime/ctx.ts'
import type { DisplayName } from '../../access/organizations/rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { EnrollmentConfirmation, EnrollmentQuote } from './schemas.ts'

const benefits = statement(
  'answers.listBenefits',
  `select enrollment.id as enrollment_id, json_build_object(
            'id', product.id, 'category', product.category, 'name', product.name,
            'product_code', product.product_code) as benefit
     from enrollments as enrollment
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = enrollment.organization_id
    where enrollment.id = any(:enrollment_ids::text[]) and enrollment.organization_id = :organization_id`,
)

/** The benefits of enrollments, by the ids of the enrollments. */
export async function listBenefits(ctx: Ctx, organization_id: string, enrollment_ids: string[]) {
  const rows = await benefits.rows<{ enrollment_id: string; benefit: EnrollmentQuote['answers'][number]['benefit'] }>(
    ctx,
    {
      organization_id,
      enrollment_ids,
    },
  )
  return new Map(rows.map(({ enrollment_id, benefit }) => [enrollment_id, benefit]))
}

const resumed = statement(
  'answers.listResumed',
  `select former.id as enrollment_id,
          least(case when former.ended_on > former.coverage_end then former.ended_on end, year.coverage_end,
                waived.coverage_end, their_year.coverage_end) as last_day
     from (select * from enrollments
            where id = any(:enrollment_ids::text[]) and organization_id = :organization_id and answer = 'enrolled'
           offset 0) as waived
     join plan_year_benefits as own on own.plan_year_id = waived.plan_year_id
      and own.organization_id = :organization_id and own.benefit_id = waived.benefit_id
     join benefit_plan_years as their_year on their_year.id = waived.plan_year_id
      and their_year.organization_id = :organization_id
    cross join lateral (
      select * from enrollments
       where employee_id = waived.employee_id and organization_id = :organization_id offset 0) as former
     join plan_year_benefits as other on other.plan_year_id = former.plan_year_id
      and other.organization_id = :organization_id and other.benefit_id = former.benefit_id
      and other.choice_group = own.choice_group
     join benefit_plan_years as year on year.id = former.plan_year_id and year.organization_id = :organization_id
    where former.answer = 'enrolled' and former.benefit_id <> waived.benefit_id and former.choice < waived.choice
      and former.coverage_end = waived.coverage_start - 1 and not former.coverage_end_fixed
      and coalesce(former.inactive_on > :today, true)
      and (coalesce(former.ended_on > former.coverage_end, true) or former.id = any(:elected_ids::text[]))
    order by former.id`,
)

/**
 * For coverage that ended because the `elected` or `waived` enrollments replaced it, returns the new last day once
 * these are waived, by id. That is the last day of the waived ones, since the same eligibility ends both. Coverage that
 * ended on request only continues if it is elected again.
 */
export async function listResumed(
  ctx: Ctx,
  organization_id: string,
  { waived, elected }: { waived: string[]; elected: string[] },
) {
  const values = { organization_id, enrollment_ids: waived, elected_ids: elected }
  const rows = await resumed.rows<{ enrollment_id: string; last_day: Day }>(ctx, values)
  return new Map(rows.map(({ enrollment_id, last_day }) => [enrollment_id, last_day]))
}

/** The names of an employee, the organization and the employer, and the first names of dependents by id. */
export const findConfirmed = statement(
  'answers.findConfirmed',
  `select organization.name as organization_name, organization.display_names, employer.name as employer_name,
          member.first_name, member.last_name,
          (select coalesce(json_object_agg(dependent.id, dependent.first_name), '{}') from dependents as dependent
            where dependent.member_id = employee.member_id
              and dependent.organization_id = :organization_id) as family
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = :organization_id
     join employers as employer on employer.id = employee.employer_id and employer.organization_id = :organization_id
     join organizations as organization on organization.id = :organization_id
    where employee.id = :employee_id and employee.organization_id = :organization_id`,
).row<{
  organization_name: string
  employer_name: string
  first_name: string
  last_name: string
  family: Record<string, string>
  display_names: DisplayName[]
}>

export type ConfirmationKey = { organization_id: string; confirmation_id: string }

export const insertConfirmation = statement(
  'submissions.insertConfirmation',
  `insert into enrollment_confirmations
     (organization_id, id, employee_id, submitted_at, language, enrollment_ids, document_sealed)
   values
     (:organization_id, :confirmation_id, :employee_id, :now, :language, :enrollment_ids, :document_sealed)`,
).rows

/** The sealed contents of a confirmation. Null once the PDF is stored. */
export const findSealedConfirmation = statement(
  'submissions.findSealedConfirmation',
  `select document_sealed from enrollment_confirmations
    where id = :confirmation_id and organization_id = :organization_id`,
).row<{ document_sealed: Buffer | null }>

/** Replaces the contents of a confirmation by the hash of its PDF. Undefined if the PDF was already stored. */
export const saveRendered = statement(
  'submissions.saveRendered',
  `update enrollment_confirmations set sha256 = :sha256, document_sealed = null
    where id = :confirmation_id and organization_id = :organization_id and document_sealed is not null
   returning id`,
).row<{ id: string }>

/** The last 100 confirmations of an employee within reach, latest first. Undefined if out of reach. */
export const listConfirmations = read(
  'submissions.listConfirmations',
  `select employee.organization_id,
          (select coalesce(json_agg(json_build_object(
                    'id', kept.id, 'submitted_at', iso(kept.submitted_at), 'language', kept.language,
                    'enrollment_ids', kept.enrollment_ids, 'sha256', kept.sha256)
                    order by kept.submitted_at desc, kept.id desc), '[]')
             from (select * from enrollment_confirmations as confirmation
                    where confirmation.employee_id = employee.id
                      and confirmation.organization_id = employee.organization_id
                    order by confirmation.submitted_at desc, confirmation.id desc limit 100) as kept) as confirmations
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<{ organization_id: string; confirmations: Omit<EnrollmentConfirmation, 'file'>[] }>
