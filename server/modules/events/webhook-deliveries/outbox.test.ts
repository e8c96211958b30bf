import { expect, it } from 'vitest'
import { deliverAll, useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { answering, openReceiver } from '../../../test/fakes/receiver.ts'
import { idsOf, useWebhooks } from '../../../test/clients/webhooks.ts'
import { openRounds } from './background.ts'

const api = useApi({ outbound: { allow_loopback: true, time_limit: 400 } })
const { subscribe, happen, eventsOf, deliveriesOf } = useWebhooks(api)
const minute = 60_000
const hour = 60 * minute

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
  expect(hung.under_way.size).toBe(10)
  const made = await Promise.all((await eventsOf(resource_id)).map(({ id }) => deliveriesOf(id)))
  const taken = made.flat()
  expect(taken.map(({ status, started_at }) => [status, started_at !== null])).toEqual(
    Array.from({ length: 10 }, () => ['In Progress', true]),
  )
  // It is killed now. Deliveries that it did not attempt are due for others at once.
  await api.deliver()
  expect(receiver.received).toHaveLength(5)
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
  expect(receiver.received).toHaveLength(10)
  receiver.answer = answering(204)
  api.wait(hour)
  await deliverAll(rounds)
  expect(first(await deliveriesOf(held_back.id))).toMatchObject({ status: 'Delivered', attempts: 1 })
})
