import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPolicy,
  boundToken,
  createEmployee,
  createEmployer,
  createOfferingEmployer,
  importCatalog,
  openPlanYear,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** The cost of the benefits of a year for the employee and the employer. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = (await createOfferingEmployer(api, catalog)).employer_id
})

async function hire() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const dental = pick(data, ({ benefit }) => benefit.name === 'Dental')
  return { id, key, dental }
}

describe('a benefits statement', () => {
  it('adds up the shares of employee and employer for the charged months of the year', async () => {
    const { id, key, dental } = await hire()
    const path = `/v1/employees/${id}/benefits-statement` as const
    const empty = (await api.get(path, { key })).body.data
    expect(empty).toMatchObject({ year: 2026, benefits: [], total_in_cents: 0, deducted_in_cents: 0, through: null })
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    await api.post(`/v1/enrollments/${dental.id}/elect`, elect, { key })
    const { data } = (await api.get(path, { key })).body
    // $32.00 a month, of which the employer pays $20.00. Coverage starts in the middle of March, so the nine months
    // from April are charged: 9 × $12.00 and 9 × $20.00.
    const amounts = { employee_in_cents: 10_800, employer_in_cents: 18_000, total_in_cents: 28_800 }
    expect(data).toMatchObject({ ...amounts, employee_id: id, deducted_in_cents: 0 })
    expect(data.benefits).toEqual([{ enrollment_id: dental.id, benefit_name: 'Dental', months: 9, ...amounts }])
    expect((await api.get(`/v1/employees/${id}/deductions/proof`, { key })).body.data.due_in_cents).toBe(10_800)
    expect((await api.get(`${path}?year=2025`, { key })).body.data.benefits).toEqual([])
  })

  it('counts the allowance of an ICHRA, not the higher premium of a plan that the employee bought', async () => {
    const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
    const row = { carrier: 'Any', product_code: 'ICHRA_REIMBURSEMENT_ONLY', benefit: 'Reimbursed', plan: 'Any plan' }
    await api.post(`${path}/import`, { rows: [{ ...row, allowance_in_cents: 40_000 }] }, { key: api.operator_key })
    const { benefits } = (await api.get(path, { key: api.operator_key })).body.data
    const offered = pick(benefits, ({ name }) => name === row.benefit)
    const other_employer = await createEmployer(api)
    await addPolicy(api, other_employer)
    await openPlanYear(api, other_employer, catalog, { benefits: [{ benefit_id: offered.id }] })
    const { id } = await createEmployee(api, other_employer, { start_date: '2026-03-09' })
    const enrollment = first((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    const elected = await api.post(`/v1/enrollments/${enrollment.id}/elect`, {
      plan_id: first(offered.plans).id,
      coverage_tier: 'EE',
      individual_plan: { name: 'Blue Silver', premium_in_cents: 45_050 },
      bought_on_exchange: false,
    })
    expect(elected.status, elected.text).toBe(200)
    const { data } = (await api.get(`/v1/employees/${id}/benefits-statement`)).body
    const { months, ...amounts } = first(data.benefits)
    expect(months).toBeGreaterThan(0)
    const [employer_in_cents, total_in_cents] = [months * 40_000, months * 40_000]
    expect(amounts).toMatchObject({ employee_in_cents: 0, employer_in_cents, total_in_cents })
  })

  it('is a PDF in English and Spanish', async () => {
    const { id, key, dental } = await hire()
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    await api.post(`/v1/enrollments/${dental.id}/elect`, elect, { key })
    const textIn = async (language: string) => {
      const path = `/v1/employees/${id}/benefits-statement/pdf?year=2026&language=${language}` as const
      const { download_url } = (await api.get(path, { key })).body.data
      const file = await fetch(download_url)
      expect(file.headers.get('content-disposition')).toBe('attachment; filename="benefits-statement-2026.pdf"')
      return (await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })).text
    }
    const english = await textIn('en')
    for (const part of ['Benefits statement 2026', 'Your employer pays', '$108.00', '$180.00', '$288.00'])
      expect(english).toContain(part)
    const display_names = [{ language: 'es', name: 'Dental', display_name: 'Cuidado dental' }]
    await api.put('/v1/organization-display-names', { display_names })
    const spanish = await textIn('es')
    for (const part of ['Resumen de beneficios 2026', 'Usted paga', 'Cuidado dental', '$288.00'])
      expect(spanish).toContain(part)
    await api.put('/v1/organization-display-names', { display_names: [] })
  })

  it('is visible only to its employee and the partner', async () => {
    const [{ id }, other] = [await hire(), await hire()]
    for (const key of [other.key, api.story.rival_api_key])
      for (const rest of ['', '/pdf'] as const) {
        const refused = await api.get(`/v1/employees/${id}/benefits-statement${rest}`, { key })
        expect(codeOf(refused)).toEqual([404, 'not_found'])
      }
  })

  it('keeps what invoices billed for closed months, even if the elections change later', async () => {
    const { id, key, dental } = await hire()
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    await api.post(`/v1/enrollments/${dental.id}/elect`, elect, { key })
    const administration: string = `/operator/v1/employers/${employer_id}/administration`
    await api.patch(administration, { correction_reach_months: 1 }, { key: api.operator_key })
    for (const day of ['2026-04-02', '2026-05-02', '2026-06-02', '2026-07-02', '2026-08-02']) {
      api.moveTo(day)
      await api.runDays()
      await api.work()
    }
    const statement = async () => (await api.get(`/v1/employees/${id}/benefits-statement?year=2026`)).body.data
    expect(await statement()).toMatchObject({ employee_in_cents: 10_800, employer_in_cents: 18_000 })
    const correction = { waive: true, reason: 'Covered by a spouse all along' }
    const corrected = await api.post(`/operator/v1/enrollments/${dental.id}/corrections`, correction, {
      key: api.operator_key,
    })
    expect(corrected.status, corrected.text).toBe(201)
    // Invoices billed April to August, and corrections reach one month back: April to July stay.
    expect((await statement()).benefits).toMatchObject([
      { months: 4, employee_in_cents: 4_800, employer_in_cents: 8_000, total_in_cents: 12_800 },
    ])
    api.moveTo('2026-03-10')
  })
})
