import { beforeAll, describe, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import { addPolicy, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import type { ApiResponse } from '../../../test/response.ts'

/** An employer whose forms of 2026 are derived. Each fact of its forms changes on a day of its own. */
const api = useApi()
const byOperator = () => ({ key: api.operator_key })
let employer_id: string
let client_id: string
let employee_id: string
let assignment_id: string
let ale_group_id: string
let today = '2026-03-10'

const at = () => `/v1/employers/${employer_id}` as const
const them = () => `/v1/employees/${employee_id}` as const

/** Runs the next day, and returns when the forms were derived last. */
async function derivedNextDay(): Promise<string | null> {
  today = addDays(today, 1)
  api.moveTo(today)
  await api.runDays()
  await api.work()
  return (await api.get(`${at()}/offer-test?year=2026`)).body.data.derived_at
}

beforeAll(async () => {
  const catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  client_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  await openPlanYear(api, employer_id, catalog)
  const { id } = await createEmployee(api, employer_id, { start_date: '2025-06-02', employee_class: 'Full Time' })
  employee_id = id
  await api.post(`${at()}/forms-1095c/derive`, { tax_year: 2026 })
  await api.work()
  await derivedNextDay()
})

const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
const hours = { period_starts_on: '2026-02-01', period_ends_on: '2026-02-28', kind: 'worked', hours: 150 }
const silver = { state: 'NY', age: '0+', effective_on: '2026-01-01', premium_in_cents: 45_000 }

describe('a day after a change', () => {
  it.each<[string, () => Promise<ApiResponse<unknown>>]>([
    ['a class', () => api.patch(them(), { effective_date: '2026-02-01', employee_class: 'Part Time' })],
    ['a compensation type', () => api.patch(them(), { effective_date: '2026-02-01', compensation_type: 'Hourly' })],
    ['a bargaining unit', () => api.patch(them(), { effective_date: '2026-02-01', bargaining_unit: 'Local 12' })],
    ['a wage', () => api.put(`${them()}/wage`, { monthly_wage_in_cents: 300_000, effective_on: '2026-01-01' })],
    [
      'a dependent',
      () =>
        api.post(`${them()}/dependents`, {
          relationship: 'child',
          first_name: 'Kit',
          last_name: 'Poe',
          date_of_birth: '2019-06-01',
        }),
    ],
    [
      'an address',
      () =>
        api.patch(them(), {
          effective_date: today,
          address: { address_line_1: '1 Elm', city: 'Troy', state: 'NY', zipcode: '12180' },
        }),
    ],
    [
      'wages of Form W-2',
      () => api.patch(`${at()}/tax-facts`, { tax_year: 2026, employees: [{ employee_id, w2_wages_in_cents: 100 }] }),
    ],
    ['the employer', () => api.put(at(), { name: 'Renamed' })],
    [
      'an assignment',
      async () => {
        const made = await api.post(`${them()}/assignments`, { client_name: 'Harbor Foods', starts_on: '2026-01-01' })
        assignment_id = made.body.data.id
        return made
      },
    ],
    ['a deleted assignment', () => api.call('DELETE', `/v1/assignments/${assignment_id}`)],
    [
      'a new ALE group',
      async () => {
        const made = await api.post('/v1/ale-groups', {
          name: 'Owned',
          members: [{ employer_id, employer_ids: [client_id] }],
        })
        ale_group_id = made.body.data.id
        return made
      },
    ],
    [
      'an employer that left the ALE group',
      () => api.put(`/v1/ale-groups/${ale_group_id}`, { name: 'Owned', members: [{ employer_id }] }),
    ],
    ['a deleted ALE group', () => api.call('DELETE', `/v1/ale-groups/${ale_group_id}`)],
    ['measurement policies', () => api.put(`${at()}/measurement-policies`, { policies })],
    ['hours', () => api.post(`${at()}/hours`, { rows: [{ employee_id, ...hours }] })],
    ['no measurement policies', () => api.put(`${at()}/measurement-policies`, { policies: [] })],
    [
      'figures of the operator',
      () =>
        api.post(
          '/operator/v1/affordability-figures',
          { year: 2026, required_contribution_percentage: 9.96 },
          byOperator(),
        ),
    ],
    [
      'a silver premium',
      () => api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows: [silver] }, byOperator()),
    ],
  ])('about %s, the forms are derived again, and not on the next day', async (_, change) => {
    const before = await derivedNextDay()
    const changed = await change()
    expect(changed.status, changed.text).toBeLessThan(300)
    await api.work()
    const after = await derivedNextDay()
    expect(after).not.toBe(before)
    expect(await derivedNextDay()).toBe(after)
  })

  it('derives no forms again for equal figures, or for silver premiums of another state or year', async () => {
    const before = await derivedNextDay()
    const rows = [
      { ...silver, state: 'WY', premium_in_cents: 46_000 },
      { ...silver, effective_on: '2023-01-01' },
    ]
    await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows }, byOperator())
    const figures = { year: 2026, required_contribution_percentage: 9.96 }
    await api.post('/operator/v1/affordability-figures', figures, byOperator())
    expect(await derivedNextDay()).toBe(before)
  })
})
