import { beforeAll, describe, expect, inject, it } from 'vitest'
import { buildApp } from '../../../app.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { aSession } from '../../../test/fixtures.ts'
import { commandOutput } from '../../../test/clients/command-output.ts'
import { blockOf } from '../../../test/guides/code-blocks.ts'
import { only, pick } from '../../../test/pick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  endOfKey,
  isOperatorKey,
  newOperatorKey,
  refusals,
  whyNotBootstrap,
  whyNotHandleKeys,
  whyNotRemoveOwner,
} from './rules.ts'

const api = useApi()
const path = '/operator/v1/operators'
const keys = (operator_id: string) => `/operator/v1/operators/${operator_id}/keys` as const
const operator = (operator_id: string) => `/operator/v1/operators/${operator_id}` as const

/** An operator created by an owner, or with another key. Fails the test if the request is refused. */
async function anOperator(role: string, more: object = {}) {
  const body = { name: 'Pia Lund', email: 'pia@example.com', role, ...more }
  const answer = await api.post(path, body, { key: api.operator_key })
  expect(answer.status, answer.text).toBe(201)
  const { key, ...about } = answer.body.data
  return { ...about, key: key.operator_key, key_id: key.id }
}

/** The status of a read that every operator is allowed to do. */
const reads = async (key: string) => (await api.get(path, { key })).status
const olive = async () =>
  pick((await api.get(path, { key: api.operator_key })).body.data, (one) => one.role === 'owner')

describe('operators', () => {
  it('are users with a role and a first key that works', async () => {
    const answer = await api.post(
      path,
      { name: 'Pia Lund', email: 'pia@example.com', role: 'support' },
      { key: api.operator_key },
    )
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { key, ...about } = answer.body.data
    expect(about).toEqual({
      id: expect.stringMatching(/^usr_/),
      name: 'Pia Lund',
      email: 'pia@example.com',
      role: 'support',
      created_at: '2026-03-10T16:00:00.000Z',
      ended_at: null,
    })
    expect(key).toEqual({
      id: expect.stringMatching(/^opkey_/),
      operator_id: about.id,
      name: 'First key',
      last_four: key.operator_key.slice(-4),
      created_by: (await olive()).id,
      created_at: '2026-03-10T16:00:00.000Z',
      last_used_at: null,
      expires_at: '2026-06-08T16:00:00.000Z',
      revoked_at: null,
      operator_key: expect.stringMatching(/^obop_/),
    })
    expect(await reads(key.operator_key)).toBe(200)
    expect((await api.get('/v1/organizations', { key: key.operator_key })).status).toBe(401)
    const { text } = (await api.database.reads.row<{ text: string }>(
      'select operator_keys::text as text from operator_keys where id = $1',
      [key.id],
    ))!
    expect(text).not.toContain(key.operator_key)
  })

  it('change their role, which applies to their existing keys immediately', async () => {
    const { id, key } = await anOperator('support')
    const make = () => api.post('/operator/v1/users', { name: 'X' }, { key })
    expect(codeOf(await make())).toEqual([403, 'forbidden'])
    const changed = await api.patch(operator(id), { role: 'operations' }, { key: api.operator_key })
    expect([changed.status, changed.body.data.role]).toEqual([200, 'operations'])
    expect((await make()).status).toBe(201)
  })

  it('lose all keys when dismissed, and are then listed only on request', async () => {
    const { id, key } = await anOperator('billing')
    const answer = await api.call('DELETE', operator(id), { key: api.operator_key })
    expect([answer.status, answer.body.data.ended_at]).toEqual([200, '2026-03-10T16:00:00.000Z'])
    expect(await reads(key)).toBe(401)
    const listed = async (query: string) =>
      (await api.get(`/operator/v1/operators?limit=100${query}`, { key: api.operator_key })).body.data.map(
        (one: { id: string }) => one.id,
      )
    expect(await listed('')).not.toContain(id)
    expect(await listed('&include_ended=true')).toContain(id)
    expect(codeOf(await api.call('DELETE', operator(id), { key: api.operator_key }))).toEqual([404, 'not_found'])
  })

  it('always include an owner, even if several step down at the same time', async () => {
    const { id } = await olive()
    expect(codeOf(await api.patch(operator(id), { role: 'support' }, { key: api.operator_key }))).toEqual([
      409,
      'last_owner',
    ])
    expect(codeOf(await api.call('DELETE', operator(id), { key: api.operator_key }))).toEqual([409, 'last_owner'])
    const second = await anOperator('owner')
    const both = await Promise.all([
      api.patch(operator(id), { role: 'support' }, { key: second.key }),
      api.patch(operator(second.id), { role: 'support' }, { key: api.operator_key }),
    ])
    const statuses = both.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 409])
    const left = both[0]!.status === 200 ? second.key : api.operator_key
    for (const one of [id, second.id]) await api.patch(operator(one), { role: 'owner' }, { key: left })
  })

  it('are identified individually in the audit log', async () => {
    const { id, key, key_id } = await anOperator('operations')
    const { body } = await api.post('/operator/v1/users', { name: 'Ada' }, { key })
    const entry = await api.database.reads.row(
      'select actor_id, user_id from audit_entries where fields is not null and resource_id = $1',
      [body.data.id],
    )
    expect(entry).toEqual({ actor_id: key_id, user_id: id })
  })
})

describe('operator keys', () => {
  it('are created and listed by their owner, and revoked individually', async () => {
    const { id, key, key_id } = await anOperator('support')
    const made = await api.post(keys(id), { name: 'Prometheus', expires_at: '2026-12-31T00:00:00Z' }, { key })
    expect([made.status, made.body.data.expires_at]).toEqual([201, '2026-12-31T00:00:00.000Z'])
    expect(await reads(made.body.data.operator_key)).toBe(200)
    const listed = (await api.get(keys(id), { key })).body
    expect(listed.data.map((one) => one.name)).toEqual(['Prometheus', 'First key'])
    expect(JSON.stringify(listed)).not.toContain('obop_')
    const revoked = await api.call('DELETE', `${keys(id)}/${key_id}`, { key: made.body.data.operator_key })
    expect([revoked.status, revoked.body.data.revoked_at]).toEqual([200, '2026-03-10T16:00:00.000Z'])
    expect(await reads(key)).toBe(401)
  })

  it('can be managed for other operators only by an owner', async () => {
    const [one, other] = [await anOperator('operations'), await anOperator('support')]
    const requested = (key: string) =>
      Promise.all([
        api.get(keys(other.id), { key }),
        api.post(keys(other.id), { name: 'Mine now' }, { key }),
        api.call('DELETE', `${keys(other.id)}/${other.key_id}`, { key }),
      ])
    for (const answer of await requested(one.key)) expect(codeOf(answer)).toEqual([403, 'forbidden'])
    expect((await requested(api.operator_key)).map(({ status }) => status)).toEqual([200, 201, 200])
  })

  it('expire as requested, but not in the past or more than 366 days ahead', async () => {
    const { id, key } = await anOperator('support', { key: { name: 'Today', expires_at: '2026-03-10T17:00:00Z' } })
    for (const expires_at of ['2026-03-10T15:00:00Z', '2028-01-01T00:00:00Z']) {
      const answer = await api.post(keys(id), { name: 'x', expires_at }, { key })
      expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'expires_at'])
    }
    expect(await reads(key)).toBe(200)
    api.wait(60 * 60_000)
    expect(await reads(key)).toBe(401)
  })

  it('describe themselves and show when they were last used', async () => {
    const { id, key, key_id } = await anOperator('billing')
    const self = (await api.get('/operator/v1/auth/token', { key })).body.data
    expect(self).toEqual({
      user: { id, name: 'Pia Lund', email: 'pia@example.com' },
      role: 'billing',
      operator_key: { id: key_id, name: 'First key', last_four: key.slice(-4) },
      signed_in_at: null,
      expires_at: expect.stringMatching(/^2026-06-08T/),
    })
    const app = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
    await app.inject({ url: path, headers: { authorization: `Bearer ${key}` } })
    const used_at = new Date(api.runtime.clock()).toISOString()
    await app.close()
    expect(only((await api.get(keys(id), { key })).body.data).last_used_at).toBe(used_at)
  })

  it('can only be created by a session within an hour of the sign-in, like all access that outlasts it', async () => {
    const { id } = await anOperator('owner')
    const { tokenAs } = await aSession(api, id)
    const of_session = { key: await tokenAs('operator') }
    const self = (await api.get('/operator/v1/auth/token', of_session)).body.data
    expect(self).toMatchObject({ operator_key: null, signed_in_at: new Date(api.runtime.clock()).toISOString() })
    expect((await api.post(keys(id), { name: 'Laptop' }, of_session)).status).toBe(201)
    for (const minutes of [30, 31]) {
      api.wait(minutes * 60_000)
      of_session.key = await tokenAs('operator')
    }
    const person = { name: 'Pia', email: 'pia@example.com', role: 'owner' }
    const refused = [
      await api.post(keys(id), { name: 'Laptop' }, of_session),
      await api.post(path, person, of_session),
      await api.patch(operator(id), { role: 'support' }, of_session),
      await api.post('/operator/v1/operator-invitations', person, of_session),
    ]
    expect(refused.map(codeOf)).toEqual(refused.map(() => [403, 'sign_in_again']))
    expect((await api.get(path, of_session)).status).toBe(200)
    await api.call('DELETE', operator(id), { key: api.operator_key })
  })

  it('invalidate their links to files when they are revoked', async () => {
    const { rolesHeld } = await import('../auth/actions.ts').then(({ authenticatorOf }) =>
      authenticatorOf(api.runtime, () => undefined),
    )
    const { id, key_id } = await anOperator('support')
    expect(await rolesHeld(key_id, api.story.organization_id)).toEqual(['support'])
    await api.call('DELETE', `${keys(id)}/${key_id}`, { key: api.operator_key })
    api.wait(5_000)
    expect(await rolesHeld(key_id, api.story.organization_id)).toEqual([])
  })
})

describe('an installation without an owner', () => {
  const fresh = useApi()
  const bootstrap = inject('secret_keys').operator_key
  const [, reported] = /-d '(.*)'/s.exec(
    blockOf('docs/operating/access.md', 'curl -s $URL/operator/v1/operators -H "Authorization'),
  )!
  const first = JSON.parse(reported!) as { role: string; key: { name: string } }

  beforeAll(async () => {
    await fresh.database.pool.query('delete from operator_keys')
    await fresh.database.pool.query('delete from operators')
  })

  it('accepts the bootstrap key for the first owner, and rejects it afterward', async () => {
    const requested = (role: string) => fresh.post(path, { ...first, role }, { key: bootstrap })
    expect(codeOf(await fresh.get(path, { key: bootstrap }))).toEqual([403, 'forbidden'])
    expect(codeOf(await fresh.post('/operator/v1/users', { name: 'X' }, { key: bootstrap }))).toEqual([
      403,
      'forbidden',
    ])
    expect((await fresh.get('/metrics', { key: bootstrap })).status).toBe(401)
    expect(refusalOf(await requested('operations'))).toEqual([400, 'invalid_request', 'role'])

    const both = await Promise.all([requested('owner'), requested('owner')])
    const late = both.filter(({ status }) => status !== 201)
    expect(late.map(({ status }) => status).every((status) => [401, 409].includes(status))).toBe(true)
    expect(late).toHaveLength(1)
    const made = pick(both, ({ status }) => status === 201).body.data
    expect(made).toMatchObject({ role: 'owner', key: { created_by: null } })
    expect((await fresh.get(path, { key: made.key.operator_key })).body.data).toHaveLength(1)
    expect(codeOf(await requested('owner'))).toEqual([401, 'unauthorized'])
    expect((await fresh.get(path, { key: bootstrap })).status).toBe(401)
  })

  it('gets another owner with a command if all keys are lost', async () => {
    await fresh.database.pool.query('update operator_keys set revoked_at = now()')
    const { encryption_keys, hash_key, token_key, operator_key } = inject('secret_keys')
    const env = {
      DATABASE_URL: await urlOf(fresh),
      ENCRYPTION_KEYS: encryption_keys,
      HASH_KEY: hash_key,
      TOKEN_KEY: token_key,
      OPERATOR_KEY: operator_key,
    }
    const reported = await commandOutput(blockOf('docs/operating/access.md', 'npx openbenefits owner'), env)
    const key = reported.match(/obop_\w+/)![0]
    fresh.wait(Date.now() - fresh.runtime.clock())
    expect((await fresh.get(path, { key })).status).toBe(200)
    const entry = await fresh.database.reads.row<{ count: number }>(
      `select count(*) as count from audit_entries where actor_id = 'command'`,
    )
    expect(entry?.count).toBe(1)
  })
})

const now = '2026-03-10T16:00:00.000Z'
const any_person = { user_id: 'usr_a', operator_role: 'support' } as const
const owner = { user_id: 'usr_o', operator_role: 'owner' } as const

describe('an operator key', () => {
  it('has a recognizable form, and a checksum that detects a typo', () => {
    const key = newOperatorKey()
    expect(key).toMatch(/^obop_[0-9A-Za-z]{39}$/)
    expect(isOperatorKey(key)).toBe(true)
    expect(isOperatorKey(key.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(false)
    expect(isOperatorKey(key.replace('obop_', 'obk_live_'))).toBe(false)
  })

  it.each([
    ['after 90 days by default', undefined, '2026-06-08T16:00:00.000Z'],
    ['after 90 days for null', null, '2026-06-08T16:00:00.000Z'],
    ['at the requested instant', '2026-03-11T00:00:00+01:00', '2026-03-10T23:00:00.000Z'],
    ['after 366 days at most', '2027-03-11T16:00:00.000Z', '2027-03-11T16:00:00.000Z'],
  ])('expires %s', (_, requested, ends) => expect(endOfKey(requested, now)).toBe(ends))

  it.each([
    ['in the past', now],
    ['more than 366 days ahead', '2027-03-11T16:00:00.001Z'],
  ])('cannot expire %s', (_, requested) => {
    expect(endOfKey(requested, now)).toBeInstanceOf(Refusal)
  })

  it.each([
    ['operators can manage their own', any_person, 'usr_a', undefined],
    ['operators cannot manage those of others', any_person, 'usr_b', 'forbidden'],
    ['owners can manage all', owner, 'usr_a', undefined],
  ] as const)('has limited managers: %s', (_, caller, operator_id, code) => {
    expect(whyNotHandleKeys(caller, operator_id)?.code).toBe(code)
  })
})

describe('the installation', () => {
  it.each([
    ['the last owner cannot step down', ['usr_o'], 'usr_o', refusals.last_owner],
    ['one of two owners can step down', ['usr_o', 'usr_p'], 'usr_o', undefined],
    ['an operator who is not an owner can leave', ['usr_o'], 'usr_a', undefined],
  ])('always has an owner: %s', (_, owners, operator_id, why) => {
    expect(whyNotRemoveOwner(owners, operator_id)).toBe(why)
  })

  it('accepts the bootstrap key only for its first owner', () => {
    expect(whyNotBootstrap('owner', false)).toBe(undefined)
    expect(whyNotBootstrap('owner', true)).toBe(refusals.owner_exists)
    expect(whyNotBootstrap('support', false)).toBeInstanceOf(Refusal)
  })
})
