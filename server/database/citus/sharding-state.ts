import { DatabaseRefused, type Database } from '../query/database.ts'
import { openDatabase, type DatabaseOptions } from '../query/open-database.ts'
import { no_organization } from '../query/rows-of.ts'
import { citus } from './citus.ts'

const has_tables = `select to_regclass('public.unsharding_steps') is not null as known`

/**
 * `unsharding_steps` has rows from the first step of sharding to the last step back. `two_phase_commits` has a row
 * while the database is completely sharded.
 */
const state = 'select exists (select from unsharding_steps) as begun, exists (select from two_phase_commits) as done'

type RunQuery = <Row extends object>(text: string) => Promise<Row | undefined>

/** Whether a database is sharded. Throws if sharding started and did not finish. */
export async function isSharded(query: RunQuery): Promise<boolean> {
  if (!(await query<{ known: boolean }>(has_tables))!.known) return false
  const { begun, done } = (await query<{ begun: boolean; done: boolean }>(state))!
  if (begun && !done)
    throw new DatabaseRefused(
      'Distributing the tenants of this database, or bringing them back, was interrupted. Continue with ' +
        '`openbenefits distribute --apply` or `openbenefits undistribute --apply`.',
    )
  return begun
}

/** Opens a database as it is: on one server, or sharded. */
export async function openAsFound(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options)
  try {
    if (!(await isSharded((text) => database.reads(no_organization).row(text)))) return database
  } catch (error) {
    await database.close()
    throw error
  }
  await database.close()
  return openDatabase({ ...options, distribution: citus })
}
