import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { directUrlOf, type Config } from '../kernel/config.ts'
import type { Kept } from '../security/keys.ts'
import type { Addresses } from '../database/schema/roles.ts'
import { findRunning, startCluster, type Opened } from '../../packages/embedded-postgres/cluster.ts'
import { name as database_name } from '../../packages/embedded-postgres/data.ts'
import { ensureRoles, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { readSettings } from '../runtime/settings.ts'

/** The settings of the service, from the environment of a command, without those of outside systems. */
export const settingsOf = (env: NodeJS.ProcessEnv): Config => readSettings(env)

/** A database that is reached for as long as a command runs. */
export type Reached<Address> = Address & { stop(): Promise<void> }

/**
 * The embedded PostgreSQL, as its superuser: the one that runs, or else one that is started for as long. Throws where
 * there is none yet.
 */
export async function reachCluster(
  config: Config,
  { database_password: password, next_database_password: next_password }: Kept,
): Promise<Reached<Opened>> {
  if (!existsSync(join(config.DATA_DIR, 'postgres'))) throw new Error(`There is no database in ${config.DATA_DIR}.`)
  const running = await findRunning(config.DATA_DIR, password, next_password)
  if (running) return { ...running, stop: async () => undefined }
  const { DATA_DIR: data_dir, POSTGRES_BIN: postgres_bin } = config
  const cluster = await startCluster({ data_dir, password, next_password, postgres_bin })
  return { url: cluster.url, password: cluster.password, stop: () => cluster.stop() }
}

/** The database of a service: the one of the settings, or the embedded one, which is started if nobody runs it. */
export async function reach(config: Config, keys: Kept): Promise<Reached<Addresses>> {
  const direct_url = directUrlOf(config)
  if (direct_url !== undefined)
    return { url: direct_url, migration_url: config.MIGRATION_DATABASE_URL, stop: async () => undefined }
  const { url, password, stop } = await reachCluster(config, keys)
  return { ...roleUrls({ url }, password, database_name), stop }
}

/** The same where the roles may be missing, as in data of an older version. */
export async function reachToMigrate(config: Config, keys: Kept): Promise<Reached<Addresses>> {
  if (config.DATABASE_URL) return reach(config, keys)
  const { url, password, stop } = await reachCluster(config, keys)
  return { ...(await ensureRoles({ url }, password, database_name)), stop }
}

/** Works in a session of its own. */
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
