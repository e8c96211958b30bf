import { z } from 'zod'
import { Id, Timestamp } from '../../kernel/fields.ts'
import type { Prefix } from '../../kernel/ids.ts'
import type { Components } from './openapi.ts'
import type { Json } from './openapi-schemas.ts'

/** What is sent: by the name of the event, of what it is (an invoice's id has no prefix of ours), and what happened. */
export type Webhooks = { tag: string; events: Record<string, readonly [of: Prefix | 'INV', happened: string]> }

const happened_at = '2026-03-10T14:05:09.123Z'
const idLike = (prefix: string) => `${prefix}_01kdq7b4w8e9rs2mh3n5t6v7xz`

/** A message as it is sent, of an event by its name and what it is of. */
export function exampleOf(name: string, of: Prefix | 'INV'): Json {
  const data = {
    event_id: idLike('wevt'),
    event_name: name,
    resource_type: name.split('.')[0]!,
    resource_id: of === 'INV' ? 'INV-000042' : idLike(of),
    organization_id: idLike('org'),
    created_at: happened_at,
    sequence: 1,
  }
  return { type: name, timestamp: happened_at, data }
}

/** The body of every delivery. */
const WebhookMessage = z
  .object({
    type: z.string().meta({ description: 'What happened: the name of the event.' }),
    timestamp: Timestamp.meta({ description: 'When it happened.' }),
    data: z
      .object({
        event_id: Id('wevt').meta({ description: 'The event: the same in every attempt, by which to know repeats.' }),
        event_name: z.string().meta({ description: 'The same as `type`.' }),
        resource_type: z
          .string()
          .meta({ description: 'What `resource_id` names: the part of the name before the dot.' }),
        resource_id: z.string().meta({ description: 'What it happened to. Read it, to learn what it is now.' }),
        organization_id: Id('org'),
        created_at: Timestamp.meta({ description: 'The same as `timestamp`.' }),
        sequence: z.int().meta({ description: 'Counts the events of the resource from 1: tells which came later.' }),
      })
      .meta({ description: 'The event, without anything personal.' }),
  })
  .meta({
    id: 'WebhookMessage',
    description:
      'What is posted to a subscription, signed as Standard Webhooks 1.0 says: `webhook-id` is the event, ' +
      '`webhook-timestamp` when it was sent, in Unix seconds, and `webhook-signature` signs both and the body.',
    example: exampleOf('employee.created', 'empl'),
  })

/** The requests that we send, as the document tells of them: each by its name, and of what its resource is. */
export function webhooksOf({ tag, events }: Webhooks, { schemas, responses }: Components): Json {
  const message = schemas.schemaOf(WebhookMessage, 'output')
  responses.WebhookTaken = {
    description:
      'You have it. Within 15 seconds; anything else is tried again for days, and 410 ends the subscription.',
  }
  return Object.fromEntries(
    Object.entries(events).map(([name, [of, happened]]) => {
      const resource_id = of !== 'INV' && schemas.schemaOf(Id(of), 'output')
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
        responses: { '2XX': { $ref: '#/components/responses/WebhookTaken' } },
      }
      return [name, { post: operation }]
    }),
  )
}
