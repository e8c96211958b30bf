import { once } from 'node:events'
import { beforeAll, expect, inject, it } from 'vitest'
import { anEmployer, createEmployer } from '../../../test/fixtures.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { processStarter, randomFrom } from '../../../test/service/killed-process.ts'
import { noon } from '../../../test/runtime.ts'
import { verifyAuditLog } from './actions.ts'

/**
 * Kills services with SIGKILL while they respond to reads, refusals and writes. Each service is a real process, which
 * dies with a statement in flight to PostgreSQL. SECURITY.md states the guarantees.
 */
const api = useApi()
const kills = Number(process.env.KILLS ?? 3)
const random = randomFrom(Number(process.env.KILL_SEED ?? 20260310))

const sharding_state = new URL('../../../database/citus/sharding-state.ts', import.meta.url)

/** A service over HTTP whose clock does not advance. It dies while its query number `dies_at` is in flight. */
const hire = processStarter(`
  import { buildApp } from ${JSON.stringify(new URL('../../../app.ts', import.meta.url).href)}
  import { openAsFound } from ${JSON.stringify(sharding_state.href)}
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
/** Employers from the demo data, which were not created over HTTP and have no audit entry. */
let employers_before: string[]
beforeAll(async () => {
  url = await urlOf(api)
  const rows = await api.database.reads.rows<{ id: string }>('select id from employers')
  employers_before = rows.map(({ id }) => id)
  employer_id = await createEmployer(api)
})

/** The responses in the order of the requests. Each client waits for the response before its next request. */
type Answered = { trace_id: string; status: number; at: number }
type Write = { key: string; body: ReturnType<typeof anEmployer>; answered?: Answered }

async function send(address: string, path: string, init: RequestInit = {}): Promise<Answered> {
  const headers = { authorization: `Bearer ${api.story.api_key}`, ...init.headers }
  const answer = await fetch(address + path, { ...init, headers })
  await answer.arrayBuffer()
  return { trace_id: answer.headers.get('x-request-id')!, status: answer.status, at: performance.now() }
}

/** Repeats a request until the service is dead. */
async function untilGone(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) await work()
  } catch (error) {
    // The service died.
    expect((error as Error).message).toBe('fetch failed')
  }
}

let writes_made = 0
/**
 * Sends requests until the service dies. Up to one more write per writer may be in flight, as well as reads and
 * refusals.
 */
async function requestUntilItDies(address: string): Promise<{ writes: Write[]; reads: Answered[][] }> {
  const writes: Write[] = []
  const reads: Answered[][] = []
  const writers = [1, 2, 3].map(() =>
    untilGone(async () => {
      const write: Write = { key: `write-${++writes_made}`, body: anEmployer() }
      writes.push(write)
      const headers = { 'content-type': 'application/json', 'idempotency-key': write.key }
      write.answered = await send(address, '/v1/employers', {
        method: 'POST',
        headers,
        body: JSON.stringify(write.body),
      })
    }),
  )
  const readers = [`/v1/employers/${employer_id}`, '/v1/employers?limit=1', '/v1/employers/empr_x'].map((path) => {
    const answered: Answered[] = []
    reads.push(answered)
    return untilGone(async () => void answered.push(await send(address, path)))
  })
  await Promise.all([...writers, ...readers])
  return { writes, reads }
}

/** How many audit entries each of these requests has. */
async function timesOf(answered: Answered[]): Promise<number[]> {
  const rows = await api.database.reads.rows<{ trace_id: string; times: number }>(
    'select trace_id, count(*) as times from audit_entries where trace_id = any($1) group by trace_id',
    [answered.map(({ trace_id }) => trace_id)],
  )
  const times = new Map(rows.map((row) => [row.trace_id, row.times]))
  return answered.map(({ trace_id }) => times.get(trace_id) ?? 0)
}

/** Employers whose creation has no audit entry or several, and audit entries of employers that do not exist. */
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

it(`a service that is killed ${kills} times records every write, and all reads except the last ones`, async () => {
  let spare: ReturnType<typeof hire> | undefined
  let [writes_answered, reads_answered, reads_lost] = [0, 0, 0]
  // A fast machine may respond to all reads before it stores the first batch of them. In that case, later kills wait
  // longer.
  const isProven = () => writes_answered > 0 && reads_answered > reads_lost
  for (let kill = 0; kill < kills || (!isProven() && kill < 2 * kills); kill++) {
    const { child, loaded, ended } = spare ?? hire()
    // Load the next service while this one works.
    spare = kill < kills - 1 ? hire() : undefined
    await loaded
    const listening = once(child, 'message')
    // Kill the first one before anything is stored, and the others after some batches of reads.
    const dies_at = kill === 0 ? 20 : kill < kills ? 100 + random(1200) : 3000
    child.send({ url, keys: inject('secret_keys'), now: noon('2026-03-10'), dies_at })
    const [address] = (await listening) as [string]
    const { writes, reads } = await requestUntilItDies(address)
    const died_at = performance.now()
    expect((await ended)[1]).toBe('SIGKILL')

    const done = writes.flatMap(({ answered }) => answered ?? [])
    expect(done.map(({ status }) => status)).toEqual(done.map(() => 201))
    expect(await timesOf(done)).toEqual(done.map(() => 1))
    for (const answered of reads) {
      const times = await timesOf(answered)
      const first_lost = times.indexOf(0)
      const kept = first_lost === -1 ? times.length : first_lost
      // Each read is recorded once or not at all, and only the most recent reads are lost.
      expect(times).toEqual(times.map((_, at) => (at < kept ? 1 : 0)))
      // Only with `KILLS=40`, which needs an idle machine.
      if (process.env.KILLS) expect(died_at - (answered[kept]?.at ?? died_at)).toBeLessThan(1000)
      reads_answered += times.length
      reads_lost += times.length - kept
    }
    expect(await unmatched()).toEqual([])

    // Clients without a response repeat the request, which must not create a second employer.
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
  await api.runtime.audit_log.close()
  const now = api.runtime.clock()
  const { faults } = await verifyAuditLog(api.database.reads, api.runtime.secrets, { now, retention_years: 6 })
  expect(faults).toEqual([])
  expect(writes_answered).toBeGreaterThan(0)
  expect(reads_answered - reads_lost).toBeGreaterThan(0)
})
