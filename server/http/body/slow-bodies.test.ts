import { expect, it } from 'vitest'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { authenticatorOf } from '../../modules/access/auth/actions.ts'
import { createUser, endMembership, grantMembership } from '../../modules/access/organizations/actions.ts'
import { codeOf } from '../../test/answer.ts'
import { anEmployer, aPerson, createEmployer } from '../../test/cast.ts'
import { countWaiting, useApi } from '../../test/harness.ts'
import { wireTo } from '../../test/wire.ts'
import { lockClock } from '../../runtime/clock.ts'
import { every_organization } from '../../database/query/rows-of.ts'

const api = useApi()

type Sent = { operation: string; key: string; body: object }

/** Sends half a body, lets something happen meanwhile, and then the rest. */
async function sendInHalves({ operation, key, body }: Sent, meanwhile: () => Promise<void>): Promise<string> {
  const text = JSON.stringify(body)
  const half = Math.floor(text.length / 2)
  const wire = await wireTo(api.url)
  const head = [
    `${operation} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
    'connection: close',
  ]
  wire.say(`${head.join('\r\n')}\r\n\r\n${text.slice(0, half)}`)
  // Answered one after the other, these say that the head has long been read.
  for (let asked = 0; asked < 5; asked++) await createEmployer(api)
  await meanwhile()
  wire.say(text.slice(half))
  return wire.hears(/^HTTP[^]*\r\n\r\n[^]*}\n$/)
}

/** The same of a census, by a key of its own. */
async function sendSlowly(employer_id: string, meanwhile: (api_key_id: string) => Promise<void>): Promise<string> {
  const { id, api_key } = (await api.post('/v1/api-keys', { name: 'Slow' })).body.data
  const operation = `POST /v1/employers/${employer_id}/census-sync`
  const body = { employees: [aPerson(), aPerson()] }
  return sendInHalves({ operation, key: api_key, body }, () => meanwhile(id))
}

const syncs = async (employer_id: string) =>
  (await api.get(`/v1/employers/${employer_id}/census-sync` as const)).body.data.length

it('takes a body that comes slowly', async () => {
  const employer_id = await createEmployer(api)
  expect(await sendSlowly(employer_id, async () => api.wait(20_000))).toMatch(/^HTTP\/1.1 202 /)
  expect(await syncs(employer_id)).toBe(1)
})

it('takes none whose key was revoked 5 seconds ago, while it came', async () => {
  const employer_id = await createEmployer(api)
  const answer = await sendSlowly(employer_id, async (id) => {
    expect((await api.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(200)
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  expect(await syncs(employer_id)).toBe(0)
})

/** An ADMIN of Harbor with a key that is bound to no organization, who may leave it and join the rival. */
async function aWanderer() {
  const { organization_id, rival_organization_id } = api.story
  const user_id = await api.act((ctx) => createUser(ctx, { name: 'Wanda', email: null }))
  const belong = (at: string) => api.act((ctx) => grantMembership(ctx, { organization_id: at, user_id, role: 'ADMIN' }))
  await belong(organization_id)
  const wanted = { user_id, organization_id: null, mode: 'test', rate_limited: false } as const
  const { api_key } = await api.act((ctx) => createApiKey(ctx, { ...wanted, follows_memberships: true }))
  return {
    key: api_key,
    leave: () => api.act((ctx) => endMembership(ctx, organization_id, user_id)),
    join: () => belong(rival_organization_id),
  }
}

it('asks for which organization it is where its sender belongs to another one too by now', async () => {
  const { key, join } = await aWanderer()
  const sent = { operation: 'PUT /v1/organization-branding', key, body: { accent_color: '#7a1f5c' } }
  const answer = await sendInHalves(sent, async () => {
    await join()
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"organization_required"/)
})

it('is done where its sender belongs by now', async () => {
  const { key, leave, join } = await aWanderer()
  const body = anEmployer()
  const answer = await sendInHalves({ operation: 'POST /v1/employers', key, body }, async () => {
    await leave()
    await join()
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 201 /)
  expect(answer).toContain(api.story.rival_organization_id)
})

it('is not done for who left 5 seconds ago, though it began by what was known of the key before', async () => {
  const { key, leave } = await aWanderer()
  expect((await api.get('/v1/employers', { key })).status).toBe(200)
  await leave()
  api.wait(2_900)
  const sent = { operation: 'POST /v1/employers', key, body: anEmployer() }
  expect(await sendInHalves(sent, async () => api.wait(2_100))).toMatch(/^HTTP\/1.1 403 /)
})

it('is known of a key since when it was asked, however long the answer took', async () => {
  const { key, leave } = await aWanderer()
  const [read, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const inTurnOf: typeof api.database.inTurnOf = async (...asked) => {
    const found = await api.runtime.database.inTurnOf(...asked)
    read.resolve()
    await over.promise
    return found
  }
  const database = { ...api.runtime.database, inTurnOf }
  const authenticator = authenticatorOf({ ...api.runtime, database }, () => undefined)
  const stranger = { inTurn: <T>(ask: (whose: string) => Promise<T>) => ask('somebody'), countWrong: () => 0 }
  const reach = async () => (await authenticator.holderOf(key)!(stranger))!.reach.organization_ids
  const former = reach()
  await read.promise
  await leave()
  api.wait(5_000)
  over.resolve()
  expect(await former).toEqual([api.story.organization_id])
  expect(await reach()).toEqual([])
})

it('is not done for who has left by the time its turn comes', async () => {
  const { key, leave } = await aWanderer()
  const waiting = await api.database.transaction(every_organization, async (db) => {
    await lockClock(db, api.story.organization_id)
    const first = createEmployer(api)
    await expect.poll(() => countWaiting(api)).toBe(1)
    const second = api.post('/v1/employers', anEmployer(), { key })
    await expect.poll(() => countWaiting(api)).toBe(2)
    await leave()
    api.wait(5_000)
    return { first, second }
  })
  expect(await waiting.first).toMatch(/^empr_/)
  expect(codeOf(await waiting.second)).toEqual([403, 'forbidden'])
})
