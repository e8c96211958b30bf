import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { dataFolder } from '../postgres/data-folder.ts'
import { pooler_version, startPooler } from '../postgres/pooler.ts'
import { countMade, openDemo, replaceUnderLoad } from './rolling-upgrade.ts'

if (pooler_version === undefined) console.warn('PgBouncer is not installed, so the upgrade behind it is not tested.')

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

async function stage() {
  const folder = dataFolder('rolling')
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const opened = await openDemo(folder)
  closing.push(() => opened.stop())
  return opened
}

/** More clients wait for a session than there are sessions, so that each session is shared. */
const sessions = 6

/** The settings left in the shared sessions of the pooler, without duplicates. */
async function leftBehind(pooled_url: string) {
  const clients = Array.from({ length: sessions }, () => new pg.Client({ connectionString: pooled_url }))
  const found = new Set<string>()
  for (const client of clients) {
    await client.connect()
    // Each client keeps its session until all have one.
    await client.query('begin')
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, current_setting(name, true) as setting
         from unnest(array['statement_timeout', 'enable_seqscan', 'plan_cache_mode', 'openbenefits.organizations'])
              as name`,
    )
    for (const { name, setting } of rows) found.add(`${name}: ${setting ?? ''}`)
  }
  for (const client of clients) await client.end()
  return [...found].sort()
}

describe.skipIf(pooler_version === undefined)(`behind PgBouncer ${pooler_version} in transaction mode`, () => {
  it('replaces every process of the service under load without failed requests', { timeout: 900_000 }, async () => {
    const staged = await stage()
    const { DATABASE_URL } = staged.settings
    const pooler = await startPooler(DATABASE_URL, sessions)
    closing.push(() => pooler.stop())
    const tally = await replaceUnderLoad(staged, {
      DATABASE_URL: pooler.url,
      DIRECT_DATABASE_URL: DATABASE_URL,
      PREPARED_STATEMENTS: 'false',
    })
    expect(tally.errors).toEqual([])
    expect(await countMade(staged)).toEqual({ employers: tally.writes, given_up: 0 })
    expect(tally.censuses).toBeGreaterThan(0)
    expect(await leftBehind(pooler.url)).toEqual([
      'enable_seqscan: on',
      'openbenefits.organizations: ',
      'plan_cache_mode: auto',
      'statement_timeout: 0',
    ])
  })
})
