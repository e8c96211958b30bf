import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick, first } from '../../../test/pick.ts'

/**
 * One employee from the first hire to the second: waiting, eligible, enrolled with a spouse and a child, part time,
 * full time again, terminated ahead of time, rehired. Each step continues where the previous one ended.
 */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let ines: string
let medical: string
let dental: string

/** The events of some resources in their order, except those of paydays, which the story of deductions tests. */
async function published(...ids: string[]): Promise<string[]> {
  const rows = await api.database.reads.rows<{ event_name: string }>(
    `select event_name from webhook_events
      where resource_id = any($1) and event_name <> 'employee.deduction_created' order by created_at, id`,
    [ids],
  )
  return rows.map((row) => row.event_name)
}

/** The number of events that were already checked. */
const seen = new Map<string, number>()
async function news(...ids: string[]): Promise<string[]> {
  const all = await published(...ids)
  const key = ids.join()
  const fresh = all.slice(seen.get(key) ?? 0)
  seen.set(key, all.length)
  return fresh
}

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const enrollment = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
const explained = async (query = '') => (await api.get(`/v1/employees/${ines}/eligibility${query}`)).body.data
const listed = async () => (await api.get(`/v1/employees/${ines}/enrollments`)).body.data
const states = async () =>
  (await listed()).map((one) => [one.benefit.name, one.status, one.coverage_start, one.coverage_end])
const rates = async () => {
  const { data } = (await api.get(`/v1/employers/${employer_id}/benefit-plan-years`)).body
  return data.map((row) => [row.year, row.enrollment_rate.eligible, row.enrollment_rate.enrolled])
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time', waiting_period: 'first_of_following_month' })
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

describe('an employee', () => {
  it('is granted the offered benefits on the day of the hire, and waits', async () => {
    const employee = await createEmployee(api, employer_id, { start_date: '2026-03-09', employee_class: 'Full Time' })
    ines = employee.id
    expect(employee.enrollments.map(({ status }) => status)).toEqual(['pending', 'pending'])
    const rows = await listed()
    medical = pick(rows, (row) => row.benefit.category === 'Medical').id
    dental = pick(rows, (row) => row.benefit.category === 'Dental').id

    expect(await news(ines)).toEqual(['employee.created'])
    expect(await news(medical)).toEqual(['enrollment.granted', 'enrollment.started'])
    expect(await enrollment(medical)).toMatchObject({
      employee_id: ines,
      employer_id,
      status: 'pending',
      coverage_start: '2026-04-01',
      coverage_end: null,
      employee_deduction_in_cents: 0,
      employer_contribution_in_cents: 0,
      answered_at: null,
      terminated_at: null,
      window: { start: '2026-03-10', end: '2026-04-09' },
    })
    expect(await explained()).toMatchObject({
      status: 'waiting',
      anchor: '2026-03-09',
      eligible_on: '2026-04-01',
      employee_class: 'Full Time',
    })
    expect(await explained('?as_of=2026-04-01')).toMatchObject({ status: 'eligible' })
    expect(await explained('?as_of=2026-03-08')).toMatchObject({ status: 'not_eligible', benefits: [] })
    expect((await explained()).benefits[0]).toMatchObject({
      rule: 'first_of_following_month',
      anchor: '2026-03-09',
      raw_day: '2026-04-01',
      floor: '2026-01-01',
      cap: '2026-06-07',
      coverage_start: '2026-04-01',
      warnings: [],
    })
    expect(await rates()).toEqual([[2026, 1, 0]])
  })

  it('is eligible on the day on which the waiting period ends, not before', async () => {
    await onDay('2026-03-31')
    expect(await news(ines)).toEqual([])
    await onDay('2026-04-01')
    expect(await news(ines)).toEqual(['employee.eligibility_granted'])
    await api.runDays()
    expect(await news(ines)).toEqual([])
  })

  it('elects with a spouse and a child, at a price that is rounded once', async () => {
    api.moveTo('2026-04-02')
    const dependents = `/v1/employees/${ines}/dependents` as const
    const spouse = await api.post(dependents, {
      relationship: 'spouse',
      first_name: 'Rui',
      last_name: 'Costa',
      date_of_birth: '1991-02-03',
    })
    const child = await api.post(dependents, {
      relationship: 'child',
      first_name: 'Mia',
      last_name: 'Costa',
      date_of_birth: '2020-09-09',
    })
    const answer = await api.post(`/v1/enrollments/${medical}/elect`, {
      plan_id: catalog.mec.plan_id,
      coverage_tier: 'EF',
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({
      status: 'enrolled',
      coverage_start: '2026-04-01',
      coverage_tier: 'EF',
      plan: { id: catalog.mec.plan_id },
      premium_in_cents: 24_900,
      employer_contribution_in_cents: 12_450,
      employee_deduction_in_cents: 12_450,
      answered_at: '2026-04-02T16:00:00.000Z',
      dependent_ids: [spouse.body.data.id, child.body.data.id],
    })
    expect(await news(medical)).toEqual(['enrollment.elected', 'enrollment.accepted'])

    expect((await api.post(`/v1/enrollments/${dental}/waive`, { reason: 'Has none' })).body.data.status).toBe('waived')
    expect(await news(dental)).toEqual(['enrollment.granted', 'enrollment.started', 'enrollment.waived'])
    expect(await rates()).toEqual([[2026, 1, 1]])
  })

  it('loses eligibility with the class, and coverage at the end of that month', async () => {
    await onDay('2026-09-15')
    const { body } = await api.patch(`/v1/employees/${ines}`, {
      effective_date: '2026-09-15',
      employee_class: 'Part Time',
    })
    expect(body.data.enrollments).toEqual(
      expect.arrayContaining([
        { id: medical, status: 'enrolled', answered_at: '2026-04-02T16:00:00.000Z' },
        { id: dental, status: 'inactive', answered_at: '2026-04-02T16:00:00.000Z' },
      ]),
    )
    expect(await news(ines)).toEqual(['employee.updated', 'employee.eligibility_terminated'])
    expect(await news(medical)).toEqual(['enrollment.terminated'])
    expect(await enrollment(medical)).toMatchObject({
      status: 'enrolled',
      coverage_end: '2026-09-30',
      terminated_at: '2026-09-15T16:00:00.000Z',
    })
    expect(await explained()).toMatchObject({
      status: 'not_eligible',
      eligibility_lost_on: '2026-09-15',
      covered_until: '2026-09-30',
    })
    await onDay('2026-09-30')
    expect(await states()).toContainEqual(['Essential Care', 'enrolled', '2026-04-01', '2026-09-30'])
    expect(await rates()).toEqual([[2026, 1, 1]])
    await onDay('2026-10-01')
    expect(await states()).toContainEqual(['Essential Care', 'inactive', '2026-04-01', '2026-09-30'])
    expect(await rates()).toEqual([[2026, 0, 0]])
    expect(await news(medical)).toEqual([])
  })

  it('is granted again when the class is eligible again, and inactive enrollments stay inactive', async () => {
    await onDay('2026-11-02')
    await api.patch(`/v1/employees/${ines}`, { effective_date: '2026-11-02', employee_class: 'Full Time' })
    expect(await states()).toEqual(
      expect.arrayContaining([
        ['Essential Care', 'pending', '2026-12-01', null],
        ['Dental', 'pending', '2026-12-01', null],
        ['Essential Care', 'inactive', '2026-04-01', '2026-09-30'],
        ['Dental', 'inactive', '2026-04-01', '2026-03-31'],
      ]),
    )
    const rows = await listed()
    medical = pick(rows, (row) => row.benefit.category === 'Medical' && row.status === 'pending').id
    dental = pick(rows, (row) => row.benefit.category === 'Dental' && row.status === 'pending').id
    await api.post(`/v1/enrollments/${medical}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })
    await news(ines)
    await news(ines, medical, dental)
  })

  it('keeps coverage until the end of the month of a future termination', async () => {
    api.moveTo('2026-11-10')
    await api.post(`/v1/employees/${ines}/terminate`, { termination_date: '2026-12-15' })
    expect(await enrollment(medical)).toMatchObject({
      status: 'enrolled',
      coverage_end: '2026-12-31',
      terminated_at: null,
    })
    expect(await enrollment(dental)).toMatchObject({ status: 'pending', coverage_end: null })
    expect(await news(ines, medical, dental)).toEqual(['employee.updated', 'enrollment.termination_rescheduled'])

    await api.post(`/v1/employees/${ines}/terminate`, { termination_date: '2026-11-25' })
    expect(await enrollment(medical)).toMatchObject({ coverage_start: '2026-12-01', coverage_end: '2026-11-30' })
    await api.post(`/v1/employees/${ines}/terminate`, { termination_date: '2026-12-15' })
    expect(await enrollment(medical)).toMatchObject({ status: 'enrolled', coverage_end: '2026-12-31' })
    await news(ines, medical, dental)

    await onDay('2026-12-01')
    expect(await news(ines, medical, dental)).toEqual(['employee.eligibility_granted'])
    await onDay('2026-12-15')
    expect(await news(ines, medical, dental)).toEqual([])
  })

  it('publishes the loss of eligibility first, then the ends of enrollments, then that of the employment', async () => {
    await onDay('2026-12-16')
    expect(await news(ines, medical, dental)).toEqual([
      'employee.eligibility_terminated',
      'enrollment.terminated',
      'enrollment.terminated',
      'employee.deactivated',
    ])
    expect((await enrollment(dental)).status).toBe('inactive')
    expect(await enrollment(medical)).toMatchObject({ status: 'enrolled', coverage_end: '2026-12-31' })
    await onDay('2027-01-01')
    expect((await enrollment(medical)).status).toBe('inactive')
    expect(await news(ines, medical, dental)).toEqual([])
  })

  it('starts over after a rehire', async () => {
    const year = await api.get(`/operator/v1/employers/${employer_id}/benefit-plan-years`, { key: api.operator_key })
    const copy = await api.post(
      `/operator/v1/benefit-plan-years/${first(year.body.data).benefit_plan_year_id}/copy`,
      {},
      { key: api.operator_key },
    )
    expect(copy.status, copy.text).toBe(201)
    await api.work()
    api.moveTo('2027-01-04')
    const rehired = await api.post(`/v1/employees/${ines}/rehire`, { start_date: '2027-01-04' })
    expect(rehired.status, rehired.text).toBe(201)
    const former = ines
    ines = rehired.body.data.id
    expect(await states()).toEqual(
      expect.arrayContaining([
        ['Essential Care', 'pending', '2027-02-01', null],
        ['Dental', 'pending', '2027-02-01', null],
      ]),
    )
    expect(await published(ines)).toEqual(['employee.rehired'])
    expect(former).not.toBe(ines)
    await onDay('2027-02-01')
    expect(await published(ines)).toEqual(['employee.rehired', 'employee.eligibility_granted'])
    expect(await rates()).toEqual([
      [2027, 1, 0],
      [2026, 1, 1],
    ])
  })
})
