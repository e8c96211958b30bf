/**
 * The two roles of a database. One owns it and migrates; the other serves, owns nothing, and may touch rows and nothing
 * else: what goes wrong in a statement stays within what that one may do.
 */
import pg from 'pg'
import { configOf, openDatabase } from '../query/database.ts'
import { DatabaseRefused } from '../citus/sharding-state.ts'
import { isMigrated, migrate } from './migrate.ts'
import { no_organization } from '../query/rows-of.ts'
import type { DatabaseAddress } from '../query/session.ts'

/**
 * Where the database is: for the role that serves, and for the one that owns, where they are two. `letIn`: of a server
 * of ours, makes the database and its roles where they are missing, or have other passwords.
 */
export type Addresses = DatabaseAddress & { migration_url: string | undefined; letIn?: () => Promise<unknown> }

/** Tables that a served request or a job adds rows to, and never changes or removes one of. */
const append_only = ['audit_sheets', 'audit_seals', 'former_audit_entries']

/** Tables of which no row is ever removed. */
const only_growing = ['audit_chains']

/** Tables that only who migrates writes to. */
const read_only = ['migrations', 'graphile_worker.migrations']

type RoleFacts = { name: string; migrated: boolean; owns: boolean; may_make: boolean; powers: string[] }

/** Of a session that is refused: the password, the role, its right to come in, the database. */
const refusals_of_sessions = new Set(['28P01', '28000', '42501', '3D000'])

/**
 * Brings the database to the present schema by the role that owns it, and lets the other serve from it. Returns what
 * the operator should know: what is not locked where one role does both. Throws DatabaseRefused where two roles were
 * given and one may do more than it should, or where nobody may migrate.
 */
export async function makeReady({ url, migration_url, letIn }: Addresses): Promise<string[]> {
  if (migration_url === undefined) return makeReadyAlone(url, await within(url, factsOf))
  try {
    return await makeReadyByTwo(url, migration_url)
  } catch (error) {
    if (!letIn || !refusals_of_sessions.has((error as pg.DatabaseError).code ?? '')) throw error
  }
  await letIn()
  return makeReadyByTwo(url, migration_url)
}

/** A session for each role, opened at the same time: most starts find all as it should be. */
async function makeReadyByTwo(url: string, migration_url: string): Promise<string[]> {
  const owner_pool = poolOf(migration_url)
  try {
    return await within(url, async (client) => {
      const [service, owner] = await Promise.all([factsOf(client), factsOf(owner_pool)])
      if (owner.name === service.name)
        throw new DatabaseRefused(
          'DATABASE_URL and MIGRATION_DATABASE_URL name the same role; the one that serves must own nothing.',
        )
      requireNoPowers(owner, 'MIGRATION_DATABASE_URL')
      requireNoPowers(service, 'DATABASE_URL')
      await migrate({ pool: owner_pool })
      await letServe(owner_pool, service.name)
      if ((await factsOf(client)).owns) {
        throw new DatabaseRefused(
          `The role ${service.name} of DATABASE_URL owns tables, or is a member of who does: it must own nothing.`,
        )
      }
      return []
    })
  } finally {
    await owner_pool.end()
  }
}

async function makeReadyAlone(url: string, service: RoleFacts): Promise<string[]> {
  if (service.migrated && !service.owns) {
    await requireMigrated(url)
    requireNoPowers(service, 'DATABASE_URL')
    return []
  }
  await migrateBy(url)
  const powers = service.powers.map((power) => `, and ${power}`).join('')
  return [
    `The role ${service.name} of DATABASE_URL owns the tables that it serves from${powers}: the second lock between ` +
      'organizations does not hold. Set MIGRATION_DATABASE_URL to the role that owns the database, and DATABASE_URL ' +
      'to one that owns nothing.',
  ]
}

function requireNoPowers({ name, powers: [power] }: RoleFacts, setting: string): void {
  if (power !== undefined)
    throw new DatabaseRefused(`The role ${name} of ${setting} ${power}; give the service a role without that.`)
}

/** Sessions of a role: one, unless several things are asked at once. */
function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool(configOf({ url }, true))
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

async function migrateBy(url: string): Promise<void> {
  const pool = poolOf(url)
  try {
    await migrate({ pool })
  } finally {
    await pool.end()
  }
}

async function requireMigrated(url: string): Promise<void> {
  const database = openDatabase({ url })
  try {
    if (await isMigrated(database.reads(no_organization))) return
  } finally {
    await database.close()
  }
  throw new DatabaseRefused(
    'The database lacks a migration of this version, and the role of DATABASE_URL may not make it: start a process ' +
      'with MIGRATION_DATABASE_URL first.',
  )
}

async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'openbenefits roles' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What the role of a connection may do that has nothing to do with rows; nothing a role should be that serves. */
const facts = `
  select role.rolname as name,
         to_regclass('public.migrations') is not null as migrated,
         exists (select from pg_class as made join pg_namespace as schema on schema.oid = made.relnamespace
                  where schema.nspname in ('public', 'graphile_worker')
                    and pg_has_role(current_user, made.relowner, 'member')) as owns,
         array_remove(array[
           case when role.rolsuper then 'is a superuser' end,
           case when role.rolbypassrls then 'bypasses row-level security' end,
           case when role.rolreplication then 'may copy the whole server (replication)' end,
           case when exists (select from pg_roles as power
                              where power.rolname in ('pg_read_server_files', 'pg_write_server_files',
                                                      'pg_execute_server_program')
                                and pg_has_role(current_user, power.oid, 'member'))
                then 'reaches files or programs of the server' end], null) as powers
    from pg_roles as role where role.rolname = current_user`

const factsOf = async (client: pg.Client | pg.Pool): Promise<RoleFacts> =>
  (await client.query<RoleFacts>(facts)).rows[0]!

const ours = `('public', 'graphile_worker')`

/** Whether a role has not all that it needs, or has more: after a migration, or a restore that left its rights out. */
const lacks_rights = `
  select exists (
    select from pg_class as made join pg_namespace as schema on schema.oid = made.relnamespace
     where schema.nspname in ${ours} and made.relkind in ('r', 'p')
       and not has_table_privilege($1, made.oid, 'select'))
      or has_database_privilege($1, current_database(), 'temporary')
      or exists (select from unnest($2::text[]) as name where has_table_privilege($1, name, 'update, delete, truncate'))
      or exists (select from unnest($3::text[]) as name where has_table_privilege($1, name, 'delete, truncate'))
    as lacking, quote_ident(current_database()) as database`

/**
 * Lets a role read and write rows, in so far as they may be written, and nothing else. Changes nothing when that is so
 * already: processes that start together would be in each other's way.
 */
async function letServe(pool: pg.Pool, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role)
  const restricted = [...(await withPartitions(pool, append_only)), ...read_only]
  const growing = await withPartitions(pool, only_growing)
  const asked = [role, restricted, growing]
  const { rows } = await pool.query<{ lacking: boolean; database: string }>(lacks_rights, asked)
  const { lacking, database } = rows[0]!
  if (!lacking) return
  // One text is one transaction.
  await pool.query(`
    select pg_advisory_xact_lock(hashtext('openbenefits migrations'));
    revoke temporary on database ${database} from public;
    grant usage on schema public, graphile_worker to ${name};
    grant select, insert, update, delete on all tables in schema public, graphile_worker to ${name};
    grant usage, select on all sequences in schema public, graphile_worker to ${name};
    revoke update, delete on ${restricted.join(', ')} from ${name};
    revoke delete on ${growing.join(', ')} from ${name};
    revoke insert on ${read_only.join(', ')} from ${name}`)
}

/** Tables and what they are divided into: rights on a part are apart from those on the whole. */
async function withPartitions(client: pg.Pool, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
      union select part.relid::regclass::text from unnest($1::text[]) as name, pg_partition_tree(name) as part`,
    [tables],
  )
  return rows.map(({ name }) => name)
}
