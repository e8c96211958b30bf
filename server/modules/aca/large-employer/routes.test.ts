import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { sure } from '../../../test/pick.ts'

/** A farm in 2025. Today is March 10, 2026. */
const api = useApi()

describe('the large employer status', () => {
  let employer_id: string

  const statusIn = async (year: number) =>
    (await api.get(`/v1/employers/${employer_id}/large-employer-status?year=${year}`)).body.data

  const hire = async (input: object) =>
    (await createEmployee(api, employer_id, { start_date: '2024-06-03', ...input })).id

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    const rows: object[] = []
    const work = (employee_id: string, month: string, hours: number) =>
      rows.push({
        employee_id,
        period_starts_on: `2025-${month}-01`,
        period_ends_on: `2025-${month}-28`,
        kind: 'worked',
        hours,
      })
    await hire({ employee_class: 'Full Time' })
    const part_time = await hire({ employee_class: 'Part Time' })
    const busy = await hire({ employee_class: 'Part Time' })
    for (const month of ['01', '02', '03']) work(part_time, month, 90)
    work(busy, '01', 130)
    work(busy, '02', 129.99)
    // Half of these 60 hours belong to April.
    rows.push({
      employee_id: busy,
      period_starts_on: '2025-03-22',
      period_ends_on: '2025-04-10',
      kind: 'worked',
      hours: 60,
    })
    await hire({ employee_class: 'Seasonal', start_date: '2025-11-10', termination_date: '2025-12-24' })
    await hire({ employee_class: 'Individual Contractor' })
    await api.post(`/v1/employers/${employer_id}/hours`, { rows })
  })

  it('counts full-time employees, and the hours of others up to 120 as equivalents', async () => {
    const status = await statusIn(2026)
    expect(status).toMatchObject({ employer_id, year: 2026, is_large: false, reason_code: 'fewer_than_50' })
    expect(
      status.months
        .slice(0, 5)
        .map(({ full_time_count, full_time_equivalents }) => [full_time_count, full_time_equivalents]),
    ).toEqual([
      [2, 0.75],
      [1, 1.75],
      [1, 1],
      [1, 0.25],
      [1, 0],
    ])
    expect(sure(status.months[11])).toMatchObject({ total: 1, total_without_seasonal_workers: 1 })
  })

  it('has no employees before the first hire', async () => {
    expect(await statusIn(2024)).toMatchObject({ average_count: 0, months_above: [] })
  })

  it('refuses a year without numbers, has a default, and hides the employers of others', async () => {
    const path = `/v1/employers/${employer_id}/large-employer-status` as const
    expect((await api.get(`${path}?year=soon`)).status).toBe(400)
    expect((await api.get(path)).body.data).toEqual(await statusIn(2026))
    expect((await api.get(`${path}?year=2026`, { key: api.story.rival_api_key })).status).toBe(404)
  })
})
