import { beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { createApiKey } from '../modules/access/api-keys/actions.ts'
import { createUser, setUpOrganization } from '../modules/access/organizations/actions.ts'
import { anEmployer, aPerson, createEmployer, importCatalog, openPlanYear, addPolicy } from '../test/fixtures.ts'
import { type ApiResponse, type ResponsesTo, type RequestFunction, codeOf } from '../test/response.ts'
import { countWaiting, useApi } from '../test/harness.ts'
import { pick } from '../test/pick.ts'
import { lockOrganization } from '../runtime/locks.ts'
import { every_organization } from '../database/query/rows-of.ts'

const api = useApi()

/** A sandbox organization with a key of its own, so that each test has its own clock. */
let organization_id: string
let key: string
let employer_id: string

beforeEach(async () => {
  api.moveTo('2026-03-10')
  ;({ organization_id, key } = await api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Tess Timely', email: null })
    const made = { name: 'Tomorrow Benefits', type: null, super_in: false, sandbox: true, admin_user_id: user_id }
    const organization_id = await setUpOrganization(ctx, made)
    const owner = { user_id, organization_id: null, mode: 'test', rate_limited: false } as const
    return { organization_id, key: (await createApiKey(ctx, owner)).api_key }
  }))
  employer_id = await createEmployer(api, {}, { key })
})

const move = (today: string) =>
  api.put(`/operator/v1/organizations/${organization_id}/clock`, { today }, { key: api.operator_key })

/** A person who turns 18 on June 1, 2026. */
const young = () => aPerson({ date_of_birth: '2008-06-01' })
const hire = (person: object, headers: Record<string, string> = {}) =>
  api.post(`/v1/employers/${employer_id}/employees`, person, { key, headers })

/**
 * Sends requests while the organization is locked, calls `meanwhile` when all of them wait, and returns the responses.
 */
async function whileLocked<const Requests extends readonly RequestFunction[]>(
  requests: Requests,
  meanwhile: () => unknown,
) {
  const { sent } = await api.database.transaction(every_organization, async (db) => {
    await lockOrganization(db, organization_id)
    const sent = requests.map((request) => request())
    await expect.poll(() => countWaiting(api)).toBe(requests.length)
    await meanwhile()
    return { sent }
  })
  return (await Promise.all(sent)) as ResponsesTo<Requests>
}

/** Sends requests while the clock is moved, and returns the responses. */
async function whileMoving<const Requests extends readonly RequestFunction[]>(today: string, requests: Requests) {
  const { runDay, hasDailyWork } = api.runtime
  const [moving, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  api.runtime.hasDailyWork = async () => true
  api.runtime.runDay = async (...run) => {
    moving.resolve()
    await go.promise
    return runDay(...run)
  }
  const moved = move(today)
  await moving.promise
  const sent = requests.map((request) => request())
  await expect.poll(() => countWaiting(api)).toBe(requests.length)
  Object.assign(api.runtime, { runDay, hasDailyWork })
  go.resolve()
  expect((await moved).status).toBe(200)
  return (await Promise.all(sent)) as ResponsesTo<Requests>
}

describe('a write that waits for its organization', () => {
  it('is checked on the day that the clock was moved to in the meantime', async () => {
    await hire(aPerson())
    const [hired, refused, created] = await whileMoving('2026-06-01', [
      () => hire(young()),
      () => hire(aPerson({ date_of_birth: '2008-06-02' })),
      () => api.post('/v1/employers', anEmployer(), { key }),
    ])
    expect([hired.status, refused.status, created.status]).toEqual([201, 400, 201])
    for (const { body } of [hired, created]) expect(body.data.created_at).toMatch(/^2026-06-01T16:00/)
  })

  it('is refused as an election if the window closed in the meantime', async () => {
    const catalog = await importCatalog(api, [], organization_id)
    await addPolicy(api, employer_id, { waiting_period: 'first_of_following_month' }, { key })
    await openPlanYear(api, employer_id, catalog)
    await api.work()
    const { id } = (await hire(aPerson({ start_date: '2026-03-09' }))).body.data
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const mine = pick(data, ({ benefit }) => benefit.id === catalog.mec.benefit_id)
    const elect = () =>
      api.post(`/v1/enrollments/${mine.id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' }, { key })
    const [late] = await whileMoving('2026-05-01', [elect])
    expect(codeOf(late)).toEqual([409, 'enrollment_window_closed'])
  })

  it('is checked on the new day for operators, too', async () => {
    const { id } = (await hire(aPerson())).body.data
    const life_event = { type: 'birth', occurred_on: '2026-03-01' }
    const reported = await api.post(`/v1/employees/${id}/qualifying-life-events`, life_event, { key })
    const path = `/operator/v1/qualifying-life-events/${reported.body.data.id}/approve` as const
    const [approved] = await whileMoving('2026-04-01', [() => api.post(path, undefined, { key: api.operator_key })])
    expect(approved.body.data).toMatchObject({ window_start: '2026-04-01', window_end: '2026-05-01' })
  })

  it('is dated to the new day if midnight passes in the meantime', async () => {
    api.moveTo('2026-05-31')
    const [hired] = await whileLocked([() => hire(young())], () => api.moveTo('2026-06-01'))
    expect([hired.status, hired.body.data.created_at]).toEqual([201, '2026-06-01T16:00:00.000Z'])
  })

  it('does not delay replayed responses and malformed bodies', async () => {
    const headers = { 'idempotency-key': 'known' }
    const person = aPerson()
    const first = await hire(person, headers)
    await api.database.transaction(every_organization, async (db) => {
      await lockOrganization(db, organization_id)
      expect((await hire(person, headers)).text).toBe(first.text)
      expect(codeOf(await hire({}))).toEqual([400, 'invalid_request'])
      expect((await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key })).status).toBe(200)
    })
  })

  it('returns 409 to another request with the same idempotency key', async () => {
    const person = aPerson()
    const send = () => hire(person, { 'idempotency-key': 'running' })
    const { promise: second, resolve } = Promise.withResolvers<ApiResponse>()
    const [first] = await whileLocked([send], async () => resolve(await send()))
    expect([codeOf(first), codeOf(await second)]).toEqual([
      [201, undefined],
      [409, 'idempotency_key_in_progress'],
    ])
    const { headers } = await second
    expect(['retry-after', 'x-should-retry'].map((name) => headers.get(name))).toEqual(['1', 'true'])
  })
})

describe('another process', () => {
  it('writes on the new day despite its cached credential', async () => {
    const other = await buildApp(api.runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
    const authorization = `Bearer ${key}`
    const url = `/v1/employers/${employer_id}/employees` as const
    const body = young()
    const send = () => other.inject({ method: 'POST', url, headers: { authorization }, payload: body })
    expect((await send()).statusCode).toBe(400)
    await move('2026-06-01')
    const hired = await send()
    await other.close()
    expect([hired.statusCode, hired.json().data?.created_at]).toEqual([201, '2026-06-01T16:00:00.000Z'])
  })
})
