import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database/query/open-database.ts'
import { keepPartitions } from '../database/schema/partitions.ts'
import { makeReady } from '../database/schema/roles.ts'
import { databaseUrl } from '../../packages/embedded-postgres/cluster.ts'
import { ensureRoles, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { seedOrganizations, type Story } from '../sandbox/story.ts'
import { unpackBrowser } from './clients/packaged-browser.ts'
import { startThrowawayPostgres } from './postgres/throwaway.ts'
import { shard, joinServers, disconnectClients, runAtEach, serversOf, type Servers } from './postgres/sharding.ts'
import { noon, testRuntime } from './runtime.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's maintenance database, from which others are created. */
    maintenance_url: string
    template: string
    /** The server of the run, and with sharding its workers. */
    servers: Servers
    secret_keys: ReturnType<typeof newSecretKeys>
    story: Story
  }
}

/**
 * Starts one PostgreSQL for the whole run, with one template database that is migrated and seeded with the
 * organizations. Each worker process gets a copy. With DATABASE_URL, a superuser's, the suite runs on that server
 * instead.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Otherwise, two workers would unpack it at the same time, and one would start an incomplete file.
  await unpackBrowser()
  const cluster = process.env.DATABASE_URL ? undefined : await startThrowawayPostgres()
  const maintenance_url = process.env.DATABASE_URL ?? databaseUrl(cluster!, 'postgres')

  if (cluster) await keepPlans(maintenance_url)
  const template = `template_${process.pid}`
  const servers = await serversOf(maintenance_url)
  const [, ...workers] = servers
  await runAtEach(workers, roles_behind)
  await runAtEach(workers, `create database ${template} owner openbenefits_owner`)
  await run(maintenance_url, `create database ${template}`)
  const secret_keys = newSecretKeys()
  const addresses = await ensureRoles({ url: maintenance_url }, roles_password, template)
  await makeReady(addresses)
  const database = openDatabase(addresses)
  const runtime = testRuntime(database, secret_keys, () => noon('2026-03-10'))
  await keepPartitions(runtime, runtime.settings.audit_retention_years)
  const story = await seedOrganizations(runtime)
  // Tests move the clock by years.
  await database.pool.query(`update operator_keys set expires_at = '2199-01-01'`)
  await database.close()
  if (workers.length > 0) {
    process.stdout.write(`Tenants are sharded over ${workers.length} servers.\n`)
    await joinServers(servers, template)
    await shard(addresses.migration_url)
    await disconnectClients(servers, template)
  }

  project.provide('maintenance_url', maintenance_url)
  project.provide('template', template)
  project.provide('servers', servers)
  project.provide('secret_keys', secret_keys)
  project.provide('story', story)
  return async () => {
    if (cluster) return cluster.stop()
    for (const name of await databasesOf(maintenance_url, template))
      await runAtEach(servers, `drop database if exists ${name} with (force)`)
  }
}

/** Creates the roles on the workers. The workers trust connections from the first server. */
const roles_behind = `do $$ declare name text; begin
  foreach name in array array['openbenefits_owner', 'openbenefits_service'] loop
    if not exists (select from pg_roles where rolname = name) then execute 'create role ' || name || ' login'; end if;
  end loop;
end $$`

export const roles_password = 'roles of tests'

/** The address of a database of the run, for the role that serves. */
export const addressOf = (maintenance_url: string, database: string): string =>
  roleUrls({ url: maintenance_url }, roles_password, database).url

/** Turns autovacuum off, since each analyzed table makes all sessions plan its statements again. */
async function keepPlans(maintenance_url: string): Promise<void> {
  await run(maintenance_url, 'alter system set autovacuum = off')
  await run(maintenance_url, 'select pg_reload_conf()')
}

/** The databases of a run: the template and its copies. */
async function databasesOf(maintenance_url: string, template: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: maintenance_url })
  await client.connect()
  try {
    const named = 'select datname as name from pg_database where starts_with(datname, $1)'
    return (await client.query<{ name: string }>(named, [template])).rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Runs one statement in a separate session. */
export async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
