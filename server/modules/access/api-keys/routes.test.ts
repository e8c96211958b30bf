import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../app.ts'
import { codeOf, refusalOf, ofKey } from '../../../test/response.ts'
import { aMemberKey, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { createUser, setUpOrganization, grantMembership } from '../organizations/actions.ts'
import { createApiKey, openKeyUses } from './actions.ts'
import { newApiKey } from '../auth/rules.ts'

const api = useApi()
const path = '/v1/api-keys'
const here = () => api.story.organization_id
const widgets = 'https://widgets.example.com'

/** Creates a key of Harbor and returns it with its secret. */
async function make(body: Record<string, unknown> = {}, key?: string) {
  const answer = await api.post(path, { name: 'Payroll', ...body }, key === undefined ? {} : { key })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const statusOf = async (key: string, of = '/v1/employers') => (await api.get(of, { key })).status
const issue = async (key: string, bound_entity?: object) =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity }, { key })).body
    .access_token

/** Creates a member of these organizations with an unbound key that reaches them. */
const aMemberOf = (organization_ids: string[], follows_memberships = false) =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Vera', email: null })
    for (const organization_id of organization_ids)
      await grantMembership(ctx, { organization_id, user_id, role: 'ADMIN' })
    const wanted = { user_id, organization_id: null, mode: 'test', rate_limited: false, follows_memberships } as const
    return { user_id, key: (await createApiKey(ctx, wanted)).api_key }
  })

const organizationsOf = async (key: string) =>
  (await api.get('/v1/organizations', { key })).body.organizations.map(({ id }) => id)

describe('a key that an ADMIN creates', () => {
  it('is shown once, works, and is listed without its secret', async () => {
    const { api_key, ...made } = await make({ name: 'Nightly payroll' })
    expect(made).toMatchObject({
      name: 'Nightly payroll',
      organization_id: here(),
      mode: 'test',
      last_four: api_key.slice(-4),
      scopes: ['read', 'write', 'people', 'money', 'webhooks', 'keys', 'tax'],
      allowed_origins: null,
      status: 'active',
      created_by: made.user_id,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    })
    expect(await statusOf(api_key)).toBe(200)
    expect((await api.get(`${path}/${made.id}`)).body.data).toEqual(made)
    const listed = await api.get(path)
    expect(listed.body.data[0]).toEqual(made)
    expect(listed.text).not.toContain(api_key)
    expect(await api.events(made.id)).toEqual(['api_key.created'])
  })

  it("belongs to the selected member and has that member's role", async () => {
    const key = await aMemberKey(api, here(), 'SALES')
    const { user: seller } = ofKey((await api.get('/v1/auth/token', { key })).body.data)
    const { api_key } = await make({ user_id: seller.id })
    expect(await statusOf(api_key)).toBe(200)
    expect(await statusOf(api_key, '/v1/members')).toBe(403)
  })

  it('is refused for a non-member, for more scopes than its creator has, and for an expiry in the past', async () => {
    const { user_id } = await aMemberOf([api.story.rival_organization_id])
    expect(refusalOf(await api.post(path, { name: 'X', user_id }))).toEqual([422, 'user_is_not_a_member', 'user_id'])
    const { api_key } = await make({ scopes: ['write', 'keys'], expires_at: '2026-04-01T00:00:00Z' })
    for (const wider of [
      { scopes: ['write', 'money'], expires_at: '2026-04-01T00:00:00Z' },
      { scopes: ['write'] },
      { scopes: ['write'], expires_at: '2026-04-02T00:00:00Z' },
    ]) {
      const answer = await api.post(path, { name: 'X', ...wider }, { key: api_key })
      expect(codeOf(answer)).toEqual([422, 'key_exceeds_creator'])
    }
    const over = await api.post(path, { name: 'X', expires_at: '2026-03-10T00:00:00Z' })
    expect(refusalOf(over)).toEqual([400, 'invalid_request', 'expires_at'])
    await make({ scopes: ['write'], expires_at: '2026-03-20T00:00:00Z' }, api_key)
  })

  it('is refused with the scopes that it lacks', async () => {
    const { api_key } = await make({ scopes: ['write'] })
    const listed = await api.get(path, { key: api_key })
    expect([codeOf(listed), listed.error.message]).toEqual([
      [403, 'forbidden'],
      'The API key lacks the scopes read, keys.',
    ])
  })

  it('cannot be created by a token, or by a caller who reaches the organization without being a member', async () => {
    const token = await issue(api.story.api_key)
    expect(codeOf(await api.post(path, { name: 'X' }, { key: token }))).toEqual([403, 'forbidden'])
    const asHarbor = { key: api.story.super_api_key, headers: { 'x-service-organization': here() } }
    expect(codeOf(await api.post(path, { name: 'X' }, asHarbor))).toEqual([403, 'forbidden'])
  })

  it('is returned again when the request is repeated within ten minutes', async () => {
    const send = () => api.post(path, { name: 'Once' }, { headers: { 'idempotency-key': 'one-key' } })
    const [first, second] = [await send(), await send()]
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    api.wait(11 * 60_000)
    expect(codeOf(await send())).toEqual([409, 'idempotency_response_expired'])
  })
})

describe('the scopes of a key', () => {
  it('limit the operations that the key can call', async () => {
    const employer_id = await createEmployer(api)
    const { api_key } = await make({ scopes: ['money', 'read'] })
    expect(await statusOf(api_key)).toBe(200)
    expect(await statusOf(api_key, `/v1/employers/${employer_id}/invoices`)).toBe(200)
    for (const requested of [`/v1/employers/${employer_id}/employees`, '/v1/webhook-subscriptions', path])
      expect(await statusOf(api_key, requested), requested).toBe(403)
    expect((await api.post('/v1/employers', {}, { key: api_key })).status).toBe(403)
    const foreign = await createEmployer(api, {}, { key: api.story.rival_api_key })
    expect(await statusOf(api_key, `/v1/employers/${foreign}/employees`)).toBe(404)
  })

  it('also apply to its tokens', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    const { api_key } = await make({ scopes: ['read', 'people'] })
    const token = await issue(api_key, { type: 'employee', id })
    expect(await statusOf(token, `/v1/employees/${id}`)).toBe(200)
    expect((await api.post(`/v1/employees/${id}/dependents`, {}, { key: token })).status).toBe(403)
  })
})

describe('the expiry or revocation of a key', () => {
  it('takes effect without further action, including for its tokens', async () => {
    const { api_key, id } = await make({ expires_at: '2026-03-10T18:00:00Z' })
    api.moveTo('2026-03-10')
    api.wait(90 * 60_000)
    const { body } = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key: api_key })
    expect(body.expires_in).toBeLessThanOrEqual(900)
    api.wait(25 * 60_000)
    const late = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key: api_key })
    expect(late.body.expires_in).toBe(300)
    api.wait(5 * 60_000)
    expect([await statusOf(api_key), await statusOf(late.body.access_token)]).toEqual([401, 401])
    expect((await api.get(`${path}/${id}`)).body.data.status).toBe('expired')
    api.moveTo('2026-03-10')
  })

  it('takes effect immediately on revocation, and the key itself can report a leak', async () => {
    const [revoked, leaked] = [await make(), await make()]
    const token = await issue(leaked.api_key)
    const answer = await api.call('DELETE', `${path}/${revoked.id}`)
    expect(answer.body.data).toMatchObject({ id: revoked.id, status: 'revoked', revoked_because: 'requested' })
    expect(codeOf(await api.call('DELETE', `${path}/${revoked.id}`))).toEqual([404, 'not_found'])

    const report = { api_key: leaked.api_key }
    const reported = await api.post(`${path}/report-leak`, report, { key: leaked.api_key })
    expect([reported.status, reported.body.data.id]).toEqual([200, leaked.id])
    expect(await Promise.all([revoked.api_key, leaked.api_key, token].map((key) => statusOf(key)))).toEqual([
      401, 401, 401,
    ])
    expect((await api.get(`${path}/${leaked.id}`)).body.data.revoked_because).toBe('leaked')
    expect(await api.events(leaked.id)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  it('can be caused by anyone who found the key, but not by guessing', async () => {
    const found = await make()
    const client = { key: await aMemberKey(api, api.story.rival_organization_id, 'SALES') }
    for (const api_key of [newApiKey('test'), 'nonsense'])
      expect(codeOf(await api.post(`${path}/report-leak`, { api_key }, client))).toEqual([404, 'not_found'])
    expect((await api.post(`${path}/report-leak`, { api_key: found.api_key }, client)).status).toBe(200)
    expect(await statusOf(found.api_key)).toBe(401)
  })
})

describe('a rotation', () => {
  it('keeps both secrets valid until the overlap ends', async () => {
    const { id, api_key } = await make()
    const half = await api.post(`${path}/${id}/rotate`, { overlap_hours: 1.5 })
    expect(half.error.message).toBe('overlap_hours: must be a whole number')
    const rotated = (await api.post(`${path}/${id}/rotate`, { overlap_hours: 2 })).body.data
    expect(rotated).toMatchObject({ id, last_four: rotated.api_key.slice(-4) })
    expect(rotated.api_key).not.toBe(api_key)
    expect([await statusOf(api_key), await statusOf(rotated.api_key)]).toEqual([200, 200])
    api.wait(2 * 3_600_000)
    expect([await statusOf(api_key), await statusOf(rotated.api_key)]).toEqual([401, 200])
    expect((await api.get(`${path}/${id}`)).body.data.former_secret_expires_at).toBeNull()
    api.moveTo('2026-03-10')
  })

  it('ends the previous secret immediately without an overlap, and always ends the one before it', async () => {
    const { id, api_key: first } = await make()
    const rotate = async (overlap_hours: number) =>
      (await api.post(`${path}/${id}/rotate`, { overlap_hours })).body.data.api_key
    const second = await rotate(24)
    const third = await rotate(24)
    expect(await Promise.all([first, second, third].map((key) => statusOf(key)))).toEqual([401, 200, 200])
    const fourth = await rotate(0)
    expect(await Promise.all([second, third, fourth].map((key) => statusOf(key)))).toEqual([401, 401, 200])
  })
})

describe('a rotation never widens access', () => {
  const rotate = (id: string, key: string) => api.post(`${path}/${id}/rotate`, { overlap_hours: 1 }, { key })

  it('by refusing to rotate a key that has more scopes or expires later', async () => {
    const everything = await make()
    const narrow = await make({ scopes: ['write', 'keys'] })
    const short = await make({ expires_at: '2026-04-01T00:00:00Z' })
    for (const { api_key } of [narrow, short])
      expect(codeOf(await rotate(everything.id, api_key))).toEqual([422, 'key_exceeds_creator'])
    expect(await statusOf(everything.api_key)).toBe(200)
    expect((await rotate(narrow.id, narrow.api_key)).status).toBe(200)
    expect((await rotate(short.id, short.api_key)).status).toBe(200)
  })

  it('by refusing the previous secret, which is about to expire', async () => {
    const { id, api_key: former } = await make()
    expect((await rotate(id, former)).status).toBe(200)
    expect(codeOf(await rotate(id, former))).toEqual([422, 'key_exceeds_creator'])
    expect(codeOf(await api.post(path, { name: 'X' }, { key: former }))).toEqual([422, 'key_exceeds_creator'])
  })
})

describe('the reach of a key', () => {
  it('includes later memberships only on request', async () => {
    const bound = await aMemberOf([here()])
    const follower = await aMemberOf([here()], true)
    const later = api.story.rival_organization_id
    for (const { user_id } of [bound, follower])
      await api.act((ctx) => grantMembership(ctx, { organization_id: later, user_id, role: 'SALES' }))
    api.wait(5_000)
    expect(await organizationsOf(bound.key)).toEqual([here()])
    expect(await organizationsOf(follower.key)).toEqual([here(), later])
    const asLater = (key: string) => api.get('/v1/employers', { key, headers: { 'x-service-organization': later } })
    expect(codeOf(await asLater(bound.key))).toEqual([403, 'organization_access_denied'])
    expect((await asLater(follower.key)).status).toBe(200)
  })

  it('includes organizations that its owner creates with it', async () => {
    const { key } = await aMemberOf([])
    const { body } = await api.post('/v1/organizations', { name: 'Fern Benefits' }, { key })
    expect(await organizationsOf(key)).toEqual([body.id])
  })

  it('excludes other organizations of its owner if the key is bound to one', async () => {
    const { user_id } = await aMemberOf([here(), api.story.rival_organization_id])
    const { api_key } = await make({ user_id })
    expect(await organizationsOf(api_key)).toEqual([here()])
  })

  it('covers sandboxes for a test key, and all other organizations for a live key', async () => {
    const { user_id } = await aMemberOf([here()])
    const keys = await api.act(async (ctx) => {
      const wanted = { name: 'Solid', type: null, super_in: false, sandbox: false, admin_user_id: user_id }
      const solid = await setUpOrganization(ctx, wanted)
      const open = { user_id, organization_id: null, rate_limited: false, follows_memberships: true }
      const live = (await createApiKey(ctx, { ...open, mode: 'live' })).api_key
      return { solid, live, test: (await createApiKey(ctx, { ...open, mode: 'test' })).api_key }
    })
    expect(await organizationsOf(keys.test)).toEqual([here()])
    expect(await organizationsOf(keys.live)).toEqual([keys.solid])
    // This also applies to a caller that reaches every organization.
    const asSolid = { key: api.story.super_api_key, headers: { 'x-service-organization': keys.solid } }
    api.wait(5_000)
    expect(codeOf(await api.get('/v1/employers', asSolid))).toEqual([403, 'organization_access_denied'])
    expect(await statusOf(api.story.super_api_key)).toBe(200)
  })
})

describe('the allowed origins of a key', () => {
  const from = async (origin: string, key: string | null, employer_id: string, method = 'GET') => {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const answer = await api.call(method, `/v1/employers/${employer_id}`, { key, headers })
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }

  it('are set for each key by its organization', async () => {
    const bound = { type: 'employer', id: await createEmployer(api) }
    const open = await make({ allowed_origins: [widgets] })
    const tokens = { open: await issue(open.api_key, bound), closed: await issue((await make()).api_key, bound) }
    api.wait(5_000)
    expect(await from(widgets, null, bound.id, 'OPTIONS')).toEqual([204, widgets])
    expect(await from(widgets, tokens.open, bound.id)).toEqual([200, widgets])
    expect(await from(widgets, tokens.closed, bound.id)).toEqual([403, null])
    expect(await from('https://evil.example.com', tokens.open, bound.id)).toEqual([403, null])
    expect((await from('https://evil.example.com', null, bound.id, 'OPTIONS'))[1]).toBeNull()

    const changed = await api.patch(`${path}/${open.id}`, { allowed_origins: ['https://other.example.com'] })
    expect(changed.body.data.allowed_origins).toEqual(['https://other.example.com'])
    expect(await from(widgets, tokens.open, bound.id)).toEqual([403, null])
  })

  it.each([
    'https://app.example.com/',
    'app.example.com',
    'https://*.example.com/x',
    'null',
    'ftp://example.com',
    '*',
    'https://*',
    'https://*.example.com',
    'https://app.*',
  ])('reject %s', async (origin) => {
    const answer = await api.post(path, { name: 'X', allowed_origins: [origin] })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'allowed_origins[0]'])
  })
})

describe('the last use of a key', () => {
  it('is buffered in memory and written for many keys at once', async () => {
    const made = await make()
    const lastUsed = async () => (await api.get(`${path}/${made.id}`)).body.data.last_used_at
    const uses = openKeyUses(api.runtime)
    uses.note(made.id)
    expect(await lastUsed()).toBeNull()
    await uses.flush()
    expect(await lastUsed()).toBe(new Date(api.runtime.clock()).toISOString())
  })

  it('is recorded for requests with keys and tokens, and written when the service stops', async () => {
    const [used, token] = [await make(), await make()]
    const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
    const send = (key: string) => app.inject({ url: '/v1/employers', headers: { authorization: `Bearer ${key}` } })
    expect([(await send(used.api_key)).statusCode, (await send(await issue(token.api_key))).statusCode]).toEqual([
      200, 200,
    ])
    await app.close()
    for (const { id } of [used, token]) expect((await api.get(`${path}/${id}`)).body.data.last_used_at).not.toBeNull()
  })
})
