import type { Message } from './rules.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { roomsJson, type OutboxEvent } from '../../../runtime/events.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { statement } from '../../../database/sql/statement.ts'

/** A delivery that this worker has taken, with all that an attempt needs. */
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
  /** How many may be taken of subscriptions that are not new to this worker, by id; `usual_room` of others. */
  rooms: Map<string, number>
  usual_room: number
  most: number
  /** Takes up the round where it was broken off: after this subscription. */
  after: string
  /** Until when nobody else takes them. */
  until: string
}

/** SQL: all that an attempt needs, of a delivery that was taken and of its event. */
const attemptWith = (event_of: (taken: string) => string) => ({
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

const with_event = attemptWith(
  (taken) => `
    select * from webhook_events
     where id = ${taken}.webhook_event_id and organization_id = ${taken}.organization_id offset 0`,
)

const alone = attemptWith(
  (taken) => `
    select ${taken}.webhook_event_id as id, null::text as event_name, null::text as resource_type,
           null::text as resource_id, null::bigint as sequence, null::timestamptz as created_at`,
)

/** A claim of none: what is made is due, and whoever comes first takes it. */
export const nothing_taken: Claim = {
  rooms: new Map(),
  usual_room: 0,
  most: 0,
  after: '',
  until: new Date(0).toISOString(),
}

type AttemptPieces = ReturnType<typeof attemptWith>
const claimsWith = (pieces: AttemptPieces) => sqlFile(new URL('claim-deliveries.sql', import.meta.url), pieces)
const claimed = statement('webhook-deliveries.claimDeliveries', claimsWith(with_event))
const claimed_alone = statement('webhook-deliveries.claimDeliveriesAlone', claimsWith(alone))

const makesWith = (pieces: AttemptPieces) => sqlFile(new URL('make-deliveries.sql', import.meta.url), pieces)
const made = statement('webhook-deliveries.makeDeliveries', makesWith(with_event))
const made_alone = statement('webhook-deliveries.makeDeliveriesAlone', makesWith(alone))

const claimed_events = statement(
  'webhook-deliveries.findClaimedEvents',
  `select id as event_id, event_name, resource_type, resource_id, sequence, iso(created_at) as created_at
     from webhook_events where organization_id = :organization_id and id = any(:event_ids::text[])`,
)

/** Takes deliveries that are due: of each subscription the oldest, as many as there is room for. */
export async function claimDeliveries(ctx: Ctx, { rooms, ...claim }: Claim): Promise<ClaimedDelivery[]> {
  const asked = { ...claim, rooms: roomsJson(rooms) }
  if (!ctx.db.divided) return claimed.rows<ClaimedDelivery>(ctx, asked)
  return withEvents(ctx, await claimed_alone.rows<ClaimedDelivery>(ctx, asked))
}

/**
 * Makes deliveries of events, for each subscription that takes them, and takes them at once as far as there is room:
 * returns those that were taken. Others are due.
 */
export async function makeDeliveries(
  ctx: Ctx,
  events: OutboxEvent[],
  { rooms, usual_room, most, until }: Claim,
): Promise<ClaimedDelivery[]> {
  const asked = {
    webhook_event_ids: events.map((event) => event.webhook_event_id),
    organization_ids: events.map((event) => event.organization_id),
    event_names: events.map((event) => event.event_name),
    rooms: roomsJson(rooms),
    usual_room,
    most,
    until,
  }
  if (!ctx.db.divided) return made.rows<ClaimedDelivery>(ctx, asked)
  return withEvents(ctx, await made_alone.rows<ClaimedDelivery>(ctx, asked))
}

/** Deliveries with the events that they tell of, which are asked for where tenants are divided. */
async function withEvents(ctx: Ctx, taken: ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const told = new Map<string, object>()
  for (const [organization_id, its] of Map.groupBy(taken, (delivery) => delivery.organization_id)) {
    const event_ids = its.map(({ event_id }) => event_id)
    for (const event of await claimed_events.rows(ctx, { organization_id, event_ids })) told.set(event.event_id!, event)
  }
  return taken.map((delivery) => ({ ...delivery, ...told.get(delivery.event_id) }))
}
