import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { newApiKey } from '../../modules/access/auth/rules.ts'
import { createUser } from '../../modules/access/organizations/actions.ts'
import { newSessionSecret } from '../../modules/access/sessions/rules.ts'
import { codeOf } from '../../test/answer.ts'
import { aMember, aSession } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'
import { networkOf } from '../../kernel/ip-addresses.ts'
import { openWrongKeys } from './failed-auth.ts'

const api = useApi({ trusted_proxies: ['127.0.0.0/8'] })

/** Asks who the caller is, as a client at an address behind the proxy. */
const ask = (address: string, key: string) =>
  api.get('/v1/organizations', { key, headers: { 'x-forwarded-for': address } })

/** Sends wrong keys, some at a time, and counts the answers by status. */
async function guess(address: string, count: number): Promise<Record<number, number>> {
  const answers: Record<number, number> = {}
  const one = async () => {
    const { status } = await ask(address, newApiKey('live'))
    answers[status] = (answers[status] ?? 0) + 1
  }
  for (let sent = 0; sent < count; sent += 50) await Promise.all(Array.from({ length: 50 }, one))
  return answers
}

describe('an address that sends wrong keys', () => {
  it('is told to wait after 1,000, and then let through no faster than it is told', async () => {
    expect(await guess('203.0.113.7', 1100)).toEqual({ 401: 1000, 429: 100 })
    const refused = await ask('203.0.113.7', 'nonsense')
    expect(codeOf(refused)).toEqual([429, 'rate_limited'])
    expect(['retry-after', 'ratelimit-reason'].map((name) => refused.headers.get(name))).toEqual(['1', 'address'])
    api.wait(100)
    const then = [await ask('203.0.113.7', 'nonsense'), await ask('203.0.113.7', 'nonsense')]
    expect(then.map(({ status }) => status)).toEqual([401, 429])
  })

  it('keeps nobody out who has a right one, though it was never seen before', async () => {
    expect((await ask('203.0.113.7', api.story.api_key)).status).toBe(200)
    const { api_key } = await api.act(async (ctx) => {
      const user_id = await createUser(ctx, { name: 'New', email: null })
      return createApiKey(ctx, { user_id, organization_id: null, mode: 'live', rate_limited: true })
    })
    const [flood, mine] = await Promise.all([guess('203.0.113.7', 100), ask('203.0.113.7', api_key)])
    expect([flood, mine.status]).toEqual([{ 429: 100 }, 200])
    expect((await ask('203.0.113.7', api.operator_key)).status).toBe(401)
  })

  it('finds no session by guessing cookies either, and keeps nobody out who has one', async () => {
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

  it('is one address, or all that one customer has of IPv6', async () => {
    expect((await ask('203.0.113.8', 'nonsense')).status).toBe(401)
    await guess('2001:db8:1:2::1', 1000)
    expect((await ask('2001:db8:1:2:ffff::9', 'nonsense')).status).toBe(429)
    expect((await ask('2001:db8:1:3::1', 'nonsense')).status).toBe(401)
  })
})

it.each([
  ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7']],
  ['2001:db8:1:2::', ['2001:db8:1:2:3:4:5:6', '2001:0DB8:1:2::9', '2001:db8:1:2:ffff::%eth0']],
  ['2001:db8::', ['2001:db8::1', '2001:db8:0:0:5::', '2001:db8::5:6:7:8']],
  ['::1', ['::', '::5:6:7:8']],
  ['::4:5:6:7:8', ['0:0:0:4:1::']],
])('the network of %s is that of %j', (address, others) => {
  for (const other of others) expect(networkOf(other), other).toBe(networkOf(address))
})

it('is another network when the first 64 bits are others, and at most so long', () => {
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

it('remembers so many addresses and no more', () => {
  const strangerAt = openWrongKeys(() => 0)
  for (let count = 0; count < 1001; count++) strangerAt('192.0.2.1').countWrong()
  expect(strangerAt('192.0.2.1').countWrong()).toBe(1)
  for (let a = 0; a < 200; a++) for (let b = 0; b < 50; b++) strangerAt(`198.51.${a}.${b}`).countWrong()
  expect(strangerAt('192.0.2.1').countWrong()).toBe(0)
})

describe('an address beyond its allowance', () => {
  const beyond = () => {
    let now = 0
    const stranger = openWrongKeys(() => now)('192.0.2.1')
    for (let count = 0; count < 1001; count++) stranger.countWrong()
    return { stranger, wait: (ms: number) => void (now += ms) }
  }
  const never = () => new Promise<undefined>(() => undefined)

  it('has 100 look-ups wait behind one, and more are refused', async () => {
    const { stranger } = beyond()
    let begun = 0
    const look = () => {
      begun++
      return never()
    }
    for (let count = 0; count < 101; count++) void stranger.inTurn(look).catch(() => undefined)
    const refused = { kind: { status: 429 }, headers: { 'ratelimit-reason': 'address' } }
    await expect(stranger.inTurn(look)).rejects.toMatchObject(refused)
    expect(begun).toBe(1)
  })

  it('looks up at once again when the flood is over', async () => {
    const { stranger, wait } = beyond()
    void stranger.inTurn(never)
    wait(100)
    expect(await stranger.inTurn(async () => 'found')).toBe('found')
  })
})
