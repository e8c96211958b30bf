import { beforeAll, describe, expect, it } from 'vitest'
import type { EventName } from '../../../runtime/event-types.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { numberEvents, positionsOf } from '../../../runtime/event-positions.ts'
import { recordEvent, recordEvents } from '../../../runtime/events.ts'
import { contextOf } from '../../../runtime/runtime.ts'
import { followEvents } from './event-queries.ts'
import { newId } from '../../../kernel/ids.ts'
import { forbidden_addresses, open_addresses } from '../../../test/fakes/ip-addresses.ts'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, sure } from '../../../test/pick.ts'

/** The addresses of names: public ones, except for some names. */
const answers: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'intranet.example.com': ['10.1.2.3'],
  'both.example.com': ['93.184.216.34', '192.168.0.1'],
}
const api = useApi({
  outbound: {
    allow_loopback: false,
    resolve: async (name) => {
      if (name === 'unknown.example.com') throw new Error('ENOTFOUND')
      return (answers[name] ?? ['93.184.216.34']).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  },
})

const path = '/v1/webhook-subscriptions'
const url = 'https://example.com/hooks'
const subscribe = (body: object, key?: string) => api.post(path, body, key ? { key } : {})
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

describe('a subscription', () => {
  it('is created with a secret that is shown once and stored encrypted', async () => {
    const made = await subscribe({
      url,
      event_names: ['employee.created', 'employee.created'],
      description: ' Payroll ',
    })
    expect(made.status, made.text).toBe(201)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { secret, ...shown } = made.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toMatchObject({
      organization_id: api.story.organization_id,
      url,
      event_names: ['employee.created'],
      description: 'Payroll',
      enabled: true,
      disabled_at: null,
      failing_since: null,
    })
    const read = await api.get(`${path}/${shown.id}`)
    expect(read.body.data).toEqual(shown)
    const list = await api.get(path)
    expect(list.body.data).toEqual([shown])
    expect(list.body.pagination.total).toBe(1)
    const row = await api.database.reads.row<{ secret_sealed: Buffer }>(
      'select secret_sealed from webhook_subscriptions where id = $1',
      [shown.id],
    )
    expect(row!.secret_sealed.includes(secret)).toBe(false)
    expect(api.runtime.secrets.decrypt(row!.secret_sealed)).toBe(secret)
  })

  it('receives every event by default, and cannot use unknown event names', async () => {
    expect((await subscribe({ url })).body.data.event_names).toEqual([])
    expect((await subscribe({ url, event_names: null })).body.data.event_names).toEqual([])
    expect(codeOf(await subscribe({ url, event_names: ['employee.promoted'] }))).toEqual([400, 'invalid_request'])
    expect(codeOf(await subscribe({ url, event_names: ['webhook_subscription.test'] }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  it('changes the fields that are sent, and keeps the others', async () => {
    const { id, secret: _, ...before } = (await subscribe({ url, description: 'One' })).body.data
    const changed = await api.patch(`${path}/${id}`, { event_names: ['invoice.issued'], url: null, description: null })
    expect(changed.body.data).toMatchObject({ ...before, event_names: ['invoice.issued'] })
    const cleared = await api.patch(`${path}/${id}`, { event_names: [], description: '' })
    expect(cleared.body.data).toMatchObject({ event_names: [], description: null })
    expect(codeOf(await api.patch(`${path}/${id}`, { url: 'https://10.0.0.1/', description: 'Two' }))).toEqual([
      422,
      'webhook_url_not_allowed',
    ])
    expect((await api.get(`${path}/${id}`)).body.data).toMatchObject({ url, description: null })
  })

  it('can be disabled and enabled', async () => {
    const { id } = (await subscribe({ url })).body.data
    const disabled = await api.patch(`${path}/${id}`, { enabled: false })
    expect(disabled.body.data).toMatchObject({ enabled: false, disabled_reason: 'requested' })
    const listed = await api.get('/operator/v1/webhook-subscriptions?health=disabled', { key: api.operator_key })
    expect(listed.body.data[0]).toEqual(disabled.body.data)
    expect(listed.body.pagination.total).toBe(1)
    const again = await api.patch(`${path}/${id}`, { enabled: false })
    expect(again.body.data.disabled_at).toBe(disabled.body.data.disabled_at)
    const enabled = await api.patch(`${path}/${id}`, { enabled: true })
    expect(enabled.body.data).toMatchObject({ enabled: true, disabled_at: null, disabled_reason: null })
  })

  it('is returned when it is deleted, and its secrets are gone', async () => {
    const { id, secret: _, ...shown } = (await subscribe({ url })).body.data
    expect((await api.call('DELETE', `${path}/${id}`)).body.data).toEqual({ id, ...shown })
    for (const [method, of] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
    ] as const) {
      expect((await api.call(method, `${path}/${id}${of}`, { body: method === 'PATCH' ? {} : undefined })).status).toBe(
        404,
      )
    }
    const row = await api.database.reads.row('select secret_sealed from webhook_subscriptions where id = $1', [id])
    expect(row).toEqual({ secret_sealed: null })
  })

  it('is visible only to its organization', async () => {
    const { id } = (await subscribe({ url })).body.data
    for (const key of [api.story.rival_api_key, api.story.newcomer_api_key]) {
      expect((await api.get(`${path}/${id}`, { key })).status).toBe(404)
      expect((await api.patch(`${path}/${id}`, { enabled: false }, { key })).status).toBe(404)
      expect((await api.get(path, { key })).body.data).toEqual([])
    }
    const many = api.story.multi_organization_api_key
    expect(codeOf(await api.get(path, { key: many }))).toEqual([400, 'organization_required'])
    expect((await api.get(`${path}/${id}`, { key: many })).status).toBe(200)
    const headers = { 'x-service-organization': api.story.rival_organization_id }
    expect((await api.get(path, { key: many, headers })).body.data).toEqual([])
    expect((await api.get(`${path}/${id}`, { key: many, headers })).status).toBe(404)
  })

  it('is limited to 50 per organization', async () => {
    const key = api.story.rival_api_key
    for (let count = 0; count < 50; count++) expect((await subscribe({ url }, key)).status).toBe(201)
    expect(codeOf(await subscribe({ url }, key))).toEqual([409, 'too_many_webhook_subscriptions'])
  })
})

describe('the URL of a subscription', () => {
  it('is refused for more than 150 non-public addresses', async () => {
    const accepted: string[] = []
    for (const address of forbidden_addresses) {
      const answer = await subscribe({ url: `https://${hostOf(address)}/hooks` })
      if (answer.status !== 422) accepted.push(`${address}: ${answer.text}`)
      else expect(answer.error).toMatchObject({ code: 'webhook_url_not_allowed', details: [{ field: 'url' }] })
    }
    expect(accepted).toEqual([])
  })

  it.each([
    'http://example.com/',
    'https://localhost/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://[::ffff:7f00:1]/',
    'https://intranet.example.com/',
    'https://both.example.com/',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://example.com:22/',
    'https://example.com:80/',
    'https://example.com:1023/hooks',
  ])('cannot be %s', async (url) => {
    expect(codeOf(await subscribe({ url }))).toEqual([422, 'webhook_url_not_allowed'])
  })

  it.each([
    '',
    'example.com',
    'ftp://example.com/',
    'https://',
    'https:///hooks',
    'https:///example.com/hooks',
    'https://\\\\example.com/hooks',
    'https:example.com',
    'https://?hooks',
    'https://:8443/hooks',
    'https://./hooks',
    'https://exa mple.com/',
    'javascript:alert(1)',
    `https://example.com/${'x'.repeat(2048)}`,
  ])('must be valid: %s', async (url) => expect(codeOf(await subscribe({ url }))).toEqual([400, 'invalid_request']))

  it('can be public, or have a name that does not resolve yet', async () => {
    const wanted = [...open_addresses.slice(0, 5), ...open_addresses.slice(-3)].map(hostOf)
    for (const host of [...wanted, 'unknown.example.com', 'hooks.example.com:8443']) {
      const answer = await subscribe({ url: `https://${host}/hooks?tenant=7` })
      expect(answer.status, answer.text).toBe(201)
      await api.call('DELETE', `${path}/${answer.body.data.id}`)
    }
  })
})

describe('the list of events', () => {
  const resources = Array.from({ length: 4 }, () => newId('empl'))
  const names: EventName[] = ['employee.created', 'employee.updated', 'employee.updated', 'employee.deactivated']
  let employer_id = ''

  const list = async (query = '', key?: string) => {
    const answer = await api.get(`/v1/webhook-events${query}`, key ? { key } : {})
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  beforeAll(async () => {
    const { organization_id } = api.story
    employer_id = await createEmployer(api)
    for (const event_name of names) {
      api.wait(60_000)
      await api.act((ctx) =>
        recordEvents(
          ctx,
          resources.map((resource_id) => ({ event_name, organization_id, resource_id })),
        ),
      )
    }
  })

  it('lists them newest first, each with its sequence for its resource', async () => {
    const { data, pagination } = await list('?limit=5')
    expect(pagination).toEqual({ limit: 5, page: 1, total: 17, total_pages: 4 })
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^wevt_/),
      event_name: 'employee.deactivated',
      resource_type: 'employee',
      resource_id: expect.stringMatching(/^empl_/),
      organization_id: api.story.organization_id,
      sequence: 4,
      created_at: '2026-03-10T16:04:00.000Z',
    })
    expect((await api.get(`/v1/webhook-events/${first(data).id}`)).body.data).toEqual(data[0])
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list(`?limit=5&page=${page}`)))
    const all = pages.flatMap((page) => page.data)
    expect(new Set(all.map(({ id }) => id)).size).toBe(17)
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all
        .map(({ created_at }) => created_at)
        .toSorted()
        .reverse(),
    )
    expect(all.at(-1)).toMatchObject({ event_name: 'employer.created', resource_id: employer_id })
  })

  it.each([
    ['event_name=employee.updated', 8],
    ['event_name=employee.updated,employee.deactivated', 12],
    ['event_name=Employee.Created&event_name[]=employer.created', 5],
    ['resource_type=employer', 1],
    ['resource_type=employee', 16],
    ['resource_type=employer&event_name=employee.created', 0],
    ['resource_type=employee&event_name=employee.created', 4],
    ['resource_type=invoice', 0],
    ['created_after=2026-03-10T16:02:00Z', 8],
    ['created_after=2026-03-10T16:02:00.000Z&created_before=2026-03-10T12:04:00-04:00', 4],
    // As some clients write it: a space for the T, an offset without a colon, and a plus that a query decodes to a
    // space.
    ['created_after=2026-03-10 16:02:00Z', 8],
    ['created_after=2026-03-10%2012:02:00-0400', 8],
    ['created_after=2026-03-10T16:02:00+0000&created_before=2026-03-10T12:04:00-0400', 4],
    ['created_after=2026-03-10+18:02:00%2B0200', 8],
    ['created_before=2026-03-10T16:01:00Z', 1],
    ['event_name=employee.updated&created_after=2026-03-10T16:02:00Z', 4],
    [`resource_id=${resources[0]}`, 4],
    [`resource_id=${resources[0]}&event_name=employee.updated`, 2],
    [`resource_id=${resources[0]}&created_after=2026-03-10T16:03:00Z`, 1],
    ['resource_id=nothing', 0],
  ])('filters by %s', async (query, count) => {
    const { data, pagination } = await list(`?limit=100&${query}`)
    expect([data.length, pagination.total]).toEqual([count, count])
    const second = await list(`?limit=2&page=2&${query}`)
    expect(second.data).toEqual(data.slice(2, 4))
    expect(second.pagination.total).toBe(count)
  })

  it.each([
    'event_name=nothing',
    'resource_type=nothing',
    'created_after=yesterday',
    'created_after=0001-01-01T00:00:00Z',
    'created_before=2026-03-10',
    'resource_id=%00',
  ])('refuses %s', async (query) => expect((await api.get(`/v1/webhook-events?${query}`)).status).toBe(400))

  it('shows each organization its own events, and all of them to callers that see all', async () => {
    await createEmployer(api, {}, { key: api.story.rival_api_key })
    const rivals = await list('', api.story.rival_api_key)
    expect(rivals.pagination.total).toBe(1)
    expect((await api.get(`/v1/webhook-events/${first(rivals.data).id}`)).status).toBe(404)
    const all = await list('?limit=100', api.story.super_api_key)
    expect(all.pagination.total).toBe(18)
    expect(all.data[0]).toEqual(rivals.data[0])
    expect((await list('?resource_type=employer', api.story.super_api_key)).pagination.total).toBe(2)
    expect((await list('?page=99', api.story.super_api_key)).data).toEqual([])
    expect((await list('', api.story.newcomer_api_key)).pagination.total).toBe(0)
  })

  it('filters by employer, and by the request that caused them', async () => {
    const [employer_id, other] = [await createEmployer(api), await createEmployer(api)]
    const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson())
    await api.post(`/v1/employers/${other}/employees`, aPerson())
    const names = async (query: string) => {
      const { data, pagination } = (await api.get(`/v1/webhook-events?${query}`)).body
      expect(pagination.total).toBe(data.length)
      return data.map(({ event_name }) => event_name).sort()
    }
    const all = await names(`employer_id=${employer_id}`)
    expect(all).toEqual(['employee.created', 'employer.created'])
    const trace_id = sure(hired.headers.get('x-request-id'))
    expect(await names(`trace_id=${trace_id}`)).toEqual(['employee.created'])
    expect(await names(`trace_id=${trace_id}&employer_id=${other}`)).toEqual([])
    expect(await names(`employer_id=${employer_id}&event_name=employer.created`)).toEqual(['employer.created'])
    const rival = await api.get(`/v1/webhook-events?employer_id=${employer_id}`, { key: api.story.rival_api_key })
    expect(rival.body.data).toEqual([])
    expect((await api.get('/v1/webhook-events?employer_id=x')).status).toBe(400)
  })
})

describe('operator_count_webhook_events', () => {
  const countFrom = (day: string, organization_id = api.story.rival_organization_id) =>
    api.get(`/operator/v1/organizations/${organization_id}/webhook-events/by-day?from=${day}`, {
      key: api.operator_key,
    })

  it('counts the events of an organization by name and day in New York, starting on a day', async () => {
    const key = api.story.rival_api_key
    api.moveTo('2026-05-04')
    const employer_id = await createEmployer(api, {}, { key })
    // Before and after midnight in New York.
    api.wait(11.9 * 3_600_000)
    const hire = () => api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
    await hire()
    await hire()
    api.wait(0.2 * 3_600_000)
    await hire()
    const created = (event_count: number) => ({ event_name: 'employee.created', event_count })
    const later = { day: '2026-05-05', event_counts: [created(1)] }
    expect((await countFrom('2026-05-04')).body.data).toEqual({
      days: [
        { day: '2026-05-04', event_counts: [created(2), { event_name: 'employer.created', event_count: 1 }] },
        later,
      ],
      is_complete: true,
    })
    expect((await countFrom('2026-05-05')).body.data.days).toEqual([later])
    expect((await countFrom('2026-05-06')).body.data).toEqual({ days: [], is_complete: true })
    expect((await countFrom('soon')).status).toBe(400)
    expect((await countFrom('2026-05-04', 'org_01kdq7b4w8e9rs2mh3n5t6v7xz')).status).toBe(404)
  })
})

it('returns no events after an event without a position, and only later ones once it has a position', async () => {
  const organization_id = api.story.rival_organization_id
  const { database } = api.runtime
  const record = () =>
    api.act((ctx) => recordEvent(ctx, { event_name: 'employee.updated', organization_id, resource_id: newId('empl') }))
  const follow = async (after: string, seen?: number) => {
    const reads = database.readsOf(organization_id, [organization_id])
    const ctx = contextOf(api.runtime, serviceCaller(organization_id), reads)
    const filter = { after, event_name: [], resource_type: [], limit: 100, page: 1 }
    const page = await followEvents(ctx, organization_id, filter, seen)
    return JSON.parse(page!).data.map(({ id }: { id: string }) => id)
  }
  await record()
  await numberEvents(database, [organization_id])
  const seen = (await positionsOf(database, [organization_id])).get(organization_id)!
  await record()
  const latest = await record()
  expect(await follow(latest)).toEqual([])
  expect(await follow(latest, seen)).toEqual([])
  await numberEvents(database, [organization_id])
  expect(await follow(latest, seen)).toEqual([])
  const next = await record()
  await numberEvents(database, [organization_id])
  expect(await follow(latest, seen)).toEqual([next])
})
