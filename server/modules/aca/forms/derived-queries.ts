import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import type { YearCounts } from './derivation-rules.ts'
import { figuresJson, group_eins, in_year, target_filer, yearValues, type FilingScope } from './queries.ts'
import type { FormType } from './rules.ts'
import type { FormFilter } from './schemas.ts'

/** The forms of an EIN and a tax year, as stored: `employer_id` is the employer with the EIN. */
export type FormYearKey = EmployerKey & { tax_year: number }

const scopes_listed = statement(
  'forms.listScopes',
  `select coalesce(other.ein_employer_id, target.id) as ein_employer_id,
          array_agg(coalesce(other.employer_id, target.id)) as employer_ids,
          bool_or(coalesce(other.employer_id, target.id) = target.id) as is_own
     from employers as target
     left join ale_members as own on own.employer_id = target.id and own.organization_id = target.organization_id
     left join ale_members as other on other.ale_group_id = own.ale_group_id
      and other.organization_id = target.organization_id
    where target.id = :employer_id and target.organization_id = :organization_id
    group by coalesce(other.ein_employer_id, target.id)`,
)

/** The EINs of the aggregated ALE group of an employer, with their employers. `is_own`: the EIN of the employer. */
export const listFilingScopes = async (
  ctx: Ctx,
  { organization_id, employer_id, tax_year }: FormYearKey,
): Promise<(FilingScope & { is_own: boolean })[]> =>
  (
    await scopes_listed.rows<{ ein_employer_id: string; employer_ids: string[]; is_own: boolean }>(ctx, {
      organization_id,
      employer_id,
    })
  ).map((scope) => ({ ...scope, organization_id, tax_year }))

const members_listed = statement(
  'forms.listMembersAfter',
  `select distinct employee.member_id from employees as employee
    where employee.employer_id = any(:employer_ids::text[]) and employee.organization_id = :organization_id
      and employee.member_id > :after and ${in_year}
    order by employee.member_id limit :most`,
)

/** The next people who worked under an EIN in the tax year. */
export const listMembersAfter = (ctx: Ctx, { tax_year, ...scope }: FilingScope, after: string, most: number) =>
  members_listed.column(ctx, { ...scope, after, most, ...yearValues(tax_year) })

/** Makes sure that the forms of an EIN and a tax year have a row. */
export const openFormYear = statement(
  'forms.openYear',
  `insert into form_years (organization_id, employer_id, tax_year)
   values (:organization_id, :employer_id, :tax_year) on conflict do nothing`,
).rows

/** Records the time of a release. */
export const saveRelease = statement(
  'forms.saveRelease',
  `update form_years set released_at = :now
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year`,
).rows

/** The state of the forms of an EIN and a tax year. Undefined if no settings were saved and no derivation requested. */
export const findFormYear = statement(
  'forms.findYear',
  `select form_type, derived_at is not null as is_derived, released_at is not null as is_released from form_years
    where employer_id = :ein_employer_id and organization_id = :organization_id and tax_year = :tax_year`,
).row<{ form_type: FormType; is_derived: boolean; is_released: boolean }>

/** A derived form as stored. `content`: the text of its document. */
export type StoredForm = {
  member_id: string
  employee_id: string
  urgency: number
  last_name: string
  state: string | null
  exceptions: string[]
  item: object
  content: string
  content_hash: string
}

const saved = statement(
  'forms.saveDerived',
  `insert into derived_forms (organization_id, employer_id, tax_year, member_id, employee_id, urgency,
                              last_name, state, exceptions, item, content, content_hash, derived_at)
   select :organization_id, :ein_employer_id, :tax_year, input.member_id, input.employee_id, input.urgency,
          input.last_name, input.state, input.exceptions, input.item, input.content, input.content_hash, :now
     from jsonb_to_recordset(:forms::jsonb) as input (
            member_id text, employee_id text, urgency int, last_name text, state text, exceptions text[],
             item jsonb, content text, content_hash text)
   on conflict (employer_id, organization_id, tax_year, member_id) do update
     set employee_id = excluded.employee_id, urgency = excluded.urgency, last_name = excluded.last_name,
         state = excluded.state,
         exceptions = excluded.exceptions, item = excluded.item, content = excluded.content,
         content_hash = excluded.content_hash, derived_at = excluded.derived_at`,
)

/** Stores derived forms. Replaces earlier ones. */
export const saveDerivedForms = (ctx: Ctx, { employer_ids: _, ...scope }: FilingScope, forms: StoredForm[]) =>
  saved.rows(ctx, { ...scope, forms: JSON.stringify(forms) })

/** Removes the derived forms of a range of people, except of those for whom one is due. `last`: null for all others. */
export const deleteFormsNotDue = statement(
  'forms.deleteNotDue',
  `delete from derived_forms
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year
      and member_id > :after and (:last::text is null or member_id <= :last) and member_id <> all(:due_ids::text[])`,
).rows

/** SQL: counts the derived forms of an EIN that lack a tax identifier. */
const missingCount = (ein_employer_id: string) => `
  (select count(*) from derived_forms as form
    where form.employer_id = ${ein_employer_id} and form.organization_id = :organization_id
      and form.tax_year = :tax_year and 'tax_identifier_missing' = any(form.exceptions))`

/** Stores the counts of a derivation. Facts that change after `started_at` cause another one. */
export const finishDerivation = statement(
  'forms.finishDerivation',
  `update form_years
      set derived_at = :started_at, counts = :counts::jsonb, furnish_by = :furnish_by, file_by = :file_by,
          missing_count = ${missingCount(':employer_id')}
    where employer_id = :employer_id and organization_id = :organization_id and tax_year = :tax_year`,
).rows

/** Counts again the forms of an EIN that lack a tax identifier. */
export const saveMissingCount = statement(
  'forms.saveMissingCount',
  `update form_years set missing_count = ${missingCount(':ein_employer_id')}
    where employer_id = :ein_employer_id and organization_id = :organization_id and tax_year = :tax_year
      and derived_at is not null`,
).rows

/**
 * SQL: the time since which changes may be missing in a row `form_year`. A transaction that began in the minute before
 * the derivation may have committed after the derivation read the facts.
 */
const since = `(form_year.derived_at - interval '1 minute')`

/** SQL: whether a row of a table about a row `employee` changed after the last derivation of a row `form_year`. */
const hasChanged = (table: string, time: string) => `
  exists (select from ${table} as changed
           where changed.employee_id = employee.id and changed.organization_id = :organization_id
             and changed.${time} > ${since})`

/** SQL: the tax years whose forms follow changes on a day: the current one and the one before. */
const affectedTaxYears = (day: string) =>
  `form_year.tax_year between extract(year from ${day}) - 1 and extract(year from ${day})`

/**
 * SQL: the states whose premiums changed since the derivation of a row `form_year` and can affect its enrollments in an
 * ICHRA. A plan year that overlaps with the tax year starts in the year before or later, and a premium applies for a
 * year.
 */
const premium_states = `
  select array(
           select distinct premium.state from lowest_cost_silver_premiums as premium
            where premium.updated_at > ${since}
              and premium.effective_on >= make_date(form_year.tax_year - 2, 1, 1)
              and premium.effective_on <= make_date(form_year.tax_year, 12, 31)
              and exists (select from benefit_products as product
                           where product.organization_id = :organization_id and product.family = 'ichra')) as states`

/** The next EINs with tax years whose forms are older than a fact about their people, or were never derived. */
export const listChangedYears = statement(
  'forms.listChangedYears',
  `select form_year.employer_id, array_agg(form_year.tax_year) as tax_years
     from form_years as form_year
    cross join lateral (${premium_states} offset 0) as silver
    where form_year.organization_id = :organization_id and form_year.employer_id > :after
      and ${affectedTaxYears(':today::date')}
      and (form_year.derived_at is null
           or exists (select from affordability_figures as figures
                       where figures.year between form_year.tax_year - 2 and form_year.tax_year
                         and figures.updated_at > ${since})
           or exists (
        select from (select form_year.employer_id as id union
                     select other.employer_id from ale_members as own
                       join ale_members as other
                         on other.ale_group_id = own.ale_group_id and other.organization_id = :organization_id
                      where own.employer_id = form_year.employer_id
                        and own.organization_id = :organization_id) as target
         cross join lateral (select id, state, updated_at from employers
                              where id = target.id and organization_id = :organization_id offset 0) as employer
         where employer.updated_at > ${since}
            or employer.state = any(silver.states)
            or exists (select from benefit_plan_years as year
                         left join plan_year_rates as rate
                           on rate.plan_year_id = year.id and rate.organization_id = :organization_id
                         left join plans as plan
                           on plan.id = rate.plan_id and plan.organization_id = :organization_id
                        where year.employer_id = employer.id and year.organization_id = :organization_id
                          and greatest(year.updated_at, plan.updated_at) > ${since})
            or exists (select from employees as employee
                         join members as member
                           on member.id = employee.member_id and member.organization_id = :organization_id
                        where employee.employer_id = employer.id and employee.organization_id = :organization_id
                          and (greatest(employee.updated_at, member.updated_at) > ${since}
                               or member.state = any(silver.states)
                               or silver.states <> '{}' and exists (
                                    select from assignments as worksite
                                     where worksite.employee_id = employee.id
                                       and worksite.organization_id = :organization_id
                                       and worksite.state = any(silver.states))
                               or exists (select from dependents as dependent
                                           where dependent.member_id = member.id
                                             and dependent.organization_id = :organization_id
                                             and dependent.updated_at > ${since})
                               or ${hasChanged('enrollments', 'updated_at')}
                               or ${hasChanged('employee_measurements', 'measured_at')}
                               or ${hasChanged('employee_classifications', 'created_at')}
                               or ${hasChanged('employee_compensations', 'created_at')}
                               or ${hasChanged('employee_wages', 'updated_at')}
                               or ${hasChanged('employee_tax_facts', 'updated_at')}))))
    group by form_year.employer_id order by form_year.employer_id limit :most`,
).rows<{ employer_id: string; tax_years: number[] }>

/** SQL: whether an organization has forms that follow changes. */
export const hasFormYears = `
  exists (select from form_years as form_year
           where form_year.organization_id = organization.id and ${affectedTaxYears('daily_run.day')})`

/** The EINs and tax years with a derived form of a person. */
export const listFormYears = statement(
  'forms.listYearsOfMember',
  `select employer_id, tax_year from derived_forms
    where member_id = :member_id and organization_id = :organization_id order by employer_id, tax_year`,
).rows<{ employer_id: string; tax_year: number }>

/** Removes the derived form of a person. */
export const deleteDerivedForm = statement(
  'forms.deleteDerived',
  `delete from derived_forms
    where employer_id = :ein_employer_id and organization_id = :organization_id and tax_year = :tax_year
      and member_id = :member_id`,
).rows

/** SQL: whether the consent of the person of a row `form` to electronic delivery by the EIN is in force. */
export const consents = `
  exists (select from electronic_deliveries as delivery
           where delivery.member_id = form.member_id and delivery.organization_id = form.organization_id
             and delivery.employer_id = form.employer_id and delivery.withdrawn_at is null)`

/** SQL: whether the notice of the released form of the person of a row `form` failed, despite a consent. */
const hasFailedNotice = `
  (coalesce((select released.notice = 'failed' from released_forms as released
              where released.employer_id = form.employer_id and released.organization_id = form.organization_id
                and released.tax_year = form.tax_year and released.member_id = form.member_id
              order by released.version desc limit 1), false)
   and ${consents})`

const forms_of_target = `
  from derived_forms as form
 where form.employer_id = target.ein_employer_id and form.organization_id = target.organization_id
   and form.tax_year = :tax_year and (:exception::text is null or :exception = any(form.exceptions))
   and coalesce(:has_failed_notice::boolean = ${hasFailedNotice}, true)`

const listed = read(
  'forms.listDerived',
  `with target as materialized (${target_filer}) ${pageJson(
    `select form.item, row_number() over (order by form.urgency, form.last_name, form.member_id) as position
       from target cross join lateral (
         select form.* ${forms_of_target}
          order by form.urgency, form.last_name, form.member_id limit :limit::int offset :offset::bigint) as form`,
    `(select (select count(*) ${forms_of_target}) from target)`,
  )}`,
)

/** A page of the derived forms of an EIN, exceptions first. Undefined if the employer is out of reach. */
export const listDerivedForms = (
  ctx: ReadCtx,
  employer_id: string,
  tax_year: number,
  { exception, has_failed_notice, ...paging }: FormFilter,
) =>
  listed.json(ctx, {
    employer_id,
    tax_year,
    exception: exception ?? null,
    has_failed_notice: has_failed_notice ?? null,
    ...pageValues(paging),
  })

/** The counts of the aggregated ALE group of an employer, by EIN. Empty if the employer is out of reach. */
export const listCounts = read(
  'forms.listCounts',
  `select others.ein_employer_id, others.ein_employer_id = target.ein_employer_id as is_own,
          coalesce(form_year.form_type, '1095-C') as form_type, iso(form_year.derived_at) as derived_at,
          form_year.counts, ${figuresJson} as figures
     from (${target_filer}) as target
    cross join lateral (${group_eins}) as others
     left join form_years as form_year on form_year.employer_id = others.ein_employer_id
      and form_year.organization_id = target.organization_id and form_year.tax_year = :tax_year::int`,
).rows<CountsRow>

/** The counts of an EIN. Null before the first derivation. */
export type CountsRow = {
  ein_employer_id: string
  is_own: boolean
  form_type: FormType
  derived_at: string | null
  counts: YearCounts | null
  figures: YearFigures[]
}

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

/** The first day of minimum essential coverage of employees, which COBRA can continue. Omits employees without any. */
export const listCoverageStarts = statement(
  'forms.listCoverageStarts',
  `select enrollment.employee_id, min(enrollment.coverage_start) as covered_from
     from enrollments as enrollment
     join elections as election
       on election.enrollment_id = enrollment.id and election.organization_id = enrollment.organization_id
     join plans as plan on plan.id = election.plan_id and plan.organization_id = enrollment.organization_id
    where enrollment.employee_id = any(:employee_ids::text[]) and enrollment.organization_id = :organization_id
      and enrollment.answer = 'enrolled' and plan.minimum_essential
      and coalesce(enrollment.coverage_end >= enrollment.coverage_start, true)
    group by enrollment.employee_id`,
).rows<{ employee_id: string; covered_from: Day }>

/** Saves the tax facts of employees. An omitted fact keeps its earlier value of the tax year. */
export const saveTaxFacts = statement(
  'forms.saveTaxFacts',
  `insert into employee_tax_facts (organization_id, employee_id, tax_year, w2_wages_in_cents, multiemployer_months,
                                   continuation, updated_at)
   select :organization_id, input.facts ->> 'employee_id', :tax_year,
          case when input.facts ? 'w2_wages_in_cents' then (input.facts ->> 'w2_wages_in_cents')::bigint
               else earlier.w2_wages_in_cents end,
          case when input.facts ? 'multiemployer_months'
               then array(select each::int
                            from jsonb_array_elements_text(input.facts -> 'multiemployer_months') as each)
               else coalesce(earlier.multiemployer_months, '{}') end,
          coalesce(input.facts -> 'continuation_coverage', earlier.continuation), :now
     from jsonb_array_elements(:facts::jsonb) as input (facts)
     left join employee_tax_facts as earlier
       on earlier.employee_id = input.facts ->> 'employee_id' and earlier.organization_id = :organization_id
      and earlier.tax_year = :tax_year
   on conflict (employee_id, organization_id, tax_year) do update
     set w2_wages_in_cents = excluded.w2_wages_in_cents, multiemployer_months = excluded.multiemployer_months,
         continuation = excluded.continuation, updated_at = excluded.updated_at`,
).rows
