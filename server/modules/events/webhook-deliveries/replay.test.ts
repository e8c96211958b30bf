import { describe, expect, it } from 'vitest'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { answering, openReceiver } from '../../../test/fakes/receiver.ts'
import { idsOf, useWebhooks } from '../../../test/clients/webhooks.ts'

const api = useApi({ outbound: { allow_loopback: true, time_limit: 400 } })
const { path, subscribe, happen, deliveriesOf, deliveryOf, verify } = useWebhooks(api)
const minute = 60_000
const hour = 60 * minute

describe('a replay', () => {
  it('restores exactly the missed events', async () => {
    const receiver = await openReceiver()
    const { id } = await subscribe(receiver.url, { event_names: ['employee.updated', 'employee.created'] })
    await happen(3)
    await api.deliver()
    api.wait(minute)
    const since = new Date(api.runtime.clock()).toISOString()
    const delivered = await happen(2)
    await api.deliver()

    receiver.answer = answering(410)
    const failed = await happen(1, 'employee.created')
    await api.deliver()
    await api.work()
    const until = new Date(api.runtime.clock()).toISOString()
    api.wait(minute)
    const unsent = [await happen(1200), await happen(4, 'employee.created')]
    await happen(2, 'employee.deactivated')
    await api.deliver()

    receiver.answer = answering(204)
    receiver.received.length = 0
    await api.patch(`${path}/${id}`, { enabled: true })
    const waiting = await happen(2)
    const part = await api.post(`${path}/${id}/replay`, { since, until })
    expect(part.body.data).toEqual({ subscription_id: id, since, until })
    await api.work()
    await api.deliver()
    expect(receiver.received).toHaveLength(3)
    const answer = await api.post(`${path}/${id}/replay`, { since })
    expect(answer.status, answer.text).toBe(202)
    expect(answer.body.data).toEqual({ subscription_id: id, since, until: new Date(api.runtime.clock()).toISOString() })
    await api.work()
    await api.deliver()
    const resources = receiver.received.map(({ body }) => body.data.resource_id)
    const count = (resource_id: string) => resources.filter((each) => each === resource_id).length
    expect([failed, ...unsent, waiting, delivered].map(count)).toEqual([1, 1200, 4, 2, 0])
    expect(receiver.received).toHaveLength(1207)
    expect(new Set(idsOf(receiver)).size).toBe(1207)

    receiver.received.length = 0
    await api.post(`${path}/${id}/replay`, { since })
    await api.work()
    await api.deliver()
    expect(receiver.received).toEqual([])
  })

  it('goes back at most 60 days', async () => {
    const { id } = await subscribe('http://127.0.0.1:1024/')
    const ago = (ms: number) => new Date(api.runtime.clock() - ms).toISOString()
    expect((await api.post(`${path}/${id}/replay`, { since: ago(60 * 24 * hour) })).status).toBe(202)
    const refused = await api.post(`${path}/${id}/replay`, { since: ago(60 * 24 * hour + 1) })
    expect(codeOf(refused)).toEqual([422, 'replay_too_far_back'])
    expect((await api.post(`${path}/${id}/replay`, { since: 'yesterday' })).status).toBe(400)
    const backwards = await api.post(`${path}/${id}/replay`, { since: ago(hour), until: ago(2 * hour) })
    expect(refusalOf(backwards)).toEqual([400, 'invalid_request', 'until'])
    const beyond = await api.post(`${path}/${id}/replay`, { since: ago(hour), until: ago(-hour) })
    expect(beyond.body.data.until).toBe(ago(0))
  })
})

it('an event is delivered again on request, as a new delivery with the same id', async () => {
  const receiver = await openReceiver()
  await subscribe(receiver.url)
  const resource_id = await happen()
  await api.deliver()
  const first = await deliveryOf(resource_id)
  const again = await api.post(`/v1/webhook-deliveries/${first.id}/redeliver`)
  expect(again.status).toBe(202)
  expect(again.body.data).toMatchObject({ status: 'Pending', attempts: 0, webhook_event_id: first.webhook_event_id })
  expect(again.body.data.id).not.toBe(first.id)
  await api.deliver()
  expect(idsOf(receiver)).toEqual([first.webhook_event_id, first.webhook_event_id])
  expect(await deliveriesOf(first.webhook_event_id)).toHaveLength(2)
})

it('a test event is sent only to its subscription, regardless of its event names', async () => {
  const [one, other] = await Promise.all([openReceiver(), openReceiver()])
  const { id, secret } = await subscribe(one.url, { event_names: ['invoice.issued'] })
  await subscribe(other.url)
  const answer = await api.post(`${path}/${id}/test`)
  expect(answer.body.data).toMatchObject({ subscription_id: id, status: 'Pending' })
  await api.deliver()
  expect(other.received).toEqual([])
  expect(one.received).toHaveLength(1)
  expect(verify(secret, one.received[0]!)).toMatchObject({
    type: 'webhook_subscription.test',
    data: { event_id: answer.body.data.webhook_event_id, resource_id: id, resource_type: 'webhook_subscription' },
  })
})
