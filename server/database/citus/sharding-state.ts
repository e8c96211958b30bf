import { openDatabase, type Database, type DatabaseOptions } from '../query/database.ts'
import { no_organization } from '../query/rows-of.ts'

/** A database that this service can't run on: its message is the one sentence that the operator sees. */
export class DatabaseRefused extends Error {}

const are_known = `select to_regclass('public.set_aside') is not null as known`

/** SQL: something is set aside from the first step of dividing to the last of undoing it; in between all is done. */
const state = 'select exists (select from set_aside) as begun, exists (select from whole_commits) as done'

type Ask = <Row extends object>(text: string) => Promise<Row | undefined>

/** Whether the tenants of a database are divided; throws where that was begun and not ended. */
export async function isDivided(ask: Ask): Promise<boolean> {
  if (!(await ask<{ known: boolean }>(are_known))!.known) return false
  const { begun, done } = (await ask<{ begun: boolean; done: boolean }>(state))!
  if (begun && !done)
    throw new DatabaseRefused(
      'Dividing the tenants of this database, or bringing them back, was begun and not ended: `openbenefits ' +
        'distribute --apply` or `openbenefits undistribute --apply` goes on.',
    )
  return begun
}

/** Opens a database as it is found: with its tenants on one server, or divided. */
export async function openAsFound(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options)
  try {
    if (!(await isDivided((text) => database.reads(no_organization).row(text)))) return database
  } catch (error) {
    await database.close()
    throw error
  }
  await database.close()
  return openDatabase({ ...options, divided: true })
}
