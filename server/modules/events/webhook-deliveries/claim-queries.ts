import { columnsOf } from '../../../database/sql/fragments.ts'
import type { Message } from './rules.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { roomsJson, type OutboxEvent } from '../../../runtime/events.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { statement } from '../../../database/sql/statement.ts'

/** A claimed delivery with the data for an attempt. */
export type ClaimedDelivery = Omit<Message, 'organization_id'> & {
  id: string
  organization_id: string
  subscription_id: string
  attempts: number
  url: string
  secret_sealed: Buffer
  former_secret_sealed: Buffer | null
  failing_since: string | null
}

export type Claim = {
  /** How many deliveries to claim for subscriptions that this worker remembers, by id, and for others. */
  rooms: Map<string, number>
  default_room: number
  most: number
  /** The subscription after which to continue. */
  after: string
  /** The end of the claim. */
  until: string
}

/** SQL: the data for an attempt, from a claimed delivery and its event. */
const attemptPieces = (event_of: (taken: string) => string) => ({
  attempt_of: (taken: string) => `
    select ${taken}.id, ${taken}.organization_id, ${taken}.subscription_id, ${taken}.attempts, event.id as event_id,
           event.event_name, event.resource_type, event.resource_id, event.sequence,
           iso(event.created_at) as created_at, subscription.url, subscription.secret_sealed,
           case when subscription.former_secret_until > :real_now then subscription.former_secret_sealed end
             as former_secret_sealed,
           iso(subscription.failing_since) as failing_since
      from (${event_of(taken)}) as event
     cross join (select * from webhook_subscriptions
                  where id = ${taken}.subscription_id and organization_id = ${taken}.organization_id offset 0)
           as subscription`,
})

const with_event = attemptPieces(
  (taken) => `
    select * from webhook_events
     where id = ${taken}.webhook_event_id and organization_id = ${taken}.organization_id offset 0`,
)

const alone = attemptPieces(
  (taken) => `
    select ${taken}.webhook_event_id as id, null::text as event_name, null::text as resource_type,
           null::text as resource_id, null::bigint as sequence, null::timestamptz as created_at`,
)

/** An empty claim. New deliveries are then due, and any worker can claim them. */
export const empty_claim: Claim = {
  rooms: new Map(),
  default_room: 0,
  most: 0,
  after: '',
  until: new Date(0).toISOString(),
}

type AttemptPieces = ReturnType<typeof attemptPieces>
const claimsWith = (pieces: AttemptPieces) => sqlFile(new URL('claim-deliveries.sql', import.meta.url), pieces)
const claimed = statement('webhook-deliveries.claimDeliveries', claimsWith(with_event))
const claimed_alone = statement('webhook-deliveries.claimDeliveriesAlone', claimsWith(alone))

const deliveriesSql = (pieces: AttemptPieces) => sqlFile(new URL('make-deliveries.sql', import.meta.url), pieces)
const made = statement('webhook-deliveries.makeDeliveries', deliveriesSql(with_event))
const made_alone = statement('webhook-deliveries.makeDeliveriesAlone', deliveriesSql(alone))

const claimed_events = statement(
  'webhook-deliveries.findClaimedEvents',
  `select id as event_id, event_name, resource_type, resource_id, sequence, iso(created_at) as created_at
     from webhook_events where organization_id = :organization_id and id = any(:event_ids::text[])`,
)

/** Claims due deliveries, the oldest of each subscription, as many as there is room for. */
export async function claimDeliveries(ctx: Ctx, { rooms, ...claim }: Claim): Promise<ClaimedDelivery[]> {
  const values = { ...claim, rooms: roomsJson(rooms) }
  if (!ctx.db.distribution) return claimed.rows<ClaimedDelivery>(ctx, values)
  return withEvents(ctx, await claimed_alone.rows<ClaimedDelivery>(ctx, values))
}

/**
 * Creates deliveries of events for all subscriptions to these events, and claims them if there is room. Returns the
 * claimed ones; the others are due.
 */
export async function makeDeliveries(
  ctx: Ctx,
  events: OutboxEvent[],
  { rooms, default_room, most, until }: Claim,
): Promise<ClaimedDelivery[]> {
  const values = {
    ...columnsOf(events, ['webhook_event_id', 'organization_id', 'event_name']),
    rooms: roomsJson(rooms),
    default_room,
    most,
    until,
  }
  if (!ctx.db.distribution) return made.rows<ClaimedDelivery>(ctx, values)
  return withEvents(ctx, await made_alone.rows<ClaimedDelivery>(ctx, values))
}

/** Adds the data of the events to deliveries. A distributed database stores events on other servers. */
async function withEvents(ctx: Ctx, taken: ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const events = new Map<string, object>()
  for (const [organization_id, deliveries] of Map.groupBy(taken, (delivery) => delivery.organization_id)) {
    const event_ids = deliveries.map(({ event_id }) => event_id)
    for (const event of await claimed_events.rows(ctx, { organization_id, event_ids }))
      events.set(event.event_id!, event)
  }
  return taken.map((delivery) => ({ ...delivery, ...events.get(delivery.event_id) }))
}
