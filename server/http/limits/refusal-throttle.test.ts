import { expect, it } from 'vitest'
import { useApi } from '../../test/harness.ts'
import { RefusalThrottle } from './refusal-throttle.ts'

const kib = 1024

/** A throttle of 10 refusals per second with a burst of 3, and a function that advances its clock. */
const throttled = () => {
  let now = 0
  const throttle = new RefusalThrottle({ per_second: 10, burst: 3 }, () => now)
  return { throttle, pass: (ms: number) => (now += ms) }
}

it('delays only credentials with more refusals than the burst, until the delay has passed', async () => {
  const { throttle, pass } = throttled()
  const refused = async (bytes = 0) => (await throttle.enter('key_hostile', bytes)).leave(true)
  for (let time = 0; time < 3; time++) await refused()
  expect(throttle.delay('key_hostile')).toBe(0)
  pass(100)
  await refused(256 * kib)
  expect(throttle.delay('key_hostile')).toBe(200)
  expect(throttle.delay('key_innocent')).toBe(0)
  pass(150)
  expect(throttle.delay('key_hostile')).toBe(50)
  pass(1000)
  expect(throttle.delay('key_hostile')).toBe(0)
})

it('counts a large body until it proves valid, and only toward other large bodies', async () => {
  const { throttle } = throttled()
  for (let time = 0; time < 50; time++) await throttle.enter('key_busy', 100 * kib)
  expect(throttle.delay('key_busy', 1024 * kib)).toBe(0)
  const { leave } = await throttle.enter('key_large', 1024 * kib)
  expect(throttle.delay('key_large', 1024 * kib)).toBe(500)
  expect(throttle.delay('key_large', kib)).toBe(0)
  leave(false)
  expect(throttle.delay('key_large', 1024 * kib)).toBe(0)
})

it('delays a request for at most 10 seconds', async () => {
  const { throttle } = throttled()
  const { leave } = await throttle.enter('key_vast', 1024 * kib * kib)
  leave(true)
  expect(throttle.delay('key_vast')).toBe(10_000)
})

it('ends all delays when the server closes, and reports them', async () => {
  const { throttle } = throttled()
  const { waited, leave } = await throttle.enter('key_last', 1024 * kib)
  leave(true)
  const waiting = throttle.enter('key_last', kib)
  throttle.close()
  expect([waited, (await waiting).waited]).toEqual([false, true])
})

const api = useApi({ refusal_limit: { per_second: 0.01, burst: 1 } })

it('responds to other callers and to reads while invalid bodies wait', async () => {
  const wrong = { key: api.story.api_key, method: 'POST', body: '{"no_such_field":1}' }
  const send = (signal?: AbortSignal) =>
    fetch(`${api.url}/v1/employers`, {
      method: wrong.method,
      body: wrong.body,
      headers: { authorization: `Bearer ${wrong.key}`, 'content-type': 'application/json' },
      ...(signal && { signal }),
    })
  for (let time = 0; time < 2; time++) expect((await send()).status).toBe(400)
  const gone = new AbortController()
  let answered = false
  const third = send(gone.signal).then(
    () => (answered = true),
    () => undefined,
  )
  expect((await api.get('/v1/employers')).status).toBe(200)
  expect((await api.get('/v1/employers', { key: api.story.rival_api_key })).status).toBe(200)
  const other = await api.post('/v1/employers', {}, { key: api.story.rival_api_key })
  expect(other.status).toBe(400)
  expect(answered).toBe(false)
  gone.abort()
  await third
})
