import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { affordabilityFacts, homeOnDay, worksiteOn } from '../../directory/ichra/queries.ts'
import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import { workFactsJson } from '../measurement/queries.ts'
import type { WorkFacts } from '../measurement/rules.ts'
import type { FormInput } from './derivation-rules.ts'
import type { FormEmployer } from './document-rules.ts'

/** SQL: the identity of a row `person`, whose id is `$id`. */
const personJson = (person: string) => `
  json_build_object('person_id', ${person}.id, 'first_name', ${person}.first_name, 'last_name', ${person}.last_name,
                    'suffix', ${person}.suffix, 'date_of_birth', ${person}.date_of_birth,
                    'tax_identifier_last_four', (
                      select last_four from tax_identifiers
                       where person_id = ${person}.id and organization_id = ${person}.organization_id))`

/** SQL: the dated rows of a table of an employee. */
const datedRows = (table: string, field: string) => `
  coalesce((select json_agg(json_build_object('effective_on', history.effective_on, '${field}', history.${field})
                            order by history.effective_on)
              from ${table} as history
             where history.employee_id = employee.id and history.organization_id = employee.organization_id), '[]')`

/**
 * SQL: the plans that a row `enrollment` offers: whether any is minimum essential coverage or provides minimum value,
 * the coverage tiers, and the costs of plans of minimum value for the employee alone.
 */
const offeredPlans = `
  select bool_or(plan.minimum_essential) as minimum_essential, bool_or(plan.minimum_value) as minimum_value,
         json_agg(distinct rate.coverage_tier) as coverage_tiers,
         coalesce(json_agg(json_build_object('effective_on', rate.effective_on, 'until', rate.until,
                             'cost_in_cents', rate.premium_in_cents - rate.min_contribution_in_cents))
                    filter (where rate.coverage_tier = 'EE' and rate.pricing = 'tier' and plan.minimum_value), '[]')
           as costs
    from plan_year_rates as rate
    join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
   where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
     and rate.organization_id = enrollment.organization_id`

/** SQL: the elections of a row `enrollment` with the covered dependents. */
const electionsJson = `
  coalesce((select json_agg(json_build_object('effective_on', election.effective_on,
                                'coverage_tier', election.coverage_tier,
                                'self_insured', elected.self_insured, 'dependents', coalesce((
                     select json_agg(json_build_object('id', covered.dependent_id,
                                                       'covered_until', covered.covered_until))
                       from covered_dependents as covered
                      where covered.enrollment_id = election.enrollment_id
                        and covered.organization_id = election.organization_id
                        and covered.effective_on = election.effective_on), '[]')) order by election.effective_on)
              from elections as election
              join plans as elected on elected.id = election.plan_id
               and elected.organization_id = election.organization_id
             where election.enrollment_id = enrollment.id
               and election.organization_id = enrollment.organization_id), '[]')`

/** SQL: the ICHRA facts of a row `enrollment` of a row `year`, at each home from the first day of coverage. */
const affordabilityByHome = `
  (select json_agg(json_build_object('effective_on', moved.day, 'facts', (${affordabilityFacts('moved.day')}))
                   order by moved.day)
     from (select enrollment.coverage_start as day union
           select left_on from former_homes
            where member_id = member.id and organization_id = member.organization_id
              and left_on > enrollment.coverage_start) as moved)`

/** SQL: a row `enrollment` as a `FormEnrollment`. */
const enrollmentJson = `
  json_build_object('kind', case when product.family = 'ichra' then 'ichra' else 'group_plan' end,
                    'has_minimum_value', offered.minimum_value, 'plan_year_start', year.coverage_start,
                    'plan_year_end', year.coverage_end, 'coverage_start', enrollment.coverage_start,
                    'coverage_end', enrollment.coverage_end, 'answer', enrollment.answer,
                    'employment_state', coalesce(
                      (select site.state from (${worksiteOn('employee', 'enrollment.coverage_start')}) as site),
                      (select home.state from (${homeOnDay('enrollment.coverage_start')}) as home), employer.state),
                    'inactive_on', enrollment.inactive_on, 'ended_by', enrollment.ended_by,
                    'coverage_tiers', offered.coverage_tiers, 'costs', offered.costs, 'elections', ${electionsJson},
                    'affordability', case when product.family = 'ichra' then ${affordabilityByHome} end)`

/** SQL: the enrollments in minimum essential coverage of a row `employee`. */
const from_enrollments = `
    from enrollments as enrollment
    join benefit_plan_years as year on year.id = enrollment.plan_year_id
     and year.organization_id = enrollment.organization_id
    join benefit_products as product on product.id = enrollment.benefit_id
     and product.organization_id = enrollment.organization_id
    join lateral (${offeredPlans}) as offered on offered.minimum_essential
   where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id`

/** SQL: the enrollments in minimum essential coverage of a row `employee` that overlap with a year. */
const enrollmentsJson = `
  coalesce((select json_agg(${enrollmentJson} order by enrollment.coverage_start, enrollment.id) ${from_enrollments}
               and year.coverage_start <= :last_day::date and year.coverage_end >= :first_day::date), '[]')`

/**
 * SQL: the periods of continuation coverage of a row `tax_facts`, each with the last enrollment of a row `employee`
 * until its first month. COBRA continues it. The employee may return and enroll again between two periods.
 */
const continuationsJson = `
  coalesce((
    select json_agg(period || jsonb_build_object('enrollment', continued.enrollment))
      from jsonb_array_elements(tax_facts.continuation) as period
     cross join lateral (
       select ${enrollmentJson} as enrollment ${from_enrollments}
          and enrollment.answer = 'enrolled' and coalesce(enrollment.coverage_end >= enrollment.coverage_start, true)
          and enrollment.coverage_start < make_date(:tax_year::int, (
                select min(month::int) from jsonb_array_elements_text(period -> 'months') as month), 1)
              + interval '1 month'
        order by enrollment.coverage_start desc, enrollment.id desc limit 1) as continued), '[]')`

/** SQL: whether the hours of a row `employee` are measured. */
const isMeasured = (employee: string) => `
  exists (select from measurement_policies as policy
           where policy.employer_id = ${employee}.employer_id
             and policy.organization_id = ${employee}.organization_id)`

/**
 * SQL: whether the people of an employer work for the aggregated ALE group of an EIN, which is one applicable large
 * employer, or under the EIN.
 */
const isInGroup = (employer_id: string, organization_id: string, ein_employer_id: string) => `
  (${employer_id} = ${ein_employer_id} or exists (
     select from ale_members as own
       join ale_members as other
         on other.ale_group_id = own.ale_group_id and other.organization_id = own.organization_id
      where own.employer_id = ${ein_employer_id} and own.organization_id = ${organization_id}
        and other.employer_id = ${employer_id}))`

/** SQL: the hours in the tax year of a row `employee` whose person also works under another EIN of the group. */
const groupHours = (ein_employer_id: string) => `
  case when exists (
         select from (select one.* from employees as one
                       where one.member_id = employee.member_id and one.organization_id = employee.organization_id
                      offset 0) as theirs
          where ${isInGroup('theirs.employer_id', 'theirs.organization_id', ein_employer_id)}
            and ${einEmployerOf('theirs.employer_id', 'theirs.organization_id')}
                <> ${einEmployerOf('employee.employer_id', 'employee.organization_id')})
       then (select coalesce(json_agg(json_build_object(
                      'starts_on', worked.period_starts_on, 'ends_on', worked.period_ends_on, 'kind', worked.kind,
                      'hundredths', worked.hundredths)), '[]')
               from hours_of_service as worked
              where worked.employee_id = employee.id and worked.organization_id = employee.organization_id
                and worked.period_starts_on <= :last_day::date and worked.period_ends_on >= :first_day::date)
       else '[]' end`

/** SQL: the employments of the person in the group of an EIN before a row `employee`, except those as a contractor. */
const earlierEmployments = (ein_employer_id: string) => `
  coalesce((select json_agg(json_build_object('hired_on', earlier.hired_on, 'terminated_on', earlier.terminated_on))
              from (select one.* from employees as one
                     where one.member_id = employee.member_id and one.organization_id = employee.organization_id
                    offset 0) as earlier
             where earlier.terminated_on < employee.hired_on
               and ${isInGroup('earlier.employer_id', 'earlier.organization_id', ein_employer_id)}
               and 'Individual Contractor' is distinct from (
                 select latest.employee_class from employee_classifications as latest
                  where latest.employee_id = earlier.id and latest.organization_id = earlier.organization_id
                  order by latest.effective_on desc limit 1)), '[]')`

/** SQL: the facts about a row `employee`, who works under an EIN, with the rows of `sourcesUnder`. */
const factsJson = (ein_employer_id: string) => `
  json_build_object(
    'form_type', coalesce(form_year.form_type, '1095-C'),
    'employee_id', employee.id, 'person', ${personJson('member')},
    'ein_employer_id', ${einEmployerOf('employee.employer_id', 'employee.organization_id')},
    'is_own', ${einEmployerOf('employee.employer_id', 'employee.organization_id')} = ${ein_employer_id},
    'group_hours', ${groupHours(ein_employer_id)},
    'family', coalesce((select json_agg(${personJson('dependent')} order by dependent.created_at, dependent.id)
                          from dependents as dependent
                         where dependent.member_id = member.id
                           and dependent.organization_id = member.organization_id), '[]'),
    'hired_on', employee.hired_on, 'terminated_on', employee.terminated_on,
    'earlier_employments', ${earlierEmployments(ein_employer_id)},
    'address', case when member.address_line_1 is not null then json_build_object(
                 'address_line_1', member.address_line_1, 'address_line_2', member.address_line_2,
                 'city', member.city, 'state', member.state, 'zipcode', member.zipcode) end,
    'classes', ${datedRows('employee_classifications', 'employee_class')},
    'compensations', ${datedRows('employee_compensations', 'compensation_type')},
    'wages', ${datedRows('employee_wages', 'monthly_wage_in_cents')},
    'is_measured', ${isMeasured('employee')},
    'w2_wages_in_cents', tax_facts.w2_wages_in_cents,
    'multiemployer_months', coalesce(tax_facts.multiemployer_months, '{}'),
    'continuation_coverage', coalesce(tax_facts.continuation, '[]'), 'continuations', ${continuationsJson},
    'has_conditional_spouse_offer', coalesce(form_year.has_conditional_spouse_offer, false),
    'enrollments', ${enrollmentsJson},
    'override', (select json_build_object('months', changed.months, 'reason', changed.reason,
                                          'updated_at', iso(changed.updated_at))
                   from form_1095c_overrides as changed
                  where changed.employee_id = employee.id and changed.organization_id = employee.organization_id
                    and changed.tax_year = :tax_year::int))`

/** SQL: the figures that the operator saved and that the plan years of a tax year use. */
export const figuresJson = `
  coalesce((select json_agg(json_build_object(
                     'year', saved.year, 'required_contribution', saved.required_contribution,
                     'poverty_guidelines', saved.poverty_guidelines, 'assessable_payments', saved.assessable_payments))
              from affordability_figures as saved
             where saved.year between :tax_year::int - 2 and :tax_year::int), '[]')`

/** SQL: the rows of the facts of a row `employee`, whose people work under an EIN. */
const sourcesUnder = (ein_employer_id: string) => `
  join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
  join employers as employer on employer.id = employee.employer_id
   and employer.organization_id = employee.organization_id
  left join employee_tax_facts as tax_facts on tax_facts.employee_id = employee.id
   and tax_facts.organization_id = employee.organization_id and tax_facts.tax_year = :tax_year::int
  left join form_years as form_year on form_year.employer_id = ${ein_employer_id}
   and form_year.organization_id = employee.organization_id and form_year.tax_year = :tax_year::int`

/** SQL: whether a row `employee` is employed in the tax year, or has continuation coverage in it. */
export const in_year = `
  (coalesce(employee.terminated_on >= :first_day::date, true) and coalesce(employee.hired_on <= :last_day::date, true)
   or exists (select from employee_tax_facts as continued
               where continued.employee_id = employee.id and continued.organization_id = employee.organization_id
                 and continued.tax_year = :tax_year::int and continued.continuation <> '[]'))`

/** SQL: the employer whose EIN the people of an employer work under. */
export const einEmployerOf = (employer_id: string, organization_id: string) => `
  coalesce((select own.ein_employer_id from ale_members as own
             where own.employer_id = ${employer_id} and own.organization_id = ${organization_id}), ${employer_id})`

/** SQL: an employer within reach, with the employer whose EIN its people work under. */
export const target_filer = `
  select employer.id, employer.organization_id,
         ${einEmployerOf('employer.id', 'employer.organization_id')} as ein_employer_id
    from employers as employer
   where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')} offset 0`

/** SQL: the EINs of the aggregated ALE group of a row of `target_filer`. */
export const group_eins = `
  select target.ein_employer_id
   union
  select other.ein_employer_id
    from ale_members as own
    join ale_members as other on other.ale_group_id = own.ale_group_id and other.organization_id = own.organization_id
   where own.employer_id = target.id and own.organization_id = target.organization_id`

/**
 * SQL: the errors that the IRS reported in the filed forms of the person of a row `target`, latest first, and that no
 * later transmission corrects.
 */
const filingErrors = `
  coalesce((select json_agg(json_build_object('code', error.code, 'message', error.message,
                                              'reported_at', iso(sent.acknowledged_at)) order by sent.number desc)
              from form_transmissions as sent
             cross join lateral jsonb_to_recordset(sent.errors) as error (employee_id text, code text, message text)
              join employees as worker on worker.id = error.employee_id
               and worker.organization_id = sent.organization_id
             where sent.employer_id = target.ein_employer_id and sent.organization_id = target.organization_id
               and sent.tax_year = :tax_year::int and not sent.is_test and worker.member_id = target.member_id
               and not exists (
                 select from released_forms as form
                   join form_transmissions as later on later.id = form.transmission_id
                    and later.organization_id = form.organization_id
                  where form.member_id = target.member_id and form.organization_id = target.organization_id
                    and form.employer_id = target.ein_employer_id and form.tax_year = :tax_year::int
                    and later.number > sent.number and not later.is_test)), '[]')`

const found = read(
  'forms.findFacts',
  `select target.employer_id as target_employer_id, employee.id as employee_id, ${figuresJson} as figures,
          ${factsJson('target.ein_employer_id')} as facts, ${filingErrors} as filing_errors,
          case when ${isMeasured('worker')} then ${workFactsJson('worker.id', 'worker.organization_id')} end as work
     from (
       select one.*, ${einEmployerOf('one.employer_id', 'one.organization_id')} as ein_employer_id
         from employees as one
        where one.id = :employee_id and ${inReach('one.organization_id', 'one.employer_id', 'one.id')} offset 0)
       as target
     join employees as employee
       on employee.member_id = target.member_id and employee.organization_id = target.organization_id
      and ${isInGroup('employee.employer_id', 'employee.organization_id', 'target.ein_employer_id')}
      and (employee.id = target.id or ${in_year})
    cross join lateral (select employee.id, employee.employer_id, employee.organization_id) as worker
     ${sourcesUnder('target.ein_employer_id')}
    order by employee.id`,
)

export const yearValues = (tax_year: number) => ({
  tax_year,
  first_day: `${tax_year}-01-01`,
  last_day: `${tax_year}-12-31`,
})

/** The facts of an employment, with the figures of the tax year. */
export type FormFactsRow = { employee_id: string; figures: YearFigures[]; facts: FormInput }

/**
 * The facts of the form of an employee, from all employments of the person in the group of the EIN. `work` has the
 * facts of measured hours, if they are measured. Empty if the employee is out of reach.
 */
export const listFormFacts = (ctx: ReadCtx, employee_id: string, tax_year: number) =>
  found.rows<FormFactsRow & { target_employer_id: string; filing_errors: object[]; work: WorkFacts | null }>(ctx, {
    employee_id,
    ...yearValues(tax_year),
  })

const listed = statement(
  'forms.listFacts',
  `select employee.member_id, employee.id as employee_id, ${figuresJson} as figures,
          ${factsJson(':ein_employer_id')} as facts
     from employees as employee ${sourcesUnder(':ein_employer_id')}
    where employee.member_id = any(:member_ids::text[]) and employee.organization_id = :organization_id
      and ${isInGroup('employee.employer_id', ':organization_id', ':ein_employer_id')} and ${in_year}
    order by employee.member_id, employee.id`,
)

/** The EIN and the tax year of forms: the employer with the EIN, and all employers whose people work under it. */
export type FilingScope = {
  organization_id: string
  ein_employer_id: string
  employer_ids: string[]
  tax_year: number
}

/** The facts of people who work under an EIN, by person, from all of their employments in the group. */
export const listFactsOfMembers = (
  ctx: Ctx,
  { tax_year, employer_ids: _, ...scope }: FilingScope,
  member_ids: string[],
) => listed.rows<FormFactsRow & { member_id: string }>(ctx, { ...scope, member_ids, ...yearValues(tax_year) })

/** Saves the override of the cells of a form. */
export const insertOverride = statement(
  'forms.insertOverride',
  `insert into form_1095c_overrides (organization_id, employee_id, tax_year, months, reason, updated_at)
   values (:organization_id, :employee_id, :tax_year, :months::jsonb, :reason, :now)`,
).rows

/** Removes the override of the form of a person, regardless of the employment under the EIN for which it was saved. */
export const deleteOverride = statement(
  'forms.deleteOverride',
  `delete from form_1095c_overrides
    where organization_id = :organization_id and tax_year = :tax_year and employee_id in (
            select employee.id from employees as employee
             where employee.member_id = :member_id and employee.organization_id = :organization_id
               and employee.employer_id = any(:employer_ids::text[]))`,
).rows

/** SQL: the fields of a row `filer` that forms show. */
export const filerColumns = (filer: string) => `
  ${filer}.legal_name, ${filer}.ein_sealed, ${filer}.phone_number, ${filer}.address_line_1, ${filer}.address_line_2,
  ${filer}.city, ${filer}.state, ${filer}.zipcode`

/** The employer whose EIN the people of an employer work under. Undefined if out of reach. */
export const findFormEmployer = read(
  'forms.findEmployer',
  `select ${filerColumns('filer')}
     from (${target_filer}) as target
     join employers as filer on filer.id = target.ein_employer_id and filer.organization_id = target.organization_id`,
).row<FormEmployer>
