import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { directUrlOf, type Config } from '../kernel/config.ts'
import type { StoredKeys } from '../security/keys.ts'
import type { Addresses } from '../database/schema/roles.ts'
import { findRunning, startCluster, type Opened } from '../../packages/embedded-postgres/cluster.ts'
import { name as database_name } from '../../packages/embedded-postgres/data-directory.ts'
import { ensureRoles, roleUrls } from '../../packages/embedded-postgres/roles.ts'

/** A connection to the database. `stop` stops the embedded PostgreSQL if the command started it. */
export type Reached<Address> = Address & { stop(): Promise<void> }

/** Connects to the embedded PostgreSQL as its superuser, and starts it if necessary. Throws if it does not exist. */
export async function reachCluster(
  config: Config,
  { database_password: password, next_database_password: next_password }: StoredKeys,
): Promise<Reached<Opened>> {
  if (!existsSync(join(config.DATA_DIR, 'postgres'))) throw new Error(`There is no database in ${config.DATA_DIR}.`)
  const running = await findRunning(config.DATA_DIR, password, next_password)
  if (running) return { ...running, stop: async () => undefined }
  const { DATA_DIR: data_dir, POSTGRES_BIN: postgres_bin } = config
  const cluster = await startCluster({ data_dir, password, next_password, postgres_bin })
  return { url: cluster.url, password: cluster.password, stop: () => cluster.stop() }
}

/** Connects to the database of the settings, or to the embedded one. */
export async function reach(config: Config, keys: StoredKeys): Promise<Reached<Addresses>> {
  const direct_url = directUrlOf(config)
  if (direct_url !== undefined)
    return { url: direct_url, migration_url: config.MIGRATION_DATABASE_URL, stop: async () => undefined }
  const { url, password, stop } = await reachCluster(config, keys)
  return { ...roleUrls({ url }, password, database_name), stop }
}

/** Like `reach`, but creates missing roles, as before the first start. */
export async function reachToMigrate(config: Config, keys: StoredKeys): Promise<Reached<Addresses>> {
  if (config.DATABASE_URL) return reach(config, keys)
  const { url, password, stop } = await reachCluster(config, keys)
  return { ...(await ensureRoles({ url }, password, database_name)), stop }
}
