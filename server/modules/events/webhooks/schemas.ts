import { z } from 'zod'
import { several } from '../../../http/endpoint.ts'
import { event_names } from '../../../runtime/event-types.ts'
import { pageQuery, Pagination, wholeNumber } from '../../../kernel/pages.ts'
import { DayAnswer, DayText, Id, Instant, optional, text, Timestamp, trimmed } from '../../../kernel/fields.ts'

export const EventName = z.enum(event_names).meta({ id: 'WebhookEventName', example: 'employee.created' })

export const WebhookEvent = z
  .object({
    id: Id('wevt'),
    event_name: EventName,
    resource_type: z.string().meta({ description: 'What `resource_id` names: the part of the name before the dot.' }),
    resource_id: z.string().meta({ example: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz' }),
    organization_id: Id('org'),
    sequence: z.int().meta({ description: 'Counts the events of this resource from 1: tells which came later.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'WebhookEvent', description: 'The fact that something changed, and no personal data. Read the rest.' })

export const WebhookEventPage = z
  .object({ data: z.array(WebhookEvent), pagination: Pagination })
  .meta({ id: 'WebhookEventPage' })

export const resource_types = [...new Set(event_names.map((name) => name.split('.')[0]!))] as [string, ...string[]]

export const WebhookEventFilter = z.object({
  ...pageQuery,
  event_name: several(event_names).meta({ description: 'Only events of these names.' }),
  resource_type: several(resource_types).meta({ description: 'Only events of these kinds of resources.' }),
  resource_id: z.string().trim().max(255).optional().meta({ description: 'Only events of this resource.' }),
  employer_id: Id('empr').optional().meta({
    description: 'Only events of this employer, its people and what belongs to them; not of dependents.',
  }),
  trace_id: z.string().trim().max(64).optional().meta({
    description: 'Only events that the request with this `X-Request-Id` caused at once, not those of its jobs.',
  }),
  created_after: Instant.optional().meta({ description: 'Only events after this instant.' }),
  created_before: Instant.optional().meta({ description: 'Only events before this instant.' }),
  after: Id('wevt').optional().meta({
    description:
      'Only events that were committed after this one, the oldest first: none is missed and none comes twice.',
  }),
  wait: wholeNumber(0, 20)
    .optional()
    .meta({
      description:
        'When the first page would be empty, waits so many seconds, 0 to 20, for an event to be on it. The ' +
        'oldest come first.',
      example: 20,
    }),
})
export type WebhookEventFilter = z.output<typeof WebhookEventFilter>

export const OperatedEventFilter = WebhookEventFilter.omit({ after: true, wait: true })

/** So many events are counted by their days, the earliest. */
export const most_by_day = 20_000

export const EventDayFilter = z.object({
  from: DayText.meta({ description: 'The first day that is counted, in Eastern time.' }),
})

export const EventsByDay = z
  .object({
    days: z
      .array(
        z.object({
          day: DayAnswer.meta({ description: 'A day on which something happened.' }),
          happened: z
            .array(
              z.object({ event_name: EventName, event_count: z.int().meta({ description: 'How often on that day.' }) }),
            )
            .meta({ description: 'What happened on it.' }),
        }),
      )
      .meta({ description: 'The earliest first; of a day, what happened most comes first.' }),
    is_whole: z.boolean().meta({
      description: `Whether that is all: at most the earliest ${most_by_day.toLocaleString('en-US')} are counted.`,
    }),
  })
  .meta({ id: 'WebhookEventsByDay', description: 'How many events there were of each name, day by day.' })

const url = text(2048)
  .refine(
    // With three slashes the path would be taken for a host, which nobody named.
    (value) => /^https?:\/\/[^\s/\\]\S*$/i.test(value) && /[^.]/.test(URL.parse(value)?.hostname ?? ''),
    'must be an address such as https://example.com/hooks',
  )
  .meta({
    format: 'uri',
    example: 'https://example.com/hooks',
    description: 'Where events are posted to: https, on the open internet, at port 443 or one from 1024 on.',
  })

const names = z
  .array(z.enum(event_names).exclude(['webhook_subscription.test']).meta({ id: 'SubscribedEventName' }))
  .max(100, 'must hold at most 100 names')
  .overwrite((given) => [...new Set(given)])
  .meta({ description: 'Which events are sent. Empty: all of them, and those that later versions add.' })

const description = z
  .string()
  .overwrite((value) => trimmed(value.normalize('NFC')))
  .max(255, 'must be at most 255 characters')
  .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'must not contain control characters')
  .meta({ description: 'Whatever helps you to know it again.' })

export const NewWebhookSubscription = z
  .object({ url, event_names: optional(names), description: optional(description) })
  .meta({ id: 'NewWebhookSubscription' })
export type NewWebhookSubscription = z.output<typeof NewWebhookSubscription>

export const WebhookSubscriptionChanges = z
  .object({
    url: optional(url),
    event_names: optional(names),
    description: optional(description),
    enabled: optional(z.boolean()).meta({
      description: 'False stops deliveries, true takes them up again. Replay what was missed in between.',
    }),
  })
  .meta({ id: 'WebhookSubscriptionChanges' })
export type WebhookSubscriptionChanges = z.output<typeof WebhookSubscriptionChanges>

const DisabledReason = z.enum(['requested', 'gone', 'failing'])
export type DisabledReason = z.output<typeof DisabledReason>

export const WebhookSubscription = z
  .object({
    id: Id('wsub'),
    organization_id: Id('org'),
    url: z.string(),
    event_names: z.array(EventName).meta({ description: 'Empty: all.' }),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_at: Timestamp.nullable(),
    disabled_reason: DisabledReason.nullable().meta({
      description: '`requested` by you, `gone` since the receiver answered 410, `failing` for 5 days.',
    }),
    failing_since: Timestamp.nullable().meta({ description: 'The first failed attempt since the last good one.' }),
    former_secret_until: Timestamp.nullable().meta({
      description: 'Set after a rotation: until then the last of the former secrets signs too.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookSubscription', description: 'Where events of an organization are sent.' })

export const WebhookSubscriptionWithSecret = WebhookSubscription.extend({
  secret: z.string().meta({
    description: 'Signs what is sent (Standard Webhooks 1.0). Shown now and never again.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  }),
}).meta({ id: 'WebhookSubscriptionWithSecret' })

export const WebhookSubscriptionPage = z
  .object({ data: z.array(WebhookSubscription), pagination: Pagination })
  .meta({ id: 'WebhookSubscriptionPage' })

export const WebhookSubscriptionPaging = z.object(pageQuery)

export const OperatedSubscriptionFilter = z.object({
  health: z.enum(['failing', 'disabled']).optional().meta({
    description:
      '`failing`: the last attempt failed, and they are still sent to. `disabled`: nothing is sent any more.',
  }),
  organization_id: Id('org').optional().meta({ description: 'Only those of this organization.' }),
  ...pageQuery,
})
export type OperatedSubscriptionFilter = z.output<typeof OperatedSubscriptionFilter>
