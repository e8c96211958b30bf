import { keptIn, newDatabasePassword } from '../security/keys.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { name as database_name } from '../../packages/embedded-postgres/data-directory.ts'
import { replacePasswords, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { sha256 } from '../security/secrets.ts'
import { reachCluster, withClient } from './connect.ts'
import { recordUse, type KeyRotation, type Rotated, type RotationOptions } from './rotation.ts'

/**
 * Replaces the password of the embedded database. The new one is stored beside the old one, then set for all three
 * roles in one transaction, then stored alone. In between, new sessions try both. Open sessions continue, so the
 * service does not have to reload anything. An interrupted replacement continues with the stored password.
 */
export async function replaceDatabasePassword(
  { config, store }: Pick<KeyRotation, 'config' | 'store'>,
  { finish }: RotationOptions,
): Promise<Rotated> {
  const secret = 'DATABASE_PASSWORD'
  const kept = keptIn(config.DATA_DIR)
  if (finish && kept.next_database_password === undefined) return { secret, state: 'unchanged' }
  const { database_password, next_database_password = newDatabasePassword() } = kept
  store.putPassword({ database_password, next_database_password })
  const { url, stop } = await reachCluster(config, keptIn(config.DATA_DIR))
  try {
    await withClient(url, (client) => replacePasswords(client, next_database_password))
    store.putPassword({ database_password: next_database_password })
    const database = openDatabase(roleUrls({ url }, next_database_password, database_name))
    const key = sha256(next_database_password).toString('hex').slice(0, 8)
    try {
      await recordUse({ database, store }, secret, key)
    } finally {
      await database.close()
    }
    return { secret, state: 'replaced', key }
  } finally {
    await stop()
  }
}
