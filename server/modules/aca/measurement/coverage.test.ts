import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

/**
 * An employer that offers coverage to employees who are full-time by hours of service, regardless of class. Initial
 * measurements of three months begin on the start date. Today is March 10, 2026.
 */
const api = useApi()

describe('coverage by measured hours', () => {
  let employer_id: string
  let ada: string
  let ben: string
  let cleo: string

  const hired = async (input: object) =>
    (await createEmployee(api, employer_id, { start_date: '2025-11-10', employee_class: 'Temporary', ...input })).id

  const explained = async (employee_id: string, as_of = '2026-03-10') =>
    (await api.get(`/v1/employees/${employee_id}/eligibility?as_of=${as_of}`)).body.data

  /** Reports hours a week from the start date to March 1, 2026. */
  const report = async (employee_id: string, hours: number, from = '2025-11-10') => {
    const day = (weeks: number) => new Date(Date.parse(from) + weeks * 604_800_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 16 }, (_, week) => ({
      employee_id,
      period_starts_on: day(week),
      period_ends_on: new Date(Date.parse(day(week + 1)) - 86_400_000).toISOString().slice(0, 10),
      kind: 'worked',
      hours,
    }))
    const answer = await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    expect(answer.body.data, answer.text).toMatchObject({ failed_count: 0 })
    await api.work()
  }

  const coverage = async (employee_id: string) =>
    (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
      .map(({ benefit, status, coverage_start, coverage_end }) => [benefit.name, status, coverage_start, coverage_end])
      .sort()

  beforeAll(async () => {
    const catalog = await importCatalog(api)
    employer_id = await createEmployer(api)
    const policy = {
      classification: 'all',
      waiting_period: 'first_of_following_month',
      eligibility_basis: 'measured',
    }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
    await openPlanYear(api, employer_id, catalog)
    await api.work()
    ada = await hired({})
    ben = await hired({})
    cleo = await hired({ employee_class: 'Full Time', start_date: '2026-03-09' })
  })

  it('covers only the class Full Time before anyone is measured', async () => {
    expect(await coverage(ada)).toEqual([])
    expect(await explained(ada)).toMatchObject({ status: 'not_eligible', reason_code: 'not_measured_full_time' })
    expect(await explained(cleo)).toMatchObject({ status: 'waiting', eligible_on: '2026-04-01' })
    expect((await coverage(cleo)).map(([, , start]) => start)).toEqual(['2026-04-01', '2026-04-01'])
  })

  it('begins with the stability period, without a waiting period', async () => {
    const policies = [
      {
        method: 'look_back',
        standard_starts_on: '2026-01-01',
        standard_months: 3,
        administrative_months: 1,
        stability_months: 6,
        initial_months: 3,
      },
    ]
    const set = await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    expect(set.status, set.text).toBe(200)
    await report(ada, 32)
    await report(ben, 29)
    // Measured from November 10 to February 9, administration until the end of March.
    expect(await coverage(ada)).toEqual([
      ['Dental', 'pending', '2026-04-01', null],
      ['Essential Care', 'pending', '2026-04-01', null],
    ])
    expect(await explained(ada, '2026-04-01')).toMatchObject({
      status: 'eligible',
      anchor: '2026-02-10',
      eligible_on: '2026-04-01',
    })
    expect((await explained(ada, '2026-04-01')).benefits[0]).toMatchObject({
      rule: 'none',
      raw_day: '2026-04-01',
      aligned_day: '2026-04-01',
      coverage_start: '2026-04-01',
    })
    expect(await coverage(ben)).toEqual([])
    expect((await coverage(cleo)).map(([, , start]) => start)).toEqual(['2026-04-01', '2026-04-01'])
  })

  it('ends with the month in which a correction ends full-time status', async () => {
    await report(ada, 20)
    expect((await coverage(ada)).filter(([, status]) => status === 'pending')).toEqual([])
    await report(ada, 33)
    expect((await coverage(ada)).filter(([, status]) => status === 'pending')).toHaveLength(2)
  })
})
