import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { codeOf, ofKey, refusalOf } from '../../../test/response.ts'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { createApiKey, revokeApiKey } from '../api-keys/actions.ts'
import { insertUser } from '../organizations/queries.ts'

const api = useApi()
const path = '/v1/auth/access-tokens'
const unbound = { grant_type: 'client_credentials' }

describe('issue_access_token', () => {
  it('issues a token of 15 minutes that no cache may store', async () => {
    const answer = await api.post(path, unbound)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^obat_/),
      token_type: 'Bearer',
      expires_in: 900,
      bound_entity: null,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('issues a distinct token for each request, even within a second', async () => {
    const issued = await Promise.all(Array.from({ length: 3 }, () => api.post(path, unbound)))
    expect(new Set(issued.map(({ body }) => body.access_token)).size).toBe(3)
  })

  it('refuses to issue a token for a token', async () => {
    const { body } = await api.post(path, unbound)
    const answer = await api.post(path, unbound, { key: body.access_token })
    expect(codeOf(answer)).toEqual([403, 'forbidden'])
  })

  it('rejects a token after 15 minutes', async () => {
    const { body } = await api.post(path, unbound)
    api.wait(899_000)
    expect((await api.post(path, unbound, { key: body.access_token })).status).toBe(403)
    api.wait(2_000)
    expect((await api.post(path, unbound, { key: body.access_token })).status).toBe(401)
  })

  it('rejects a token within 5 seconds after its key was revoked', async () => {
    const { id, api_key } = await api.act(async (ctx) => {
      await insertUser(ctx, { id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz', name: 'Temp', email: null })
      return createApiKey(ctx, {
        user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz',
        organization_id: null,
        mode: 'live',
        rate_limited: false,
      })
    })
    const { body } = await api.post(path, unbound, { key: api_key })
    await api.act((ctx) => revokeApiKey(ctx, { api_key_id: id, organization_id: null }))
    api.wait(5_000)
    expect((await api.post(path, unbound, { key: body.access_token })).status).toBe(401)
    expect((await api.post(path, unbound, { key: api_key })).status).toBe(401)
  })

  it.each([
    ['no grant type', {}, 'grant_type'],
    ['another grant type', { grant_type: 'password' }, 'grant_type'],
    [
      'a type that does not match the id',
      { ...unbound, bound_entity: { type: 'employer', id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz' } },
      'bound_entity.id',
    ],
  ])('refuses %s and names the field', async (_, body, field) => {
    const answer = await api.post(path, body)
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', field])
  })

  it('returns 404 for an entity that does not exist', async () => {
    const answer = await api.post(path, {
      ...unbound,
      bound_entity: { type: 'employer', id: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz' },
    })
    expect(codeOf(answer)).toEqual([404, 'not_found'])
  })
})

describe('get_token', () => {
  const reported = async (key: string, headers: Record<string, string> = {}) => {
    const answer = await api.get('/v1/auth/token', { key, headers })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data
  }

  it('describes a key by its owner, organization, role, scopes and expiry', async () => {
    expect(await reported(api.story.api_key)).toEqual({
      kind: 'api_key',
      api_key: { id: expect.stringMatching(/^key_/), name: 'Harbor', last_four: api.story.api_key.slice(-4) },
      user: { id: expect.stringMatching(/^usr_/), name: 'Maya Okafor', email: 'maya@example.com' },
      organization: {
        id: api.story.organization_id,
        name: 'Harbor Benefits',
        sandbox: true,
        accent_color: null,
        display_names: [],
      },
      bound_entity: null,
      roles: [{ organization_id: api.story.organization_id, role: 'ADMIN' }],
      super_in: false,
      scopes: ['read', 'write', 'people', 'money', 'webhooks', 'keys', 'tax'],
      mode: 'test',
      signed_in_at: null,
      expires_at: null,
      today: '2026-03-10',
    })
  })

  it('lists the roles in several organizations, and names the organization if the request specifies one', async () => {
    const { organization_id, rival_organization_id, multi_organization_api_key: key, super_api_key } = api.story
    const many = ofKey(await reported(key))
    expect(many.organization).toBeNull()
    expect(many.roles.map((held) => held.organization_id).toSorted()).toEqual(
      [organization_id, rival_organization_id].toSorted(),
    )
    const named = await reported(key, { 'x-service-organization': rival_organization_id })
    expect(named.organization?.name).toBe('Rival Benefits')
    expect(await reported(super_api_key)).toMatchObject({ super_in: true, organization: null })
    expect(await reported(api.story.newcomer_api_key)).toMatchObject({ roles: [], organization: null })
  })

  it('describes a bound token by its entity, branding and day, without owner, roles or scopes', async () => {
    const employer_id = await createEmployer(api)
    const { id: employee_id } = await createEmployee(api, employer_id)
    for (const bound_entity of [
      { type: 'employer', id: employer_id },
      { type: 'employee', id: employee_id },
    ]) {
      const { body } = await api.post(path, { ...unbound, bound_entity })
      expect(await reported(body.access_token)).toEqual({
        kind: `${bound_entity.type}_token`,
        bound_entity,
        organization: {
          id: api.story.organization_id,
          name: 'Harbor Benefits',
          sandbox: true,
          accent_color: null,
          display_names: [],
        },
        expires_at: new Date(api.runtime.clock() + 900_000).toISOString(),
        today: '2026-03-10',
      })
    }
  })
})

describe('a token signed with our key', () => {
  const signed = async (claims: Record<string, unknown>, without: string[] = []) => {
    const { body } = await api.get('/v1/auth/token')
    const now = Math.floor(api.runtime.clock() / 1000)
    const good = {
      iss: 'openbenefits',
      iat: now,
      exp: now + 900,
      key_id: ofKey(body.data).api_key!.id,
      bound_entity: null,
      organization_id: null,
    }
    const all = Object.entries({ ...good, ...claims }).filter(([name]) => !without.includes(name))
    const jwt = new SignJWT(Object.fromEntries(all)).setProtectedHeader({ alg: 'HS256' })
    return `obat_${await jwt.sign(api.runtime.secrets.tokenKeys()[0]!)}`
  }
  const refused = async (key: string) =>
    expect(await codeOf(await api.get('/v1/employers', { key }))).toEqual([401, 'unauthorized'])

  it('is accepted with the claims that we sign', async () => {
    expect((await api.get('/v1/employers', { key: await signed({}) })).status).toBe(200)
  })

  it.each(['key_id', 'exp', 'iss', 'bound_entity', 'organization_id'])(
    'is rejected with 401 without %s',
    async (claim) => refused(await signed({}, [claim])),
  )

  const odd = [null, '', 'x', 7, -1, 1e300, 1.5, true, [], {}, ['key_x'], { id: 'x' }, '\0', 'x'.repeat(2000)]
  const empl = { type: 'employee', id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz' }
  it.each([
    ...['key_id', 'exp', 'bound_entity', 'organization_id', 'iss', 'iat', 'nbf'].map((claim) => [claim, odd] as const),
    [
      'bound_entity',
      [empl, { ...empl, id: 'empl_' }, { ...empl, id: 7 }, { ...empl, type: 'employer' }, [empl]],
    ] as const,
    ['session_id', odd] as const,
  ])('is either rejected with 401 or accepted, but never fails, with odd values of %s', async (claim, values) => {
    for (const value of values) {
      const { status } = await api.get('/v1/employers', { key: await signed({ [claim]: value }) })
      expect([200, 401], JSON.stringify(value)).toContain(status)
    }
  })

  it('is rejected with 401 if it is bound to an entity without an organization', async () => {
    await refused(await signed({ bound_entity: empl }))
    await refused(await signed({ organization_id: api.story.organization_id }))
  })
})
