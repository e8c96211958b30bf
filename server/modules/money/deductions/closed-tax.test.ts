import { expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'

const api = useApi()

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** The lines of statements so far, oldest first: year, amount and tax. */
const linesOf = async (employee_id: string) => {
  const { rows } = await api.database.pool.query(
    `select statement.period_start_date::text as month, line.kind, line.amount_in_cents::int, line.tax_classification
       from deduction_lines as line
       join deduction_statements as statement
         on statement.id = line.statement_id and statement.organization_id = line.organization_id
      where line.employee_id = $1
      order by statement.period_start_date, line.kind, line.tax_classification desc`,
    [employee_id],
  )
  return rows.map(({ month, kind, amount_in_cents, tax_classification }) => [
    month,
    kind,
    amount_in_cents,
    tax_classification,
  ])
}

/** An employee hired as of May 1, who elects on May 2, 2026, at an employer with this pay frequency. */
async function hiredInMay(pay: Record<string, unknown>) {
  const catalog = await importCatalog(api)
  const employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await api.put(`/v1/employers/${employer_id}/settings`, pay)
  await openPlanYear(api, employer_id, catalog)
  await onDay('2026-05-02')
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-05-01' })
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const dental = pick(data, (row) => row.benefit.category === 'Dental')
  const election = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  expect((await api.post(`/v1/enrollments/${dental.id}/elect`, election)).status).toBe(200)
  return { id, employer_id }
}

const reach = (employer_id: string, correction_reach_months: number) => {
  const path: string = `/operator/v1/employers/${employer_id}/administration`
  return api.patch(path, { correction_reach_months }, { key: api.operator_key })
}

/** After a hire in April, an election on May 2 is too late for the pre-tax deduction in May. */
async function moveHire(id: string, effective_date: string): Promise<void> {
  const moved = await api.patch(`/v1/employees/${id}`, { effective_date, start_date: '2026-04-01' })
  expect(moved.status, moved.text).toBe(200)
}

it('a month outside the correction window keeps its tax even if the hire changes later', async () => {
  const { id, employer_id } = await hiredInMay({ pay_frequency: 'monthly' })
  await reach(employer_id, 1)
  for (const day of ['2026-06-02', '2026-07-02', '2026-08-02', '2026-09-02']) await onDay(day)
  const before = await linesOf(id)
  expect(new Set(before.map(([, , , tax]) => tax))).toEqual(new Set(['Pre-tax']))
  await moveHire(id, '2026-09-02')
  await onDay('2026-10-02')
  expect((await linesOf(id)).slice(before.length)).toEqual([['2026-10-01', 'deduction', 1_200, 'Pre-tax']])
})

it('a month that closes on a payday without deductions keeps its tax too', async () => {
  const pay = { pay_frequency: 'bi_weekly', first_pay_date: '2026-01-09', deductions_per_year: 24 }
  api.moveTo('2026-03-10')
  const { id, employer_id } = await hiredInMay(pay)
  await reach(employer_id, 12)
  for (const day of ['2026-06-02', '2026-07-02', '2026-08-02', '2026-09-02', '2026-10-04']) await onDay(day)
  const before = await linesOf(id)
  await reach(employer_id, 1)
  // The period of the third payday of October.
  await onDay('2026-10-17')
  expect(await linesOf(id)).toEqual(before)
  await moveHire(id, '2026-10-17')
  await onDay('2026-10-31')
  const after = (await linesOf(id)).slice(before.length)
  expect(after.map(([, kind, , tax]) => [kind, tax])).toEqual([['deduction', 'Pre-tax']])
})
