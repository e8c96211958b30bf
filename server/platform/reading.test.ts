import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'
import type { Db } from './db.ts'

const api = useApi()

/** As long as somebody has the lock, whoever asks this gets no answer. */
const slow = 'select 1 as answered, pg_advisory_xact_lock_shared(7)::text as locked'
const quick = 'select 2 as answered'
const ask = async (db: Db, text: string) => (await db.row<{ answered: number }>(text))?.answered

let release: () => Promise<void>
beforeEach(async () => {
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(7)')
  release = async () => {
    release = async () => undefined
    await holder.query('select pg_advisory_unlock(7)')
    holder.release()
  }
})
afterEach(() => release())

describe('50 slow reads of an organization', () => {
  it('keep no other from reading, and are answered in the end', async () => {
    const slow_reads = Array.from({ length: 50 }, () => ask(api.database.readsOf('a'), slow))
    for (let n = 0; n < 10; n++) expect(await ask(api.database.readsOf('b'), quick)).toBe(2)
    for (let n = 0; n < 10; n++) expect(await ask(api.database.reads, quick)).toBe(2)
    await release()
    expect(await Promise.all(slow_reads)).toEqual(Array.from({ length: 50 }, () => 1))
  })

  it('keep it from nothing else', async () => {
    const slow_reads = Array.from({ length: 50 }, () => ask(api.database.readsOf('c'), slow))
    for (let n = 0; n < 10; n++) expect(await ask(api.database.readsOf('c'), quick)).toBe(2)
    await release()
    await Promise.all(slow_reads)
  })

  it('leave room for slow reads of others', async () => {
    const others = await api.database.pool.connect()
    await others.query('select pg_advisory_lock(8)')
    const slow_reads = Array.from({ length: 50 }, () => ask(api.database.readsOf('d'), slow))
    const other = ask(api.database.readsOf('e'), slow.replace('(7)', '(8)'))
    for (let n = 0; n < 10; n++) expect(await ask(api.database.readsOf('f'), quick)).toBe(2)
    await others.query('select pg_advisory_unlock(8)')
    others.release()
    expect(await other).toBe(1)
    await release()
    await Promise.all(slow_reads)
  })

  it('are refused with a 503 beyond those that may wait', async () => {
    const answers = Array.from({ length: 250 }, () =>
      ask(api.database.readsOf('g'), slow).catch((error: { kind: { status: number } }) => error.kind.status),
    )
    const first = await Promise.race(answers)
    expect(first).toBe(503)
    await release()
    const all = await Promise.all(answers)
    expect(all.filter((answer) => answer === 1)).toHaveLength(201)
    expect(all.filter((answer) => answer === 503)).toHaveLength(49)
  })
})

it('a read that was quick until now keeps others from nothing when it is slow', async () => {
  await release()
  const known = api.database.readsOf('h')
  expect(await ask(known, slow)).toBe(1)
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(7)')
  const slow_reads = Array.from({ length: 20 }, () => ask(known, slow))
  for (let n = 0; n < 10; n++) expect(await ask(api.database.readsOf('i'), quick)).toBe(2)
  await holder.query('select pg_advisory_unlock(7)')
  holder.release()
  expect(await Promise.all(slow_reads)).toEqual(Array.from({ length: 20 }, () => 1))
})
