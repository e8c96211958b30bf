import type { Message } from './rules.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { statement } from '../../platform/database/statement.ts'

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

const claimsWith = (event_of: (taken: string) => string): string =>
  sqlFile(new URL('claim-deliveries.sql', import.meta.url), { event_of })

const claimed = statement(
  'webhook-deliveries.claimDeliveries',
  claimsWith(
    (taken) => `
    select * from webhook_events
     where id = ${taken}.webhook_event_id and organization_id = ${taken}.organization_id offset 0`,
  ),
)

const claimed_alone = statement(
  'webhook-deliveries.claimDeliveriesAlone',
  claimsWith(
    (taken) => `
    select ${taken}.webhook_event_id as id, null::text as event_name, null::text as resource_type,
           null::text as resource_id, null::bigint as sequence, null::timestamptz as created_at`,
  ),
)

const claimed_events = statement(
  'webhook-deliveries.findClaimedEvents',
  `select id as event_id, event_name, resource_type, resource_id, sequence, iso(created_at) as created_at
     from webhook_events where organization_id = :organization_id and id = any(:event_ids::text[])`,
)

/** Takes deliveries that are due: of each subscription the oldest, as many as there is room for. */
export async function claimDeliveries(ctx: Ctx, { rooms, ...claim }: Claim): Promise<ClaimedDelivery[]> {
  const asked = { ...claim, subscription_ids: [...rooms.keys()], rooms: [...rooms.values()] }
  if (!ctx.db.divided) return claimed.rows<ClaimedDelivery>(ctx, asked)
  const taken = await claimed_alone.rows<ClaimedDelivery>(ctx, asked)
  const told = new Map<string, object>()
  for (const [organization_id, its] of Map.groupBy(taken, (delivery) => delivery.organization_id)) {
    const event_ids = its.map(({ event_id }) => event_id)
    for (const event of await claimed_events.rows(ctx, { organization_id, event_ids })) told.set(event.event_id!, event)
  }
  return taken.map((delivery) => ({ ...delivery, ...told.get(delivery.event_id) }))
}
