import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Database, Db } from '../query/database.ts'
import { DatabaseRefused, isDivided } from '../citus/sharding-state.ts'
import { applyDivided } from '../citus/migrate-sharded.ts'
import { isLocked, lockRows } from './row-level-security.ts'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Indexes for the jobs of an organization, and for jobs that run or were given up. Created once graphile-worker has
 * created its table.
 */
const index_of_jobs = `
  create index if not exists openbenefits_jobs_of_organization
      on graphile_worker._private_jobs ((payload ->> 'organization_id'));
  create index if not exists openbenefits_jobs_taken
      on graphile_worker._private_jobs (id) where not is_available`

/**
 * Brings the database to the present schema: each file of migrations/ once, in order, in a transaction of
 * its own; then puts on what each new table needs. Processes that start together take turns; where nothing is missing
 * nobody waits for anybody.
 */
export async function migrate({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const applied = await over(pool, applyMissing)
  await runMigrations({ pgPool: pool })
  await over(pool, async (client) => {
    await client.query(`do $$ begin
      if to_regclass('graphile_worker.openbenefits_jobs_taken') is null then
        perform pg_advisory_xact_lock(hashtext('openbenefits migrations'));
        ${index_of_jobs};
      end if;
    end $$`)
    await client.query(open_queue)
    await lockRows(client)
  })
  return applied
}

/** Works in a session, and gives it back for what comes next: a start that finds nothing missing opens one. */
async function over<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

async function applyMissing(client: pg.PoolClient): Promise<string[]> {
  await requireVersion(client)
  const applied: string[] = []
  for (let name = await findMissing(client); name !== undefined; name = await findMissing(client)) {
    if (await applyFile(client, name)) applied.push(name)
  }
  return applied
}

/**
 * graphile-worker locks its tables for all but their owner, and we serve as another role: whom the rights on a table
 * let in may see all of its rows. A job is of the service, whose payload names the organization.
 */
const open_queue = `do $$ declare queue record; begin
  for queue in
    select oid::regclass as name from pg_class
     where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
       and not exists (select from pg_policy where polrelid = pg_class.oid)
  loop
    perform pg_advisory_xact_lock(hashtext('openbenefits migrations'));
    if not exists (select from pg_policy where polrelid = queue.name) then
      execute format('create policy of_the_service on %s using (true)', queue.name);
    end if;
  end loop;
end $$`

/** The migrations of this version that the database has not had, in their order. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const files = await migrationFiles()
  const [made] = await db.rows<{ there: boolean }>(`select to_regclass('migrations') is not null as there`)
  const had = made!.there ? await db.rows<{ name: string }>('select name from migrations') : []
  return files.filter((file) => !had.some(({ name }) => name === file))
}

/** Whether the database has every migration that this version knows, and its tables are locked. */
export const isMigrated = async (db: Db): Promise<boolean> =>
  (await missingMigrations(db)).length === 0 && (await isLocked(db))

const migrationFiles = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

async function requireVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  )
  if (Number(rows[0]!.number) < 180_000) {
    throw new DatabaseRefused(
      `OpenBenefits needs PostgreSQL 18 or later; DATABASE_URL leads to PostgreSQL ${rows[0]!.name}.`,
    )
  }
}

/** The first file that the database has not had; undefined when it has had all. */
async function findMissing(client: pg.PoolClient): Promise<string | undefined> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('migrations') is not null as there`,
  )
  const known = new Set<string>()
  if (tables[0]!.there) {
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    for (const { name } of rows) known.add(name)
  }
  const files = await migrationFiles()
  const unknown = [...known].find((name) => !files.includes(name))
  if (unknown)
    throw new DatabaseRefused(
      `The database was migrated by a newer OpenBenefits (${unknown}); start that version or later.`,
    )
  return files.find((name) => !known.has(name))
}

/**
 * Applies a file, unless another process has done so while we waited for it. The lock ends with the transaction, also
 * behind a pooler that gives the session to somebody else then.
 */
async function applyFile(client: pg.PoolClient, name: string): Promise<boolean> {
  const sql = await readFile(new URL(name, folder), 'utf8')
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await client.query(`select pg_advisory_xact_lock(hashtext('openbenefits migrations'))`)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rowCount } = await client.query('insert into migrations (name) values ($1) on conflict do nothing', [name])
    if (rowCount === 1) {
      const divided = await isDivided(async (text) => (await client.query(text)).rows[0])
      await (divided ? applyDivided(client, sql) : client.query(sql))
    }
    await client.query('commit')
    return rowCount === 1
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
