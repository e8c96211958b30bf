import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** A dependent is ended by mistake and reinstated. Afterwards, all is as if the dependent had never ended. */
const api = useApi()

const wife = { relationship: 'spouse', first_name: 'Bell', last_name: 'Byron', date_of_birth: '1991-05-17' }
const son = { relationship: 'child', first_name: 'Ralph', last_name: 'Byron', date_of_birth: '2012-07-02' }

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})
beforeEach(() => api.moveTo('2026-03-10'))

/** Moves to days and runs the jobs of each. */
async function goOn(...days: string[]): Promise<void> {
  for (const day of days) {
    await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
}

const plan_of = (row: { benefit: { category: string } }) => row.benefit.category === 'Medical'

async function medicalOf(employee_id: string, year: string) {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments?limit=100`)).body
  return pick(data, (row) => plan_of(row) && row.benefit_plan_year_id === year).id
}

/** A family of three, covered since January, at a new employer that pays monthly. */
async function family() {
  const employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  const year = await openPlanYear(api, employer_id, catalog)
  const { id } = await createEmployee(api, employer_id)
  const spouse = await added(id, wife)
  const dependent_ids = [spouse, await added(id, son)]
  await api.work()
  const enrollment_id = await medicalOf(id, year)
  await elect(enrollment_id, 'EF')
  return { id, employer_id, year, enrollment_id, spouse, dependent_ids: dependent_ids.toSorted() }
}

async function added(employee_id: string, person: object): Promise<string> {
  const answer = await api.post(`/v1/employees/${employee_id}/dependents`, person)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

async function elect(enrollment_id: string, coverage_tier: string) {
  const input = { plan_id: catalog.mec.plan_id, coverage_tier }
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, input)
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}

async function end(dependent_id: string) {
  expect((await api.call('DELETE', `/v1/dependents/${dependent_id}`)).status).toBe(200)
  await api.work()
}
const requestBack = (dependent_id: string, input: { key?: string } = {}) =>
  api.post(`/v1/dependents/${dependent_id}/reinstate`, undefined, input)
async function reinstate(dependent_id: string) {
  const answer = await requestBack(dependent_id)
  expect(answer.status, answer.text).toBe(200)
  await api.work()
  return answer.body.data
}

const read = async (enrollment_id: string) => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
const coverOf = async (enrollment_id: string) => {
  const { coverage_tier, employee_deduction_in_cents, dependent_ids } = await read(enrollment_id)
  return [coverage_tier, employee_deduction_in_cents, dependent_ids.toSorted()]
}

/** The deductions and invoices of a year, in total and by the months that they are for. */
async function moneyOf({ id, employer_id }: { id: string; employer_id: string }) {
  const proof = (await api.get(`/v1/employees/${id}/deductions/proof?year=2026`)).body.data
  const billed = await api.database.reads.rows(
    `select line.month::text, sum(line.premium_in_cents)::int as cents from invoice_lines as line
       join invoices as invoice using (invoice_id, organization_id)
      where invoice.employer_id = $1 group by line.month order by line.month`,
    [employer_id],
  )
  return { due: proof.due_in_cents, requested: proof.requested_in_cents, billed }
}

describe('a dependent who was removed by mistake', () => {
  it('is covered without a gap, and deducted and billed to the cent as if never removed', async () => {
    const [mistaken, other] = [await family(), await family()]
    await goOn('2026-03-31', '2026-04-01')
    api.moveTo('2026-04-02')
    await end(mistaken.spouse)
    await goOn('2026-05-01')
    expect(await coverOf(mistaken.enrollment_id)).toEqual(['EC', 8_250, [expect.any(String)]])
    await goOn('2026-06-01')
    expect(await reinstate(mistaken.spouse)).toMatchObject({ active: true, ended_on: null, covered_until: null })
    expect(await coverOf(mistaken.enrollment_id)).toEqual(['EF', 12_450, mistaken.dependent_ids])
    const history = (await api.get(`/v1/enrollments/${mistaken.enrollment_id}/history`)).body.data
    expect(history.at(-1)!.elections!.map((one) => [one.effective_on, one.coverage_tier])).toEqual([[null, 'EF']])
    await goOn('2026-07-01', '2026-08-01')
    const money = await moneyOf(mistaken)
    expect(money).toEqual(await moneyOf(other))
    expect(money.billed.length).toBeGreaterThan(4)
  })

  it('gets one event for the restored coverage, whether the end was announced or is past', async () => {
    const { spouse } = await family()
    await end(spouse)
    await reinstate(spouse)
    await end(spouse)
    await goOn('2026-04-01', '2026-04-20')
    await reinstate(spouse)
    expect(await reinstate(spouse)).toMatchObject({ active: true })
    expect(await api.events(spouse)).toEqual([
      'dependent.coverage_ending',
      'dependent.coverage_reinstated',
      'dependent.coverage_ending',
      'dependent.coverage_ended',
      'dependent.coverage_reinstated',
    ])
  })

  it('is covered by an election that was carried into the next plan year without the dependent', async () => {
    const { id, year, enrollment_id, spouse, dependent_ids } = await family()
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
    const path = `/operator/v1/benefit-plan-years/${year}/copy` as const
    const next_year = (await api.post(path, window, { key: api.operator_key })).body.data.id
    await goOn('2026-11-10')
    await end(spouse)
    await goOn('2026-11-21', '2026-12-01')
    const renewed = await medicalOf(id, next_year)
    expect((await coverOf(renewed))[0]).toBe('EC')
    await goOn('2027-01-05')
    await reinstate(spouse)
    expect(await coverOf(renewed)).toEqual(['EF', 12_450, dependent_ids])
    expect(await coverOf(enrollment_id)).toEqual(['EF', 12_450, dependent_ids])
  })

  it('is covered by an election that was resumed for the employee without the dependent', async () => {
    const { id, year, spouse, dependent_ids } = await family()
    await goOn('2026-05-10')
    await end(spouse)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-05-09' })
    await goOn('2026-06-01', '2026-06-10')
    const answer = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-06-10' })
    expect(answer.status, answer.text).toBe(201)
    await api.work()
    const back = await medicalOf(answer.body.data.id, year)
    expect((await coverOf(back))[0]).toBe('EC')
    await reinstate(spouse)
    expect(await coverOf(back)).toEqual(['EF', 12_450, dependent_ids])
  })

  it('is not covered by elections made in the meantime', async () => {
    const { enrollment_id, spouse } = await family()
    await end(spouse)
    await goOn('2026-04-01')
    await elect(enrollment_id, 'EC')
    await goOn('2026-05-02')
    await reinstate(spouse)
    expect((await coverOf(enrollment_id))[0]).toBe('EC')
  })
})

describe('dependents_reinstate', () => {
  it('is recorded in the audit log with the actor', async () => {
    const { spouse } = await family()
    await end(spouse)
    await reinstate(spouse)
    const { data } = (await api.get(`/v1/audit-entries?resource_id=${spouse}`)).body
    expect(data.map(({ operation }) => operation)).toContain('dependents_reinstate')
  })

  it('refuses dependents who were removed more than 60 days ago or replaced, and employee tokens', async () => {
    const { id, spouse, dependent_ids } = await family()
    const child = dependent_ids.find((one) => one !== spouse)!
    await end(spouse)
    await end(child)
    const bound_entity = { type: 'employee', id }
    const token = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })
    expect(codeOf(await requestBack(child, { key: token.body.access_token }))).toEqual([403, 'forbidden'])
    await added(id, { ...wife, first_name: 'Ada' })
    await added(id, son)
    expect(codeOf(await requestBack(spouse))).toEqual([409, 'spouse_already_exists'])
    expect(codeOf(await requestBack(child))).toEqual([409, 'dependent_already_exists'])
    expect(codeOf(await requestBack(spouse, { key: api.story.rival_api_key }))).toEqual([404, 'not_found'])
    const { spouse: other } = await family()
    await end(other)
    api.moveTo('2026-05-10')
    expect(codeOf(await requestBack(other))).toEqual([409, 'dependent_ended_long_ago'])
    api.moveTo('2026-05-09')
    await reinstate(other)
    expect(
      only(
        (await api.get(`/v1/webhook-events?resource_id=${other}&event_name=dependent.coverage_reinstated`)).body.data,
      ),
    ).toBeDefined()
  })
})
