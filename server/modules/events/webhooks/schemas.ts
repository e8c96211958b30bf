import { z } from 'zod'
import { many } from '../../../http/endpoint.ts'
import { event_names } from '../../../runtime/event-types.ts'
import { pageOf, pageQuery, wholeNumber } from '../../../kernel/pages.ts'
import { ResponseDay, DayText, Id, Instant, optional, text, Timestamp, trimValue } from '../../../kernel/fields.ts'

export const EventName = z.enum(event_names).meta({ id: 'WebhookEventName', example: 'employee.created' })

export const WebhookEvent = z
  .object({
    id: Id('wevt'),
    event_name: EventName,
    resource_type: z
      .string()
      .meta({ description: 'The type of the resource: the part of the event name before the dot.' }),
    resource_id: z.string().meta({ example: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz' }),
    organization_id: Id('org'),
    sequence: z.int().meta({ description: 'Counts the events of this resource from 1, so that you can order them.' }),
    created_at: Timestamp,
  })
  .meta({
    id: 'WebhookEvent',
    description: 'The fact that a resource changed, without personal data. Read the resource for details.',
  })

export const WebhookEventPage = pageOf('WebhookEventPage', WebhookEvent)

const resource_types = [...new Set(event_names.map((name) => name.split('.')[0]!))] as [string, ...string[]]

export const WebhookEventFilter = z.object({
  ...pageQuery,
  event_name: many(EventName).meta({ description: 'Only events of these names.' }),
  resource_type: many(z.enum(resource_types)).meta({ description: 'Only events of these kinds of resources.' }),
  resource_id: z.string().trim().max(255).optional().meta({ description: 'Only events of this resource.' }),
  employer_id: Id('empr').optional().meta({
    description: 'Only events of this employer, its employees and their resources, except dependents.',
  }),
  trace_id: z.string().trim().max(64).optional().meta({
    description: 'Only events caused directly by the request with this `X-Request-Id`, not by its jobs.',
  }),
  created_after: Instant.optional().meta({ description: 'Only events after this instant.' }),
  created_before: Instant.optional().meta({ description: 'Only events before this instant.' }),
  after: Id('wevt').optional().meta({
    description:
      'Only events committed after this one, oldest first. Reading pages this way neither misses nor repeats events.',
  }),
  wait: wholeNumber(0, 20).optional().meta({
    description:
      'If the first page would be empty, waits up to this many seconds, 0 to 20, for an event. Oldest first.',
    example: 20,
  }),
})
export type WebhookEventFilter = z.output<typeof WebhookEventFilter>

export const OperatedEventFilter = WebhookEventFilter.omit({ after: true, wait: true })

/** The maximum number of events that are counted by day, starting with the earliest. */
export const max_by_day = 20_000

export const EventDayFilter = z.object({
  from: DayText.meta({ description: 'The first day to count, in Eastern time.' }),
})

export const EventsByDay = z
  .object({
    days: z
      .array(
        z.object({
          day: ResponseDay.meta({ description: 'A day with events.' }),
          event_counts: z
            .array(
              z.object({
                event_name: EventName,
                event_count: z.int().meta({ description: 'The number of events with this name on that day.' }),
              }),
            )
            .meta({ description: 'The events of the day.' }),
        }),
      )
      .meta({ description: 'Days in ascending order, and the most frequent events of a day first.' }),
    is_complete: z.boolean().meta({
      description:
        `Whether the counts are complete. At most the earliest ${max_by_day.toLocaleString('en-US')} events are ` +
        'counted.',
    }),
  })
  .meta({ id: 'WebhookEventsByDay', description: 'The number of events of each name per day.' })

const url = text(2048)
  .refine(
    // With three slashes, the path would be parsed as a host.
    (value) => /^https?:\/\/[^\s/\\]\S*$/i.test(value) && /[^.]/.test(URL.parse(value)?.hostname ?? ''),
    'must be a URL such as https://example.com/hooks',
  )
  .meta({
    format: 'uri',
    example: 'https://example.com/hooks',
    description: 'The URL that receives events: https on the public internet, at port 443 or a port of 1024 or higher.',
  })

const names = z
  .array(z.enum(event_names).exclude(['webhook_subscription.test']).meta({ id: 'SubscribedEventName' }))
  .max(100, 'must contain at most 100 names')
  .overwrite((given) => [...new Set(given)])
  .meta({ description: 'The names of events to send. Empty for all, including those of later versions.' })

const description = z
  .string()
  .overwrite((value) => trimValue(value.normalize('NFC')))
  .max(255, 'must be at most 255 characters')
  .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'must not contain control characters')
  .meta({ description: 'A description for your own use.' })

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
      description: 'False stops deliveries, and true resumes them. Replay events that were missed in between.',
    }),
  })
  .meta({ id: 'WebhookSubscriptionChanges' })
export type WebhookSubscriptionChanges = z.output<typeof WebhookSubscriptionChanges>

const DisabledReason = z.enum(['requested', 'gone', 'failing']).meta({
  id: 'DisabledReason',
  description:
    'Why deliveries stopped. requested: you disabled the subscription. gone: the receiver returned 410. failing: no ' +
    'delivery succeeded for 5 days.',
})
export type DisabledReason = z.output<typeof DisabledReason>

export const WebhookSubscription = z
  .object({
    id: Id('wsub'),
    organization_id: Id('org'),
    url: z.string(),
    event_names: z.array(EventName).meta({ description: 'The names of the events that are sent. Empty for all.' }),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled_at: Timestamp.nullable(),
    disabled_reason: DisabledReason.nullable().meta({
      description: '`requested` by you, `gone` because the receiver responded with 410, or `failing` for 5 days.',
    }),
    failing_since: Timestamp.nullable().meta({
      description: 'The first failed attempt since the last successful one.',
    }),
    former_secret_until: Timestamp.nullable().meta({
      description: 'After a rotation: when the latest previous secret stops signing.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookSubscription', description: 'A URL that receives the events of an organization.' })

export const WebhookSubscriptionWithSecret = WebhookSubscription.extend({
  secret: z.string().meta({
    description: 'Signs deliveries (Standard Webhooks 1.0). Shown only once.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  }),
}).meta({ id: 'WebhookSubscriptionWithSecret' })

export const WebhookSubscriptionPage = pageOf('WebhookSubscriptionPage', WebhookSubscription)

export const OperatedSubscriptionFilter = z.object({
  health: z.enum(['failing', 'disabled']).optional().meta({
    description: '`failing`: the last attempt failed, but deliveries continue. `disabled`: deliveries have stopped.',
  }),
  organization_id: Id('org').optional().meta({ description: 'Only subscriptions of this organization.' }),
  ...pageQuery,
})
export type OperatedSubscriptionFilter = z.output<typeof OperatedSubscriptionFilter>
