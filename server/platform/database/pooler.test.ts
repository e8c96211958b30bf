import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { pooler_version, startPooler } from '../../test/pooler.ts'
import { roles_password, run } from '../../test/setup.ts'
import { roleUrls } from '../postgres/roles.ts'
import { openDatabase } from './database.ts'
import { no_organization } from './rows-of.ts'

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
  return pooler
}

describe.skipIf(pooler_version === undefined)(`behind PgBouncer ${pooler_version} in transaction mode`, () => {
  it('holds each statement to its time, though the session is told nothing', async () => {
    const pooler = await stage()
    const database = openDatabase({ url: pooler.url, prepared_statements: false })
    closing.push(() => database.close())
    const limit = `select current_setting('statement_timeout') as limit`
    expect(await database.readsOf('somebody', no_organization).json(limit)).toBe('100ms')
    expect(await database.files(no_organization).json(limit)).toBe('1min')
    expect(await database.transaction(no_organization, (db) => db.json(limit))).toBe('1min')
  })
})
