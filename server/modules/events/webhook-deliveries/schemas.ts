import { z } from 'zod'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { Id, Instant, Timestamp } from '../../../kernel/fields.ts'
import { EventName } from '../webhooks/schemas.ts'

export const WebhookDelivery = z
  .object({
    id: Id('wdlv'),
    webhook_event_id: Id('wevt'),
    subscription_id: Id('wsub'),
    status: z.enum(['Pending', 'In Progress', 'Delivered', 'Failed']).meta({
      id: 'WebhookDeliveryStatus',
      description:
        'Pending: waiting for an attempt. In Progress: being sent. Delivered: the receiver accepted it. Failed: the ' +
        'last retry failed.',
    }),
    attempts: z.int().meta({ description: 'Number of finished attempts, up to 14.' }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'The status of the last attempt. Null without a response.' }),
    response_body: z.string().nullable().meta({ description: 'The first KiB of the response.' }),
    started_at: Timestamp.nullable().meta({ description: 'The start of the first attempt.' }),
    delivered_at: Timestamp.nullable(),
    failed_at: Timestamp.nullable().meta({ description: 'When the last retry failed.' }),
    failure_reason: z.string().meta({ description: 'Why the last attempt failed. Empty if it did not fail.' }),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookDelivery', description: 'A delivery of an event to a subscription.' })

export const WebhookDeliveryPage = pageOf('WebhookDeliveryPage', WebhookDelivery)

export const WebhookTest = z.object({
  event_name: EventName.optional().meta({
    description: 'Sends the latest event of this name instead of a test event.',
  }),
})

export const WebhookDeliveryFilter = z.object({
  outcome: z
    .enum(['failed', 'waiting', 'any'])
    .default('failed')
    .meta({
      description:
        '`failed` (default): the last retry failed; latest first. `waiting`: to be delivered, next first. `any`: all ' +
        'deliveries of the latest 500 events, latest first.',
    }),
  event_name: EventName.optional().meta({
    description: 'Only deliveries of events with this name, among the first 10,000.',
  }),
  ...pageQuery,
})
export type DeliveryFilter = z.output<typeof WebhookDeliveryFilter>

/** How many days a replay can go back. */
export const replay_days = 60

export const NewWebhookReplay = z
  .object({
    since: Instant.meta({ description: `The first instant, at most ${replay_days} days ago.` }),
    until: Instant.optional().meta({ description: 'The last instant. Defaults to now.' }),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) <= Date.parse(until), {
    error: 'must not be before since',
    path: ['until'],
  })
  .meta({ id: 'NewWebhookReplay' })
export type NewWebhookReplay = z.output<typeof NewWebhookReplay>

export const WebhookReplay = z.object({ subscription_id: Id('wsub'), since: Timestamp, until: Timestamp }).meta({
  id: 'WebhookReplay',
  description: 'Sends events of a period that the subscription has not received.',
})
export type WebhookReplay = z.output<typeof WebhookReplay>

/** A step of a replay, which continues after the last checked event. */
export const ReplayStep = z.object({
  organization_id: z.string(),
  subscription_id: z.string(),
  until: z.string(),
  after: z.object({ created_at: z.string(), id: z.string() }),
})
export type ReplayStep = z.output<typeof ReplayStep>

/** A request to disable a subscription, with the reason. */
export const DisableRequest = z.object({
  organization_id: z.string(),
  subscription_id: z.string(),
  url: z.string(),
  reason: z.enum(['gone', 'failing']),
})
export type DisableRequest = z.output<typeof DisableRequest>
