import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

/** A bakery whose facts are reported late, so that invoices and paychecks correct earlier months and name the cause. */
const api = useApi()
const operator = () => ({ key: api.operator_key })
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
const people: Record<string, string> = {}
const enrollments: Record<string, string> = {}

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const tokenOf = async (type: 'employer' | 'employee', id: string): Promise<string> =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity: { type, id } })).body
    .access_token

async function hire(name: string, key = api.story.api_key): Promise<void> {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-02-10', first_name: name })
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  people[name] = id
  enrollments[name] = pick(data, (row) => row.benefit.category === 'Dental').id
  if (key) await elect(name, key)
}

async function elect(name: string, key: string): Promise<void> {
  const choice = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const answer = await api.post(`/v1/enrollments/${enrollments[name]!}/elect`, choice, { key })
  expect(answer.status, answer.text).toBe(200)
}

const invoices = async () => (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data
const operate = async (invoice_id: string, action: 'void' | 'issue', body: object = {}) =>
  api.post(`/operator/v1/employers/${employer_id}/invoices/${invoice_id}/${action}`, body, operator())

/** The causes of the lines of the latest invoice, by person and month. */
async function causes(key = api.story.api_key) {
  const { invoice_id } = first(await invoices())
  const { data } = (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/lines`, { key })).body
  const nameOf = (id: string) => Object.entries(people).find(([, employee_id]) => employee_id === id)?.[0]
  return Object.fromEntries(data.map((line) => [`${nameOf(line.employee_id)} ${line.month}`, line.cause]))
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  const policy = { classification: 'full_time', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  for (const name of ['Ana', 'Ben', 'Cal']) await hire(name)
  await hire('Dee', '')
  await onDay('2026-03-11')
})

describe('the cause of an adjustment', () => {
  it('names the fact, the caller who reported it, and the time', async () => {
    const found = await causes()
    expect([found['Ana 2026-03'], found['Ben 2026-03']]).toEqual([null, null])
  })

  it('names the fact, who reported it and when', async () => {
    await onDay('2026-03-20')
    api.wait(60_000)
    const terminated = await api.post(`/v1/employees/${people['Ana']!}/terminate`, { termination_date: '2026-02-15' })
    expect(terminated.status, terminated.text).toBe(200)
    await elect('Dee', await tokenOf('employee', people['Dee']!))
    const ends = { termination_date: '2026-02-20', reason: 'The letter was lost' }
    await api.post(`/operator/v1/employees/${people['Cal']!}/terminate`, ends, operator())
    const { invoice_id } = first(await invoices())
    const proof = await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`)
    const difference = pick(proof.body.data.differences, (row) => row.employee_id === people['Ana'])
    expect(difference.cause).toMatchObject({ operation: 'employees_terminate', coverage_end: '2026-02-28' })

    await onDay('2026-04-01')
    const found = await causes()
    expect(found['Ana 2026-03']).toEqual({
      action: 'ended',
      operation: 'employees_terminate',
      reported_at: '2026-03-20T16:01:00.000Z',
      reported_by: { kind: 'partner', id: expect.stringMatching(/^key_/) },
      coverage_start: '2026-02-10',
      coverage_end: '2026-02-28',
      reason: null,
    })
    expect(found['Dee 2026-03']).toMatchObject({
      action: 'elected',
      operation: 'enrollments_elect',
      reported_by: { kind: 'employee', id: people['Dee'] },
    })
    expect(found['Cal 2026-03']).toMatchObject({ reported_by: { kind: 'operator', id: null } })
    expect(found['Ben 2026-04']).toBeNull()
  })

  it("omits key ids for the employer's token", async () => {
    const found = await causes(await tokenOf('employer', employer_id))
    expect(found['Ana 2026-03']?.reported_by).toEqual({ kind: 'partner', id: null })
  })

  it('is also on the correction of the paycheck', async () => {
    const { data } = (await api.get(`/v1/employees/${people['Dee']!}/paychecks?year=2026`)).body
    const lines = data.flatMap((paycheck) => paycheck.lines)
    const corrections = lines.filter(({ kind }) => kind === 'correction')
    expect(corrections.length).toBeGreaterThan(0)
    for (const { cause } of corrections)
      expect(cause).toMatchObject({ action: 'elected', reported_by: { kind: 'employee', id: people['Dee'] } })
    expect(lines.filter(({ kind }) => kind !== 'correction').map(({ cause }) => cause)).not.toContainEqual(
      expect.anything(),
    )
  })

  it('is the void invoice if nothing else changed', async () => {
    const { invoice_id } = first(await invoices())
    await operate(invoice_id, 'void', { reason: 'The wrong rates were imported.' })
    await onDay('2026-05-01')
    const found = await causes()
    expect(found['Ben 2026-04']).toMatchObject({
      action: 'invoice_voided',
      reason: 'The wrong rates were imported.',
      reported_by: { kind: 'operator', id: null },
    })
  })

  it("is the operator's manual adjustment", async () => {
    const body = { month: '2025-11', employee_deduction_in_cents: 100, reason: 'Owed since last year' }
    const booked = await api.post(
      `/operator/v1/enrollments/${enrollments['Ben']!}/manual-adjustments`,
      body,
      operator(),
    )
    expect(booked.status, booked.text).toBe(201)
    await onDay('2026-06-01')
    expect((await causes())['Ben 2025-11']).toMatchObject({
      action: 'manual_adjustment',
      reason: 'Owed since last year',
    })
  })

  it('is the census from which a person is missing', async () => {
    await onDay('2026-06-10')
    const employee = (await api.get(`/v1/employees/${people['Ben']!}`)).body.data
    const { first_name, last_name, email, phone, date_of_birth } = employee
    const address = { address_line_1: '5 Elm St', city: 'Albany', state: 'NY', zipcode: '12207' }
    const names = { first_name, last_name, email, phone, date_of_birth }
    const row = { ...names, ...address, start_date: '2026-02-10', termination_date: '2026-05-20' }
    const path = `/v1/employers/${employer_id}/census-sync` as const
    const sent = await api.post(path, { employees: [row] })
    expect(sent.status, sent.text).toBe(202)
    await api.work()
    await onDay('2026-07-01')
    expect((await causes())['Ben 2026-06']).toMatchObject({
      operation: 'employers_submit_census_sync',
      reported_by: { kind: 'rule', id: null },
      coverage_end: '2026-05-31',
    })
  })
})
