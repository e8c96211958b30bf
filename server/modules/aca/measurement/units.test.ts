import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** A home-care agency with employees under two collective bargaining agreements, and some under none. */
const api = useApi()

describe('the bargaining unit of an employee', () => {
  let employer_id: string
  const unnamed = aPerson({ reference_id: 'N-1', start_date: '2024-06-03' })
  const nurse = { ...unnamed, bargaining_unit: 'Local 12' }
  const clerk = aPerson({ reference_id: 'C-1', start_date: '2024-06-03', employee_class: 'Part Time' })

  const census = async (...employees: object[]) => {
    const answer = await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
    await api.work()
    const { census_sync_id } = answer.body.data
    return (await api.get(`/v1/employers/${employer_id}/census-sync/${census_sync_id}`)).body.data.counts
  }
  const employees = async () => (await api.get(`/v1/employers/${employer_id}/employees`)).body.data
  const idOf = async (reference_id: string): Promise<string> =>
    pick(await employees(), (one) => one.reference_id === reference_id).id
  const unitOf = async (id: string) => {
    const { bargaining_unit, bargaining_unit_effective_date } = (await api.get(`/v1/employees/${id}`)).body.data
    return [bargaining_unit, bargaining_unit_effective_date]
  }
  const policyOf = async (id: string, as_of: string) =>
    (await api.get(`/v1/employees/${id}/aca-status?as_of=${as_of}`)).body.data.measurement_policy

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    await census(nurse, clerk)
  })

  it('begins with the employment, is kept by rows that omit it, and is cleared by null', async () => {
    const [nurse_id, clerk_id] = [await idOf('N-1'), await idOf('C-1')]
    expect(await unitOf(nurse_id)).toEqual(['Local 12', '2024-06-03'])
    expect(await unitOf(clerk_id)).toEqual([null, null])
    expect(await census(unnamed, clerk)).toMatchObject({ unchanged: 2 })
    expect(await census({ ...clerk, bargaining_unit: 'Local 9' })).toMatchObject({ updated: 1 })
    expect(await unitOf(clerk_id)).toEqual(['Local 9', '2026-03-10'])
    expect(await census({ ...clerk, bargaining_unit: null })).toMatchObject({ updated: 1 })
    expect(await census({ ...clerk, bargaining_unit: null })).toMatchObject({ unchanged: 1 })
    expect(await unitOf(clerk_id)).toEqual([null, null])
  })

  it('can be set and ended for any past day by an operator’s correction', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2024-06-03' })
    const correct = (effective_date: string, bargaining_unit: string | null, dry_run = false) =>
      api.post(
        `/operator/v1/employees/${id}/corrections`,
        { effective_date, bargaining_unit, reason: 'Reported late', dry_run },
        { key: api.operator_key },
      )
    expect((await correct('2025-01-01', 'Local 12', true)).status).toBe(200)
    expect(await unitOf(id)).toEqual([null, null])
    expect((await correct('2025-01-01', 'Local 12')).body.data.bargaining_unit).toBe('Local 12')
    expect(await unitOf(id)).toEqual(['Local 12', '2025-01-01'])
    expect((await correct('2025-07-01', null)).status).toBe(200)
    expect(await unitOf(id)).toEqual([null, null])
  })

  it('changes starting on an effective date, and a rehire keeps it', async () => {
    const hire = { start_date: '2024-06-03', bargaining_unit: 'Local 9' }
    const { id } = await createEmployee(api, employer_id, hire)
    const change = (effective_date: string, bargaining_unit: string | null) =>
      api.patch(`/v1/employees/${id}`, { effective_date, bargaining_unit })
    expect((await change('2026-02-01', 'Local 12')).status).toBe(200)
    expect(await unitOf(id)).toEqual(['Local 12', '2026-02-01'])
    expect((await change('2025-06-01', null)).status).toBe(200)
    expect(await unitOf(id)).toEqual(['Local 12', '2026-02-01'])
    expect((await change('2026-03-01', null)).status).toBe(200)
    expect(await unitOf(id)).toEqual([null, null])
    await change('2026-03-01', 'Local 9')
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-05' })
    const rehired = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-10' })
    expect(rehired.body.data, rehired.text).toMatchObject({ bargaining_unit: 'Local 9' })
  })

  it('selects the measurement policy, from the day of a change on', async () => {
    const usual = { method: 'look_back', standard_starts_on: '2024-10-15' }
    const policies = [
      { ...usual, is_collectively_bargained: false },
      { ...usual, bargaining_unit: 'Local 12', standard_starts_on: '2025-01-01', standard_months: 6 },
      { method: 'monthly', is_collectively_bargained: true },
    ]
    const set = await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    expect(set.status, set.text).toBe(200)
    expect(set.body.data.policies).toMatchObject([
      { bargaining_unit: 'Local 12', is_collectively_bargained: true },
      { bargaining_unit: null, is_collectively_bargained: false },
      { bargaining_unit: null, is_collectively_bargained: true },
    ])
    const [nurse_id, clerk_id] = [await idOf('N-1'), await idOf('C-1')]
    await api.patch(`/v1/employees/${nurse_id}`, { effective_date: '2025-09-01', bargaining_unit: 'Local 9' })
    await api.patch(`/v1/employees/${nurse_id}`, { effective_date: '2026-01-01', bargaining_unit: null })
    const measured = ['2025-08-31', '2025-09-01', '2026-01-01'].map((day) => policyOf(nurse_id, day))
    expect(await Promise.all(measured)).toMatchObject([
      { bargaining_unit: 'Local 12', standard_months: 6 },
      { method: 'monthly', is_collectively_bargained: true },
      { method: 'look_back', is_collectively_bargained: false },
    ])
    expect(await policyOf(clerk_id, '2026-03-01')).toMatchObject({ is_collectively_bargained: false })
  })

  it('decides the status: hours of a month under one agreement, a stability period under another', async () => {
    const id = await idOf('C-1')
    const rows = Array.from({ length: 16 }, (_, index) => {
      const month = `${index < 5 ? 2024 : 2025}-${String(index < 5 ? index + 8 : index - 4).padStart(2, '0')}`
      const dates = { period_starts_on: `${month}-01`, period_ends_on: `${month}-28` }
      return { employee_id: id, ...dates, kind: 'worked', hours: index === 14 ? 150 : 100 }
    })
    await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    await api.work()
    const status = async () => (await api.get(`/v1/employees/${id}/aca-status?as_of=2025-10-15`)).body.data
    expect(await status()).toMatchObject({ is_full_time: false, reason_code: 'initial_measurement' })
    await api.patch(`/v1/employees/${id}`, { effective_date: '2025-01-01', bargaining_unit: 'Local 9' })
    expect(await status()).toMatchObject({ is_full_time: true, reason_code: 'monthly_hours' })
  })

  it.each([
    [{ bargaining_unit: 'Local 12', is_collectively_bargained: false }, 'policies[0].is_collectively_bargained'],
    [{ bargaining_unit: 12 }, 'policies[0].bargaining_unit'],
  ])('refuses the category %j', async (category, field) => {
    const policies = [{ method: 'monthly', ...category }]
    const refused = await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    expect(refused.status).toBe(400)
    expect(only(refused.error.details)).toMatchObject({ field })
  })
})

describe('the home of an employee', () => {
  it('selects the policy of its state on each day, and the daily run follows a corrected day of a move', async () => {
    const employer_id = await createEmployer(api)
    const homeIn = (state: string) => ({
      address: { address_line_1: '1 Elm St', city: 'Elko', state, zipcode: '89801' },
    })
    const hire = { start_date: '2025-11-03', employee_class: 'Part Time', ...homeIn('UT') }
    const { id } = await createEmployee(api, employer_id, hire)
    const policies = [
      { method: 'look_back', standard_starts_on: '2025-10-15' },
      { method: 'monthly', state: 'NV' },
    ]
    await api.put(`/v1/employers/${employer_id}/measurement-policies`, { policies })
    const rows = ['2026-01', '2026-02'].map((month) => {
      const dates = { period_starts_on: `${month}-01`, period_ends_on: `${month}-28` }
      return { employee_id: id, ...dates, kind: 'worked', hours: 150 }
    })
    await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    await api.work()
    const fullTimeSinceMove = async (effective_date: string) => {
      api.wait(1000)
      const moved = await api.patch(`/v1/employees/${id}`, { effective_date, ...homeIn('NV') })
      expect(moved.status, moved.text).toBe(200)
      api.wait(24 * 3_600_000)
      await api.runDays()
      const { statuses } = (await api.get(`/v1/employees/${id}/aca-status`)).body.data
      const stored = await api.database.reads.rows<{ starts_on: string }>(
        `select starts_on from measured_statuses where employee_id = '${id}' and is_full_time`,
      )
      return [statuses.find((status) => status.is_full_time)?.starts_on, ...stored.map(({ starts_on }) => starts_on)]
    }
    expect(await fullTimeSinceMove('2026-02-01')).toEqual(['2026-02-01', '2026-02-01'])
    expect(await fullTimeSinceMove('2026-01-01')).toEqual(['2026-01-01', '2026-01-01'])
  })
})
