import { inReach } from '../../../database/sql/reach.ts'
import { pageJson, pageList, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { participationIn } from '../enrollment-windows/queries.ts'
import type { Invitee, Schedule } from './rules.ts'
import type { EnrollmentMessageFilter } from './schemas.ts'
import { type MessageKind } from '../enrollment-windows/schemas.ts'

/**
 * SQL: whether a mail server permanently refused the current address of a row `member`, and whether the person has
 * unsubscribed from reminders. `organization` is SQL of the organization's id.
 */
export const addressState = (organization: string) => `
  exists (select from bounced_addresses as bounced
           where bounced.member_id = member.id and bounced.organization_id = ${organization}
             and bounced.email_key = member.email_key) as has_bounced,
  exists (select from reminder_unsubscribes as unsubscribe
           where unsubscribe.member_id = member.id and unsubscribe.organization_id = ${organization})
    as has_unsubscribed`

/** SQL: the fields of an `Invitee`, from rows `person` of `participationIn` and plan years `target`. */
const candidates = (more = '') => `
  select person.employee_id, employee.member_id, person.plan_year_id, employee.employer_id, person.status,
         person.enrollment_id, person.opens_on, person.closes_on, member.email,
         ${addressState(':organization_id')},
         exists (select from enrollment_messages as message
                  where message.employee_id = person.employee_id and message.organization_id = :organization_id
                    and message.plan_year_id = person.plan_year_id and message.due_on = :today::date)
           as was_messaged_today ${more}
    from person
    join employees as employee on employee.id = person.employee_id and employee.organization_id = :organization_id
    join members as member on member.id = employee.member_id and member.organization_id = :organization_id`

const listed = statement(
  'enrollment-messages.listInvitees',
  `with target as materialized (
     select year.* from benefit_plan_years as year
      where year.id = :benefit_plan_year_id and year.organization_id = :organization_id
   ), person as materialized (
     ${participationIn(
       ':organization_id',
       '(:employee_ids::text[] is null or enrollment.employee_id = any(:employee_ids))',
     )}
   ) ${candidates()}
   where :employee_ids::text[] is not null or person.enrollment_id is not null
   order by person.employee_id limit :most::int`,
)

/** Lists the named employees of a plan year, or all employees with unanswered benefits. Returns at most `most`. */
export const listInvitees = (
  ctx: Ctx,
  plan_year: { organization_id: string; benefit_plan_year_id: string },
  employee_ids: string[] | null,
  most: number,
) => listed.rows<Invitee>(ctx, { ...plan_year, employee_ids, most })

/** SQL: the schedules of an organization with at least one active entry. */
const scheduled = (organization: string) => `
  enrollment_schedules as schedule
   where schedule.organization_id = ${organization}
     and (schedule.opening or schedule.half_way or schedule.three_days_before or schedule.one_day_before)`

export const hasScheduledMessages = `exists (select from ${scheduled('organization.id')})`

/** The next people with an open window at employers with a schedule. */
export const listScheduled = statement(
  'enrollment-messages.listScheduled',
  `with planned as materialized (select schedule.* from ${scheduled(':organization_id')}), target as materialized (
     select year.*
       from planned
       join benefit_plan_years as year
         on year.employer_id = planned.employer_id and year.organization_id = :organization_id
      where year.coverage_end >= :today::date
   ), progress as materialized (${participationIn(':organization_id')}), person as (
     select person.* from progress as person
      where person.closes_on is not null and person.employee_id || person.plan_year_id > :after
      order by person.employee_id || person.plan_year_id limit :most
   ) select found.*, planned.opening, planned.half_way, planned.three_days_before, planned.one_day_before
       from (${candidates(`, exists (
         select from enrollment_messages as message
          where message.employee_id = person.employee_id and message.organization_id = :organization_id
            and message.plan_year_id = person.plan_year_id and message.kind = 'invitation'
            and message.due_on >= person.opens_on) as was_invited`)})
            as found
       join planned on planned.employer_id = found.employer_id
      order by found.employee_id || found.plan_year_id`,
).rows<ScheduledInvitee>

export type ScheduledInvitee = Invitee & Schedule & { opens_on: Day; closes_on: Day; was_invited: boolean }

const inserted = statement(
  'enrollment-messages.insertMessages',
  `insert into enrollment_messages
     (id, organization_id, employer_id, employee_id, member_id, plan_year_id, enrollment_id, kind, occasion, due_on,
      status, email, created_at, finished_at, link_expires_at)
   select message.id, :organization_id, message.employer_id, message.employee_id, message.member_id,
          message.plan_year_id, message.enrollment_id, message.kind, message.occasion, :today, :status,
          message.email, :now, case when :status::text = 'queued' then null else :now::timestamptz end,
          :link_expires_at::timestamptz
     from jsonb_to_recordset(:messages::jsonb) as message (
            id text, employer_id text, employee_id text, member_id text, plan_year_id text, enrollment_id text,
            kind text, occasion text, email text)
   on conflict (employee_id, organization_id, plan_year_id, due_on) do nothing
   returning id, enrollment_id, kind`,
)

export type NewMessage = Pick<Invitee, 'employer_id' | 'employee_id' | 'member_id' | 'plan_year_id'> & {
  id: string
  enrollment_id: string
  kind: MessageKind
  occasion: string
  email: string | null
}

/** Inserts messages, except to people who already have one for today. Returns the inserted ones. */
export const insertMessages = (
  ctx: Ctx,
  organization_id: string,
  messages: NewMessage[],
  of: { status: 'published' | 'queued' | 'sent'; link_expires_at: string | null },
) =>
  inserted.rows<{ id: string; enrollment_id: string; kind: MessageKind }>(ctx, {
    organization_id,
    messages: JSON.stringify(messages),
    ...of,
  })

/** SQL: the fields of an `EnrollmentMessage`, from a row `message` and its `member`. */
export const messageFields = `
  message.id, message.employer_id, message.employee_id, member.first_name as member_first_name,
  member.last_name as member_last_name, message.plan_year_id as benefit_plan_year_id, message.kind, message.occasion,
  message.due_on, message.status, message.email, message.reason, message.smtp_status,
  iso(message.created_at) as created_at, iso(message.finished_at) as finished_at,
  iso(message.link_used_at) as link_used_at`

const listedMessages = (of_employee: boolean) => `
  from company
  join enrollment_messages as message
    on message.employer_id = company.id and message.organization_id = company.organization_id
 where (:benefit_plan_year_id::text is null or message.plan_year_id = :benefit_plan_year_id)
   ${of_employee ? 'and message.employee_id = :employee_id' : ''}
   and (cardinality(:statuses::text[]) = 0 or message.status = any(:statuses))`

const messages = readVariants(
  'enrollment-messages.listMessages',
  { of_employee: [false, true] },
  ({ of_employee }) => `with company as materialized (
     select employer.id, employer.organization_id from employers as employer
      where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}
   )
   select page.json
     from company
    cross join lateral (${pageJson(
      `select row_to_json(shown) as item, row_number() over (order by shown.id desc) as position
         from (select ${messageFields}
                 from (select message.* ${listedMessages(of_employee)}
                        order by message.id desc limit :limit::int offset :offset::bigint) as message
                 join members as member
                   on member.id = message.member_id and member.organization_id = message.organization_id) as shown`,
      `(select count(*) ${listedMessages(of_employee)})`,
    )}) as page`,
)

/** A page of the messages of an employer, newest first, as the response. Undefined if it is out of reach. */
export const listMessages = (
  ctx: ReadCtx,
  employer_id: string,
  { status: statuses, benefit_plan_year_id, employee_id, ...page }: EnrollmentMessageFilter,
) =>
  messages({ of_employee: employee_id !== undefined }).json(ctx, {
    employer_id,
    statuses,
    benefit_plan_year_id: benefit_plan_year_id ?? null,
    employee_id: employee_id ?? null,
    ...pageValues(page),
  })

const all_condition = `
  message.organization_id = :organization_id and ${inReach('message.organization_id')}
  and (cardinality(:statuses::text[]) = 0 or message.status = any(:statuses))`

/** A page of the messages of an organization, newest first. */
export const listAllMessages = pageList(
  'enrollment-messages.listAllMessages',
  pageJson(
    `select row_to_json(shown) as item, row_number() over (order by shown.id desc) as position
       from (select ${messageFields}, employer.name as employer_name
               from (select message.* from enrollment_messages as message where ${all_condition}
                      order by message.id desc limit :limit::int offset :offset::bigint) as message
               join members as member
                 on member.id = message.member_id and member.organization_id = message.organization_id
               join employers as employer
                 on employer.id = message.employer_id and employer.organization_id = message.organization_id) as shown`,
    `(select count(*) from enrollment_messages as message where ${all_condition})`,
  ),
)

/** The schedule of an employer as JSON. Undefined if it is out of reach. */
export const findSchedule = read(
  'enrollment-messages.findSchedule',
  `select json_build_object(
            'opening', coalesce(schedule.opening, false), 'half_way', coalesce(schedule.half_way, false),
            'three_days_before', coalesce(schedule.three_days_before, false),
            'one_day_before', coalesce(schedule.one_day_before, false),
            'updated_at', iso(schedule.updated_at))::text as json
     from employers as employer
     left join enrollment_schedules as schedule
       on schedule.employer_id = employer.id and schedule.organization_id = employer.organization_id
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
).json

const schedule_saved = statement(
  'enrollment-messages.saveSchedule',
  `insert into enrollment_schedules as kept
     (organization_id, employer_id, opening, half_way, three_days_before, one_day_before, updated_at)
   values (:organization_id, :employer_id, coalesce(:opening, false), coalesce(:half_way, false),
           coalesce(:three_days_before, false), coalesce(:one_day_before, false), :now)
   on conflict (employer_id, organization_id) do update
     set opening = coalesce(:opening, kept.opening), half_way = coalesce(:half_way, kept.half_way),
         three_days_before = coalesce(:three_days_before, kept.three_days_before),
         one_day_before = coalesce(:one_day_before, kept.one_day_before), updated_at = :now`,
)

/** Saves the entries of a schedule. Null keeps an entry. */
export const saveSchedule = (
  ctx: Ctx,
  employer: { organization_id: string; employer_id: string },
  entries: Record<keyof Schedule, boolean | null>,
) => schedule_saved.rows(ctx, { ...employer, ...entries })
