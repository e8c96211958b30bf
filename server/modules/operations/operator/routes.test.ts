import { describe, expect, it } from 'vitest'
import { createEmployer } from '../../../test/fixtures.ts'
import { type DataOf, codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'

const api = useApi()
const nowhere = {
  org: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz',
  usr: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz',
  key: 'key_01kdq7b4w8e9rs2mh3n5t6v7xz',
  empr: 'empr_01kdq7b4w8e9rs2mh3n5t6v7xz',
}

/** Sends a request of the operator. `path` follows /operator/v1. */
const operate = <Method extends string, Path extends string>(
  method: Method,
  path: Path,
  body?: unknown,
  headers: Record<string, string> = {},
) => api.call(method, `/operator/v1${path}`, { body, headers, key: api.operator_key })

/** Returns the created resource. Fails the test if the request is refused. */
async function made<Path extends string>(path: Path, body: unknown) {
  const answer = await operate('POST', path, body)
  expect(answer.status, answer.text).toBe(201)
  return (answer.body as { data: DataOf<'POST', `/operator/v1${Path}`> }).data
}

const aUser = () => made('/users', { name: 'Ada Lindgren', email: 'ada@example.com' })
const anOrganization = (more: object = {}) => made('/organizations', { name: 'Fjord Benefits', ...more })
const organizationsOf = async (key: string) => (await api.get('/v1/organizations', { key })).body.organizations

describe('issuing credentials', () => {
  it('creates a user, an organization and a key, and the key works', async () => {
    const user = await aUser()
    expect(user).toMatchObject({ id: expect.stringMatching(/^usr_/), name: 'Ada Lindgren', email: 'ada@example.com' })
    const organization = await anOrganization({ type: 'TPA', admin_user_id: user.id })
    const answer = await operate('POST', '/api-keys', {
      user_id: user.id,
      organization_id: organization.id,
      mode: 'test',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { api_key, ...about } = answer.body.data
    expect(about).toMatchObject({
      id: expect.stringMatching(/^key_/),
      user_id: user.id,
      organization_id: organization.id,
      mode: 'test',
      status: 'active',
      last_four: api_key.slice(-4),
    })
    expect(api_key).toMatch(/^obk_test_/)
    expect(await organizationsOf(api_key)).toEqual([{ ...organization, role: 'ADMIN' }])
  })

  it('stores the hash of a key and never the key', async () => {
    const { id, api_key } = await made('/api-keys', { user_id: (await aUser()).id, mode: 'test' })
    const row = await api.database.reads.row<{ text: string }>(
      'select api_keys::text as text from api_keys where id = $1',
      [id],
    )
    expect(row!.text).not.toContain(api_key)
  })

  it('revokes a key and its tokens within 5 seconds', async () => {
    const user = await aUser()
    const { id, api_key } = await made('/api-keys', { user_id: user.id, mode: 'test' })
    const token = (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key: api_key }))
      .body.access_token
    const revoked = await operate('DELETE', `/api-keys/${id}`)
    expect([revoked.status, revoked.body.data.id]).toEqual([200, id])
    // This process applies it immediately, others within 5 seconds.
    expect((await api.get('/v1/organizations', { key: api_key })).status).toBe(401)
    expect((await api.get('/v1/organizations', { key: token })).status).toBe(401)
    expect(codeOf(await operate('DELETE', `/api-keys/${id}`))).toEqual([404, 'not_found'])
  })

  it('refuses a key for an unknown user, and for an organization to which the user does not belong', async () => {
    const unknown = await operate('POST', '/api-keys', { user_id: nowhere.usr, mode: 'test' })
    expect(refusalOf(unknown)).toEqual([400, 'invalid_request', 'user_id'])
    const user = await aUser()
    const foreign = await operate('POST', '/api-keys', {
      user_id: user.id,
      organization_id: api.story.organization_id,
      mode: 'test',
    })
    expect(codeOf(foreign)).toEqual([422, 'user_is_not_a_member'])
  })

  it('refuses a live key for a sandbox, and a test key for any other organization', async () => {
    const user = await aUser()
    for (const [sandbox, mode] of [
      [true, 'live'],
      [false, 'test'],
    ] as const) {
      const organization = await anOrganization({ admin_user_id: user.id, sandbox })
      const wanted = { user_id: user.id, organization_id: organization.id, mode }
      expect(codeOf(await operate('POST', '/api-keys', wanted))).toEqual([422, 'key_of_other_mode'])
    }
  })

  it('lists the keys of a user and of an organization, without their secrets', async () => {
    const user = await aUser()
    const organization = await anOrganization({ admin_user_id: user.id })
    const bound = await made('/api-keys', { user_id: user.id, organization_id: organization.id, mode: 'test' })
    const open = await made('/api-keys', { user_id: user.id, mode: 'test', name: 'Laptop', scopes: ['read'] })
    const listed = async (filter: string) => {
      const answer = await operate('GET', `/api-keys?${filter}`)
      expect(answer.text).not.toContain(bound.api_key)
      return (answer.body as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    expect(await listed(`user_id=${user.id}`)).toEqual([open.id, bound.id])
    expect(await listed(`organization_id=${organization.id}`)).toEqual([bound.id])
    expect((await listed('limit=1')).length).toBe(1)
  })
})

describe('organizations and their members', () => {
  it('creates organizations with or without the flags sandbox and super', async () => {
    const stored = (id: string) =>
      api.database.reads.row('select sandbox, super_in from organizations where id = $1', [id])
    expect(await stored((await anOrganization()).id)).toEqual({ sandbox: true, super_in: false })
    expect(await stored((await anOrganization({ sandbox: false, super_in: true })).id)).toEqual({
      sandbox: false,
      super_in: true,
    })
  })

  it('adds a user to several organizations, ends a membership, and grants it again with another role', async () => {
    const user = await aUser()
    const [first, second] = [await anOrganization({ admin_user_id: user.id }), await anOrganization()]
    const members = `/organizations/${second.id}/members`
    expect(await made(members, { user_id: user.id, role: 'SALES' })).toEqual({
      organization_id: second.id,
      user_id: user.id,
      role: 'SALES',
    })
    const { api_key } = await made('/api-keys', { user_id: user.id, mode: 'test' })
    expect((await organizationsOf(api_key)).map((mine: { id: string }) => mine.id).sort()).toEqual(
      [first.id, second.id].sort(),
    )

    expect(codeOf(await operate('POST', members, { user_id: user.id, role: 'ADMIN' }))).toEqual([
      409,
      'membership_already_exists',
    ])
    expect((await operate('DELETE', `${members}/${user.id}`)).status).toBe(200)
    expect(codeOf(await operate('DELETE', `${members}/${user.id}`))).toEqual([404, 'not_found'])
    expect(await organizationsOf(api_key)).toHaveLength(1)
    await made(members, { user_id: user.id, role: 'ADMIN' })
    expect(pick(await organizationsOf(api_key), (mine) => mine.id === second.id).role).toBe('ADMIN')
  })

  it('removes the access to all organizations from a user who leaves a super organization', async () => {
    const user = await aUser()
    const lookout = await anOrganization({ super_in: true, admin_user_id: user.id })
    const { api_key } = await made('/api-keys', { user_id: user.id, organization_id: lookout.id, mode: 'test' })
    const asHarbor = { key: api_key, headers: { 'x-service-organization': api.story.organization_id } }
    expect((await api.get('/v1/organizations', asHarbor)).status).toBe(200)
    await operate('DELETE', `/organizations/${lookout.id}/members/${user.id}`)
    expect(codeOf(await api.get('/v1/organizations', asHarbor))).toEqual([403, 'organization_access_denied'])
  })

  it('refuses an unknown user and names the field', async () => {
    const admin = await operate('POST', '/organizations', { name: 'Fjord', admin_user_id: nowhere.usr })
    expect(refusalOf(admin)).toEqual([400, 'invalid_request', 'admin_user_id'])
    const member = await operate('POST', `/organizations/${api.story.organization_id}/members`, {
      user_id: nowhere.usr,
      role: 'SALES',
    })
    expect(refusalOf(member)).toEqual([400, 'invalid_request', 'user_id'])
  })
})

describe('subscriptions of employers', () => {
  it('grants one, refuses a second, ends it, and grants another', async () => {
    const employer_id = await createEmployer(api)
    const path = `/employers/${employer_id}/subscriptions` as const
    expect(codeOf(await operate('POST', path, { started_on: '2026-03-10' }))).toEqual([
      409,
      'employer_has_active_subscription',
    ])
    expect(codeOf(await operate('POST', `${path}/end`, { ended_on: '2026-03-01' }))).toEqual([
      422,
      'subscription_ends_before_it_starts',
    ])
    api.moveTo('2026-03-20')
    const ended = await operate('POST', `${path}/end`, { ended_on: '2026-03-20' })
    expect([ended.status, ended.body.data]).toMatchObject([
      200,
      { employer_id, started_on: '2026-03-10', ended_on: '2026-03-20' },
    ])
    expect(codeOf(await operate('POST', `${path}/end`, { ended_on: '2026-03-21' }))).toEqual([
      409,
      'employer_has_no_active_subscription',
    ])
    const granted = await made(path, { started_on: '2026-04-01' })
    expect(granted).toEqual({
      id: expect.stringMatching(/^sub_/),
      employer_id,
      started_on: '2026-04-01',
      ended_on: null,
    })
  })
})

describe('access to the operator API', () => {
  const operations: [string, string, object?][] = [
    ['POST', '/users', { name: 'X' }],
    ['POST', '/organizations', { name: 'X' }],
    ['POST', `/organizations/${nowhere.org}/members`, { user_id: nowhere.usr, role: 'ADMIN' }],
    ['DELETE', `/organizations/${nowhere.org}/members/${nowhere.usr}`],
    ['POST', '/api-keys', { user_id: nowhere.usr, mode: 'test' }],
    ['DELETE', `/api-keys/${nowhere.key}`],
    ['POST', `/employers/${nowhere.empr}/subscriptions`, { started_on: '2026-01-01' }],
    ['POST', `/employers/${nowhere.empr}/subscriptions/end`, { ended_on: '2026-01-01' }],
  ]

  it.each(operations)('%s %s is restricted to operators', async (method, path, body) => {
    for (const key of [null, api.story.api_key, api.story.super_api_key, 'obop_wrong']) {
      expect(codeOf(await api.call(method, `/operator/v1${path}`, { body, key }))).toEqual([401, 'unauthorized'])
    }
  })

  it.each(operations.filter(([, path]) => path.includes('_01')))(
    '%s %s returns 404 for unknown ids',
    async (method, path, body) => {
      expect(codeOf(await operate(method, path, body))).toEqual([404, 'not_found'])
    },
  )

  it('refuses an operator key in the partner API', async () => {
    expect((await api.get('/v1/organizations', { key: api.operator_key })).status).toBe(401)
  })

  it('records every action, with the names of the fields but not their values', async () => {
    const user = await aUser()
    const entry = await api.database.reads.row(
      'select operation, actor_id, fields from audit_entries where resource_id = $1',
      [user.id],
    )
    expect(entry).toEqual({
      operation: 'operator_create_user',
      actor_id: expect.stringMatching(/^opkey_/),
      fields: ['name', 'email'],
    })
  })

  it('returns the same key for a repeated Idempotency-Key', async () => {
    const user = await aUser()
    const send = () =>
      operate('POST', '/api-keys', { user_id: user.id, mode: 'test' }, { 'idempotency-key': 'hand-out-1' })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })
})
