import { once } from 'node:events'
import { beforeAll, expect, inject, it } from 'vitest'
import { anEmployer, createEmployer } from '../../../test/cast.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { hiring, randomFrom } from '../../../test/killed.ts'
import { noon } from '../../../test/runtime.ts'
import { verifyTrail } from './actions.ts'

/**
 * Services that are killed while they answer reads, refusals and writes: real ones, each in a process of its own that
 * SIGKILL ends with a statement on its way to PostgreSQL. SECURITY.md says what must hold.
 */
const api = useApi()
const kills = Number(process.env.KILLS ?? 3)
const random = randomFrom(Number(process.env.KILL_SEED ?? 20260310))

const division_state = new URL('../../../database/citus/sharding-state.ts', import.meta.url)

/** A service over HTTP, by a clock that stands; dies with its `dies_at`th query under way. */
const hire = hiring(`
  import { buildApp } from ${JSON.stringify(new URL('../../../app.ts', import.meta.url).href)}
  import { openAsFound } from ${JSON.stringify(division_state.href)}
  import { testRuntime } from ${JSON.stringify(new URL('../../../test/runtime.ts', import.meta.url).href)}
  process.once('message', async ({ url, keys, now, dies_at }) => {
    const runtime = testRuntime(await openAsFound({ url }), keys, () => now)
    const app = await buildApp(runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    dieAt(dies_at)
    process.send(address)
  })
  process.send('loaded')`)

let url: string
let employer_id: string
/** Of the story, which was not made over HTTP. */
let employers_before: string[]
beforeAll(async () => {
  url = await urlOf(api)
  const rows = await api.database.reads.rows<{ id: string }>('select id from employers')
  employers_before = rows.map(({ id }) => id)
  employer_id = await createEmployer(api)
})

/** What was answered, in the order of whoever asked: one request after the other. */
type Answered = { trace_id: string; status: number; at: number }
type Write = { key: string; body: ReturnType<typeof anEmployer>; answered?: Answered }

async function ask(address: string, path: string, init: RequestInit = {}): Promise<Answered> {
  const headers = { authorization: `Bearer ${api.story.api_key}`, ...init.headers }
  const answer = await fetch(address + path, { ...init, headers })
  await answer.arrayBuffer()
  return { trace_id: answer.headers.get('x-request-id')!, status: answer.status, at: performance.now() }
}

/** Asks again and again until nobody answers any more. */
async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) await work()
  } catch (error) {
    // Who was asked is dead.
    expect((error as Error).message).toBe('fetch failed')
  }
}

let writes_made = 0
/** What is asked of a service until it dies: writes, of which one more may be under way, and reads and refusals. */
async function askUntilItDies(address: string): Promise<{ writes: Write[]; reads: Answered[][] }> {
  const writes: Write[] = []
  const reads: Answered[][] = []
  const writers = [1, 2, 3].map(() =>
    untilGone(async () => {
      const write: Write = { key: `write-${++writes_made}`, body: anEmployer() }
      writes.push(write)
      const headers = { 'content-type': 'application/json', 'idempotency-key': write.key }
      write.answered = await ask(address, '/v1/employers', {
        method: 'POST',
        headers,
        body: JSON.stringify(write.body),
      })
    }),
  )
  const readers = [`/v1/employers/${employer_id}`, '/v1/employers?limit=1', '/v1/employers/empr_x'].map((path) => {
    const answered: Answered[] = []
    reads.push(answered)
    return untilGone(async () => void answered.push(await ask(address, path)))
  })
  await Promise.all([...writers, ...readers])
  return { writes, reads }
}

/** How often each of these requests is in the trail. */
async function timesOf(answered: Answered[]): Promise<number[]> {
  const rows = await api.database.reads.rows<{ trace_id: string; times: number }>(
    'select trace_id, count(*) as times from audit_entries where trace_id = any($1) group by trace_id',
    [answered.map(({ trace_id }) => trace_id)],
  )
  const times = new Map(rows.map((row) => [row.trace_id, row.times]))
  return answered.map(({ trace_id }) => times.get(trace_id) ?? 0)
}

/** Employers without the entry of their creation, with two, and entries of what was not created. */
const unmatched = () =>
  api.database.reads.rows(
    `select employer.id as employer_id, entry.resource_id, count(*) as times
       from (select id from employers where organization_id = $1) as employer
       full join (select resource_id from audit_entries
                   where operation = 'employers_create' and resource_id is not null and organization_id = $1) as entry
         on entry.resource_id = employer.id
      group by employer.id, entry.resource_id
     having count(*) > 1 or employer.id is null or entry.resource_id is null and employer.id <> all($2)`,
    [api.story.organization_id, employers_before],
  )

it(`a service that is killed ${kills} times has an entry of each write and of all reads but the last`, async () => {
  let spare: ReturnType<typeof hire> | undefined = hire()
  let [writes_answered, reads_answered, reads_lost] = [0, 0, 0]
  for (let kill = 0; kill < kills; kill++) {
    const { child, loaded, ended } = spare!
    // Loaded while this one is at work.
    spare = kill < kills - 1 ? hire() : undefined
    await loaded
    const listening = once(child, 'message')
    // Before anything is written down, or after some batches of reads.
    const dies_at = kill === 0 ? 20 : 100 + random(1200)
    child.send({ url, keys: inject('secret_keys'), now: noon('2026-03-10'), dies_at })
    const [address] = (await listening) as [string]
    const { writes, reads } = await askUntilItDies(address)
    const died_at = performance.now()
    expect((await ended)[1]).toBe('SIGKILL')

    const done = writes.flatMap(({ answered }) => answered ?? [])
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 201))
    expect(await timesOf(done)).toEqual(done.map(() => 1))
    for (const answered of reads) {
      const times = await timesOf(answered)
      const first_lost = times.indexOf(0)
      const kept = first_lost === -1 ? times.length : first_lost
      // Each is there once, or not at all, and then none after it: what is lost is the last that was read.
      expect(times).toEqual(times.map((_, at) => (at < kept ? 1 : 0)))
      // On a machine that has time for it: `KILLS=40`.
      if (process.env.KILLS) expect(died_at - (answered[kept]?.at ?? died_at)).toBeLessThan(1000)
      reads_answered += times.length
      reads_lost += times.length - kept
    }
    expect(await unmatched()).toEqual([])

    // Whoever was not answered asks again, and what was done is not done twice.
    for (const { key, body } of writes) {
      const again = await api.post('/v1/employers', body, { headers: { 'idempotency-key': key } })
      expect(again.status, again.text).toBe(201)
    }
    const names = writes.map(({ body }) => body.name)
    const there = await api.database.reads.rows('select 1 from employers where name = any($1)', [names])
    expect(there).toHaveLength(writes.length)
    expect(await unmatched()).toEqual([])
    writes_answered += done.length
  }
  await api.runtime.trail.close()
  const now = api.runtime.clock()
  const { faults } = await verifyTrail(api.database.reads, api.runtime.secrets, { now, retention_years: 6 })
  expect(faults).toEqual([])
  expect(writes_answered).toBeGreaterThan(0)
  expect(reads_answered - reads_lost).toBeGreaterThan(0)
}, 300_000)
