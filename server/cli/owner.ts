import type { Config } from '../kernel/config.ts'
import { easternDay } from '../kernel/days.ts'
import { createOperator } from '../modules/operators/actions.ts'
import { recordAudit } from '../platform/audit.ts'
import { serviceCaller } from '../platform/caller.ts'
import type { WriteScope } from '../platform/ctx.ts'
import { isDatabaseError, openDatabase, type Database } from '../platform/database/database.ts'
import { every_organization } from '../platform/database/rows-of.ts'
import { loadKeys } from '../platform/keys.ts'
import { openSecrets, type Secrets } from '../platform/secrets.ts'
import { reachCluster } from './reach.ts'

const undefined_table = '42P01'

/**
 * Makes an owner of the installation with a key, straight in its database: for when all operator keys are lost. Whoever
 * can do this has the database anyway. Throws when there is no database.
 */
export async function makeOwner(config: Config, owner: { name: string; email: string }): Promise<string> {
  if (config.DATABASE_URL) return makeOwnerAt(config.DATABASE_URL, openSecrets(loadKeys(config)), owner)
  const keys = loadKeys(config)
  const { url, stop } = await reachCluster(config, keys)
  try {
    return await makeOwnerAt(url, openSecrets(keys), owner)
  } finally {
    await stop()
  }
}

async function makeOwnerAt(url: string, secrets: Secrets, owner: { name: string; email: string }): Promise<string> {
  const database = openDatabase({ url })
  try {
    return await makeOwnerIn(database, secrets, owner)
  } catch (error) {
    if (!isDatabaseError(error) || error.code !== undefined_table) throw error
    throw new Error('The database is not that of this version: start the service once first.', { cause: error })
  } finally {
    await database.close()
  }
}

const makeOwnerIn = (database: Database, secrets: Secrets, owner: { name: string; email: string }): Promise<string> =>
  database.transaction(every_organization, async (db) => {
    const now = new Date().toISOString()
    const caller = { ...serviceCaller(null), credential_id: 'command' }
    const ctx: WriteScope = { db, caller, today: easternDay(Date.parse(now)), now, real_now: now }
    const { operator_id, key } = await createOperator(ctx, { ...owner, role: 'owner' })
    const fields = ['name', 'email', 'role']
    const deed = { operation: 'operator_create_operator', organization_id: null, resource_id: operator_id, fields }
    const by_command = { status: 201, address: null, trace_id: 'npx openbenefits owner', holds_lock: false }
    await recordAudit({ ...ctx, secrets }, { ...deed, ...by_command })
    return key.operator_key
  })
