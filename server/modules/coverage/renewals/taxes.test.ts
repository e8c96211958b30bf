import { beforeAll, expect, it } from 'vitest'
import { parseCsv } from '../../../kernel/formats/csv.ts'
import { addDays } from '../../../kernel/days.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

/**
 * An employer that pays monthly and covers half of Silver. Its plan year 2027 has no open enrollment, so that it is
 * renewed on its first day. Ida is covered alone, Max with a domestic partner and a son. Without the partner, he would
 * pay EC.
 */
const api = useApi()
let employer_id: string
let next: string
let ida: string
let max: string
const silver = { EE: 21_000, EC: 38_850, EF: 60_900 }

/** Moves to a day and runs only its jobs. */
async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

async function medicalOf(employee_id: string, plan_year_id: string) {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  return pick(data, (row) => row.benefit_plan_year_id === plan_year_id && row.benefit.category === 'Medical')
}

async function elects(
  employee_id: string,
  plan_year_id: string,
  election: { plan_id: string; coverage_tier: string },
): Promise<void> {
  const { id } = await medicalOf(employee_id, plan_year_id)
  const answer = await api.post(`/v1/enrollments/${id}/elect`, election)
  expect(answer.status, answer.text).toBe(200)
}

const statements = async () =>
  (await api.get(`/v1/employers/${employer_id}/payroll-deduction-statements?limit=100`)).body.data

/** The lines of 2027 in all statements of an employee. */
async function linesOf(employee_id: string): Promise<[kind: string, cents: number, tax: string][]> {
  const files = (await statements()).map(async ({ csv }) =>
    parseCsv((await api.get(new URL(csv.download_url).pathname, { key: null })).text),
  )
  return (await Promise.all(files))
    .flat()
    .filter((line) => line.employee_id === employee_id && line.year === '2027')
    .map((line) => [line.kind!, Number(line.amount_in_cents), line.tax_classification!])
}

const snapshot = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}`)).body.data.deductions.map((one) => [
    one.deduction_amount_in_cents,
    one.tax_classification,
  ])
const proof = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}/deductions/proof?year=2027`)).body.data

beforeAll(async () => {
  const catalog = await importCatalog(api)
  const { plan_id, benefit_id } = catalog.mvp
  employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  await addPolicy(api, employer_id)
  const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
  const year = await openPlanYear(api, employer_id, catalog, { benefits: [{ benefit_id, contribution_tiers: half }] })
  await api.work()
  ida = (await createEmployee(api, employer_id, { start_date: '2026-03-10' })).id
  max = (await createEmployee(api, employer_id, { start_date: '2026-03-10' })).id
  const family = [
    { relationship: 'domestic_partner', first_name: 'Kim', last_name: 'Rey', date_of_birth: '1988-01-01' },
    { relationship: 'child', first_name: 'Leo', last_name: 'Rey', date_of_birth: '2015-01-01' },
  ]
  for (const person of family) await api.post(`/v1/employees/${max}/dependents`, person)
  await elects(ida, year, { plan_id, coverage_tier: 'EE' })
  await elects(max, year, { plan_id, coverage_tier: 'EF' })
  await api.work()
  const path = `/operator/v1/benefit-plan-years/${year}/copy` as const
  const copied = await api.post(path, {}, { key: api.operator_key })
  next = copied.body.data.id
  await api.work()
  await goOn('2027-01-01')
})

it('deducts all months before tax after a renewal on the first day of the plan year', async () => {
  expect(await medicalOf(ida, next)).toMatchObject({ elected_by: 'renewal', coverage_start: '2027-01-01' })
  const history = (await api.get(`/v1/enrollments/${(await medicalOf(ida, next)).id}/history`)).body.data
  expect(pick(history, (one) => one.action === 'renewed')).toMatchObject({ recorded_at: '2027-01-01T17:00:00.000Z' })
  await goOn('2027-02-01')
  const lines = await linesOf(ida)
  expect(lines.map(([, , tax]) => tax)).toEqual(lines.map(() => 'Pre-tax'))
  expect(lines.reduce((sum, [, cents]) => sum + cents, 0)).toBe(2 * silver.EE)
})

it('prices the share of a domestic partner as an election does, and deducts it after tax', async () => {
  const enrollment = (await api.get(`/v1/enrollments/${(await medicalOf(max, next)).id}`)).body.data
  const share = silver.EF - silver.EC
  expect(enrollment).toMatchObject({
    elected_by: 'renewal',
    employee_deduction_in_cents: silver.EF,
    domestic_partner_share_in_cents: share,
  })
  await goOn('2027-03-01')
  expect(await snapshot(max)).toEqual([
    [silver.EC, 'Pre-tax'],
    [share, 'Post-tax'],
  ])
  const lines = await linesOf(max)
  const taken = (tax: string) => lines.filter((line) => line[2] === tax).reduce((sum, [, cents]) => sum + cents, 0)
  expect([taken('Pre-tax'), taken('Post-tax')]).toEqual([3 * silver.EC, 3 * share])
  expect(await proof(max)).toMatchObject({ collected_in_cents: 3 * silver.EF, difference_in_cents: 0 })
})

it('splits a missed deduction into the same pre-tax and post-tax parts', async () => {
  const { id } = first(await statements())
  const path = `/v1/employers/${employer_id}/payroll-deduction-statements/${id}/actuals` as const
  const answer = await api.post(path, { actuals: [{ employee_id: max, taken_in_cents: silver.EF - 10_000 }] })
  expect(answer.status, answer.text).toBe(200)
  await goOn('2027-04-01')
  expect((await linesOf(max)).filter(([kind]) => kind === 'arrears')).toEqual([
    ['arrears', 6_380, 'Pre-tax'],
    ['arrears', 3_620, 'Post-tax'],
  ])
  expect(await proof(max)).toMatchObject({ arrears_in_cents: 10_000, outstanding_in_cents: 0, difference_in_cents: 0 })
})
