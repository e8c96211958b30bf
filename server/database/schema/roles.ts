/**
 * The two roles of a database. One owns it and migrates it. The other serves requests, owns nothing, and may only read
 * and write rows, which limits the damage of a faulty statement.
 */
import pg from 'pg'
import { configOf, openDatabase } from '../query/open-database.ts'
import { DatabaseRefused } from '../query/database.ts'
import { isMigrated, migrate } from './migrate.ts'
import { no_organization } from '../query/rows-of.ts'
import type { DatabaseAddress } from '../query/session.ts'

/**
 * The addresses of a database for the service role, and for the owner if that is another role. `createRoles`: for
 * our embedded server, creates the database and its roles, or updates their passwords.
 */
export type Addresses = DatabaseAddress & { migration_url: string | undefined; createRoles?: () => Promise<unknown> }

/** Tables to which requests and jobs only add rows. */
const append_only = ['audit_batches', 'audit_seals']

/** Tables whose rows are never deleted. */
const only_growing = ['audit_chains']

/** Tables that only migrations write to. */
const read_only = ['migrations', 'schema_definitions', 'graphile_worker.migrations']

type RoleFacts = { name: string; migrated: boolean; owns: boolean; powers: string[] }

/** Errors of a refused session: wrong password, missing role, missing right to connect, missing database. */
const refusals_of_sessions = new Set(['28P01', '28000', '42501', '3D000'])

/**
 * Migrates the database with the owner role, and grants rights to the service role. Returns warnings for the operator,
 * such as missing row-level security if one role does both. Throws DatabaseRefused if there are two roles and one has
 * too many rights, or if a migration is missing and no role may run it.
 */
export async function makeReady({ url, migration_url, createRoles }: Addresses): Promise<string[]> {
  if (migration_url === undefined) return makeReadyAlone(url, await withClient(url, factsOf))
  try {
    return await makeReadyWithTwoRoles(url, migration_url)
  } catch (error) {
    if (!createRoles || !refusals_of_sessions.has((error as pg.DatabaseError).code ?? '')) throw error
  }
  await createRoles()
  return makeReadyWithTwoRoles(url, migration_url)
}

/** Opens a session for each role at the same time, because most starts find nothing to change. */
async function makeReadyWithTwoRoles(url: string, migration_url: string): Promise<string[]> {
  const owner_pool = poolOf(migration_url)
  try {
    return await withClient(url, async (client) => {
      const [service, owner] = await Promise.all([factsOf(client), factsOf(owner_pool)])
      if (owner.name === service.name)
        throw new DatabaseRefused(
          'DATABASE_URL and MIGRATION_DATABASE_URL name the same role. The service role must own nothing.',
        )
      requireNoPowers(owner, 'MIGRATION_DATABASE_URL')
      requireNoPowers(service, 'DATABASE_URL')
      await migrate({ pool: owner_pool })
      await grantServiceRights(owner_pool, service.name)
      if ((await factsOf(client)).owns) {
        throw new DatabaseRefused(
          `The role ${service.name} of DATABASE_URL owns tables or is a member of their owner. It must own nothing.`,
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
    `The role ${service.name} of DATABASE_URL owns the tables that it serves from${powers}: row-level security ` +
      'between organizations does not apply. Set MIGRATION_DATABASE_URL to the owner of the database, and ' +
      'DATABASE_URL to a role that owns nothing.',
  ]
}

function requireNoPowers({ name, powers: [power] }: RoleFacts, setting: string): void {
  if (power !== undefined)
    throw new DatabaseRefused(`The role ${name} of ${setting} ${power}. Use a role without that right.`)
}

/** A pool for a role. It usually opens one session. */
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
    'The database lacks a migration of this version, and the role of DATABASE_URL may not make it. Start a process ' +
      'with MIGRATION_DATABASE_URL first.',
  )
}

/** Opens a session for the work, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'openbenefits command' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The facts about a role and its rights beyond rows. The service role must have no such rights. */
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

/** Whether a role lacks rights or has too many, such as after a migration, or after a restore that omitted rights. */
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
 * Grants a role the rights to read rows, and to write those that it may write. Changes nothing if the rights are
 * correct, because processes that start together would block each other.
 */
async function grantServiceRights(pool: pg.Pool, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role)
  const restricted = [...(await withPartitions(pool, append_only)), ...read_only]
  const growing = await withPartitions(pool, only_growing)
  const roles = [role, restricted, growing]
  const { rows } = await pool.query<{ lacking: boolean; database: string }>(lacks_rights, roles)
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

/** Tables with their partitions, because rights on a partition are separate. */
async function withPartitions(client: pg.Pool, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
      union select part.relid::regclass::text from unnest($1::text[]) as name, pg_partition_tree(name) as part`,
    [tables],
  )
  return rows.map(({ name }) => name)
}
