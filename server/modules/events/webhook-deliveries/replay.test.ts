import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../test/response.ts'
import { useApi, deliverAll } from '../../../test/harness.ts'
import { answering, openReceiver } from '../../../test/fakes/receiver.ts'
import { idsOf, useWebhooks } from '../../../test/clients/webhooks.ts'
import { first } from '../../../test/pick.ts'
import { openRounds } from './background.ts'

const api = useApi({ outbound: { allow_loopback: true } })
const { deliveriesOf, deliveryOf, eventsOf, happen, path, subscribe, verify } = useWebhooks(api)
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
    expect(refusalOf(refused)).toEqual([422, 'replay_too_far_back', 'since'])
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

it('one event of an organization does not wait behind hundreds of another', async () => {
  const [flooded, calm] = await Promise.all([openReceiver(), openReceiver()])
  await subscribe(flooded.url)
  await subscribe(calm.url, {}, api.story.rival_api_key)
  await happen(600)
  await happen(1, 'employee.updated', api.story.rival_organization_id)
  const { run, under_way } = openRounds(api.runtime)
  await run('deliver')
  await Promise.all(under_way)
  expect(calm.received).toHaveLength(1)
  await run('note')
  await api.deliver()
  expect(new Set(idsOf(flooded)).size).toBe(600)
  expect(flooded.received).toHaveLength(600)
})

it('the creator of deliveries claims them if it has room, and others take over when the claim expires', async () => {
  const receiver = await openReceiver()
  await subscribe(receiver.url)
  const resource_id = await happen(15)
  const hung = openRounds({ ...api.runtime, outbound: { ...api.runtime.outbound, post: () => new Promise(() => {}) } })
  await hung.run('deliver')
  expect(hung.under_way.size).toBe(1)
  const made = await Promise.all((await eventsOf(resource_id)).map(({ id }) => deliveriesOf(id)))
  const taken = made.flat()
  expect(taken.map(({ status, started_at }) => [status, started_at !== null])).toEqual([['In Progress', true]])
  // It is killed now. Events that it did not attempt to deliver are available to others immediately.
  await api.deliver()
  expect(receiver.received).toHaveLength(14)
  api.wait(30_000)
  await api.deliver()
  expect(receiver.received).toHaveLength(15)
  expect(new Set(idsOf(receiver)).size).toBe(15)
})

it('an event waits in the outbox for room at a receiver, at most half a minute', async () => {
  const receiver = await openReceiver()
  receiver.answer = answering(429, { 'retry-after': '3600' })
  const { id } = await subscribe(receiver.url)
  // Ids use the actual time, which is ahead of the clock of the tests.
  api.wait(Date.now() - api.runtime.clock())
  await happen(10)
  const rounds = openRounds(api.runtime)
  await deliverAll(rounds)
  const held_back = first(await eventsOf(await happen()))
  await deliverAll(rounds)
  expect(await deliveriesOf(held_back.id)).toEqual([])
  api.wait(minute)
  await deliverAll(rounds)
  expect(first(await deliveriesOf(held_back.id))).toMatchObject({ status: 'Pending', attempts: 0, subscription_id: id })
  expect(receiver.received).toHaveLength(1)
  receiver.answer = answering(204)
  api.wait(hour)
  await deliverAll(rounds)
  expect(first(await deliveriesOf(held_back.id))).toMatchObject({ status: 'Delivered', attempts: 1 })
})
