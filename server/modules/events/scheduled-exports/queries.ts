import { columnsOf } from '../../../database/sql/fragments.ts'
import { rowPageJson, pageList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Role } from '../../../runtime/permissions.ts'
import type { Frequency, ExportFormat, FailureReason, ListParameters } from './rules.ts'
import type { NewScheduledExport } from './schemas.ts'

const exportJson = `
  select row_to_json(shown) as item from (
    select export.id, export.name, export.list, export.parameters, export.format, export.frequency,
           (select coalesce(json_agg(json_build_object('user_id', account.id, 'name', account.name,
                                                       'email', account.email) order by account.name, account.id), '[]')
              from users as account where account.id = any(export.recipient_user_ids)) as recipients,
           export.next_on, export.latest_on,
           (select coalesce(json_agg(json_build_object(
                     'user_id', delivery.user_id, 'name', account.name, 'status', delivery.status,
                     'reason', delivery.reason, 'row_count', delivery.row_count,
                     'finished_at', iso(delivery.finished_at)) order by account.name, account.id), '[]')
              from export_deliveries as delivery join users as account on account.id = delivery.user_id
             where delivery.scheduled_export_id = export.id and delivery.organization_id = export.organization_id
               and delivery.due_on = export.latest_on) as latest_deliveries,
           export.created_by, iso(export.created_at) as created_at) as shown`

const in_reach = inReach('export.organization_id')

/** A page of the scheduled exports of an organization, newest first. */
export const listExports = pageList(
  'scheduled-exports.listExports',
  rowPageJson({
    from: `scheduled_exports as export where export.organization_id = :organization_id and ${in_reach}`,
    row: 'export',
    order: 'export.id desc',
    item: `(${exportJson})`,
  }),
)

export const findExport = read(
  'scheduled-exports.findExport',
  `select shown.item::text as json from scheduled_exports as export cross join lateral (${exportJson}) as shown
    where export.id = :scheduled_export_id and ${in_reach}`,
).json

export type ExportKey = { scheduled_export_id: string; organization_id: string }

export const locateExport = read(
  'scheduled-exports.locateExport',
  `select export.id as scheduled_export_id, export.organization_id from scheduled_exports as export
    where export.id = :scheduled_export_id and ${in_reach}`,
).row<ExportKey>

export const countExports = statement(
  'scheduled-exports.countExports',
  'select count(*) as total from scheduled_exports where organization_id = :organization_id',
).value

/** The roles of the given users who are members of an organization. */
export const listRoles = statement(
  'scheduled-exports.listRoles',
  `select user_id, role from memberships
    where organization_id = :organization_id and user_id = any(:user_ids::text[]) and ended_at is null`,
).rows<{ user_id: string; role: Role }>

const inserted = statement(
  'scheduled-exports.insertExport',
  `insert into scheduled_exports
     (id, organization_id, name, list, parameters, format, frequency, recipient_user_ids, next_on, created_by,
      created_at)
   values (:id, :organization_id, :name, :list, :parameters::jsonb, :format, :frequency,
           :recipient_user_ids::text[], :next_on, :created_by, :now)`,
)

type InsertedExport = {
  id: string
  organization_id: string
  next_on: Day
  recipient_user_ids: string[]
  input: NewScheduledExport
}

export const insertExport = (ctx: Ctx, { input, ...more }: InsertedExport) =>
  inserted.rows(ctx, {
    ...input,
    ...more,
    parameters: JSON.stringify(input.parameters ?? {}),
    created_by: ctx.caller.user_id,
  })

/** Deletes a scheduled export with its deliveries. Returns whether it existed. */
export const deleteExport = statement(
  'scheduled-exports.deleteExport',
  `delete from scheduled_exports where id = :scheduled_export_id and organization_id = :organization_id returning id`,
).exists

/** SQL: whether an `organization` has exports that are due on `daily_run.day`. */
export const hasExportsDue = `exists (
  select from scheduled_exports as export
   where export.organization_id = organization.id and export.next_on <= daily_run.day)`

/** The next scheduled exports that are due today. */
export const listDue = statement(
  'scheduled-exports.listDue',
  `select id, frequency, recipient_user_ids from scheduled_exports
    where organization_id = :organization_id and next_on <= :today::date and id > :after
    order by id limit :most`,
).rows<{ id: string; frequency: Frequency; recipient_user_ids: string[] }>

const moved = statement(
  'scheduled-exports.saveNextDue',
  `update scheduled_exports as export set next_on = due.next_on, latest_on = :today
     from unnest(:id::text[], :next_on::date[]) as due (id, next_on)
    where export.id = due.id and export.organization_id = :organization_id`,
)

/** Saves the next days of exports that are sent today. */
export const saveNextDue = (ctx: Ctx, organization_id: string, next: { id: string; next_on: Day }[]) =>
  moved.rows(ctx, { organization_id, ...columnsOf(next, ['id', 'next_on']) })

const deliveries_inserted = statement(
  'scheduled-exports.insertDeliveries',
  `insert into export_deliveries (id, organization_id, scheduled_export_id, user_id, due_on, status, created_at,
                                  finished_at)
   select input.id, :organization_id, input.scheduled_export_id, input.user_id, :today, organization.status, :now,
          case when organization.status = 'not_sent' then :now::timestamptz end
     from unnest(:id::text[], :scheduled_export_id::text[], :user_id::text[])
            as input (id, scheduled_export_id, user_id)
    cross join (select case when sandbox then 'not_sent' else 'queued' end as status
                  from organizations where id = :organization_id) as organization
   on conflict do nothing
   returning case when status = 'queued' then id end as id`,
)

type NewExportDelivery = { id: string; scheduled_export_id: string; user_id: string }

/** Inserts the deliveries of today, and returns the ids of those to send. A sandbox sends none. */
export async function insertDeliveries(
  ctx: Ctx,
  organization_id: string,
  deliveries: NewExportDelivery[],
): Promise<string[]> {
  const rows = await deliveries_inserted.rows<{ id: string | null }>(ctx, {
    organization_id,
    ...columnsOf(deliveries, ['id', 'scheduled_export_id', 'user_id']),
  })
  return rows.flatMap(({ id }) => id ?? [])
}

export type ExportDeliveryKey = { organization_id: string; export_delivery_id: string }

/** A delivery to send, with the current facts about its recipient. */
export type DeliveryFacts = {
  status: string
  created_at: string
  user_id: string
  user_name: string
  email: string | null
  /** Null if the recipient has left the organization. */
  role: Role | null
  organization_name: string
  clock_offset_days: number
  sender_name: string | null
  reply_to: string | null
  name: string
  list: string
  parameters: ListParameters
  format: ExportFormat
  frequency: Frequency
}

export const lockDelivery = statement(
  'scheduled-exports.lockDelivery',
  `select delivery.status, iso(delivery.created_at) as created_at, account.id as user_id, account.name as user_name,
          account.email, membership.role, organization.name as organization_name, organization.clock_offset_days,
          settings.sender_name, settings.reply_to, export.name, export.list, export.parameters, export.format,
          export.frequency
     from (select * from export_deliveries
            where id = :export_delivery_id and organization_id = :organization_id for no key update) as delivery
     join scheduled_exports as export
       on export.id = delivery.scheduled_export_id and export.organization_id = :organization_id
     join users as account on account.id = delivery.user_id
     join organizations as organization on organization.id = :organization_id
     left join memberships as membership
       on membership.user_id = delivery.user_id and membership.organization_id = :organization_id
      and membership.ended_at is null
     left join enrollment_message_settings as settings on settings.organization_id = :organization_id`,
).row<DeliveryFacts>

export type DeliveryState = {
  status: 'queued' | 'sending' | 'sent' | 'failed'
  reason?: FailureReason | null
  smtp_status?: number | null
  row_count?: number | null
}

const saved = statement(
  'scheduled-exports.saveDelivery',
  `update export_deliveries
      set status = :status, reason = :reason, smtp_status = coalesce(:smtp_status, smtp_status),
          row_count = coalesce(:row_count, row_count),
          finished_at = case when :status::text in ('sent', 'failed') then :now::timestamptz end
    where id = :export_delivery_id and organization_id = :organization_id`,
)

export const saveDelivery = (ctx: Ctx, key: ExportDeliveryKey, state: DeliveryState) =>
  saved.rows(ctx, { reason: null, smtp_status: null, row_count: null, ...state, ...key })
