import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Database, Db } from './db.ts'

const folder = new URL('../migrations/', import.meta.url)

/** A database that this service can't run on: its message is the one sentence that the operator sees. */
export class DatabaseRefused extends Error {}

/**
 * Brings the database to the present schema: each file of migrations/ once, in order, in a transaction of
 * its own. Processes that start together take turns.
 */
export async function migrate(database: Database): Promise<string[]> {
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await requireVersion(client)
    await client.query(`select pg_advisory_lock(hashtext('openbenefits migrations'))`)
    const applied = await applyFiles(client)
    await runMigrations({ pgPool: database.pool })
    return applied
  } finally {
    // Ends the session and with it the lock.
    client.release(true)
  }
}

/** Whether the database has every migration that this version knows. */
export async function isMigrated(db: Db): Promise<boolean> {
  const files = await migrationFiles()
  const rows = await db.rows<{ name: string }>('select name from migrations')
  return files.every((file) => rows.some((row) => row.name === file))
}

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

async function applyFiles(client: pg.PoolClient): Promise<string[]> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const known = new Set(rows.map((row) => row.name))
  const files = await migrationFiles()
  const unknown = [...known].find((name) => !files.includes(name))
  if (unknown)
    throw new DatabaseRefused(
      `The database was migrated by a newer OpenBenefits (${unknown}); start that version or later.`,
    )

  const missing = files.filter((name) => !known.has(name))
  for (const name of missing) {
    const sql = await readFile(new URL(name, folder), 'utf8')
    try {
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  return missing
}
