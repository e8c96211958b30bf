import { expect, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { createEmployer, boundToken } from '../../test/fixtures.ts'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { createUser, grantMembership } from '../../modules/access/organizations/actions.ts'
import { takeToken } from './rate-limit.ts'

const api = useApi()
const limit = { per_minute: 600, burst: 5 }
const take = (key: string, now = 1_000_000) => takeToken(api.database, key, limit, now)

/** Locks the bucket of a key. Returns a function that releases it. */
async function hold(key: string): Promise<() => Promise<void>> {
  const holder = await api.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from rate_limits where credential_id = $1 for update', [key])
  return async () => {
    await holder.query('rollback')
    holder.release()
  }
}

it('a key that floods the service does not block others', async () => {
  await take('key_many')
  const release = await hold('key_many')
  const statusOf = (error: { kind: { status: number } }) => error.kind.status
  const many = Array.from({ length: 1100 }, () => take('key_many').then(({ allowed }) => allowed, statusOf))
  expect((await take('key_other')).allowed).toBe(true)
  expect((await api.get('/health/ready')).status).toBe(200)
  expect((await api.get('/v1/organizations')).status).toBe(200)
  await release()
  const answers = await Promise.all(many)
  expect(answers.filter((answer) => answer === true)).toHaveLength(4)
  expect(answers.filter((answer) => answer === 503)).toHaveLength(92)
})

it('refuses a key with an empty bucket from memory until a token has refilled', async () => {
  for (let count = 0; count < 5; count++) await take('key_empty')
  const refused = { allowed: false, remaining: 0, reset: 1001, retry_after: 1 }
  expect(await take('key_empty')).toEqual(refused)
  const release = await hold('key_empty')
  expect(await take('key_empty')).toEqual(refused)
  expect(await take('key_empty', 1_000_099)).toEqual(refused)
  await release()
  expect(await take('key_empty', 1_000_100)).toMatchObject({ allowed: true, remaining: 0 })
  expect(await take('key_empty', 1_000_100)).toMatchObject({ allowed: false })
  expect(await take('key_empty', 1_060_000)).toMatchObject({ allowed: true, remaining: 4 })
})

it('a key and its eight tokens share one limit', async () => {
  const { organization_id } = api.story
  const employer_id = await createEmployer(api)
  const { api_key } = await api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Many', email: null })
    await grantMembership(ctx, { organization_id, user_id, role: 'ADMIN' })
    return createApiKey(ctx, { user_id, organization_id, mode: 'test', rate_limited: true })
  })
  const tokens: string[] = []
  for (let count = 0; count < 8; count++) tokens.push(await boundToken(api, 'employer', employer_id, { key: api_key }))
  const send = (key: string) => api.get(`/v1/employers/${employer_id}`, { key })
  const answers = await Promise.all(tokens.flatMap((key) => Array.from({ length: 15 }, () => send(key))))
  // The clock does not move, and a key has a burst of 100.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(92)
  expect((await send(api_key)).status).toBe(429)
})

it('spreads the retries of refused requests, each within seconds', async () => {
  for (let count = 0; count < 5; count++) await take('key_queue')
  const reported: number[] = []
  for (let count = 0; count < 400; count++) reported.push((await take('key_queue')).retry_after)
  expect(reported[0]).toBe(1)
  expect(reported[40]).toBeGreaterThanOrEqual(4)
  expect(reported[40]).toBeLessThanOrEqual(6)
  expect(Math.max(...reported)).toBeLessThanOrEqual(38)
  const second = Map.groupBy(reported.slice(0, 250), (seconds) => seconds)
  expect(Math.max(...[...second.values()].map((all) => all.length))).toBeLessThan(25)
})
