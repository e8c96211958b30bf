import { beforeAll, describe, expect, it } from 'vitest'
import { parseCsv } from '../../../kernel/formats/csv.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

/**
 * One bakery from the day before its first plan year: semi-monthly pay, and dental at 32.00 a month. The employer pays
 * 20.00, so the employee pays 12.00. Each step continues where the previous one ended.
 */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let ana: string
let ben: string
const path = () => `/v1/employers/${employer_id}/payroll-deduction-statements` as const
const run = () => `/operator${path()}/run` as const

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const statements = async () => (await api.get(path())).body.data
const periods = async () => (await statements()).map((one) => [one.period_start_date, one.period_end_date])
const deductions = async (employee_id: string) => (await api.get(`/v1/employees/${employee_id}`)).body.data.deductions
const amounts = async (employee_id: string) =>
  (await deductions(employee_id)).map((one) => [one.deduction_amount_in_cents, one.tax_classification])
/** The reasons for corrections on paychecks, with whether the statement of the paycheck is written. */
const reasons = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}/paychecks`)).body.data.flatMap(({ statement_id, lines }) =>
    lines.flatMap(({ reason }) => (reason ? [[statement_id ? 'written' : 'ahead', reason]] : [])),
  )
const proof = async (employee_id: string, query = '') =>
  (await api.get(`/v1/employees/${employee_id}/deductions/proof${query}`)).body.data
const created = async (employee_id: string) =>
  (await api.events(employee_id)).filter((name) => name === 'employee.deduction_created').length

/** Elects a tier of the dental plan for an employee. */
async function elect(employee_id: string, coverage_tier = 'EE'): Promise<void> {
  const rows = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
  const dental = pick(rows, (row) => row.benefit.category === 'Dental')
  const answer = await api.post(`/v1/enrollments/${dental.id}/elect`, {
    plan_id: catalog.dental.plan_id,
    coverage_tier,
  })
  expect(answer.status, answer.text).toBe(200)
}

async function statementLines(): Promise<Record<string, string | null>[]> {
  const newest = first(await statements())
  return parseCsv((await api.get(new URL(newest.csv.download_url).pathname, { key: null })).text)
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'semi_monthly' })
  await addPolicy(api, employer_id)
  await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-04-01' })
  await api.work()
  ana = (await createEmployee(api, employer_id, { first_name: '=Ana', last_name: 'Núñez', reference_id: 'E-1' })).id
  ben = (await createEmployee(api, employer_id, { last_name: 'Zorn' })).id
  await elect(ana)
})

/** The fields of a line that is not a correction. */
const not_corrected = { reason: null, corrected_period_start_date: null, corrected_period_end_date: null }

describe('statements', () => {
  it('start with the period in which coverage starts', async () => {
    await onDay('2026-03-31')
    expect(await statements()).toEqual([])
    expect(await deductions(ana)).toEqual([])
    await onDay('2026-04-01')
    expect(await statements()).toEqual([
      {
        id: expect.stringMatching(/^stmt_/),
        employer_id,
        period_start_date: '2026-04-01',
        period_end_date: '2026-04-15',
        frequency: 'semi_monthly',
        year: 2026,
        number: 7,
        period_count: 24,
        employee_count: 1,
        line_count: 1,
        total_in_cents: 600,
        generated_at: '2026-04-01T16:00:00.000Z',
        csv: {
          download_url: expect.stringContaining(`${api.url}/v1/downloads/`),
          expires_at: '2026-04-01T16:15:00.000Z',
        },
        statement_id: expect.stringMatching(/^stmt_/),
        period_start: '2026-04-01',
        period_end: '2026-04-15',
        run_date: '2026-04-01',
        total_deduction_cents: 600,
        csv_file_url: expect.stringContaining(`${api.url}/v1/downloads/`),
        deduction_frequency: 'semi_monthly',
        deduction_frequency_label: 'Semi-monthly',
      },
    ])
  })

  it('are shown on the employee, and publish an event', async () => {
    const snapshot = [
      {
        benefit_name: 'Dental',
        deduction_amount_in_cents: 600,
        deduction_category: null,
        frequency: 'semi_monthly',
        period_start_date: '2026-04-01',
        period_end_date: '2026-04-15',
        tax_classification: 'Pre-tax',
        kind: 'deduction',
        ...not_corrected,
      },
    ]
    expect(await deductions(ana)).toEqual(snapshot)
    const roster = (await api.get(`/v1/employers/${employer_id}/employees`)).body.data
    expect(roster.map((one) => [one.id, one.deductions])).toEqual([
      [ben, []],
      [ana, snapshot],
    ])
    expect([await created(ana), await created(ben)]).toEqual([1, 0])
  })

  it('do not change if the same day runs again', async () => {
    const before = await statements()
    await onDay('2026-04-01')
    const again = await api.post(run(), {}, { key: api.operator_key })
    expect(again.status).toBe(202)
    expect(again.body.data).toEqual({ employer_id, day: '2026-04-01', opened_statement_ids: [] })
    await api.work()
    expect(await statements()).toEqual(before)
    expect(await created(ana)).toBe(1)
  })

  it('catch up post-tax for the month that had started before the election', async () => {
    api.moveTo('2026-04-03')
    await elect(ben)
    expect(await amounts(ben)).toEqual([])
    await onDay('2026-04-16')
    expect(await amounts(ben)).toEqual([
      [600, 'Post-tax'],
      [600, 'Post-tax'],
    ])
    expect(await reasons(ben)).toEqual([['written', 'not_deducted_before']])
    expect(await amounts(ana)).toEqual([[600, 'Pre-tax']])
    expect((await statements())[0]).toMatchObject({ employee_count: 2, line_count: 3, total_in_cents: 1_800 })
    expect(await created(ana)).toBe(2)
  })

  it('can be downloaded as CSV with a link that works without a key', async () => {
    const { csv } = first(await statements())
    const file = await fetch(csv.download_url)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="payroll-deductions-2026-04-16-2026-04-30.csv"',
    )
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    const line = {
      benefit_name: 'Dental',
      year: '2026',
      amount: '6.00',
      amount_in_cents: '600',
      frequency: 'semi_monthly',
      period_start_date: '2026-04-16',
      period_end_date: '2026-04-30',
      enrollment_id: expect.stringMatching(/^enrl_/),
      cause: null,
      cause_reported_on: null,
      cause_reported_by: null,
    }
    const ofBen = { ...line, employee_id: ben, reference_id: null, last_name: 'Zorn', first_name: expect.any(String) }
    expect(parseCsv(await file.text())).toEqual([
      {
        ...line,
        employee_id: ana,
        reference_id: 'E-1',
        last_name: 'Núñez',
        first_name: "'=Ana",
        kind: 'deduction',
        tax_classification: 'Pre-tax',
        ...not_corrected,
      },
      { ...ofBen, kind: 'deduction', tax_classification: 'Post-tax', ...not_corrected },
      {
        ...ofBen,
        kind: 'correction',
        tax_classification: 'Post-tax',
        reason: 'not_deducted_before',
        corrected_period_start_date: '2026-04-01',
        corrected_period_end_date: '2026-04-15',
        cause: 'elected',
        cause_reported_on: '2026-04-03',
        cause_reported_by: 'partner',
      },
    ])
  })

  it('identify which of two lines of a benefit is a correction, and for which pay periods', async () => {
    const late = { corrected_period_start_date: '2026-04-01', corrected_period_end_date: '2026-04-15' }
    const lines = [
      { kind: 'deduction', ...not_corrected },
      { kind: 'correction', reason: 'not_deducted_before', ...late },
    ]
    expect(await deductions(ben)).toMatchObject(lines)
    const paychecks = (await api.get(`/v1/employees/${ben}/paychecks`)).body.data
    expect(first(paychecks).lines).toMatchObject(lines)
  })

  it('refund in the next one what was deducted after a termination that was reported late', async () => {
    await onDay('2026-05-16')
    const answer = await api.post(`/v1/employees/${ben}/terminate`, { termination_date: '2026-04-20' })
    expect(answer.status, answer.text).toBe(200)
    expect(await proof(ben)).toMatchObject({
      due_in_cents: 1_200,
      scheduled_in_cents: 1_200,
      collected_in_cents: 2_400,
      difference_in_cents: -1_200,
    })
    const reported = ['written', 'not_deducted_before']
    expect(await reasons(ben)).toEqual([reported, ['ahead', 'amount_changed']])
    const refund = { corrected_period_start_date: '2026-05-01', corrected_period_end_date: '2026-05-31' }
    const ahead = (await api.get(`/v1/employees/${ben}/paychecks`)).body.data.at(-1)
    expect([ahead?.statement_id, ahead?.lines]).toMatchObject([null, [{ kind: 'correction', ...refund }]])
    await onDay('2026-06-01')
    expect(await deductions(ben)).toMatchObject([{ kind: 'correction', reason: 'amount_changed', ...refund }])
    expect(await amounts(ben)).toEqual([[-1_200, 'Pre-tax']])
    expect(await reasons(ben)).toEqual([reported, ['written', 'amount_changed']])
    const lines = (await statementLines()).map(({ kind, amount }) => [kind, amount])
    expect(lines).toEqual([
      ['deduction', '6.00'],
      ['correction', '-12.00'],
    ])
    expect(await proof(ben)).toMatchObject({
      year: 2026,
      through: '2026-06-15',
      due_in_cents: 1_200,
      scheduled_in_cents: 1_200,
      collected_in_cents: 1_200,
      corrections_in_cents: -600,
      difference_in_cents: 0,
    })
    await onDay('2026-06-16')
    expect(await deductions(ben)).toEqual([])
  })

  it('follow each other without a gap if the calendar changes, and collect the same total', async () => {
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'bi_weekly', first_pay_date: '2026-07-10' })
    await onDay('2026-07-11')
    const dues = await periods()
    expect(dues.slice(0, 3)).toEqual([
      ['2026-07-01', '2026-07-24'],
      ['2026-06-16', '2026-06-30'],
      ['2026-06-01', '2026-06-15'],
    ])
    expect(await proof(ana)).toMatchObject({ due_in_cents: 10_800, difference_in_cents: 0 })
    await onDay('2027-01-02')
    const whole = await proof(ana, '?year=2026')
    expect(whole).toMatchObject({ scheduled_in_cents: 10_800, collected_in_cents: 10_800, difference_in_cents: 0 })
    expect(whole.enrollments).toEqual([
      {
        enrollment_id: expect.stringMatching(/^enrl_/),
        benefit_name: 'Dental',
        due_in_cents: 10_800,
        scheduled_in_cents: 10_800,
        collected_in_cents: 10_800,
        corrections_in_cents: whole.corrections_in_cents,
        difference_in_cents: 0,
        manual_adjustments_in_cents: 0,
        arrears_in_cents: 0,
        requested_in_cents: 10_800,
        taken_in_cents: null,
        outstanding_in_cents: 0,
        waived_in_cents: 0,
      },
    ])
    expect((await proof(ana)).year).toBe(2027)
    const all = (await api.get(`${path()}?limit=100`)).body
    expect(all.pagination.total).toBe(all.data.length)
    for (const [index, one] of all.data.slice(1).entries()) {
      const next = Temporal.PlainDate.from(one.period_end_date).add({ days: 1 }).toString()
      expect(all.data[index]?.period_start_date).toBe(next)
    }
    expect((await api.get(`${path()}?limit=2&page=2`)).body.data).toHaveLength(2)
  })
})

describe('a statement day that the operator runs', () => {
  it('opens due statements immediately for a plan year opened today', async () => {
    const late = await createEmployer(api)
    await openPlanYear(api, late, catalog, { coverage_start: '2027-01-01' })
    await api.work()
    const late_path = `/v1/employers/${late}/payroll-deduction-statements` as const
    const answer = await api.post(`/operator${late_path}/run`, { day: '2027-01-01' }, { key: api.operator_key })
    expect(answer.status).toBe(202)
    await api.work()
    const { data } = (await api.get(late_path)).body
    expect(data.map((one) => one.id)).toEqual(answer.body.data.opened_statement_ids)
    expect(data).toMatchObject([{ period_start_date: '2027-01-01', line_count: 0, total_in_cents: 0 }])
  })

  it('cannot be after today', async () => {
    const answer = await api.post(run(), { day: '2027-01-03' }, { key: api.operator_key })
    expect([answer.status, answer.error.details[0]?.field]).toEqual([400, 'day'])
  })
})

describe('access to statements', () => {
  it('is denied to another organization, as for proofs', async () => {
    const key = api.story.rival_api_key
    expect((await api.get(path(), { key })).status).toBe(404)
    expect((await api.get(`/v1/employees/${ana}/deductions/proof`, { key })).status).toBe(404)
  })

  it.each(['26', '1899', '2200', 'x', '2026.5'])('refuses the year %s', async (year) => {
    expect((await api.get(`/v1/employees/${ana}/deductions/proof?year=${year}`)).status).toBe(400)
  })
})

describe('a late election', () => {
  it('is scheduled as a pre-tax and a post-tax part with the same total in the year', async () => {
    api.moveTo('2026-08-01')
    const shop = await createEmployer(api)
    await api.put(`/v1/employers/${shop}/settings`, { pay_frequency: 'bi_weekly' })
    const administration = `/operator/v1/employers/${shop}/administration` as const
    await api.patch(administration, { correction_reach_months: 12 }, { key: api.operator_key })
    await addPolicy(api, shop)
    await openPlanYear(api, shop, catalog)
    await api.work()
    const hire = async () => (await createEmployee(api, shop, { start_date: '2026-08-01' })).id
    const in_time = await hire()
    await elect(in_time)
    // Reported and elected after three of the five months had started.
    api.moveTo('2026-10-15')
    const late = await hire()
    await elect(late)
    const jumpTo = async (day: string) => {
      await api.database.reads.rows('update organizations set daily_run_on = $1::date - 1', [day])
      await onDay(day)
    }
    const scheduled = async (employee_id: string) => {
      const { through, scheduled_in_cents, difference_in_cents } = await proof(employee_id, '?year=2026')
      return [through, scheduled_in_cents, difference_in_cents]
    }
    await jumpTo('2026-12-02')
    expect(await scheduled(in_time)).toEqual(['2026-12-02', 4_909, 0])
    expect(await scheduled(late)).toEqual(['2026-12-02', 4_909 + 131, 0])
    await jumpTo('2026-12-31')
    for (const one of [in_time, late]) expect(await scheduled(one)).toEqual(['2026-12-31', 6_000, 0])
  })
})
