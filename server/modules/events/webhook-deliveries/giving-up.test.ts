import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { anyOutboxEvents, takeOutboxEvents } from '../../../runtime/events.ts'
import { inOrganization } from '../../../runtime/runtime.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { answering, openReceiver } from '../../../test/fakes/receiver.ts'
import { idsOf, useWebhooks } from '../../../test/clients/webhooks.ts'
import { openDispatcher } from './background.ts'
import { makeDeliveries, empty_claim } from './claim-queries.ts'

const api = useApi({ outbound: { allow_loopback: true } })
const { path, subscribe, happen, eventsOf, deliveriesOf, deliveryOf, shown } = useWebhooks(api)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A promise with its resolver, to pause something in the middle. */
const gate = () => Promise.withResolvers<void>()

describe('a subscription is disabled', () => {
  it('immediately when its receiver responds with 410, with an event, and its waiting deliveries fail', async () => {
    const receiver = await openReceiver()
    receiver.answer = (response, one, count) =>
      answering(one.body.type === 'employee.updated' ? 410 : 500)(response, one, count)
    const { id } = await subscribe(receiver.url)
    const other = await happen(1, 'employee.created')
    await api.deliver()
    const resource_id = await happen()
    await api.deliver()
    await api.work()
    expect(await shown(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Failed', attempts: 1, response_status: 410 })
    expect(await deliveryOf(other)).toMatchObject({
      status: 'Failed',
      failure_reason: 'The subscription was disabled.',
    })
    expect((await eventsOf(id)).map(({ event_name }) => event_name)).toEqual(['webhook_subscription.disabled'])
    const listed = await api.get('/operator/v1/webhook-subscriptions?health=disabled', { key: api.operator_key })
    expect(listed.body.data[0]).toMatchObject({ id, disabled_reason: 'gone' })
    const operator = { key: api.operator_key }
    const tasks = async () => (await api.get('/operator/v1/tasks?kind=webhook_disabled', operator)).body.data
    const task = pick(await tasks(), ({ resource_id }) => resource_id === id)
    expect(task.details).toEqual({ url: receiver.url, reason: 'gone' })
    const failures = async (query: string) => {
      const failed = await api.get(`/operator/v1/webhook-subscriptions/${id}/deliveries?${query}`, operator)
      return failed.body.data.map(({ response_status }) => response_status)
    }
    expect(await failures('event_name=employee.updated')).toEqual([410])
    expect(await failures('event_name=employee.created')).toHaveLength(1)
    expect(await failures('event_name=invoice.issued')).toEqual([])
    const subscriptions = (query: string) => api.get(`/operator/v1/webhook-subscriptions?${query}`, operator)
    expect((await subscriptions('health=disabled')).body.data.map((one) => one.id)).toContain(id)
    expect((await subscriptions('health=failing')).body.data.map((one) => one.id)).not.toContain(id)
    const later = await happen()
    await api.deliver()
    expect(await deliveriesOf(first(await eventsOf(later)).id)).toEqual([])
    for (const [action, body] of [['test'], ['replay', { since: '2026-03-10T00:00:00Z' }]] as const) {
      const refused = await api.post(`${path}/${id}/${action}`, body)
      expect(codeOf(refused)).toEqual([409, 'webhook_subscription_is_disabled'])
    }
    const refused = await api.post(`/v1/webhook-deliveries/${(await deliveryOf(resource_id)).id}/redeliver`)
    expect(codeOf(refused)).toEqual([409, 'webhook_subscription_is_disabled'])
    receiver.answer = answering(200)
    const resumed = await api.call('POST', task.action.path, operator)
    expect(resumed.status, resumed.text).toBe(202)
    expect((await tasks()).map(({ resource_id }) => resource_id)).not.toContain(id)
    await api.work()
    await api.deliver()
    const of_organization = `/operator/v1/organizations/${api.story.organization_id}/webhook-events` as const
    for (const missed of [other, resource_id, later]) {
      const events = await api.get(`${of_organization}?resource_id=${missed}`, operator)
      const event_id = first(events.body.data).id
      const deliveries = await api.get(`/operator/v1/webhook-events/${event_id}/deliveries`, operator)
      expect(first(deliveries.body.data)).toMatchObject({ status: 'Delivered', subscription_id: id })
    }
    await api.patch(`${path}/${id}`, { enabled: false })
    expect(codeOf(await api.call('POST', task.action.path, operator))).toEqual([
      409,
      'webhook_subscription_disabled_on_request',
    ])
  })

  it('but not after a single failed delivery, which opens a task and can be sent again', async () => {
    const receiver = await openReceiver()
    receiver.answer = answering(500)
    const { id } = await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    const due = [id, new Date(api.runtime.clock())]
    const last_attempt = 'update webhook_deliveries set attempts = 13, due_at = $2 where subscription_id = $1'
    await api.database.pool.query(last_attempt, due)
    api.wait(minute)
    await api.deliver()
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Failed', attempts: 14 })
    expect(await shown(id)).toMatchObject({ enabled: true })
    const operator = { key: api.operator_key }
    const tasks = async () => (await api.get('/operator/v1/tasks?kind=webhook_deliveries_failed', operator)).body.data
    const task = pick(await tasks(), (one) => one.resource_id === id)
    expect(task.details).toEqual({ url: receiver.url })
    receiver.answer = answering(200)
    expect((await api.call('POST', task.action.path, operator)).status).toBe(202)
    expect((await tasks()).map((one) => one.resource_id)).not.toContain(id)
    await api.work()
    await api.deliver()
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered' })

    // The subscription is deleted during the last attempt. A task opened after that could never be closed.
    receiver.answer = answering(500)
    const last = await happen()
    await api.deliver()
    const delivery = await deliveryOf(last)
    await api.database.pool.query('update webhook_deliveries set attempts = 13, due_at = $2 where id = $1', [
      delivery.id,
      new Date(api.runtime.clock()),
    ])
    receiver.answer = (...requested) =>
      void api.call('DELETE', `${path}/${id}`).then(() => answering(500)(...requested))
    api.wait(minute)
    await api.deliver()
    expect(await deliveryOf(last)).toMatchObject({ status: 'Failed', attempts: 14 })
    expect((await tasks()).map((one) => one.resource_id)).not.toContain(id)
  })

  it('after 5 days without a successful attempt, but not if one succeeded in between', async () => {
    const [dead, weak] = await Promise.all([openReceiver(), openReceiver()])
    dead.answer = weak.answer = answering(500)
    const [given_up, kept] = [await subscribe(dead.url), await subscribe(weak.url)]
    for (let day = 0; day <= 5; day++) {
      weak.answer = answering(day === 3 ? 200 : 500)
      await happen()
      await api.deliver()
      await api.work()
      expect((await shown(given_up.id)).enabled).toBe(day < 5)
      api.wait(24 * hour)
    }
    expect(await shown(given_up.id)).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    expect(await shown(kept.id)).toMatchObject({ enabled: true })
  })
})

describe('a dead receiver', () => {
  it('does not slow down others, and occupies at most ten attempts', async () => {
    const [dead, sound] = await Promise.all([openReceiver(), openReceiver()])
    const hanging = new Set<ServerResponse>()
    let most = 0
    dead.answer = (response) => {
      hanging.add(response)
      most = Math.max(most, hanging.size)
      response.once('close', () => hanging.delete(response))
    }
    let reached = 0
    sound.answer = (...given) => {
      answering(204)(...given)
      if (sound.received.length < 200) return
      // The dead receiver did not block the others. It can respond now.
      reached = dead.received.length
      dead.answer = answering(410)
      for (const response of hanging) response.destroy()
    }
    await subscribe(dead.url)
    await subscribe(sound.url, { event_names: ['employee.updated'] })
    await happen(200)
    await api.deliver()
    expect(sound.received).toHaveLength(200)
    expect(most).toBeLessThanOrEqual(10)
    expect(reached).toBeLessThan(100)
  })
})

it('a subscription of a locked organization is disabled later, while others receive deliveries', async () => {
  const [gone, sound] = await Promise.all([openReceiver(), openReceiver()])
  gone.answer = answering(410)
  const { id } = await subscribe(gone.url)
  await subscribe(sound.url, {}, api.story.rival_api_key)
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
    await expect.poll(() => gone.received.length).toBeGreaterThan(0)
    await happen(1, 'employee.updated', api.story.rival_organization_id)
    await expect.poll(() => (dispatcher.wake(), sound.received.length)).toBeGreaterThan(0)
  } finally {
    held.resolve()
    await busy
    await dispatcher.stop()
  }
  await api.work()
  expect(await shown(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
})

it('a receiver that recovers after 5 days is not disabled because of the next failure', async () => {
  const receiver = await openReceiver()
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  await happen()
  await api.deliver()
  api.wait(5 * day + minute)
  receiver.answer = (...given) => answering(receiver.received.length === 3 ? 500 : 200)(...given)
  const resources = [await happen(), await happen(), await happen()]
  await api.deliver()
  await api.work()
  expect(await shown(id)).toMatchObject({ enabled: true })
  api.wait(6 * hour)
  await api.deliver()
  for (const resource_id of resources) expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered' })
})

it('a failure at an old URL does not count for the new URL of a subscription', async () => {
  const receiver = await openReceiver()
  receiver.answer = answering(500)
  const { id } = await subscribe(receiver.url)
  await happen()
  await api.deliver()
  const { failing_since } = await shown(id)
  expect(failing_since).toEqual(expect.any(String))
  await api.patch(`${path}/${id}`, { url: receiver.url, description: 'As before' })
  expect(await shown(id)).toMatchObject({ failing_since })
  await api.patch(`${path}/${id}`, { url: `${receiver.url}/elsewhere` })
  expect(await shown(id)).toMatchObject({ failing_since: null })
})

it('a subscription is not disabled because of a URL that it no longer has', async () => {
  const [former, present] = [await openReceiver(), await openReceiver()]
  const [requested, held] = [gate(), gate()]
  former.answer = async (...given) => {
    requested.resolve()
    await held.promise
    answering(410)(...given)
  }
  const { id } = await subscribe(former.url)
  const resource_id = await happen()
  const delivering = api.deliver()
  await requested.promise
  await api.patch(`${path}/${id}`, { url: present.url })
  held.resolve()
  await delivering
  await api.work()
  expect(await shown(id)).toMatchObject({ enabled: true, disabled_reason: null })
  expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Pending', response_status: 410 })
  api.wait(hour)
  await api.deliver()
  expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered' })
  expect(present.received).toHaveLength(1)
})

it('deliveries that a worker created after a subscription was disabled end within the hour', async () => {
  const receiver = await openReceiver()
  const { id } = await subscribe(receiver.url)
  const resource_id = await happen()
  const [held, published] = [gate(), gate()]
  const round = api.act(async (ctx) => {
    await makeDeliveries(ctx, await takeOutboxEvents(ctx.db, anyOutboxEvents(10)), empty_claim)
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

it('deliveries that a worker claimed ahead are due again immediately when it stops', async () => {
  const receiver = await openReceiver()
  await subscribe(receiver.url)
  await happen(60)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const posted: string[] = []
  const post: typeof api.runtime.outbound.post = async (_, headers) => {
    if (posted.push(headers['webhook-id']!) > 10) await held
    return { status: 204, body: '', retry_after: undefined }
  }
  const stopping = openDispatcher({ ...api.runtime, outbound: { ...api.runtime.outbound, post } })
  stopping.wake()
  const taken = () => api.database.pool.query('select from webhook_deliveries where claimed_at is not null')
  await expect.poll(async () => (await taken()).rowCount).toBe(50)
  const stopped = stopping.stop()
  release()
  await stopped
  expect(posted).toHaveLength(20)
  await api.deliver()
  expect(new Set([...posted, ...idsOf(receiver)]).size).toBe(60)
  expect(receiver.received).toHaveLength(40)
})
