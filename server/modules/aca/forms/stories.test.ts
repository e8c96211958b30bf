import { beforeAll, describe, expect, it } from 'vitest'
import { monthEnd } from '../../../kernel/days.ts'
import {
  addPolicy,
  aPerson,
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'
import { inEmployer } from '../../../runtime/runtime.ts'
import { deriveMembers } from './derive-actions.ts'

/**
 * Years of people, from their hire to the cells of Form 1095-C, compared with the Instructions for Forms 1094-C and
 * 1095-C. The Bronze plan of minimum value is self-insured. It costs $315.00, and an employee pays $165.00.
 */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

const formOf = async (id: string, tax_year = 2026) =>
  (await api.get(`/v1/employees/${id}/form-1095c?tax_year=${tax_year}`)).body.data
const codesOf = async (id: string, tax_year?: number) =>
  (await formOf(id, tax_year)).months.map(({ line_14, line_16 }) => `${line_14.value} ${line_16.value ?? '-'}`)
const costsOf = async (id: string) => (await formOf(id)).months.map(({ line_15_in_cents }) => line_15_in_cents.value)
const times = (count: number, code: string): string[] => Array.from({ length: count }, () => code)

const medical = (amount_in_cents: number) => [
  {
    benefit_id: catalog.mvp.benefit_id,
    contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents }],
  },
]

/** An employer that offers medical plans to full-time employees in 2026. */
async function anOfferingEmployer(year: object = {}, policy: object = {}): Promise<string> {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time', ...policy })
  await openPlanYear(api, employer_id, catalog, { benefits: medical(15_000), ...year })
  await api.work()
  return employer_id
}

const hire = async (employer_id: string, input: object = {}) =>
  createEmployee(api, employer_id, { start_date: '2024-06-03', employee_class: 'Full Time', ...input })

async function elect(employee_id: string, choice: object = {}): Promise<void> {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const enrollment = only(data.filter(({ status }) => status !== 'inactive'))
  const plan = { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE', ...choice }
  const elected = await api.post(`/v1/enrollments/${enrollment.id}/elect`, plan)
  expect(elected.status, elected.text).toBe(200)
}

/** Hours of whole months: `{ '2026-01': 80 }`. */
async function report(employer_id: string, employee_id: string, hours: Record<string, number>): Promise<void> {
  const rows = Object.entries(hours).map(([month, sum]) => ({
    employee_id,
    period_starts_on: `${month}-01`,
    period_ends_on: monthEnd(`${month}-01`),
    kind: 'worked',
    hours: sum,
  }))
  const reported = await api.post(`/v1/employers/${employer_id}/hours`, { rows })
  expect(reported.body.data.failed_count, reported.text).toBe(0)
  await api.work()
}

type Period = { months: number[]; is_enrolled: boolean; monthly_premium_in_cents: number }
const continuedBy = (id: string, period: Period, tax_year = 2026) =>
  api.patch(`/v1/employees/${id}/tax-facts`, { tax_year, continuation_coverage: [period] })
const cobra = { is_enrolled: true, monthly_premium_in_cents: 32_130 }
const coveredMonths = async (id: string, year?: number) => {
  const { months } = only((await formOf(id, year)).covered_people)
  return months.flatMap((is_covered, at) => (is_covered ? [at + 1] : []))
}

const homeIn = (city: string, county: string, zipcode: string) => ({
  address: { address_line_1: '1 Elm St', city, county, state: 'VT', zipcode },
})
const rutland = homeIn('Rutland', 'Rutland', '05701')

beforeAll(async () => {
  catalog = await importCatalog(api)
})

describe('the form of a person who loses coverage', () => {
  it('has 1H and 2A after the employment, and lists the months of self-insured COBRA coverage', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    await elect(id)
    const left = await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-04-17' })
    expect(left.status, left.text).toBeLessThan(300)
    await api.work()
    const codes = [...times(3, '1E 2C'), '1E 2C', ...times(8, '1H 2A')]
    expect(await codesOf(id)).toEqual(codes)
    expect(await coveredMonths(id)).toEqual([1, 2, 3, 4])
    // A month with the last days of employment and the first of COBRA keeps the offer to the employee.
    const set = await continuedBy(id, { ...cobra, months: [4, 5, 6, 7] })
    expect(set.status, set.text).toBe(200)
    expect(await codesOf(id)).toEqual(codes)
    expect(await coveredMonths(id)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('has the offer of COBRA coverage to the covered people and its premium after a reduction of hours', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    await elect(id)
    const part_time = { effective_date: '2026-03-10', employee_class: 'Part Time' }
    const changed = await api.patch(`/v1/employees/${id}`, part_time)
    expect(changed.status, changed.text).toBe(200)
    await api.work()
    expect((await codesOf(id)).slice(3)).toEqual(times(9, '1H 2B'))
    await continuedBy(id, { ...cobra, months: [4, 5] })
    expect((await codesOf(id)).slice(3, 6)).toEqual(['1B 2C', '1B 2C', '1H 2B'])
    expect((await costsOf(id)).slice(3, 6)).toEqual([32_130, 32_130, null])
    await continuedBy(id, { ...cobra, is_enrolled: false, months: [4] })
    expect((await codesOf(id)).slice(3, 5)).toEqual(['1B 2B', '1H 2B'])
  })

  it('continues the coverage before COBRA with the people it covered, and not that of a later return', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    const details = { first_name: 'Sol', last_name: 'Reyes', date_of_birth: '1988-01-02', relationship: 'spouse' }
    const spouse = await api.post(`/v1/employees/${id}/dependents`, details)
    await elect(id, { coverage_tier: 'ES', dependent_ids: [spouse.body.data.id] })
    const classFrom = (effective_date: string, employee_class: string) =>
      api.patch(`/v1/employees/${id}`, { effective_date, employee_class })
    await classFrom('2026-01-10', 'Part Time')
    await classFrom('2026-03-01', 'Full Time')
    await api.work()
    await elect(id)
    const set = await continuedBy(id, { ...cobra, months: [2] })
    expect(set.status, set.text).toBe(200)
    expect((await codesOf(id)).slice(0, 3)).toEqual(['1E 2C', '1D 2C', '1E 2C'])
    const { covered_people } = await formOf(id)
    const both = [true, true, false]
    expect(covered_people.map(({ months }) => months.slice(0, 3))).toEqual([[true, true, true], both])
  })

  it('continues the coverage before each of two periods of COBRA in a year', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    await elect(id)
    const classFrom = (effective_date: string, employee_class: string) =>
      api.patch(`/v1/employees/${id}`, { effective_date, employee_class })
    await classFrom('2026-01-10', 'Part Time')
    await classFrom('2026-03-01', 'Full Time')
    await api.work()
    await elect(id)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-04-17' })
    await api.work()
    const periods = [
      { ...cobra, months: [6, 5] },
      { ...cobra, months: [2], monthly_premium_in_cents: 40_000 },
    ]
    const update = (continuation_coverage: Period[], dry_run = false) =>
      api.patch(`/v1/employees/${id}/tax-facts`, { tax_year: 2026, continuation_coverage, dry_run })
    const twice = await update([...periods, { ...cobra, months: [6] }])
    expect([twice.status, twice.text.includes('must not repeat a month')]).toEqual([400, true])
    const previewed = (await update(periods, true)).body.data
    expect(await coveredMonths(id)).toEqual([1, 3, 4])
    const saved = (await update(periods)).body.data
    expect(saved).toEqual(previewed)
    expect(saved.tax_facts.continuation_coverage).toEqual(periods)
    expect(await codesOf(id)).toEqual(['1E 2C', '1B 2C', '1E 2C', '1E 2C', ...times(8, '1H 2A')])
    expect((await costsOf(id))[1]).toBe(40_000)
    expect(await coveredMonths(id)).toEqual([1, 2, 3, 4, 5, 6])
    await update([])
    expect(await coveredMonths(id)).toEqual([1, 3, 4])
  })

  it('refuses COBRA coverage of an employee without medical coverage before its first month', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    const outcomeOf = async (tax_year: number, months: number[]) => {
      const response = await continuedBy(id, { ...cobra, months }, tax_year)
      return response.status === 200 ? [200] : refusalOf(response)
    }
    const refused = [400, 'invalid_request', 'continuation_coverage']
    expect(await outcomeOf(2026, [4])).toEqual(refused)
    await elect(id)
    expect(await outcomeOf(2025, [12])).toEqual(refused)
    expect(await outcomeOf(2026, [4])).toEqual([200])
  })
})

describe('the forms of a person at two ALE members of one aggregated ALE group', () => {
  let firm: string
  let cannery: string
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    firm = await anOfferingEmployer({}, { classification: 'all' })
    cannery = await createEmployer(api)
    const members = [{ employer_id: firm }, { employer_id: cannery }]
    await api.post('/v1/ale-groups', { name: 'Firm and cannery', members })
    const juno = { first_name: 'Juno', last_name: 'Park', date_of_birth: '1991-05-06', email: 'juno@park.example' }
    for (const employer_id of [firm, cannery]) {
      await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies: [{ method: 'monthly' }] })
      const part_time = { start_date: '2025-06-02', employee_class: 'Part Time' }
      ids[employer_id] = (await hire(employer_id, { ...part_time, ...juno })).id
    }
    await report(firm, ids[firm]!, { '2026-01': 80, '2026-02': 60 })
    await report(cannery, ids[cannery]!, { '2026-01': 60, '2026-02': 80 })
  })

  it('count the hours at both, and report each month and all offers at the member with the most hours', async () => {
    expect((await codesOf(ids[firm]!)).slice(0, 2)).toEqual(['1E -', '1H 2A'])
    expect((await codesOf(ids[cannery]!)).slice(0, 2)).toEqual(['1H 2A', '1E -'])
    const { line_14 } = (await formOf(ids[cannery]!)).months[0]!
    expect(line_14.reason).toBe('Another ALE member of the aggregated ALE group is the employer in the month.')
  })

  it('count the person in the offer test of one member in each month', async () => {
    await api.post(`/v1/employers/${firm}/forms-1095c/derive`, { tax_year: 2026 })
    await api.work()
    const countsOf = async (id: string) => {
      const { months } = (await api.get(`/v1/employers/${id}/offer-test?year=2026`)).body.data
      return months.slice(0, 2).map(({ full_time_count, offered_count }) => [full_time_count, offered_count])
    }
    expect(await countsOf(firm)).toEqual([
      [1, 1],
      [0, 0],
    ])
    expect(await countsOf(cannery)).toEqual([
      [0, 0],
      [1, 1],
    ])
  })

  it('is derived by no EIN that the person left during the derivation', async () => {
    const { id, member_id } = await hire(cannery, aPerson())
    const { organization_id } = (await api.get(`/v1/employers/${firm}`)).body.data
    const before = { organization_id, ein_employer_id: firm, employer_ids: [firm, cannery], tax_year: 2026 }
    const derive = (scope: typeof before) =>
      inEmployer(api.runtime, { organization_id, employer_id: firm }, (ctx) => deriveMembers(ctx, scope, [member_id]))
    expect(await derive(before)).toEqual([])
    expect(only(await derive({ ...before, ein_employer_id: cannery })).facts.employee_id).toBe(id)
  })
})

describe('the form of a person whose plan year is short', () => {
  it('has the cost of each plan year, and the cost on the first day in the month of the change', async () => {
    const employer_id = await anOfferingEmployer({ coverage_end: '2026-06-14' })
    const next = { coverage_start: '2026-06-15', coverage_end: '2027-06-14', benefits: medical(16_000) }
    await openPlanYear(api, employer_id, catalog, next)
    await api.work()
    const { id } = await hire(employer_id)
    const costs = await costsOf(id)
    expect(costs).toEqual([...Array.from({ length: 6 }, () => 16_500), ...Array.from({ length: 6 }, () => 15_500)])
    expect((await codesOf(id)).map((code) => code.slice(0, 2))).toEqual(times(12, '1E'))
  })
})

describe('the form of a person with an ICHRA', () => {
  let employer_id: string

  beforeAll(async () => {
    const areas = [
      ['Rutland', 50_000],
      ['Windsor', 60_000],
    ] as const
    const rows = areas.flatMap(([county, premium_in_cents]) => [
      { state: 'VT', county, age: '0-39', effective_on: '2026-01-01', premium_in_cents },
      { state: 'VT', county, age: '40+', effective_on: '2026-01-01', premium_in_cents: premium_in_cents + 20_000 },
    ])
    await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows }, { key: api.operator_key })
    employer_id = await anOfferingEmployer({ benefits: [{ benefit_id: catalog.ichra.benefit_id }] })
  })

  it('uses the age on the first day of the offer, so a birthday in the year changes nothing', async () => {
    const { id } = await hire(employer_id, { date_of_birth: '1986-06-01', ...rutland })
    // Age 39 on January 1: $500.00 less the allowance of $300.00.
    expect(await costsOf(id)).toEqual(Array.from({ length: 12 }, () => null))
    expect(await codesOf(id)).toEqual(times(12, '1R -'))
    await api.put(`/v1/employees/${id}/wage`, { monthly_wage_in_cents: 400_000, effective_on: '2026-01-01' })
    expect(await costsOf(id)).toEqual(Array.from({ length: 12 }, () => 20_000))
    // Age 40 on February 1: $700.00 less the allowance of $450.00.
    const later = await hire(employer_id, { date_of_birth: '1986-01-15', start_date: '2026-02-01', ...rutland })
    await api.put(`/v1/employees/${later.id}/wage`, { monthly_wage_in_cents: 400_000, effective_on: '2026-02-01' })
    expect(await costsOf(later.id)).toEqual([null, ...Array.from({ length: 11 }, () => 25_000)])
  })

  it('has the cost and ZIP code of the home on the first day of each month', async () => {
    const { id } = await hire(employer_id, { date_of_birth: '1990-06-01', ...rutland })
    await api.put(`/v1/employees/${id}/wage`, { monthly_wage_in_cents: 400_000, effective_on: '2026-01-01' })
    const cells = async () =>
      (await formOf(id)).months.map(({ line_14, line_15_in_cents, line_17 }) =>
        [line_14.value, line_15_in_cents.value, line_17.value].join(' '),
      )
    expect(await cells()).toEqual(times(12, '1N 20000 05701'))
    const norwich = homeIn('Norwich', 'Windsor', '05055')
    const moved = await api.patch(`/v1/employees/${id}/contact`, norwich)
    expect(moved.status, moved.text).toBe(200)
    expect(await cells()).toEqual([...times(3, '1N 20000 05701'), ...times(9, '1N 30000 05055')])
    // The move was reported late: a corrected day moves the months, and a day before the coverage all of them.
    const movedOn = (effective_date: string) => api.patch(`/v1/employees/${id}`, { effective_date, ...norwich })
    expect((await movedOn('2026-02-01')).status).toBe(200)
    expect(await cells()).toEqual([...times(1, '1N 20000 05701'), ...times(11, '1N 30000 05055')])
    // The day of another fact is not that of the move.
    await api.patch(`/v1/employees/${id}`, { effective_date: '2026-01-01', compensation_type: 'Hourly', ...norwich })
    expect(await cells()).toEqual([...times(1, '1N 20000 05701'), ...times(11, '1N 30000 05055')])
    expect((await movedOn('2025-12-15')).status).toBe(200)
    expect(await cells()).toEqual(times(12, '1N 30000 05055'))
    // The move was recorded too early. One request restores the former home, and another records the correct day.
    await api.patch(`/v1/employees/${id}`, { effective_date: '2025-12-15', ...rutland })
    expect(await cells()).toEqual(times(12, '1N 20000 05701'))
    expect((await movedOn('2026-03-01')).status).toBe(200)
    expect(await cells()).toEqual([...times(2, '1N 20000 05701'), ...times(10, '1N 30000 05055')])
  })

  it('has the cost of a corrected county in all months, because no move changes only the county', async () => {
    const { id } = await hire(employer_id, { date_of_birth: '1990-06-01', ...homeIn('Rutland', 'Windsor', '05701') })
    await api.put(`/v1/employees/${id}/wage`, { monthly_wage_in_cents: 400_000, effective_on: '2026-01-01' })
    expect(await costsOf(id)).toEqual(Array.from({ length: 12 }, () => 30_000))
    await api.patch(`/v1/employees/${id}/contact`, rutland)
    expect(await costsOf(id)).toEqual(Array.from({ length: 12 }, () => 20_000))
  })
})

describe('the form of a person on leave', () => {
  it('depends on the average hours without the leave, even if it outlasts the measurement period', async () => {
    const employer_id = await anOfferingEmployer({}, { classification: 'all', eligibility_basis: 'measured' })
    const policy = { method: 'look_back', standard_starts_on: '2024-11-01', administrative_months: 2 }
    await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies: [policy] })
    const [away, absent] = [
      await hire(employer_id, { employee_class: 'Temporary' }),
      await hire(employer_id, { employee_class: 'Temporary' }),
    ]
    const year = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [
        at < 2 ? `2024-${at + 11}` : `2025-${String(at - 1).padStart(2, '0')}`,
        132,
      ]),
    )
    for (const { id } of [away, absent]) await report(employer_id, id, year)
    // FMLA leave from September 1 to December 10, beyond the end of the measurement on October 31.
    const leave = { period_starts_on: '2025-09-01', period_ends_on: '2025-12-10', kind: 'special_unpaid_leave' }
    await api.post(`/v1/employers/${employer_id}/hours`, { rows: [{ employee_id: away.id, ...leave }] })
    await api.work()
    expect((await codesOf(away.id)).slice(0, 2)).toEqual(['1E -', '1E -'])
    expect((await codesOf(absent.id)).slice(0, 2)).toEqual(['1H 2B', '1H 2B'])
  })
})

describe('the form of a person who returns', () => {
  it.each([
    ['a continuing employee, with an offer on the return, after 13 weeks less a day', '2026-03-11', ['1H -', '1E -']],
    ['a new employee, in the month of the return, after 13 weeks', '2026-03-10', ['1H 2D', '1E -']],
  ])('has the codes of %s', async (_, termination_date, codes) => {
    api.moveTo('2026-03-11')
    const employer_id = await anOfferingEmployer({}, { waiting_period: 'first_of_following_month' })
    const { id } = await hire(employer_id)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date })
    await api.work()
    api.moveTo('2026-06-10')
    const back = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
    expect(back.status, back.text).toBe(201)
    await api.work()
    expect((await codesOf(back.body.data.id)).slice(5, 7)).toEqual(codes)
  })
})

describe('the form of a former employee in a later year', () => {
  it('has 1G for all months with self-insured COBRA coverage', async () => {
    const employer_id = await anOfferingEmployer()
    const { id } = await hire(employer_id)
    await elect(id)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-06-30' })
    api.moveTo('2027-02-01')
    await continuedBy(id, { ...cobra, months: [1, 2] }, 2027)
    await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year: 2027 })
    await api.work()
    const { body } = await api.get(`/v1/employers/${employer_id}/forms-1095c?tax_year=2027`)
    expect(only(body.data)).toMatchObject({ employee_id: id, line_14: times(12, '1G') })
    expect(await coveredMonths(id, 2027)).toEqual([1, 2])
  })

  it('has 1S for all months of a later year in which COBRA continues the ICHRA of a former employee', async () => {
    api.moveTo('2026-03-11')
    const employer_id = await anOfferingEmployer({ benefits: [{ benefit_id: catalog.ichra.benefit_id }] })
    const { id } = await hire(employer_id, { date_of_birth: '1990-06-01', ...rutland })
    await api.work()
    await elect(id, { plan_id: catalog.ichra.plan_id })
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-06-30' })
    api.moveTo('2027-02-01')
    await continuedBy(id, { ...cobra, months: [1, 2] }, 2027)
    expect(await codesOf(id, 2027)).toEqual(times(12, '1S -'))
    expect(await coveredMonths(id, 2027)).toEqual([1, 2])
  })
})
