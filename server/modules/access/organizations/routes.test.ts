import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, boundToken } from '../../../test/fixtures.ts'
import { codeOf, refusalOf, statusOrCode } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { createApiKey } from '../api-keys/actions.ts'
import { createUser } from './actions.ts'

const api = useApi()
const path = '/v1/organizations'
const northwind = { name: 'Northwind Benefits', type: 'BROKERAGE' }

/** The key of a user who belongs to no organization. */
const newcomerKey = () =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Nils Newcomer', email: null })
    return (await createApiKey(ctx, { user_id, organization_id: null, mode: 'test', rate_limited: false })).api_key
  })

describe('list_organizations', () => {
  it("lists the active memberships of the key's owner with the role in each", async () => {
    const { status, body } = await api.get(path, { key: api.story.multi_organization_api_key })
    expect(status).toBe(200)
    expect(body).toEqual({
      organizations: [
        {
          id: api.story.organization_id,
          name: 'Harbor Benefits',
          type: 'BROKERAGE',
          idp_org_id: api.story.organization_id,
          idp_provider: 'service',
          super_in: false,
          role: 'ADMIN',
        },
        expect.objectContaining({ id: api.story.rival_organization_id }),
      ],
      total: 2,
    })
  })

  it('returns a page on request, with the correct total', async () => {
    const key = api.story.multi_organization_api_key
    const ids = async (query: string) => {
      const { body } = await api.get(`${path}${query}`, { key })
      return [body.organizations.map(({ id }) => id), body.total]
    }
    expect(await ids('?limit=1')).toEqual([[api.story.organization_id], 2])
    expect(await ids('?limit=1&page=2')).toEqual([[api.story.rival_organization_id], 2])
    expect(await ids('?page=2')).toEqual([[], 2])
  })

  it('is empty for a user without organizations', async () => {
    const answer = await api.get(path, { key: api.story.newcomer_api_key })
    expect([answer.status, answer.body]).toEqual([200, { organizations: [], total: 0 }])
  })

  it.each(['?limit=0', '?limit=101', '?page=0', '?page=x'])('refuses %s', async (query) => {
    expect((await api.get(path + query)).status).toBe(400)
  })

  it('hides the organizations of others, even from callers that reach every organization', async () => {
    const { body } = await api.get(path, { key: api.story.super_api_key })
    expect(body.organizations.map((organization: { name: string }) => organization.name)).toEqual([
      'Lookout Operations',
    ])
  })
})

it.each(['employer', 'employee'] as const)('rejects tokens that are bound to one %s', async (type) => {
  const employer_id = await createEmployer(api)
  const id = type === 'employer' ? employer_id : (await createEmployee(api, employer_id)).id
  const key = await boundToken(api, type, id)
  expect((await api.get(path, { key })).error.code).toBe('forbidden')
  expect((await api.post(path, northwind, { key })).error.code).toBe('forbidden')
})

describe('create_organization', () => {
  it('returns the organization, which inherits the sandbox flag and has its creator as ADMIN', async () => {
    const key = await newcomerKey()
    const { status, body } = await api.post(path, northwind, { key })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...northwind,
      id: expect.stringMatching(/^org_/),
      idp_org_id: body.id,
      idp_provider: 'service',
      super_in: false,
    })
    const mine = await api.get(path, { key })
    expect(mine.body).toEqual({ organizations: [{ ...body, role: 'ADMIN' }], total: 1 })
    const stored = await api.database.reads.row('select sandbox from organizations where id = $1', [body.id])
    expect(stored).toEqual({ sandbox: true })
  })

  it('gives access to the organization from the next request on', async () => {
    const key = await newcomerKey()
    await api.get(path, { key })
    const { body } = await api.post(path, northwind, { key })
    const named = await api.get(path, { key, headers: { 'x-service-organization': body.id } })
    expect(named.status).toBe(200)
  })

  it('does not require a type', async () => {
    const { status, body } = await api.post(path, { name: ' Solo ' }, { key: await newcomerKey() })
    expect([status, body.name, body.type]).toEqual([201, 'Solo', null])
  })

  it('refuses a user who already has an organization', async () => {
    const answer = await api.post(path, northwind)
    expect(codeOf(answer)).toEqual([409, 'organization_already_exists'])
    expect(answer.headers.get('x-should-retry')).toBe('false')
  })

  it('creates one organization for a user who sends 20 concurrent requests', async () => {
    const key = await newcomerKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, northwind, { key })))
    const outcomes = answers.map(statusOrCode)
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'organization_already_exists')).toHaveLength(19)
    expect((await api.get(path, { key })).body.total).toBe(1)
  })

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['an unknown type', { name: 'Northwind', type: 'BANK' }, 'type'],
  ])('refuses %s and names the field', async (_, body, field) => {
    const answer = await api.post(path, body, { key: api.story.newcomer_api_key })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', field])
  })

  it('is recorded in the audit log', async () => {
    const { body } = await api.post(path, northwind, { key: await newcomerKey() })
    const entry = await api.database.reads.row('select operation, fields from audit_entries where resource_id = $1', [
      body.id,
    ])
    expect(entry).toEqual({ operation: 'create_organization', fields: ['name', 'type'] })
  })

  it('ignores fields that the creator cannot write', async () => {
    const { body } = await api.post(
      path,
      { name: 'Plain', super_in: true, idp_org_id: 'x' },
      { key: await newcomerKey() },
    )
    expect([body.super_in, body.idp_org_id]).toEqual([false, body.id])
  })
})

describe('set_branding', () => {
  const brand = (accent_color: unknown, key = api.story.api_key) =>
    api.put('/v1/organization-branding', { accent_color }, { key })

  it('shows the color to any token of the organization, and refuses unreadable colors', async () => {
    expect((await brand('#7A1F5C')).body.data).toEqual({ accent_color: '#7a1f5c' })
    const shown = async () => (await api.get('/v1/auth/token')).body.data.organization?.accent_color
    expect(await shown()).toBe('#7a1f5c')
    for (const wrong of ['#ffe000', 'red', '#fff', 'url(x)', 7, undefined])
      expect(refusalOf(await brand(wrong))).toEqual([400, 'invalid_request', 'accent_color'])
    expect((await brand('#000000', api.story.rival_api_key)).status).toBe(200)
    expect(await shown()).toBe('#7a1f5c')
    expect((await brand(null)).body.data).toEqual({ accent_color: null })
    expect(await shown()).toBeNull()
  })
})

describe('set_display_names', () => {
  it('replaces the names that any token of the organization shows, each once per language', async () => {
    const set = (display_names: unknown, key = api.story.api_key) =>
      api.put('/v1/organization-display-names', { display_names }, { key })
    const spanish = { language: 'es', name: 'Dental', display_name: 'Cuidado dental' }
    const names = [spanish, { language: 'en', name: 'Dental', display_name: 'Smile' }]
    expect((await set(names)).body.data).toEqual({ display_names: names })
    const shown = async () => (await api.get('/v1/auth/token')).body.data.organization?.display_names
    expect(await shown()).toEqual(names)
    expect(refusalOf(await set([spanish, spanish]))).toEqual([400, 'invalid_request', 'display_names'])
    expect(refusalOf(await set([{ ...spanish, language: 'fr' }]))).toEqual([
      400,
      'invalid_request',
      'display_names[0].language',
    ])
    expect((await set([], api.story.rival_api_key)).status).toBe(200)
    expect(await shown()).toEqual(names)
    await set([])
    expect(await shown()).toEqual([])
  })
})
