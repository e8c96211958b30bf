import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { newApiKey } from '../../modules/access/auth/rules.ts'
import { createUser } from '../../modules/access/organizations/actions.ts'
import { newSessionSecret } from '../../modules/access/sessions/rules.ts'
import { codeOf } from '../../test/response.ts'
import { aMember, aSession } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { networkOf } from '../../kernel/ip-addresses.ts'
import { openFailedAuth } from './failed-auth.ts'

const api = useApi({ trusted_proxies: ['127.0.0.0/8'] })

/** Requests the organizations, as a client at an address behind the proxy. */
const send = (address: string, key: string) =>
  api.get('/v1/organizations', { key, headers: { 'x-forwarded-for': address } })

/** Sends invalid keys, 50 at a time, and counts the responses by status. */
async function guess(address: string, count: number): Promise<Record<number, number>> {
  const answers: Record<number, number> = {}
  const one = async () => {
    const { status } = await send(address, newApiKey('live'))
    answers[status] = (answers[status] ?? 0) + 1
  }
  for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, one))
  return answers
}

describe('an address that sends invalid keys', () => {
  it('is refused after 1,000, and then accepted no faster than its Retry-After', async () => {
    expect(await guess('203.0.113.7', 1100)).toEqual({ 401: 1000, 429: 100 })
    const refused = await send('203.0.113.7', 'nonsense')
    expect(codeOf(refused)).toEqual([429, 'rate_limited'])
    expect(['retry-after', 'ratelimit-reason'].map((name) => refused.headers.get(name))).toEqual(['1', 'address'])
    api.wait(100)
    const then = [await send('203.0.113.7', 'nonsense'), await send('203.0.113.7', 'nonsense')]
    expect(then.map(({ status }) => status)).toEqual([401, 429])
  })

  it('does not block valid keys, even new ones', async () => {
    expect((await send('203.0.113.7', api.story.api_key)).status).toBe(200)
    const { api_key } = await api.act(async (ctx) => {
      const user_id = await createUser(ctx, { name: 'New', email: null })
      return createApiKey(ctx, { user_id, organization_id: null, mode: 'live', rate_limited: true })
    })
    const [flood, mine] = await Promise.all([guess('203.0.113.7', 100), send('203.0.113.7', api_key)])
    expect([flood, mine.status]).toEqual([{ 429: 100 }, 200])
    expect((await send('203.0.113.7', api.operator_key)).status).toBe(401)
  })

  it('cannot guess session cookies either, and does not block valid ones', async () => {
    const { user_id } = await aMember(api, api.story.organization_id, 'SALES')
    const { secret } = await aSession(api, user_id)
    const fetchToken = async (cookie: string) => {
      const headers = { origin: api.url, 'x-forwarded-for': '203.0.113.7', cookie: `openbenefits=${cookie}` }
      return (await api.call('POST', '/sign-in/access-token', { key: null, headers })).status
    }
    const guesses = await Promise.all(Array.from({ length: 5 }, () => fetchToken(newSessionSecret())))
    expect(guesses).toEqual([429, 429, 429, 429, 429])
    expect([await fetchToken(secret), await fetchToken('nonsense')]).toEqual([200, 401])
  })

  it('is one IPv4 address, or one customer network of IPv6', async () => {
    expect((await send('203.0.113.8', 'nonsense')).status).toBe(401)
    await guess('2001:db8:1:2::1', 1000)
    expect((await send('2001:db8:1:2:ffff::9', 'nonsense')).status).toBe(429)
    expect((await send('2001:db8:1:3::1', 'nonsense')).status).toBe(401)
  })
})

it.each([
  ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7']],
  ['2001:db8:1:2::', ['2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2::9', '2001:db8:1:2:ffff::%eth0']],
  ['2001:db8::', ['2001:db8::1', '2001:db8:0:0:5::', '2001:db8::5:6:7:8']],
  ['::1', ['::', '::5:6:7:8']],
  ['::4:5:6:7:8', ['0:0:0:4:1::']],
])('%s is in the same network as %j', (address, others) => {
  for (const other of others) expect(networkOf(other), other).toBe(networkOf(address))
})

it('distinguishes networks by their first 64 bits, and limits the length of their names', () => {
  const addresses = [
    '203.0.113.7',
    '203.0.113.8',
    '2001:db8:1:2::',
    '2001:db8:1:3::',
    '2001:db8::',
    '::1',
    '::1:2:3:4:5',
    '',
  ]
  expect(new Set(addresses.map(networkOf)).size).toBe(addresses.length)
  expect(networkOf('x'.repeat(10_000)).length).toBeLessThan(100)
})

it('keeps a limited number of addresses', () => {
  const clientAt = openFailedAuth(() => 0)
  for (let count = 0; count < 1001; count++) clientAt('192.0.2.1').countInvalid()
  expect(clientAt('192.0.2.1').countInvalid()).toBe(1)
  for (let a = 0; a < 200; a++) for (let b = 0; b < 50; b++) clientAt(`198.51.${a}.${b}`).countInvalid()
  expect(clientAt('192.0.2.1').countInvalid()).toBe(0)
})

describe('for an address that has exceeded its allowance, the service', () => {
  const clientOverLimit = () => {
    let now = 0
    const client = openFailedAuth(() => now)('192.0.2.1')
    for (let count = 0; count < 1001; count++) client.countInvalid()
    return { client, wait: (ms: number) => void (now += ms) }
  }
  const never = () => new Promise<undefined>(() => undefined)

  it('runs one lookup, queues 100, and refuses more', async () => {
    const { client } = clientOverLimit()
    let begun = 0
    const find = () => {
      begun++
      return never()
    }
    for (let count = 0; count < 101; count++) void client.inTurn(find).catch(() => undefined)
    const refused = { kind: { status: 429 }, headers: { 'ratelimit-reason': 'address' } }
    await expect(client.inTurn(find)).rejects.toMatchObject(refused)
    expect(begun).toBe(1)
  })

  it('does not queue lookups again when the flood is over', async () => {
    const { client, wait } = clientOverLimit()
    void client.inTurn(never)
    wait(100)
    expect(await client.inTurn(async () => 'found')).toBe('found')
  })
})
