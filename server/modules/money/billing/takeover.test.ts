import { beforeAll, describe, expect, it } from 'vitest'
import { createCoveredEmployer, createEmployer, importCatalog } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'

/**
 * A bakery whose employees have been covered since January is taken over in March: dental for 32.00 per month, of which
 * the employee pays 12.00, with monthly pay.
 */
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
