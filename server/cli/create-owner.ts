import { directUrlOf, type Config } from '../kernel/config.ts'
import { createOperator } from '../modules/access/operators/actions.ts'
import { isDatabaseError, type Database } from '../database/query/database.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { every_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import type { SecretKeys } from '../security/secrets.ts'
import { commandScope, recordAction } from './command-action.ts'
import { reachCluster } from './connect.ts'

const undefined_table = '42P01'

/**
 * Creates an owner of the installation, and returns the operator key. It writes to the database directly, for the case
 * that all operator keys are lost. This needs only access to the database. Throws if there is no database.
 */
export async function makeOwner(config: Config, owner: { name: string; email: string }): Promise<string> {
  const direct_url = directUrlOf(config)
  if (direct_url !== undefined) return makeOwnerAt(direct_url, loadKeys(config), owner)
  const keys = loadKeys(config)
  const { url, stop } = await reachCluster(config, keys)
  try {
    return await makeOwnerAt(url, keys, owner)
  } finally {
    await stop()
  }
}

async function makeOwnerAt(url: string, keys: SecretKeys, owner: { name: string; email: string }): Promise<string> {
  const database = openDatabase({ url })
  try {
    return await makeOwnerIn(database, keys, owner)
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== undefined_table) throw error
    throw new Error('The database is not that of this version: start the service once first.', { cause: error })
  } finally {
    await database.close()
  }
}

const makeOwnerIn = (database: Database, keys: SecretKeys, owner: { name: string; email: string }): Promise<string> =>
  database.transaction(every_organization, async (db) => {
    const scope = commandScope(db)
    const { operator_id, key } = await createOperator(scope, { ...owner, role: 'owner' })
    const fields = ['name', 'email', 'role']
    const action = { operation: 'operator_create_operator', resource_id: operator_id, fields }
    await recordAction(scope, keys, { command: 'openbenefits/owner', ...action })
    return key.operator_key
  })
