import { z } from 'zod'
import { Id, Timestamp } from '../../kernel/fields.ts'
import { invoiceId, type Prefix } from '../../kernel/ids.ts'
import type { Json, SchemaOf } from './openapi-schemas.ts'

/**
 * The webhook events by name: the type of the resource (invoice ids have no prefix of ours) and a summary of the event.
 */
export type Webhooks = { tag: string; events: Record<string, readonly [resource: Prefix | 'INV', summary: string]> }

const happened_at = '2026-03-10T14:05:09.123Z'
const idLike = (prefix: string) => `${prefix}_01kdq7b4w8e9rs2mh3n5t6v7xz`

/** A sample delivery of an event. */
export function exampleOf(name: string, of: Prefix | 'INV'): Json {
  const data = {
    event_id: idLike('wevt'),
    event_name: name,
    resource_type: name.split('.')[0]!,
    resource_id: of === 'INV' ? invoiceId(42) : idLike(of),
    organization_id: idLike('org'),
    created_at: happened_at,
    sequence: 1,
  }
  return { type: name, timestamp: happened_at, data }
}

/** The body of every delivery. */
const WebhookMessage = z
  .object({
    type: z.string().meta({ description: 'The name of the event.' }),
    timestamp: Timestamp.meta({ description: 'When the event occurred.' }),
    data: z
      .object({
        event_id: Id('wevt').meta({
          description: 'The id of the event. It is the same in every attempt, so use it to detect repeats.',
        }),
        event_name: z.string().meta({ description: 'The same as `type`.' }),
        resource_type: z
          .string()
          .meta({ description: 'The type of the resource: the part of the event name before the dot.' }),
        resource_id: z.string().meta({ description: 'The id of the resource. Read it to get the current state.' }),
        organization_id: Id('org'),
        created_at: Timestamp.meta({ description: 'The same as `timestamp`.' }),
        sequence: z
          .int()
          .meta({ description: 'The number of the event within its resource, from 1. Higher numbers are later.' }),
      })
      .meta({ description: 'The event, without personal data.' }),
  })
  .meta({
    id: 'WebhookMessage',
    description:
      'The body posted to a subscription, signed according to Standard Webhooks 1.0. `webhook-id` is the event id, ' +
      '`webhook-timestamp` is the send time in Unix seconds, and `webhook-signature` signs both and the body.',
    example: exampleOf('employee.created', 'empl'),
  })

/** The requests that we send, for the `webhooks` section of the document. */
export function webhooksOf({ tag, events }: Webhooks, schemaOf: SchemaOf): Json {
  const message = schemaOf(WebhookMessage, 'output')
  const description =
    'You received the event. Respond within 15 seconds. Otherwise we retry for days; 410 ends the subscription.'
  return Object.fromEntries(
    Object.entries(events).map(([name, [of, happened]]) => {
      const resource_id = of !== 'INV' && schemaOf(Id(of), 'output')
      const properties = {
        type: { const: name },
        ...(resource_id && { data: { properties: { resource_id } } }),
      }
      const operation = {
        operationId: `on_${name.replace('.', '_')}`,
        tags: [tag],
        summary: happened,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { allOf: [message, { properties }] } } },
        },
        responses: { '2XX': { description } },
      }
      return [name, { post: operation }]
    }),
  )
}
