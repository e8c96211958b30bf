/** The two roles of the service in a server that we run, whose superuser is neither of them. */
import { createHmac } from 'node:crypto'
import pg from 'pg'
import type { Password } from '../../server/database/query/session.ts'
import type { Kept } from '../../server/security/keys.ts'
import { databaseUrl, query, urlWith, withGoodPassword, type Opened } from './cluster.ts'
import { name as superuser } from './data.ts'

const owner_role = 'openbenefits_owner'
const service_role = 'openbenefits_service'

const duplicate_database = '42P04'
const unique_violation = '23505'
const wrong_password = '28P01'

const lost_password = 'PostgreSQL refuses the password kept for it: put back the one its data was made with.'

/** Where a database of our server is: for the role that serves, and for the one that owns and migrates. */
export type RoleUrls = { url: string; migration_url: string }

/** The addresses of a database of a server of ours. `cluster`: the superuser's; `password`: theirs. */
export function roleUrls(cluster: { url: string }, password: string, database: string): RoleUrls {
  const urlOf = (role: string) => {
    const url = new URL(databaseUrl(cluster, database))
    url.username = role
    url.password = passwordOf(role, password)
    return url.href
  }
  return { url: urlOf(service_role), migration_url: urlOf(owner_role) }
}

/** A password of its own for each, from the only one that is kept. */
const passwordOf = (role: string, password: string): string =>
  createHmac('sha256', password).update(`the password of ${role}`).digest('base64url')

/** Creates a database where it is missing; answers its address. */
export async function ensureDatabase(cluster: { url: string }, database: string): Promise<string> {
  try {
    await query(cluster, `create database ${pg.escapeIdentifier(database)}`, 10_000)
  } catch (error) {
    const { code } = error as pg.DatabaseError
    if (code === wrong_password) throw new Error(lost_password, { cause: error })
    if (code !== duplicate_database && code !== unique_violation) throw error
  }
  return databaseUrl(cluster, database)
}

/**
 * Makes the database and the two roles where they are missing, and it theirs with all in it, which the superuser owned
 * before there were two. Changes nothing where all is as it should be.
 */
export async function ensureRoles(cluster: { url: string }, password: string, database: string): Promise<RoleUrls> {
  const urls = roleUrls(cluster, password, database)
  const client = new pg.Client({ connectionString: await ensureDatabase(cluster, database) })
  client.on('error', () => undefined)
  try {
    await client.connect()
    for (const role of [owner_role, service_role]) {
      const is_known = (await client.query('select from pg_roles where rolname = $1', [role])).rowCount === 1
      if (!is_known) await client.query(`create role ${role}`)
    }
    const { rows } = await client.query<{ owner: string }>(
      `select datdba::regrole::text as owner from pg_database where datname = current_database()`,
    )
    if (rows[0]!.owner !== owner_role) await client.query(hand_over)
    // Also those of another password, which the superuser may have been given since.
    if (!(await answers(urls.url)) || !(await answers(urls.migration_url)))
      await client.query(letIn(owner_role, password) + letIn(service_role, password))
  } finally {
    await client.end()
  }
  return urls
}

/**
 * Gives all three roles other passwords, by the superuser's session: all at once or none. Sessions that are open go on.
 */
export const replacePasswords = (client: pg.ClientBase, password: string): Promise<unknown> =>
  client.query(
    `begin;
     alter role ${pg.escapeIdentifier(superuser)} with password ${pg.escapeLiteral(password)};
     ${letIn(owner_role, password)} ${letIn(service_role, password)}
     commit`,
  )

/** The password of the role that serves, which may be replaced while it does. `kept`: reads what is kept, anew. */
export const servicePasswordAt =
  (cluster: Opened, kept: () => Kept): Password =>
  async () => {
    const { database_password, next_database_password } = kept()
    const first = { url: urlWith(cluster.url, database_password), password: database_password }
    const { password } = await withGoodPassword(first, next_database_password)
    return passwordOf(service_role, password)
  }

const letIn = (role: string, password: string): string =>
  `alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
     password ${pg.escapeLiteral(passwordOf(role, password))};`

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/**
 * The database, and everything in it that is not an extension's; then the database itself, by which it is known that
 * all is done. Nobody else gets in or makes anything.
 */
const hand_over = `
  do $$
  declare
    made record;
    ours oid[] := array(select oid from pg_namespace where nspname in ('public', 'graphile_worker'));
  begin
    -- Where tenants are divided functions are handed over by one connection for each server, and so is all before them.
    perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
    for made in
      select format('schema %I', nspname) as name from pg_namespace where nspname = 'graphile_worker'
      union all
      select format('table %s', oid::regclass) from pg_class
       where relkind in ('r', 'p', 'v', 'm') and relnamespace = any(ours)
      union all
      select format('type %s', oid::regtype) from pg_type
       where typnamespace = any(ours) and (typtype in ('d', 'e') or typtype = 'c' and exists (
               select from pg_class where oid = typrelid and relkind = 'c'))
         and not exists (select from pg_depend
                          where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e')
      union all
      select format('routine %s', oid::regprocedure) from pg_proc
       where pronamespace = any(ours)
         and not exists (select from pg_depend
                          where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    loop
      execute format('alter %s owner to ${owner_role}', made.name);
    end loop;
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to ${service_role}', current_database());
    execute format('alter database %I owner to ${owner_role}', current_database());
  end $$`
