import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../test/response.ts'
import { openReceiver, type Receiver } from '../../../test/fakes/receiver.ts'
import { useApi } from '../../../test/harness.ts'
import { sure } from '../../../test/pick.ts'
import { useWebhooks } from '../../../test/clients/webhooks.ts'

const api = useApi({ outbound: { allow_loopback: true } })
const { path, subscribe, happen, verify } = useWebhooks(api)
const hour = 3600_000

describe('a secret', () => {
  it('is rotated, and for 24 hours both secrets sign', async () => {
    const receiver = await openReceiver()
    const { id, secret: former } = await subscribe(receiver.url)
    const rotated = await api.post(`${path}/${id}/rotate-secret`)
    expect(rotated.headers.get('cache-control')).toBe('no-store')
    const { secret, former_secret_until } = rotated.body.data
    expect(secret).not.toBe(former)
    expect(Date.parse(sure(former_secret_until)) - api.runtime.clock()).toBe(24 * hour)
    const next = async () => {
      await happen()
      await api.deliver()
      return receiver.received.at(-1)!
    }
    const during = await next()
    expect(verify(secret, during)).toEqual(verify(former, during))
    api.wait(24 * hour)
    const after = await next()
    expect(verify(secret, after)).toBeTruthy()
    expect(() => verify(former, after)).toThrow('No matching signature found')
  })
})

describe('a secret that is rotated repeatedly', () => {
  const received = async (receiver: Receiver) => {
    await happen()
    await api.deliver()
    return receiver.received.at(-1)!
  }

  it('keeps signing for 24 hours, and so do the others', async () => {
    const receiver = await openReceiver()
    const { id, secret: first } = await subscribe(receiver.url)
    const rotate = async () => (await api.post(`${path}/${id}/rotate-secret`)).body.data.secret
    const second = await rotate()
    api.wait(hour)
    const third = await rotate()
    const during = await received(receiver)
    for (const secret of [first, second, third]) expect(verify(secret, during)).toBeTruthy()
    api.wait(23 * hour)
    const after = await received(receiver)
    for (const secret of [second, third]) expect(verify(secret, after)).toBeTruthy()
    expect(() => verify(first, after)).toThrow('No matching signature found')
    api.wait(hour)
    const late = await received(receiver)
    expect(verify(third, late)).toBeTruthy()
    expect(() => verify(second, late)).toThrow('No matching signature found')
  })

  it('cannot be rotated a fifth time within a day, even with ten concurrent requests', async () => {
    const { id } = await subscribe((await openReceiver()).url)
    const rotate = () => api.post(`${path}/${id}/rotate-secret`)
    const answers = await Promise.all(Array.from({ length: 10 }, rotate))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) expect(codeOf(answer)).toEqual([409, 'too_many_webhook_secrets'])
    api.wait(24 * hour)
    expect((await rotate()).status).toBe(200)
  })
})
