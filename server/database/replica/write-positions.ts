/**
 * Up to where the log of the database went when an organization or a credential wrote last: whoever reads for them may
 * be answered by a replica that has come so far (decision 148).
 */
import type { Db } from '../query/database.ts'
import { statement } from '../sql/statement.ts'

const noted = statement(
  'write-positions.savePositions',
  `insert into write_positions (whose, position)
   select whose, (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint
     from unnest(:whose::text[]) as whose order by whose
   on conflict (whose) do update
     set position = greatest(write_positions.position, excluded.position), written_at = excluded.written_at`,
)

/** Notes that they have written, by ids; call it when that is committed. */
export const savePositions = (db: Db, whose: string[]) => noted.rows({ db }, { whose })

const found = statement(
  'write-positions.listPositions',
  `select whose, position from write_positions where whose = any(:whose)`,
)

/** Stands for everybody of whom nothing is noted. */
const everybody = '*'

/**
 * From where on a replica has what they wrote, by ids; for whoever is not in it, `everybody` tells. Nothing when that
 * is not known, after a crash.
 */
export async function findPositions(db: Db, whose: string[]): Promise<((id: string) => number) | undefined> {
  const rows = await found.rows<{ whose: string; position: number }>({ db }, { whose: [everybody, ...whose] })
  const positions = new Map(rows.map((row) => [row.whose, row.position]))
  const least = positions.get(everybody)
  return least === undefined ? undefined : (id) => Math.max(least, positions.get(id) ?? 0)
}

const beaten = statement(
  'write-positions.saveBeat',
  `with everybody as (
     insert into write_positions (whose, position) values ('*', (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint)
     on conflict do nothing
   ), made as (
     insert into replica_beats as former (beat, made_at) values (gen_random_uuid(), now())
     on conflict (id) do update set beat = excluded.beat, made_at = excluded.made_at
      where former.made_at not between now() - interval '900 ms' and now()
     returning beat
   )
   select coalesce((select beat from made), (select beat from replica_beats)) as beat,
          (select count(*) from service_processes
            where seen_at > now() - interval '35 seconds' and not notes_writes) as silent_processes`,
)

/** What the present beat is, and how many processes there are that do not note what they write. */
export const saveBeat = async (db: Db) => (await beaten.row<{ beat: string | null; silent_processes: number }>({ db }))!

const forgotten = statement(
  'write-positions.forgetPositions',
  `with gone as (
     delete from write_positions where written_at < now() - interval '1 hour' and whose <> '*' returning position
   )
   update write_positions set position = greatest(position, (select max(position) from gone)) where whose = '*'`,
)

/** Forgets who has not written for an hour: everybody must be as far as they were. */
export const forgetPositions = (db: Db) => forgotten.rows({ db })
