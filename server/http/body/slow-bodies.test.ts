import { expect, it } from 'vitest'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { authenticatorOf } from '../../modules/access/auth/actions.ts'
import { createUser, endMembership, grantMembership } from '../../modules/access/organizations/actions.ts'
import { codeOf } from '../../test/response.ts'
import { anEmployer, aPerson, createEmployer } from '../../test/fixtures.ts'
import { countWaiting, useApi } from '../../test/harness.ts'
import { connectRaw } from '../../test/clients/raw-connection.ts'
import { lockOrganization } from '../../runtime/locks.ts'
import { every_organization } from '../../database/query/rows-of.ts'

const api = useApi()

type Sent = { operation: string; key: string; body: object }

/** Sends half of a body, awaits `meanwhile`, and sends the rest. */
async function sendInHalves({ operation, key, body }: Sent, meanwhile: () => Promise<void>): Promise<string> {
  const text = JSON.stringify(body)
  const half = Math.floor(text.length / 2)
  const wire = await connectRaw(api.url)
  const head = [
    `${operation} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
    'connection: close',
  ]
  wire.print(`${head.join('\r\n')}\r\n\r\n${text.slice(0, half)}`)
  // When these requests have responses, the server has read the head.
  for (let scope = 0; scope < 5; scope++) await createEmployer(api)
  await meanwhile()
  wire.print(text.slice(half))
  return wire.receives(/^HTTP[^]*\r\n\r\n[^]*}\n$/)
}

/** Sends a census in halves with a new key. */
async function sendSlowly(employer_id: string, meanwhile: (api_key_id: string) => Promise<void>): Promise<string> {
  const { id, api_key } = (await api.post('/v1/api-keys', { name: 'Slow' })).body.data
  const operation = `POST /v1/employers/${employer_id}/census-sync`
  const body = { employees: [aPerson(), aPerson()] }
  return sendInHalves({ operation, key: api_key, body }, () => meanwhile(id))
}

const syncs = async (employer_id: string) =>
  (await api.get(`/v1/employers/${employer_id}/census-sync` as const)).body.data.length

it('accepts a body that arrives slowly', async () => {
  const employer_id = await createEmployer(api)
  expect(await sendSlowly(employer_id, async () => api.wait(20_000))).toMatch(/^HTTP\/1.1 202 /)
  expect(await syncs(employer_id)).toBe(1)
})

it('refuses a body whose key was revoked 5 seconds ago, while it arrived', async () => {
  const employer_id = await createEmployer(api)
  const answer = await sendSlowly(employer_id, async (id) => {
    expect((await api.call('DELETE', `/v1/api-keys/${id}`)).status).toBe(200)
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  expect(await syncs(employer_id)).toBe(0)
})

/** An ADMIN of Harbor with a key bound to no organization, who can leave Harbor and join the rival. */
async function aTransferringUser() {
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

it('requires an organization if its sender joined another one in the meantime', async () => {
  const { key, join } = await aTransferringUser()
  const sent = { operation: 'PUT /v1/organization-branding', key, body: { accent_color: '#7a1f5c' } }
  const answer = await sendInHalves(sent, async () => {
    await join()
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 400 [^]*"organization_required"/)
})

it('writes to the organization that its sender belongs to when the body is complete', async () => {
  const { key, leave, join } = await aTransferringUser()
  const body = anEmployer()
  const answer = await sendInHalves({ operation: 'POST /v1/employers', key, body }, async () => {
    await leave()
    await join()
    api.wait(5_000)
  })
  expect(answer).toMatch(/^HTTP\/1.1 201 /)
  expect(answer).toContain(api.story.rival_organization_id)
})

it('refuses a sender who left 5 seconds ago, although the cached key was older', async () => {
  const { key, leave } = await aTransferringUser()
  expect((await api.get('/v1/employers', { key })).status).toBe(200)
  await leave()
  api.wait(2_900)
  const sent = { operation: 'POST /v1/employers', key, body: anEmployer() }
  expect(await sendInHalves(sent, async () => api.wait(2_100))).toMatch(/^HTTP\/1.1 403 /)
})

it('dates a cached key by the start of its lookup', async () => {
  const { key, leave } = await aTransferringUser()
  const [read, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const inTurnOf: typeof api.database.inTurnOf = async (...scope) => {
    const found = await api.runtime.database.inTurnOf(...scope)
    read.resolve()
    await over.promise
    return found
  }
  const database = { ...api.runtime.database, inTurnOf }
  const authenticator = authenticatorOf({ ...api.runtime, database }, () => undefined)
  const client = { inTurn: <T>(send: (tenant: string) => Promise<T>) => send('somebody'), countInvalid: () => 0 }
  const reach = async () => (await authenticator.callerFinderOf(key)!(client))!.reach.organization_ids
  const former = reach()
  await read.promise
  await leave()
  api.wait(5_000)
  over.resolve()
  expect(await former).toEqual([api.story.organization_id])
  expect(await reach()).toEqual([])
})

it('refuses a sender who has left by the time the write gets its turn', async () => {
  const { key, leave } = await aTransferringUser()
  const waiting = await api.database.transaction(every_organization, async (db) => {
    await lockOrganization(db, api.story.organization_id)
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
