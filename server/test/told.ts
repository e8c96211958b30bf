import pg from 'pg'
import { inject } from 'vitest'
import { tasks } from '../modules.ts'
import { openDatabase } from '../database/query/database.ts'
import { plantStory, type Story } from '../sandbox/story.ts'
import { leaveAlone, runAtEach } from './divided.ts'
import { testRuntime } from './runtime.ts'
import { addressOf } from './setup.ts'

/**
 * A database in which the whole story of the sandbox is told up to a moment, to be copied, and its keys. Whoever needs
 * it first in a run of the tests tells it, and others wait for that. `name`: of the moment, among those that are asked
 * for.
 */
export async function toldTemplate(name: string, now: number): Promise<{ template: string; story: Story }> {
  const maintenance_url = inject('maintenance_url')
  const servers = inject('servers')
  const template = `${inject('template')}_${name}`
  const client = new pg.Client({ connectionString: maintenance_url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rows } = await client.query<{ keys: string | null }>(
      `select shobj_description(oid, 'pg_database') as keys from pg_database where datname = $1`,
      [template],
    )
    if (rows[0]?.keys) return { template, story: JSON.parse(rows[0].keys) as Story }
    await runAtEach(servers, `create database ${template} template ${inject('template')} strategy file_copy`)
    const database = openDatabase({ url: addressOf(maintenance_url, template), divided: servers.length > 1 })
    const story = await plantStory(
      testRuntime(database, inject('secret_keys'), () => now),
      tasks,
    )
    await database.close()
    await leaveAlone(servers, template)
    // The last thing: from then on it is whole.
    await client.query(`comment on database ${template} is ${pg.escapeLiteral(JSON.stringify(story))}`)
    return { template, story }
  } finally {
    await client.end()
  }
}
