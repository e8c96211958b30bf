import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { pooler_version, startPooler } from '../../test/pooler.ts'
import { roles_password, run } from '../../test/setup.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'
import { roleUrls } from '../../../packages/embedded-postgres/roles.ts'
import { openDatabase } from './database.ts'
import { no_organization } from './rows-of.ts'
import { endWith } from './transactions.ts'

if (pooler_version === undefined) console.warn('PgBouncer is not installed here: nothing is tried behind it.')

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** A new database with a pooler in front, which hands few sessions around. */
async function stage() {
  const maintenance_url = inject('maintenance_url')
  const name = `pooled_${randomUUID().replaceAll('-', '')}`
  await run(maintenance_url, `create database ${name} owner openbenefits_owner`)
  closing.push(() => run(maintenance_url, `drop database ${name} with (force)`))
  const { url } = roleUrls({ url: maintenance_url }, roles_password, name)
  const pooler = await startPooler(url, 4)
  closing.push(() => pooler.stop())
  const database = openDatabase({ url: pooler.url, prepared_statements: false })
  closing.push(() => database.close())
  return { database, past_it: databaseUrl({ url: maintenance_url }, name) }
}

describe.skipIf(pooler_version === undefined)(`behind PgBouncer ${pooler_version} in transaction mode`, () => {
  it('holds each statement to its time, though the session is told nothing', async () => {
    const { database } = await stage()
    const limit = `select current_setting('statement_timeout') as limit`
    expect(await database.readsOf('somebody', no_organization).json(limit)).toBe('100ms')
    expect(await database.files(no_organization).json(limit)).toBe('1min')
    expect(await database.transaction(no_organization, (db) => db.json(limit))).toBe('1min')
  })
  it('ends transactions each in one piece with its commit, and fails one as a whole', async () => {
    const { database, past_it } = await stage()
    await run(past_it, 'create table ended (number integer primary key)')
    await run(past_it, 'grant select, insert on ended to openbenefits_service')
    const write = (first: number, last: number) =>
      database.transaction(no_organization, async (db) => {
        const insert = (number: number) => db.rows('insert into ended values ($1)', [number])
        await insert(first)
        return endWith(
          first,
          () => insert(first + 100),
          () => insert(last),
        )
      })
    // More than the pooler has sessions; of four one says again what it said before.
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
