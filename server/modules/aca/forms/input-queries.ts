import { read, statement } from '../../../database/sql/statement.ts'
import { target_filer } from './queries.ts'

/** The `FormSettings` of the EIN of an employer as JSON. Undefined if the employer is out of reach. */
export const findFormSettings = read(
  'forms.findSettings',
  `select json_build_object(
            'employer_id', target.id, 'tax_year', :tax_year::int,
            'form_type', coalesce(form_year.form_type, '1095-C'), 'contact', form_year.contact,
            'has_conditional_spouse_offer', coalesce(form_year.has_conditional_spouse_offer, false),
            'uses_98_percent_method', coalesce(form_year.uses_98_percent_method, false))::text as json
     from (${target_filer}) as target
     left join form_years as form_year on form_year.employer_id = target.ein_employer_id
      and form_year.organization_id = target.organization_id and form_year.tax_year = :tax_year::int`,
).json

/** Saves the settings of an EIN and a tax year. The counts of another form type are not kept. */
export const saveFormSettings = statement(
  'forms.saveSettings',
  `insert into form_years (organization_id, employer_id, tax_year, form_type, contact,
                           has_conditional_spouse_offer, uses_98_percent_method)
   values (:organization_id, :employer_id, :tax_year, :form_type, :contact::jsonb, :has_conditional_spouse_offer,
           :uses_98_percent_method)
   on conflict (employer_id, organization_id, tax_year) do update
     set has_conditional_spouse_offer = excluded.has_conditional_spouse_offer,
         uses_98_percent_method = excluded.uses_98_percent_method, form_type = excluded.form_type,
         contact = excluded.contact,
         derived_at = case when form_years.form_type = excluded.form_type then form_years.derived_at end,
         counts = case when form_years.form_type = excluded.form_type then form_years.counts end`,
).rows

/** Which of these employees belong to an employer. */
export const listEmployeesAmong = statement(
  'forms.listEmployeesAmong',
  `select id from employees
    where id = any(:employee_ids::text[]) and employer_id = :employer_id and organization_id = :organization_id`,
).column

/** Which of these employees elected minimum essential coverage, so that COBRA can continue it. */
export const listElectorsAmong = statement(
  'forms.listElectorsAmong',
  `select distinct enrollment.employee_id
     from enrollments as enrollment
     join elections as election
       on election.enrollment_id = enrollment.id and election.organization_id = enrollment.organization_id
     join plans as plan on plan.id = election.plan_id and plan.organization_id = enrollment.organization_id
    where enrollment.employee_id = any(:employee_ids::text[]) and enrollment.organization_id = :organization_id
      and enrollment.answer = 'enrolled' and plan.minimum_essential`,
).column

/** Saves the tax facts of employees. Replaces earlier ones of the tax year. */
export const saveTaxFacts = statement(
  'forms.saveTaxFacts',
  `insert into employee_tax_facts (organization_id, employee_id, tax_year, w2_wages_in_cents, multiemployer_months,
                                   continuation, updated_at)
   select :organization_id, input.employee_id, :tax_year, input.w2_wages_in_cents, input.multiemployer_months,
          input.continuation_coverage, :now
     from jsonb_to_recordset(:facts::jsonb) as input (employee_id text, w2_wages_in_cents bigint,
                                                      multiemployer_months int[], continuation_coverage jsonb)
   on conflict (employee_id, organization_id, tax_year) do update
     set w2_wages_in_cents = excluded.w2_wages_in_cents, multiemployer_months = excluded.multiemployer_months,
         continuation = excluded.continuation, updated_at = excluded.updated_at`,
).rows
