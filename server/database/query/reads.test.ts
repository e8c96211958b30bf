import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { urlOf, useApi } from '../../test/harness.ts'
import type { Db } from './database.ts'
import { openReading } from './reads.ts'
import { no_organization } from './rows-of.ts'

const api = useApi()

/** A query that waits while another session holds the lock. */
const slow = 'select 1 as answered, pg_advisory_xact_lock_shared(7)::text as locked'
const quick = 'select 2 as answered'
const readsOf = (tenant: string) => api.database.readsOf(tenant, no_organization)
const query = async (db: Db, text: string) => (await db.row<{ answered: number }>(text))?.answered

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
afterEach(async () => {
  vi.restoreAllMocks()
  await release()
})

/** Makes every read take no time, because a busy machine may make a quick one slow. PostgreSQL still cancels reads. */
const stopTimer = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())

describe('50 slow reads of an organization', () => {
  it('do not delay others, and all complete', async () => {
    const slow_reads = Array.from({ length: 50 }, () => query(readsOf('a'), slow))
    for (let n = 0; n < 10; n++) expect(await query(readsOf('b'), quick)).toBe(2)
    for (let n = 0; n < 10; n++) expect(await query(api.database.reads, quick)).toBe(2)
    await release()
    expect(await Promise.all(slow_reads)).toEqual(Array.from({ length: 50 }, () => 1))
  })

  it('do not delay its quick reads', { retry: 2 }, async ({ task }) => {
    stopTimer()
    const tenant = `c${task.result?.retryCount ?? 0}`
    const slow_reads = Promise.allSettled(Array.from({ length: 50 }, () => query(readsOf(tenant), slow)))
    for (let n = 0; n < 10; n++) expect(await query(readsOf(tenant), quick)).toBe(2)
    await release()
    expect((await slow_reads).filter(({ status }) => status === 'rejected')).toEqual([])
  })

  it('leave room for slow reads of others', async () => {
    const others = await api.database.pool.connect()
    await others.query('select pg_advisory_lock(8)')
    const slow_reads = Array.from({ length: 50 }, () => query(readsOf('d'), slow))
    const other = query(readsOf('e'), slow.replace('(7)', '(8)'))
    for (let n = 0; n < 10; n++) expect(await query(readsOf('f'), quick)).toBe(2)
    await others.query('select pg_advisory_unlock(8)')
    others.release()
    expect(await other).toBe(1)
    await release()
    await Promise.all(slow_reads)
  })

  it('are refused with 503 beyond the queue limit', async () => {
    const answers = Array.from({ length: 250 }, () =>
      query(readsOf('g'), slow).catch((error: { kind: { status: number } }) => error.kind.status),
    )
    const first = await Promise.race(answers)
    expect(first).toBe(503)
    await release()
    const all = await Promise.all(answers)
    expect(all.filter((answer) => answer === 1)).toHaveLength(201)
    expect(all.filter((answer) => answer === 503)).toHaveLength(49)
  })
})

it('a read that becomes slow does not delay others', async () => {
  await release()
  const known = readsOf('h')
  expect(await query(known, slow)).toBe(1)
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(7)')
  const slow_reads = Array.from({ length: 20 }, () => query(known, slow))
  for (let n = 0; n < 10; n++) expect(await query(readsOf('i'), quick)).toBe(2)
  await holder.query('select pg_advisory_unlock(7)')
  holder.release()
  expect(await Promise.all(slow_reads)).toEqual(Array.from({ length: 20 }, () => 1))
})

/** Polls until a query returns this result. */
async function until(text: string, answer: unknown): Promise<void> {
  const query = async () => (await api.database.pool.query(text)).rows[0]
  for (let row = await query(); row?.answer !== answer;) row = await query()
}

it('reads that turn out to be slow leave the quick lane, including queued ones', async () => {
  await release()
  await api.database.pool.query('create sequence attempts')
  const counted = "select 1 as answered, nextval('attempts')::text, pg_advisory_xact_lock_shared(7)::text as locked"
  expect(await query(readsOf('j'), counted)).toBe(1)
  const holder = await api.database.pool.connect()
  await holder.query('select pg_advisory_lock(7)')
  const reads = Array.from({ length: 100 }, () => query(readsOf('j'), counted))
  // PostgreSQL cancels a read in the quick lane after 100 ms. Then the next one starts.
  await until(
    `select before.last_value = (select last_value from pg_sleep(0.4), lateral (
              select last_value from pg_sequences where sequencename = 'attempts') as now) as answer
       from pg_sequences as before where sequencename = 'attempts' and before.last_value > 1`,
    true,
  )
  const { rows } = await api.database.pool.query('select last_value::int as attempts from attempts')
  expect(rows[0].attempts).toBeLessThan(13)
  await holder.query('select pg_advisory_unlock(7)')
  holder.release()
  expect(await Promise.all(reads)).toEqual(Array.from({ length: 100 }, () => 1))
})

it('reads of the service itself do not wait for slow reads of tenants', async () => {
  const others = ['k', 'l', 'm', 'n'].map((tenant) => query(readsOf(tenant), slow))
  // Reads in the quick lane are canceled earlier, so these are in the slow lane.
  await until(
    `select count(*)::int as answer from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory' and now() - query_start > interval '0.3 seconds'`,
    3,
  )
  expect(await query(api.database.reads, 'select 3 as answered, pg_sleep(0.2)::text as slept')).toBe(3)
  await release()
  expect(await Promise.all(others)).toEqual([1, 1, 1, 1])
})

it('runs a read even if the connection has another prepared statement with that name', async () => {
  const config = { connectionString: await urlOf(api) }
  const reading = openReading({ config, prepared: true, quick_connections: 1, slow_connections: 1 })
  await reading.run('o', 'taken', { text: 'prepare taken as select 1', scope: '-' })
  const { rows } = await reading.run('o', 'asked', {
    name: 'taken',
    text: 'select 2 as answered',
    values: [],
    scope: '-',
  })
  expect(rows).toEqual([{ answered: 2 }])
  await reading.close()
})

it('a read that was slow stays in the slow lane until it is quick there', { retry: 2 }, async ({ task }) => {
  const db = readsOf(`p${task.result?.retryCount ?? 0}`)
  const limit = `select current_setting('statement_timeout') as limit, pg_advisory_xact_lock_shared(7)::text as locked`
  const waiting = db.json(limit)
  await until(
    `select count(*)::int as answer from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory' and now() - query_start > interval '0.3 seconds'`,
    1,
  )
  await release()
  expect(await waiting).toBe('30s')
  stopTimer()
  expect([await db.json(limit), await db.json(limit)]).toEqual(['30s', '100ms'])
})
