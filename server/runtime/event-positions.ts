import { isDatabaseError, type Database, type Db } from '../database/query/database.ts'
import { statement } from '../database/sql/statement.ts'

/**
 * The positions of events within their organization, without gaps. A write leaves them null, so that it waits for no
 * other write. Readers who follow the events number those that are committed by then, in a separate transaction under
 * the lock of the counter. So an event that becomes visible later gets a later position (docs/design/api/webhooks.md).
 */

// Two statements, because a statement does not see events that were numbered while it waited for the lock.
const counter_locked = statement(
  'events.lockPositions',
  `insert into webhook_event_positions as known (organization_id, last_position) values (:organization_id, 0)
   on conflict (organization_id) do update set last_position = known.last_position`,
)
// In the order of ids, but no event before an earlier one of its resource, whose writer's clock may have been ahead. If
// there are more than :most events, the earlier ones are therefore added to them.
const numbered = statement(
  'events.numberEvents',
  `with listed as materialized (
     select id, resource_id, sequence from webhook_events
      where organization_id = :organization_id and position is null order by created_at, id limit :most
   ), oldest as materialized (
     select id, resource_id, sequence from listed
      union
     select earlier.id, earlier.resource_id, earlier.sequence
       from (select resource_id, max(sequence) as sequence from listed group by resource_id) as latest
      cross join lateral (
        select id, resource_id, sequence, position from webhook_events as event
         where event.organization_id = :organization_id and event.resource_id = latest.resource_id
           and event.sequence < latest.sequence offset 0) as earlier
      where earlier.position is null and (select count(*) from listed) = :most
   ), counter as materialized (
     update webhook_event_positions set last_position = last_position + (select count(*) from oldest)
      where organization_id = :organization_id
     returning last_position
   ), batch as materialized (
     select id, row_number() over (order by order_key desc, sequence desc) - 1 as from_end
       from (select id, sequence, max(id) over (partition by resource_id order by sequence) as order_key
               from oldest) as ordered
   )
   update webhook_events as event set position = counter.last_position - batch.from_end
     from counter cross join batch
    where event.id = batch.id and event.organization_id = :organization_id
   returning event.position`,
)

/** Each numbered event takes about 0.1 ms, and others who follow the organization wait for it. */
const events_per_transaction = 2500

/** New readers of a large organization get empty pages until its earlier events are numbered. */
const transactions_per_call = 8

/** The server accepts no writes. */
const read_only = '25006'

// While the server accepts no writes, no events are listed, so that no transaction fails every 200 ms.
const accepts_writes = `current_setting('transaction_read_only') = 'off'`

// Reads one event of each organization. With `= any`, the planner expects all unnumbered events of the database.
const unnumbered = statement(
  'events.listUnnumbered',
  `select candidate.id as organization_id from unnest(:organization_ids::text[]) as candidate (id)
    cross join lateral (
      select from webhook_events as event
       where event.organization_id = candidate.id and event.position is null limit 1) as oldest
    where ${accepts_writes}`,
)
const unnumbered_on_shards = statement(
  'events.listUnnumberedOnShards',
  `select distinct organization_id from webhook_events
    where organization_id = any(:organization_ids) and position is null and ${accepts_writes}`,
)

/**
 * Numbers the new committed events of these organizations. Those who number the same organization wait for each other
 * without a connection. A failure at one organization does not keep the events of the others from their positions.
 */
export async function numberEvents(database: Database, organization_ids: string[]): Promise<void> {
  const listed = database.distribution ? unnumbered_on_shards : unnumbered
  const found = await listed.rows<{ organization_id: string }>(
    { db: database.reads(organization_ids) },
    { organization_ids },
  )
  const numberings = found.map(({ organization_id }) =>
    database.lock_queue.run(`events of ${organization_id}`, () => numberEventsOf(database, organization_id)),
  )
  for (const ended of await Promise.allSettled(numberings)) if (ended.status === 'rejected') throw ended.reason
}

async function numberEventsOf({ transaction }: Database, organization_id: string): Promise<void> {
  const numberNext = async (db: Db) => {
    const values = { organization_id, most: events_per_transaction }
    const [, rows] = await Promise.all([
      counter_locked.rows({ db }, { organization_id }),
      numbered.rows({ db }, values),
    ])
    return rows.length
  }
  try {
    for (let times = 0; times < transactions_per_call; times++)
      if ((await transaction([organization_id], numberNext)) < events_per_transaction) break
  } catch (error) {
    // The server has just become read only. Its events stay without positions until it accepts writes.
    if (!isDatabaseError(error) || error.code !== read_only) throw error
  }
}

const positions = statement(
  'events.positionsOf',
  `select organization_id, last_position from webhook_event_positions
    where organization_id = any(:organization_ids)`,
)

/** The last position of each organization, by its id. Organizations without readers of their events are omitted. */
export async function positionsOf({ reads }: Database, organization_ids: string[]): Promise<Map<string, number>> {
  const rows = await positions.rows<{ organization_id: string; last_position: number }>(
    { db: reads(organization_ids) },
    { organization_ids },
  )
  return new Map(rows.map((row) => [row.organization_id, row.last_position]))
}
