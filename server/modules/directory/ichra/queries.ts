import { target_employee } from '../../access/auth/queries.ts'
import { states } from '../../../kernel/states.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { columnsOf, inForce } from '../../../database/sql/fragments.ts'
import { rowPageJson, objectJson, targetList, pageValues } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { YearFigures } from './figure-rules.ts'
import type { SilverFilter, SilverRow, Wage } from './schemas.ts'

/** SQL: the key of the county in which a row `member` lives. '' if unknown. */
const countyKey = `lower(coalesce(member.county, '') collate pg_c_utf8)`

/** SQL: the day that determines the displayed prices for a row `enrollment` of a row `year`. */
export const electionDay = 'election_day(enrollment.answer, enrollment.coverage_start, year.coverage_end, :today::date)'

/**
 * SQL: the premium list of a plan for a `member` who works for an `employer`, from a row of plan-year prices. Applies
 * on the pricing day, which is the first day of the `year` unless it was amended. Prefers the list of the county over
 * that of the state. Null if the plan has none.
 */
export const areaRatesOfPlan = (price: string): string => `(
  select list.rates
    from (select coalesce(member.state, employer.state) as state, array['', ${countyKey}] as county_keys,
                 coalesce(${price}.priced_on, year.coverage_start) as day offset 0) as target
   cross join lateral (
     select rates from plan_area_rates
      where plan_id = ${price}.plan_id and organization_id = ${price}.organization_id
        and state = target.state and county_key = any(target.county_keys) and effective_on <= target.day
        and version <= ${price}.area_version
      order by county_key desc, effective_on desc, version desc limit 1) as list)`

/**
 * SQL: the version of the premium lists of a row of plans on a day, and their lowest premium for an employee alone.
 * Null without lists.
 */
export const areaSummary = (plan: string, $day: string): string => `
  select json_build_object('version', max(list.newest), 'lowest_in_cents',
                           min((rate.input ->> 'premium_in_cents')::bigint))
    from (select distinct on (state, county_key) rates,
                 (select max(version) from plan_area_rates
                   where plan_id = ${plan}.id and organization_id = ${plan}.organization_id) as newest
            from plan_area_rates
           where plan_id = ${plan}.id and organization_id = ${plan}.organization_id and effective_on <= ${$day}::date
           order by state, county_key, effective_on desc, version desc) as list
   cross join lateral jsonb_array_elements(list.rates) as rate (input)
   where coalesce(rate.input ->> 'coverage_tier', 'EE') = 'EE' and coalesce((rate.input ->> 'max_age')::int, 150) >= 18
  having count(*) > 0`

/** SQL: the facts on which the ICHRA prices of a row `enrollment` of a row `year` depend. */
export const personalFacts = `
  select json_build_object(
           'answer', enrollment.answer, 'coverage_start', enrollment.coverage_start, 'plan_year_end', year.coverage_end,
           'contribution_strategy', contribution.contribution_strategy, 'date_of_birth', member.date_of_birth,
           'state', coalesce(member.state, employer.state),
           'classes', (select coalesce(json_agg(json_build_object('effective_on', history.effective_on,
                                'employee_class', history.employee_class) order by history.effective_on), '[]')
                         from employee_classifications as history
                        where history.employee_id = employee.id
                          and history.organization_id = employee.organization_id),
           'dependents', (select coalesce(json_agg(json_build_object('relationship', dependent.relationship,
                                   'date_of_birth', dependent.date_of_birth, 'ended_on', dependent.ended_on,
                                   'covered_until', dependent_covered_until(
                                     dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                                     dependent.disabled_until))
                                   order by dependent.id), '[]')
                            from dependents as dependent
                           where dependent.member_id = member.id
                             and dependent.organization_id = member.organization_id),
           'plans', (select coalesce(json_agg(json_build_object(
                              'id', listed.plan_id, 'pricing', listed.pricing, 'tiers', listed.tiers,
                              'rates', ${areaRatesOfPlan('listed')})), '[]')
                       from (select plan_id, pricing, area_version, priced_on, organization_id,
                                    array_remove(array_agg(case when tier_id is not null then coverage_tier end), null)
                                      as tiers
                               from plan_year_rates as rate
                              where plan_year_id = enrollment.plan_year_id and benefit_id = enrollment.benefit_id
                                and organization_id = enrollment.organization_id and ${inForce('rate', electionDay)}
                              group by plan_id, pricing, area_version, priced_on, organization_id) as listed))
    from employees as employee
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    join employers as employer on employer.id = employee.employer_id
     and employer.organization_id = employee.organization_id
    join plan_year_contributions as contribution on contribution.plan_year_id = enrollment.plan_year_id
     and contribution.benefit_id = enrollment.benefit_id and contribution.organization_id = enrollment.organization_id
     and ${inForce('contribution', electionDay)}
   where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id`

/** SQL: the worksite of the latest assignment of a row of employees on a day, if it has a state. */
export const worksiteOn = (employee: string, day: string, id = 'id') => `
  select state, county, zipcode from assignments
   where employee_id = ${employee}.${id} and organization_id = ${employee}.organization_id and state is not null
     and starts_on <= ${day} and coalesce(ends_on >= ${day}, true)
   order by starts_on desc, id desc limit 1`

/** SQL: the home of a row `member` on a day. */
export const homeOnDay = (day: string) => `
  select state, county, zipcode from (
    select left_on, state, county, zipcode from former_homes
     where member_id = member.id and organization_id = member.organization_id and left_on > ${day}
     union all
    select 'infinity', member.state, member.county, member.zipcode) as homes
   order by left_on limit 1`

/**
 * SQL: the facts that determine whether the ICHRA is affordable for the employee of a row `enrollment` of a plan year
 * `year`. The workplace is the worksite of the assignment on the first day of coverage, and without one the home on the
 * `day`. The employer may use the premium at the primary site of employment (proposed 26 CFR 54.4980H-5(f), 84 FR
 * 51471), and the poverty line of the state in which the employee is employed (26 CFR 54.4980H-5(e)(2)(iv)).
 */
export const affordabilityFacts = (day = 'enrollment.coverage_start') => `
  select json_build_object(
           'plan_year_start', year.coverage_start, 'coverage_start', enrollment.coverage_start,
           'date_of_birth', member.date_of_birth, 'state', workplace.state,
           'location', workplace.location, 'zipcode', workplace.zipcode,
           'employee_class', (select history.employee_class from employee_classifications as history
                               where history.employee_id = employee.id
                                 and history.organization_id = employee.organization_id
                                 and history.effective_on <= enrollment.coverage_start
                               order by history.effective_on desc limit 1),
           'contribution_strategy', contribution.contribution_strategy,
           'monthly_wage_in_cents', (select wage.monthly_wage_in_cents from employee_wages as wage
                                      where wage.employee_id = employee.id
                                        and wage.organization_id = employee.organization_id
                                        and wage.effective_on <= enrollment.coverage_start
                                      order by wage.effective_on desc limit 1),
           'figures', (select json_agg(json_build_object(
                                'year', reported.year, 'required_contribution', reported.required_contribution,
                                'poverty_guidelines', reported.poverty_guidelines,
                                'assessable_payments', reported.assessable_payments))
                         from affordability_figures as reported
                        where reported.year between extract(year from year.coverage_start)::int - 1
                                            and extract(year from year.coverage_start)::int),
           'lowest_silver_in_cents', (
             select silver.premium_in_cents
               from (select extract(year from age(enrollment.coverage_start, member.date_of_birth))::int as age
                    ) as years
               join lowest_cost_silver_premiums as silver
                 on silver.min_age <= years.age and coalesce(years.age <= silver.max_age, true)
              where silver.state = workplace.state
                and silver.county_key in ('', workplace.county_key)
                and silver.effective_on <= enrollment.coverage_start
                and silver.effective_on > enrollment.coverage_start - 366
              order by silver.county_key desc, silver.effective_on desc, silver.min_age desc limit 1))
    from employees as employee
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    join employers as employer on employer.id = employee.employer_id
     and employer.organization_id = employee.organization_id
    join plan_year_contributions as contribution on contribution.plan_year_id = enrollment.plan_year_id
     and contribution.benefit_id = enrollment.benefit_id and contribution.organization_id = enrollment.organization_id
     and ${inForce('contribution', 'enrollment.coverage_start')}
    left join lateral (${worksiteOn('employee', 'enrollment.coverage_start')}) as worksite on true
   cross join lateral (${homeOnDay(day)}) as home
   cross join lateral (
     select coalesce(worksite.state, home.state, employer.state) as state,
            lower(coalesce(case when worksite.state is null then home.county else worksite.county end, '')
                  collate pg_c_utf8) as county_key,
            case when worksite.state is null and home.state is not null then 'residence' else 'worksite' end
              as location,
            case when worksite.state is not null then worksite.zipcode
                 when home.state is not null then home.zipcode else employer.zipcode end as zipcode) as workplace
   where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id`

const saved_silver = statement(
  'ichra.saveSilverPremiums',
  `with input as (
     select state, coalesce(county, '') as county, effective_on, min_age, max_age, premium_in_cents
       from jsonb_to_recordset(:rows::jsonb) as row (
              state text, county text, effective_on date, min_age int, max_age int, premium_in_cents bigint)
   ), saved as (
     insert into lowest_cost_silver_premiums as stored (state, county, effective_on, min_age, max_age, premium_in_cents,
                                                        updated_at)
     select *, :now from input order by state, lower(county collate pg_c_utf8), effective_on, min_age
     on conflict (state, county_key, effective_on, min_age) do update
       set max_age = excluded.max_age, premium_in_cents = excluded.premium_in_cents, updated_at = excluded.updated_at
     where (stored.max_age, stored.premium_in_cents) is distinct from (excluded.max_age, excluded.premium_in_cents)
     returning 1)
   select (select count(*) from input)::int as row_count, (select count(*) from saved)::int as changed_count`,
)

type SavedSilver = { row_count: number; changed_count: number }

/** Adds new premiums and updates existing ones. The order of the rows prevents deadlocks between imports. */
export const saveSilverPremiums = async (ctx: Ctx, rows: SilverRow[]): Promise<SavedSilver> => {
  const records = rows.map(({ age: [min_age, max_age], ...row }) => ({ ...row, min_age, max_age }))
  return (await saved_silver.row<SavedSilver>(ctx, { rows: JSON.stringify(records) }))!
}

// The premiums belong to no organization, so only callers that reach every organization can read them.
const silver_listed = read(
  'ichra.listSilverPremiums',
  rowPageJson({
    from: `lowest_cost_silver_premiums as premium
      where state = any(:states::text[])
        and (:county::text is null or county_key in ('', lower(:county collate pg_c_utf8)))
        and ${inReach('null::text')}`,
    row: 'premium',
    order: 'state, county_key, effective_on, min_age',
    item: objectJson(`state, nullif(county, '') as county, effective_on, min_age, max_age, premium_in_cents`),
  }),
)

/** A page of the premiums of one state or all. With a county, returns its own premiums and those of its state. */
export const listSilverPremiums = (ctx: ReadCtx, { state, county = null, ...page }: SilverFilter) =>
  silver_listed.json(ctx, { states: state ? [state] : [...states], county, ...pageValues(page) })

/** Saves the legal figures of a year. Null keeps the stored figure. Equal figures do not count as a change. */
export const saveFigures = statement(
  'ichra.saveFigures',
  `insert into affordability_figures as stored (year, required_contribution, poverty_guidelines, assessable_payments,
                                               updated_at)
   values (:year, :required_contribution, :poverty_guidelines::int[], :assessable_payments::int[], :now)
   on conflict (year) do update
     set required_contribution = coalesce(excluded.required_contribution, stored.required_contribution),
         poverty_guidelines = coalesce(excluded.poverty_guidelines, stored.poverty_guidelines),
         assessable_payments = coalesce(excluded.assessable_payments, stored.assessable_payments),
         updated_at = excluded.updated_at
   where excluded.required_contribution <> coalesce(stored.required_contribution, -1)
      or excluded.poverty_guidelines <> coalesce(stored.poverty_guidelines, '{}')
      or excluded.assessable_payments <> coalesce(stored.assessable_payments, '{}')`,
).rows

const figures_listed = read(
  'ichra.listFigures',
  `select year, required_contribution, poverty_guidelines, assessable_payments from affordability_figures
    where year between :first_year and :last_year and ${inReach('null::text')} order by year`,
)

/**
 * The figures that the operator saved. They belong to no organization, so only callers that reach every organization
 * can read them.
 */
export const listFigures = (ctx: ReadCtx) =>
  figures_listed.rows<YearFigures>(ctx, { first_year: 2020, last_year: 2199 })

const saved_wages = statement(
  'ichra.saveWages',
  `insert into employee_wages (organization_id, employee_id, effective_on, monthly_wage_in_cents, updated_at)
   select :organization_id, reported.employee_id, reported.effective_on, reported.monthly_wage_in_cents, :now
     from unnest(:employee_id::text[], :effective_on::date[], :monthly_wage_in_cents::bigint[])
       as reported (employee_id, effective_on, monthly_wage_in_cents)
   on conflict (employee_id, organization_id, effective_on) do update
     set monthly_wage_in_cents = excluded.monthly_wage_in_cents, updated_at = excluded.updated_at`,
)

/** Saves the wages of employees of an organization starting on a day. */
export const saveWages = (ctx: Ctx, organization_id: string, wages: (Wage & { employee_id: string })[]) =>
  saved_wages.rows(ctx, {
    organization_id,
    ...columnsOf(wages, ['employee_id', 'effective_on', 'monthly_wage_in_cents']),
  })

/** A page of the reported wages of an employee, latest day first. Undefined if out of reach. */
export const listWages = targetList('ichra.listWages', {
  target: target_employee,
  from: `employee_wages as wage
    where wage.employee_id = target.id and wage.organization_id = target.organization_id`,
  row: 'wage',
  order: 'wage.effective_on desc',
  item: objectJson('wage.monthly_wage_in_cents, wage.effective_on'),
})
