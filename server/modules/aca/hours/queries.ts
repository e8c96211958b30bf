import { targetList } from '../../../database/sql/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { ChunkInWords } from '../../../kernel/concurrency/staged-rows.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Page } from '../../../kernel/pages.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { target_employee, target_employer, type EmployerKey } from '../../access/auth/queries.ts'
import { max_days_of_leave, max_days_with_hours, max_listed, max_previewed, type ChunkOutcome } from './rules.ts'
import type { HoursFilter } from './schemas.ts'

/** SQL: the employments that the rows name by a condition, each with the number of the row. */
const employmentsBy = (condition: string) => `
  select input.index, employee.id, employee.member_id, employee.hired_on, employee.employer_id,
         employee.employed && daterange(input.starts_on, input.ends_on, '[]') as is_employed
    from input cross join lateral (
      select id, member_id, hired_on, employer_id, employed from employees
       where ${condition} and organization_id = :organization_id offset 0) as employee`

/**
 * SQL: the days before the first day of a row in which an overlapping period of the same kind can start. The bounds of
 * the length of a period keep this range of the primary key short.
 */
const max_period = `
  case when input.kind in ('worked', 'paid_leave') then ${max_days_with_hours} else ${max_days_of_leave} end`

/**
 * SQL: the outcome of each row of a chunk. First, it finds the employment of each row: among those with the reference,
 * the one during the period. Then it compares the row with the recorded hours of the period. No hours are recorded
 * after `references_through` and `ids_through`, so a report of new periods reads no recorded hours.
 */
const judged = `
  with input as materialized (
    select :first_index::int + (ordinality - 1)::int as index, cells ->> 0 as employee_id, cells ->> 1 as reference_id,
           :employer_id || (cells ->> 1) as reference_key, (cells ->> 2)::date as starts_on,
           (cells ->> 3)::date as ends_on, cells ->> 4 as kind, (cells ->> 5)::int as hundredths,
           (cells ->> 6)::boolean as by_equivalency
      from jsonb_array_elements(convert_from(:rows::bytea, 'UTF8')::jsonb) with ordinality as sent (cells, ordinality)
  ), employment as materialized (
    select distinct on (index) index, id, is_employed,
           min(member_id) over same_index <> max(member_id) over same_index as is_ambiguous
      from (${employmentsBy('id = input.employee_id')} where employee.employer_id = :employer_id
            union all
            ${employmentsBy('reference_key = input.reference_key')} where input.employee_id is null) as named
    window same_index as (partition by index, is_employed)
     order by index, is_employed desc, hired_on desc nulls last, id desc
  ), planned as materialized (
    select input.*, input.ends_on <= :reported_through::date as is_covered, case
             when input.fault is not null then 'failed'
             when input.known_at > :known_at::timestamptz then 'unchanged'
             when input.hundredths is null and input.before is null then 'unchanged'
             when input.hundredths is null then 'removed'
             when input.before is null then 'added'
             when (input.before, input.former_end) = (input.hundredths, input.ends_on) then 'unchanged'
             else 'changed' end as outcome
      from (
        select input.*, employment.id, recorded.before, recorded.former_end, recorded.known_at, case
                 when employment.id is null then 'unknown'
                 when employment.is_ambiguous then 'ambiguous'
                 when not employment.is_employed then 'not_employed'
                 when input.starts_on > :today::date and input.kind in ('worked', 'paid_leave') then 'future'
                 when max(input.ends_on) over earlier >= input.starts_on then 'repeated'
                 when input.by_equivalency and 'Hourly' = (
                   select compensation_type from employee_compensations
                    where employee_id = employment.id and organization_id = :organization_id
                      and effective_on <= input.ends_on
                    order by effective_on desc limit 1) then 'hourly'
                 when input.hundredths is not null and recorded.overlaps then 'overlaps' end as fault
          from input
          left join employment on employment.index = input.index
          left join lateral (
            select max(hundredths) filter (where period_starts_on = input.starts_on) as before,
                   max(period_ends_on) filter (where period_starts_on = input.starts_on) as former_end,
                   max(reported_at) filter (where period_starts_on = input.starts_on) as known_at,
                   bool_or(period_starts_on <> input.starts_on) as overlaps
              from hours_of_service
             where employee_id = employment.id and organization_id = :organization_id and kind = input.kind
               and period_starts_on > input.starts_on - ${max_period} and period_starts_on <= input.ends_on
               and period_ends_on >= input.starts_on
               and input.starts_on <= case when input.employee_id is null then :references_through::date
                                           else :ids_through::date end) as recorded on true
        window earlier as (partition by employment.id, input.kind order by input.starts_on, input.index
                           rows between unbounded preceding and 1 preceding)) as input
  )`

/** SQL: the number of rows by outcome, and the failures, changes and rows to record. */
const outcomeWith = (planned: string) => `
  select count(*) filter (where outcome = 'added')::int as added_count,
         count(*) filter (where outcome = 'changed')::int as changed_count,
         count(*) filter (where outcome = 'removed')::int as removed_count,
         count(*) filter (where outcome = 'unchanged')::int as unchanged_count,
         count(*) filter (where outcome = 'added' and is_covered)::int as late_count,
         count(*) filter (where outcome = 'failed')::int as failed_count,
         min(starts_on) filter (where outcome <> 'failed') as period_starts_on,
         max(ends_on) filter (where outcome <> 'failed') as period_ends_on,
         max(ends_on) filter (where outcome <> 'failed' and employee_id is null) as references_end_on,
         max(ends_on) filter (where outcome <> 'failed' and employee_id is not null) as ids_end_on,
         (select json_agg(json_build_object('index', index, 'fault', fault, 'employee_id', employee_id,
                                            'reference_id', reference_id)
                          order by index)
            from (select * from planned where outcome = 'failed'
                   order by index limit ${max_listed}) as failed) as failures,
         (select json_agg(json_build_object(
                   'index', index, 'employee_id', id, 'kind', kind, 'period_starts_on', starts_on,
                   'period_ends_on', ends_on, 'hours_before', trim_scale(before / 100.0),
                   'hours_after', trim_scale(hundredths / 100.0), 'is_late', outcome = 'added') order by index)
            from (select * from planned
                   where outcome in ('changed', 'removed') or outcome = 'added' and is_covered
                   order by index limit ${max_listed}) as changed) as changes,
         (${planned}) as planned
    from planned`

/**
 * SQL: the rows that would change recorded hours, of the first employees: those of earlier chunks, then those with
 * earlier hours.
 */
const changesOfEmployees = `
  select json_agg(json_build_array(planned.id, planned.starts_on, planned.ends_on, planned.kind, planned.hundredths,
                                   planned.before, planned.former_end))
    from (select id from planned as touched where outcome in ('added', 'changed', 'removed')
           group by id order by id in (select unnest(:previewed_ids::text[])) desc,
                             bool_or(outcome <> 'added' or is_covered) desc, min(index)
           limit ${max_previewed}) as first
    join planned on planned.id = first.id and planned.outcome in ('added', 'changed', 'removed')`

const planned = statement('hours.planHours', `${judged} ${outcomeWith(changesOfEmployees)}`)

// The lock of the employer makes a check for conflicts unnecessary, which would cost a quarter of the insertion.
// Changed rows are found by their conflict, and removed rows by their row address, because the planner could otherwise
// compare the whole table with each row while its statistics are those of a small table.
const hours_columns = `
  organization_id, employee_id, employer_id, period_starts_on, period_ends_on, kind, hundredths, reported_at`

const rowsOf = (outcome: string) => `
  select :organization_id, id, :employer_id, starts_on, ends_on, kind, hundredths, :known_at::timestamptz from planned
   where outcome = '${outcome}' order by id, starts_on, kind`

const saved = statement(
  'hours.saveHours',
  `${judged}, removed as (
     delete from hours_of_service
      where organization_id = :organization_id and ctid = any(array(
              select former.row_address from planned cross join lateral (
                select ctid as row_address from hours_of_service
                 where employee_id = planned.id and organization_id = :organization_id
                   and period_starts_on = planned.starts_on and kind = planned.kind offset 0) as former
               where planned.outcome = 'removed'))
   ), added as (
     insert into hours_of_service (${hours_columns}) ${rowsOf('added')}
   ), changed as (
     insert into hours_of_service (${hours_columns}) ${rowsOf('changed')}
     on conflict (employee_id, organization_id, period_starts_on, kind) do update
       set period_ends_on = excluded.period_ends_on, hundredths = excluded.hundredths,
           reported_at = excluded.reported_at)
   ${outcomeWith('null::json')}`,
)

/**
 * Records a chunk of rows, or with `dry_run` only returns the outcome. The days are null before any report.
 * `reported_through`: the last day of earlier reports. `references_through` and `ids_through`: the last day that a row
 * with a reference, or with an id, can overlap, which includes earlier rows of this report. `known_at`: when the source
 * stated the hours. They do not replace hours that were stated later. `previewed_ids`: the employees of earlier chunks
 * whose changes are listed.
 */
export const recordChunk = (
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  chunk: ChunkInWords &
    Record<'reported_through' | 'references_through' | 'ids_through', Day | null> & {
      known_at: string
      previewed_ids: string[]
    },
  dry_run: boolean,
): Promise<ChunkOutcome | undefined> => {
  const input = { organization_id, employer_id, ...chunk }
  return dry_run ? planned.row<ChunkOutcome>(ctx, input) : saved.row<ChunkOutcome>(ctx, input)
}

/** The last day of the latest period that was reported. Null before any report. */
export const findReportedThrough = statement(
  'hours.findReportedThrough',
  `select max(period_ends_on) as reported_through from hours_reports
    where employer_id = :employer_id and organization_id = :organization_id`,
).value

export const insertReport = statement(
  'hours.insertReport',
  `insert into hours_reports (id, organization_id, employer_id, origin, reported_at, period_starts_on, period_ends_on,
                              row_count, added_count, changed_count, removed_count, unchanged_count, late_count,
                              failed_count, failures)
   values (:hours_report_id, :organization_id, :employer_id, :origin, :now, :period_starts_on, :period_ends_on,
           :row_count, :added_count, :changed_count, :removed_count, :unchanged_count, :late_count, :failed_count,
           :failures)`,
).rows

const hoursJson = `
  (select row_to_json(shown) from (
     select hours.employee_id, hours.kind, hours.period_starts_on, hours.period_ends_on,
            trim_scale(hours.hundredths / 100.0) as hours, iso(hours.reported_at) as reported_at) as shown)`

/** SQL: whether a row `hours` starts in the days of a filter. Null has no bound. */
const in_days = `
  hours.period_starts_on >= case when :from::date is null then '-infinity' else :from::date end
  and hours.period_starts_on <= case when :to::date is null then 'infinity' else :to::date end`

const of_kind = '(:kind::text is null or hours.kind = :kind)'

const of_employer = targetList('hours.listHoursOfEmployer', {
  target: target_employer,
  from: `hours_of_service as hours
          where hours.employer_id = target.id and hours.organization_id = target.organization_id and ${in_days}
            and ${of_kind}`,
  row: 'hours',
  order: 'hours.period_starts_on desc, hours.employee_id, hours.kind',
  item: hoursJson,
})

const of_employee = targetList('hours.listHoursOfEmployee', {
  target: target_employee,
  from: `hours_of_service as hours
          where hours.employee_id = target.id and hours.organization_id = target.organization_id and ${in_days}
            and ${of_kind}`,
  row: 'hours',
  order: 'hours.period_starts_on desc, hours.kind',
  item: hoursJson,
})

const filterOf = ({ kind, from, to }: HoursFilter) => ({ kind: kind ?? null, from: from ?? null, to: to ?? null })

/** A page of the hours of all employees of an employer, latest period first. Undefined if it is out of reach. */
export const listHoursOfEmployer = (ctx: ReadCtx, employer_id: string, filter: HoursFilter) =>
  of_employer(ctx, { employer_id, ...filterOf(filter) }, filter)

/** A page of the hours of an employee, latest period first. Undefined if the employee is out of reach. */
export const listHoursOfEmployee = (ctx: ReadCtx, employee_id: string, filter: HoursFilter) =>
  of_employee(ctx, { employee_id, ...filterOf(filter) }, filter)

const reports = targetList('hours.listReports', {
  target: target_employer,
  from: `hours_reports as report
          where report.employer_id = target.id and report.organization_id = target.organization_id`,
  row: 'report',
  order: 'report.id desc',
  item: `(select row_to_json(shown) from (
            select report.id, report.origin, iso(report.reported_at) as reported_at, report.period_starts_on,
                   report.period_ends_on,
                   report.row_count, report.added_count, report.changed_count, report.removed_count,
                   report.unchanged_count, report.late_count, report.failed_count, report.failures) as shown)`,
})

/** A page of the reports of an employer, newest first. Undefined if it is out of reach. */
export const listReports = (ctx: ReadCtx, employer_id: string, page: Page) => reports(ctx, { employer_id }, page)
