import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, easternDay } from '../../../kernel/days.ts'
import {
  aPerson,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
  openPlanYear,
  boundToken,
} from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { createApiKey } from '../api-keys/actions.ts'
import { createUser, setUpOrganization, grantMembership } from './actions.ts'

const api = useApi()

const pathOf = (organization_id: string) => `/operator/v1/organizations/${organization_id}/clock` as const
const move = (organization_id: string, today: string) =>
  api.put(pathOf(organization_id), { today }, { key: api.operator_key })
const clockOf = async (organization_id: string) =>
  (await api.get(pathOf(organization_id), { key: api.operator_key })).body.data

/** A new sandbox organization with its own key, so that each test has its own clock. */
let organization_id: string
let key: string
let user_id: string

beforeEach(async () => {
  api.moveTo('2026-03-10')
  const made = await anOrganization(true)
  organization_id = made.organization_id
  key = made.key
  user_id = made.user_id
})

const anOrganization = (sandbox: boolean) =>
  api.act(async (ctx) => {
    const user_id = await createUser(ctx, { name: 'Tess Timely', email: null })
    const made = { name: 'Tomorrow Benefits', type: null, super_in: false, sandbox, admin_user_id: user_id }
    const organization_id = await setUpOrganization(ctx, made)
    const mode = sandbox ? 'test' : 'live'
    const { api_key } = await createApiKey(ctx, { user_id, organization_id: null, mode, rate_limited: false })
    return { organization_id, key: api_key, user_id }
  })

/** An employee of a new employer of the organization. */
async function hire(): Promise<{ employer_id: string; id: string }> {
  const employer_id = await createEmployer(api, {}, { key })
  const answer = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
  return { employer_id, id: answer.body.data.id }
}

const statusOf = async (id: string, more: object = { key }) =>
  (await api.get(`/v1/employees/${id}`, more)).body.data.status

/** The Eastern day and name of each event of a resource. */
const daysOfEvents = async (resource_id: string) =>
  (
    await api.database.reads.rows<{ event_name: string; created_at: string }>(
      'select event_name, iso(created_at) as created_at from webhook_events where resource_id = $1 order by sequence',
      [resource_id],
    )
  ).map(({ event_name, created_at }) => [easternDay(Date.parse(created_at)), event_name])

describe('operator_move_clock', () => {
  it('moves a sandbox organization ahead, and everything happens on its day', async () => {
    const { id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-06-30' }, { key })
    const moved = await move(organization_id, '2026-06-30')
    expect([moved.status, moved.body.data]).toEqual([
      200,
      { organization_id, today: '2026-06-30', clock_offset_days: 112, days_run: 112 },
    ])
    expect(await statusOf(id)).toBe('active')

    expect((await move(organization_id, '2026-09-01')).body.data).toMatchObject({
      clock_offset_days: 175,
      days_run: 63,
    })
    expect(await statusOf(id)).toBe('terminated')
    expect((await daysOfEvents(id)).at(-1)).toEqual(['2026-07-01', 'employee.deactivated'])
    const has_pending_work = false
    expect(await clockOf(organization_id)).toEqual({
      organization_id,
      today: '2026-09-01',
      clock_offset_days: 175,
      has_pending_work,
    })

    const late = await createEmployer(api, {}, { key })
    expect((await api.get(`/v1/employers/${late}`, { key })).body.data.created_at).toMatch(/^2026-09-01T16:00/)
  })

  it('keeps the clock running from the new day, and runs each later day once', async () => {
    const { id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-04-10' }, { key })
    await move(organization_id, '2026-04-10')
    await api.runDays()
    api.moveTo('2026-03-11')
    expect((await clockOf(organization_id)).today).toBe('2026-04-11')
    await api.runDays()
    await api.runDays()
    expect(await daysOfEvents(id)).toEqual([
      ['2026-03-10', 'employee.created'],
      ['2026-03-10', 'employee.updated'],
      ['2026-04-11', 'employee.deactivated'],
    ])
  })

  it('first runs days that have not run yet', async () => {
    api.moveTo('2026-03-12')
    expect((await move(organization_id, '2026-03-13')).body.data).toMatchObject({
      clock_offset_days: 1,
      days_run: 3,
    })
  })

  it('accepts the current day and changes nothing', async () => {
    await move(organization_id, '2026-04-01')
    expect((await move(organization_id, '2026-04-01')).body.data).toEqual({
      organization_id,
      today: '2026-04-01',
      clock_offset_days: 22,
      days_run: 0,
    })
  })

  it('refuses a day before the current one, even if it is ahead of the calendar', async () => {
    await move(organization_id, '2026-04-01')
    expect(codeOf(await move(organization_id, '2026-03-31'))).toEqual([409, 'clock_moves_forward_only'])
    expect((await clockOf(organization_id)).today).toBe('2026-04-01')
  })

  it('refuses an organization that is not a sandbox', async () => {
    const real = await anOrganization(false)
    expect(codeOf(await move(real.organization_id, '2026-04-01'))).toEqual([409, 'organization_is_not_a_sandbox'])
    expect(await clockOf(real.organization_id)).toMatchObject({ today: '2026-03-10', clock_offset_days: 0 })
  })

  it('moves by up to two years in one request', async () => {
    expect(refusalOf(await move(organization_id, '2028-03-11'))).toEqual([422, 'clock_moves_too_far', 'today'])
    expect((await move(organization_id, '2028-03-10')).body.data).toMatchObject({ days_run: 731 })
    expect((await move(organization_id, '2028-03-11')).body.data).toMatchObject({ days_run: 1 })
  })

  it('refuses while jobs about its employers or groups are waiting or running', async () => {
    const { employer_id } = await hire()
    const census = () =>
      api.post(
        `/v1/employers/${employer_id}/census-sync`,
        { employees: [aPerson({ start_date: '2026-03-01' })] },
        { key },
      )
    const policy = { classification: 'all', waiting_period: 'none' }
    const group_id = await createGroup(api, {}, { key })
    for (const cause of [
      () => api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy, { key }),
      () => api.post(`/v1/groups/${group_id}/members/sync`, { members: [] }, { key }),
      census,
    ]) {
      await cause()
      expect(codeOf(await move(organization_id, '2026-03-11'))).toEqual([409, 'work_is_pending'])
      await api.work()
    }
    await census()
    const jobs = (state: string) =>
      api.database.pool.query(`update graphile_worker._private_jobs set ${state} where key = $1`, [
        `census:${employer_id}`,
      ])
    await jobs(`attempts = max_attempts, locked_at = now(), locked_by = 'a worker'`)
    expect(codeOf(await move(organization_id, '2026-03-11'))).toEqual([409, 'work_is_pending'])
    // Moving to the current day is accepted, because it changes nothing. Jobs of other organizations do not count.
    expect((await move(organization_id, '2026-03-10')).status).toBe(200)
    const other = await anOrganization(true)
    expect((await move(other.organization_id, '2026-03-11')).status).toBe(200)
    // Jobs that exhausted their retries do not count.
    await jobs('locked_at = null, locked_by = null')
    expect((await move(organization_id, '2026-03-11')).status).toBe(200)
  })

  it('moves completely or not at all', async () => {
    const { runDay, hasDailyWork } = api.runtime
    api.runtime.hasDailyWork = async () => true
    api.runtime.runDay = async (...run) => {
      if (run[0].today === '2026-03-31') throw new Error('this day fails')
      return runDay(...run)
    }
    const { id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' }, { key })
    const answer = await move(organization_id, '2026-04-10')
    Object.assign(api.runtime, { runDay, hasDailyWork })
    expect(codeOf(answer)).toEqual([500, 'internal_error'])
    expect([await statusOf(id), (await clockOf(organization_id)).today]).toEqual(['active', '2026-03-10'])
    expect(await api.events(id)).not.toContain('employee.deactivated')
  })

  it('runs each day once if concurrent requests move the clock', async () => {
    const { runDay, hasDailyWork } = api.runtime
    const days_run: string[] = []
    api.runtime.hasDailyWork = async () => true
    api.runtime.runDay = async (...run) => {
      days_run.push(run[0].today)
      return runDay(...run)
    }
    const days = Array.from({ length: 8 }, (_, count) => addDays('2026-03-11', count * 3))
    const answers = await Promise.all(days.map((day) => move(organization_id, day)))
    Object.assign(api.runtime, { runDay, hasDailyWork })
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(days_run).toEqual(Array.from({ length: 22 }, (_, count) => addDays('2026-03-11', count)))
  })
})

describe('the clock of an organization', () => {
  it('does not affect other organizations', async () => {
    const employer_id = await createEmployer(api)
    const { id } = await createEmployee(api, employer_id)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' })
    await move(organization_id, '2026-09-01')
    expect(await statusOf(id, {})).toBe('active')
    expect(await api.events(id)).not.toContain('employee.deactivated')
    expect((await clockOf(api.story.rival_organization_id)).today).toBe('2026-03-10')
    const ahead = await api.post(
      `/v1/employers/${employer_id}/employees`,
      aPerson({ start_date: '2026-03-01', date_of_birth: '2008-06-01' }),
    )
    expect(ahead.status).toBe(400)
  })

  it('applies to reads and writes with its keys, and with tokens bound to its people', async () => {
    const { employer_id, id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' }, { key })
    const young = aPerson({ date_of_birth: '2008-06-01' })
    const path = `/v1/employers/${employer_id}/employees` as const
    expect((await api.post(path, young, { key })).status).toBe(400)
    const of_employer = await boundToken(api, 'employer', employer_id, { key })
    const of_employee = await boundToken(api, 'employee', id, { key })
    await move(organization_id, '2026-06-01')
    expect((await api.post(path, young, { key })).status).toBe(201)
    for (const each of [key, of_employer, of_employee]) expect(await statusOf(id, { key: each })).toBe('terminated')
  })

  it('applies to reads and writes of its resources by callers that reach several organizations', async () => {
    const { id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' }, { key })
    await api.act((ctx) =>
      grantMembership(ctx, { organization_id: api.story.rival_organization_id, user_id, role: 'SALES' }),
    )
    api.wait(5_000)
    await move(organization_id, '2026-06-01')
    const named = { 'x-service-organization': organization_id }
    for (const each of [key, api.story.super_api_key]) {
      expect(await statusOf(id, { key: each, headers: named })).toBe('terminated')
      expect(await statusOf(id, { key: each })).toBe('terminated')
    }
    expect((await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-01' }, { key })).status).toBe(201)
  })

  it('applies to lists of one organization, but not to lists across organizations', async () => {
    const { employer_id, id } = await hire()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' }, { key })
    await move(organization_id, '2026-06-01')
    const everywhere = await api.get(`/v1/employers/${employer_id}/employees`, { key: api.story.super_api_key })
    expect(everywhere.body.data.map(({ status }) => status)).toEqual(['terminated'])
    const employer = await api.post(
      `/operator/v1/employers/${employer_id}/subscriptions/end`,
      { ended_on: '2026-05-01' },
      { key: api.operator_key },
    )
    expect(employer.status).toBe(200)
    const found = async (headers: Record<string, string>) =>
      (await api.get(`/v1/employers?search=${employer_id}`, { key: api.story.super_api_key, headers })).body.data.length
    expect(await found({ 'x-service-organization': organization_id })).toBe(0)
    expect(await found({})).toBe(1)
  })

  it('applies to reads by the operator', async () => {
    const { employer_id } = await hire()
    await openPlanYear(api, employer_id, await importCatalog(api, [], organization_id))
    await api.work()
    const path = `/operator/v1/employers/${employer_id}/benefit-plan-years` as const
    const status = async () => (await api.get(path, { key: api.operator_key })).body.data[0]?.status
    expect(await status()).toBe('active')
    await move(organization_id, '2027-01-01')
    expect(await status()).toBe('inactive')
  })

  it('applies to changes of its employers by the operator', async () => {
    const { employer_id } = await hire()
    await move(organization_id, '2026-06-01')
    const end = await api.post(
      `/operator/v1/employers/${employer_id}/subscriptions/end`,
      { ended_on: '2026-05-15' },
      { key: api.operator_key },
    )
    expect(end.status).toBe(200)
    const again = { started_on: '2026-06-01' }
    const granted = await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, again, {
      key: api.operator_key,
    })
    expect(granted.status).toBe(201)
    expect((await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })).status).toBe(201)
  })

  it('applies to its censuses', async () => {
    const { employer_id } = await hire()
    await move(organization_id, '2026-06-01')
    const path = `/v1/employers/${employer_id}/census-sync` as const
    const rows = [aPerson({ date_of_birth: '2008-06-01' })]
    const { body } = await api.post(`${path}?mode=replace`, { employees: rows }, { key })
    expect(body.data.accepted_at).toMatch(/^2026-06-01T16:00/)
    await api.work()
    const outcome = (await api.get(`${path}/${body.data.census_sync_id}`, { key })).body.data
    expect(outcome).toMatchObject({ state: 'completed', counts: { created: 1, terminated: 1, failed: 0 } })
    expect(outcome.completed_at).toMatch(/^2026-06-01T16:00/)
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
    expect(data.map((person: { termination_date: string | null }) => person.termination_date).toSorted()).toEqual([
      '2026-06-01',
      null,
    ])
  })

  it('does not apply to credentials, rate limits and idempotency keys', async () => {
    await move(organization_id, '2027-03-10')
    const issue = () => api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials' }, { key })
    const token = (await issue()).body.access_token
    const employer = () => api.get('/v1/employers', { key: token })
    expect((await employer()).status).toBe(200)

    const body = {
      name: 'Kept Bakery',
      legal_name: 'Kept Bakery LLC',
      ein: '12-2999999',
      email: 'kept@example.com',
      address: { address_line_1: '1 Post Rd', city: 'Albany', state: 'NY', zipcode: '12207' },
    }
    const create = () => api.post('/v1/employers', body, { key, headers: { 'idempotency-key': 'clock' } })
    const first = await create()
    expect(first.status).toBe(201)
    await api.runDays()
    api.wait(899_000)
    expect((await employer()).status).toBe(200)
    api.wait(2_000)
    expect((await employer()).status).toBe(401)
    expect((await create()).text).toBe(first.text)
    expect((await issue()).status).toBe(200)
    api.wait(24 * 3_600_000)
    expect((await create()).error.code).toBe('EIN_ALREADY_EXISTS')
  })

  it.each([
    ['the skipped hour in spring', '2026-03-07T07:30:00.000Z', '2026-03-08', '2026-03-08T07:30:00.000Z'],
    ['the longest day in autumn', '2026-03-10T03:59:00.000Z', '2026-11-01', '2026-11-02T04:59:00.000Z'],
    ['the first minute of a winter day', '2026-03-10T04:00:00.000Z', '2026-12-01', '2026-12-01T05:00:00.000Z'],
  ])('keeps the time of day in New York across %s', async (_, instant, today, shown) => {
    api.wait(Date.parse(instant) - api.runtime.clock())
    await move(organization_id, today)
    expect((await clockOf(organization_id)).today).toBe(today)
    const id = await createEmployer(api, {}, { key })
    expect((await api.get(`/v1/employers/${id}`, { key })).body.data.created_at).toBe(shown)
  })
})
