import { beforeEach, describe, expect, it } from 'vitest'
import { lockOrganization } from '../../../runtime/locks.ts'
import { type ApiResponse, type ResponsesTo, type RequestFunction, codeOf } from '../../../test/response.ts'
import { aMember, createEmployer } from '../../../test/fixtures.ts'
import { countWaiting, useApi } from '../../../test/harness.ts'
import { deleteOldDeliveries } from './queries.ts'
import { every_organization } from '../../../database/query/rows-of.ts'

const api = useApi()
const path = '/v1/webhook-subscriptions'
let id = ''
let webhook_delivery_id = ''

beforeEach(async () => {
  id = (await api.post(path, { url: 'https://example.com/hooks' })).body.data.id
  webhook_delivery_id = (await api.post(`${path}/${id}/test`)).body.data.id
})

const test = () => api.post(`${path}/${id}/test`)
const replay = () => api.post(`${path}/${id}/replay`, { since: '2026-03-01T00:00:00Z' })
const redeliver = () => api.post(`/v1/webhook-deliveries/${webhook_delivery_id}/redeliver`)
const unsubscribe = () => api.call('DELETE', `${path}/${id}`)

/** Queues requests while their organization is locked, then lets them run in that order. */
async function inTurn<const Requests extends readonly RequestFunction[]>(
  requests: Requests,
  meanwhile?: () => Promise<unknown>,
) {
  const { sent } = await api.database.transaction(every_organization, async (db) => {
    await lockOrganization(db, api.story.organization_id)
    const sent: Promise<ApiResponse>[] = []
    for (const request of requests) {
      sent.push(request())
      await expect.poll(() => countWaiting(api)).toBe(sent.length)
    }
    await meanwhile?.()
    return { sent }
  })
  return (await Promise.all(sent)) as ResponsesTo<Requests>
}

describe('a subscription that is deleted while another request waits', () => {
  it.each([
    ['tested', test],
    ['replayed to', replay],
    ['changed', () => api.patch(`${path}/${id}`, { enabled: true })],
    ['given a new secret', () => api.post(`${path}/${id}/rotate-secret`)],
    ['deleted again', unsubscribe],
  ])('cannot be %s', async (_, request) => {
    const [deleted, late] = await inTurn([unsubscribe, request])
    expect(deleted.status).toBe(200)
    expect(codeOf(late)).toEqual([404, 'not_found'])
  })

  it.each([
    ['tested', test],
    ['replayed to', replay],
  ])('is %s if that request came first', async (_, request) => {
    const answers = await inTurn([request, unsubscribe])
    expect(answers.map(({ status }) => status)).toEqual([202, 200])
  })

  it('receives no further events', async () => {
    const [, late] = await inTurn([unsubscribe, redeliver])
    expect(codeOf(late)).toEqual([409, 'webhook_subscription_is_disabled'])
  })
})

it('sends the latest event of a name, or refuses if there is no such event', async () => {
  const none = await api.post(`${path}/${id}/test?event_name=invoice.issued`)
  expect(codeOf(none)).toEqual([409, 'event_never_occurred'])
  const unknown = await api.post(`${path}/${id}/test?event_name=nothing.happened`)
  expect(codeOf(unknown)).toEqual([400, 'invalid_request'])
  await createEmployer(api)
  const newest = await createEmployer(api)
  const answer = await api.post(`${path}/${id}/test?event_name=employer.created`)
  expect(answer.status).toBe(202)
  const event = (await api.get(`/v1/webhook-events/${answer.body.data.webhook_event_id}`)).body.data
  expect([event.event_name, event.resource_id]).toEqual(['employer.created', newest])
})

it('refuses to deliver again if the delivery was purged in the meantime', async () => {
  await api.patch(`${path}/${id}`, { enabled: false })
  await api.work()
  await api.patch(`${path}/${id}`, { enabled: true })
  const tomorrow = new Date(api.runtime.clock() + 86_400_000).toISOString()
  const [late] = await inTurn([redeliver], () => api.act((ctx) => deleteOldDeliveries(ctx, tomorrow)))
  expect(codeOf(late)).toEqual([404, 'not_found'])
})

it('lists deliveries of a subscription with any outcome, for those who administer the organization', async () => {
  const [other, client] = [
    (await api.post(path, { url: 'https://example.com/others' })).body.data.id,
    { key: api.story.rival_api_key },
  ]
  await api.post(`${path}/${other}/test`)
  const again = (await redeliver()).body.data
  const listed = async (query: string) => {
    const answer = await api.get(`${path}/${id}/deliveries?${query}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.pagination.total).toBe(answer.body.data.length)
    return answer.body.data.map((one) => one.id)
  }
  expect(await listed('outcome=any')).toEqual([again.id, webhook_delivery_id])
  expect(await listed('outcome=any&event_name=webhook_subscription.test')).toEqual([again.id, webhook_delivery_id])
  expect(await listed('outcome=any&event_name=invoice.issued')).toEqual([])
  expect(await listed('outcome=waiting')).toEqual([webhook_delivery_id, again.id])
  expect(await listed('')).toEqual([])
  await api.patch(`${path}/${id}`, { enabled: false })
  await api.work()
  expect((await listed('outcome=failed')).sort()).toEqual([webhook_delivery_id, again.id].sort())
  expect(await listed('outcome=any')).toEqual([again.id, webhook_delivery_id])
  expect(codeOf(await api.get(`${path}/${id}/deliveries?outcome=any`, client))).toEqual([404, 'not_found'])
  const { key } = await aMember(api, api.story.organization_id, 'OPERATIONS')
  expect(codeOf(await api.get(`${path}/${id}/deliveries`, { key }))).toEqual([403, 'forbidden'])
})
