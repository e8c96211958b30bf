import { z } from 'zod'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { Id, Instant, Timestamp } from '../../../kernel/fields.ts'
import { EventName } from '../webhooks/schemas.ts'

export const WebhookDelivery = z
  .object({
    id: Id('wdlv'),
    webhook_event_id: Id('wevt'),
    subscription_id: Id('wsub'),
    status: z.enum(['Pending', 'In Progress', 'Delivered', 'Failed']).meta({ id: 'WebhookDeliveryStatus' }),
    attempts: z.int().meta({ description: 'Attempts that have ended, up to 14.' }),
    response_status: z.int().nullable().meta({ description: 'Of the last attempt; null when there was no answer.' }),
    response_body: z.string().nullable().meta({ description: 'The first KiB of that answer.' }),
    started_at: Timestamp.nullable().meta({ description: 'The begin of the first attempt.' }),
    delivered_at: Timestamp.nullable(),
    failed_at: Timestamp.nullable().meta({ description: 'When no further attempt was to be made.' }),
    failure_reason: z.string().meta({ description: 'Why the last attempt failed; empty when none did.' }),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookDelivery', description: 'An event on its way to a subscription.' })

export const WebhookDeliveryPage = z
  .object({ data: z.array(WebhookDelivery), pagination: Pagination })
  .meta({ id: 'WebhookDeliveryPage' })

export const WebhookDeliveryPaging = z.object(pageQuery)

export const WebhookTest = z.object({
  event_name: EventName.optional().meta({
    description: 'Sends the newest event of this name, as it was, instead of one that says nothing.',
  }),
})

export const WebhookDeliveryFilter = z.object({
  outcome: z
    .enum(['failed', 'waiting', 'any'])
    .default('failed')
    .meta({
      description:
        '`failed`: given up, the last first; meant unless said. `waiting`: to be tried, the next first. ' +
        '`any`: those of the newest 500 events, the last first.',
    }),
  event_name: EventName.optional().meta({
    description: 'Only of events of this name, among the first 10,000.',
  }),
  ...pageQuery,
})
export type DeliveryFilter = z.output<typeof WebhookDeliveryFilter>

export const NewWebhookReplay = z
  .object({
    since: Instant.meta({ description: 'From here on: at most 60 days ago.' }),
    until: Instant.optional().meta({ description: 'Now unless said.' }),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) <= Date.parse(until), {
    error: 'must not be before since',
    path: ['until'],
  })
  .meta({ id: 'NewWebhookReplay' })
export type NewWebhookReplay = z.output<typeof NewWebhookReplay>

export const WebhookReplay = z.object({ subscription_id: Id('wsub'), since: Timestamp, until: Timestamp }).meta({
  id: 'WebhookReplay',
  description: 'What the subscription has not got of that time is sent again.',
})
export type WebhookReplay = z.output<typeof WebhookReplay>

/** A replay on its way: what comes after the last event that was looked at. */
export const ReplayStep = z.object({
  organization_id: z.string(),
  subscription_id: z.string(),
  until: z.string(),
  after: z.object({ created_at: z.string(), id: z.string() }),
})
export type ReplayStep = z.output<typeof ReplayStep>

/** A subscription that is to be given up, and why. */
export const DisableRequest = z.object({
  organization_id: z.string(),
  subscription_id: z.string(),
  /** that was tried; requests of former versions don't say */
  url: z.string().optional(),
  reason: z.enum(['gone', 'failing']),
})
export type DisableRequest = z.output<typeof DisableRequest>
