import { statement } from '../../../database/sql/statement.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { Role } from '../../../runtime/permissions.ts'
import type { ExportFormat, FailureReason, Frequency, ListParameters } from './rules.ts'

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

/** Locks a delivery, and returns its facts. */
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

/** Saves the state of a delivery. */
export const saveDelivery = (ctx: Ctx, key: ExportDeliveryKey, state: DeliveryState) =>
  saved.rows(ctx, { reason: null, smtp_status: null, row_count: null, ...state, ...key })
