import { inReach } from '../../../database/sql/reach.ts'
import { read } from '../../../database/sql/statement.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import { target_employer } from '../../access/auth/queries.ts'
import { worksiteOn } from '../../directory/ichra/queries.ts'
import { max_listed, type AffordableCosts } from './rules.ts'
import { workforce_statuses } from './schemas.ts'

/**
 * SQL: the current employees of a row `target`, with their status today and the next one that is decided. Lookups per
 * employee, because plain joins took quadratic time until the tables had statistics.
 */
const workforce = `
  select employee.id as employee_id, employee.member_id, employee.organization_id,
         coalesce(state.is_trending, false) as is_trending,
         case when today.employee_id is null then 'not_measured'
              when today.reason = 'measuring' and next.starts_on is not null then 'administrative_period'
              when today.reason = 'measuring' then 'initial_measurement'
              when today.is_full_time then 'full_time'
              else 'not_full_time' end as status,
         next.is_full_time as next_is_full_time
    from employees as employee
    left join lateral (
      select * from measured_statuses as status
       where status.employee_id = employee.id and status.organization_id = employee.organization_id
         and status.starts_on <= :today::date and coalesce(status.ends_on, 'infinity') >= :today::date
       order by status.starts_on limit 1) as today on true
    left join lateral (
      select status.starts_on, status.is_full_time from measured_statuses as status
       where status.employee_id = employee.id and status.organization_id = employee.organization_id
         and status.starts_on > :today::date and status.decided_on <= :today::date
       order by status.starts_on limit 1) as next on true
    left join lateral (
      select * from employee_measurements as measured
       where measured.employee_id = employee.id and measured.organization_id = employee.organization_id
       limit 1) as state on true
   where employee.employer_id = target.id and employee.organization_id = target.organization_id
     and (employee.terminated_on is null or employee.terminated_on >= :today::date)
     and (employee.hired_on is null or employee.hired_on <= :today::date)`

const counted = (status: string) => `'${status}', count(*) filter (where status = '${status}')`

/** SQL: the last day of the latest reported period of a row `target`. */
const reportedThrough = `
  select max(report.period_ends_on) from hours_reports as report
   where report.employer_id = target.id and report.organization_id = target.organization_id`

/** The `AcaOverview` of an employer as JSON. Undefined if it is out of reach. */
export const findOverview = read(
  'workforce.findOverview',
  `with target as materialized (${target_employer})
   select json_build_object(
            'employer_id', target.id, 'as_of', :today::date, 'hours_reported_through', (${reportedThrough}),
            'has_measurement_policies', exists (
              select from measurement_policies as policy
               where policy.employer_id = target.id and policy.organization_id = target.organization_id),
            'employee_count', totals.employee_count, 'counts', totals.counts,
            'trending_count', totals.trending_count)::text as json
     from target cross join lateral (
       select count(*) as employee_count, count(*) filter (where is_trending) as trending_count,
              json_build_object(${workforce_statuses.map(counted).join(', ')}) as counts
         from (${workforce}) as employee) as totals`,
).json

/** The pay calendar of an employer. Undefined if it is out of reach. */
export const findPayCalendar = read(
  'workforce.findPayCalendar',
  `select json_build_object('pay_frequency', employer.pay_frequency,
                            'first_pay_date', employer.first_pay_date) as calendar
     from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).row<{ calendar: PayCalendar }>

/**
 * SQL: the current full-time employees of a row `target`, with the highest monthly cost of coverage in cents that is
 * affordable for each: within the federal poverty line or the rate of pay, whichever allows more (54.4980H-5(e)(2)(iii)
 * and (iv)). Poverty guidelines are in dollars per year, the part of income in hundredths of a percent.
 */
const earners = `
  select employee.employee_id, member.first_name, member.last_name, wage.monthly_wage_in_cents,
         by_line.cost as line_cost, greatest(by_line.cost, wage.monthly_wage_in_cents * figures.part / 10000) as cost
    from (${workforce}) as employee
    join members as member
      on member.id = employee.member_id and member.organization_id = employee.organization_id
    join employers as employer
      on employer.id = target.id and employer.organization_id = target.organization_id
    left join lateral (
      select paid.monthly_wage_in_cents::bigint from employee_wages as paid
       where paid.employee_id = employee.employee_id and paid.organization_id = employee.organization_id
       order by paid.effective_on <= :plan_year_start::date desc,
                abs(paid.effective_on - :plan_year_start::date) limit 1) as wage on true
    left join lateral (${worksiteOn('employee', ':plan_year_start::date', 'employee_id')}) as worksite on true
    left join lateral (
      select history.employee_class from employee_classifications as history
       where history.employee_id = employee.employee_id
         and history.organization_id = employee.organization_id and history.effective_on <= :today::date
       order by history.effective_on desc limit 1) as class on true
   cross join lateral (
     select figures.lines[case coalesce(worksite.state, member.state, employer.state)
                            when 'AK' then 2 when 'HI' then 3 else 1 end]
              * 100::bigint * figures.part / 120000 as cost) as by_line
   where employee.status = 'full_time' or employee.next_is_full_time
      or employee.status = 'not_measured' and coalesce(class.employee_class, 'Full Time') = 'Full Time'`

/** The affordable costs at an employer for a plan year. Undefined if it is out of reach. */
export const findAffordability = read(
  'workforce.findAffordability',
  `with target as materialized (${target_employer}
   ), figures as materialized (
     select coalesce((select saved.required_contribution from affordability_figures as saved
                       where saved.year = :year::int), :part::int) as part,
            coalesce((select saved.poverty_guidelines from affordability_figures as saved
                       where saved.year = :guideline_year::int), :lines::int[]) as lines)
   select figures.part, figures.lines[1] * 100::bigint * figures.part / 120000 as line_cost, found.*
     from target cross join figures cross join lateral (
       with earner as materialized (${earners})
       select count(*) as full_time_count, min(cost) as lowest_cost,
              count(*) filter (where cost < :cost_in_cents::int) as unaffordable_count,
              (select coalesce(json_agg(json_build_object(
                        'employee_id', shown.employee_id, 'first_name', shown.first_name,
                        'last_name', shown.last_name, 'monthly_wage_in_cents', shown.monthly_wage_in_cents,
                        'affordable_cost_in_cents', shown.cost,
                        'safe_harbor', case when shown.cost > shown.line_cost
                                            then 'rate_of_pay' else 'federal_poverty_line' end)
                        order by shown.cost, shown.employee_id), '[]')
                 from (select * from earner where coalesce(cost < :cost_in_cents::int, true)
                        order by cost, employee_id limit ${max_listed}) as shown) as employees
         from earner) as found`,
).row<AffordableCosts>
