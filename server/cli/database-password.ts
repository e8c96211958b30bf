import { keptIn, newDatabasePassword } from '../security/keys.ts'
import { openDatabase } from '../database/query/database.ts'
import { name as database_name } from '../../packages/embedded-postgres/data.ts'
import { replacePasswords, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { sha256 } from '../security/secrets.ts'
import { reachCluster, withClient } from './reach.ts'
import { recordUse, type KeyRotation, type Rotated, type RotationAsked } from './rotation.ts'

/**
 * Gives the embedded database another password. It is noted beside the present one, then becomes that of all three
 * roles at once, then takes its place: in between whoever opens a session tries which of the two is good. Sessions that
 * are open go on, so nobody waits for the service to learn of it; stopped at any moment, it goes on with the password
 * that was noted.
 */
export async function replaceDatabasePassword(
  { config, store }: Pick<KeyRotation, 'config' | 'store'>,
  { finish }: RotationAsked,
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
