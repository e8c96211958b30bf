import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { affordabilityFacts } from '../../directory/ichra/queries.ts'
import type { YearFigures } from '../../directory/ichra/figure-rules.ts'
import type { FormInput } from './answer-rules.ts'

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

/** SQL: the cost for the employee alone of each plan of a row `enrollment`. */
const costsJson = `
  coalesce((select json_agg(json_build_object('effective_on', rate.effective_on, 'until', rate.until,
                                'cost_in_cents', rate.premium_in_cents - rate.min_contribution_in_cents))
              from plan_year_rates as rate
             where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
               and rate.organization_id = enrollment.organization_id
               and rate.coverage_tier = 'EE' and rate.pricing = 'tier'), '[]')`

const tiersJson = `
  coalesce((select json_agg(distinct rate.coverage_tier)
              from plan_year_rates as rate
             where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
               and rate.organization_id = enrollment.organization_id), '[]')`

/** SQL: the elections of a row `enrollment` with the covered dependents. */
const electionsJson = `
  coalesce((select json_agg(json_build_object('effective_on', election.effective_on, 'dependents', coalesce((
                     select json_agg(json_build_object('id', covered.dependent_id,
                                                       'covered_until', covered.covered_until))
                       from covered_dependents as covered
                      where covered.enrollment_id = election.enrollment_id
                        and covered.organization_id = election.organization_id
                        and covered.effective_on = election.effective_on), '[]')) order by election.effective_on)
              from elections as election
             where election.enrollment_id = enrollment.id
               and election.organization_id = enrollment.organization_id), '[]')`

/** SQL: the enrollments in minimum essential coverage of a row `employee` that overlap with a year. */
const enrollmentsJson = `
  coalesce((select json_agg(json_build_object(
                     'family', product.family, 'plan_year_start', year.coverage_start,
                     'plan_year_end', year.coverage_end, 'coverage_start', enrollment.coverage_start,
                     'coverage_end', enrollment.coverage_end, 'answer', enrollment.answer,
                     'inactive_on', enrollment.inactive_on, 'ended_by', enrollment.ended_by,
                     'coverage_tiers', ${tiersJson}, 'costs', ${costsJson}, 'elections', ${electionsJson},
                     'affordability', case when product.family = 'ichra' then (${affordabilityFacts}) end)
                     order by enrollment.coverage_start, enrollment.id)
              from enrollments as enrollment
              join benefit_plan_years as year on year.id = enrollment.plan_year_id
               and year.organization_id = enrollment.organization_id
              join benefit_products as product on product.id = enrollment.benefit_id
               and product.organization_id = enrollment.organization_id
             where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id
               and product.family in ('mec', 'mvp', 'ichra')
               and year.coverage_start <= :last_day::date and year.coverage_end >= :first_day::date), '[]')`

/** SQL: the facts about a row `employee` with rows `member` and `employer`. */
const factsJson = `
  json_build_object(
    'employee_id', employee.id, 'person', ${personJson('member')},
    'family', coalesce((select json_agg(${personJson('dependent')} order by dependent.created_at, dependent.id)
                          from dependents as dependent
                         where dependent.member_id = member.id
                           and dependent.organization_id = member.organization_id), '[]'),
    'hired_on', employee.hired_on, 'terminated_on', employee.terminated_on,
    'state', coalesce(member.state, employer.state), 'residence_zipcode', member.zipcode,
    'worksite_zipcode', employer.zipcode,
    'address', case when member.address_line_1 is not null then json_build_object(
                 'address_line_1', member.address_line_1, 'address_line_2', member.address_line_2,
                 'city', member.city, 'state', member.state, 'zipcode', member.zipcode) end,
    'classes', ${datedRows('employee_classifications', 'employee_class')},
    'compensations', ${datedRows('employee_compensations', 'compensation_type')},
    'wages', ${datedRows('employee_wages', 'monthly_wage_in_cents')},
    'enrollments', ${enrollmentsJson},
    'override', (select json_build_object('months', changed.months, 'reason', changed.reason,
                                          'updated_at', iso(changed.updated_at))
                   from form_1095c_overrides as changed
                  where changed.employee_id = employee.id and changed.organization_id = employee.organization_id
                    and changed.tax_year = :tax_year::int))`

const sources = `
  join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
  join employers as employer on employer.id = employee.employer_id
   and employer.organization_id = employee.organization_id`

const found = read(
  'forms.findFacts',
  `select employee.employer_id, ${factsJson} as facts
     from employees as employee ${sources}
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
)

const yearValues = (tax_year: number) => ({ tax_year, first_day: `${tax_year}-01-01`, last_day: `${tax_year}-12-31` })

/** The facts of the form of an employee. Undefined if out of reach. */
export const findFormFacts = (ctx: ReadCtx, employee_id: string, tax_year: number) =>
  found.row<{ employer_id: string; facts: FormInput }>(ctx, { employee_id, ...yearValues(tax_year) })

const listed = read(
  'forms.listFacts',
  `select ${factsJson} as facts
     from employers as target
    cross join lateral (
      select * from employees
       where employer_id = target.id and organization_id = target.organization_id and roster_number < :before
       order by roster_number desc limit :most) as page
     join employees as employee on employee.id = page.id and employee.organization_id = page.organization_id ${sources}
    where target.id = :employer_id and ${inReach('target.organization_id', 'target.id')}
      and coalesce(page.terminated_on >= :first_day::date, true)
      and coalesce(page.hired_on <= :last_day::date, true)
    order by page.roster_number desc`,
)

/** The number of employees whose facts are read at a time. */
const chunk = 200

const highest = read(
  'forms.findHighestNumber',
  `select coalesce((select max(roster_number) from employees
             where employer_id = employer.id and organization_id = employer.organization_id), 0) as highest
     from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
)

/** Reads the facts of all employees of an employer in a tax year, newest first. Undefined if out of reach. */
export async function listFormFacts(
  ctx: ReadCtx,
  employer_id: string,
  tax_year: number,
): Promise<FormInput[] | undefined> {
  const last = await highest.row<{ highest: number | null }>(ctx, { employer_id })
  if (!last) return undefined
  const all: FormInput[] = []
  for (let before = Number(last.highest) + 1; before > 1; before -= chunk) {
    const rows = await listed.rows<{ facts: FormInput }>(ctx, {
      employer_id,
      before,
      most: chunk,
      ...yearValues(tax_year),
    })
    all.push(...rows.map(({ facts }) => facts))
  }
  return all
}

const figures = read(
  'forms.listFigures',
  `select year, required_contribution, poverty_guidelines, assessable_payments from affordability_figures
    where year between :first_year and :last_year
      and exists (select from employers as employer
                   where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})`,
)

/** The figures that the operator saved and that the plan years of a tax year use. */
export const listFiguresOf = (ctx: ReadCtx, employer_id: string, tax_year: number) =>
  figures.rows<YearFigures>(ctx, { employer_id, first_year: tax_year - 2, last_year: tax_year })

/** Saves the override of a form. Replaces an earlier one. */
export const saveOverride = statement(
  'forms.saveOverride',
  `insert into form_1095c_overrides (organization_id, employee_id, tax_year, months, reason, updated_at)
   values (:organization_id, :employee_id, :tax_year, :months::jsonb, :reason, :now)
   on conflict (employee_id, organization_id, tax_year) do update
     set months = excluded.months, reason = excluded.reason, updated_at = excluded.updated_at`,
).rows

/** Removes the override of a form. */
export const deleteOverride = statement(
  'forms.deleteOverride',
  `delete from form_1095c_overrides
    where employee_id = :employee_id and organization_id = :organization_id and tax_year = :tax_year`,
).rows
