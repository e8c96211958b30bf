import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

/** An employer that measures the hours of temporary employees. Today is March 10, 2026. */
const api = useApi()
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

describe('the workforce of an employer', () => {
  let employer_id: string
  let ada: string
  let employee_ids: string[]

  const overview = async () => (await api.get(`/v1/employers/${employer_id}/aca-overview`)).body.data
  beforeAll(async () => {
    employer_id = await createEmployer(api)
    const hired = async (input: Record<string, unknown>) => (await createEmployee(api, employer_id, input)).id
    ada = await hired({ start_date: '2025-11-10', employee_class: 'Temporary', first_name: 'Ada', last_name: 'Abel' })
    const ben = await hired({
      start_date: '2026-02-01',
      employee_class: 'Temporary',
      first_name: 'Ben',
      last_name: 'Boyd',
    })
    const cleo = await hired({
      start_date: '2026-02-01',
      employee_class: 'Full Time',
      first_name: 'Cleo',
      last_name: 'Cole',
    })
    employee_ids = [ada, ben, cleo]
  })

  it('is not measured before a policy exists', async () => {
    expect(await overview()).toEqual({
      employer_id,
      as_of: '2026-03-10',
      hours_reported_through: null,
      has_measurement_policies: false,
      employee_count: 3,
      counts: { full_time: 0, not_full_time: 0, initial_measurement: 0, administrative_period: 0, not_measured: 3 },
      trending_count: 0,
    })
  })

  it('previews the periods of policies without a change', async () => {
    const path = `/v1/employers/${employer_id}/measurement-policies/preview` as const
    const { data } = (await api.post(path, { policies })).body
    expect(data.policies[0]!.standard_periods[1]).toEqual({
      measurement_period: { starts_on: '2026-01-01', ends_on: '2026-03-31' },
      administrative_period: { starts_on: '2026-04-01', ends_on: '2026-04-30' },
      stability_period: { starts_on: '2026-05-01', ends_on: '2026-10-31' },
    })
    const refused = await api.post(path, { policies: [{ ...policies[0], stability_months: 2 }] })
    expect(refused.status).toBe(400)
    expect((await overview()).has_measurement_policies).toBe(false)
  })

  it('counts people by status after their hours are reported', async () => {
    await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    const rows = employee_ids.flatMap((employee_id) =>
      ['2025-11', '2025-12', '2026-01', '2026-02'].map((month) => ({
        employee_id,
        period_starts_on: `${month}-01`,
        period_ends_on: `${month}-28`,
        kind: 'worked',
        hours: 170,
      })),
    )
    await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    await api.work()
    const found = await overview()
    expect(found).toMatchObject({ hours_reported_through: '2026-02-28', has_measurement_policies: true })
    expect(found.counts).toEqual({
      full_time: 1,
      not_full_time: 0,
      initial_measurement: 1,
      administrative_period: 1,
      not_measured: 0,
    })
  })

  it('lists current employees only, and marks those in the administrative period', async () => {
    const listed = async () => (await api.get(`/v1/employers/${employer_id}/aca-statuses`)).body.data
    const marked = (await listed()).filter((one) => one.is_in_administrative_period)
    expect(marked).toMatchObject([{ employee_id: ada, is_full_time: false, reason_code: 'measuring' }])
    const [, ben] = employee_ids
    expect(await listed()).toHaveLength(3)
    await api.post(`/v1/employees/${ben}/terminate`, { termination_date: '2026-02-27' })
    await api.work()
    expect((await listed()).map(({ employee_id }) => employee_id)).not.toContain(ben)
  })

  it('returns the highest affordable cost for full-time employees, to partners and operators', async () => {
    await api.put(`/v1/employees/${ada}/wage`, { monthly_wage_in_cents: 100_000, effective_on: '2026-01-01' })
    const path = `/v1/employers/${employer_id}/affordability?plan_year_start=2026-01-01&cost_in_cents=12990` as const
    const { data } = (await api.get(path)).body
    expect(data).toMatchObject({ full_time_count: 2, affordable_cost_in_cents: 12_989, unaffordable_count: 2 })
    expect((await api.get(`/operator${path}`, { key: api.operator_key })).body.data).toEqual(data)
    expect(
      (await api.get(`/v1/employers/${employer_id}/affordability?plan_year_start=2026-01-01&cost_in_cents=12989`)).body
        .data,
    ).toMatchObject({
      unaffordable_count: 0,
      employees: [],
    })
  })

  it('finds the affordable cost by the poverty line of the state or by a higher rate of pay', async () => {
    const employer_id = await createEmployer(api)
    const hired = async (last_name: string, state: string, monthly_wage_in_cents?: number) => {
      const address = { address_line_1: '1 Elm St', city: 'Juneau', state, zipcode: '99801' }
      const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-06', last_name, address })
      if (monthly_wage_in_cents !== undefined)
        await api.put(`/v1/employees/${id}/wage`, { monthly_wage_in_cents, effective_on: '2026-01-01' })
    }
    await hired('Low', 'VA', 100_000)
    await hired('Alaskan', 'AK')
    await hired('Paid', 'VA', 260_000)
    const found = async (query: string) =>
      (await api.get(`/v1/employers/${employer_id}/affordability?${query}`)).body.data
    const limits = (employees: { last_name: string; affordable_cost_in_cents: number; safe_harbor: string }[]) =>
      employees.map((one) => [one.last_name, one.affordable_cost_in_cents, one.safe_harbor])
    const all = await found('plan_year_start=2026-01-01')
    expect(all).toMatchObject({ full_time_count: 3, affordable_cost_in_cents: 12_989, unaffordable_count: null })
    expect(all).toMatchObject({ required_contribution_percentage: 9.96, poverty_line_cost_in_cents: 12_989 })
    expect(limits(all.employees)).toEqual([
      ['Low', 12_989, 'federal_poverty_line'],
      ['Alaskan', 16_226, 'federal_poverty_line'],
      ['Paid', 25_896, 'rate_of_pay'],
    ])
    const some = await found('plan_year_start=2026-01-01&cost_in_cents=16227')
    expect(some.unaffordable_count).toBe(2)
    expect(limits(some.employees).map(([name]) => name)).toEqual(['Low', 'Alaskan'])
    expect(await found('plan_year_start=2035-01-01&cost_in_cents=1')).toMatchObject({
      full_time_count: 3,
      required_contribution_percentage: null,
      affordable_cost_in_cents: null,
      unaffordable_count: null,
      employees: [],
    })
  })

  it('is hidden from other organizations', async () => {
    const key = api.story.rival_api_key
    for (const path of ['aca-overview', 'affordability'])
      expect((await api.get(`/v1/employers/${employer_id}/${path}`, { key })).status).toBe(404)
    const preview = await api.post(`/v1/employers/${employer_id}/measurement-policies/preview`, { policies }, { key })
    expect(preview.status).toBe(404)
  })
})
