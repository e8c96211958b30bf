import { describe, expect, it } from 'vitest'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { aMember, aMemberKey, aSession } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { createUser, endMembership, grantMembership } from '../organizations/actions.ts'
import { createApiKey } from './actions.ts'

const api = useApi()
const path = '/v1/api-keys'
const here = () => api.story.organization_id

/** Creates a key of Harbor and returns it with its secret. */
const make = async () => (await api.post(path, { name: 'Payroll' })).body.data
const statusOf = async (key: string) => (await api.get('/v1/employers', { key })).status

/** Creates a member of these organizations with an unbound key that reaches them. */
const aMemberOf = (organization_ids: string[]) =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Vera', email: null })
    for (const organization_id of organization_ids)
      await grantMembership(ctx, { organization_id, user_id, role: 'ADMIN' })
    const wanted = { user_id, organization_id: null, mode: 'test', rate_limited: false } as const
    return { user_id, key: (await createApiKey(ctx, wanted)).api_key }
  })

const organizationsOf = async (key: string) =>
  (await api.get('/v1/organizations', { key })).body.organizations.map(({ id }) => id)

describe('a signed-in member', () => {
  const by = (key: string) => ({ key, headers: { origin: api.url } })

  it('creates, rotates and revokes keys as an ADMIN, and the keys expire', async () => {
    const { user_id } = await aMember(api, here(), 'ADMIN')
    const key = await (await aSession(api, user_id)).tokenAs(here())
    const made = (await api.post(path, { name: 'By hand', scopes: ['read'] }, by(key))).body.data
    const ends = new Date(api.runtime.clock() + 90 * 86_400_000).toISOString()
    expect(made).toMatchObject({ user_id, created_by: user_id, organization_id: here(), expires_at: ends })
    expect(await statusOf(made.api_key)).toBe(200)
    const endless = await make()
    const rotated = await api.post(`${path}/${endless.id}/rotate`, { overlap_hours: 0 }, by(key))
    expect([rotated.status, await statusOf(endless.api_key)]).toEqual([200, 401])
    expect((await api.patch(`${path}/${made.id}`, { name: 'Reports' }, by(key))).body.data.name).toBe('Reports')
    expect((await api.call('DELETE', `${path}/${made.id}`, by(key))).status).toBe(200)
    const later = await api.post(path, { name: 'X', expires_at: '2027-06-01T00:00:00Z' }, by(key))
    expect(refusalOf(later)).toEqual([400, 'invalid_request', 'expires_at'])
    expect((await api.get('/v1/auth/token', by(key))).body.data).toMatchObject({
      kind: 'session_token',
      api_key: null,
      signed_in_at: new Date(api.runtime.clock()).toISOString(),
    })
  })

  it('must sign in again after an hour to create access that outlasts the session', async () => {
    const { user_id } = await aMember(api, here(), 'ADMIN')
    const { tokenAs } = await aSession(api, user_id)
    const { id } = await make()
    for (const minutes of [30, 30]) {
      api.wait(minutes * 60_000)
      await tokenAs(here())
    }
    const requested = async (key: string) => [
      codeOf(await api.post(path, { name: 'X' }, by(key))),
      codeOf(await api.post(`${path}/${id}/rotate`, {}, by(key))),
      codeOf(await api.patch(`${path}/${id}`, { allowed_origins: ['https://evil.example.com'] }, by(key))),
      codeOf(await api.post('/v1/invitations', { name: 'X', email: 'x@example.com', role: 'ADMIN' }, by(key))),
    ]
    const in_time = await tokenAs(here())
    expect((await api.post(path, { name: 'In time' }, by(in_time))).status).toBe(201)
    api.wait(1)
    const late = await tokenAs(here())
    expect(await requested(late)).toEqual([1, 2, 3, 4].map(() => [403, 'sign_in_again']))
    expect((await api.get(path, by(late))).status).toBe(200)
    expect((await api.call('DELETE', `${path}/${id}`, by(late))).status).toBe(200)
    expect(await requested(await (await aSession(api, user_id)).tokenAs(here()))).not.toContainEqual([
      403,
      'sign_in_again',
    ])
  })

  it('stops being an ADMIN as soon as the membership changes', async () => {
    const { user_id } = await aMember(api, here(), 'ADMIN')
    const { tokenAs } = await aSession(api, user_id)
    const key = await tokenAs(here())
    await api.act((ctx) => endMembership(ctx, here(), user_id))
    api.wait(5_000)
    expect((await api.post(path, { name: 'X' }, by(key))).status).toBe(401)
    await api.act((ctx) => grantMembership(ctx, { organization_id: here(), user_id, role: 'OPERATIONS' }))
    expect((await api.post(path, { name: 'X' }, by(key))).status).toBe(401)
    expect(codeOf(await api.post(path, { name: 'X' }, by(await tokenAs(here()))))).toEqual([403, 'forbidden'])
  })
})

it('refuses an API key beyond the limit of the organization until some are revoked', async () => {
  const key = await aMemberKey(api, api.story.rival_organization_id, 'ADMIN')
  await api.database.pool.query(
    `insert into api_keys (id, user_id, organization_id, mode, last_four, secret_hash, scopes, created_at, rate_limited)
     select 'key_' || lpad(position::text, 26, '0'), user_id, organization_id, mode, last_four,
            sha256(position::text::bytea), '{read}', now(), true
       from (select * from api_keys where organization_id = $1 limit 1) as one, generate_series(1, 200) as position`,
    [api.story.rival_organization_id],
  )
  expect(codeOf(await api.post(path, { name: 'X' }, { key }))).toEqual([409, 'too_many_api_keys'])
  const of_rival = (await api.get(`${path}?limit=100`, { key })).body.data.filter((each) => each.scopes.length === 1)
  for (const { id } of of_rival.slice(0, 20)) await api.call('DELETE', `${path}/${id}`, { key })
  expect((await api.post(path, { name: 'X' }, { key })).status).toBe(201)
})

describe('unbound keys that reach an organization', () => {
  it('are visible to its ADMINs with creator and last use, but without data of other organizations', async () => {
    const rival = api.story.rival_organization_id
    const { user_id, key } = await aMemberOf([here(), rival])
    await api.database.pool.query(
      `update api_keys set name = 'Nightly of Rival', allowed_origins = '{https://rival.example.com}', last_used_at = $2
        where user_id = $1`,
      [user_id, '2026-03-09T12:00:00Z'],
    )
    const unbound = async () => (await api.get(`${path}?unbound=true&limit=100`)).body.data
    const mine = pick(await unbound(), (each) => each.user_id === user_id)
    expect(mine).toMatchObject({
      organization_id: null,
      name: null,
      allowed_origins: null,
      last_used_at: '2026-03-09T12:00:00.000Z',
      status: 'active',
    })
    expect(JSON.stringify(mine)).not.toMatch(/rival/i)
    expect(mine).toHaveProperty('created_by')
    expect((await api.get(path)).text).not.toContain(mine.id)
    for (const answer of [await api.get(`${path}/${mine.id}`), await api.call('DELETE', `${path}/${mine.id}`)])
      expect(codeOf(answer)).toEqual([404, 'not_found'])
    expect(codeOf(await api.get(`${path}?unbound=true`, { key: await aMemberKey(api, here(), 'SALES') }))).toEqual([
      403,
      'forbidden',
    ])

    // Keys that do not reach the organization are hidden, including those of former members.
    const elsewhere = await aMemberOf([rival])
    await api.act((ctx) => grantMembership(ctx, { organization_id: here(), user_id: elsewhere.user_id, role: 'SALES' }))
    expect((await unbound()).map((each) => each.user_id)).not.toContain(elsewhere.user_id)
    await api.act((ctx) => endMembership(ctx, here(), user_id))
    expect((await unbound()).map((each) => each.user_id)).not.toContain(user_id)
    expect(await organizationsOf(key)).toEqual([rival])
  })
})
