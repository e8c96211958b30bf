import { beforeAll, expect, it } from 'vitest'
import { createCoveredEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

/**
 * A bakery with one employee and dental coverage of 32.00 a month since January, of which the employer pays 20.00.
 * Paydays are monthly. Corrections reach one month back, and March is invoiced.
 */
const api = useApi()
let employer_id: string
let enrollment_id: string

const operator = () => ({ key: api.operator_key })

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

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

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
