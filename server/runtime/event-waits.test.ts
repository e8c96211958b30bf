import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { createEmployer, createOrganization } from '../test/fixtures.ts'
import { codeOf } from '../test/response.ts'
import { useApi, type CallOptions } from '../test/harness.ts'
import { only } from '../test/pick.ts'
import { randomFrom } from '../test/service/killed-process.ts'
import { serviceCaller } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { waits_of_a_credential } from './event-waits.ts'
import type { EventName } from './event-types.ts'
import { recordEvents } from './events.ts'
import { newId } from '../kernel/ids.ts'
import { contextOf } from './runtime.ts'
import { every_organization } from '../database/query/rows-of.ts'

const api = useApi()
const path = '/v1/webhook-events'
let key = ''
let organization_id = ''
let key_id = ''
/** The first event of the organization: the creation of the key. */
let first_event = ''

/** Each test has its own organization with a rate-limited key. */
beforeEach(async () => {
  const made = await createOrganization(api)
  organization_id = made.id
  key = made.key
  key_id = made.key_id
  first_event = only(idsOf(await read('wait=0')))
})

const read = (query: string, more: CallOptions = {}) => api.get(`${path}?${query}`, { key, ...more })
const idsOf = ({ body }: Awaited<ReturnType<typeof read>>) => body.data.map(({ id }) => id)

/** Records events of a new resource, each in its own transaction. Returns the ids of the events in order. */
async function recordUpdates(count: number): Promise<string[]> {
  const resource_id = newId('empl')
  for (let at = 0; at < count; at++)
    await api.act((ctx) => recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id }]))
  return idsOf(await read(`wait=0&limit=100&resource_id=${resource_id}`))
}

const anUpdate = () => ({ event_name: 'employee.updated', organization_id, resource_id: newId('empl') }) as const

/** Polls until this many requests wait for an event. */
const untilWaiting = async (count: number) => {
  await expect.poll(() => api.runtime.event_waits.waiting()).toBe(count)
}

it('lists the events after an event in the order of their commits, regardless of their times', async () => {
  const [first, second] = await recordUpdates(2)
  const made_early = newId('empl')
  const early = { event_name: 'employee.created', organization_id, resource_id: made_early } as const
  // Recorded with a clock that is behind, and committed last.
  await api.database.transaction(every_organization, (db) => {
    const ctx = contextOf(api.runtime, serviceCaller(null), db)
    return recordEvents({ ...ctx, now: '2026-01-01T00:00:00.000Z' }, [early, early])
  })
  const all = await read('wait=0&limit=100')
  expect(idsOf(all).slice(0, 3)).toEqual([first_event, first, second])
  const after = await read(`after=${first}`)
  expect(after.body.data.map((event) => [event.resource_id === made_early, event.sequence])).toEqual([
    [false, 2],
    [true, 1],
    [true, 2],
  ])
  expect(after.body.pagination).toEqual({ limit: 20, page: 1, total: 3, total_pages: 1 })
  const pages = await Promise.all([1, 2, 3, 4].map((page) => read(`after=${first}&limit=1&page=${page}`)))
  expect(pages.flatMap(idsOf)).toEqual(idsOf(after))
  const named = await read(`after=${first}&event_name=employee.created`)
  expect([idsOf(named), named.body.pagination.total]).toEqual([idsOf(after).slice(1), 2])
  expect(idsOf(await read(`after=${idsOf(after).at(-1)}&wait=0`))).toEqual([])
})

it('lists an event immediately, followed by one that was written earlier and committed later', async () => {
  const [first] = await recordUpdates(1)
  const [slow, quick] = [newId('empl'), newId('empl')]
  // Different event names, because writers of the same name may share a counter.
  const write = (ctx: Ctx, event_name: EventName, resource_id: string) =>
    recordEvents(ctx, [{ event_name, organization_id, resource_id }])
  const resourcesAfter = async (event_id: string | undefined) =>
    (await read(`after=${event_id}`)).body.data.map((event: { resource_id: string }) => event.resource_id)
  await api.act(async (ctx) => {
    await write(ctx, 'employee.updated', slow)
    await api.act((ctx) => write(ctx, 'employee.created', quick))
    expect(await resourcesAfter(first)).toEqual([quick])
  })
  expect(await resourcesAfter(first)).toEqual([quick, slow])
})

it('lists each event once and in the same order to all readers while writers commit in any order', async () => {
  const [writers, changes] = [8, 12]
  const resources = Array.from({ length: writers }, () => newId('empl'))
  const random = randomFrom(11)
  let written = 0
  const change = async (resource_id: string) => {
    const event = { event_name: 'employee.updated', organization_id, resource_id } as const
    const [pause, fails] = [random(12), random(5) === 0]
    const done = api.act(async (ctx) => {
      await recordEvents(ctx, [event, event])
      await sleep(pause)
      if (fails) throw new Error('The change failed.')
    })
    await done.then(
      () => void (written += 2),
      (error: Error) => expect(error.message).toBe('The change failed.'),
    )
  }
  let are_writing = true
  const writing = Promise.all(
    resources.map(async (resource_id) => {
      for (let at = 0; at < changes; at++) await change(resource_id)
    }),
  ).finally(() => (are_writing = false))
  const follow = async (limit: number) => {
    const seen: { id: string; resource_id: string; sequence: number }[] = []
    for (let after = first_event, is_last = false; ;) {
      const { data } = (await read(`after=${after}&limit=${limit}`)).body
      seen.push(...data)
      after = data.at(-1)?.id ?? after
      if (data.length === 0 && is_last) return seen
      is_last = data.length === 0 && !are_writing
      if (data.length === 0) await sleep(50)
    }
  }
  const [one, other] = await Promise.all([follow(100), follow(3), writing])
  expect(one.length).toBe(written)
  expect(other).toEqual(one)
  for (const resource_id of resources) {
    const sequences = one.filter((event) => event.resource_id === resource_id).map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.map((_, at) => at + 1))
  }
  const { rows } = await api.database.pool.query(
    `select count(*)::int as events, count(distinct position)::int as positions, max(position)::int as last
       from webhook_events where organization_id = $1`,
    [organization_id],
  )
  expect(only(rows)).toEqual({ events: written + 1, positions: written + 1, last: written + 1 })
})

it('lists the events of a resource by their sequence, although the clock of the second writer is behind', async () => {
  const resource_id = newId('empl')
  const [earlier, later] = [newId('wevt'), newId('wevt')]
  await api.act((ctx) =>
    ctx.db.rows(
      `insert into webhook_events
         (id, organization_id, event_name, resource_type, resource_id, sequence, created_at, employer_id)
       select event.id, $1, 'employee.updated', 'employee', $2, event.sequence, now(), ''
         from unnest($3::text[]) with ordinality as event (id, sequence)`,
      [organization_id, resource_id, [later, earlier]],
    ),
  )
  expect(idsOf(await read(`after=${first_event}`))).toEqual([later, earlier])
})

it('numbers the events of an organization one caller after the other, and waits without a connection', async () => {
  const { lock_queue } = api.runtime.database
  const ends = await api.act(async (ctx) => {
    await api.act((other) => recordEvents(other, [anUpdate()]))
    await ctx.db.rows('select from webhook_event_positions where organization_id = $1 for update', [organization_id])
    const reads = Array.from({ length: 5 }, () => read(`after=${first_event}`))
    await expect.poll(() => lock_queue.waiting(`events of ${organization_id}`)).toBe(4)
    return { reads }
  })
  const pages = (await Promise.all(ends.reads)).map(idsOf)
  expect(new Set(pages.map(String)).size).toBe(1)
  expect(pages[0]).toHaveLength(1)
})

it.each(['after=wevt_x', 'after=x', 'wait=21', 'wait=-1', 'wait=x', 'wait=1&wait=2'])(
  'refuses the query ?%s',
  async (query) => expect(codeOf(await read(query))).toEqual([400, 'invalid_request']),
)

it('refuses a missing event and one of another organization', async () => {
  await createEmployer(api, {}, { key: api.story.rival_api_key })
  const [foreign] = idsOf(await api.get(path, { key: api.story.rival_api_key }))
  for (const id of [foreign, newId('wevt')]) {
    const refused = await read(`after=${id}&wait=20`)
    expect(codeOf(refused)).toEqual([400, 'invalid_request'])
    expect(refused.error.details).toEqual([
      { field: 'after', message: 'must be the id of an event of this organization' },
    ])
  }
})

it('waits for events of one organization at a time', async () => {
  for (const key of [api.story.super_api_key, api.story.multi_organization_api_key, api.story.newcomer_api_key])
    expect(codeOf(await read('wait=20', { key }))).toEqual([400, 'organization_required'])
  const headers = { 'x-service-organization': organization_id }
  const [first] = await recordUpdates(1)
  expect(idsOf(await read('wait=20', { key: api.story.super_api_key, headers }))).toEqual([first_event, first])
})

it('responds immediately if there are events, or else as soon as one occurs', async () => {
  const waiting = read(`after=${first_event}&wait=20`)
  const [first] = await recordUpdates(1)
  expect(idsOf(await waiting)).toEqual([first])
  expect(idsOf(await read(`after=${first_event}&wait=20`))).toEqual([first])

  const later = read(`after=${first}&wait=20`)
  const [second] = await recordUpdates(1)
  expect(idsOf(await later)).toEqual([second])
})

it('continues to wait until an event matches the filter', async () => {
  const [first] = await recordUpdates(1)
  const waiting = read(`after=${first}&wait=20&event_name=employer.created`)
  await recordUpdates(3)
  const employer_id = await createEmployer(api, {}, { key })
  expect((await waiting).body.data).toMatchObject([{ event_name: 'employer.created', resource_id: employer_id }])
})

it('returns an empty page when the time has passed', async () => {
  const [first] = await recordUpdates(1)
  const waiting = read(`after=${first}&wait=20`)
  await untilWaiting(1)
  api.wait(19_999)
  await recordUpdates(1)
  expect((await waiting).body.data).toHaveLength(1)
  const again = read('wait=20&resource_id=nobody')
  await untilWaiting(1)
  api.wait(20_000)
  expect((await again).body).toEqual({ data: [], pagination: { limit: 20, page: 1, total: 0, total_pages: 0 } })
})

it('counts a waiting request once toward the rate limit', async () => {
  const [first] = await recordUpdates(1)
  const before = Number((await read('wait=0')).headers.get('x-ratelimit-remaining'))
  const waiting = read(`after=${first}&wait=20`)
  await recordUpdates(1)
  await waiting
  const after = Number((await read('wait=0')).headers.get('x-ratelimit-remaining'))
  // The waiting request, the read in `recordUpdates`, and the last one.
  expect(before - after).toBe(3)
})

it('limits waiting requests per credential to five, without effect on other requests', async () => {
  const [first] = await recordUpdates(1)
  const waiting = Array.from({ length: waits_of_a_credential + 1 }, () => read(`after=${first}&wait=20`))
  const refused = await Promise.race(waiting)
  expect(codeOf(refused)).toEqual([429, 'rate_limited'])
  expect([refused.headers.get('ratelimit-reason'), refused.headers.get('retry-after')]).toEqual(['waiting', '1'])
  expect((await read('limit=1')).status).toBe(200)
  const [second] = await recordUpdates(1)
  const answers = await Promise.all(waiting)
  expect(answers.filter(({ status }) => status === 200).map(idsOf)).toEqual(
    Array.from({ length: waits_of_a_credential }, () => [second]),
  )
  expect(idsOf(await read(`after=${first}&wait=20`))).toEqual([second])
})

it('frees its place when the client disconnects', async () => {
  const [first] = await recordUpdates(1)
  for (let round = 0; round <= waits_of_a_credential; round++) {
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${key}` }
    const left = fetch(`${api.url}${path}?after=${first}&wait=20`, { headers, signal: leaving.signal })
    await untilWaiting(1)
    leaving.abort()
    await expect(left).rejects.toThrow('aborted')
    await untilWaiting(0)
  }
})

it('refuses a key that was revoked while it waited', async () => {
  const [first] = await recordUpdates(1)
  const waiting = read(`after=${first}&wait=20`)
  await untilWaiting(1)
  await api.call('DELETE', `/operator/v1/api-keys/${key_id}`, { key: api.operator_key })
  await api.act((ctx) =>
    recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id: newId('empl') }]),
  )
  expect(codeOf(await waiting)).toEqual([401, 'unauthorized'])
})

it('uses no connection while it waits', async () => {
  const [first] = await recordUpdates(1)
  const waiting = Array.from({ length: waits_of_a_credential }, () => read(`after=${first}&wait=20`))
  await untilWaiting(waits_of_a_credential)
  const busy = () =>
    api.database.reads.row(
      `select count(*) as count from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    )
  await expect.poll(busy).toEqual({ count: 0 })
  await recordUpdates(1)
  await Promise.all(waiting)
})

it('responds immediately when the service shuts down', async () => {
  const [first] = await recordUpdates(1)
  const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const waiting = fetch(`${url}${path}?after=${first}&wait=20`, { headers: { authorization: `Bearer ${key}` } })
  await untilWaiting(1)
  await app.close()
  const answer = await waiting
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await answer.json()).toMatchObject({ data: [] })
})
