import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi, type CallOptions } from '../../../test/harness.ts'
import { aWorker, hrisOf } from '../../../test/clients/hris.ts'
import { first, only } from '../../../test/pick.ts'
import { statements } from '../../../database/sql/statement.ts'
import { insertHours } from '../../roster/hris/run-queries.ts'

/** A staffing firm with two hourly employees and one with a salary. Today is March 10, 2026. */
const api = useApi()

describe('the hours of service of an employer', () => {
  let employer_id: string
  let ada: string
  let ben: string
  let cleo: string

  const path = () => `/v1/employers/${employer_id}/hours` as const

  const report = (rows: object[], options: CallOptions = {}) => api.post(path(), { rows }, options)
  const dryRun = async (rows: object[]) => (await api.post(`${path()}?dry_run=true`, { rows })).body.data

  /** A row about the first half of a month of 2026. */
  const half = (month: string, row: object) => ({
    period_starts_on: `2026-${month}-01`,
    period_ends_on: `2026-${month}-14`,
    kind: 'worked',
    ...row,
  })

  const recorded = async (employee_id: string) =>
    (await api.get(`/v1/employees/${employee_id}/hours`)).body.data.map(
      ({ period_starts_on, period_ends_on, kind, hours }) => [period_starts_on, period_ends_on, kind, hours],
    )

  beforeAll(async () => {
    employer_id = await createEmployer(api)
    const hired = (input: object) => createEmployee(api, employer_id, { start_date: '2025-06-02', ...input })
    ada = (await hired({ reference_id: 'T-1', compensation_type: 'Hourly' })).id
    ben = (await hired({ reference_id: 'T-2', compensation_type: 'Hourly' })).id
    cleo = (await hired({ reference_id: 'S-1', compensation_type: 'Salary' })).id
  })

  it('are recorded by id or reference, and days and weeks count 8 and 40 hours', async () => {
    const answer = await report([
      half('01', { employee_id: ada, hours: 76.25 }),
      half('01', { reference_id: 'T-2', hours: 40 }),
      half('01', { reference_id: 'T-2', kind: 'paid_leave', hours: 8 }),
      half('01', { reference_id: 'S-1', days: 9 }),
      half('02', { reference_id: 'S-1', weeks: 2 }),
    ])
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ row_count: 5, added_count: 5, failed_count: 0, late_count: 0 })
    expect(answer.body.data).toMatchObject({ failures: [], changes: [], dry_run: false })
    expect(await recorded(ada)).toEqual([['2026-01-01', '2026-01-14', 'worked', 76.25]])
    expect(await recorded(ben)).toEqual([
      ['2026-01-01', '2026-01-14', 'paid_leave', 8],
      ['2026-01-01', '2026-01-14', 'worked', 40],
    ])
    expect(await recorded(cleo)).toEqual([
      ['2026-02-01', '2026-02-14', 'worked', 80],
      ['2026-01-01', '2026-01-14', 'worked', 72],
    ])
  })

  it('come as CSV, and reporting them again changes nothing', async () => {
    const raw = [
      'Reference_ID;period_starts_on;period_ends_on;kind;hours',
      'T-1;2026-01-01;2026-01-14;worked;76.25',
      'T-1;2026-02-01;2026-02-14;worked;80',
      '',
    ].join('\r\n')
    const answer = await api.post(path(), undefined, { raw, headers: { 'content-type': 'text/csv' } })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data).toMatchObject({ added_count: 1, unchanged_count: 1, changed_count: 0, failed_count: 0 })
    const again = await api.post(path(), undefined, { raw, headers: { 'content-type': 'text/csv' } })
    expect(again.body.data).toMatchObject({ added_count: 0, unchanged_count: 2 })
  })

  it('show in a dry run what corrections, removals and late hours change, which then apply', async () => {
    const rows = [
      half('01', { employee_id: ada, hours: 60 }),
      half('01', { employee_id: ben, kind: 'paid_leave', action: 'remove' }),
      half('02', { employee_id: ben, hours: 12.5 }),
      half('03', { employee_id: ben, hours: 30 }),
      half('02', { employee_id: ben, kind: 'paid_leave', action: 'remove' }),
    ]
    const before = await recorded(ada)
    const planned = await dryRun(rows)
    expect(planned).toMatchObject({ dry_run: true, added_count: 2, changed_count: 1, removed_count: 1, late_count: 1 })
    expect(planned.unchanged_count).toBe(1)
    expect(planned.changes.map((one) => [one.index, one.hours_before, one.hours_after, one.is_late])).toEqual([
      [0, 76.25, 60, false],
      [1, 8, null, false],
      [2, null, 12.5, true],
    ])
    expect(await recorded(ada)).toEqual(before)
    const { body } = await report(rows)
    expect({ ...body.data, dry_run: true }).toEqual({ ...planned, reported_at: body.data.reported_at })
    expect((await recorded(ada)).at(-1)).toEqual(['2026-01-01', '2026-01-14', 'worked', 60])
    expect(await recorded(ben)).toEqual([
      ['2026-03-01', '2026-03-14', 'worked', 30],
      ['2026-02-01', '2026-02-14', 'worked', 12.5],
      ['2026-01-01', '2026-01-14', 'worked', 40],
    ])
  })

  it('include special unpaid leave and employment breaks, which are recorded by day and without hours', async () => {
    const leave = { period_starts_on: '2026-01-15', period_ends_on: '2026-05-15', kind: 'special_unpaid_leave' }
    const answer = await report([{ ...leave, employee_id: cleo }])
    expect(answer.body.data).toMatchObject({ added_count: 1, failures: [] })
    expect((await recorded(cleo))[1]).toEqual(['2026-01-15', '2026-05-15', 'special_unpaid_leave', 0])
  })

  it('fail individually with the field and the reason, and all others are recorded', async () => {
    const { body } = await report([
      half('03', { reference_id: 'X-9', hours: 1 }),
      half('03', { employee_id: 'empl_01kdq7b4w8e9rs2mh3n5t6v7xz', hours: 1 }),
      { ...half('03', { employee_id: ada, hours: 1 }), period_starts_on: '2025-05-01', period_ends_on: '2025-05-31' },
      half('04', { employee_id: ada, hours: 1 }),
      half('03', { employee_id: ada, days: 3 }),
      { ...half('02', { employee_id: ada, hours: 1 }), period_starts_on: '2026-02-08' },
      half('02', { reference_id: 'S-1', hours: 70 }),
      half('02', { employee_id: cleo, hours: 70 }),
      half('03', { employee_id: cleo, hours: 70 }),
    ])
    expect(body.data.failures.map(({ index, field, reason }) => [index, field, reason])).toEqual([
      [0, 'reference_id', 'is not an employee of the employer'],
      [1, 'employee_id', 'is not an employee of the employer'],
      [2, 'period_starts_on', 'starts a period without a day of employment'],
      [3, 'period_starts_on', 'must not be after today'],
      [4, 'hours', 'is required instead of days or weeks, because the employee is paid by the hour'],
      [5, 'period_starts_on', 'starts a period that overlaps with another recorded period: remove that one first'],
      [7, 'period_starts_on', 'overlaps with the period of another row of the same employee and kind'],
    ])
    expect(body.data).toMatchObject({ failed_count: 7, changed_count: 1, added_count: 1 })
  })

  it.each([
    [{ hours: 1 }, 'reference_id', 'is required, unless you send employee_id'],
    [{ reference_id: 'T-1' }, 'hours', 'is required, unless you send days or weeks'],
    [{ reference_id: 'T-1', hours: 8, days: 1 }, 'days', 'is not allowed with hours'],
    [{ reference_id: 'T-1', hours: 337 }, 'hours', 'must be at most 336, the hours of the period'],
    [{ reference_id: 'T-1', days: 15 }, 'days', 'must be at most 14, the days of the period'],
    [{ reference_id: 'T-1', weeks: 3 }, 'weeks', 'must be at most 2, the weeks of the period'],
    [{ reference_id: 'T-1', hours: 1.005 }, 'hours', 'must have at most two decimals'],
    [{ reference_id: 'T-1', hours: -1 }, 'hours', 'must be at least 0'],
    [{ reference_id: 'T-1', hours: '8' }, 'hours', 'must be a number'],
    [{ reference_id: 'T-1', hours: 8, action: 'remove' }, 'hours', 'is not allowed with remove'],
    [{ reference_id: 'T-1', kind: 'employment_break', hours: 8 }, 'hours', 'has no hours of service'],
    [
      { reference_id: 'T-1', hours: 8, period_ends_on: '2025-12-31' },
      'period_ends_on',
      'must not be before period_starts_on',
    ],
    [
      { reference_id: 'T-1', hours: 8, period_ends_on: '2026-02-01' },
      'period_ends_on',
      'must end a period of at most 31 days',
    ],
  ])('are refused with the row and the field: %j', async (row, field, message) => {
    const answer = await report([half('01', { reference_id: 'T-2', hours: 1 }), half('01', row)])
    expect(answer.status).toBe(400)
    expect(answer.error.details).toEqual([{ field: `rows[1].${field}`, message }])
  })

  it('are refused if two rows of a report overlap', async () => {
    const row = half('03', { reference_id: 'T-1', hours: 10 })
    const answer = await report([row, { ...row, period_starts_on: '2026-03-14', period_ends_on: '2026-03-20' }])
    expect([answer.status, answer.error.details]).toEqual([
      400,
      [{ field: 'rows[1].period_starts_on', message: 'overlaps with the period of row 1' }],
    ])
  })

  it('are compared across the end of a year', async () => {
    const new_year = { reference_id: 'T-1', kind: 'worked', hours: 10, period_starts_on: '2025-12-25' }
    const { status, error } = await report([
      { ...new_year, period_ends_on: '2026-01-02' },
      { ...half('01', { reference_id: 'T-1', hours: 1 }), period_starts_on: '2026-01-03' },
      { ...new_year, period_ends_on: '2025-12-25' },
      half('01', { reference_id: 'T-1', hours: 1 }),
    ])
    const message = 'overlaps with the period of row 1'
    expect([status, error.details]).toEqual([
      400,
      [2, 3].map((at) => ({ field: `rows[${at}].period_starts_on`, message })),
    ])
  })

  it('can be listed by employer with filters, and the reports show the last day with known hours', async () => {
    const listed = async (query: string) => (await api.get(`${path()}?${query}`)).body
    expect((await listed('kind=special_unpaid_leave')).pagination.total).toBe(1)
    const february = await listed('from=2026-02-01&to=2026-02-28&kind=worked')
    expect(february.data.map(({ hours }) => hours).toSorted((a, b) => a - b)).toEqual([12.5, 70, 80])
    const reports = (await api.get(`/v1/employers/${employer_id}/hours-reports`)).body.data
    expect(reports).toHaveLength(6)
    expect(first(reports)).toMatchObject({
      period_starts_on: '2026-02-01',
      period_ends_on: '2026-03-14',
      failed_count: 7,
    })
  })

  it('follow the reference to the employment during the period', async () => {
    const person = await createEmployee(api, employer_id, { reference_id: 'R-1', start_date: '2026-01-05' })
    await api.post(`/v1/employees/${person.id}/terminate`, { termination_date: '2026-02-20' })
    const again = await api.post(`/v1/employees/${person.id}/rehire`, { start_date: '2026-03-02', reference_id: 'R-1' })
    const rows = [half('02', { reference_id: 'R-1', hours: 11 }), half('03', { reference_id: 'R-1', hours: 22 })]
    expect((await report(rows)).body.data).toMatchObject({ added_count: 2, failures: [] })
    expect(await recorded(person.id)).toEqual([['2026-02-01', '2026-02-14', 'worked', 11]])
    expect(await recorded(again.body.data.id)).toEqual([['2026-03-01', '2026-03-14', 'worked', 22]])
  })

  it('never overlap if one report names a person by id and by reference', async () => {
    const dora = await createEmployee(api, employer_id, { reference_id: 'D-1', start_date: '2025-06-02' })
    const later = { ...half('02', { employee_id: dora.id, hours: 10 }), period_starts_on: '2026-02-08' }
    const rows = [later, half('02', { reference_id: 'D-1', hours: 20 })]
    const { failed_count, failures } = (await report(rows)).body.data
    expect([failed_count, first(failures)]).toMatchObject([
      1,
      {
        index: 0,
        field: 'period_starts_on',
        reason: 'overlaps with the period of another row of the same employee and kind',
      },
    ])
    expect(await recorded(dora.id)).toEqual([['2026-02-01', '2026-02-14', 'worked', 20]])
  })

  it('are hidden from other organizations and employers, and change nothing there', async () => {
    const key = api.story.rival_api_key
    expect((await report([half('03', { employee_id: ada, hours: 1 })], { key })).status).toBe(404)
    for (const hidden of [path(), `/v1/employers/${employer_id}/hours-reports`, `/v1/employees/${ada}/hours`] as const)
      expect((await api.get(hidden, { key })).status).toBe(404)
    const other = await createEmployer(api)
    const foreign = {
      rows: [half('03', { employee_id: ada, hours: 1 }), half('03', { reference_id: 'T-1', hours: 1 })],
    }
    const answer = await api.post(`/v1/employers/${other}/hours`, foreign)
    expect(answer.body.data).toMatchObject({ failed_count: 2, added_count: 0, removed_count: 0 })
  })
})

describe('the hours of service from a payroll system', () => {
  const hris = hrisOf(api)

  const recorded = async (employer_id: string) =>
    (await api.get(`/v1/employers/${employer_id}/hours`)).body.data.map(({ period_starts_on, kind, hours }) => [
      period_starts_on,
      kind,
      hours,
    ])
  const reports = async (employer_id: string) => (await api.get(`/v1/employers/${employer_id}/hours-reports`)).body.data

  it('are recorded after a sync has hired the people, and change nothing when they come again', async () => {
    const { id, employer_id } = await hris.connect({ source: 'sandbox' })
    const period = { period_starts_on: '2026-02-01', period_ends_on: '2026-02-14' }
    const ann = aWorker({ ...period, reference_id: 'P-1', hours_worked: '71.5', paid_leave_hours: '8' })
    await hris.report(id, { people: [ann, aWorker({ reference_id: 'P-2' })] })
    await hris.sync(id)
    expect(await recorded(employer_id)).toEqual([
      ['2026-02-01', 'paid_leave', 8],
      ['2026-02-01', 'worked', 71.5],
    ])
    await hris.sync(id)
    const report = only(await reports(employer_id))
    expect(report).toMatchObject({ origin: 'hris', row_count: 2, added_count: 2, failed_count: 0, failures: [] })
    await hris.report(id, { people: [{ ...ann, hours_worked: '60' }, aWorker({ reference_id: 'P-2' })] })
    await hris.sync(id)
    expect(await recorded(employer_id)).toContainEqual(['2026-02-01', 'worked', 60])
    expect(await reports(employer_id)).toMatchObject([{ changed_count: 1, unchanged_count: 1 }, { added_count: 2 }])
  })

  it('do not replace newer hours if the job of an older run is the last one', async () => {
    const { id, employer_id, organization_id } = await hris.connect({ source: 'sandbox' })
    const days = { period_starts_on: '2026-02-01', period_ends_on: '2026-02-14' }
    const ann = aWorker({ ...days, reference_id: 'P-1', hours_worked: '71.5' })
    await hris.report(id, { people: [ann] })
    const older = await hris.sync(id)
    api.wait(1000)
    await hris.report(id, { people: [{ ...ann, hours_worked: '60' }] })
    await hris.sync(id)
    const late = { ...days, period_starts_on: '2026-02-15', period_ends_on: '2026-02-28' }
    await api.act(async (ctx) => {
      const hours = [ann, { ...ann, ...late, hours_worked: '70' }]
      await insertHours(ctx, { organization_id, run_id: older.id }, hours)
      await ctx.enqueue('record_hris_hours', { organization_id, employer_id, run_id: older.id }, { key: older.id })
    })
    await api.work()
    expect(await recorded(employer_id)).toEqual([
      ['2026-02-15', 'worked', 70],
      ['2026-02-01', 'worked', 60],
    ])
    await hris.report(id, { people: [{ ...ann, ...late, hours_worked: '65' }] })
    await hris.sync(id)
    expect(await recorded(employer_id)).toContainEqual(['2026-02-15', 'worked', 65])
  })

  it('come in files with a row for each person and pay period, and rows with a fault are listed', async () => {
    const { id, employer_id } = await hris.connect({ source: 'csv', columns: { hours_worked: 'Reg + OT' } })
    const people = [aWorker(), aWorker()]
    const line = (at: number, ...hours: string[]) => {
      const { first_name, last_name, email, date_of_birth, start_date } = people[at]!
      return [`F-${at + 1}`, first_name, last_name, email, date_of_birth, start_date, ...hours].join(',')
    }
    const raw = [
      'Employee ID,First Name,Last Name,Email,DOB,Hire Date,Pay Period Start,Pay Period End,Reg + OT',
      line(0, '2/1/2026', '2/14/2026', '80'),
      line(0, '2/15/2026', '2/28/2026', '72.25'),
      line(0, '2/20/2026', '3/5/2026', '40'),
      line(1, '2/1/2026', '2/14/2026', 'n/a'),
      line(1, '2/15/2026', '2/28/2026', '800'),
      '',
    ].join('\r\n')
    const headers = { 'content-type': 'text/csv' }
    const sent = await hris.operate('POST', `/hris-connections/${id}/upload`, undefined, { raw, headers })
    await api.work()
    expect(await hris.run(sent.body.data.id)).toMatchObject({ outcome: { counts: { created: 2, failed: 0 } } })
    expect(await recorded(employer_id)).toEqual([
      ['2026-02-15', 'worked', 72.25],
      ['2026-02-01', 'worked', 80],
    ])
    const report = only(await reports(employer_id))
    expect(report).toMatchObject({ row_count: 5, added_count: 2, failed_count: 3, period_ends_on: '2026-02-28' })
    expect(report.failures).toMatchObject([
      { reference_id: 'F-2', field: 'hours_worked', reason: 'must be a number with a decimal point' },
      { reference_id: 'F-2', field: 'hours_worked', reason: 'must be at most 744' },
      { reference_id: 'F-1', field: 'period_starts_on' },
    ])
  })
})

it.skipIf(inject('servers').length > 1)(
  'finds recorded hours by employee, even with the statistics of an emptied table',
  async () => {
    const client = await api.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(`
      insert into hours_of_service
      select 'org_0', 'empl_' || at, 'empr_0', date '2025-01-01' + at % 300, '2026-01-01', 'worked', 1, now()
        from generate_series(1, 20000) as at`)
      await client.query(`
      update pg_class set relpages = 1, reltuples = 0
       where oid in (select indexrelid from pg_index where indrelid = 'hours_of_service'::regclass
                      union select 'hours_of_service'::regclass)`)
      const plan = await client.query(`explain (generic_plan) ${statements.get('hours.planHours')!.sql}`)
      const lines = plan.rows.map((row) => row['QUERY PLAN'] as string)
      expect(lines.filter((line) => line.includes('on hours_of_service')).join()).toContain('hours_of_service_pkey')
      expect(lines.join()).not.toContain('hours_of_employer')
    } finally {
      await client.query('rollback')
      client.release()
    }
  },
)
