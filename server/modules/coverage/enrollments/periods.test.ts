import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { monthsAfter } from '../../../kernel/days.ts'
import { only } from '../../../test/pick.ts'

/** Each period of eligibility has its own grant, and a pending enrollment that returns or moves has 30 days. */
const api = useApi()
let employer_id: string
let catalog: Awaited<ReturnType<typeof importCatalog>>

/** Moves the clock and runs that day. The days before it change nothing in these stories, so they count as run. */
async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.database.reads.rows('update organizations set daily_run_on = $1::date - 1', [day])
  await api.runDays()
  await api.work()
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  const benefits = [{ benefit_id: catalog.dental.benefit_id }]
  await openPlanYear(api, employer_id, catalog, { coverage_start: '2027-01-01', coverage_end: '2027-12-31', benefits })
  await api.work()
})
beforeEach(() => onDay('2027-01-04'))

type Answered = 'pending' | 'enrolled' | 'waived'

const elect = (id: string) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
const waive = (id: string) => api.post(`/v1/enrollments/${id}/waive`, {})

/** Hires a full-time employee on 2027-01-04 and elects, waives or does not answer. */
async function hired(answered: Answered) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2027-01-04', employee_class: 'Full Time' })
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const enrollment_id = only(data).id
  if (answered === 'enrolled') expect((await elect(enrollment_id)).status).toBe(200)
  if (answered === 'waived') expect((await waive(enrollment_id)).status).toBe(200)
  return { id, enrollment_id }
}

const change = async (id: string, input: object) => {
  const answer = await api.patch(`/v1/employees/${id}`, input)
  expect(answer.status, answer.text).toBe(200)
}
const act = async (id: string, action: 'terminate' | 'reinstate', body: object) => {
  const answer = await api.post(`/v1/employees/${id}/${action}`, body)
  expect(answer.status, answer.text).toBe(200)
}
const shown = async (enrollment_id: string) => {
  const { status, coverage_start, coverage_end, window } = (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
  return { status, coverage_start, coverage_end, window }
}
/** Returns the new enrollment of a later grant. */
const renewed = async (id: string, former_id: string) => {
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  return only(data.filter((one) => one.id !== former_id)).id
}
const deductions = async (id: string) => (await api.get(`/v1/employees/${id}`)).body.data.deductions
const answers: Answered[] = ['pending', 'enrolled', 'waived']

describe('an employee whose class is corrected from the first day on', () => {
  /** A correction reported on March 1 changes the class to part time from 2027-01-04, and to full time from July. */
  async function corrected(answered: Answered) {
    const person = await hired(answered)
    await onDay('2027-03-01')
    await change(person.id, { effective_date: '2027-01-04', employee_class: 'Part Time' })
    await onDay('2027-07-01')
    await change(person.id, { effective_date: '2027-07-01', employee_class: 'Full Time' })
    return person
  }

  it.each(answers)('is granted the benefit again with the next period, if %s before', async (answered) => {
    const { id, enrollment_id } = await corrected(answered)
    expect(await shown(enrollment_id)).toEqual({
      status: 'inactive',
      coverage_start: '2027-01-04',
      coverage_end: '2027-01-03',
      window: null,
    })
    const granted = await renewed(id, enrollment_id)
    expect(await shown(granted)).toEqual({
      status: 'pending',
      coverage_start: '2027-07-01',
      coverage_end: null,
      window: { start: '2027-07-01', end: '2027-07-31' },
    })
    expect(await deductions(id)).toEqual([])
    expect(codeOf(await elect(enrollment_id))).toEqual([409, 'enrollment_is_inactive'])
    expect((await elect(granted)).body.data).toMatchObject({ status: 'enrolled', coverage_start: '2027-07-01' })
  })

  it.each(answers)('gets the first enrollment (%s) back if the correction was a mistake', async (answered) => {
    const { id, enrollment_id } = await corrected(answered)
    const granted = await renewed(id, enrollment_id)
    if (answered !== 'enrolled') expect((await elect(granted)).status).toBe(200)
    await change(id, { effective_date: '2027-01-04', employee_class: 'Full Time' })
    const [continued, duplicate] = answered === 'enrolled' ? [enrollment_id, granted] : [granted, enrollment_id]
    expect(await shown(continued)).toMatchObject({
      status: 'enrolled',
      coverage_start: '2027-01-04',
      coverage_end: null,
    })
    expect(await shown(duplicate)).toMatchObject({ status: 'inactive' })
  })

  it('keeps the election if the class of an earlier day was a mistake', async () => {
    const { id, enrollment_id } = await hired('enrolled')
    await onDay('2027-01-20')
    await change(id, { effective_date: '2027-01-10', start_date: '2026-12-14' })
    await change(id, { effective_date: '2026-12-14', employee_class: 'Part Time' })
    await change(id, { effective_date: '2027-01-04', employee_class: 'Full Time' })
    expect(await shown(enrollment_id)).toMatchObject({ status: 'enrolled', coverage_start: '2027-01-04' })
  })
})

describe('an employee whose first day moves from January 4 to February 25, which is reported on March 1', () => {
  async function moved(answered: Answered) {
    const person = await hired(answered)
    await onDay('2027-03-01')
    await change(person.id, { effective_date: '2027-03-01', start_date: '2027-02-25' })
    return person
  }

  it('has 30 days to elect from that day', async () => {
    const { enrollment_id } = await moved('pending')
    expect(await shown(enrollment_id)).toEqual({
      status: 'pending',
      coverage_start: '2027-02-25',
      coverage_end: null,
      window: { start: '2027-01-04', end: '2027-03-31' },
    })
    expect((await api.events(enrollment_id)).slice(2)).toEqual(['enrollment.started'])
    await onDay('2027-03-31')
    expect((await elect(enrollment_id)).body.data).toMatchObject({ status: 'enrolled', coverage_start: '2027-02-25' })
  })

  it('keeps an election, and is covered from the new day', async () => {
    const { enrollment_id } = await moved('enrolled')
    expect(await shown(enrollment_id)).toMatchObject({ status: 'enrolled', coverage_start: '2027-02-25', window: null })
  })

  it('keeps a waiver', async () => {
    const { enrollment_id } = await moved('waived')
    expect(await shown(enrollment_id)).toMatchObject({ status: 'waived', coverage_start: '2027-02-25', window: null })
  })

  it('is granted the benefit again if the period of the election ended before that day', async () => {
    const { id, enrollment_id } = await hired('enrolled')
    await onDay('2027-02-10')
    await change(id, { effective_date: '2027-01-18', employee_class: 'Part Time' })
    await onDay('2027-02-24')
    await change(id, { effective_date: '2027-02-24', employee_class: 'Full Time' })
    await change(id, { effective_date: '2027-02-24', start_date: '2027-02-15' })
    expect(await shown(enrollment_id)).toMatchObject({ status: 'inactive', coverage_end: '2027-01-03' })
    expect(await shown(await renewed(id, enrollment_id))).toMatchObject({
      status: 'pending',
      window: { start: '2027-02-24', end: '2027-03-26' },
    })
  })
})

describe('a pending enrollment that is active again', () => {
  const back = { status: 'pending', window: { start: '2027-01-04', end: '2027-03-31' } }

  it('has 30 days after a reinstatement', async () => {
    const { id, enrollment_id } = await hired('pending')
    await onDay('2027-01-20')
    await act(id, 'terminate', { termination_date: '2027-01-19' })
    expect(await shown(enrollment_id)).toMatchObject({ status: 'inactive', window: null })
    await onDay('2027-03-01')
    await act(id, 'reinstate', {})
    expect(await shown(enrollment_id)).toMatchObject(back)
    expect((await api.events(enrollment_id)).slice(-2)).toEqual(['enrollment.reinstated', 'enrollment.started'])
    expect((await elect(enrollment_id)).status).toBe(200)
  })

  it('has 30 days after a withdrawn loss of its class', async () => {
    const { id, enrollment_id } = await hired('pending')
    await onDay('2027-01-20')
    await change(id, { effective_date: '2027-01-11', employee_class: 'Part Time' })
    await onDay('2027-03-01')
    await change(id, { effective_date: '2027-01-11', employee_class: 'Full Time' })
    expect(await shown(enrollment_id)).toMatchObject(back)
  })

  it('has its 30 days from the day of the reinstatement, even while its window is open', async () => {
    const { id, enrollment_id } = await hired('pending')
    await act(id, 'terminate', { termination_date: '2027-01-04' })
    await onDay('2027-01-05')
    await act(id, 'reinstate', {})
    expect(await shown(enrollment_id)).toMatchObject({ window: { start: '2027-01-04', end: '2027-02-04' } })
  })

  it('has no other window after the withdrawal of a loss in the future', async () => {
    const { id, enrollment_id } = await hired('pending')
    await act(id, 'terminate', { termination_date: '2027-03-31' })
    await onDay('2027-02-10')
    await act(id, 'reinstate', {})
    expect(await shown(enrollment_id)).toMatchObject({ status: 'pending', window: null })
  })

  it('opens no window for elected or waived enrollments', async () => {
    for (const answered of ['enrolled', 'waived'] as const) {
      const { id, enrollment_id } = await hired(answered)
      await onDay('2027-01-20')
      await act(id, 'terminate', { termination_date: '2027-01-19' })
      await onDay('2027-03-01')
      await act(id, 'reinstate', {})
      expect(await shown(enrollment_id)).toMatchObject({ status: answered, window: null })
      await onDay('2027-01-04')
    }
  })
})

describe('a start date that is corrected long after a plan year ended', () => {
  const start_date = '2026-12-07'
  const billed = (enrollment_id: string) =>
    api.database.reads.rows('select month from invoice_lines where enrollment_id = $1 order by month', [enrollment_id])
  /** Runs the first day of each month, on which invoices are drafted. */
  async function inMay() {
    for (let months = 1; months <= 16; months++) await onDay(monthsAfter('2027-01-01', months))
    await onDay('2028-05-02')
  }

  it('moves the coverage of that year, and amounts only within the correction window', async () => {
    const { id, enrollment_id } = await hired('enrolled')
    await inMay()
    const before = await billed(enrollment_id)
    expect(before).not.toEqual([])
    await change(id, { effective_date: '2028-05-02', start_date })
    expect(await shown(enrollment_id)).toMatchObject({ status: 'inactive', coverage_start: '2027-01-01' })
    await onDay('2028-06-01')
    expect(await billed(enrollment_id)).toEqual(before)
  })

  it('moves the coverage after a census too', async () => {
    const { id, enrollment_id } = await hired('enrolled')
    await inMay()
    const { first_name, last_name, email, phone, date_of_birth } = (await api.get(`/v1/employees/${id}`)).body.data
    const row = { first_name, last_name, email, phone, date_of_birth, start_date }
    const { body } = await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [row] })
    await api.work()
    const outcome = await api.get(`/v1/employers/${employer_id}/census-sync/${body.data.census_sync_id}`)
    expect(outcome.body.data).toMatchObject({ state: 'completed', counts: { updated: 1, failed: 0 } })
    expect(await shown(enrollment_id)).toMatchObject({ coverage_start: '2027-01-01' })
  })
})
