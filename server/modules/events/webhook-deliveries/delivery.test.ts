import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordEvents } from '../../../runtime/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { openOutbound, type OutboundReply } from '../../../integrations/outbound/outbound.ts'
import { deliverAll, useApi } from '../../../test/harness.ts'
import { only, sure } from '../../../test/pick.ts'
import { answering, openReceiver, type Receiver } from '../../../test/fakes/receiver.ts'
import { shapeOf } from '../../../test/examples.ts'
import { blockOf } from '../../../test/guides/code-blocks.ts'
import { idsOf, useWebhooks } from '../../../test/clients/webhooks.ts'
import { deliverWebhooks, openDispatcher, openRounds } from './background.ts'

const api = useApi({ outbound: { allow_loopback: true } })
const { path, subscribe, happen, eventsOf, deliveriesOf, deliveryOf, shown, verify } = useWebhooks(api)
const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe('an event', () => {
  it('is sent to each subscription to its name, signed for each', async () => {
    const [one, other, third] = await Promise.all([openReceiver(), openReceiver(), openReceiver()])
    const all = await subscribe(one.url)
    const some = await subscribe(other.url, { event_names: ['employee.updated', 'invoice.issued'] })
    await subscribe(third.url, { event_names: ['employee.created'] })
    const resource_id = await happen()
    await api.deliver()
    const event = only(await eventsOf(resource_id))
    expect([idsOf(one), idsOf(other), idsOf(third)]).toEqual([[event.id], [event.id], []])
    const body = {
      type: 'employee.updated',
      timestamp: event.created_at,
      data: { ...event, id: undefined, event_id: event.id },
    }
    expect(verify(all.secret, one.received[0]!)).toEqual(JSON.parse(JSON.stringify(body)))
    expect(shapeOf(JSON.parse(blockOf('docs/integrating/webhooks.md', '{"type":"employee.created"')))).toEqual(
      shapeOf(one.received[0]!.body),
    )
    expect(verify(some.secret, other.received[0]!)).toBeTruthy()
    expect(() => verify(all.secret, other.received[0]!)).toThrow('No matching signature found')
    expect(one.received[0]!.headers['content-type']).toBe('application/json')
    const deliveries = await deliveriesOf(event.id)
    expect(deliveries.map(({ status }) => status)).toEqual(['Delivered', 'Delivered'])
    expect(deliveries.find((each) => each.subscription_id === all.id)).toEqual({
      id: expect.stringMatching(/^wdlv_/),
      webhook_event_id: event.id,
      subscription_id: all.id,
      status: 'Delivered',
      attempts: 1,
      response_status: 204,
      response_body: '',
      started_at: expect.any(String),
      delivered_at: expect.any(String),
      failed_at: null,
      failure_reason: '',
      next_attempt_at: null,
      created_at: expect.any(String),
    })
  })

  it('of another organization is not sent', async () => {
    const receiver = await openReceiver()
    await subscribe(receiver.url)
    const fact = {
      event_name: 'employee.updated',
      organization_id: api.story.rival_organization_id,
      resource_id: newId('empl'),
    } as const
    await api.act((ctx) => recordEvents(ctx, [fact]))
    await api.deliver()
    expect(receiver.received).toEqual([])
  })

  it('is not lost if its transaction commits after later events of other organizations were published', async () => {
    const receiver = await openReceiver()
    await subscribe(receiver.url)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
    const early = newId('empl')
    const late = api.act(async (ctx) => {
      await recordEvents(ctx, [
        { event_name: 'employee.created', organization_id: api.story.organization_id, resource_id: early },
      ])
      hasWritten()
      await held
    })
    await written
    // Events of one organization are numbered, and so committed in order.
    await api.act((ctx) =>
      recordEvents(ctx, [
        {
          event_name: 'employee.updated',
          organization_id: api.story.rival_organization_id,
          resource_id: newId('empl'),
        },
      ]),
    )
    await api.deliver()
    expect(receiver.received).toEqual([])
    release()
    await late
    await api.deliver()
    expect(receiver.received.map(({ body }) => body.data.resource_id)).toEqual([early])
  })

  it('is delivered once regardless of the number of workers', async () => {
    const receiver = await openReceiver()
    await subscribe(receiver.url)
    await happen(300)
    await Promise.all([api.deliver(), api.deliver(), api.deliver()])
    expect(new Set(idsOf(receiver)).size).toBe(300)
    expect(receiver.received).toHaveLength(300)
  })

  it('is delivered after the claim of a killed worker expires, and not before', async () => {
    const receiver = await openReceiver()
    await subscribe(receiver.url)
    const resource_id = await happen()
    const { promise: answer, resolve } = Promise.withResolvers<OutboundReply>()
    const killed = openDispatcher({ ...api.runtime, outbound: { ...api.runtime.outbound, post: () => answer } })
    killed.wake()
    await expect.poll(async () => (await deliveryOf(resource_id)).status).toBe('In Progress')
    api.wait(29 * second)
    await api.deliver()
    expect(receiver.received).toEqual([])
    api.wait(second)
    await api.deliver()
    expect(receiver.received).toHaveLength(1)
    // It was not dead, only slow. Its outcome changes nothing.
    resolve({ status: null, failure: 'No response within 15 s.' })
    await killed.stop()
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered', attempts: 1, failure_reason: '' })
  })
})

describe('a failed attempt', () => {
  it('is repeated after each delay, 14 times in total, always as the same webhook', async () => {
    const receiver = await openReceiver()
    receiver.answer = answering(500)
    await subscribe(receiver.url)
    const resource_id = await happen()
    const pauses = [
      5 * second,
      minute,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      ...Array.from({ length: 6 }, () => 12 * hour),
    ]
    await api.deliver()
    for (const [at, pause] of pauses.entries()) {
      const { status, attempts, next_attempt_at } = await deliveryOf(resource_id)
      expect([status, attempts]).toEqual(['Pending', at + 1])
      const planned = Date.parse(sure(next_attempt_at)) - api.runtime.clock()
      expect(planned).toBeGreaterThanOrEqual(pause)
      expect(planned).toBeLessThanOrEqual(pause * 1.2)
      api.wait(pause - 1)
      await api.deliver()
      expect(receiver.received).toHaveLength(at + 1)
      api.wait(planned - pause + 1)
      await api.deliver()
      expect(receiver.received).toHaveLength(at + 2)
    }
    expect(new Set(idsOf(receiver)).size).toBe(1)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(await deliveryOf(resource_id)).toMatchObject({
      status: 'Failed',
      attempts: 14,
      next_attempt_at: null,
      failure_reason: 'The receiver responded with status 500.',
      response_status: 500,
    })
    api.wait(24 * hour)
    await api.deliver()
    expect(receiver.received).toHaveLength(14)
  })

  it('makes the subscription healthy again if a later one succeeds', async () => {
    const receiver = await openReceiver()
    receiver.answer = (response, _, count) => answering(count < 3 ? 503 : 200)(response, _, count)
    const { id } = await subscribe(receiver.url)
    const resource_id = await happen()
    const started = new Date(api.runtime.clock()).toISOString()
    await api.deliver()
    expect((await shown(id)).failing_since).toBe(started)
    api.wait(10 * second)
    await api.deliver()
    expect((await shown(id)).failing_since).toBe(started)
    api.wait(2 * minute)
    await api.deliver()
    expect((await shown(id)).failing_since).toBe(null)
    expect(await deliveryOf(resource_id)).toMatchObject({
      status: 'Delivered',
      attempts: 3,
      started_at: started,
      failure_reason: '',
    })
  })

  it('is not repeated if its outcome is saved after its claim expired and the receiver recovered', async () => {
    const receiver = await openReceiver()
    receiver.answer = (response, _, count) => answering(count < 2 ? 503 : 200)(response, _, count)
    const { id } = await subscribe(receiver.url)
    const resource_id = await happen()
    const rounds = openRounds(api.runtime)
    await deliverAll(rounds)
    api.wait(10 * second)
    await rounds.run('deliver')
    await Promise.all(rounds.under_way)
    api.wait(minute)
    await deliverAll(rounds)
    expect(receiver.received).toHaveLength(2)
    expect((await shown(id)).failing_since).toBe(null)
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered', attempts: 2 })
  })

  it('is not repeated before the time that the receiver requests, and neither are other deliveries', async () => {
    const receiver = await openReceiver()
    receiver.answer = answering(429, { 'retry-after': '3600' })
    await subscribe(receiver.url)
    await happen(30)
    const rounds = openRounds(api.runtime)
    await deliverAll(rounds)
    expect(receiver.received.length).toBeLessThanOrEqual(10)
    const requested = receiver.received.length
    api.wait(59 * minute)
    await deliverAll(rounds)
    expect(receiver.received).toHaveLength(requested)
    receiver.answer = answering(200)
    api.wait(minute)
    await deliverAll(rounds)
    expect(new Set(idsOf(receiver)).size).toBe(30)
    expect(receiver.received).toHaveLength(30 + requested)
  })

  it.each<[string, Receiver['answer']]>([
    ['never responds', () => undefined],
    ['sends its headers slowly', (response) => void response.socket!.write('HTTP/1.1 200 OK\r\nx-')],
  ])('is one whose receiver %s', async (_, answer) => {
    const hasty = openOutbound({ allow_loopback: true, time_limit: 400 })
    onTestFinished(() => hasty.close())
    const receiver = await openReceiver()
    receiver.answer = answer
    await subscribe(receiver.url)
    const resource_id = await happen()
    await deliverAll(openRounds({ ...api.runtime, outbound: hasty }))
    const failure_reason = 'No response within 0.4 s.'
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Pending', attempts: 1, failure_reason })
  })

  it.each<[string, Receiver['answer'], string]>([
    ['resets', (response) => void (response.socket as Socket).resetAndDestroy(), 'The connection was reset.'],
    ['sends no valid HTTP', (response) => void response.socket!.end('hello\r\n\r\n'), 'The response was not HTTP.'],
    ['redirects', answering(302, { location: 'https://example.com/' }), 'The receiver responded with status 302.'],
    ['redirects permanently', answering(308, { location: '/elsewhere' }), 'The receiver responded with status 308.'],
  ])('is one whose receiver %s', async (_, answer, failure_reason) => {
    const receiver = await openReceiver()
    receiver.answer = answer
    await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Pending', attempts: 1, failure_reason })
    expect(receiver.received.map((one) => one.path)).toEqual(['/hooks'])
  })

  it('is one without a listening receiver', async () => {
    const receiver = await openReceiver()
    await receiver.close()
    await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    expect((await deliveryOf(resource_id)).failure_reason).toBe('The connection was refused.')
  })

  it('is one to a server with an untrusted certificate', async () => {
    const receiver = await openReceiver({ tls: true })
    await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    expect((await deliveryOf(resource_id)).failure_reason).toBe(
      'The certificate of the server could not be verified (DEPTH_ZERO_SELF_SIGNED_CERT).',
    )
    expect(receiver.received).toEqual([])
  })
})

describe('a response', () => {
  it('is stored up to its first KiB, and the rest is not read', async () => {
    const receiver = await openReceiver()
    receiver.answer = (response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write('é'.repeat(50_000)));
      }
      response.on('drain', more)
      more()
    }
    await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    const { status, response_body } = await deliveryOf(resource_id)
    expect(status).toBe('Delivered')
    expect(response_body).toBe('é'.repeat(512))
  })

  it('counts as a success by its status, even if its body is slow or binary', async () => {
    const receiver = await openReceiver()
    receiver.answer = (response) => void response.writeHead(202).write(Buffer.from([0x61, 0, 0xff, 0x62]))
    await subscribe(receiver.url)
    const resource_id = await happen()
    await api.deliver()
    expect(await deliveryOf(resource_id)).toMatchObject({
      status: 'Delivered',
      response_status: 202,
      response_body: 'a\ufffdb',
    })
  })
})

it('waiting deliveries of a subscription go to its new URL, and nowhere if it is deleted', async () => {
  const [former, present] = await Promise.all([openReceiver(), openReceiver()])
  former.answer = answering(500)
  const { id } = await subscribe(former.url)
  const resource_id = await happen()
  await api.deliver()
  await api.patch(`${path}/${id}`, { url: present.url })
  api.wait(minute)
  await api.deliver()
  expect([former.received.length, present.received.length]).toEqual([1, 1])
  present.answer = answering(500)
  const lost = await happen()
  await api.deliver()
  await api.call('DELETE', `${path}/${id}`)
  await api.work()
  api.wait(minute)
  await api.deliver()
  expect(present.received).toHaveLength(2)
  expect(await deliveryOf(resource_id)).toMatchObject({ status: 'Delivered' })
  expect(await deliveryOf(lost)).toMatchObject({ status: 'Failed', failure_reason: 'The subscription was deleted.' })
})

it('deliveries are purged 90 days after their creation unless they are waiting, and their events stay', async () => {
  const receiver = await openReceiver()
  const { id } = await subscribe(receiver.url)
  const resource_id = await happen()
  await api.deliver()
  api.wait(90 * 24 * hour - minute)
  await api.runDays()
  const event = only(await eventsOf(resource_id))
  expect(await deliveriesOf(event.id)).toHaveLength(1)
  api.wait(2 * minute)
  await api.runDays()
  expect(await deliveriesOf(event.id)).toEqual([])
  expect(await eventsOf(resource_id)).toEqual([event])
  expect((await shown(id)).enabled).toBe(true)
})

it('all deliveries past their retention are purged at once, regardless of how many there are', async () => {
  const receiver = await openReceiver()
  const { id } = await subscribe(receiver.url)
  const event = only(await eventsOf(await happen()))
  await api.deliver()
  await api.database.pool.query(
    `insert into webhook_deliveries (id, organization_id, subscription_id, webhook_event_id, created_at, failed_at)
     select new_id('wdlv'), organization_id, subscription_id, webhook_event_id, created_at - interval '91 days',
            created_at
       from webhook_deliveries cross join generate_series(1, 20001) where subscription_id = $1`,
    [id],
  )
  await api.runDays()
  expect(await deliveriesOf(event.id)).toHaveLength(1)
})

it('a worker delivers committed events, and continues after the database ended all its sessions', async () => {
  const receiver = await openReceiver()
  await subscribe(receiver.url)
  const worker = deliverWebhooks(api.runtime)
  await happen()
  await expect.poll(() => receiver.received).toHaveLength(1)
  await api.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const succeeds = () =>
    happen().then(
      () => true,
      () => false,
    )
  await expect.poll(succeeds).toBe(true)
  await expect.poll(() => receiver.received).toHaveLength(2)
  await worker.stop()
})
