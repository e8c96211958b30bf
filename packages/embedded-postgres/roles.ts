/** The two roles of the service in an embedded server. Neither is the superuser. */
import { createHmac } from 'node:crypto'
import pg from 'pg'
import type { Password } from '../../server/database/query/session.ts'
import type { StoredKeys } from '../../server/security/keys.ts'
import { databaseUrl, query, urlWith, withCurrentPassword, type Opened } from './cluster.ts'
import { name as superuser } from './data-directory.ts'

const owner_role = 'openbenefits_owner'
const service_role = 'openbenefits_service'

const duplicate_database = '42P04'
const unique_violation = '23505'
const wrong_password = '28P01'

const lost_password = 'PostgreSQL refuses the stored password. Restore the password that its data was created with.'

/** The addresses of a database of an embedded server, for the service role and for the owner role. */
export type RoleUrls = { url: string; migration_url: string }

/**
 * The addresses of a database of an embedded server. `cluster`: the superuser's address. `password`: the basis of the
 * roles' passwords.
 */
export function roleUrls(cluster: { url: string }, password: string, database: string): RoleUrls {
  const urlOf = (role: string) => {
    const url = new URL(databaseUrl(cluster, database))
    url.username = role
    url.password = passwordOf(role, password)
    return url.href
  }
  return { url: urlOf(service_role), migration_url: urlOf(owner_role) }
}

/** Derives the password of a role from the only stored password. */
const passwordOf = (role: string, password: string): string =>
  createHmac('sha256', password).update(`the password of ${role}`).digest('base64url')

/** Creates a database if it is missing. Returns its address. */
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
 * Creates the database and the two roles if they are missing, and makes the owner role the owner of the database.
 * Changes nothing if they exist.
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
    if (rows[0]!.owner !== owner_role) await client.query(transfer_ownership)
    // Reset passwords that no longer work. They are outdated if the superuser's password was replaced since.
    if (!(await canConnect(urls.url)) || !(await canConnect(urls.migration_url)))
      await client.query(allowLogin(owner_role, password) + allowLogin(service_role, password))
  } finally {
    await client.end()
  }
  return urls
}

/** Replaces the passwords of all three roles, all or none, in a session of the superuser. Open sessions continue. */
export const replacePasswords = (client: pg.ClientBase, password: string): Promise<unknown> =>
  client.query(
    `begin;
     alter role ${pg.escapeIdentifier(superuser)} with password ${pg.escapeLiteral(password)};
     ${allowLogin(owner_role, password)} ${allowLogin(service_role, password)}
     commit`,
  )

/**
 * The current password of the service role, which a rotation may replace at any time. `kept` reads the stored
 * passwords.
 */
export const servicePasswordAt =
  (cluster: Opened, kept: () => StoredKeys): Password =>
  async () => {
    const { database_password, next_database_password } = kept()
    const first = { url: urlWith(cluster.url, database_password), password: database_password }
    const { password } = await withCurrentPassword(first, next_database_password)
    return passwordOf(service_role, password)
  }

const allowLogin = (role: string, password: string): string =>
  `alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls
     password ${pg.escapeLiteral(passwordOf(role, password))};`

async function canConnect(url: string): Promise<boolean> {
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

/** Makes the owner role the owner of the database. Besides it, only the service role may connect. */
const transfer_ownership = `
  do $$ begin
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to ${service_role}', current_database());
    execute format('alter database %I owner to ${owner_role}', current_database());
  end $$`
