import pg from 'pg'
import { inject } from 'vitest'
import { tasks } from '../../worker-tasks.ts'
import { openDatabase } from '../../database/query/open-database.ts'
import { seedStory, type Story } from '../../sandbox/story.ts'
import { citus } from '../../database/citus/citus.ts'
import { disconnectClients, runAtEach } from './sharding.ts'
import { testRuntime } from '../runtime.ts'
import { addressOf } from '../setup.ts'

/**
 * Returns a database with the data of the sandbox up to a moment, to be copied, and its keys. The first test file that
 * needs it creates it, and others wait. `name` identifies the moment.
 */
export async function storyTemplate(name: string, now: number): Promise<{ template: string; story: Story }> {
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
    const database = openDatabase({
      url: addressOf(maintenance_url, template),
      distribution: servers.length > 1 ? citus : undefined,
    })
    const story = await seedStory(
      testRuntime(database, inject('secret_keys'), () => now),
      tasks,
    )
    await database.close()
    await disconnectClients(servers, template)
    // The comment is written last: it marks the database as complete.
    await client.query(`comment on database ${template} is ${pg.escapeLiteral(JSON.stringify(story))}`)
    return { template, story }
  } finally {
    await client.end()
  }
}
