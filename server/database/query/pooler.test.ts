import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { pooler_version, startPooler } from '../../test/postgres/pooler.ts'
import { roles_password, run } from '../../test/setup.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { roleUrls } from '../../../packages/embedded-postgres/roles.ts'
import { openDatabase } from './open-database.ts'
import { no_organization } from './rows-of.ts'
import { commitWith } from './transactions.ts'

if (pooler_version === undefined) console.warn('PgBouncer is not installed; its tests are skipped.')

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** Creates a database with a pooler in front of it that has few sessions. */
async function openPooledDatabase() {
  const maintenance_url = inject('maintenance_url')
  const name = `pooled_${randomUUID().replaceAll('-', '')}`
  await run(maintenance_url, `create database ${name} owner openbenefits_owner`)
  closing.push(() => run(maintenance_url, `drop database ${name} with (force)`))
  const { url } = roleUrls({ url: maintenance_url }, roles_password, name)
  const pooler = await startPooler(url, 4)
  closing.push(() => pooler.stop())
  const database = openDatabase({ url: pooler.url, prepared_statements: false })
  closing.push(() => database.close())
  return { database, direct_url: databaseUrl({ url: maintenance_url }, name) }
}

describe.skipIf(pooler_version === undefined)(`behind PgBouncer ${pooler_version} in transaction mode`, () => {
  it('limits the time of each statement, and plans it with indexes, although the session has no settings', async () => {
    const { database } = await openPooledDatabase()
    const settings = `select current_setting('statement_timeout') || ', ' || current_setting('enable_seqscan')`
    expect(await database.readsOf('somebody', no_organization).json(settings)).toBe('100ms, off')
    expect(await database.files(no_organization).json(settings)).toBe('1min, off')
    expect(await database.transaction(no_organization, (db) => db.json(settings))).toBe('1min, off')
  })
  it('sends the last statements with the commit, and fails a transaction as a whole', async () => {
    const { database, direct_url } = await openPooledDatabase()
    await run(direct_url, 'create table ended (number integer primary key)')
    await run(direct_url, 'grant select, insert on ended to openbenefits_service')
    const write = (first: number, last: number) =>
      database.transaction(no_organization, async (db) => {
        const insert = (number: number) => db.rows('insert into ended values ($1)', [number])
        await insert(first)
        return commitWith(
          first,
          () => insert(first + 100),
          () => insert(last),
        )
      })
    // More writes than the pooler has sessions. Every fourth write repeats an existing number.
    const firsts = Array.from({ length: 40 }, (_, at) => at)
    const answers = await Promise.allSettled(firsts.map((at) => write(at, at % 4 === 0 ? at : at + 200)))
    const written = firsts.filter((at) => at % 4 !== 0)
    expect(answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))).toEqual(written)
    const reasons = answers.flatMap((one) => (one.status === 'rejected' ? one.reason : []))
    expect(reasons).toEqual(Array.from({ length: 10 }, () => expect.objectContaining({ code: '23505' })))
    const kept = await database.transaction(no_organization, (db) =>
      db.rows('select number from ended order by number'),
    )
    expect(kept).toEqual([0, 100, 200].flatMap((more) => written.map((at) => ({ number: at + more }))))
  })
})
