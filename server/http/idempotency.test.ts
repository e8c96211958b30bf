import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import {
  createUser,
  endMembership,
  setUpOrganization,
  grantMembership,
} from '../modules/access/organizations/actions.ts'
import { anEmployer, createEmployer } from '../test/fixtures.ts'
import { codeOf } from '../test/response.ts'
import { useApi } from '../test/harness.ts'
import { sendRaw } from '../test/clients/raw-connection.ts'
import { fingerprintOf } from './idempotency.ts'

const api = useApi()
const minutes = (count: number) => count * 60_000

/** A user with an unbound key, who is the only admin of an organization. */
const aTransferringUser = () =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Mo Ver', email: null })
    const made = { name: 'Former Benefits', type: null, super_in: false, sandbox: true, admin_user_id: user_id }
    const organization_id = await setUpOrganization(ctx, made)
    const owner = {
      user_id,
      organization_id: null,
      mode: 'test',
      rate_limited: false,
      follows_memberships: true,
    } as const
    return { user_id, organization_id, key: (await createApiKey(ctx, owner)).api_key }
  })

type TransferringUser = Awaited<ReturnType<typeof aTransferringUser>>

/** Ends the membership in the first organization and starts one in another, as the operator may. */
async function move({ user_id, organization_id }: TransferringUser): Promise<void> {
  await api.act(async (ctx) => {
    await endMembership(ctx, organization_id, user_id)
    const other = { name: 'Later Benefits', type: null, super_in: false, sandbox: true, admin_user_id: user_id }
    await setUpOrganization(ctx, other)
  })
  // Longer than a process caches a key.
  api.wait(5_000)
}

describe('an access token', () => {
  const request = { grant_type: 'client_credentials' }
  const issue = (key: string, body: object = request) =>
    api.post('/v1/auth/access-tokens', body, { headers: { 'idempotency-key': key } })

  it('is issued again for each repetition, so that it lives as long as the response promises', async () => {
    const first = await issue('token')
    api.wait(930_000)
    const again = await issue('token')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(again.body.access_token).not.toBe(first.body.access_token)
    expect((await api.get('/v1/organizations', { key: again.body.access_token })).status).toBe(200)
  })

  it('requires the same request for the same key', async () => {
    await issue('one request')
    const bound_entity = { type: 'employer', id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz' }
    expect(codeOf(await issue('one request', { ...request, bound_entity }))).toEqual([422, 'idempotency_key_reused'])
  })

  it('is not stored', async () => {
    await issue('nowhere')
    const row = await api.database.reads.row(`select body from idempotency_keys where key = 'nowhere'`)
    expect(row).toEqual({ body: null })
  })
})

it.each([
  ['escaped', (path: string) => path.replace('employers', '%65mployers').replace('_', '%5f')],
  ['after an origin, as proxies send it', (path: string) => api.url + path],
  ['before a fragment', (path: string) => `${path}#x`],
])('recognizes a repeated request with its path %s', async (spelling, spell) => {
  const path = `/v1/employers/${await createEmployer(api)}/benefit-eligibility-policies`
  const body = JSON.stringify({ classification: 'all', waiting_period: 'none' })
  const send = (target: string) =>
    sendRaw(
      api.url,
      `POST ${target} HTTP/1.1\r\nhost: ${new URL(api.url).host}\r\nauthorization: Bearer ${api.story.api_key}\r\n` +
        `idempotency-key: ${spelling}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
        `connection: close\r\n\r\n${body}`,
    )
  expect(await send(path)).toMatch(/^HTTP\/1.1 201 /)
  expect(await send(spell(path))).toMatch(/^HTTP\/1.1 201 [^]*idempotent-replayed: true/i)
})

describe('a response with a secret', () => {
  const subscription = { url: 'https://example.com/hooks', description: 'once' }
  const subscribe = (headers: Record<string, string>, key?: string) =>
    api.post('/v1/webhook-subscriptions', subscription, { headers, ...(key && { key }) })
  const countOf = async () =>
    (await api.get('/v1/webhook-subscriptions?limit=100')).body.data.filter(({ description }) => description === 'once')
      .length

  it('is replayed for 10 minutes, stored encrypted, then deleted, and the operation never runs again', async () => {
    const headers = { 'idempotency-key': 'secret' }
    const first = await subscribe(headers)
    api.wait(minutes(9))
    const again = await subscribe(headers)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    const kept = () =>
      api.database.reads.row<{ body: Buffer | null }>(`select body from idempotency_keys where key = 'secret'`)
    expect((await kept())!.body!.includes('whsec_')).toBe(false)

    api.wait(minutes(2))
    expect(codeOf(await subscribe(headers))).toEqual([409, 'idempotency_response_expired'])
    expect(await countOf()).toBe(1)
    await api.runDays()
    expect(await kept()).toEqual({ body: null })
    expect(codeOf(await subscribe(headers))).toEqual([409, 'idempotency_response_expired'])
  })

  it.each([
    ['a rotation', 'rotate-secret', (id: string) => `/v1/webhook-subscriptions/${id}/rotate-secret`],
    ['an API key', 'api-key', () => '/operator/v1/api-keys'],
  ])('may come from %s', async (_, name, pathOf) => {
    const { id } = (await subscribe({})).body.data
    const { user_id } = await aTransferringUser()
    const operators = name === 'api-key'
    const send = () =>
      api.post(pathOf(id), operators ? { user_id, mode: 'test' } : undefined, {
        key: operators ? api.operator_key : api.story.api_key,
        headers: { 'idempotency-key': `${name}-1` },
      })
    const first = await send()
    expect([first.status < 300, (await send()).text === first.text]).toEqual([true, true])
    api.wait(minutes(11))
    expect(codeOf(await send())).toEqual([409, 'idempotency_response_expired'])
  })

  it('is not replayed to a key whose owner has moved to another organization', async () => {
    const mover = await aTransferringUser()
    const headers = { 'idempotency-key': 'moved' }
    const first = await subscribe(headers, mover.key)
    expect(first.status).toBe(201)
    await move(mover)
    const again = await subscribe(headers, mover.key)
    expect(codeOf(again)).toEqual([422, 'idempotency_key_reused'])
    expect(again.text).not.toContain(first.body.data.secret)
  })
})

describe('a response about an organization', () => {
  it.each([
    ['an employer', '/v1/employers', () => anEmployer()],
    ['a group', '/v1/groups', () => ({ external_reference_id: 'g-1', name: 'One' })],
  ])('is replayed only while the caller has access: %s', async (_, path, bodyOf) => {
    const mover = await aTransferringUser()
    const body = bodyOf()
    const create = () => api.post(path, body, { key: mover.key, headers: { 'idempotency-key': 'again' } })
    const first = await create()
    expect([first.status, (await create()).text]).toEqual([201, first.text])
    await move(mover)
    expect(codeOf(await create())).toEqual([422, 'idempotency_key_reused'])
  })

  it('may be the response to the creation of an organization', async () => {
    const { user_id, key } = await api.act(async (ctx) => {
      const user_id = await createUser(ctx, { name: 'Ne Wcomer', email: null })
      const owner = {
        user_id,
        organization_id: null,
        mode: 'test',
        rate_limited: false,
        follows_memberships: true,
      } as const
      return { user_id, key: (await createApiKey(ctx, owner)).api_key }
    })
    const create = () =>
      api.post('/v1/organizations', { name: 'Own' }, { key, headers: { 'idempotency-key': 'organization' } })
    const first = await create()
    expect([first.status, (await create()).text]).toEqual([201, first.text])
    await api.act(async (ctx) => {
      await endMembership(ctx, first.body.id, user_id)
      await grantMembership(ctx, { organization_id: api.story.rival_organization_id, user_id, role: 'SALES' })
    })
    api.wait(5_000)
    expect(codeOf(await create())).toEqual([422, 'idempotency_key_reused'])
  })
})

const sortNames = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

it('hashes the JSON of a request with sorted names', () => {
  const body = fc.jsonValue({ maxDepth: 4 })
  const names = fc.constantFrom('a', 'b', '2', '10', '__proto__', 'constructor', 'é', '')
  const rows = fc.array(fc.array(fc.tuple(names, body)).map((entries) => Object.fromEntries(entries)))
  fc.assert(
    fc.property(fc.oneof(body, rows, fc.constant(undefined)), (sent) => {
      const text = JSON.stringify(['a=1', null, sent ?? null], sortNames)
      expect(fingerprintOf('a=1', undefined, sent)).toEqual(createHash('sha256').update(text).digest())
    }),
  )
})
