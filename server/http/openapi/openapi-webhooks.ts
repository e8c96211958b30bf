import { z } from 'zod'
import { Id, Timestamp } from '../../kernel/fields.ts'
import { events } from '../../runtime/event-types.ts'
import type { Json, SchemaOf } from './openapi-schemas.ts'

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
    example: {
      type: 'employee.created',
      timestamp: '2026-03-10T14:05:09.123Z',
      data: {
        event_id: 'wevt_01kdq7b4w8e9rs2mh3n5t6v7xz',
        event_name: 'employee.created',
        resource_type: 'employee',
        resource_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz',
        organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz',
        created_at: '2026-03-10T14:05:09.123Z',
        sequence: 1,
      },
    },
  })

/** The requests that we send, for the `webhooks` section of the document. */
export function webhooksOf(schemaOf: SchemaOf): Json {
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
        tags: ['Webhooks'],
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
