/** SQL: the key of a county as a row has it; '' without one. */
const countyKey = (county: string): string => `lower(coalesce(${county}, '') collate pg_c_utf8)`

/**
 * SQL: of a row of a plan year's price the list of the plan's premiums where a `member` lives, who works for an
 * `employer`, on the first day of the `year`: that of the county before that of its state; null where it has none.
 */
export const areaRatesOfPlan = (price: string): string => `(
  select list.rates from plan_area_rates as list
   where list.plan_id = ${price}.plan_id and list.organization_id = ${price}.organization_id
     and list.state = coalesce(member.state, employer.state) and list.county_key in ('', ${countyKey('member.county')})
     and list.effective_on <= year.coverage_start and list.version <= ${price}.area_version
   order by list.county_key desc, list.effective_on desc, list.version desc limit 1)`

/**
 * SQL: of a row of a plan the version of its lists on a day, and the lowest premium of theirs for an employee alone;
 * null without lists.
 */
export const areaSummary = (plan: string, $day: string): string => `
  select json_build_object('version', max(list.newest), 'lowest_in_cents',
                           min((rate.said ->> 'premium_in_cents')::bigint))
    from (select distinct on (state, county_key) rates,
                 (select max(version) from plan_area_rates
                   where plan_id = ${plan}.id and organization_id = ${plan}.organization_id) as newest
            from plan_area_rates
           where plan_id = ${plan}.id and organization_id = ${plan}.organization_id and effective_on <= ${$day}::date
           order by state, county_key, effective_on desc, version desc) as list
   cross join lateral jsonb_array_elements(list.rates) as rate (said)
   where coalesce(rate.said ->> 'coverage_tier', 'EE') = 'EE' and coalesce((rate.said ->> 'max_age')::int, 150) >= 18
  having count(*) > 0`

/** SQL: what the ICHRA prices of a row `enrollment` of a row `year` depend on. */
export const personalFacts = `
  select json_build_object(
           'answer', enrollment.answer, 'coverage_start', enrollment.coverage_start, 'plan_year_end', year.coverage_end,
           'contribution_strategy', offered.contribution_strategy, 'date_of_birth', member.date_of_birth,
           'state', coalesce(member.state, employer.state),
           'classes', (select coalesce(json_agg(json_build_object('effective_on', history.effective_on,
                                'employee_class', history.employee_class) order by history.effective_on), '[]')
                         from employee_classifications as history
                        where history.employee_id = employee.id
                          and history.organization_id = employee.organization_id),
           'dependents', (select coalesce(json_agg(json_build_object('relationship', dependent.relationship,
                                   'date_of_birth', dependent.date_of_birth, 'ended_on', dependent.ended_on,
                                   'covered_until', dependent_covered_until(
                                     dependent.relationship, dependent.date_of_birth, dependent.ended_on))
                                   order by dependent.id), '[]')
                            from dependents as dependent
                           where dependent.member_id = member.id
                             and dependent.organization_id = member.organization_id),
           'plans', (select coalesce(json_agg(json_build_object(
                              'id', listed.plan_id, 'pricing', listed.pricing, 'tiers', listed.tiers,
                              'rates', ${areaRatesOfPlan('listed')})), '[]')
                       from (select plan_id, pricing, area_version, organization_id,
                                    array_agg(coverage_tier) filter (where tier_id is not null) as tiers
                               from plan_year_rates
                              where plan_year_id = enrollment.plan_year_id and benefit_id = enrollment.benefit_id
                                and organization_id = enrollment.organization_id
                              group by plan_id, pricing, area_version, organization_id) as listed))
    from employees as employee
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    join employers as employer on employer.id = employee.employer_id
     and employer.organization_id = employee.organization_id
    join plan_year_benefits as offered on offered.plan_year_id = enrollment.plan_year_id
     and offered.benefit_id = enrollment.benefit_id and offered.organization_id = enrollment.organization_id
   where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id`
