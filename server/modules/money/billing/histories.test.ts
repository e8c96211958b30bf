import fc from 'fast-check'
import { beforeAll, expect, it, describe } from 'vitest'
import {
  aPerson,
  createEmployer,
  importCatalog,
  openPlanYear,
  createCoveredEmployer,
  addPolicy,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { draftInvoices } from './actions.ts'

/**
 * Thirty people whose enrollments change every month, mostly reported late, and occasional void invoices. On every
 * invoice day, the invoices must agree with the current cost of the enrollments, which the reconciliation computes
 * independently. Repeating the day must change nothing.
 */
const api = useApi()

const people = 30
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const months = ['2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11', '2026-12']

const action = fc.record({
  who: fc.nat(1000),
  kind: fc.constantFrom('start', 'end', 'end', 'open', 'elect', 'elect', 'elect', 'waive', 'leave'),
  months_back: fc.nat(5),
  day_of_month: fc.constantFrom(0, 0, 1, 9, 14, 15, 27),
  choice: fc.nat(1),
})
const month = fc.record({ actions: fc.array(action, { minLength: 8, maxLength: 14 }), voids: fc.option(fc.nat(3)) })
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

let employer_id: string
let plan_ids: Record<string, string[]>
let enrollments: { id: string; employee_id: string; category: string }[] = []
const operator = () => ({ key: api.operator_key })
const path = () => `/v1/employers/${employer_id}/invoices` as const

/** One plan bills by days, and another by the middle of the month. */
const partial_months = [
  { carrier: 'Brightside Dental', product_code: 'VD', benefit: 'Dental', plan: 'Brightside PPO' },
  { carrier: 'Evergreen Health', product_code: 'MVP', benefit: 'Major Medical', plan: 'Major Medical Bronze' },
].map((row, at) => ({ ...row, partial_month_rule: ['daily', '15th_rule'][at] }))

beforeAll(async () => {
  const catalog = await importCatalog(api, partial_months)
  plan_ids = { Medical: [catalog.mvp.plan_id, catalog.mvp.other_plan_id], Dental: [catalog.dental.plan_id] }
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const offered = (benefit_id: string, percentage: number) => ({
    benefit_id,
    contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage }],
  })
  const year = await openPlanYear(api, employer_id, catalog, {
    benefits: [offered(catalog.mvp.benefit_id, 62.5), offered(catalog.dental.benefit_id, 33.3)],
  })
  await api.work()
  const employees = Array.from({ length: people }, (_, at) =>
    aPerson({ start_date: `2026-0${1 + (at % 3)}-0${1 + (at % 9)}` }),
  )
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
  await api.work()
  const rows = await api.database.reads.rows<{ id: string; employee_id: string; category: string }>(
    `select enrollment.id, enrollment.employee_id, product.category
       from enrollments as enrollment join benefit_products as product on product.id = enrollment.benefit_id
      where enrollment.plan_year_id = $1 order by enrollment.employee_id, product.category`,
    [year],
  )
  enrollments = rows
  for (const { id, category } of rows.filter((_, at) => at % 3 !== 0))
    await api.post(`/v1/enrollments/${id}/elect`, { plan_id: plan_ids[category]![0], coverage_tier: 'EE' })
})

/** Runs an action. A refused action changes nothing. */
async function attempt({ who, kind, months_back, day_of_month, choice }: Action, today: string): Promise<void> {
  const { id, employee_id, category } = enrollments[who % enrollments.length]!
  const day = Temporal.PlainDate.from(today).subtract({ months: months_back }).add({ days: day_of_month }).toString()
  if (kind === 'leave') {
    await api.post(`/v1/employees/${employee_id}/terminate`, { termination_date: day })
    return
  }
  const plans = plan_ids[category]!
  const correction = {
    start: { coverage_start: day },
    end: { coverage_end: day },
    open: { coverage_end: null },
    elect: { election: { plan_id: plans[choice % plans.length], coverage_tier: 'EE' } },
    waive: { waive: true },
  }[kind]
  const answer = await api.post(
    `/operator/v1/enrollments/${id}/corrections`,
    { reason: 'Corrected', ...correction },
    operator(),
  )
  expect(answer.status, answer.text).toBeLessThan(500)
}

const listed = async () => (await api.get(`${path()}?limit=100&include_drafts=true`)).body.data
const written = async () => {
  const { rows } = await api.database.pool.query('select * from invoice_lines order by invoice_id, position')
  return rows
}

const sumOf = (rows: Record<string, string>[], name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0)

/** Compares the cause of each adjustment in the API with the cause found in the complete history. */
async function reasons(): Promise<[reported: (string | null)[], found: (string | null)[]]> {
  const [lines, { rows: invoices }] = [await written(), await api.database.pool.query('select * from invoices')]
  const invoiceOf = (line: { invoice_id: string }) => pick(invoices, (one) => one.invoice_id === line.invoice_id)
  const parts = ['employer_contribution_in_cents', 'employee_deduction_in_cents']
  const found = lines.map((line) => {
    if (line.kind !== 'adjustment') return null
    const own = invoiceOf(line)
    const before = lines.filter((other) => {
      const { number, voided_at } = invoiceOf(other)
      const stood = Number(number) < Number(own.number) && (voided_at === null || voided_at > own.drafted_at)
      return stood && other.enrollment_id === line.enrollment_id && other.month.valueOf() === line.month.valueOf()
    })
    if (parts.every((part) => sumOf(before, part) === 0)) return 'not_billed_before'
    if (parts.every((part) => sumOf([...before, line], part) === 0)) return 'no_longer_due'
    const last = before.toSorted((one, other) => Number(invoiceOf(one).number) - Number(invoiceOf(other).number)).at(-1)
    const same = last.plan_name === line.plan_name && last.coverage_tier === line.coverage_tier
    return same ? 'price_changed' : 'coverage_changed'
  })
  const reported: (string | null)[] = []
  for (const { invoice_id, line_count } of invoices.toSorted((one, other) =>
    one.invoice_id < other.invoice_id ? -1 : 1,
  ))
    for (let page = 1; (page - 1) * 100 < Number(line_count); page++) {
      const { data } = (await api.get(`${path()}/${invoice_id}/lines?limit=100&page=${page}` as const)).body
      reported.push(...data.map(({ reason }) => reason))
    }
  return [reported, found]
}

/**
 * The latest invoice and all live ones agree with the enrollments in every month of the correction window, to the cent.
 */
async function agree(): Promise<void> {
  const newest = pick(await listed(), (one) => one.status !== 'void')
  const proof = (await api.get(`${path()}/${newest.invoice_id}/reconciliation`)).body.data
  expect(proof).toMatchObject({ difference_count: 0, differences: [], lines: { difference_in_cents: 0 } })
  expect(proof.due).toEqual(proof.billed)
  expect(proof.lines.line_count).toBe(newest.line_count)
  expect(newest.employer_contribution_in_cents + newest.employee_deduction_in_cents).toBe(newest.total_in_cents)
}

it('bills the amounts due in the correction window, whatever was reported late or voided', async () => {
  const [history] = fc.sample(fc.tuple(...months.map(() => month)), { seed, numRuns: 1 })
  const position = { organization_id: api.story.organization_id, employer_ids: [employer_id] }
  for (const [at, { actions, voids }] of history!.entries()) {
    const today = `${months[at]}-01`
    api.moveTo(Temporal.PlainDate.from(today).subtract({ days: 9 }).toString())
    await api.runDays()
    for (const each of actions) await attempt(each, today)
    const before = (await listed())[voids ?? 0]
    if (voids !== null && before) await api.post(`/operator${path()}/${before.invoice_id}/void`, {}, operator())

    api.moveTo(today)
    await api.runDays()
    // In small chunks, as with thousands of people, and with two concurrent workers.
    await Promise.all([draftInvoices(api.runtime, position, 7), draftInvoices(api.runtime, position, 7)])
    await agree()
    const lines = await written()
    await api.runDays()
    await draftInvoices(api.runtime, position, 7)
    expect(await written()).toEqual(lines)

    if (at % 3 === 1) {
      await api.post(`/operator${path()}/${first(await listed()).invoice_id}/void`, {}, operator())
      await api.post(`/operator${path()}/run`, {}, operator())
      await draftInvoices(api.runtime, position)
      await agree()
    }
  }
  expect((await listed()).length).toBeGreaterThan(months.length)
  const { rows } = await api.database.pool.query(`select kind, count(*)::int as count from invoice_lines group by kind`)
  for (const { kind, count } of rows) expect(count, kind).toBeGreaterThan(50)
  const [reported, found] = await reasons()
  expect(reported).toEqual(found)
  for (const reason of ['not_billed_before', 'no_longer_due', 'coverage_changed'])
    expect(reported.filter((one) => one === reason).length, reason).toBeGreaterThan(5)
})

describe('takeovers', () => {
  const api = useApi()
  let employer_id: string

  const administer = async (input: object, id = employer_id) =>
    api.patch(`/operator/v1/employers/${id}/administration`, input, { key: api.operator_key })

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }

  /** The deductions and invoiced amounts so far, by month or year. */
  async function money() {
    const { rows: deducted } = await api.database.pool.query(
      `select statement.period_end_date::text as paid, line.kind, line.amount_in_cents::int as cents
       from deduction_lines as line
       join deduction_statements as statement
         on statement.id = line.statement_id and statement.organization_id = line.organization_id
      where statement.employer_id = $1 order by statement.period_end_date, line.kind desc`,
      [employer_id],
    )
    const { rows: billed } = await api.database.pool.query(
      `select invoice.period::text as invoice, line.month::text, line.employee_deduction_in_cents::int as cents
       from invoice_lines as line
       join invoices as invoice
         on invoice.invoice_id = line.invoice_id and invoice.organization_id = line.organization_id
      where invoice.employer_id = $1 order by invoice.period, line.position`,
      [employer_id],
    )
    return {
      deducted: deducted.map(({ paid, kind, cents }) => [paid, kind, cents]),
      billed: billed.map(({ invoice, month, cents }) => [invoice, month, cents]),
    }
  }

  beforeAll(async () => {
    const catalog = await importCatalog(api)
    employer_id = await createCoveredEmployer(api, catalog)
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  })

  describe('an employer that is taken over in the middle of the year', () => {
    it('has no deductions or invoices before its go-live day', async () => {
      const answer = await administer({ administered_from: '2026-04-01' })
      expect([answer.status, answer.body.data.administered_from]).toEqual([200, '2026-04-01'])
      await onDay('2026-03-11')
      await onDay('2026-03-31')
      expect(await money()).toEqual({ deducted: [], billed: [] })
      expect((await api.get(`/v1/employers/${employer_id}/payroll-deduction-statements`)).body.data).toEqual([])
    })

    it('has deductions and invoices from then on, but not for earlier months', async () => {
      await onDay('2026-04-01')
      await onDay('2026-05-01')
      expect(await money()).toEqual({
        deducted: [
          ['2026-04-30', 'deduction', 1_200],
          ['2026-05-31', 'deduction', 1_200],
        ],
        billed: [
          ['2026-04-01', '2026-04-01', 1_200],
          ['2026-05-01', '2026-05-01', 1_200],
        ],
      })
      const invoice = first((await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data)
      const proof = await api.get(`/v1/employers/${employer_id}/invoices/${invoice.invoice_id}/reconciliation`)
      expect(proof.body.data).toMatchObject({ difference_count: 0, deductions: { difference_in_cents: 0 } })
    })

    it('gets corrections on both sides if the go-live day changes', async () => {
      await administer({ administered_from: '2026-03-01' })
      await onDay('2026-06-01')
      await administer({ administered_from: '2026-04-15' })
      await onDay('2026-07-01')
      const { deducted, billed } = await money()
      expect(deducted.slice(2)).toEqual([
        ['2026-06-30', 'deduction', 1_200],
        ['2026-06-30', 'correction', 1_200],
        ['2026-07-31', 'deduction', 1_200],
        ['2026-07-31', 'correction', -1_200],
      ])
      expect(billed.slice(2)).toEqual([
        ['2026-06-01', '2026-06-01', 1_200],
        ['2026-06-01', '2026-03-01', 1_200],
        ['2026-07-01', '2026-07-01', 1_200],
        ['2026-07-01', '2026-04-01', -1_200],
      ])
    })
  })

  describe('operator_administer_employer', () => {
    it('can change the settings that are sent, shows them to partners, and publishes an event', async () => {
      const id = await createEmployer(api)
      const shown = async () => (await api.get(`/v1/employers/${id}/settings`)).body.data.administered_from
      expect(await shown()).toBeNull()
      await administer({ administered_from: '2026-05-01' }, id)
      await administer({ administered_from: '2026-05-01' }, id)
      await administer({}, id)
      expect(await shown()).toBe('2026-05-01')
      expect(await api.events(id)).toEqual(['employer.created', 'employer.updated'])
      await administer({ administered_from: null }, id)
      expect(await shown()).toBeNull()
    })

    it('refuses an invalid day, and partners who send the settings', async () => {
      const answer = await administer({ administered_from: '2026-02-30' })
      expect([answer.status, answer.error.details[0]?.field]).toEqual([400, 'administered_from'])
      await api.put(`/v1/employers/${employer_id}/settings`, { administered_from: '2026-01-01' })
      const settings = await api.get(`/v1/employers/${employer_id}/settings`)
      expect(settings.body.data.administered_from).toBe('2026-04-15')
    })

    it('hides settings from another organization', async () => {
      const answer = await api.get(`/v1/employers/${employer_id}/settings`, { key: api.story.rival_api_key })
      expect(answer.status).toBe(404)
    })
  })
})
