/**
 * The log position of the last commit of each writer: an organization or a credential. A replica that has replayed it
 * may answer reads for the writer (docs/design/data/scaling-out.md).
 */
import type { Db } from '../query/database.ts'
import { statement } from '../sql/statement.ts'

/** Saves the current log position for these writers. Call it after the commit. */
export const savePositions = statement(
  'write-positions.savePositions',
  `insert into write_positions (writer_id, position)
   select writer_id, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
     from unnest(:writer_ids::text[]) as writer_id order by writer_id
   on conflict (writer_id) do update
     set position = greatest(write_positions.position, excluded.position), written_at = excluded.written_at`,
).rows

const positions_listed = statement(
  'write-positions.listPositions',
  `select writer_id, position from write_positions where writer_id = any(:writer_ids)`,
)

/** The row for all writers that have no row of their own. */
const all_writers = '*'

/**
 * Returns the position that a replica must have replayed to answer reads for a writer. After a crash, which empties the
 * unlogged table, undefined until the next heartbeat.
 */
export async function findPositions(db: Db, writer_ids: string[]): Promise<((id: string) => number) | undefined> {
  const rows = await positions_listed.rows<{ writer_id: string; position: number }>(
    { db },
    { writer_ids: [all_writers, ...writer_ids] },
  )
  const positions = new Map(rows.map((row) => [row.writer_id, row.position]))
  const least = positions.get(all_writers)
  return least === undefined ? undefined : (id) => Math.max(least, positions.get(id) ?? 0)
}

const heartbeat_saved = statement(
  'write-positions.saveHeartbeat',
  `with all_writers as (
     insert into write_positions (writer_id, position)
     values ('*', (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint)
     on conflict do nothing
   ), saved as (
     insert into replica_heartbeats as former (heartbeat, written_at) values (gen_random_uuid(), now())
     on conflict (id) do update set heartbeat = excluded.heartbeat, written_at = excluded.written_at
      where former.written_at not between now() - interval '900 ms' and now()
     returning heartbeat
   )
   select coalesce((select heartbeat from saved), (select heartbeat from replica_heartbeats)) as heartbeat,
          (select count(*) from service_processes
            where seen_at > now() - interval '35 seconds' and not records_writes) as silent_processes`,
)

export type Heartbeat = { heartbeat: string | null; silent_processes: number }

/** Saves a heartbeat at most about once a second. `silent_processes` counts live processes that save no positions. */
export const saveHeartbeat = async (db: Db): Promise<Heartbeat> => (await heartbeat_saved.row<Heartbeat>({ db }))!

/** Deletes the positions of writers idle for an hour, and raises the common position to theirs. */
export const purgePositions = statement(
  'write-positions.purgePositions',
  `with purged as (
     delete from write_positions where written_at < now() - interval '1 hour' and writer_id <> '*' returning position
   )
   update write_positions set position = greatest(position, (select max(position) from purged)) where writer_id = '*'`,
).rows
