import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { namesOf } from './rules.ts'
import type { WebhookEventFilter } from './schemas.ts'

const eventJson = `
  select row_to_json(shown) as item from (
    select event.id, event.event_name, event.resource_type, event.resource_id, event.organization_id, event.sequence,
           iso(event.created_at) as created_at) as shown`

export const findEvent = read(
  'webhooks.findEvent',
  `select shown.item::text as json from webhook_events as event cross join lateral (${eventJson}) as shown
    where event.id = :webhook_event_id and ${inReach('event.organization_id')}`,
).json

export const locateEvent = read(
  'webhooks.locateEvent',
  `select event.id as webhook_event_id, event.organization_id from webhook_events as event
    where event.id = :webhook_event_id and ${inReach('event.organization_id')}`,
).row<{ webhook_event_id: string; organization_id: string }>

/** SQL: the organizations within reach, one by one, so that each uses its own index range. */
const scope = `
  (select unnest(:reach_organization_ids::text[]) as id
    where :reach_employer_id::text is null and :reach_employee_id::text is null
    union all
   select id from organizations
    where :reach_organization_ids::text[] is null and :reach_employer_id::text is null
      and :reach_employee_id::text is null) as target`

const filters = {
  names: [false, true],
  created_after: [false, true],
  created_before: [false, true],
  /** The narrowest requested filter on related ids. Each one has an index. */
  about: [null, 'resource_id', 'trace_id', 'employer_id'],
} as const
type EventsAbout = (typeof filters.about)[number]
type Filters = { names: boolean; created_after: boolean; created_before: boolean; about: EventsAbout }

/** SQL: the condition for related ids of a row `event`. The id '' does not exist. */
const aboutThat = {
  resource_id:
    'event.resource_id = :resource_id and (:trace_id::text is null or event.trace_id = :trace_id)' +
    ' and (:employer_id::text is null or event.employer_id = :employer_id)',
  trace_id: 'event.trace_id = :trace_id and (:employer_id::text is null or event.employer_id = :employer_id)',
  employer_id: "event.employer_id = :employer_id and event.employer_id > ''",
}

/** SQL: the conditions for a row `event` other than its name. */
const filterConditions = ({ created_after, created_before, about }: Filters): string[] => [
  ...(created_after ? ['event.created_at > :created_after::timestamptz'] : []),
  ...(created_before ? ['event.created_at < :created_before::timestamptz'] : []),
  ...(about ? [aboutThat[about]] : []),
]

/** The values of a filter and its page, and the filters in use. */
function readFilter(filter: WebhookEventFilter) {
  const { created_after = null, created_before = null } = filter
  const { resource_id = null, trace_id = null, employer_id = null } = filter
  const event_names = namesOf(filter) ?? null
  const criteria = { resource_id, trace_id, employer_id }
  const chosen: Filters = {
    names: event_names !== null,
    created_after: Boolean(created_after),
    created_before: Boolean(created_before),
    about: filters.about.find((name) => name !== null && criteria[name]) ?? null,
  }
  return { chosen, values: { event_names, created_after, created_before, ...criteria, ...pageValues(filter) } }
}

const events_listed = readVariants('webhooks.listEvents', filters, (chosen) => {
  const { names, about } = chosen
  const narrower = filterConditions(chosen)
  const conditions = ['event.organization_id = target.id', ...narrower]
  const by_name = names ? [...conditions, 'event.event_name = name'] : conditions
  const each_name = names && !about ? 'cross join unnest(:event_names::text[]) as name' : ''
  const matching = (about && names ? [...conditions, 'event.event_name = any(:event_names)'] : by_name).join(' and ')

  const keys = `
    select newest.id, newest.organization_id,
           row_number() over (order by newest.created_at desc, newest.id desc) as position
      from ${scope} ${each_name}
     cross join lateral (
       select event.id, event.organization_id, event.created_at from webhook_events as event
        where ${matching}
        order by event.created_at desc, event.id desc limit :limit::bigint + :offset::bigint) as newest
     order by newest.created_at desc, newest.id desc limit :limit offset :offset`
  const rows = `
    select shown.item, keys.position from (${keys}) as keys
     cross join lateral (
       select * from webhook_events where id = keys.id and organization_id = keys.organization_id offset 0) as event
     cross join lateral (${eventJson}) as shown`
  const known = `
    select sum(event_count) from webhook_event_counts as counted
     where counted.organization_id = target.id ${names ? 'and counted.event_name = any(:event_names)' : ''} offset 0`
  const total =
    narrower.length === 0
      ? `(select coalesce(sum(known.sum), 0) from ${scope} cross join lateral (${known}) as known)`
      : `(select coalesce(sum(found.count), 0) from ${scope} ${each_name}
           cross join lateral (select count(*) from webhook_events as event where ${matching} offset 0) as found)`
  return pageJson(rows, total)
})

const eventsAcrossTenants = distributedList('webhooks.events', {
  from: 'webhook_events as event',
  row: 'event',
  reach: inReach('event.organization_id'),
  choices: { filtered: [false, true], about: filters.about },
  where: ({ filtered, about }) => `
    (:event_names::text[] is null or event.event_name = any(:event_names))
    ${
      filtered
        ? `and (:created_after::timestamptz is null or event.created_at > :created_after)
           and (:created_before::timestamptz is null or event.created_at < :created_before)`
        : ''
    } ${about ? `and ${aboutThat[about]}` : ''}`,
  order: {},
  item: eventJson,
  pages: 'by_position',
  counted: ({ filtered, about }) =>
    filtered || about
      ? undefined
      : `select coalesce(sum(counted.event_count), 0)::bigint as total
           from webhook_event_counts as counted
          where ${inReach('counted.organization_id')}
            and (:event_names::text[] is null or counted.event_name = any(:event_names))`,
})

/**
 * A page of events as JSON, newest first. For each organization and name, the index provides the newest events up to
 * the end of the page. Without further filters, the total comes from the stored counts by name; otherwise, matches are
 * counted.
 */
export function listEvents(ctx: ReadCtx, filter: WebhookEventFilter): Promise<string | undefined> {
  const { chosen, values } = readFilter(filter)
  if (spansServers(ctx)) {
    const filtered = chosen.created_after || chosen.created_before
    return eventsAcrossTenants(ctx, { filtered, about: chosen.about }, filter, values)
  }
  return events_listed(chosen).json(ctx, values)
}

const events_followed = readVariants('webhooks.followEvents', filters, (chosen) => {
  const narrower = [
    ...(chosen.names ? ['event.event_name = any(:event_names::text[])'] : []),
    ...filterConditions(chosen),
  ]
  const matching = ['event.organization_id = :organization_id', 'event.position > former.position', ...narrower].join(
    ' and ',
  )
  const rows = `
    select shown.item, event.position from former
     cross join lateral (
       select event.* from webhook_events as event
        where ${matching}
        order by event.position limit :limit offset :offset) as event
     cross join lateral (${eventJson}) as shown`
  const newest = `
    coalesce((select last_position from webhook_event_positions where organization_id = :organization_id), 0)`
  const total =
    narrower.length > 0
      ? `(select count(*) from webhook_events as event where ${matching})`
      : `${newest} - former.position`
  return `
    with former as materialized (
      select * from (
        select greatest(coalesce(position, ${newest}), :seen::bigint) as position from webhook_events
         where organization_id = :organization_id and id = :after
         union all
        select coalesce(:seen::bigint, 0) where :after::text is null) as known
       where ${inReach(':organization_id')})
    ${pageJson(rows, `(select ${total} from former)`)}`
})

/**
 * A page of the numbered events of an organization as JSON, in order of position, from the first or after `after`.
 * Undefined if the organization has no such event. Nothing comes after an event without a position. Positions have no
 * gaps, so a total without a filter needs no count. `seen`: the position up to which the filter matches nothing, so
 * that a waiting read checks each event once.
 */
export function followEvents(
  ctx: ReadCtx,
  organization_id: string,
  filter: WebhookEventFilter,
  seen?: number,
): Promise<string | undefined> {
  const { chosen, values } = readFilter(filter)
  const from = { after: filter.after ?? null, seen: seen ?? null }
  return events_followed(chosen).json(ctx, { organization_id, ...values, ...from })
}
