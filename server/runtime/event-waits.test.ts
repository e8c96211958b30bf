import { beforeEach, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { createEmployer, createOrganization } from '../test/cast.ts'
import { codeOf } from '../test/answer.ts'
import { countWaiting, useApi, type CallOptions } from '../test/harness.ts'
import { only } from '../test/pick.ts'
import { serviceCaller } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { waits_of_a_credential } from './event-waits.ts'
import { recordEvents } from './events.ts'
import { newId } from '../kernel/ids.ts'
import { contextOf } from './runtime.ts'
import { every_organization } from '../database/query/rows-of.ts'

const api = useApi()
const path = '/v1/webhook-events'
let key = ''
let organization_id = ''
let key_id = ''
/** The event that tells of the key, the first of the organization. */
let begun = ''

/** An organization of its own for each test, and a key that is limited. */
beforeEach(async () => {
  const made = await createOrganization(api)
  organization_id = made.id
  key = made.key
  key_id = made.key_id
  begun = only(idsOf(await read('wait=0')))
})

const read = (query: string, more: CallOptions = {}) => api.get(`${path}?${query}`, { key, ...more })
const idsOf = ({ body }: Awaited<ReturnType<typeof read>>) => body.data.map(({ id }) => id)

/**
 * Has things happen to one resource like no other, each a transaction of its own; returns the ids of the events in
 * order.
 */
async function happen(count: number): Promise<string[]> {
  const resource_id = newId('empl')
  for (let at = 0; at < count; at++)
    await api.act((ctx) => recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id }]))
  return idsOf(await read(`wait=0&limit=100&resource_id=${resource_id}`))
}

/** Until so many requests wait for an event. */
const untilWaiting = async (count: number) => {
  await expect.poll(() => api.runtime.event_waits.waiting()).toBe(count)
}

it('shows what came after an event in the order of the commits, whatever their times say', async () => {
  const [first, second] = await happen(2)
  const made_early = newId('empl')
  const early = { event_name: 'employee.created', organization_id, resource_id: made_early } as const
  // Made on a clock that is behind, and committed last.
  await api.database.transaction(every_organization, (db) => {
    const ctx = contextOf(api.runtime, serviceCaller(null), db)
    return recordEvents({ ...ctx, now: '2026-01-01T00:00:00.000Z' }, [early, early])
  })
  const all = await read('wait=0&limit=100')
  expect(idsOf(all).slice(0, 3)).toEqual([begun, first, second])
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

it('shows no event before one that has its place before it and is committed later', async () => {
  const [first] = await happen(1)
  const [slow, quick] = [newId('empl'), newId('empl')]
  const write = (ctx: Ctx, resource_id: string) =>
    recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id }])
  const { written } = await api.act(async (ctx) => {
    await write(ctx, slow)
    const written = api.act((ctx) => write(ctx, quick))
    await expect.poll(() => countWaiting(api)).toBe(1)
    expect(idsOf(await read(`after=${first}`))).toEqual([])
    return { written }
  })
  await written
  const after = await read(`after=${first}`)
  expect(after.body.data.map((event: { resource_id: string }) => event.resource_id)).toEqual([slow, quick])
})

it.each(['after=wevt_x', 'after=x', 'wait=21', 'wait=-1', 'wait=x', 'wait=1&wait=2'])('refuses %s', async (query) =>
  expect(codeOf(await read(query))).toEqual([400, 'invalid_request']),
)

it('takes no event that is not there or is of another organization', async () => {
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

it('is for one organization at a time', async () => {
  for (const key of [api.story.super_api_key, api.story.multi_organization_api_key, api.story.newcomer_api_key])
    expect(codeOf(await read('wait=20', { key }))).toEqual([400, 'organization_required'])
  const headers = { 'x-service-organization': organization_id }
  const [first] = await happen(1)
  expect(idsOf(await read('wait=20', { key: api.story.super_api_key, headers }))).toEqual([begun, first])
})

it('answers at once when there is something, and else as soon as something happens', async () => {
  const waiting = read(`after=${begun}&wait=20`)
  const [first] = await happen(1)
  expect(idsOf(await waiting)).toEqual([first])
  expect(idsOf(await read(`after=${begun}&wait=20`))).toEqual([first])

  const later = read(`after=${first}&wait=20`)
  const [second] = await happen(1)
  expect(idsOf(await later)).toEqual([second])
})

it('waits on for what it asked for', async () => {
  const [first] = await happen(1)
  const waiting = read(`after=${first}&wait=20&event_name=employer.created`)
  await happen(3)
  const employer_id = await createEmployer(api, {}, { key })
  expect((await waiting).body.data).toMatchObject([{ event_name: 'employer.created', resource_id: employer_id }])
})

it('answers an empty page when the time is over', async () => {
  const [first] = await happen(1)
  const waiting = read(`after=${first}&wait=20`)
  await untilWaiting(1)
  api.wait(19_999)
  await happen(1)
  expect((await waiting).body.data).toHaveLength(1)
  const again = read('wait=20&resource_id=nobody')
  await untilWaiting(1)
  api.wait(20_000)
  expect((await again).body).toEqual({ data: [], pagination: { limit: 20, page: 1, total: 0, total_pages: 0 } })
})

it('costs one request of the rate limit', async () => {
  const [first] = await happen(1)
  const before = Number((await read('wait=0')).headers.get('x-ratelimit-remaining'))
  const waiting = read(`after=${first}&wait=20`)
  await happen(1)
  await waiting
  const after = Number((await read('wait=0')).headers.get('x-ratelimit-remaining'))
  // Ours that waited, the look of `happen`, and the last.
  expect(before - after).toBe(3)
})

it('lets a credential wait in five requests at a time, and others none the less', async () => {
  const [first] = await happen(1)
  const waiting = Array.from({ length: waits_of_a_credential + 1 }, () => read(`after=${first}&wait=20`))
  const refused = await Promise.race(waiting)
  expect(codeOf(refused)).toEqual([429, 'rate_limited'])
  expect([refused.headers.get('ratelimit-reason'), refused.headers.get('retry-after')]).toEqual(['waiting', '1'])
  expect((await read('limit=1')).status).toBe(200)
  const [second] = await happen(1)
  const answers = await Promise.all(waiting)
  expect(answers.filter(({ status }) => status === 200).map(idsOf)).toEqual(
    Array.from({ length: waits_of_a_credential }, () => [second]),
  )
  expect(idsOf(await read(`after=${first}&wait=20`))).toEqual([second])
})

it('gives its place back when the caller leaves', async () => {
  const [first] = await happen(1)
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

it('shows nothing more to a key that was revoked meanwhile', async () => {
  const [first] = await happen(1)
  const waiting = read(`after=${first}&wait=20`)
  await untilWaiting(1)
  await api.call('DELETE', `/operator/v1/api-keys/${key_id}`, { key: api.operator_key })
  await api.act((ctx) =>
    recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id: newId('empl') }]),
  )
  expect(codeOf(await waiting)).toEqual([401, 'unauthorized'])
})

it('holds no connection while it waits', async () => {
  const [first] = await happen(1)
  const waiting = Array.from({ length: waits_of_a_credential }, () => read(`after=${first}&wait=20`))
  await untilWaiting(waits_of_a_credential)
  const busy = () =>
    api.database.reads.row(
      `select count(*) as count from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    )
  await expect.poll(busy).toEqual({ count: 0 })
  await happen(1)
  await Promise.all(waiting)
})

it('answers at once when the service ends, which waits for nobody', async () => {
  const [first] = await happen(1)
  const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const waiting = fetch(`${url}${path}?after=${first}&wait=20`, { headers: { authorization: `Bearer ${key}` } })
  await untilWaiting(1)
  await app.close()
  const answer = await waiting
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await answer.json()).toMatchObject({ data: [] })
})
