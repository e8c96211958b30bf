import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../kernel/config.ts'
import type { Kept } from '../platform/keys.ts'
import type { Addresses } from '../platform/database/roles.ts'
import { startCluster, urlOfRunning } from '../platform/postgres/cluster.ts'
import { name as database_name } from '../platform/postgres/data.ts'
import { ensureRoles, roleUrls } from '../platform/postgres/roles.ts'
import { readSettings } from '../platform/settings.ts'

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
  { database_password: password }: Kept,
): Promise<Reached<{ url: string }>> {
  if (!existsSync(join(config.DATA_DIR, 'postgres'))) throw new Error(`There is no database in ${config.DATA_DIR}.`)
  const running = await urlOfRunning(config.DATA_DIR, password)
  if (running !== undefined) return { url: running, stop: async () => undefined }
  const cluster = await startCluster({ data_dir: config.DATA_DIR, password, postgres_bin: config.POSTGRES_BIN })
  return { url: cluster.url, stop: () => cluster.stop() }
}

/** The database of a service: the one of the settings, or the embedded one, which is started if nobody runs it. */
export async function reach(config: Config, keys: Kept): Promise<Reached<Addresses>> {
  if (config.DATABASE_URL)
    return { url: config.DATABASE_URL, migration_url: config.MIGRATION_DATABASE_URL, stop: async () => undefined }
  const { url, stop } = await reachCluster(config, keys)
  return { ...roleUrls({ url }, keys.database_password, database_name), stop }
}

/** The same where the roles may be missing, as in data of an older version. */
export async function reachToMigrate(config: Config, keys: Kept): Promise<Reached<Addresses>> {
  if (config.DATABASE_URL) return reach(config, keys)
  const { url, stop } = await reachCluster(config, keys)
  return { ...(await ensureRoles({ url }, keys.database_password, database_name)), stop }
}
