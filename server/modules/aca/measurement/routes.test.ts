import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** A staffing firm that measures from October 15, with stability periods in calendar years. Today is March 10, 2026. */
const api = useApi()

describe('the measurement of employees', () => {
  let employer_id: string
  let ada: string

  const policies = () => `/v1/employers/${employer_id}/measurement-policies` as const
  const statusOf = async (employee_id: string, as_of?: string) =>
    (await api.get(`/v1/employees/${employee_id}/aca-status${as_of ? `?as_of=${as_of}` : ''}`)).body.data

  const hired = async (input: object) =>
    (await createEmployee(api, employer_id, { start_date: '2025-02-10', employee_class: 'Part Time', ...input })).id

  /** Reports a month of 2025 or 2026 as worked hours. */
  const report = async (employee_id: string, months: Record<string, number>) => {
    const rows = Object.entries(months).map(([month, hours]) => ({
      employee_id,
      period_starts_on: `${month}-01`,
      period_ends_on: `${month}-28`,
      kind: 'worked',
      hours,
    }))
    const answer = await api.post(`/v1/employers/${employer_id}/hours`, { rows })
    expect(answer.body.data, answer.text).toMatchObject({ failed_count: 0 })
    await api.work()
  }
  const months = (from: number, to: number, year: number, hours: number) =>
    Object.fromEntries(
      Array.from({ length: to - from + 1 }, (_, index) => [`${year}-${String(from + index).padStart(2, '0')}`, hours]),
    )

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    ada = await hired({})
  })

  it('needs a policy', async () => {
    expect(await statusOf(ada)).toMatchObject({
      is_full_time: null,
      reason_code: 'no_policy',
      reason: 'The employer has no measurement policy. Set one to measure hours.',
      measurement_policy: null,
      statuses: [],
      months: [],
    })
    expect((await api.get(policies())).body.data).toEqual({ employer_id, policies: [] })
  })

  it('refuses policies that the regulation does not allow, with the field', async () => {
    const refused = async (policy: object) => {
      const answer = await api.put(policies(), { policies: [{ method: 'look_back', ...policy }] })
      expect(answer.status).toBe(400)
      return answer.error.details.map(({ field }: { field: string }) => field)
    }
    const standard_starts_on = '2025-10-15'
    expect(await refused({})).toEqual(['policies[0].standard_starts_on'])
    expect(await refused({ standard_starts_on, stability_months: 6 })).toEqual(['policies[0].stability_months'])
    expect(await refused({ standard_starts_on, initial_months: 6 })).toEqual(['policies[0].initial_months'])
    expect(await refused({ standard_starts_on, initial_administrative_months: 2 })).toEqual([
      'policies[0].initial_administrative_months',
    ])
    expect(await refused({ standard_starts_on: '2025-10-02' })).toEqual(['policies[0].administrative_months'])
    expect(await refused({ standard_starts_on, standard_months: 2 })).toEqual(['policies[0].standard_months'])
    const twice = await api.put(policies(), { policies: [{ method: 'monthly' }, { method: 'monthly' }] })
    expect(twice.status).toBe(400)
  })

  it('has no periods with the monthly method', async () => {
    const set = await api.put(policies(), { policies: [{ method: 'monthly', stability_months: 6 }] })
    const no_periods = { standard_starts_on: null, standard_months: null, stability_months: null, initial_starts: null }
    expect(only(set.body.data.policies)).toMatchObject({ method: 'monthly', by_weeks: false, ...no_periods })
    expect((await api.put(policies(), { policies: set.body.data.policies })).status).toBe(200)
  })

  it('ends running stability periods before new ones, if the plan year moves (Notice 2014-49)', async () => {
    const own = await createEmployer(api)
    const { id } = await createEmployee(api, own, { start_date: '2023-06-05', employee_class: 'Part Time' })
    const usual = { method: 'look_back', standard_starts_on: '2024-10-15' }
    const summers = { ...usual, standard_starts_on: '2025-04-15', effective_on: '2026-03-01' }
    const put = (policies: object[]) => api.put(`/v1/employers/${own}/measurement-policies`, { policies })
    const rows = Array.from({ length: 24 }, (_, index) => {
      const month = `${2024 + Math.floor((index + 2) / 12)}-${String(((index + 2) % 12) + 1).padStart(2, '0')}`
      const days = { period_starts_on: `${month}-01`, period_ends_on: `${month}-28` }
      return { employee_id: id, ...days, kind: 'worked', hours: month < '2025-11' ? 140 : 80 }
    })
    await api.post(`/v1/employers/${own}/hours`, { rows })
    expect((await put([usual, { ...usual, effective_on: '2026-03-01' }])).status).toBe(200)
    expect((await put([usual, summers, summers])).status).toBe(400)
    const set = await put([usual, summers])
    expect(set.body.data.policies).toMatchObject([{ effective_on: null }, { effective_on: '2026-03-01' }])
    await api.work()
    const status = async (as_of: string) => (await api.get(`/v1/employees/${id}/aca-status?as_of=${as_of}`)).body.data
    expect(await status('2026-12-31')).toMatchObject({
      is_full_time: true,
      measurement_policy: { effective_on: '2026-03-01' },
    })
    expect((await status('2026-02-28')).measurement_policy).toMatchObject({ effective_on: null })
    const { measurements } = await status('2026-03-10')
    expect(measurements.at(-1)).toMatchObject({
      measurement_period: { starts_on: '2025-04-15', ends_on: '2026-04-14' },
      stability_period: { starts_on: '2026-07-01', ends_on: '2027-06-30' },
    })
  })

  it('explains each date of an initial measurement', async () => {
    const set = await api.put(policies(), { policies: [{ method: 'look_back', standard_starts_on: '2025-10-15' }] })
    expect(set.status, set.text).toBe(200)
    expect(set.body.data.policies).toMatchObject([{ standard_months: 12, stability_months: 12, initial_months: 12 }])
    await report(ada, { ...months(3, 12, 2025, 140), ...months(1, 1, 2026, 140) })
    const status = await statusOf(ada)
    expect(status).toMatchObject({
      is_full_time: false,
      reason_code: 'measuring',
      status_starts_on: '2025-02-10',
      status_ends_on: '2026-03-31',
      service_starts_on: '2025-02-10',
    })
    expect(status.measurements).toMatchObject([
      {
        kind: 'initial',
        measurement_period: { starts_on: '2025-02-10', ends_on: '2026-02-09' },
        administrative_period: { starts_on: '2026-02-10', ends_on: '2026-03-31' },
        stability_period: { starts_on: '2026-04-01', ends_on: '2027-03-31' },
        has_ended: true,
        hours: 1540,
        average_weekly_hours: 29.53,
        is_full_time: false,
      },
      { kind: 'standard', has_ended: false, stability_period: { starts_on: '2027-01-01' } },
    ])
    expect(status.months.map(({ status }: { status: string }) => status).slice(0, 4)).toEqual([
      'limited_non_assessment',
      'limited_non_assessment',
      'limited_non_assessment',
      'part_time',
    ])
  })

  it('derives the status again after a correction, and publishes it once', async () => {
    await report(ada, { '2025-12': 180 })
    await report(ada, { '2025-12': 180 })
    expect(await statusOf(ada, '2026-04-01')).toMatchObject({
      is_full_time: true,
      reason_code: 'initial_measurement',
      status_starts_on: '2026-04-01',
    })
    const events = (await api.events(ada)).filter((name) => name === 'employee.measured_full_time')
    expect(events).toHaveLength(1)
  })

  it('lists employees who are trending toward full-time status, and opens one task with their count', async () => {
    const tasks = async () => (await api.get(`/v1/tasks?kind=full_time_trend&employer_id=${employer_id}`)).body.data
    const listed = async (query: string) =>
      (await api.get(`/v1/employers/${employer_id}/aca-statuses?${query}`)).body.data
    expect(await tasks()).toEqual([])
    const hana = await hired({ start_date: '2025-09-01' })
    const ivo = await hired({ start_date: '2025-09-01' })
    await report(hana, { ...months(9, 12, 2025, 150), ...months(1, 2, 2026, 150) })
    await report(ivo, { ...months(9, 12, 2025, 90), ...months(1, 2, 2026, 90) })
    expect(await tasks()).toMatchObject([
      {
        people_count: 1,
        due_on: '2026-08-31',
        resource_id: employer_id,
        action: { path: `/v1/employers/${employer_id}/aca-statuses` },
      },
    ])
    expect(await listed('is_trending=true')).toMatchObject([
      {
        employee_id: hana,
        is_full_time: false,
        reason_code: 'measuring',
        status_starts_on: '2025-09-01',
        next_change_on: '2026-09-01',
      },
    ])
    expect((await listed('is_full_time=false')).map((one) => one.employee_id)).toEqual([ivo, hana, ada])
    expect(await listed('is_full_time=true')).toEqual([])
    await report(hana, months(1, 2, 2026, 20))
    expect(await tasks()).toEqual([])
  })

  it('finds a trend only after 28 measured days', async () => {
    const [jo, kai] = [await hired({ start_date: '2026-02-01' }), await hired({ start_date: '2026-02-02' })]
    for (const id of [jo, kai]) await report(id, months(2, 2, 2026, 150))
    const { data } = (await api.get(`/v1/employers/${employer_id}/aca-statuses?is_trending=true`)).body
    expect(data.map((one) => one.employee_id)).toEqual([jo])
    await report(jo, months(2, 2, 2026, 20))
  })

  it('measures new employees with the daily run', async () => {
    const ben = await hired({ start_date: '2026-03-02', employee_class: 'Full Time' })
    api.moveTo('2026-03-11')
    await api.runDays()
    const stored = await api.database.reads.rows(
      'select starts_on, ends_on, is_full_time, reason, decided_on from measured_statuses where employee_id = $1',
      [ben],
    )
    expect(stored).toEqual([
      { starts_on: '2026-03-02', ends_on: null, is_full_time: true, reason: 'expected_full_time', decided_on: null },
    ])
  })

  it('measures an employee again in the daily run after a new assignment', async () => {
    const measuredAt = async (day: string) => {
      api.moveTo(day)
      await api.runDays()
      return api.database.reads.row('select measured_at from employee_measurements where employee_id = $1', [ada])
    }
    const before = await measuredAt('2026-03-12')
    expect(await measuredAt('2026-03-13')).toEqual(before)
    await api.post(`/v1/employees/${ada}/assignments`, { client_name: 'Mine', starts_on: '2026-03-02' })
    expect(await measuredAt('2026-03-14')).not.toEqual(before)
  })

  it('ends with the stability period', async () => {
    api.moveTo('2026-10-16')
    await report(ada, months(2, 9, 2026, 10))
    expect(await statusOf(ada)).toMatchObject({ is_full_time: true, reason_code: 'initial_measurement' })
    expect(await statusOf(ada, '2027-04-01')).toMatchObject({ is_full_time: false })
    api.moveTo('2027-04-01')
    await report(ada, months(10, 12, 2026, 10))
    expect(await statusOf(ada)).toMatchObject({ is_full_time: false, reason_code: 'standard_measurement' })
    const events = (await api.events(ada)).filter((name) => name === 'employee.stability_ended')
    expect(events).toHaveLength(1)
  })

  it('measures the people of an employer again when it joins or leaves an aggregated ALE group', async () => {
    const members = await Promise.all(['Firm', 'Cannery'].map((name) => createEmployer(api, { name })))
    const [firm, cannery] = members as [string, string]
    const person = {
      first_name: 'Juno',
      last_name: 'Park',
      date_of_birth: '1991-05-06',
      personal_email: 'j@park.example',
    }
    const worker = { ...person, start_date: '2025-10-01', employee_class: 'Part Time' }
    const ids: string[] = []
    let known = {}
    for (const employer of members) {
      const { id, member_id } = await createEmployee(api, employer, { ...worker, ...known })
      known = { member_id }
      ids.push(id)
      await api.put(`/v1/employers/${employer}/measurement-policies`, { policies: [{ method: 'monthly' }] })
      const period = { period_starts_on: '2027-02-01', period_ends_on: '2027-02-28', kind: 'worked', hours: 70 }
      await api.post(`/v1/employers/${employer}/hours`, { rows: [{ ...period, employee_id: ids.at(-1) }] })
    }
    const stored = async () => {
      await api.work()
      const rows = await api.database.reads.rows<{ employee_id: string }>(
        `select employee_id from measured_statuses where starts_on = '2027-02-01' and is_full_time`,
      )
      return ids.map((id) => rows.some(({ employee_id }) => employee_id === id))
    }
    expect(await stored()).toEqual([false, false])
    const group = { name: 'Firm', members: [{ employer_id: firm, employer_ids: [cannery] }] }
    const { id } = (await api.post('/v1/ale-groups', group)).body.data
    expect(await stored()).toEqual([true, true])
    // Hours add up in the whole group, also between its EINs (54.4980H-1(a)(16) and (21)).
    await api.put(`/v1/ale-groups/${id}`, { ...group, members: [{ employer_id: firm }, { employer_id: cannery }] })
    expect(await stored()).toEqual([true, true])
    await api.put(`/v1/ale-groups/${id}`, { ...group, members: [{ employer_id: firm }] })
    expect(await stored()).toEqual([false, false])
    await api.put(`/v1/ale-groups/${id}`, group)
    expect(await stored()).toEqual([true, true])
    expect((await api.call('DELETE', `/v1/ale-groups/${id}`)).status).toBe(200)
    expect(await stored()).toEqual([false, false])
  })

  it('measures by the policy of the state of the worksite, from the first day of an assignment on', async () => {
    const own = await createEmployer(api)
    const { id } = await createEmployee(api, own, { start_date: '2024-06-03', employee_class: 'Part Time' })
    const policies = [
      { method: 'look_back', standard_starts_on: '2024-10-15' },
      { method: 'monthly', state: 'NV' },
    ]
    await api.put(`/v1/employers/${own}/measurement-policies`, { policies })
    const methods = async () => {
      const days = ['2025-02-28', '2025-03-01', '2025-09-01', '2026-01-01']
      const found = await Promise.all(days.map((day) => statusOf(id, day)))
      return found.map(({ measurement_policy }) => measurement_policy!.method)
    }
    expect(await methods()).toEqual(['look_back', 'look_back', 'look_back', 'look_back'])
    const assign = async (starts_on: string, state: string, ends_on?: string) => {
      const worksite = { address_line_1: '7 Pier Rd', city: 'Elko', state, zipcode: '89801' }
      const made = await api.post(`/v1/employees/${id}/assignments`, {
        client_name: 'Mine',
        worksite,
        starts_on,
        ends_on,
      })
      expect(made.status, made.text).toBe(201)
    }
    await assign('2025-03-01', 'NV', '2025-08-31')
    expect(await methods()).toEqual(['look_back', 'monthly', 'monthly', 'monthly'])
    await assign('2026-01-01', 'UT')
    expect(await methods()).toEqual(['look_back', 'monthly', 'monthly', 'look_back'])
  })

  it('names the next step for a person without a status, or without reported hours', async () => {
    const own = await createEmployer(api)
    const hire = async (input: object) => (await createEmployee(api, own, { start_date: '2024-06-03', ...input })).id
    const hourly = await hire({ employee_class: 'Part Time', compensation_type: 'Hourly' })
    const salaried = await hire({ employee_class: 'Part Time', compensation_type: 'Salary' })
    const contractor = await hire({ employee_class: 'Individual Contractor', compensation_type: 'Hourly' })
    const policy = { method: 'look_back', standard_starts_on: '2024-10-15', compensation_type: 'Hourly' }
    await api.put(`/v1/employers/${own}/measurement-policies`, { policies: [policy] })
    const reasonOf = async (id: string, as_of?: string) => (await statusOf(id, as_of)).reason
    expect(await reasonOf(hourly)).toBe(
      'No hours are reported for the measurement period, so the employee class decides. Report the hours.',
    )
    expect(await reasonOf(salaried)).toBe(
      'No measurement policy of the employer applies to this employee. Add one for the compensation type, state or ' +
        'bargaining unit of the employee, or one for all employees.',
    )
    expect(await reasonOf(contractor)).toBe('Hours of individual contractors are not measured.')
    // The initial measurement decides until the first standard one does, 31 days after its stability period.
    const newer = await hire({ start_date: '2024-10-20', employee_class: 'Part Time', compensation_type: 'Hourly' })
    const january = { period_starts_on: '2025-01-01', period_ends_on: '2025-01-31', kind: 'worked', hours: 80 }
    await api.post(`/v1/employers/${own}/hours`, { rows: [{ employee_id: newer, ...january }] })
    for (const day of ['2026-11-30', '2026-12-15']) expect(await reasonOf(newer, day)).toMatch(/^The initial measure/)
  })

  it('hides employees and employers of others', async () => {
    const as = { key: api.story.rival_api_key }
    for (const path of [policies(), `/v1/employees/${ada}/aca-status`, `/v1/employers/${employer_id}/aca-statuses`])
      expect((await api.get(path, as)).status).toBe(404)
    expect(codeOf(await api.put(policies(), { policies: [] }, as))).toEqual([404, 'not_found'])
  })

  it('shows in a dry run whose status the hours change, from which day, and to what', async () => {
    const own = await createEmployer(api)
    const hire = { start_date: '2024-06-03', employee_class: 'Part Time' }
    const [dee, eve] = [await createEmployee(api, own, hire), await createEmployee(api, own, hire)]
    const policies = [{ method: 'look_back', standard_starts_on: '2024-10-15' }]
    await api.put(`/v1/employers/${own}/measurement-policies`, { policies })
    const rowsOf = (employee_id: string, hours: number) =>
      Object.entries({ ...months(1, 12, 2025, hours), ...months(1, 2, 2026, hours) }).map(([month, hours]) => ({
        employee_id,
        period_starts_on: `${month}-01`,
        period_ends_on: `${month}-28`,
        kind: 'worked',
        hours,
      }))
    const send = async (rows: object[], query = '') => {
      const answer = await api.post(`/v1/employers/${own}/hours${query}`, { rows })
      await api.work()
      return answer.body.data.status_changes
    }
    const rows = [...rowsOf(dee.id, 180), ...rowsOf(eve.id, 60)]
    const to_full_time = {
      employee_id: dee.id,
      person_name: `${dee.first_name} ${dee.last_name}`,
      starts_on: '2026-01-01',
      ends_on: '2026-12-31',
      is_full_time_before: false,
      is_full_time_after: true,
    }
    expect(await send(rows, '?dry_run=true')).toEqual([to_full_time])
    expect((await statusOf(dee.id, '2026-03-10')).is_full_time).toBe(false)
    expect(await send(rows)).toEqual([])
    expect((await statusOf(dee.id, '2026-03-10')).is_full_time).toBe(true)
    const removed = rowsOf(dee.id, 0).map(({ hours: _, ...row }) => ({ ...row, action: 'remove' }))
    const back = { ...to_full_time, is_full_time_before: true, is_full_time_after: false }
    expect(await send([...removed, ...rowsOf(eve.id, 61)], '?dry_run=true')).toEqual([back])
    expect(await send([...rowsOf(eve.id, 62)], '?dry_run=true')).toEqual([])
  })

  it('shows in a dry run the status at each employer with the EIN, because hours add up', async () => {
    const [firm, cannery] = [await createEmployer(api), await createEmployer(api)]
    await api.post('/v1/ale-groups', { name: 'Firm', members: [{ employer_id: firm, employer_ids: [cannery] }] })
    const worker = aPerson({ start_date: '2025-10-01', employee_class: 'Part Time' })
    const at_firm = await createEmployee(api, firm, worker)
    const at_cannery = await createEmployee(api, cannery, { ...worker, member_id: at_firm.member_id })
    for (const one of [firm, cannery])
      await api.put(`/v1/employers/${one}/measurement-policies`, { policies: [{ method: 'monthly' }] })
    const report = async (employee: typeof at_firm, hours: number, query = '') => {
      const period = { period_starts_on: '2027-02-01', period_ends_on: '2027-02-28', kind: 'worked' }
      const rows = [{ employee_id: employee.id, ...period, hours }]
      const answer = await api.post(`/v1/employers/${employee.employer_id}/hours${query}`, { rows })
      await api.work()
      return answer.body.data.status_changes.map((one) => [one.employee_id, one.starts_on, one.is_full_time_after])
    }
    const both = [at_firm.id, at_cannery.id].toSorted()
    const february = () => Promise.all(both.map(async (id) => (await statusOf(id, '2027-02-10')).is_full_time))
    await report(at_firm, 70)
    expect(await report(at_cannery, 70, '?dry_run=true')).toEqual(both.map((id) => [id, '2027-02-01', true]))
    await report(at_cannery, 70)
    expect(await february()).toEqual([true, true])
    expect(await report(at_cannery, 60, '?dry_run=true')).toEqual([])
    expect(await report(at_cannery, 59, '?dry_run=true')).toEqual(both.map((id) => [id, '2027-02-01', false]))
  })
})
