import { rowsWith } from '../../../database/sql/fragments.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { target_employer } from '../../access/auth/queries.ts'
import type { StoredPolicy } from './policy-rules.ts'
import type { StoredStatus, WorkFacts } from './rules.ts'
import type { MeasuredFilter } from './schemas.ts'

/** The columns of a policy, with their types. */
const policy_types = {
  compensation_type: 'text',
  state: 'text',
  bargaining_unit: 'text',
  is_collectively_bargained: 'boolean',
  effective_on: 'date',
  method: 'text',
  standard_starts_on: 'date',
  standard_months: 'integer',
  administrative_months: 'integer',
  stability_months: 'integer',
  initial_months: 'integer',
  initial_starts: 'text',
  initial_administrative_months: 'integer',
  by_weeks: 'boolean',
  uses_payroll_periods: 'boolean',
  educational: 'boolean',
  parity: 'boolean',
}
const policy_columns = Object.keys(policy_types).join(', ')

const policiesJson = (employer_id: string, organization_id: string) => `
  (select coalesce(json_agg(row_to_json(shown) order by bargaining_unit, is_collectively_bargained, state,
                                                        compensation_type, effective_on nulls first), '[]')
     from (select ${policy_columns} from measurement_policies as policy
            where policy.employer_id = ${employer_id} and policy.organization_id = ${organization_id}) as shown)`

/** The measurement policies of an employer. Undefined if it is out of reach. */
export const findPolicies = read(
  'measurement.findPolicies',
  `select employer.id as employer_id, ${policiesJson('employer.id', 'employer.organization_id')} as policies
     from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).row<{ employer_id: string; policies: StoredPolicy[] }>

const deleted = statement(
  'measurement.deletePolicies',
  'delete from measurement_policies where employer_id = :employer_id and organization_id = :organization_id',
)

const inserted = statement(
  'measurement.insertPolicies',
  `insert into measurement_policies (organization_id, employer_id, position, ${policy_columns})
   select :organization_id, :employer_id, ordinality, ${policy_columns}
     from rows from (jsonb_to_recordset(:policies::jsonb) as (
            ${Object.entries(policy_types)
              .map(([name, type]) => `${name} ${type}`)
              .join(', ')})) with ordinality`,
)

export const deletePolicies = deleted.rows
export const insertPolicies = inserted.rows

/**
 * SQL: whether the hours of employments `theirs` and `employee` of a person add up: at one employer, or at employers
 * of one aggregated ALE group, which are one applicable large employer (54.4980H-1(a)(16) and (21)).
 */
const same_group = `
  (theirs.employer_id = employee.employer_id or exists (
     select from ale_members as own
       join ale_members as other
         on other.ale_group_id = own.ale_group_id and other.organization_id = own.organization_id
      where own.employer_id = employee.employer_id and own.organization_id = employee.organization_id
        and other.employer_id = theirs.employer_id))`

/** SQL: a `WorkFacts` from rows `employee`, `member` and `employer`. */
const workFacts = `
  employee.id as employee_id, employee.employer_id,
  (select coalesce(json_agg(json_build_array(history.effective_on, history.compensation_type)), '[]')
     from employee_compensations as history
    where history.employee_id = employee.id and history.organization_id = employee.organization_id) as compensations,
  (select coalesce(json_agg(json_build_array(history.effective_on, history.bargaining_unit)), '[]')
     from employee_bargaining_units as history
    where history.employee_id = employee.id and history.organization_id = employee.organization_id) as units,
  (select coalesce(json_agg(json_build_array(assignment.starts_on, assignment.state, assignment.ends_on)
                           order by assignment.id), '[]')
     from assignments as assignment
    where assignment.employee_id = employee.id and assignment.organization_id = employee.organization_id
      and assignment.state is not null) as worksites,
  coalesce(member.state, employer.state) as state,
  (select coalesce(json_agg(json_build_array(home.left_on, home.state)), '[]')
     from former_homes as home
    where home.member_id = member.id and home.organization_id = member.organization_id) as former_states,
  ${policiesJson('employee.employer_id', 'employee.organization_id')} as policies,
  json_build_object('pay_frequency', employer.pay_frequency, 'first_pay_date', employer.first_pay_date) as calendar,
  (select json_agg(json_build_object(
            'id', theirs.id,
            'starts_on', coalesce(theirs.hired_on, (theirs.known_at at time zone 'America/New_York')::date),
            'ends_on', theirs.terminated_on,
            'classes', (select coalesce(json_agg(json_build_array(history.effective_on, history.employee_class)), '[]')
                          from employee_classifications as history
                         where history.employee_id = theirs.id
                           and history.organization_id = employee.organization_id)))
     from employees as theirs
    where theirs.member_id = employee.member_id and theirs.organization_id = employee.organization_id
      and ${same_group}) as employments,
  (select coalesce(json_agg(json_build_array(worked.period_starts_on, worked.period_ends_on, worked.kind,
                                             worked.hundredths) order by worked.period_starts_on), '[]')
     from employees as theirs
     join hours_of_service as worked
       on worked.employee_id = theirs.id and worked.organization_id = employee.organization_id
    where theirs.member_id = employee.member_id and theirs.organization_id = employee.organization_id
      and ${same_group}) as hours`

const joins = `
  join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
  join employers as employer on employer.id = employee.employer_id
   and employer.organization_id = employee.organization_id`

export const workFactsJson = (employee_id: string, organization_id: string) => `
  (select row_to_json(work)
     from (select ${workFacts} from employees as employee ${joins}
            where employee.id = ${employee_id} and employee.organization_id = ${organization_id}) as work)`

/** The facts that explain the status of an employee. Undefined if the employee is out of reach. */
export const findWorkFacts = read(
  'measurement.findWorkFacts',
  `select ${workFacts} from employees as employee ${joins}
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<WorkFacts>

const measured = targetList('measurement.listMeasured', {
  target: target_employer,
  from: `employee_measurements as state
          where state.organization_id = target.organization_id
            and state.employer_id = any(array(
                  select target.id
                   union all
                  select other.employer_id from ale_members as own
                    join ale_members as other on other.ein_employer_id = own.ein_employer_id
                     and other.organization_id = own.organization_id and other.employer_id <> target.id
                   where own.employer_id = target.id and own.organization_id = target.organization_id
                     and :hours_not_reported_in::int is not null))
            and case when :hours_not_reported_in::int is null then exists (
                  select from employees as current
                   where current.id = state.employee_id and current.organization_id = state.organization_id
                     and (current.terminated_on is null or current.terminated_on >= :today::date))
                else state.employee_id in (
                  select jsonb_array_elements_text(form_year.counts -> 'unreported_ids')
                    from form_years as form_year
                   where form_year.organization_id = target.organization_id
                     and form_year.tax_year = :hours_not_reported_in::int) end
            and (:is_full_time::boolean is null or state.is_full_time = :is_full_time)
            and (:is_trending::boolean is null or state.is_trending = :is_trending)`,
  row: 'state',
  order: 'state.employee_id desc',
  item: `(select row_to_json(shown) from (
            select state.employee_id, member.first_name || ' ' || member.last_name as person_name, state.is_full_time,
                   status.reason as reason_code, status.starts_on as status_starts_on,
                   status.ends_on as status_ends_on,
                   coalesce(status.reason = 'measuring', false) and exists (
                     select from measured_statuses as next
                      where next.employee_id = state.employee_id and next.organization_id = state.organization_id
                        and next.starts_on > :today::date
                        and next.decided_on <= :today::date) as is_in_administrative_period,
                   state.is_trending, state.due_on as next_change_on,
                   iso(state.measured_at) as measured_at) as shown)`,
  sources: `
    join employees as employee
      on employee.id = state.employee_id and employee.organization_id = state.organization_id
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    left join lateral (
      select stored.reason, stored.starts_on, stored.ends_on from measured_statuses as stored
       where stored.employee_id = state.employee_id and stored.organization_id = state.organization_id
         and stored.starts_on <= :today::date and state.is_full_time is not null
       order by stored.starts_on desc limit 1) as status on true`,
})

/**
 * A page of the measured employees of an employer, latest hire first: the current ones, or those under its EIN without
 * reported hours by the derived forms of a tax year. Undefined if out of reach.
 */
export const listMeasured = (
  ctx: ReadCtx,
  employer_id: string,
  { is_full_time, is_trending, hours_not_reported_in, ...page }: MeasuredFilter,
) => {
  const year = hours_not_reported_in ?? null
  const filter = { is_full_time: is_full_time ?? null, is_trending: is_trending ?? null, hours_not_reported_in: year }
  return measured(ctx, { employer_id, ...filter }, page)
}

/** The stored result for an employee. `statuses` and `is_full_time` are null before the first measurement. */
export type StoredResult = { statuses: StoredStatus[] | null; is_full_time: boolean | null; person_name: string }

/** The facts and stored results of employees of one employer. */
export const listWorkFacts = statement(
  'measurement.listWorkFacts',
  `select ${workFacts}, state.is_full_time, member.first_name || ' ' || member.last_name as person_name,
          case when state.employee_id is not null then (
            select coalesce(json_agg(row_to_json(shown) order by shown.starts_on), '[]')
              from (select stored.starts_on, stored.ends_on, stored.is_full_time, stored.reason, stored.decided_on
                      from measured_statuses as stored
                     where stored.employee_id = employee.id
                       and stored.organization_id = employee.organization_id) as shown) end as statuses
     from (select * from employees where id = any(:employee_ids::text[]) and organization_id = :organization_id
            offset 0) as employee ${joins}
     left join employee_measurements as state
       on state.employee_id = employee.id and state.organization_id = employee.organization_id
    order by employee.id`,
).rows<WorkFacts & StoredResult>

/** The employees, and the other employments of the same people whose hours count together with theirs. */
export const listSameMembers = statement(
  'measurement.listSameMembers',
  `select distinct theirs.id
     from ${rowsWith('employee_ids', 'employees', 'employee')}
    cross join lateral (
      select id, employer_id from employees
       where member_id = employee.member_id and organization_id = :organization_id offset 0) as theirs
    where ${same_group}
    order by theirs.id`,
).column

/** Replaces the statuses of employees. `rows`: a list of cells per status. */
export const replaceStatuses = statement(
  'measurement.replaceStatuses',
  `with gone as (
     delete from measured_statuses
      where employee_id = any(:employee_ids::text[]) and organization_id = :organization_id)
   insert into measured_statuses
     (organization_id, employee_id, employer_id, starts_on, ends_on, is_full_time, reason, decided_on)
   select :organization_id, input.employee_id, :employer_id, input.starts_on, input.ends_on, input.is_full_time,
          input.reason, input.decided_on
     from jsonb_to_recordset(:statuses::jsonb) as input (employee_id text, starts_on date, ends_on date,
                                                         is_full_time boolean, reason text, decided_on date)
   on conflict (employee_id, organization_id, starts_on) do update
     set ends_on = excluded.ends_on, is_full_time = excluded.is_full_time, reason = excluded.reason,
         decided_on = excluded.decided_on`,
).rows

/** Records that employees were measured now, with their status today and the next day to measure them. */
export const saveMeasurements = statement(
  'measurement.saveMeasurements',
  `insert into employee_measurements (organization_id, employee_id, employer_id, is_full_time, due_on, is_trending,
                                      measured_at)
   select :organization_id, input.employee_id, :employer_id, input.is_full_time, input.due_on, input.is_trending, :now
     from jsonb_to_recordset(:measured::jsonb) as input (employee_id text, is_full_time boolean, due_on date,
                                                         is_trending boolean)
   on conflict (employee_id, organization_id) do update
     set is_full_time = excluded.is_full_time, due_on = excluded.due_on, is_trending = excluded.is_trending,
         measured_at = excluded.measured_at`,
).rows

/** SQL: whether an organization measures hours. */
export const hasPolicies = `
  exists (select from measurement_policies as policy where policy.organization_id = organization.id)`

/** Whether an employer has measurement policies, or statuses from former ones. */
export const isMeasured = statement(
  'measurement.isMeasured',
  `select from measurement_policies where employer_id = :employer_id and organization_id = :organization_id
    union all
   (select from employee_measurements
     where employer_id = :employer_id and organization_id = :organization_id and is_full_time is not null limit 1)`,
).exists

/**
 * The next employees of an organization to measure today: new, due, or changed, which includes the person, the other
 * employments of the person and the employer.
 */
export const listDue = statement(
  'measurement.listDue',
  `select employee.id, employee.employer_id
     from (select employer.id, greatest(employer.updated_at, employer.payroll_calendar_set_at) as updated_at
             from employers as employer
            where employer.organization_id = :organization_id and exists (
                    select from measurement_policies as policy
                     where policy.employer_id = employer.id and policy.organization_id = :organization_id)) as measuring
     join employees as employee
       on employee.employer_id = measuring.id and employee.organization_id = :organization_id
     left join employee_measurements as state
       on state.employee_id = employee.id and state.organization_id = :organization_id
    where employee.id > :after
      and (state.employee_id is null or state.due_on <= :today::date or measuring.updated_at > state.measured_at
           or exists (select from members as member
                       where member.id = employee.member_id and member.organization_id = :organization_id
                         and member.updated_at > state.measured_at)
           or exists (select from employees as theirs
                       where theirs.member_id = employee.member_id and theirs.organization_id = :organization_id
                         and theirs.updated_at > state.measured_at))
    order by employee.id limit :most`,
).rows<{ id: string; employer_id: string }>

/** The employments of an employer's people at other employers of its aggregated ALE group, by employer. */
export const listSiblings = statement(
  'measurement.listSiblings',
  `select theirs.employer_id, array_agg(theirs.id order by theirs.id) as employee_ids
     from ale_members as own
     join ale_members as other
       on other.ale_group_id = own.ale_group_id and other.organization_id = :organization_id
      and other.employer_id <> own.employer_id
     join employees as employee
       on employee.employer_id = own.employer_id and employee.organization_id = :organization_id
     join employees as theirs
       on theirs.member_id = employee.member_id and theirs.organization_id = :organization_id
      and theirs.employer_id = other.employer_id
    where own.employer_id = :employer_id and own.organization_id = :organization_id
    group by theirs.employer_id order by theirs.employer_id`,
).rows<{ employer_id: string; employee_ids: string[] }>
