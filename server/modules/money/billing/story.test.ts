import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { draftInvoices } from './actions.ts'

/**
 * A bakery that is billed from spring to summer: its first invoice, a late change, a void invoice, and a paid one. Each
 * step continues from the previous one.
 */
const api = useApi()
const operator = () => ({ key: api.operator_key })
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let ana: string
let ben: string
const enrollments: Record<string, string> = {}

const invoices = async () => (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data
const linesOf = async (invoice_id: string) =>
  (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/lines`)).body.data
const shortLines = async (invoice_id: string) =>
  (await linesOf(invoice_id)).map((line) => [
    line.kind,
    line.month,
    line.employee_id === ana ? 'ana' : 'ben',
    line.benefit_name,
    line.premium_in_cents,
    line.employer_contribution_in_cents,
  ])
const proof = async (invoice_id: string) =>
  (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`)).body.data
const operate = <Path extends string>(path: Path) =>
  api.post(`/operator/v1/employers/${employer_id}/invoices/${path}`, {}, operator())

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

async function elect(employee_id: string, category: string, choice: object): Promise<string> {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const { id } = pick(data, (row) => row.benefit.category === category && row.status === 'pending')
  const answer = await api.post(`/v1/enrollments/${id}/elect`, choice)
  expect(answer.status, answer.text).toBe(200)
  return id
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api, { name: 'Kovač Bakery', legal_name: 'Kovač Bakery LLC' })
  await addPolicy(api, employer_id, { classification: 'full_time' })
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  ana = (await createEmployee(api, employer_id, { start_date: '2026-02-10', first_name: 'Ana', suffix: 'Jr' })).id
  ben = (await createEmployee(api, employer_id, { start_date: '2026-03-10' })).id
  enrollments.ana = await elect(ana, 'Medical', { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })
  enrollments.teeth = await elect(ana, 'Dental', { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
})

describe('an employer', () => {
  it('has no invoice until the invoice day runs', async () => {
    await api.work()
    expect(await invoices()).toEqual([])
  })

  it('is billed for the month and for earlier unbilled months when the day runs', async () => {
    await onDay('2026-03-11')
    const [invoice, ...others] = await invoices()
    expect(others).toEqual([])
    expect(invoice).toEqual({
      invoice_id: 'INV-000001',
      employer_id,
      period: '2026-03',
      status: 'draft',
      total: 121,
      total_in_cents: 12_100,
      employer_contribution_in_cents: 10_900,
      employee_deduction_in_cents: 1_200,
      line_count: 2,
      drafted_on: '2026-03-11',
      issued_on: null,
      due_on: null,
      paid_on: null,
      voided_on: null,
      void_reason: null,
      replaced_by: null,
      payment_url: null,
    })
    expect(await linesOf('INV-000001')).toEqual([
      expect.objectContaining({ benefit_name: 'Dental', premium_in_cents: 3_200, employee_deduction_in_cents: 1_200 }),
      {
        kind: 'coverage',
        reason: null,
        cause: null,
        month: '2026-03',
        employee_id: ana,
        employee_name: expect.stringMatching(/^Ana Costa \w+ Jr$/),
        enrollment_id: enrollments.ana,
        benefit_name: 'Essential Care',
        plan_name: 'Essential Care Base',
        coverage_tier: 'EE',
        premium_in_cents: 8_900,
        employer_contribution_in_cents: 8_900,
        employee_deduction_in_cents: 0,
      },
    ])
  })

  it('gets no second invoice when the day runs again', async () => {
    await api.runDays()
    await api.work()
    await onDay('2026-03-12')
    expect((await invoices()).map((one) => one.invoice_id)).toEqual(['INV-000001'])
    const again = await operate('run')
    expect(codeOf(again)).toEqual([409, 'invoice_already_drafted'])
  })

  it('gets the invoice issued on the third day, with an event', async () => {
    await onDay('2026-03-13')
    expect((await invoices())[0]?.status).toBe('draft')
    expect(await api.events('INV-000001')).toEqual([])
    await onDay('2026-03-14')
    expect((await invoices())[0]).toMatchObject({ status: 'open', issued_on: '2026-03-14', due_on: '2026-04-13' })
    expect(await api.events('INV-000001')).toEqual(['invoice.issued'])
    await onDay('2026-03-15')
    expect(await api.events('INV-000001')).toEqual(['invoice.issued'])
  })

  it('is adjusted in the next month for late reports: a start, a change and an end', async () => {
    // Ana's medical coverage started with the plan year after all, and her dental coverage ended before it was billed.
    for (const [id, correction] of [
      [enrollments.ana, { reason: 'Hired before we knew', coverage_start: '2026-02-01' }],
      [enrollments.teeth, { reason: 'Reported late', coverage_end: '2026-02-28' }],
    ] as const) {
      const answer = await api.post(`/operator/v1/enrollments/${id}/corrections`, correction, operator())
      expect(answer.status, answer.text).toBe(201)
    }
    expect(await proof('INV-000001')).toMatchObject({
      due: { premium_in_cents: 17_800 },
      billed: { premium_in_cents: 12_100 },
      difference: { premium_in_cents: 5_700 },
      difference_count: 2,
      differences: [
        {
          employee_id: ana,
          enrollment_id: enrollments.teeth,
          month: '2026-03',
          difference: { premium_in_cents: -3_200 },
        },
        { employee_id: ana, enrollment_id: enrollments.ana, month: '2026-02', difference: { premium_in_cents: 8_900 } },
      ],
    })
    api.moveTo('2026-03-20')
    await elect(ben, 'Medical', { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })
    await onDay('2026-04-01')
    const [invoice] = await invoices()
    expect(invoice).toMatchObject({ invoice_id: 'INV-000002', period: '2026-04', total: 235, total_in_cents: 23_500 })
    expect(await shortLines('INV-000002')).toEqual([
      ['adjustment', '2026-03', 'ana', 'Dental', -3_200, -2_000],
      ['coverage', '2026-04', 'ana', 'Essential Care', 8_900, 8_900],
      ['adjustment', '2026-02', 'ana', 'Essential Care', 8_900, 8_900],
      ['coverage', '2026-04', 'ben', 'Essential Care', 8_900, 8_900],
    ])
    expect((await linesOf('INV-000002')).map(({ reason }) => reason)).toEqual([
      'no_longer_due',
      null,
      'not_billed_before',
      null,
    ])
    expect(await proof('INV-000002')).toMatchObject({
      months: ['2026-01', '2026-02', '2026-03', '2026-04'],
      lines: { line_count: 4, total_in_cents: 23_500, difference_in_cents: 0 },
      due: { premium_in_cents: 35_600, employee_deduction_in_cents: 0 },
      billed: { premium_in_cents: 35_600, employee_deduction_in_cents: 0 },
      difference: { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 },
      difference_count: 0,
      differences: [],
      deductions: { year: 2026, billed_in_cents: 0, collected_in_cents: 0, difference_in_cents: 0 },
    })
    expect(await proof('INV-000001')).toMatchObject({ difference_count: 0 })
  })

  it('gets a new invoice when one was voided and the day runs again', async () => {
    const voided = await operate('INV-000002/void')
    expect(voided.body.data).toMatchObject({ invoice_id: 'INV-000002', status: 'void', voided_on: '2026-04-01' })
    await onDay('2026-04-02')
    expect((await invoices()).length).toBe(2)
    expect((await proof('INV-000002')).difference.premium_in_cents).toBe(23_500)

    const run = await operate('run')
    expect([run.status, run.body.data]).toEqual([202, { employer_id, period: '2026-04' }])
    await api.work()
    expect(await invoices()).toMatchObject([
      { invoice_id: 'INV-000003', period: '2026-04', status: 'draft', total_in_cents: 23_500 },
      { invoice_id: 'INV-000002', period: '2026-04', status: 'void' },
      { invoice_id: 'INV-000001', period: '2026-03', status: 'open' },
    ])
    expect(await shortLines('INV-000003')).toEqual(await shortLines('INV-000002'))
    expect((await proof('INV-000003')).difference_count).toBe(0)
  })

  it('gets the amounts of a void invoice on the next one', async () => {
    await operate('INV-000003/void')
    await onDay('2026-05-01')
    expect(await shortLines('INV-000004')).toEqual([
      ['adjustment', '2026-03', 'ana', 'Dental', -3_200, -2_000],
      ['coverage', '2026-05', 'ana', 'Essential Care', 8_900, 8_900],
      ['adjustment', '2026-02', 'ana', 'Essential Care', 8_900, 8_900],
      ['adjustment', '2026-04', 'ana', 'Essential Care', 8_900, 8_900],
      ['coverage', '2026-05', 'ben', 'Essential Care', 8_900, 8_900],
      ['adjustment', '2026-04', 'ben', 'Essential Care', 8_900, 8_900],
    ])
    expect((await proof('INV-000004')).difference_count).toBe(0)
    const replaced = (await invoices()).filter(({ status }) => status === 'void')
    expect(replaced.map(({ invoice_id, replaced_by }) => [invoice_id, replaced_by])).toEqual([
      ['INV-000003', 'INV-000004'],
      ['INV-000002', 'INV-000004'],
    ])
  })

  it('pays an invoice, which records the day', async () => {
    await operate('INV-000004/issue')
    const paid = await operate('INV-000004/pay')
    expect(paid.body.data).toMatchObject({ status: 'paid', issued_on: '2026-05-01', paid_on: '2026-05-01' })
  })

  it('is billed for each month in which no worker was running, in order', async () => {
    api.moveTo('2026-07-02')
    await api.runDays()
    await api.work()
    expect((await invoices()).slice(0, 2)).toMatchObject([
      { invoice_id: 'INV-000006', period: '2026-07', line_count: 2, drafted_on: '2026-07-02' },
      { invoice_id: 'INV-000005', period: '2026-06', line_count: 2, drafted_on: '2026-07-02' },
    ])
  })

  it('misses and repeats nothing when the worker is interrupted after any chunk', async () => {
    await operate('INV-000006/void')
    await operate('run')
    const { organization_id } = api.story
    const position = { organization_id, employer_ids: [employer_id] }
    // One employee at a time. Each time, the work is interrupted before the next chunk commits.
    for (let broken = 1; broken <= 3; broken++) {
      let chunks = 0
      const runtime = {
        ...api.runtime,
        database: {
          ...api.database,
          transaction: ((rows_of, work) => {
            if (++chunks > 1) throw new Error('killed')
            return api.database.transaction(rows_of, work)
          }) as typeof api.database.transaction,
        },
      }
      await draftInvoices(runtime, position, 1).catch(() => undefined)
      if (broken < 3) expect((await invoices())[0]).toMatchObject({ invoice_id: 'INV-000006' })
    }
    await draftInvoices(api.runtime, position, 1)
    expect((await invoices())[0]).toMatchObject({ invoice_id: 'INV-000007', line_count: 2, total_in_cents: 17_800 })
    await api.work()
    await draftInvoices(api.runtime, position, 1)
    expect((await invoices()).length).toBe(7)
    expect(await proof('INV-000007')).toMatchObject({ difference_count: 0, lines: { difference_in_cents: 0 } })
  })

  it('is refunded the amounts billed after its subscription ended', async () => {
    await onDay('2026-08-01')
    await api.post(`/operator/v1/employers/${employer_id}/subscriptions/end`, { ended_on: '2026-07-15' }, operator())
    await onDay('2026-09-01')
    expect(await shortLines('INV-000009')).toEqual([
      ['adjustment', '2026-08', 'ana', 'Essential Care', -8_900, -8_900],
      ['adjustment', '2026-08', 'ben', 'Essential Care', -8_900, -8_900],
    ])
    expect((await invoices())[0]).toMatchObject({ period: '2026-09', total: -178 })
    await onDay('2026-10-01')
    expect((await invoices()).length).toBe(9)
  })

  it('is billed without interruption if its next subscription follows within 60 days', async () => {
    await api.post(`/operator/v1/employers/${employer_id}/subscriptions`, { started_on: '2026-09-10' }, operator())
    await onDay('2026-11-01')
    const linesOf = (month: string, name: string) => [
      ['coverage', month, name, 'Essential Care', 8_900, 8_900],
      ...(month === '2026-10'
        ? ['2026-08', '2026-09'].map((earlier) => ['adjustment', earlier, name, 'Essential Care', 8_900, 8_900])
        : []),
    ]
    expect(await shortLines('INV-000010')).toEqual([...linesOf('2026-10', 'ana'), ...linesOf('2026-10', 'ben')])
    expect(await shortLines('INV-000011')).toEqual([...linesOf('2026-11', 'ana'), ...linesOf('2026-11', 'ben')])
    expect(await proof('INV-000010')).toMatchObject({ difference_count: 0 })
  })

  it('has lines of each employee, which can be listed alone', async () => {
    const lines = `/v1/employers/${employer_id}/invoices/INV-000010/lines` as const
    const all = (await api.get(lines)).body.data
    const of_ben = all.filter(({ employee_id }) => employee_id === ben)
    expect(of_ben.length).toBeLessThan(all.length)
    expect((await api.get(`${lines}?employee_id=${ben}`)).body.data).toEqual(of_ben)
    expect((await api.get(`${lines}?employee_id=${ben}&limit=1&page=2`)).body).toMatchObject({
      data: [of_ben[1]],
      pagination: { total: of_ben.length },
    })
    const rival = { key: api.story.rival_api_key }
    expect((await api.get(`${lines}?employee_id=${ben}`, rival)).status).toBe(404)
    const unknown = `/v1/employers/${employer_id}/invoices/INV-999999/lines?employee_id=${ben}` as const
    expect((await api.get(unknown)).status).toBe(404)
  })
})
