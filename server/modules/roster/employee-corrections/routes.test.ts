import { beforeAll, describe, expect, it } from 'vitest'
import {
  aPerson,
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  addPolicy,
} from '../../../test/fixtures.ts'
import type { ApiResponse } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, pick } from '../../../test/pick.ts'

const api = useApi()
let employer_id: string
let catalog: Awaited<ReturnType<typeof importCatalog>>

async function aServedEmployer(): Promise<string> {
  const id = await createEmployer(api)
  await addPolicy(api, id, { classification: 'full_time' })
  await openPlanYear(api, id, catalog)
  await api.work()
  return id
}

/** Creates an employer whose subscription began on an earlier day. */
async function employerSubscribedSince(since: string): Promise<string> {
  api.moveTo(since)
  const id = await aServedEmployer()
  api.moveTo('2026-03-10')
  return id
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await aServedEmployer()
})

/** Hires an employee with dental coverage since January. */
async function hireWithDental(at = employer_id, input: Record<string, unknown> = {}) {
  const employee = await createEmployee(api, at, { start_date: '2025-06-02', ...input })
  const { data } = (await api.get(`/v1/employees/${employee.id}/enrollments`)).body
  const dental = pick(data, ({ benefit }) => benefit.category === 'Dental').id
  const body = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const answer = await api.post(`/v1/enrollments/${dental}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
  return { id: employee.id, dental }
}

const stateOf = async (enrollment_id: string) => {
  const { status, coverage_start, coverage_end, coverage_tier } = (await api.get(`/v1/enrollments/${enrollment_id}`))
    .body.data
  return { status, coverage_start, coverage_end, coverage_tier }
}
const since_january = { status: 'enrolled', coverage_start: '2026-01-01', coverage_end: null, coverage_tier: 'EE' }

const change = <Action extends string>(employee_id: string, action: Action, body: object, key = api.story.api_key) =>
  api.post(`/v1/employees/${employee_id}/${action}`, body, { key })
const operate = <Action extends string>(employee_id: string, action: Action, body: object) =>
  api.post(`/operator/v1/employees/${employee_id}/${action}`, body, { key: api.operator_key })
const refusal = ({ status, error }: ApiResponse) => [status, error.code, error.details[0]?.message]
const lastEvents = async (id: string, count: number) => (await api.events(id)).slice(-count)
const too_far_back =
  'more_than_60_days_back: must not be more than 60 days in the past; only the operator can set an earlier day'

describe('employees_reinstate', () => {
  it('reverses a termination and restores the coverage that it ended', async () => {
    const ada = await hireWithDental()
    await change(ada.id, 'terminate', { termination_date: '2026-02-20', reason: 'Mixed up' })
    expect(await stateOf(ada.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-02-28' })

    const answer = await change(ada.id, 'reinstate', { reason: 'It was a different person' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ status: 'active', termination_date: null })
    expect(await stateOf(ada.dental)).toEqual(since_january)
    expect(await lastEvents(ada.id, 2)).toEqual(['employee.reinstated', 'employee.eligibility_granted'])
    expect(await lastEvents(ada.dental, 2)).toEqual(['enrollment.terminated', 'enrollment.reinstated'])
  })

  it('allows repeated terminations and reinstatements, and coverage follows the last report', async () => {
    const bea = await hireWithDental()
    for (const termination_date of ['2026-02-20', '2026-03-09', '2026-01-31']) {
      await change(bea.id, 'terminate', { termination_date })
      await change(bea.id, 'reinstate', {})
      expect(await stateOf(bea.dental)).toEqual(since_january)
    }
    await change(bea.id, 'terminate', { termination_date: '2026-02-20' })
    expect(await stateOf(bea.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-02-28' })
  })

  it('reverses a termination in the future', async () => {
    const cal = await hireWithDental()
    await change(cal.id, 'terminate', { termination_date: '2026-04-15' })
    expect(await stateOf(cal.dental)).toMatchObject({ status: 'enrolled', coverage_end: '2026-04-30' })
    await change(cal.id, 'reinstate', {})
    expect(await stateOf(cal.dental)).toEqual(since_january)
    expect(await lastEvents(cal.id, 1)).toEqual(['employee.updated'])
    expect(await lastEvents(cal.dental, 1)).toEqual(['enrollment.termination_rescheduled'])
  })

  it('refuses an active employment, and one whose person was employed here again', async () => {
    const dee = await hireWithDental()
    expect(refusal(await change(dee.id, 'reinstate', {}))).toEqual([409, 'nothing_to_reinstate', undefined])
    await change(dee.id, 'terminate', { termination_date: '2026-02-20' })
    await change(dee.id, 'rehire', { start_date: '2026-03-02' })
    expect(refusal(await change(dee.id, 'reinstate', {}))).toEqual([409, 'employee_was_rehired', undefined])
  })

  it('refuses an employer without a subscription', async () => {
    const left = await employerSubscribedSince('2026-02-01')
    const eva = await hireWithDental(left)
    await change(eva.id, 'terminate', { termination_date: '2026-02-20' })
    await endSubscription(left, '2026-03-10')
    expect(refusal(await change(eva.id, 'reinstate', {})).slice(0, 2)).toEqual([
      409,
      'employer_has_no_active_subscription',
    ])
  })

  it('is hidden from other organizations and refused to operators', async () => {
    const fay = await hireWithDental()
    await change(fay.id, 'terminate', { termination_date: '2026-02-20' })
    expect((await change(fay.id, 'reinstate', {}, api.story.rival_api_key)).status).toBe(404)
    expect((await change(fay.id, 'reinstate', {}, api.operator_key)).status).toBe(401)
  })
})

describe('operator_reinstate_employee', () => {
  it('accepts days that are too far back for partners, and stores the reason', async () => {
    const gil = await hireWithDental()
    await operate(gil.id, 'terminate', { termination_date: '2026-01-05', reason: 'Reported late' })
    expect(refusal(await change(gil.id, 'reinstate', {}))).toEqual([400, 'invalid_employee_update', too_far_back])
    const answer = await operate(gil.id, 'reinstate', { reason: 'She still works here' })
    expect(answer.status, answer.text).toBe(200)
    expect(await stateOf(gil.dental)).toEqual(since_january)

    const { data } = (await api.get(`/operator/v1/employees/${gil.id}/corrections`, { key: api.operator_key })).body
    expect(data).toMatchObject([
      { action: 'reinstated', effective_on: '2026-01-05', reason: 'She still works here' },
      { action: 'terminated', effective_on: '2026-01-05', reason: 'Reported late' },
    ])
  })
})

describe('operator_terminate_employee', () => {
  it('warns about coverage that had been in force', async () => {
    const hal = await hireWithDental()
    const long_ago = { termination_date: '2025-12-31' }
    expect(refusal(await change(hal.id, 'terminate', long_ago))).toEqual([400, 'invalid_employee_update', too_far_back])
    const answer = await operate(hal.id, 'terminate', { ...long_ago, reason: 'Never came back' })
    expect(answer.body.warnings).toEqual([
      {
        code: 'rescission',
        message: expect.any(String),
        enrollment_id: hal.dental,
        lost_from: '2026-01-01',
        lost_until: '2026-03-10',
      },
    ])
    expect(refusal(await operate(hal.id, 'terminate', { ...long_ago, reason: 'x' }))[1]).toBe(
      'employee_already_terminated',
    )
    expect(refusal(await operate(hal.id, 'terminate', long_ago))[0]).toBe(400)
  })
})

const endSubscription = (id: string, ended_on: string) =>
  api.post(`/operator/v1/employers/${id}/subscriptions/end`, { ended_on }, { key: api.operator_key })
const resume = (id: string, started_on: string) =>
  api.post(`/operator/v1/employers/${id}/subscriptions`, { started_on }, { key: api.operator_key })

describe('an employer that cancels its subscription', () => {
  it('ends all coverage with that month, and resumes it when the employer returns within 60 days', async () => {
    const id = await employerSubscribedSince('2026-01-02')
    const nia = await hireWithDental(id)
    expect((await endSubscription(id, '2026-02-16')).status).toBe(200)
    await api.work()
    expect(await stateOf(nia.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-02-28' })
    expect((await resume(id, '2026-03-10')).status).toBe(201)
    await api.work()
    expect(await stateOf(nia.dental)).toEqual(since_january)
  })

  it('schedules the end of coverage for the last day of the month of its last day', async () => {
    const id = await employerSubscribedSince('2026-01-02')
    const ola = await hireWithDental(id)
    await endSubscription(id, '2026-04-01')
    await api.work()
    expect(await stateOf(ola.dental)).toMatchObject({ status: 'enrolled', coverage_end: '2026-03-31' })
  })

  it('starts new enrollments when the employer returns after more than 60 days', async () => {
    const id = await employerSubscribedSince('2026-01-02')
    const pat = await hireWithDental(id)
    await endSubscription(id, '2026-01-05')
    await api.work()
    await resume(id, '2026-03-07')
    await api.work()
    expect(await stateOf(pat.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-01-31' })
    const { data } = (await api.get(`/v1/employees/${pat.id}/enrollments`)).body
    expect(data.filter(({ status }) => status === 'pending')).toMatchObject([
      { coverage_start: '2026-03-07' },
      { coverage_start: '2026-03-07' },
    ])
  })
})

describe('a roster that omits a person', () => {
  type Row = Record<string, unknown>
  let phones = 2_125_550_100
  const send = async (at: string, employees: Row[], mode = 'replace') => {
    api.wait(60_000)
    const answer = await api.post(`/v1/employers/${at}/census-sync?mode=${mode}`, { employees })
    expect(answer.status, answer.text).toBe(202)
    await api.work()
    const { census_sync_id } = answer.body.data
    return (await api.get(`/v1/employers/${at}/census-sync/${census_sync_id}`)).body.data
  }
  const people = (count: number, input: Row = {}): Row[] =>
    Array.from({ length: count }, () => aPerson({ start_date: '2025-06-02', phone: String(phones++), ...input }))
  const named = async (at: string, { email }: Row) =>
    first((await api.get(`/v1/employers/${at}/employees?search=${email}`)).body.data)

  it('changes nothing if a later roster includes them again, on the same day or some days later', async () => {
    const at = await aServedEmployer()
    const rows = people(3)
    const left = first(rows)
    await send(at, rows)
    const { id } = await named(at, left)
    await send(at, rows.slice(1))
    expect((await named(at, left)).termination_date).toBe('2026-03-10')
    expect((await send(at, rows)).counts).toMatchObject({ updated: 1, unchanged: 2, rehired: 0, failed: 0 })
    expect(await named(at, left)).toMatchObject({ id, status: 'active', termination_date: null })

    await send(at, rows.slice(1))
    api.moveTo('2026-03-20')
    await api.runDays()
    expect((await named(at, left)).status).toBe('terminated')
    const { start_date: _, ...undated } = left
    expect((await send(at, [undated, ...rows.slice(1)])).counts).toMatchObject({ updated: 1, unchanged: 2 })
    expect(await named(at, left)).toMatchObject({ id, status: 'active', termination_date: null })
    expect(await lastEvents(id, 2)).toEqual(['employee.reinstated', 'employee.eligibility_granted'])
    api.moveTo('2026-03-10')
  })

  it('does not bring back a person whose termination was reported', async () => {
    const at = await aServedEmployer()
    const row = only(people(1))
    await send(at, [row])
    const { id } = await named(at, row)
    await change(id, 'terminate', { termination_date: '2026-03-01' })
    expect(first((await send(at, [row])).failures).reason).toMatch(/^overlaps_former_employment/)
  })

  it('is held when the rosters of one week together omit many people', async () => {
    const at = await aServedEmployer()
    const rows = people(30)
    await send(at, rows)
    expect((await send(at, rows.slice(5))).state).toBe('completed')
    api.moveTo('2026-03-13')
    expect(await send(at, rows.slice(8))).toMatchObject({ state: 'held', missing_count: 3 })
    api.moveTo('2026-03-17')
    expect(await send(at, rows.slice(8))).toMatchObject({ state: 'completed', counts: { terminated: 3 } })
    api.moveTo('2026-03-10')
  })

  it('opens one task for the operator when a termination lies before the correction window', async () => {
    const at = await aServedEmployer()
    const row = only(people(1))
    await send(at, [row])
    const { id } = await named(at, row)
    const tasks = async () =>
      (await api.get(`/operator/v1/tasks?employer_id=${at}`, { key: api.operator_key })).body.data
    const late = { ...row, termination_date: '2026-01-02' }
    const again = async () => expect(first((await send(at, [late], 'merge')).failures).reason).toContain(too_far_back)
    await again()
    await again()
    expect(await tasks()).toMatchObject([
      {
        kind: 'termination_too_old',
        resource_id: id,
        details: { last_day_employed: '2026-01-02' },
        action: { operation: 'operator_terminate_employee', path: `/operator/v1/employees/${id}/terminate` },
      },
    ])
    await operate(id, 'terminate', { termination_date: '2026-01-02', reason: 'As in the roster' })
    expect(await tasks()).toEqual([])
  })

  it('lets a returning person leave on the last day that any caller had reported before', async () => {
    const at = await aServedEmployer()
    const rows = people(3)
    const leaving = { ...rows[0]!, termination_date: '2026-06-30' }
    await send(at, [leaving, ...rows.slice(1)])
    const { id } = await named(at, rows[1]!)
    await change(id, 'terminate', { termination_date: '2026-04-15' })
    await send(at, [rows[2]!])
    api.moveTo('2026-03-11')
    await api.runDays()
    expect((await send(at, [leaving, ...rows.slice(1)])).counts).toMatchObject({ failed: 0 })
    expect(await named(at, leaving)).toMatchObject({ status: 'active', termination_date: '2026-06-30' })
    expect(await named(at, rows[1]!)).toMatchObject({ status: 'active', termination_date: '2026-04-15' })
    api.moveTo('2026-03-10')
  })

  it('may be followed by a roster with an earlier last day, which applies', async () => {
    const at = await aServedEmployer()
    const rows = people(2)
    await send(at, rows)
    await send(at, rows.slice(1))
    api.moveTo('2026-03-11')
    await api.runDays()
    const { failures } = await send(at, [{ ...rows[0]!, termination_date: '2026-02-20' }, ...rows.slice(1)])
    expect(failures).toEqual([])
    expect((await named(at, rows[0]!)).termination_date).toBe('2026-02-20')
    api.moveTo('2026-03-10')
  })

  it("closes the operator's task when a later roster no longer reports the early day", async () => {
    const at = await aServedEmployer()
    const [row] = people(1)
    await send(at, [row!])
    await send(at, [{ ...row, termination_date: '2026-01-02' }], 'merge')
    await send(at, [row!], 'merge')
    const { data } = (await api.get(`/operator/v1/tasks?employer_id=${at}`, { key: api.operator_key })).body
    expect(data).toEqual([])
  })

  it('leaves the reinstatement to the operator when a roster includes them again after more than 60 days', async () => {
    const at = await aServedEmployer()
    const rows = people(2)
    const left = first(rows)
    await send(at, rows)
    const { id } = await named(at, left)
    await send(at, rows.slice(1))
    api.moveTo('2026-05-10')
    await api.runDays()
    expect(first((await send(at, rows)).failures).reason).toContain(too_far_back)
    const { data } = (await api.get(`/operator/v1/tasks?employer_id=${at}`, { key: api.operator_key })).body
    expect(data).toMatchObject([{ kind: 'reinstatement_too_old', resource_id: id }])
    expect((await operate(id, 'reinstate', { reason: 'She never left' })).status).toBe(200)
    expect((await send(at, rows)).counts).toMatchObject({ unchanged: 2 })
    api.moveTo('2026-03-10')
  })
})
