import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

/** A bakery whose facts are reported late, so that invoices and paychecks correct earlier months and name the cause. */
const api = useApi()

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const operator = () => ({ key: api.operator_key })
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
const people: Record<string, string> = {}
const enrollments: Record<string, string> = {}

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
  await addPolicy(api, employer_id, { classification: 'full_time' })
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
    await elect('Dee', await boundToken(api, 'employee', people['Dee']!))
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
    const found = await causes(await boundToken(api, 'employer', employer_id))
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

describe('premiums that depend on days', () => {
  const api = useApi()

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }
  let catalog: Awaited<ReturnType<typeof importCatalog>>
  const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]

  /** An employer that pays monthly, with a plan year. */
  async function employerWith(coverage_start: string, benefits: object[]): Promise<string> {
    const employer_id = await createEmployer(api)
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
    await addPolicy(api, employer_id)
    await openPlanYear(api, employer_id, catalog, { coverage_start, benefits })
    await api.work()
    return employer_id
  }

  async function elect(employee_id: string, benefit: 'mvp' | 'mec' | 'dental', input: object): Promise<string> {
    const { benefit_id, plan_id } = catalog[benefit]
    const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
    const { id } = pick(data, (row) => row.benefit.id === benefit_id)
    const answer = await api.post(`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier: 'EE', ...input })
    expect(answer.status, answer.text).toBe(200)
    return id
  }

  /**
   * The lines of the latest invoice: month, benefit, tier, premium, employee's share. Checks that no difference
   * remains.
   */
  async function billed(employer_id: string) {
    const path = `/v1/employers/${employer_id}/invoices` as const
    const { invoice_id } = first((await api.get(`${path}?include_drafts=true`)).body.data)
    const lines = (await api.get(`${path}/${invoice_id}/lines`)).body.data
    expect((await api.get(`${path}/${invoice_id}/reconciliation`)).body.data.difference_count).toBe(0)
    return lines.map((line) => [
      line.month,
      line.benefit_name,
      line.coverage_tier,
      line.premium_in_cents,
      line.employee_deduction_in_cents,
    ])
  }

  /** The lines of the latest statement: benefit, kind, cents. */
  const taken = async (employer_id: string) =>
    (
      await api.database.reads.rows<Record<string, unknown>>(
        `select line.benefit_name, line.kind, line.amount_in_cents from deduction_lines as line
        where line.statement_id = (select id from deduction_statements
                                    where employer_id = $1 and generated_at is not null
                                    order by period_end_date desc limit 1)
        order by line.benefit_name, line.kind desc`,
        [employer_id],
      )
    ).map((row) => Object.values(row))

  beforeAll(async () => {
    catalog = await importCatalog(api)
  })

  describe('a medical benefit that starts in the middle of the year', () => {
    const dental = ['Dental', 'EE', 3_200, 1_200]
    const medical = ['Major Medical', 'EE', 42_000, 21_000]
    let employer_id: string

    it('costs nothing before its first day, and the full amount from then on', async () => {
      employer_id = await employerWith('2026-04-01', [
        { benefit_id: catalog.mvp.benefit_id, starts_on: '2026-07-01', contribution_tiers: half },
        {
          benefit_id: catalog.dental.benefit_id,
          contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 2_000 }],
        },
      ])
      const { id } = await createEmployee(api, employer_id, { start_date: '2020-03-02' })
      await elect(id, 'mvp', {})
      await elect(id, 'dental', {})
      for (const month of ['2026-04', '2026-05', '2026-06']) {
        await onDay(`${month}-01`)
        expect(await billed(employer_id)).toEqual([[month, ...dental]])
        expect(await taken(employer_id)).toEqual([['Dental', 'deduction', 1_200]])
      }
      await onDay('2026-07-01')
      expect(await billed(employer_id)).toEqual([
        ['2026-07', ...dental],
        ['2026-07', ...medical],
      ])
      expect(await taken(employer_id)).toEqual([
        ['Dental', 'deduction', 1_200],
        ['Major Medical', 'deduction', 21_000],
      ])
    })
  })

  describe('a birth after which the newborn replaces the wife', () => {
    it("costs the family tier until the end of the month, and the child's tier from then on", async () => {
      const employer_id = await employerWith('2026-10-01', [
        { benefit_id: catalog.mec.benefit_id, contribution_tiers: half },
      ])
      const { id } = await createEmployee(api, employer_id, { start_date: '2020-03-02' })
      const dependent = async (input: object) =>
        (await api.post(`/v1/employees/${id}/dependents`, { last_name: 'Costa', ...input })).body.data.id
      await dependent({ relationship: 'spouse', first_name: 'Ida', date_of_birth: '1990-01-01' })
      await elect(id, 'mec', { coverage_tier: 'ES' })
      for (const month of ['2026-10', '2026-11']) {
        await onDay(`${month}-01`)
        expect(await billed(employer_id)).toEqual([[month, 'Essential Care', 'ES', 17_500, 8_750]])
        expect(await taken(employer_id)).toEqual([['Essential Care', 'deduction', 8_750]])
      }

      await onDay('2026-11-05')
      const baby = await dependent({ relationship: 'child', first_name: 'Bo', date_of_birth: '2026-10-10' })
      const born = { type: 'birth', occurred_on: '2026-10-10' }
      const event = await api.post(`/v1/employees/${id}/qualifying-life-events`, born)
      const approval = { exception: 'The wife has coverage of her own' }
      await api.post(`/operator/v1/qualifying-life-events/${event.body.data.id}/approve`, approval, {
        key: api.operator_key,
      })
      await elect(id, 'mec', { coverage_tier: 'EC', dependent_ids: [baby] })

      // For November, 24,900 cents for the three people instead of 17,500. October is billed as of its first day.
      await onDay('2026-12-01')
      expect(await billed(employer_id)).toEqual([
        ['2026-12', 'Essential Care', 'EC', 16_500, 8_250],
        ['2026-11', 'Essential Care', 'EF', 7_400, 3_700],
      ])
      expect(await taken(employer_id)).toEqual([
        ['Essential Care', 'deduction', 8_250],
        ['Essential Care', 'correction', 3_700],
      ])
      await onDay('2027-01-01')
      expect(await billed(employer_id)).toEqual([['2027-01', 'Essential Care', 'EC', 16_500, 8_250]])
      expect(await taken(employer_id)).toEqual([['Essential Care', 'deduction', 8_250]])
    })
  })
})
