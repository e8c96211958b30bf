import { inReach } from '../../../database/sql/reach.ts'
import { read } from '../../../database/sql/statement.ts'
import type { MonthlyWorkforce } from './rules.ts'

/** SQL: the employers of the aggregated group of a row `employer` (section 414(b), (c), (m) and (o)), or itself. */
const groupOf = `
  array(select employer.id
         union
        select other.employer_id
          from ale_members as own
          join ale_members as other
            on other.ale_group_id = own.ale_group_id and other.organization_id = own.organization_id
         where own.employer_id = employer.id and own.organization_id = employer.organization_id)`

/** SQL: the days of a class, from a row `employee` that has `starts_on` and `ends_on`. */
const classRanges = `
  select entry.employee_class, greatest(entry.effective_on, employee.starts_on) as from_on,
         least(lead(entry.effective_on, 1, 'infinity') over (order by entry.effective_on) - 1, employee.ends_on)
           as to_on
    from (select '-infinity'::date as effective_on, 'Full Time' as employee_class
           where not exists (select from employee_classifications as first_class
                              where first_class.employee_id = employee.id
                                and first_class.organization_id = employee.organization_id
                                and first_class.effective_on = '-infinity')
           union all
          select history.effective_on, history.employee_class from employee_classifications as history
           where history.employee_id = employee.id
             and history.organization_id = employee.organization_id) as entry`

const firstMonth = (day: string) => `date_trunc('month', greatest(${day}, bounds.starts_on)::timestamp)`

/**
 * SQL: each person in each month of employment: whether a class is Full Time or Seasonal, and the hours of service of
 * all employments. Without any hours in the year, the class decides. 130 hours of service make a month
 * full-time, and at most 120 hours of one person count toward equivalents.
 */
const peopleByMonth = `
  select present.month,
         case when present.has_hours then coalesce(present.hundredths, 0) >= 13000 else present.is_full_time end
           as is_full_time, present.is_seasonal, least(coalesce(present.hundredths, 0), 12000) as hundredths
    from (
      select employed.member_id, employed.month, employed.is_full_time, employed.is_seasonal, worked.hundredths,
             bool_or(worked.member_id is not null) over (partition by employed.member_id) as has_hours
        from (
          select employee.member_id, each::date as month, bool_or(class.employee_class = 'Full Time') as is_full_time,
                 bool_or(class.employee_class = 'Seasonal') as is_seasonal
            from (select id, organization_id, member_id, coalesce(terminated_on, 'infinity') as ends_on,
                         coalesce(hired_on, (known_at at time zone 'America/New_York')::date) as starts_on
                    from employees
                   where employer_id = any(bounds.employer_ids)
                     and organization_id = employer.organization_id) as employee
           cross join lateral (${classRanges}) as class
           cross join lateral generate_series(${firstMonth('class.from_on')},
                                              least(class.to_on, bounds.ends_on)::timestamp,
                                              interval '1 month') as each
           where class.from_on <= class.to_on and class.employee_class <> 'Individual Contractor'
           group by employee.member_id, each) as employed
        left join (
          select employee.member_id, each::date as month,
                 ceil(sum(hours.hundredths::numeric
                          * (least(hours.period_ends_on, month_end(each::date))
                             - greatest(hours.period_starts_on, each::date) + 1)
                          / (hours.period_ends_on - hours.period_starts_on + 1))) as hundredths
            from hours_of_service as hours
            join employees as employee
              on employee.id = hours.employee_id and employee.organization_id = hours.organization_id
           cross join lateral generate_series(${firstMonth('hours.period_starts_on')},
                                              least(hours.period_ends_on, bounds.ends_on)::timestamp,
                                              interval '1 month') as each
           where hours.employer_id = any(bounds.employer_ids) and hours.organization_id = employer.organization_id
             and hours.kind in ('worked', 'paid_leave') and hours.period_ends_on >= bounds.starts_on
             and hours.period_starts_on between bounds.starts_on - 31 and bounds.ends_on
           group by employee.member_id, each) as worked
          on worked.member_id = employed.member_id and worked.month = employed.month) as present`

/** The workforce of an employer and its aggregated group in each month of a year. Undefined if it is out of reach. */
export const findWorkforce = read(
  'large-employer.findWorkforce',
  `select employer.id as employer_id, workforce.months
     from employers as employer
    cross join lateral (select make_date(:year::int, 1, 1) as starts_on, make_date(:year::int, 12, 31) as ends_on,
                               ${groupOf} as employer_ids offset 0) as bounds
    cross join lateral (
      select json_agg(row_to_json(shown) order by shown.month) as months
        from (select calendar.month::date as month,
                     count(*) filter (where person.is_full_time)::int as full_time_count,
                     count(*) filter (where person.is_full_time and person.is_seasonal)::int
                       as seasonal_full_time_count,
                     coalesce(sum(person.hundredths) filter (where not person.is_full_time), 0)::bigint
                       as part_time_hundredths,
                     coalesce(sum(person.hundredths) filter (where not person.is_full_time and person.is_seasonal), 0)
                       ::bigint as seasonal_part_time_hundredths
                from generate_series(bounds.starts_on::timestamp, bounds.ends_on::timestamp, interval '1 month')
                       as calendar (month)
                left join (${peopleByMonth}) as person on person.month = calendar.month
               group by calendar.month) as shown) as workforce
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).row<{ employer_id: string; months: MonthlyWorkforce[] }>
