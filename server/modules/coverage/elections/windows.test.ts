import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'

/** The windows in which employees can elect, and the first day of their elections. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
const operator = () => ({ key: api.operator_key })

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

type Enrolled = {
  id: string
  benefit: { category: string }
  benefit_plan_year_id: string
  coverage_start: string
  coverage_end: string | null
  window: { start: string; end: string } | null
}

async function employerWith(waiting_period: string, year: Record<string, unknown> = {}) {
  const employer_id = await createEmployer(api)
  const policy = { classification: 'full_time', waiting_period }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, year)
  await api.work()
  return { employer_id, plan_year_id }
}

const enrollmentsOf = async (employee_id: string): Promise<Enrolled[]> =>
  (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
const medicalOf = async (employee_id: string) =>
  (await enrollmentsOf(employee_id)).find(({ benefit }) => benefit.category === 'Medical')!
const enrollment = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
const elect = (id: string, coverage_tier = 'EE', input: object = {}) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier, ...input })
const waive = (id: string) => api.post(`/v1/enrollments/${id}/waive`, {})
const terminate = (id: string, termination_date: string) =>
  api.post(`/v1/employees/${id}/terminate`, { termination_date })

let born = 0
const dependent = async (employee_id: string, relationship: string, date_of_birth: string): Promise<string> => {
  const first_name = `Mia ${'abcdefghijklmnopqrstuvwxyz'[born++]}`
  const person = { relationship, first_name, last_name: 'Costa', date_of_birth }
  return (await api.post(`/v1/employees/${employee_id}/dependents`, person)).body.data.id
}

async function approve(employee_id: string, type: string, occurred_on: string, exception?: string): Promise<void> {
  const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  await api.post(`/operator/v1/qualifying-life-events/${event.body.data.id}/approve`, { exception }, operator())
}

beforeAll(async () => {
  catalog = await importCatalog(api)
})
beforeEach(() => api.moveTo('2026-03-10'))

describe('a benefit that begins in mid-year', () => {
  it('covers no days before its start, regardless of the hire date, and a renewal has no warnings', async () => {
    const { employer_id, plan_year_id } = await employerWith('first_of_following_month', {
      coverage_start: '2027-01-01',
      benefits: [
        { benefit_id: catalog.mec.benefit_id, starts_on: '2027-07-01' },
        { benefit_id: catalog.dental.benefit_id },
      ],
    })
    const { id } = await createEmployee(api, employer_id, { start_date: '2020-03-02' })
    const { data } = (await api.get(`/v1/employees/${id}/eligibility`)).body
    expect(data.benefits).toEqual([
      expect.objectContaining({ benefit_plan_year_id: plan_year_id, coverage_start: '2027-07-01', warnings: [] }),
      expect.objectContaining({ benefit_plan_year_id: plan_year_id, coverage_start: '2027-01-01', warnings: [] }),
    ])
    expect((await enrollmentsOf(id)).map((row) => [row.benefit.category, row.coverage_start]).sort()).toEqual([
      ['Dental', '2027-01-01'],
      ['Medical', '2027-07-01'],
    ])
  })
})

describe('open enrollment', () => {
  const spring = { open_enrollment_start: '2026-04-01', open_enrollment_end: '2026-04-15' }
  const windows = async (employee_id: string, plan_year_id: string) =>
    (await enrollmentsOf(employee_id))
      .filter((row) => row.benefit_plan_year_id === plan_year_id)
      .map(({ window }) => window)

  it('applies to employees who were known when it began, and new employees have 30 days', async () => {
    const { employer_id } = await employerWith('first_of_following_month')
    const known = await createEmployee(api, employer_id, { start_date: '2026-02-02' })
    const part_time = await createEmployee(api, employer_id, { start_date: '2026-02-02', employee_class: 'Part Time' })
    const next = await openPlanYear(api, employer_id, catalog, { ...spring, coverage_start: '2027-01-01' })
    await onDay('2026-04-10')
    const reported_late = await createEmployee(api, employer_id, { start_date: '2026-03-20' })
    await api.patch(`/v1/employees/${part_time.id}`, { effective_date: '2026-03-20', employee_class: 'Full Time' })

    const fifteen = { start: '2026-04-01', end: '2026-04-15' }
    const thirty = { start: '2026-04-10', end: '2026-05-10' }
    expect(await windows(known.id, next)).toEqual([fifteen, fifteen])
    expect(await windows(reported_late.id, next)).toEqual([thirty, thirty])
    expect(await windows(part_time.id, next)).toEqual([thirty, thirty])
    api.moveTo('2026-05-10')
    const { id } = (await enrollmentsOf(reported_late.id)).find((row) => row.benefit_plan_year_id === next)!
    expect((await waive(id)).status).toBe(200)
    const [theirs] = (await enrollmentsOf(known.id)).filter((row) => row.benefit_plan_year_id === next)
    expect(codeOf(await waive(theirs!.id))).toEqual([409, 'enrollment_window_closed'])
  })

  it('stays open to new employees until its end, even if their own 30 days end earlier', async () => {
    const { employer_id } = await employerWith('none', {
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-05-31',
    })
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    expect((await medicalOf(id)).window).toEqual({ start: '2026-03-01', end: '2026-05-31' })
  })
})

describe('in the window of a birth', () => {
  async function parent(): Promise<{ id: string; medical: string; spouse: string }> {
    const { employer_id } = await employerWith('none')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' })
    const spouse = await dependent(id, 'spouse', '1990-01-01')
    const { id: medical } = await medicalOf(id)
    await elect(medical, 'ES')
    api.moveTo('2026-05-05')
    await approve(id, 'birth', '2026-04-10', 'The spouse has coverage of her own')
    return { id, medical, spouse }
  }

  it('dependents are dropped starting the next month', async () => {
    const { medical, spouse } = await parent()
    expect((await elect(medical)).body.data).toMatchObject({
      coverage_tier: 'ES',
      dependent_ids: [spouse],
      upcoming_election: { effective_on: '2026-06-01', coverage_tier: 'EE', dependent_ids: [] },
    })
  })

  it('each day shows the election that applied on it and its first day', async () => {
    const { id, medical, spouse } = await parent()
    await elect(medical)
    api.moveTo('2026-07-01')
    const on = async (query: string) => {
      const { data } = (await api.get(`/v1/employees/${id}/enrollments${query}`)).body
      const { coverage_tier, elected_from, premium_in_cents, dependent_ids, upcoming_election, window } = pick(
        data,
        (row) => row.id === medical,
      )
      return { coverage_tier, elected_from, premium_in_cents, dependent_ids, next: upcoming_election, window }
    }
    const alone = { coverage_tier: 'EE', elected_from: '2026-06-01', dependent_ids: [], next: null }
    expect(await on('')).toMatchObject(alone)
    expect(await on('?as_of=2026-06-01')).toMatchObject(alone)
    expect(await on('?as_of=2026-05-31')).toMatchObject({
      coverage_tier: 'ES',
      elected_from: null,
      dependent_ids: [spouse],
      next: { effective_on: '2026-06-01', coverage_tier: 'EE' },
      window: { start: '2026-05-05', end: '2026-06-04' },
    })
    expect((await on('?as_of=2026-03-10')).window).toEqual({ start: '2026-03-10', end: '2026-04-09' })
    const refused = await api.get(`/v1/employees/${id}/enrollments?as_of=2026-02-30`)
    expect(refusalOf(refused)).toEqual([400, 'invalid_request', 'as_of'])
  })

  it('a newborn is added from the birth, and people dropped at the same time stay until the next month', async () => {
    const { id, medical, spouse } = await parent()
    const baby = await dependent(id, 'child', '2026-04-10')
    const answer = await elect(medical, 'EC', { dependent_ids: [baby] })
    expect(answer.body.data).toMatchObject({
      coverage_tier: 'EF',
      premium_in_cents: 24_900,
      dependent_ids: [spouse, baby].sort(),
      upcoming_election: {
        effective_on: '2026-06-01',
        coverage_tier: 'EC',
        premium_in_cents: 16_500,
        dependent_ids: [baby],
      },
    })
    expect((await elect(medical, 'EF')).body.data).toMatchObject({ coverage_tier: 'EF' })
    const rows = await api.database.reads.rows(
      'select effective_on, coverage_tier from elections where enrollment_id = $1 order by 1',
      [medical],
    )
    expect(rows).toEqual([
      { effective_on: '-infinity', coverage_tier: 'ES' },
      { effective_on: '2026-04-10', coverage_tier: 'EF' },
    ])
  })

  it('a newborn is added in the last month of the plan year, when no other change is possible', async () => {
    const { id, medical, spouse } = await parent()
    api.moveTo('2026-12-20')
    await approve(id, 'placement', '2026-12-10', 'The spouse has coverage of her own')
    expect(codeOf(await elect(medical))).toEqual([409, 'coverage_ends_first'])
    const child = await dependent(id, 'child', '2020-01-01')
    expect((await elect(medical, 'EC', { dependent_ids: [child] })).body.data).toMatchObject({
      coverage_tier: 'EF',
      dependent_ids: [spouse, child].sort(),
      upcoming_election: null,
    })
  })

  it('refuses an election if a step in between needs a coverage level that is not offered', async () => {
    const row = { product_code: 'VV', benefit: 'Vision', carrier: 'Clearview Vision', plan: 'Clearview Few' }
    const tiers = ['EE', 'ES', 'EC'].map((coverage_tier) => ({
      ...row,
      coverage_tier,
      premium_in_cents: 1_000,
      effective_on: '2020-01-01',
    }))
    const { vision } = await importCatalog(api, tiers)
    const { employer_id } = await employerWith('none', { benefits: [{ benefit_id: vision.benefit_id }] })
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' })
    await dependent(id, 'spouse', '1990-01-01')
    const [{ id: enrollment_id }] = (await enrollmentsOf(id)) as [Enrolled]
    const { plans } = await enrollment(enrollment_id)
    const { id: plan_id } = pick(plans, ({ name }) => name === 'Clearview Few')
    expect((await elect(enrollment_id, 'ES', { plan_id })).status).toBe(200)
    const baby = await dependent(id, 'child', '2026-03-10')
    await approve(id, 'birth', '2026-03-10')
    const answer = await elect(enrollment_id, 'EC', { plan_id, dependent_ids: [baby] })
    expect(refusalOf(answer)).toEqual([422, 'plan_not_offered', 'coverage_tier'])
    expect(await enrollment(enrollment_id)).toMatchObject({ coverage_tier: 'ES', upcoming_election: null })
  })
})

describe('an election before coverage begins', () => {
  it('replaces the earlier one from the start, also in the window of a life event', async () => {
    const { employer_id } = await employerWith('60_days')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    await dependent(id, 'spouse', '1990-01-01')
    const { id: medical } = await medicalOf(id)
    await elect(medical)
    api.moveTo('2026-05-02')
    await approve(id, 'marriage', '2026-05-01')
    expect((await elect(medical, 'ES')).body.data).toMatchObject({
      coverage_start: '2026-05-09',
      coverage_tier: 'ES',
      upcoming_election: null,
    })
  })
})

describe('a first election', () => {
  it('is refused if a known loss of eligibility precedes the coverage, while a waiver is accepted', async () => {
    const { employer_id } = await employerWith('30_days')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    const { id: medical } = await medicalOf(id)
    await terminate(id, '2026-04-08')
    expect(codeOf(await elect(medical))).toEqual([409, 'coverage_ends_first'])
    expect((await enrollment(medical)).status).toBe('pending')
    expect((await waive(medical)).status).toBe(200)
    expect(codeOf(await elect(medical))).toEqual([409, 'coverage_ends_first'])
    await terminate(id, '2026-04-09')
    expect((await elect(medical)).body.data).toMatchObject({ status: 'enrolled', coverage_end: '2026-04-30' })
  })

  it('is refused in the window of a life event if it could only begin after a known loss', async () => {
    const { employer_id } = await employerWith('none')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' })
    const { id: medical } = await medicalOf(id)
    api.moveTo('2026-05-10')
    await approve(id, 'loss_of_coverage', '2026-05-01')
    await terminate(id, '2026-05-20')
    expect(codeOf(await elect(medical))).toEqual([409, 'coverage_ends_first'])
  })
})

describe('a last day', () => {
  it('results in the same coverage if it is reported before or after the end of the plan year', async () => {
    const { employer_id } = await employerWith('30_days', { coverage_start: '2025-05-01' })
    const hired = { start_date: '2026-03-10' }
    const [early, late] = [await createEmployee(api, employer_id, hired), await createEmployee(api, employer_id, hired)]
    const medical = await Promise.all([early, late].map(async ({ id }) => (await medicalOf(id)).id))
    for (const id of medical) await elect(id)
    api.moveTo('2026-04-04')
    await terminate(early.id, '2026-04-05')
    await onDay('2026-05-05')
    expect(await enrollment(medical[1]!)).toMatchObject({ status: 'inactive', coverage_end: '2026-04-30' })
    expect((await terminate(late.id, '2026-04-05')).status).toBe(200)
    const never = { status: 'inactive', coverage_start: '2026-04-09', coverage_end: '2026-04-08' }
    for (const id of medical) expect(await enrollment(id)).toMatchObject(never)
  })
})

describe('a rehired employee', () => {
  const rehire = (id: string, start_date: string) => api.post(`/v1/employees/${id}/rehire`, { start_date })

  it('starts on the day after the last day of employment at the earliest', async () => {
    const { employer_id } = await employerWith('none')
    const employee = await createEmployee(api, employer_id, { start_date: '2026-02-02' })
    await terminate(employee.id, '2026-03-09')
    for (const day of ['2026-03-08', '2026-03-09']) {
      const answer = await rehire(employee.id, day)
      expect(refusalOf(answer)).toEqual([400, 'invalid_employee_update', 'start_date'])
    }
    expect((await rehire(employee.id, '2026-03-10')).status).toBe(201)
  })

  it.each([
    ['none', '2026-03-09', '2026-03-10', '2026-04-01'],
    ['none', '2026-02-28', '2026-03-01', '2026-03-01'],
    ['first_of_following_month', '2026-03-09', '2026-03-10', '2026-04-01'],
    ['30_days', '2026-03-09', '2026-03-10', '2026-04-01'],
    ['30_days', '2026-02-01', '2026-03-10', '2026-04-01'],
  ])(
    'has completed the waiting period after a return within weeks, and can elect again: %s, %s and %s',
    async (waiting_period, last_day, first_day, coverage_start) => {
      const { employer_id, plan_year_id } = await employerWith(waiting_period)
      const next = await openPlanYear(api, employer_id, catalog, { coverage_start: '2027-01-01' })
      const { id } = await createEmployee(api, employer_id, { start_date: '2025-11-03' })
      await api.work()
      const former = (await enrollmentsOf(id)).filter(({ benefit }) => benefit.category === 'Medical')
      for (const one of former) await elect(one.id)
      await terminate(id, last_day)
      const rehired = await rehire(id, first_day)
      const rows = (await enrollmentsOf(rehired.body.data.id)).filter(({ benefit }) => benefit.category === 'Medical')
      expect(rows.map((row) => [row.benefit_plan_year_id, row.coverage_start, row.window?.end]).sort()).toEqual(
        [
          [plan_year_id, coverage_start, '2026-04-09'],
          [next, '2027-01-01', '2026-04-09'],
        ].sort(),
      )
      for (const row of rows) expect((await elect(row.id)).status).toBe(200)
    },
  )
})
