import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import type { ApiResponse } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

const api = useApi()
let employer_id: string
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  const policy = { classification: 'full_time', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

async function electDental(employee_id: string): Promise<string> {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const dental = pick(data, ({ benefit }) => benefit.category === 'Dental').id
  const body = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const answer = await api.post(`/v1/enrollments/${dental}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
  return dental
}

/** Hires an employee with dental coverage since January. */
async function hireWithDental(input: Record<string, unknown> = {}) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2025-06-02', ...input })
  return { id, dental: await electDental(id) }
}

const stateOf = async (enrollment_id: string) => {
  const { status, coverage_start, coverage_end } = (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
  return { status, coverage_start, coverage_end }
}
const since_january = { status: 'enrolled', coverage_start: '2026-01-01', coverage_end: null }
const terminate = (employee_id: string, body: object) => api.post(`/v1/employees/${employee_id}/terminate`, body)
const correct = (employee_id: string, body: object) =>
  api.post(`/operator/v1/employees/${employee_id}/corrections`, body, { key: api.operator_key })
const correctionsOf = async (employee_id: string) =>
  (await api.get(`/operator/v1/employees/${employee_id}/corrections`, { key: api.operator_key })).body.data
const refusal = ({ status, error }: ApiResponse) => [status, error.code, error.details[0]?.message]
const lastEvents = async (id: string, count: number) => (await api.events(id)).slice(-count)
const rescinding = 'more_than_60_days_back: removes coverage of more than 60 days ago; the operator may set it'

/** Processes a census of one row, and returns its outcome. */
async function send(row: object) {
  const { body } = await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [row] })
  await api.work()
  return (await api.get(`/v1/employers/${employer_id}/census-sync/${body.data.census_sync_id}`)).body.data
}

describe('a class change that ends coverage', () => {
  const to = (employee_class: string, effective_date: string) => ({ employee_class, effective_date })
  const patch = (employee_id: string, body: object) => api.patch(`/v1/employees/${employee_id}`, body)

  it('restores the coverage if it is corrected immediately', async () => {
    const ida = await hireWithDental()
    await patch(ida.id, to('Part Time', '2026-02-10'))
    expect(await stateOf(ida.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-02-28' })
    await patch(ida.id, to('Full Time', '2026-02-10'))
    expect(await stateOf(ida.dental)).toEqual(since_january)
    expect(await lastEvents(ida.dental, 2)).toEqual(['enrollment.terminated', 'enrollment.reinstated'])
  })

  it('restores the first of two enrollments when a later report closes the gap between them', async () => {
    const jon = await hireWithDental()
    await patch(jon.id, to('Part Time', '2026-02-10'))
    await patch(jon.id, to('Full Time', '2026-03-05'))
    const before = (await api.get(`/v1/employees/${jon.id}/enrollments`)).body.data
    expect(before).toHaveLength(4)
    await patch(jon.id, to('Full Time', '2026-02-10'))
    expect(await stateOf(jon.dental)).toEqual(since_january)
    const { data } = (await api.get(`/v1/employees/${jon.id}/enrollments`)).body
    expect(data.filter(({ status }) => status !== 'inactive')).toHaveLength(2)
  })

  it('is accepted for any past day if no coverage of more than 60 days ago is lost', async () => {
    const kim = await hireWithDental()
    // Coverage continues until January 31, and January 9 is 60 days ago.
    expect((await patch(kim.id, to('Part Time', '2026-01-02'))).status).toBe(200)
    expect(await stateOf(kim.dental)).toMatchObject({ status: 'inactive', coverage_end: '2026-01-31' })
    const lee = await createEmployee(api, employer_id, { start_date: '2025-06-02', employee_class: 'Part Time' })
    expect((await patch(lee.id, to('Seasonal', '2025-07-01'))).status).toBe(200)
    const liv = await hireWithDental()
    await patch(liv.id, to('Part Time', '2026-02-10'))
    expect((await patch(liv.id, to('Intern', '2026-02-15'))).status).toBe(200)
  })

  it('is refused to partners if coverage of more than 60 days ago is lost', async () => {
    const ned = await hireWithDental()
    await terminate(ned.id, { termination_date: '2026-02-20' })
    expect(refusal(await patch(ned.id, to('Part Time', '2025-06-02')))).toEqual([
      400,
      'invalid_employee_update',
      rescinding,
    ])
    expect((await stateOf(ned.dental)).coverage_end).toBe('2026-02-28')
  })

  it('may be made by the operator, with a warning about the rescission', async () => {
    const mia = await hireWithDental()
    const body = { ...to('Part Time', '2025-12-02'), reason: 'Hours were cut' }
    const dry_run = await correct(mia.id, { ...body, dry_run: true })
    const lost = [{ enrollment_id: mia.dental, lost_from: '2026-01-01', lost_until: '2026-03-10' }]
    expect(dry_run.body.warnings).toMatchObject(lost)
    expect(await stateOf(mia.dental)).toEqual(since_january)
    expect((await correct(mia.id, body)).body.warnings).toMatchObject(lost)
    expect((await correct(mia.id, body)).body.warnings).toEqual([])
    const ahead = await correct(mia.id, { ...body, effective_date: '2026-03-11' })
    expect(refusal(ahead)[1]).toBe('invalid_employee_update')
    expect(await correctionsOf(mia.id)).toMatchObject([
      { action: 'corrected', effective_on: '2025-12-02', reason: 'Hours were cut' },
    ])
  })
})

describe('a later first day', () => {
  const move = (id: string, start_date: string) =>
    api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', start_date })

  it('is refused only to partners if coverage of more than 60 days ago is lost', async () => {
    const oda = await hireWithDental()
    expect(refusal(await move(oda.id, '2026-01-20'))).toEqual([400, 'invalid_employee_update', rescinding])
    expect(await stateOf(oda.dental)).toEqual(since_january)
    expect((await api.get(`/v1/employees/${oda.id}`)).body.data.start_date).toBe('2025-06-02')
    expect(await lastEvents(oda.id, 1)).not.toEqual(['employee.updated'])

    const input = { start_date: '2026-01-20', reason: 'The contract was found' }
    const answer = await correct(oda.id, input)
    expect(answer.body.data.start_date).toBe('2026-01-20')
    expect(answer.body.warnings).toMatchObject([{ enrollment_id: oda.dental, lost_from: '2026-01-01' }])
    expect(await correctionsOf(oda.id)).toMatchObject([{ action: 'corrected', effective_on: '2026-01-20' }])
  })

  it('is accepted if coverage is unchanged or began less than 60 days ago', async () => {
    const pia = await hireWithDental()
    expect((await move(pia.id, '2025-11-03')).status).toBe(200)
    expect(await stateOf(pia.dental)).toMatchObject({ status: 'enrolled', coverage_start: '2026-01-01' })
    const quin = await hireWithDental({ start_date: '2026-02-16' })
    expect((await move(quin.id, '2026-03-02')).status).toBe(200)
  })

  it('opens one task for the operator in a census, however often the row is repeated', async () => {
    const row = aPerson({ start_date: '2025-06-02' })
    const { id, dental } = await hireWithDental(row)
    const tasks = async () =>
      (await api.get(`/operator/v1/tasks?employer_id=${employer_id}`, { key: api.operator_key })).body.data
    const later = { ...row, start_date: '2026-01-20' }
    const dry_run = await api.post(`/v1/employers/${employer_id}/census-sync?dry_run=true`, { employees: [later] })
    expect(first(dry_run.body.data.failures).reason).toContain(rescinding)
    for (const day of ['2026-03-11', '2026-03-12']) {
      api.moveTo(day)
      expect(first((await send(later)).failures)).toMatchObject({
        field: 'start_date',
        reason: `invalid_employee_update: ${rescinding}`,
      })
      expect(await tasks()).toMatchObject([
        {
          kind: 'start_too_old',
          resource_id: id,
          details: { start_date: '2026-01-20' },
          action: { operation: 'operator_correct_employee', path: `/operator/v1/employees/${id}/corrections` },
          opened_at: expect.stringContaining('2026-03-11'),
        },
      ])
    }
    expect(await stateOf(dental)).toEqual(since_january)
    await correct(id, { start_date: '2026-01-20', reason: 'As in the roster' })
    expect(await tasks()).toEqual([])
    expect((await send(later)).counts).toMatchObject({ unchanged: 1, failed: 0 })
    api.moveTo('2026-03-10')
  })
})
