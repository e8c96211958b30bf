import { afterEach, expect, it, vi } from 'vitest'
import { recordEvents, takeOutboxEvents } from '../../platform/events.ts'
import { newId } from '../../kernel/ids.ts'
import { inOrganization } from '../../platform/runtime.ts'
import { useApi } from '../../test/harness.ts'
import { answering, openReceiver } from '../../test/fakes/receiver.ts'
import { openDispatcher } from './background.ts'
import { insertDeliveries } from './queries.ts'

const api = useApi({ outbound: { allow_loopback: true, time_limit: 400 } })
const path = '/v1/webhook-subscriptions'
const minute = 60_000
const day = 24 * 60 * minute

const made: [id: string, key: string][] = []
afterEach(async () => {
  for (const [id, key] of made.splice(0)) await api.call('DELETE', `${path}/${id}`, { key })
  await api.work()
})

async function subscribe(url: string, key = api.story.api_key): Promise<string> {
  const { id } = (await api.post(path, { url }, { key })).body.data
  made.push([id, key])
  return id
}

/** Has something happen to an employee like no other; returns its id. */
async function happen(organization_id = api.story.organization_id): Promise<string> {
  const resource_id = newId('empl')
  await api.act((ctx) => recordEvents(ctx, [{ event_name: 'employee.updated', organization_id, resource_id }]))
  return resource_id
}

const shown = async (id: string) => (await api.get(`${path}/${id}`)).body.data

async function deliveryOf(resource_id: string) {
  const [event] = (await api.get(`/v1/webhook-events?resource_id=${resource_id}`)).body.data
  return (await api.get(`/v1/webhook-events/${event.id}/deliveries`)).body.data[0]
}

/** A promise and what ends it, for what is held in the middle. */
const gate = () => Promise.withResolvers<void>()

it('a subscription of a busy organization is given up afterwards; others are delivered to meanwhile', async () => {
  const [gone, sound] = await Promise.all([openReceiver(), openReceiver()])
  gone.answer = answering(410)
  const id = await subscribe(gone.url)
  await subscribe(sound.url, api.story.rival_api_key)
  await happen()
  const [held, locked] = [gate(), gate()]
  const busy = inOrganization(api.runtime, api.story.organization_id, async () => {
    locked.resolve()
    await held.promise
  })
  await locked.promise
  const dispatcher = openDispatcher(api.runtime)
  try {
    dispatcher.wake()
    await vi.waitUntil(() => gone.received.length > 0)
    await happen(api.story.rival_organization_id)
    await vi.waitUntil(() => {
      dispatcher.wake()
      return sound.received.length > 0
    })
  } finally {
    held.resolve()
    await busy
    await dispatcher.stop()
  }
  await api.work()
  expect(await shown(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
})

it('a receiver that is back after 5 days is not given up for one of the answers that it gives at once', async () => {
  const receiver = await openReceiver()
  receiver.answer = answering(500)
  const id = await subscribe(receiver.url)
  await happen()
  await api.deliver()
  api.wait(5 * day + minute)
  receiver.answer = (...given) => answering(receiver.received.length === 2 ? 500 : 200)(...given)
  const resources = [await happen(), await happen(), await happen()]
  await api.deliver()
  await api.work()
  expect(await shown(id)).toMatchObject({ enabled: true, failing_since: null })
  api.wait(6 * 60 * minute)
  await api.deliver()
  for (const resource_id of resources) expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered' })
})

it('that a receiver failed is not said of the address that a subscription has now', async () => {
  const receiver = await openReceiver()
  receiver.answer = answering(500)
  const id = await subscribe(receiver.url)
  await happen()
  await api.deliver()
  const { failing_since } = await shown(id)
  expect(failing_since).toEqual(expect.any(String))
  await api.patch(`${path}/${id}`, { url: receiver.url, description: 'As before' })
  expect(await shown(id)).toMatchObject({ failing_since })
  await api.patch(`${path}/${id}`, { url: `${receiver.url}/elsewhere` })
  expect(await shown(id)).toMatchObject({ failing_since: null })
})

it('what a worker had yet to see disabled ends within the hour', async () => {
  const receiver = await openReceiver()
  const id = await subscribe(receiver.url)
  const resource_id = await happen()
  const [held, published] = [gate(), gate()]
  const round = api.act(async (ctx) => {
    await insertDeliveries(ctx, await takeOutboxEvents(ctx.db, 10))
    published.resolve()
    await held.promise
  })
  await published.promise
  await api.patch(`${path}/${id}`, { enabled: false })
  await api.work()
  held.resolve()
  await round
  await api.runDays()
  await api.work()
  expect(await deliveryOf(resource_id)).toMatchObject({
    status: 'Failed',
    failure_reason: 'The subscription was disabled.',
  })
})
