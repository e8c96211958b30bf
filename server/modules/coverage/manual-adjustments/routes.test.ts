import { beforeAll, describe, expect, it } from 'vitest'
import { createCoveredEmployer, importCatalog } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick, two } from '../../../test/pick.ts'

/**
 * A bakery with one employee. Dental coverage since January costs 32.00 a month, of which the employer pays 20.00.
 * Paydays are monthly. Corrections reach one month back.
 */
const api = useApi()
const operator = () => ({ key: api.operator_key })

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

let employer_id: string
let enrollment_id: string

const book = (input: object, key = api.operator_key) =>
  api.post(
    `/operator/v1/enrollments/${enrollment_id}/manual-adjustments`,
    { month: '2026-02', employee_deduction_in_cents: 500, reason: 'Reported late', ...input },
    { key },
  )

const invoices = async () => (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data
const invoiceLines = async () => {
  const { invoice_id } = first(await invoices())
  const { data } = (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/lines`)).body
  return data.map((line) => [
    line.kind,
    line.month,
    line.employer_contribution_in_cents,
    line.employee_deduction_in_cents,
  ])
}
const proof = async () => {
  const { invoice_id } = first(await invoices())
  return (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`)).body.data
}
const statementLines = async () => {
  const { rows } = await api.database.pool.query(
    `select line.kind, line.year, line.amount_in_cents::int as cents, line.tax_classification as tax
       from deduction_lines as line
       join deduction_statements as statement
         on statement.id = line.statement_id and statement.organization_id = line.organization_id
      where statement.employer_id = $1
        and statement.period_end_date = (select max(period_end_date) from deduction_statements where employer_id = $1)
      order by line.kind`,
    [employer_id],
  )
  return rows.map(({ kind, year, cents, tax }) => [kind, year, cents, tax])
}

beforeAll(async () => {
  const catalog = await importCatalog(api)
  employer_id = await createCoveredEmployer(api, catalog)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  await api.patch(`/operator/v1/employers/${employer_id}/administration`, { correction_reach_months: 1 }, operator())
  const employee = first((await api.get(`/v1/employers/${employer_id}/employees`)).body.data)
  const { data } = (await api.get(`/v1/employees/${employee.id}/enrollments`)).body
  enrollment_id = pick(data, (row) => row.benefit.category === 'Dental').id
  await onDay('2026-03-11')
})

describe('the correction window', () => {
  it('applies to both payroll and invoices', async () => {
    expect(await invoiceLines()).toEqual([
      ['coverage', '2026-03', 2_000, 1_200],
      ['adjustment', '2026-02', 2_000, 1_200],
    ])
    expect((await statementLines()).map(([kind, , cents]) => [kind, cents])).toEqual([
      ['correction', 1_200],
      ['deduction', 1_200],
    ])
    expect((await proof()).months).toEqual(['2026-02', '2026-03'])
  })

  it.each([-1, 13, 1.5])("can't be %s months", async (correction_reach_months) => {
    const path = `/operator/v1/employers/${employer_id}/administration`
    const answer = await api.patch(path, { correction_reach_months }, operator())
    expect([answer.status, answer.error.details[0]?.field]).toEqual([400, 'correction_reach_months'])
  })
})

describe('a manual adjustment', () => {
  it('is refused within the correction window, with a zero amount, and without a reason', async () => {
    const within = await book({ month: '2026-03' })
    expect(refusalOf(within)).toEqual([422, 'month_in_correction_window', 'month'])
    expect((await book({ month: '2026-01', employee_deduction_in_cents: 0 })).status).toBe(400)
    expect((await book({ month: '2026-01', reason: '' })).status).toBe(400)
    expect((await book({ month: '2026-13' })).status).toBe(400)
    expect((await book({}, api.story.api_key)).status).toBe(401)
  })

  it('is one separate line in the next statement and on the next invoice', async () => {
    const input = { month: '2026-01', employee_deduction_in_cents: 1_200, employer_contribution_in_cents: 2_000 }
    const answer = await book(input)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.data).toMatchObject({ ...input, tax_classification: 'Post-tax', booked_on: '2026-03-11' })
    await onDay('2026-04-01')
    expect(await invoiceLines()).toEqual([
      ['coverage', '2026-04', 2_000, 1_200],
      ['manual_adjustment', '2026-01', 2_000, 1_200],
    ])
    expect((await statementLines()).map(([kind, , cents, tax]) => [kind, cents, tax])).toEqual([
      ['deduction', 1_200, 'Pre-tax'],
      ['manual_adjustment', 1_200, 'Post-tax'],
    ])
    expect((await proof()).deductions).toMatchObject({
      billed_in_cents: 3_600,
      manual_adjustments_in_cents: 1_200,
      collected_in_cents: 4_800,
      difference_in_cents: 0,
    })
    await onDay('2026-05-01')
    expect((await invoiceLines()).map(([kind]) => kind)).toEqual(['coverage'])
    expect((await statementLines()).map(([kind]) => kind)).toEqual(['deduction'])
  })

  it('is billed again if its invoice is voided', async () => {
    const [, april] = two(await invoices())
    await api.post(`/operator/v1/employers/${employer_id}/invoices/${april.invoice_id}/void`, {}, operator())
    await onDay('2026-06-01')
    expect(await invoiceLines()).toContainEqual(['manual_adjustment', '2026-01', 2_000, 1_200])
  })

  it('is reversed by the opposite amounts', async () => {
    await book({ month: '2026-01', employee_deduction_in_cents: -1_200, employer_contribution_in_cents: -2_000 })
    await onDay('2026-07-01')
    expect(await invoiceLines()).toContainEqual(['manual_adjustment', '2026-01', -2_000, -1_200])
    expect(await statementLines()).toContainEqual(['manual_adjustment', 2026, -1_200, 'Post-tax'])
  })

  it('is refused for months that start before the go-live day, which cannot move past booked months', async () => {
    const goLive = (administered_from: string | null) => {
      const path = `/operator/v1/employers/${employer_id}/administration`
      return api.patch(path, { administered_from }, operator())
    }
    expect((await goLive('2025-12-15')).status).toBe(200)
    expect(refusalOf(await book({ month: '2025-12' }))).toEqual([422, 'month_before_go_live', 'month'])
    expect((await book({ month: '2026-01' })).status).toBe(201)
    expect(codeOf(await goLive('2026-02-01'))).toEqual([409, 'months_adjusted_manually'])
    expect((await book({ month: '2026-01', employee_deduction_in_cents: -500 })).status).toBe(201)
    expect((await goLive('2026-02-01')).status).toBe(200)
    expect(refusalOf(await book({ month: '2026-01' }))).toEqual([422, 'month_before_go_live', 'month'])
    expect((await goLive(null)).status).toBe(200)
  })

  it('is listed with its reason, newest first, and hidden from other organizations', async () => {
    const path = `/v1/employers/${employer_id}/manual-adjustments` as const
    const { data, pagination } = (await api.get(path)).body
    expect(pagination.total).toBe(4)
    expect(data.map((one) => [one.employee_deduction_in_cents, one.reason])).toEqual([
      [-500, 'Reported late'],
      [500, 'Reported late'],
      [-1_200, 'Reported late'],
      [1_200, 'Reported late'],
    ])
    expect((await api.get(`/operator${path}`, operator())).body).toEqual((await api.get(path)).body)
    expect((await api.get(path, { key: api.story.rival_api_key })).status).toBe(404)
  })
})

describe('months outside the correction window', () => {
  const api = useApi()

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
  const operator = () => ({ key: api.operator_key })
  let employer_id: string
  let enrollment_id: string

  const book = (month: string, employee_deduction_in_cents: number, employer_contribution_in_cents: number) => {
    const path: string = `/operator/v1/enrollments/${enrollment_id}/manual-adjustments`
    const input = { month, employee_deduction_in_cents, employer_contribution_in_cents, reason: 'Reported late' }
    return api.post(path, input, operator())
  }

  const reach = (correction_reach_months: number) => {
    const path: string = `/operator/v1/employers/${employer_id}/administration`
    return api.patch(path, { correction_reach_months }, operator())
  }

  const listed = async (path: string) => JSON.parse((await api.get(path)).text).data

  const invoiceLines = async () => {
    const [{ invoice_id }] = await listed(`/v1/employers/${employer_id}/invoices?include_drafts=true`)
    const data = await listed(`/v1/employers/${employer_id}/invoices/${invoice_id}/lines`)
    return data.map((line: Record<string, unknown>) => [line.kind, line.month, line.premium_in_cents])
  }

  beforeAll(async () => {
    employer_id = await createCoveredEmployer(api, await importCatalog(api))
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
    await reach(1)
    const [employee] = await listed(`/v1/employers/${employer_id}/employees`)
    const data = await listed(`/v1/employees/${employee.id}/enrollments`)
    enrollment_id = data.find((row: { benefit: { category: string } }) => row.benefit.category === 'Dental').id
    await onDay('2026-03-11')
  })

  it('a month can be booked once the next invoice no longer reaches it', async () => {
    expect((await book('2026-03', 100, 0)).text).toContain('month_in_correction_window')
    expect((await book('2026-02', 100, 0)).status).toBe(201)
    expect((await book('2026-02', -100, 0)).status).toBe(201)
  })

  it("the correction window can't be extended over a month with a manual adjustment", async () => {
    expect((await book('2026-01', 1_200, 2_000)).status).toBe(201)
    const answer = await reach(12)
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('months_adjusted_manually')
    for (const months of [1, 0]) expect((await reach(months)).status).toBe(200)
    expect((await reach(1)).status).toBe(200)
  })

  it('a withdrawn amount is corrected, billed and collected once', async () => {
    expect((await book('2026-01', -1_200, -2_000)).status).toBe(201)
    expect((await reach(12)).status).toBe(200)
    await onDay('2026-04-01')
    expect(await invoiceLines()).toEqual([
      ['coverage', '2026-04', 3_200],
      ['adjustment', '2026-01', 3_200],
    ])
    const { rows } = await api.database.pool.query(
      'select kind, sum(amount_in_cents)::int as cents from deduction_lines group by kind order by kind',
    )
    expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(4 * 1_200)
  })

  it('an amount booked long after the employer has left is also deducted by payroll', async () => {
    expect((await reach(1)).status).toBe(200)
    const path: string = `/operator/v1/employers/${employer_id}/subscriptions/end`
    expect((await api.post(path, { ended_on: '2026-04-20' }, operator())).status).toBe(200)
    await onDay('2026-08-01')
    expect((await book('2026-02', 700, 0)).status).toBe(201)
    await onDay('2026-09-01')
    await onDay('2026-09-02')
    const books = await api.database.reads.row(
      `select (select sum(amount_in_cents)::int from deduction_lines) as payroll,
            (select sum(employee_deduction_in_cents)::int from invoice_lines) as billed`,
    )
    expect(books).toEqual({ payroll: 4 * 1_200 + 700, billed: 4 * 1_200 + 700 })
  })
})
