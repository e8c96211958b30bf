import { inReach } from '../../../database/sql/reach.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read } from '../../../database/sql/statement.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { searchPatterns } from '../../directory/people/queries.ts'
import type { EnrollmentWindowFilter } from './schemas.ts'

/** SQL: whether today is a day of open enrollment of a plan year `target`. */
const is_open = ':today::date between target.open_enrollment_start and target.open_enrollment_end'

/**
 * SQL: the last day of the open window of a row `enrollment` in a plan year `target`. If several are open, the one that
 * ends last counts.
 */
const openWindowEnd = `
  greatest(case when :today::date between enrollment.granted_on and enrollment.window_ends_on
                then enrollment.window_ends_on end,
           case when ${is_open} then target.open_enrollment_end end)`

/** SQL: the first day of the window that ends on `openWindowEnd`. */
const openWindowStart = `
  case when ${is_open} and enrollment.window_ends_on <= target.open_enrollment_end
       then greatest(enrollment.granted_on, target.open_enrollment_start)
       else enrollment.granted_on end`

/**
 * SQL: the progress of each employee in the plan years `target`, one row for each. `opens_on` and `closes_on` are the
 * window in which they can answer. Both are null if nothing is unanswered or no window is open. Windows of life events
 * do not count, because they allow a change and require no answer. `organization` is SQL of the organization's id, and
 * `only` is a condition on rows `enrollment`.
 */
export const participationIn = (organization: string, only = 'true') => `
  select target.id as plan_year_id, enrollment.organization_id, enrollment.employee_id,
         count(*) as benefit_count, count(enrollment.answer) as answered_count,
         case when count(enrollment.answer) = 0 and count(draft.saved_at) = 0 then 'not_started'
              when count(enrollment.answer) < count(*) then 'in_progress'
              when bool_or(enrollment.answer = 'enrolled') then 'enrolled'
              else 'waived' end as status,
         greatest(
           max(enrollment.answered_at) filter (where coalesce(enrollment.elected_by, '') not in ('renewal', 'return')),
           max(draft.saved_at)) as last_activity_at,
         min(enrollment.id) filter (where enrollment.answer is null) as enrollment_id,
         min(${openWindowStart}) filter (where enrollment.answer is null and ${openWindowEnd} is not null) as opens_on,
         max(${openWindowEnd}) filter (where enrollment.answer is null) as closes_on
    from target
    join enrollments as enrollment
      on enrollment.plan_year_id = target.id and enrollment.organization_id = ${organization}
    left join enrollment_drafts as draft
      on draft.employee_id = enrollment.employee_id and draft.organization_id = enrollment.organization_id
     and target.id = any(draft.plan_year_ids) and draft.window_ends_on >= :today::date
   where coalesce(enrollment.inactive_on > :today::date, true) and ${only}
   group by target.id, enrollment.organization_id, enrollment.employee_id`
const participation = participationIn('target.organization_id')

/** SQL: the current class of a row `person`. Employees without a class count as full-time. */
const employeeClass = `
  coalesce((select history.employee_class from employee_classifications as history
             where history.employee_id = person.employee_id and history.organization_id = person.organization_id
               and history.effective_on <= :today::date
             order by history.effective_on desc limit 1), 'Full Time')`

const people_counts = `
  count(*) as eligible, count(*) filter (where person.status = 'enrolled') as enrolled,
  count(*) filter (where person.status = 'waived') as waived,
  count(*) filter (where person.status = 'in_progress') as in_progress,
  count(*) filter (where person.status = 'not_started') as not_started`

/**
 * The plan years of an employer with an open or future window, with the progress of enrollment, as the response.
 * Undefined if the employer is out of reach.
 */
export const listEnrollmentWindows = read(
  'enrollment-windows.listWindows',
  `with company as materialized (
     select employer.id, employer.organization_id from employers as employer
      where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}
   ), target as materialized (
     select year.*
       from company
       join benefit_plan_years as year
         on year.employer_id = company.id and year.organization_id = company.organization_id
      where year.coverage_end >= :today::date
   ), person as materialized (
     select person.*, ${employeeClass} as employee_class from (${participation}) as person
   ), by_year as (
     select person.plan_year_id, count(person.closes_on) as can_answer,
            (select row_to_json(counts) from (
               select ${people_counts} from person where person.plan_year_id = target.id) as counts) as people,
            (select json_agg(shown order by shown.employee_class) from (
               select person.employee_class, ${people_counts} from person where person.plan_year_id = target.id
                group by person.employee_class) as shown) as classes
       from target join person on person.plan_year_id = target.id
      group by person.plan_year_id, target.id
   ), by_benefit as (
     select target.id as plan_year_id, enrollment.benefit_id, count(*) as eligible,
            count(*) filter (where enrollment.answer = 'enrolled') as enrolled,
            count(*) filter (where enrollment.answer = 'waived') as waived,
            count(*) filter (where enrollment.answer is null) as unanswered
       from target
       join enrollments as enrollment
         on enrollment.plan_year_id = target.id and enrollment.organization_id = target.organization_id
      where coalesce(enrollment.inactive_on > :today::date, true)
      group by target.id, enrollment.benefit_id
   )
   select '{"data":' || (
     select coalesce(json_agg(shown order by shown.coverage_start desc)::text, '[]') from (
       select target.id as benefit_plan_year_id, target.year, target.coverage_start, target.coverage_end,
              target.open_enrollment_start, target.open_enrollment_end,
              coalesce(:today::date between target.open_enrollment_start and target.open_enrollment_end, false)
                as is_open,
              case when :today::date between target.open_enrollment_start and target.open_enrollment_end
                   then target.open_enrollment_end - :today::date end as days_left,
              coalesce(by_year.people, '{"eligible":0,"enrolled":0,"waived":0,"in_progress":0,"not_started":0}')
                as people,
              coalesce(by_year.can_answer, 0) as can_answer,
              coalesce((select json_agg(json_build_object(
                                 'benefit_id', product.id, 'benefit_name', product.name,
                                 'eligible', coalesce(counted.eligible, 0), 'enrolled', coalesce(counted.enrolled, 0),
                                 'waived', coalesce(counted.waived, 0), 'unanswered', coalesce(counted.unanswered, 0))
                                 order by offered.position)
                          from plan_year_benefits as offered
                          join benefit_products as product
                            on product.id = offered.benefit_id and product.organization_id = offered.organization_id
                          left join by_benefit as counted
                            on counted.plan_year_id = offered.plan_year_id
                           and counted.benefit_id = offered.benefit_id
                         where offered.plan_year_id = target.id and offered.organization_id = target.organization_id
                           and offered.withdrawn_at is null), '[]') as benefits,
              coalesce(by_year.classes, '[]') as classes
         from target left join by_year on by_year.plan_year_id = target.id
        where target.open_enrollment_end >= :today::date or by_year.can_answer > 0) as shown) || '}' as json
     from company`,
).json

/** SQL: whether reminders reach a row `person` by email. */
const emailStatus = `
  case when person.email is null then 'missing'
       when exists (select from bounced_addresses as bounced
                     where bounced.member_id = person.member_id and bounced.organization_id = person.organization_id
                       and bounced.email_key = lower(person.email)) then 'bounced'
       when exists (select from reminder_unsubscribes as unsubscribe
                     where unsubscribe.member_id = person.member_id
                       and unsubscribe.organization_id = person.organization_id) then 'unsubscribed'
       else 'reachable' end`

/** SQL: the last message to a row `person` about the plan year. */
const lastMessage = `
  select json_build_object('due_on', message.due_on, 'kind', message.kind, 'status', message.status)
    from enrollment_messages as message
   where message.employee_id = person.employee_id and message.organization_id = person.organization_id
     and message.plan_year_id = person.plan_year_id
   order by message.due_on desc limit 1`

const people = read(
  'enrollment-windows.listPeople',
  `with target as materialized (
     select year.* from benefit_plan_years as year
      where year.id = :benefit_plan_year_id and year.employer_id = :employer_id
        and ${inReach('year.organization_id', 'year.employer_id')}
   ), kept as materialized (
     select person.*, employee.member_id, employee.reference_id, member.first_name, member.last_name, member.email,
            member.last_name_key, member.name_key
       from (${participation}) as person
       join employees as employee
         on employee.id = person.employee_id and employee.organization_id = person.organization_id
       join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
      where (cardinality(:statuses::text[]) = 0 or person.status = any(:statuses))
        and (:patterns::text[] is null
             or employee.search_key like any(:patterns) and employee.search_key like all(:words::text[]))
        and (not :can_answer::boolean or person.closes_on is not null)
   )
   select page.json
     from target
    cross join lateral (${pageJson(
      `select json_build_object(
                'employee_id', person.employee_id, 'member_id', person.member_id,
                'employee_external_reference_id', person.reference_id, 'member_first_name', person.first_name,
                'member_last_name', person.last_name, 'email', person.email, 'employee_class', ${employeeClass},
                'status', person.status, 'benefit_count', person.benefit_count,
                'answered_count', person.answered_count, 'window_ends_on', person.closes_on,
                'last_activity_at', iso(person.last_activity_at), 'email_status', ${emailStatus},
                'last_message', (${lastMessage})) as item,
              row_number() over (order by person.last_name_key, person.name_key, person.employee_id) as position
         from (select * from kept order by last_name_key, name_key, employee_id
                limit :limit::int offset :offset::bigint) as person`,
      '(select count(*) from kept)',
    )}) as page`,
)

type WindowPath = { employer_id: string; benefit_plan_year_id: string }

/**
 * A page of the employees with a benefit in a plan year, by name, as the whole response. Undefined if the plan year is
 * out of reach.
 */
export const listWindowPeople = (
  ctx: ReadCtx,
  plan_year: WindowPath,
  { status: statuses, search, can_answer, ...page }: EnrollmentWindowFilter,
) => {
  const searched = search === undefined ? { patterns: null, words: null } : searchPatterns(search)
  return people.json(ctx, { ...plan_year, statuses, can_answer, ...searched, ...pageValues(page) })
}
