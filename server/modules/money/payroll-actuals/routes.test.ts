import { beforeAll, describe, expect, it } from 'vitest'
import { createCoveredEmployer, createEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi, type CallOptions } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { statements } from '../../../database/sql/statement.ts'
import { listRequested } from './queries.ts'
import { runToEnd } from '../../../kernel/concurrency/time-slices.ts'
import { matchActuals as steps, type RequestedDeduction } from './rules.ts'
import type { NewActual } from './schemas.ts'

/** A bakery with one employee, whose dental coverage costs 12.00 per month, with monthly pay. */
const api = useApi()

describe('the payroll of an employer', () => {
  let employer_id: string
  let employee_id: string
  let enrollment_id: string

  const path = () => `/v1/employers/${employer_id}/payroll-deduction-statements` as const
  const statements = async () => (await api.get(`${path()}?limit=100`)).body.data
  const newest = async () => first(await statements()).id

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }

  const report = async (statement_id: string, actuals: object[], options: CallOptions = {}) =>
    api.post(`${path()}/${statement_id}/actuals`, { actuals }, options)

  const proof = async () => (await api.get(`/v1/employees/${employee_id}/deductions/proof?year=2026`)).body.data

  const lines = async () => {
    const { rows } = await api.database.pool.query(
      `select line.kind, line.amount_in_cents::int as cents
       from deduction_lines as line
       join deduction_statements as statement
         on statement.id = line.statement_id and statement.organization_id = line.organization_id
      where statement.id = $1 order by line.kind desc`,
      [await newest()],
    )
    return rows.map(({ kind, cents }) => [kind, cents])
  }

  beforeAll(async () => {
    employer_id = await createCoveredEmployer(api, await importCatalog(api))
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly', arrears_limit_percent: 50 })
    employee_id = first((await api.get(`/v1/employers/${employer_id}/employees`)).body.data).id
    const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
    enrollment_id = pick(data, (row) => row.benefit.category === 'Dental').id
    await onDay('2026-04-01')
  })

  describe('actual payroll deductions', () => {
    it('are unknown until payroll reports them', async () => {
      expect(await proof()).toMatchObject({ requested_in_cents: 4_800, taken_in_cents: null, outstanding_in_cents: 0 })
    })

    it('are recorded next to the requested amounts, and shortfalls are outstanding', async () => {
      const answer = await report(await newest(), [{ employee_id, benefit_name: 'dental', taken_in_cents: 200 }])
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toMatchObject({ row_count: 1, recorded_count: 1, failures: [] })
      expect((await api.get(`${path()}/${await newest()}/actuals`)).body.data).toEqual([
        {
          employee_id,
          enrollment_id,
          requested_in_cents: 1_200,
          taken_in_cents: 200,
          difference_in_cents: 1_000,
          reported_at: '2026-04-01T16:00:00.000Z',
        },
      ])
      expect(await proof()).toMatchObject({ taken_in_cents: 200, outstanding_in_cents: 1_000 })
    })

    it('are replaced by the latest report, and rows of one enrollment add up', async () => {
      const cells = [100, 300].map((cents) => `${employee_id},${enrollment_id},${cents}`)
      const raw = ['employee_id,enrollment_id,taken_in_cents', ...cells, ''].join('\n')
      const answer = await api.post(`${path()}/${await newest()}/actuals`, undefined, {
        raw,
        headers: { 'content-type': 'text/csv' },
      })
      expect(answer.status, answer.text).toBe(200)
      expect(await proof()).toMatchObject({ taken_in_cents: 400, outstanding_in_cents: 800 })
    })

    it('are collected again in parts of a deduction', async () => {
      await onDay('2026-05-01')
      expect(await lines()).toEqual([
        ['deduction', 1_200],
        ['arrears', 600],
      ])
      expect(await proof()).toMatchObject({ arrears_in_cents: 600, outstanding_in_cents: 200 })
      await report(await newest(), [{ employee_id, taken_in_cents: 1_200 }])
      expect(await proof()).toMatchObject({ taken_in_cents: 1_600, outstanding_in_cents: 800 })
      await onDay('2026-06-01')
      expect(await lines()).toContainEqual(['arrears', 600])
      await onDay('2026-07-01')
      expect(await lines()).toContainEqual(['arrears', 200])
      await onDay('2026-08-01')
      expect(await lines()).toEqual([['deduction', 1_200]])
      expect(await proof()).toMatchObject({ outstanding_in_cents: 0, difference_in_cents: 0 })
    })

    it('are refunded immediately if they were too high', async () => {
      await report(await newest(), [{ employee_id, taken_in_cents: 9_999 }])
      await onDay('2026-09-01')
      expect(await lines()).toEqual([
        ['deduction', 1_200],
        ['arrears', -8_799],
      ])
    })
  })

  describe('payroll rows', () => {
    it('fail individually if they match nothing, and all others are recorded', async () => {
      const rows = [
        { employee_id, benefit_name: 'Vision', taken_in_cents: 1 },
        { reference_id: 'nobody', taken_in_cents: 1 },
        { taken_in_cents: 1 },
        { employee_id, enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v7xz', taken_in_cents: 1 },
        { employee_id, taken_in_cents: 1_200 },
      ]
      const { body } = await report(await newest(), rows)
      expect(body.data.recorded_count).toBe(1)
      expect(body.data.failures.map((one) => [one.index, one.field])).toEqual([
        [0, 'benefit_name'],
        [1, 'reference_id'],
        [2, 'reference_id'],
        [3, 'enrollment_id'],
      ])
    })

    it.each([
      [{ actuals: [] }, 'actuals'],
      [{ actuals: [{ employee_id: 'empl_x', taken_in_cents: 1 }] }, 'actuals[0].employee_id'],
      [{ actuals: [{ reference_id: 'E-1', taken_in_cents: '12.00' }] }, 'actuals[0].taken_in_cents'],
    ])('of another shape are refused, and change nothing: %j', async (body, field) => {
      const answer = await api.post(`${path()}/${await newest()}/actuals`, body)
      expect([answer.status, answer.error.details[0]?.field]).toEqual([400, field])
    })

    it('are hidden from other organizations and employers', async () => {
      const key = api.story.rival_api_key
      const rows = [{ employee_id, taken_in_cents: 1 }]
      expect((await report(await newest(), rows, { key })).status).toBe(404)
      expect((await api.get(`${path()}/${await newest()}/actuals`, { key })).status).toBe(404)
      const other = `/v1/employers/${await createEmployer(api)}/payroll-deduction-statements/${await newest()}/actuals`
      expect((await api.post(other, { actuals: rows })).status).toBe(404)
    })
  })
})

it('reads only the lines of the employees in the rows', async () => {
  const key = { statement_id: 'stmt_1', employer_id: 'empr_1', organization_id: api.story.organization_id }
  const named = { employee_ids: ['empl_1'], reference_ids: ['E-1'], enrollment_ids: ['enrl_1'] }
  const plan = await api.act(async (ctx) => {
    expect(await listRequested(ctx, { ...key, ...named })).toEqual([])
    await ctx.db.rows('set local plan_cache_mode = force_custom_plan')
    await ctx.db.rows('set local enable_seqscan = off')
    const listed = statements.get('payroll-actuals.listRequested')!
    const { text, parameters } = listed
    const values: Record<string, unknown> = { ...key, ...named }
    const rows = await ctx.db.rows<{ 'QUERY PLAN': string }>(
      `explain ${ctx.db.distribution?.rewrite(listed, true).text ?? text}`,
      parameters.map((parameter) => values[parameter]),
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan.match(/on deduction_lines.*\n *Index Cond: .*employee_id = /g)).toHaveLength(2)
  expect(plan).toMatch(/using employees_(by|of)_reference(_\d+)? on employees/)
  expect(plan).not.toMatch(/employees_roster|Seq Scan/)
})

const request = (
  employee_id: string,
  enrollment_id: string,
  benefit_name: string | null,
  input: Partial<RequestedDeduction> = {},
): RequestedDeduction => ({
  employee_id,
  reference_id: null,
  enrollment_id,
  benefit_name,
  requested_in_cents: benefit_name === null ? 0 : 1_200,
  is_reimbursed: false,
  ...input,
})

const requested = [
  request('ana', 'teeth', 'Dental', { reference_id: 'E-1' }),
  request('ana', 'eyes', 'Vision', { reference_id: 'E-1' }),
  request('ana', 'former', null, { reference_id: 'E-1' }),
  request('ben', 'ben-teeth', 'Dental', { reference_id: 'E-2' }),
  request('eva', 'eva-teeth', 'Dental', { reference_id: 'E-3' }),
  request('eva-again', 'eva-teeth-again', 'Dental', { reference_id: 'E-3' }),
  request('dan', 'dan-2026', 'Dental'),
  request('dan', 'dan-2027', 'Dental'),
]

const matchActuals = (rows: NewActual[], all: RequestedDeduction[]) => runToEnd(steps(rows, all))

const row = (input: Partial<NewActual>): NewActual => ({
  employee_id: undefined,
  reference_id: undefined,
  enrollment_id: undefined,
  benefit_name: undefined,
  taken_in_cents: 1_000,
  ...input,
})

describe('a row of payroll', () => {
  it.each<[string, Partial<NewActual>, string]>([
    ['by employee and enrollment', { employee_id: 'ana', enrollment_id: 'eyes' }, 'eyes'],
    ['by employee and benefit, in any case', { employee_id: 'ana', benefit_name: 'dENTAL' }, 'teeth'],
    ['by reference', { reference_id: 'E-1', benefit_name: 'Vision' }, 'eyes'],
    ['by only the employee, who has one benefit', { employee_id: 'ben' }, 'ben-teeth'],
    ['by an enrollment without a request', { employee_id: 'ana', enrollment_id: 'former' }, 'former'],
  ])('is matched %s', (_, input, enrollment_id) => {
    const { recorded, failures } = matchActuals([row(input)], requested)
    expect(failures).toEqual([])
    expect(recorded).toMatchObject([{ enrollment_id, taken_in_cents: 1_000 }])
  })

  it.each<[string, Partial<NewActual>, string]>([
    ['without an employee', {}, 'reference_id'],
    ['of an unknown employee', { employee_id: 'zoe' }, 'employee_id'],
    ['with a reference of two employees', { reference_id: 'E-3' }, 'reference_id'],
    ['of an employee with two benefits, without a benefit', { employee_id: 'ana' }, 'benefit_name'],
    ['with a benefit in two plan years', { employee_id: 'dan', benefit_name: 'Dental' }, 'benefit_name'],
    ['with the enrollment of another employee', { employee_id: 'ana', enrollment_id: 'ben-teeth' }, 'enrollment_id'],
  ])('%s is a failure', (_, input, field) => {
    const { recorded, failures } = matchActuals([row(input)], requested)
    expect(recorded).toEqual([])
    expect(failures).toMatchObject([{ index: 0, field }])
  })

  it('that reimburses claims leaves nothing to collect', () => {
    const all = [...requested, request('ana', 'bought', null, { is_reimbursed: true })]
    const rows = [-10_000, -5_000].map((taken_in_cents) =>
      row({ employee_id: 'ana', enrollment_id: 'bought', taken_in_cents }),
    )
    expect(matchActuals(rows, all).recorded).toMatchObject([{ requested_in_cents: -15_000, taken_in_cents: -15_000 }])
  })

  it('adds up with others of the same enrollment', () => {
    const rows = [row({ employee_id: 'ben' }), row({ reference_id: 'E-2', taken_in_cents: -100 })]
    expect(matchActuals(rows, requested).recorded).toEqual([
      { employee_id: 'ben', enrollment_id: 'ben-teeth', requested_in_cents: 1_200, taken_in_cents: 900 },
    ])
  })
})

it.each<[string, (at: number) => string | null, (at: number) => Partial<NewActual>, number]>([
  ['without references', () => null, (at) => ({ employee_id: `empl_${at}` }), 10_000],
  ['with one shared reference', () => 'E-1', () => ({ reference_id: 'E-1' }), 0],
  ['with their own references', (at) => `E-${at}`, (at) => ({ reference_id: `E-${at}` }), 10_000],
])('a file is matched with a statement of 60,000 people %s', (_, referenceOf, input, recorded_count) => {
  const all = Array.from({ length: 60_000 }, (_one, at) =>
    request(`empl_${at}`, `enrl_${at}`, 'Dental', { reference_id: referenceOf(at) }),
  )
  const rows = Array.from({ length: 10_000 }, (_one, at) => row(input(at)))
  const { recorded, failures } = matchActuals(rows, all)
  expect([recorded.length, failures.length]).toEqual([recorded_count, 10_000 - recorded_count])
})
