import { describe, expect, it } from 'vitest'
import { codeOf } from '../test/response.ts'
import { aMemberKey, aPerson, createEmployee, createEmployer } from '../test/fixtures.ts'
import { useApi } from '../test/harness.ts'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { createUser, endMembership, grantMembership } from '../modules/access/organizations/actions.ts'
import { whyNotIssueCredential } from './authorize.ts'
import type { Role } from '../runtime/permissions.ts'

const api = useApi()
const ownOrganization = () => api.story.organization_id
const rivalOrganization = () => api.story.rival_organization_id

const issue = async (key: string, bound_entity?: object) =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity }, { key })).body
    .access_token

/** A user with these roles by organization, and an unbound key that reaches all of them. */
const aUserOf = (held: Record<string, Role>) =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Vera', email: null })
    for (const [organization_id, role] of Object.entries(held))
      await grantMembership(ctx, { organization_id, user_id, role })
    const { api_key } = await createApiKey(ctx, { user_id, organization_id: null, mode: 'test', rate_limited: false })
    return { user_id, key: api_key }
  })

it.each([
  ['until 60 minutes after the sign-in', '2026-03-10T17:00:00.000Z', undefined],
  ['not later', '2026-03-10T17:00:00.001Z', 'sign_in_again'],
])('a session may create credentials %s', (_, now, code) => {
  const signed_in_at = '2026-03-10T16:00:00.000Z'
  expect(whyNotIssueCredential({ issues_credential: true }, { signed_in_at }, now)?.code).toBe(code)
})

describe('a role limits its holder', () => {
  it('an enrollment agent cannot create employers, terminate employees or subscribe webhooks', async () => {
    const key = await aMemberKey(api, ownOrganization(), 'ENROLLMENT_AGENT')
    const employer_id = await createEmployer(api)
    const { id } = await createEmployee(api, employer_id, {}, { key })
    const refused = [
      await api.post('/v1/employers', {}, { key }),
      await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-10' }, { key }),
      await api.post('/v1/webhook-subscriptions', { url: 'https://example.com' }, { key }),
    ]
    expect(refused.map(codeOf)).toEqual(refused.map(() => [403, 'forbidden']))
    expect((await api.get(`/v1/employees/${id}`, { key })).status).toBe(200)
  })

  it('a sales user sees employers and their plan years, but no people', async () => {
    const key = await aMemberKey(api, ownOrganization(), 'SALES')
    const employer_id = await createEmployer(api)
    const statusOf = async (path: string) => (await api.get(path, { key })).status
    expect(await statusOf('/v1/employers')).toBe(200)
    expect(await statusOf(`/v1/employers/${employer_id}/benefit-plan-years`)).toBe(200)
    for (const path of [
      `/v1/employers/${employer_id}/employees`,
      '/v1/members',
      `/v1/employers/${employer_id}/invoices`,
    ])
      expect(await statusOf(path), path).toBe(403)
  })

  it('is checked after existence and before the body', async () => {
    const key = await aMemberKey(api, ownOrganization(), 'SALES')
    const foreign = await createEmployer(api, {}, { key: api.story.rival_api_key })
    const own = await createEmployer(api)
    const create = (employer_id: string) =>
      api.call('POST', `/v1/employers/${employer_id}/employees`, { key, raw: '{' })
    expect(codeOf(await create(foreign))).toEqual([404, 'not_found'])
    expect(codeOf(await create(own))).toEqual([403, 'forbidden'])
    const misspelled = await api.get(`/v1/employers/${own}/employees?limit=x`, { key })
    expect(codeOf(misspelled)).toEqual([403, 'forbidden'])
  })
})

describe('tokens issued from a key', () => {
  it('have at most the permissions of the key’s owner', async () => {
    const employer_id = await createEmployer(api)
    const bound = { type: 'employer', id: employer_id }
    const agent = await issue(await aMemberKey(api, ownOrganization(), 'ENROLLMENT_AGENT'), bound)
    expect((await api.get(`/v1/employers/${employer_id}/employees`, { key: agent })).status).toBe(200)
    expect(codeOf(await api.get(`/v1/employers/${employer_id}/invoices`, { key: agent }))).toEqual([403, 'forbidden'])
    const seller = await issue(await aMemberKey(api, ownOrganization(), 'SALES'), bound)
    expect(codeOf(await api.get(`/v1/employers/${employer_id}/employees`, { key: seller }))).toEqual([403, 'forbidden'])
  })

  it('follow the role of the owner and lose access with the membership', async () => {
    const employer_id = await createEmployer(api)
    const { user_id, key } = await aUserOf({ [ownOrganization()]: 'ADMIN' })
    const tokens = [key, await issue(key), await issue(key, { type: 'employer', id: employer_id })]
    const requested = async () => {
      api.wait(5_000)
      const answers = []
      for (const each of tokens) answers.push(await api.get(`/v1/employers/${employer_id}/invoices`, { key: each }))
      return answers.map(({ status }) => status)
    }
    expect(await requested()).toEqual([200, 200, 200])
    await api.act((ctx) => endMembership(ctx, ownOrganization(), user_id))
    expect(await requested()).toEqual([404, 404, 401])
    await api.act((ctx) => grantMembership(ctx, { organization_id: ownOrganization(), user_id, role: 'SALES' }))
    expect(await requested()).toEqual([403, 403, 403])
  })
})

describe('a user with different roles in two organizations', () => {
  it('acts in the role of the resource’s organization', async () => {
    const own = await createEmployer(api)
    const other = await createEmployer(api, {}, { key: api.story.rival_api_key })
    const { key } = await aUserOf({ [ownOrganization()]: 'OPERATIONS', [rivalOrganization()]: 'SALES' })
    const hire = (employer_id: string) => api.patch(`/v1/employees/${employer_id}`, {}, { key })
    const person = await createEmployee(api, own)
    const client = await createEmployee(api, other, {}, { key: api.story.rival_api_key })
    expect((await api.get(`/v1/employees/${person.id}`, { key })).status).toBe(200)
    expect(codeOf(await api.get(`/v1/employees/${client.id}`, { key }))).toEqual([403, 'forbidden'])
    expect(codeOf(await hire(person.id))).toEqual([400, 'invalid_request'])
    expect(codeOf(await hire(client.id))).toEqual([403, 'forbidden'])
    expect(
      (await api.get(`/v1/employers/${other}/benefit-plan-years`, { key, headers: as(rivalOrganization()) })).status,
    ).toBe(200)
  })

  const as = (organization_id: string) => ({ 'x-service-organization': organization_id })

  it('acts in the role of the organization in the header', async () => {
    const { key } = await aUserOf({ [ownOrganization()]: 'SALES', [rivalOrganization()]: 'ADMIN' })
    const events = (organization_id: string) => api.get('/v1/webhook-events', { key, headers: as(organization_id) })
    expect(codeOf(await events(ownOrganization()))).toEqual([403, 'forbidden'])
    expect((await events(rivalOrganization())).status).toBe(200)
  })
})

it('a super member acts in every organization in the role of the super organization', async () => {
  const employer_id = await createEmployer(api)
  const super_id = api.story.super_organization_id
  const seller = await aMemberKey(api, super_id, 'SALES')
  const clerk = await aMemberKey(api, super_id, 'OPERATIONS')
  expect((await api.get(`/v1/employers/${employer_id}`, { key: seller })).status).toBe(200)
  expect(codeOf(await api.get(`/v1/employers/${employer_id}/employees`, { key: seller }))).toEqual([403, 'forbidden'])
  expect((await api.get(`/v1/employers/${employer_id}/employees`, { key: clerk })).status).toBe(200)
  const hire = { headers: { 'x-service-organization': ownOrganization() } }
  const hired = (key: string) => api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key, ...hire })
  expect(codeOf(await hired(seller))).toEqual([403, 'forbidden'])
  expect((await hired(clerk)).status).toBe(201)
})
