import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** Edge cases: corrections between an election and its coverage, coverage that never begins, ends that move. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** An employer with a policy and the plan year 2026. */
async function employerWith(waiting_period: string, year: Record<string, unknown> = {}): Promise<string> {
  const employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'full_time',
    waiting_period,
  })
  await openPlanYear(api, employer_id, catalog, year)
  await api.work()
  return employer_id
}

const medicalOf = async (employee_id: string) => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  return pick(data, ({ benefit }) => benefit.category === 'Medical')
}

/** An employee with a spouse, and the id of the medical enrollment. */
async function a_person(waiting_period: string, start_date: string, year: Record<string, unknown> = {}) {
  const employer_id = await employerWith(waiting_period, year)
  const { id } = await createEmployee(api, employer_id, { start_date })
  const spouse = { relationship: 'spouse', first_name: 'Rui', last_name: 'Costa', date_of_birth: '1990-01-01' }
  await api.post(`/v1/employees/${id}/dependents`, spouse)
  return { employer_id, id, medical: (await medicalOf(id)).id }
}

const enrollment = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
const elect = (id: string, coverage_tier = 'EE') =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier })
const change = (id: string, input: object) => api.patch(`/v1/employees/${id}`, input)
const terminate = (id: string, termination_date: string) =>
  api.post(`/v1/employees/${id}/terminate`, { termination_date })
const child = (id: string, date_of_birth: string) =>
  api.post(`/v1/employees/${id}/dependents`, {
    relationship: 'child',
    first_name: 'Mia',
    last_name: 'Costa',
    date_of_birth,
  })

async function approve(employee_id: string, type: string, occurred_on: string): Promise<void> {
  const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  await api.post(`/operator/v1/qualifying-life-events/${event.body.data.id}/approve`, undefined, {
    key: api.operator_key,
  })
}

beforeAll(async () => {
  catalog = await importCatalog(api)
})

describe('a hire date that moves after an election', () => {
  it('keeps the election that replaced another one, if it moves to a later day and back', async () => {
    const { id, medical } = await a_person('60_days', '2026-03-01')
    await elect(medical, 'ES')
    await change(id, { effective_date: '2026-03-10', start_date: '2026-03-10' })
    await elect(medical)
    await change(id, { effective_date: '2026-03-10', start_date: '2026-03-01' })
    expect(await enrollment(medical)).toMatchObject({ coverage_start: '2026-04-30', coverage_tier: 'EE' })
  })

  it('keeps the current election until a change takes effect, if it moves to an earlier day', async () => {
    const { id, medical } = await a_person('first_of_following_month', '2026-03-05')
    await elect(medical)
    await change(id, { effective_date: '2026-03-10', start_date: '2026-02-20' })
    const changed = await elect(medical, 'ES')
    expect(changed.body.data).toMatchObject({
      coverage_start: '2026-03-01',
      coverage_tier: 'EE',
      premium_in_cents: 8_900,
    })
    expect(changed.body.data.upcoming_election).toMatchObject({
      effective_on: '2026-04-01',
      coverage_tier: 'ES',
      premium_in_cents: 17_500,
      dependent_ids: [expect.any(String)],
    })
  })
})

describe('coverage never begins', () => {
  it('for an employee who leaves during the waiting period, although the month continues', async () => {
    const { id, medical } = await a_person('30_days', '2026-02-12')
    await elect(medical)
    await terminate(id, '2026-03-09')
    expect(await enrollment(medical)).toMatchObject({
      status: 'inactive',
      coverage_start: '2026-03-14',
      coverage_end: '2026-03-13',
    })
  })

  it('for an employee who will leave before the first day, but does if the end is withdrawn', async () => {
    const { id, medical } = await a_person('30_days', '2026-03-10')
    await elect(medical)
    await terminate(id, '2026-04-08')
    expect(await enrollment(medical)).toMatchObject({
      status: 'enrolled',
      coverage_start: '2026-04-09',
      coverage_end: '2026-04-08',
    })
    await terminate(id, '2026-04-09')
    expect(await enrollment(medical)).toMatchObject({ status: 'enrolled', coverage_end: '2026-04-30' })
  })

  it('for a pending enrollment that ends before it begins', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await change(id, { effective_date: '2026-03-10', employee_class: 'Part Time' })
    expect(await enrollment(medical)).toMatchObject({
      status: 'inactive',
      coverage_start: '2026-03-01',
      coverage_end: '2026-02-28',
    })
  })
})

describe('an end of coverage', () => {
  it('is known if the last day of employment is the last day of the plan year', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    await terminate(id, '2026-12-31')
    expect((await enrollment(medical)).coverage_end).toBe('2026-12-31')
  })

  it('does not prevent an election after a waiver if it was withdrawn', async () => {
    const { id, medical } = await a_person('60_days', '2026-03-09')
    await elect(medical)
    await terminate(id, '2026-04-20')
    await api.post(`/v1/enrollments/${medical}/waive`, {})
    await terminate(id, '2026-12-15')
    expect((await enrollment(medical)).coverage_end).toBeNull()
    expect((await elect(medical)).status).toBe(200)
  })

  it('separates coverage from that of a rehire in the same month', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    await terminate(id, '2026-03-09')
    const rehired = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-10' })
    expect((await enrollment(medical)).coverage_end).toBe('2026-03-31')
    expect((await medicalOf(rehired.body.data.id)).coverage_start).toBe('2026-04-01')
  })

  it('is published when the operator sets it, and again when it takes effect', async () => {
    const { medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    const path = `/operator/v1/enrollments/${medical}/corrections` as const
    await api.post(path, { reason: 'R', coverage_end: '2026-03-15' }, { key: api.operator_key })
    expect(await enrollment(medical)).toMatchObject({ status: 'enrolled', terminated_at: null })
    await onDay('2026-03-16')
    expect(await enrollment(medical)).toMatchObject({ status: 'inactive', terminated_at: '2026-03-16T16:00:00.000Z' })
    expect((await api.events(medical)).slice(4)).toEqual([
      'enrollment.termination_rescheduled',
      'enrollment.terminated',
    ])
    api.moveTo('2026-03-10')
  })
})

describe('a day that the operator set', () => {
  it('is calculated by the rules again after a correction to null', async () => {
    const { medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    const correct = (input: object) =>
      api.post(`/operator/v1/enrollments/${medical}/corrections`, { reason: 'R', ...input }, { key: api.operator_key })
    expect((await correct({ coverage_start: '2026-05-01' })).body.data.coverage_start).toBe('2026-05-01')
    expect((await correct({ coverage_start: null })).body.data.coverage_start).toBe('2026-03-01')
  })
})

describe('an employee who moves into a state where the plan year is offered', () => {
  it('is not granted days before the move', async () => {
    const employer_id = await employerWith('none', { offered_states: ['NY'] })
    const living = (state: string) => ({ address_line_1: '1 Main St', city: 'X', state, zipcode: '12207' })
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05', address: living('TX') })
    expect((await api.get(`/v1/employees/${id}/enrollments`)).body.data).toEqual([])
    await change(id, { effective_date: '2026-03-10', address: living('NY') })
    expect((await medicalOf(id)).coverage_start).toBe('2026-03-10')
    await change(id, { effective_date: '2026-03-10', gender: 'Female' })
    expect((await medicalOf(id)).coverage_start).toBe('2026-03-10')
  })
})

describe('a birth', () => {
  it('applies from its day in the window of the grant too, whatever other events were approved', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    await child(id, '2026-03-05')
    await approve(id, 'birth', '2026-03-05')
    await approve(id, 'gain_of_coverage', '2026-03-06')
    expect((await elect(medical, 'EC')).body.data.coverage_tier).toBe('EC')
    const rows = await api.database.reads.rows(
      'select effective_on from elections where enrollment_id = $1 order by 1',
      [medical],
    )
    expect(rows).toEqual([{ effective_on: '-infinity' }, { effective_on: '2026-03-05' }])
  })

  it('covers nothing before it', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await child(id, '2026-03-05')
    expect((await elect(medical, 'EC')).error.code).toBe('dependents_do_not_fit_tier')
  })
})

describe('an election', () => {
  it('is refused if it could only begin after the plan year', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await api.post(`/v1/enrollments/${medical}/waive`, {})
    api.moveTo('2026-12-10')
    await approve(id, 'loss_of_coverage', '2026-12-01')
    expect((await elect(medical)).error.code).toBe('coverage_ends_first')
    api.moveTo('2026-03-10')
  })

  it('shows the election in force at the end, not an upcoming one', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    await elect(medical)
    await elect(medical, 'ES')
    await terminate(id, '2026-03-09')
    await onDay('2026-04-02')
    expect(await enrollment(medical)).toMatchObject({
      status: 'inactive',
      coverage_tier: 'EE',
      upcoming_election: null,
    })
    api.moveTo('2026-03-10')
  })

  it('keeps the relationship of a covered dependent', async () => {
    const { id, medical } = await a_person('none', '2026-03-01')
    const spouse = only((await api.get(`/v1/employees/${id}/dependents`)).body.data)
    await elect(medical, 'ES')
    const answer = await api.patch(`/v1/dependents/${spouse.id}`, {
      relationship: 'child',
      date_of_birth: '2015-01-01',
    })
    expect(answer.error.code).toBe('dependent_is_covered')
  })
})

describe('a later policy', () => {
  it('grants nothing before its creation, with a warning', async () => {
    const { employer_id, id } = await a_person('60_days', '2026-02-20')
    await onDay('2026-03-21')
    await addPolicy(api, employer_id, { classification: 'full_time', waiting_period: 'first_of_following_month' })
    await api.work()
    expect((await api.get(`/v1/employees/${id}/eligibility`)).body.data.benefits[0]).toMatchObject({
      raw_day: '2026-03-01',
      floor: '2026-04-01',
      coverage_start: '2026-04-01',
      warnings: [{ code: 'policy_came_later' }],
    })
    api.moveTo('2026-03-10')
  })
})
