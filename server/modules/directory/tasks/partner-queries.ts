import { keyOf, keysetPageJson, isAfterAnchor, readKeysetPage } from '../../../database/sql/pages.ts'
import { inReach, isOfCaller } from '../../../database/sql/reach.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { roleInOrganization } from '../../../runtime/permissions.ts'
import { actionJson, personName, taskIdOf } from './queries.ts'
import {
  census_days,
  ended_days,
  kindsFor,
  max_setups,
  partner_actions,
  renewal_days,
  verification_days,
  type PartnerTaskKind,
} from './rules.ts'
import type { PartnerTaskFilter } from './schemas.ts'

/**
 * The tasks of one organization: those that modules opened, and those that follow from other tables. Each part reads an
 * index by organization or by employer, and nothing if the caller may not see its kind.
 */

/** SQL: whether a row within reach belongs to the organization, and to the employer if one is given. */
type IsOurs = (row: string, employer_id?: string) => string

const isOursOf =
  (of_employer: boolean): IsOurs =>
  (row, employer_id = `${row}.employer_id`) =>
    `
    ${row}.organization_id = :organization_id and ${inReach(`${row}.organization_id`, employer_id)}
    ${of_employer ? `and ${employer_id} = :employer_id` : ''}`

const isDerived = (kind: PartnerTaskKind) => `'${kind}' = any(:kinds::text[])`

/** SQL: the beginning of a day, as an instant. */
const beginningOf = (day: string) => `(${day})::timestamp at time zone 'America/New_York'`

const openedTasks = (isOurs: IsOurs) => `
  select task.id, task.kind, task.employer_id, task.resource_id, task.details, task.opened_at,
         case task.kind when 'invoice_drafted' then (task.details ->> 'issued_by_itself_on')::date
                        when 'enrollment_lapsing' then (task.details ->> 'coverage_ends_on')::date end as due_on,
         case when task.kind = 'census_held' then (task.details ->> 'missing_count')::int
              when task.kind in ('life_event_pending', 'enrollment_lapsing') then 1 end as people_count
    from tasks as task
   where ${isOurs('task')} and task.closed_at is null and task.kind = any(:kinds::text[])`

const openEnrollments = (isOurs: IsOurs) => `
  select ${taskIdOf('open_enrollment_pending', 'year.id')}, 'open_enrollment_pending', year.employer_id, year.id,
         jsonb_build_object('open_enrollment_start', year.open_enrollment_start,
                            'eligible_count', counted.eligible_count),
         ${beginningOf('year.open_enrollment_start')}, year.open_enrollment_end, counted.pending_count::int
    from benefit_plan_years as year
   cross join lateral (
     select count(distinct enrollment.employee_id) as eligible_count,
            count(distinct enrollment.employee_id) filter (where enrollment.answer is null) as pending_count
       from enrollments as enrollment
      where enrollment.plan_year_id = year.id and enrollment.organization_id = :organization_id
        and coalesce(enrollment.inactive_on > :today::date, true)) as counted
   where ${isDerived('open_enrollment_pending')} and ${isOurs('year')}
     and year.open_enrollment_end > '-infinity' and year.open_enrollment_end >= :today::date
     and year.open_enrollment_start <= :today::date and counted.pending_count > 0`

/** Dependents with documents to review, each at the latest employment of the person. */
const verifications = (isOurs: IsOurs) => `
  select ${taskIdOf('dependent_verification_pending', 'dependent.id')}, 'dependent_verification_pending',
         employment.employer_id, dependent.id,
         jsonb_build_object('employee_id', employment.id, 'relationship', dependent.relationship),
         proof.added_at, (proof.added_at at time zone 'America/New_York')::date + ${verification_days}, 1
    from dependents as dependent
   cross join lateral (
     select max(attachment.created_at) as added_at from dependent_attachments as attachment
      where attachment.dependent_id = dependent.id and attachment.organization_id = :organization_id) as proof
   cross join lateral (
     select employee.id, employee.employer_id from employees as employee
      where employee.member_id = dependent.member_id and ${isOurs('employee')}
        and coalesce(employee.terminated_on >= :today::date, true)
      order by employee.hired_on desc, employee.id limit 1) as employment
   where ${isDerived('dependent_verification_pending')} and dependent.organization_id = :organization_id
     and dependent.verification = 'pending' and dependent.ended_on is null`

const renewals = (isOurs: IsOurs) => `
  select ${taskIdOf('renewal_due', 'year.id')}, 'renewal_due', year.employer_id, year.id,
         jsonb_build_object('coverage_start', year.coverage_start, 'coverage_end', year.coverage_end),
         ${beginningOf(`year.coverage_end - ${renewal_days}`)}, year.coverage_end, year.enrolled_count::int
    from benefit_plan_years as year
    join employers as employer on employer.id = year.employer_id and employer.organization_id = :organization_id
   where ${isDerived('renewal_due')} and ${isOurs('year')} and year.coverage_end > '-infinity'
     and year.coverage_end between :today::date - ${ended_days} and :today::date + ${renewal_days}
     and (employer.subscription_ended_on is null or employer.subscription_ended_on > :today::date)
     and not exists (
           select from benefit_plan_years as following
            where following.employer_id = year.employer_id and following.organization_id = :organization_id
              and following.coverage_start > year.coverage_end)`

const setups = (isOurs: IsOurs) => `
  select ${taskIdOf('employer_setup', 'employer.id')}, 'employer_setup', employer.id, employer.id,
         jsonb_build_object('done_count', counted.done_count, 'step_count', counted.step_count),
         employer.created_at, null::date, null
    from (select * from employers as employer
           where ${isDerived('employer_setup')} and ${isOurs('employer', 'employer.id')}
             and employer.created_at > '-infinity' and employer.active
             and (employer.subscription_ended_on is null or employer.subscription_ended_on > :today::date)
             and not exists (
                   select from benefit_plan_years as year
                    where year.employer_id = employer.id and year.organization_id = :organization_id
                      and year.coverage_start <= :today::date)
           order by employer.created_at desc, employer.id desc limit ${max_setups}) as employer
   cross join lateral (
     select count(*) filter (where step.status = 'done') as done_count, count(*) as step_count,
            count(*) filter (where step.status <> 'done' and step.step <> 'go_live') as left_count
       from employer_setup(employer.id, :organization_id, :today::date) as step) as counted
   where counted.left_count > 0`

const mentions = (isOurs: IsOurs) => `
  select ${taskIdOf('note_mention', "note.id || ' ' || mention.user_id")}, 'note_mention', note.employer_id, note.id,
         jsonb_build_object('employee_id', note.employee_id, 'excerpt', left(note.text, 200)),
         mention.created_at, null::date, null
    from note_mentions as mention
    join notes as note on note.id = mention.note_id and ${isOurs('note')}
   where ${isDerived('note_mention')} and mention.organization_id = :organization_id
     and ${isOfCaller('mention.user_id')} and mention.done_at is null
     and (note.employee_id is null or :sees_people::boolean)`

const overdueInvoices = (isOurs: IsOurs) => `
  select ${taskIdOf('invoice_overdue', 'invoice.invoice_id')}, 'invoice_overdue', invoice.employer_id,
         invoice.invoice_id,
         jsonb_build_object('period', to_char(invoice.period, 'YYYY-MM'), 'total_in_cents', invoice.total_in_cents),
         ${beginningOf('invoice.due_on + 1')}, invoice.due_on, null
    from invoices as invoice
   where ${isDerived('invoice_overdue')} and ${isOurs('invoice')} and invoice.due_on < :today::date
     and invoice.issued_at is not null and invoice.paid_at is null and invoice.voided_at is null`

const failedCensuses = (isOurs: IsOurs) => `
  select ${taskIdOf('census_failed', 'census.id')}, 'census_failed', employer.id, census.id,
         jsonb_build_object('row_count', census.row_count, 'failed_count', census.failed_count,
                            'origin', census.origin),
         coalesce(census.failed_at, census.completed_at), null::date,
         case when census.failed_at is null then census.failed_count else census.row_count end
    from employers as employer
   cross join lateral (
     select latest.* from census_syncs as latest
      where latest.employer_id = employer.id and latest.organization_id = :organization_id
      order by latest.accepted_at desc, latest.id desc limit 1) as census
   where ${isDerived('census_failed')} and ${isOurs('employer', 'employer.id')} and employer.created_at > '-infinity'
     and (census.failed_at is not null or census.completed_at is not null and census.failed_count > 0)
     and census.accepted_at > :now::timestamptz - interval '${census_days} days'`

const failingConnections = (isOurs: IsOurs) => `
  select ${taskIdOf('hris_sync_failed', 'connection.id')}, 'hris_sync_failed', employer.id, connection.id,
         jsonb_build_object('provider', connection.provider, 'error_code', connection.last_error_code),
         connection.last_attempt_at, null::date, null
    from employers as employer
    join hris_connections as connection
      on connection.employer_id = employer.id and connection.organization_id = :organization_id
   where ${isDerived('hris_sync_failed')} and ${isOurs('employer', 'employer.id')} and employer.created_at > '-infinity'
     and connection.disconnected_at is null and connection.paused_at is null and connection.access_lost_at is null
     and connection.last_error_code is not null and connection.last_attempt_at is not null`

/** Employees whose hours so far are full-time, by employer. The first measurement to end is the deadline. */
const trends = (isOurs: IsOurs) => `
  select ${taskIdOf('full_time_trend', 'trending.employer_id')}, 'full_time_trend', trending.employer_id,
         trending.employer_id, jsonb_build_object('first_change_on', trending.first_change_on),
         trending.measured_at, trending.first_change_on - 1, trending.people_count
    from (select state.employer_id, min(state.due_on) as first_change_on, max(state.measured_at) as measured_at,
                 count(*)::int as people_count
            from employee_measurements as state
           where ${isDerived('full_time_trend')} and ${isOurs('state')} and state.is_trending
           group by state.employer_id) as trending`

/** SQL: whether a row is of an employer that still files under its own EIN. */
const filesItself = (row: string) => `
  not exists (select from ale_members as member
               where member.employer_id = ${row}.employer_id
                 and member.organization_id = ${row}.organization_id
                 and member.ein_employer_id <> ${row}.employer_id)`

/** Forms of a tax year whose people lack tax identifiers, until the forms of the next year are filed. */
const missingIdentifiers = (isOurs: IsOurs) => `
  select ${taskIdOf('tax_identifiers_missing', "form_year.employer_id || ' ' || form_year.tax_year")},
         'tax_identifiers_missing', form_year.employer_id, form_year.employer_id,
         jsonb_build_object('tax_year', form_year.tax_year), form_year.derived_at, form_year.furnish_by,
         form_year.missing_count
    from form_years as form_year
   where ${isDerived('tax_identifiers_missing')} and ${isOurs('form_year')} and form_year.missing_count > 0
     and form_year.tax_year >= extract(year from :today::date) - 1 and ${filesItself('form_year')}`

/** Forms of the past year that were not released. */
const dueForms = (isOurs: IsOurs) => `
  select ${taskIdOf('tax_forms_due', "form_year.employer_id || ' ' || form_year.tax_year")}, 'tax_forms_due',
         form_year.employer_id, form_year.employer_id, jsonb_build_object('tax_year', form_year.tax_year),
         ${beginningOf("(form_year.tax_year + 1 || '-01-01')::date")}, form_year.furnish_by,
         (form_year.counts ->> 'form_count')::int
    from form_years as form_year
   where ${isDerived('tax_forms_due')} and ${isOurs('form_year')} and form_year.released_at is null
     and form_year.tax_year = extract(year from :today::date) - 1 and (form_year.counts ->> 'form_count')::int > 0
     and ${filesItself('form_year')}`

/**
 * The latest released forms of the past year to furnish on paper, until their mailing is recorded. A join of each form
 * with its later versions took quadratic time until the statistics of the table were current.
 */
const unmailedForms = (isOurs: IsOurs) => `
  select ${taskIdOf('tax_forms_unmailed', "form_year.employer_id || ' ' || form_year.tax_year")}, 'tax_forms_unmailed',
         form_year.employer_id, form_year.employer_id, jsonb_build_object('tax_year', form_year.tax_year),
         unmailed.released_at, form_year.furnish_by, unmailed.form_count
    from form_years as form_year
   cross join lateral (
     select min(form.released_at) as released_at, count(*)::int as form_count
       from (select distinct on (released.member_id) released.member_id, released.released_at, released.mailed_on,
                    released.notice
               from released_forms as released
              where released.employer_id = form_year.employer_id
                and released.organization_id = form_year.organization_id and released.tax_year = form_year.tax_year
              order by released.member_id, released.version desc) as form
      where form.mailed_on is null
        and (form.notice is not distinct from 'failed' or not exists (
          select from electronic_deliveries as delivery
           where delivery.member_id = form.member_id and delivery.organization_id = form_year.organization_id
             and delivery.employer_id = form_year.employer_id and delivery.withdrawn_at is null))) as unmailed
   where ${isDerived('tax_forms_unmailed')} and ${isOurs('form_year')} and unmailed.form_count > 0
     and form_year.tax_year = extract(year from :today::date) - 1 and ${filesItself('form_year')}`

/** Released Forms 1095-C of the past year, until the IRS accepts a transmission of them. */
const unfiledForms = (isOurs: IsOurs) => `
  select ${taskIdOf('tax_forms_unfiled', "form_year.employer_id || ' ' || form_year.tax_year")}, 'tax_forms_unfiled',
         form_year.employer_id, form_year.employer_id, jsonb_build_object('tax_year', form_year.tax_year),
         form_year.released_at, form_year.file_by, (form_year.counts ->> 'form_count')::int
    from form_years as form_year
   where ${isDerived('tax_forms_unfiled')} and ${isOurs('form_year')} and form_year.released_at is not null
     and form_year.form_type = '1095-C' and form_year.tax_year = extract(year from :today::date) - 1
     and ${filesItself('form_year')}
     and not exists (
       select from form_transmissions as sent
        where sent.employer_id = form_year.employer_id and sent.organization_id = form_year.organization_id
          and sent.tax_year = form_year.tax_year and not sent.is_test
          and sent.status in ('accepted', 'accepted_with_errors'))`

/** The days in which an acceptable file must replace a rejected one to be on time (IRS Publication 5165). */
const replacement_days = 60

/**
 * Transmissions of tax forms that the IRS rejected, or accepted with errors in forms, until a later transmission
 * contains these forms.
 */
const formErrors = (isOurs: IsOurs) => `
  select ${taskIdOf('tax_form_errors', 'sent.id')}, 'tax_form_errors', sent.employer_id, sent.employer_id,
         jsonb_build_object('tax_year', sent.tax_year, 'status', sent.status), sent.acknowledged_at,
         case when sent.status = 'rejected'
              then (sent.acknowledged_at at time zone 'America/New_York')::date + ${replacement_days} end,
         case when sent.status = 'rejected' then sent.form_count else wrong.people_count end
    from form_transmissions as sent
   cross join lateral (
     select not exists (
       select from form_transmissions as later
        where later.employer_id = sent.employer_id and later.organization_id = sent.organization_id
          and later.tax_year = sent.tax_year and later.number > sent.number and not later.is_test) as is_last) as state
   cross join lateral (
     select count(distinct worker.member_id)::int as people_count
       from jsonb_to_recordset(sent.errors) as error (employee_id text)
       join employees as worker on worker.id = error.employee_id and worker.organization_id = sent.organization_id
      where not exists (
        select from released_forms as form
          join form_transmissions as later on later.id = form.transmission_id
           and later.organization_id = form.organization_id
         where form.member_id = worker.member_id and form.organization_id = sent.organization_id
           and form.employer_id = sent.employer_id and form.tax_year = sent.tax_year
           and later.number > sent.number and not later.is_test)) as wrong
   where ${isDerived('tax_form_errors')} and ${isOurs('sent')} and not sent.is_test and ${filesItself('sent')}
     and case sent.status when 'rejected' then state.is_last
                          when 'accepted_with_errors'
                          then wrong.people_count > 0 or (state.is_last and sent.errors @> '[{"employee_id": null}]')
                          else false end`

const parts = [
  openedTasks,
  openEnrollments,
  verifications,
  renewals,
  setups,
  mentions,
  overdueInvoices,
  failedCensuses,
  failingConnections,
  trends,
  missingIdentifiers,
  dueForms,
  unmailedForms,
  unfiledForms,
  formErrors,
]

const order = { by: 'sorts_at', oldest_first: true }

/**
 * SQL: the displayed fields of a row `task`. Only this part reads the type of a life event and the name of a benefit.
 */
const taskJson = `
  select row_to_json(shown) as item from (
    select task.id, task.kind, task.employer_id,
           (select name from employers where id = task.employer_id and organization_id = task.organization_id)
             as employer_name,
           (select json_build_object('user_id', account.id, 'name', account.name)
              from memberships as membership join users as account on account.id = membership.user_id
             where membership.organization_id = task.organization_id and membership.user_id = task.owner_user_id
               and membership.ended_at is null) as owner,
           task.employee_id, ${personName('task.employee_id')} as person_name,
           task.people_count, task.resource_id,
           task.details || case task.kind
             when 'life_event_pending' then jsonb_build_object('type', (
               select event.type from qualifying_life_events as event
                where event.id = task.resource_id and event.organization_id = task.organization_id))
             when 'enrollment_lapsing' then jsonb_build_object('benefit_name', (
               select benefit.name from benefit_products as benefit
                where benefit.id = task.benefit_id and benefit.organization_id = task.organization_id))
             else '{}' end as details,
           iso(task.opened_at) as opened_at, task.due_on, ${actionJson(partner_actions)} as action) as shown`

const is_wanted = '(:wanted::text[] is null or task.kind = any(:wanted::text[]))'

const page = keysetPageJson(
  `select shown.item, keys.position, ${keyOf('keys', order)} as key from (
     select task.*, row_number() over (order by task.sorts_at, task.id) as position
       from task where ${is_wanted} and ${isAfterAnchor('task', order)}
      order by task.sorts_at, task.id limit :limit offset :offset) as keys
    cross join lateral (select keys.*) as task
    cross join lateral (${taskJson}) as shown`,
  `select count(*) as total, count(*) filter (where ${isAfterAnchor('task', order)}) as ahead
     from task where ${is_wanted}`,
)

/** SQL: the member responsible for a row `found`: the mentioned one, or the owner of the employer. */
const ownerOf = `
  case found.kind when 'note_mention' then :caller_user_id
       else (select owned.owner_user_id from employers as owned
              where owned.id = found.employer_id and owned.organization_id = :organization_id) end`

/** SQL: whether one of the chosen members is responsible. */
const is_chosen = `
  (:owner_user_ids::text[] = '{}' or coalesce(responsible.owner_user_id = any(:owner_user_ids), false))`

const listed = readVariants(
  'tasks.listPartnerTasks',
  { of_employer: [false, true] },
  ({ of_employer }) => `with task as materialized (
     select found.*, responsible.owner_user_id, :organization_id::text collate "C" as organization_id,
            (found.details ->> 'employee_id') collate "C" as employee_id,
            (found.details ->> 'benefit_id') collate "C" as benefit_id,
            coalesce(${beginningOf('found.due_on')}, found.opened_at) as sorts_at
       from (${parts.map((part) => `(${part(isOursOf(of_employer))})`).join(' union all ')}) as found
      cross join lateral (select (${ownerOf}) collate "C" as owner_user_id) as responsible
      where ${is_chosen}),
   by_kind as (
     select coalesce(string_agg(shown.json, ',' order by counted.first_at, counted.kind), '') as groups
       from (select task.kind, count(*) as total, sum(task.people_count)::int as people_count,
                    min(task.due_on) as due_on, min(task.sorts_at) as first_at
               from task group by task.kind) as counted
      cross join lateral (
        select row_to_json(shown)::text as json
          from (select counted.kind, counted.total, counted.people_count, counted.due_on) as shown) as shown)
   select '{"groups":[' || by_kind.groups || '],' || substr(page.json, 2) as json, page.last_key
     from by_kind cross join (${page}) as page`,
)

/** A page of the tasks of an organization that the caller may see, by due date, with the number of each kind. */
export function listPartnerTasks(
  ctx: ReadCtx,
  organization_id: string,
  { kind, employer_id, owner_user_id: owner_user_ids, ...paging }: PartnerTaskFilter,
): Promise<string | undefined> {
  const kinds = kindsFor(roleInOrganization(ctx.caller, organization_id), ctx.caller.scopes)
  const wanted = kind.length > 0 ? kind : null
  // Kinds of tasks about people require the same role and scope as notes about employees.
  const sees_people = kinds.includes('enrollment_lapsing')
  const one = listed({ of_employer: employer_id !== undefined })
  const values = { organization_id, employer_id, kinds, wanted, sees_people, owner_user_ids }
  return readKeysetPage(ctx, one, paging, values)
}
