import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { DatabaseRefused, type Database, type Db } from '../query/database.ts'
import { applyMigration } from '../citus/migrate-sharded.ts'
import { areDefinitionsCurrent, createDefinitions } from './definitions.ts'
import { isLocked, lockRows } from './row-level-security.ts'

const folder = new URL('../../migrations/', import.meta.url)

/**
 * Indexes for the jobs of an organization, and for running and failed jobs. They are created after graphile-worker has
 * created its table.
 */
const index_of_jobs = `
  create index if not exists openbenefits_jobs_of_organization
      on graphile_worker._private_jobs ((payload ->> 'organization_id'));
  create index if not exists openbenefits_jobs_taken
      on graphile_worker._private_jobs (id) where not is_available`

/**
 * Removes the notification from the library's function that adds jobs. PostgreSQL commits notifying transactions one
 * after the other. The service notifies the workers after the commit instead (`server/jobs/enqueue.ts`).
 */
const add_jobs_silently = `do $$ declare
  added constant oid := 'graphile_worker.add_jobs(graphile_worker.job_spec[], boolean)'::regprocedure;
begin
  if pg_get_functiondef(added) ~ 'perform pg_notify' then
    perform pg_advisory_xact_lock(hashtext('openbenefits migrations'));
    execute regexp_replace(pg_get_functiondef(added), 'perform pg_notify[^;]*;', '', 'g');
  end if;
end $$`

const take_turn = `select pg_advisory_xact_lock(hashtext('openbenefits migrations'))`

/**
 * Brings the database to the schema of this version, in one transaction: the missing migrations in the order of their
 * names, the functions and triggers, and row-level security for new tables. Then prepares the job queue. Processes
 * that start together take turns; if nothing is missing, no process waits. Returns the names of the applied
 * migrations.
 */
export async function migrate({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const applied = await withClient(pool, upgrade)
  await runMigrations({ pgPool: pool })
  await withClient(pool, async (client) => {
    await client.query(`do $$ begin
      if to_regclass('graphile_worker.openbenefits_jobs_taken') is null then
        perform pg_advisory_xact_lock(hashtext('openbenefits migrations'));
        ${index_of_jobs};
      end if;
    end $$`)
    await client.query(open_queue)
    await client.query(add_jobs_silently)
  })
  return applied
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/**
 * The lock ends with the transaction, even behind a pooler that then gives the session to another client. Another
 * process may have upgraded the database while this one waited for the lock.
 */
async function upgrade(client: pg.PoolClient): Promise<string[]> {
  const db: Pick<Db, 'rows'> = { rows: async (text, values) => (await client.query(text, values)).rows }
  const apply = (sql: string) => applyMigration(client, sql)
  await requireVersion(db)
  await refuseOther(db)
  if (await isMigrated(db)) return []
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await client.query(take_turn)
    await refuseOther(db)
    await client.query(`
      create table if not exists migrations
        (name text primary key, hash text not null, applied_at timestamptz not null default now())`)
    const missing = await missingMigrations(db)
    for (const name of missing) {
      const sql = await readFile(new URL(name, folder), 'utf8')
      await apply(sql)
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hashOfMigration(sql)])
    }
    await createDefinitions(client, apply, missing.length > 0)
    await lockRows(client)
    await client.query('commit')
    return missing
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * graphile-worker enables row-level security on its tables, which hides all rows from roles that do not own them. Table
 * privileges decide instead, because the organization is part of a job's payload.
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

/** The migrations of this version that the database lacks, in order. */
export async function missingMigrations(db: Pick<Db, 'rows'>): Promise<string[]> {
  const applied = await appliedMigrations(db)
  return (await migrationFiles()).filter((file) => !applied.some(({ name }) => name === file))
}

/** Whether the database has the migrations, functions and row-level security of this version. */
export const isMigrated = async (db: Pick<Db, 'rows'>): Promise<boolean> =>
  (await missingMigrations(db)).length === 0 && (await areDefinitionsCurrent(db)) && (await isLocked(db))

const migrationFiles = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** The hash is null if the database was created before hashes were stored. */
type AppliedMigration = { name: string; hash: string | null }

/** The hash of a migration without its comments, which may be corrected. */
export const hashOfMigration = (sql: string): string =>
  createHash('sha256')
    .update(sql.replaceAll(/^\s*--.*\n/gm, ''))
    .digest('base64')

async function appliedMigrations(db: Pick<Db, 'rows'>): Promise<AppliedMigration[]> {
  const [found] = await db.rows<{ there: boolean }>(`select to_regclass('migrations') is not null as there`)
  if (!found!.there) return []
  return db.rows<AppliedMigration>(`select name, to_jsonb(migrations) ->> 'hash' as hash from migrations`)
}

async function requireVersion(db: Pick<Db, 'rows'>): Promise<void> {
  const [server] = await db.rows<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  )
  if (Number(server!.number) < 180_000)
    throw new DatabaseRefused(
      `OpenBenefits needs PostgreSQL 18 or later; DATABASE_URL leads to PostgreSQL ${server!.name}.`,
    )
}

/** Refuses a database that has a migration of a later version, or another text of a migration. */
async function refuseOther(db: Pick<Db, 'rows'>): Promise<void> {
  const files = await migrationFiles()
  for (const { name, hash } of await appliedMigrations(db)) {
    if (!files.includes(name))
      throw new DatabaseRefused(
        `The database was migrated by a newer OpenBenefits (${name}); start that version or later.`,
      )
    if (hash !== hashOfMigration(await readFile(new URL(name, folder), 'utf8')))
      throw new DatabaseRefused(
        `The migration ${name} was changed after this database was created. Start the version that created it, or ` +
          'use an empty database.',
      )
  }
}
