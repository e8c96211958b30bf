import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'

/**
 * Premiums that depend on days. Ana's employer offers a medical benefit from July on. Ben's child is born in October,
 * reported in November, and replaces his wife in the election. Invoices and deductions must follow to the cent.
 */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** An employer that pays monthly, with a plan year. */
async function employerWith(coverage_start: string, benefits: object[]): Promise<string> {
  const employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
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
 * The lines of the latest invoice: month, benefit, tier, premium, employee's share. Checks that no difference remains.
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
        where line.statement_id = (select id from deduction_statements where employer_id = $1 and generated_at is not null
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

  it('costs nothing before its first day, and the full amount from then on', { timeout: 120_000 }, async () => {
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
  it(
    "costs the family tier until the end of the month, and the child's tier from then on",
    { timeout: 120_000 },
    async () => {
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

      // November: 24,900 for the three of them instead of 17,500. October is billed by its first day, before the birth.
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
    },
  )
})
