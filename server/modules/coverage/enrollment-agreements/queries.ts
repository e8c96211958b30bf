import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { EnrollmentAgreement } from './schemas.ts'

const agreementJson = `json_build_object(
  'id', agreement.id, 'benefit_plan_year_id', agreement.plan_year_id, 'plan_year', (
    select json_build_object('employer_id', year.employer_id, 'employer_name', employer.name,
                             'coverage_start', year.coverage_start, 'coverage_end', year.coverage_end)
      from benefit_plan_years as year
      join employers as employer
        on employer.id = year.employer_id and employer.organization_id = year.organization_id
     where year.id = agreement.plan_year_id and year.organization_id = agreement.organization_id),
  'version', agreement.version,
  'text_en', agreement.text_en, 'text_es', agreement.text_es, 'created_at', iso(agreement.created_at))`

/** The latest agreements of an organization, newest first. */
export const listAgreements = read(
  'enrollment-agreements.listAgreements',
  `select coalesce(json_agg(found.item order by found.created_at desc, found.id desc), '[]') as agreements from (
     select agreement.created_at, agreement.id, ${agreementJson} as item from enrollment_agreements as agreement
      where agreement.organization_id = :organization_id and ${inReach('agreement.organization_id')}
      order by agreement.created_at desc, agreement.id desc limit 100) as found`,
).row<{ agreements: EnrollmentAgreement[] }>

export const findAgreement = statement(
  'enrollment-agreements.findAgreement',
  `select ${agreementJson}::text as json from enrollment_agreements as agreement
    where agreement.id = :id and agreement.organization_id = :organization_id`,
).json

/** Adds the next version of the text of an organization, or of one of its plan years. */
export const insertAgreement = statement(
  'enrollment-agreements.insertAgreement',
  `insert into enrollment_agreements (organization_id, id, plan_year_id, version, text_en, text_es, created_at)
   select :organization_id, :id, :plan_year_id, 1 + coalesce(max(earlier.version), 0), :text_en, :text_es, :now
     from enrollment_agreements as earlier
    where earlier.organization_id = :organization_id and earlier.plan_year_id is not distinct from :plan_year_id`,
).rows

export const findPlanYearOfOrganization = statement(
  'enrollment-agreements.findPlanYearOfOrganization',
  'select id from benefit_plan_years where id = :plan_year_id and organization_id = :organization_id',
).row<{ id: string }>

/**
 * SQL: the current agreements of the plan years in which a row `employee` has an active enrollment, at most one for
 * each. The text of the organization applies to plan years without their own. Null if neither exists.
 */
const currentAgreements = `
  select distinct current.item::text as item
    from (select distinct plan_year_id from enrollments
           where employee_id = employee.id and organization_id = employee.organization_id
             and coalesce(inactive_on > :today::date, true)) as enrolled
    left join lateral (
      select ${agreementJson} as item from enrollment_agreements as agreement
       where agreement.organization_id = employee.organization_id
         and (agreement.plan_year_id = enrolled.plan_year_id or agreement.plan_year_id is null)
       order by agreement.plan_year_id nulls last, agreement.version desc limit 1) as current on true`

/** The agreements that an employee signs today. An element is null where the text of this service applies. */
export const findCurrentAgreements = read(
  'enrollment-agreements.findCurrentAgreements',
  `select coalesce((select json_agg(found.item::json) from (${currentAgreements}) as found), '[]') as agreements
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<{ agreements: (EnrollmentAgreement | null)[] }>

export const insertSignature = statement(
  'enrollment-agreements.insertSignature',
  `insert into enrollment_signatures
     (organization_id, employee_id, signed_at, name, pre_tax_consent, language, agreements, enrollment_ids, address)
   values
     (:organization_id, :employee_id, :now, :name, :pre_tax_consent, :language, :agreements, :enrollment_ids, :address)
   on conflict (employee_id, organization_id, signed_at) do update
     set enrollment_ids = enrollment_signatures.enrollment_ids || excluded.enrollment_ids`,
).rows

export const findLastSignature = statement(
  'enrollment-agreements.findLastSignature',
  `select name, iso(signed_at) as signed_at, address from enrollment_signatures
    where employee_id = :employee_id and organization_id = :organization_id
    order by signed_at desc limit 1`,
).row<{ name: string; signed_at: string; address: string | null }>
