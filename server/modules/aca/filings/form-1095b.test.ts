import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  addPolicy,
  boundToken,
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'
import { copyWithoutEmployment } from '../forms/document-rules.ts'

/** A small employer with a self-insured plan, which covers an employee and her child from April 2026. */
const api = useApi()
const tax_year = 2026
const home = { address_line_1: '5 Elm St', city: 'Albany', state: 'NY', zipcode: '12207' }
let employer_id: string
let ada: string
let ben: string

const contact = { first_name: 'Ana', last_name: 'Costa', phone_number: '6145550100' }
const settings = {
  tax_year,
  form_type: '1095-B',
  contact,
  has_conditional_spouse_offer: false,
  uses_98_percent_method: false,
}
const set = (changes: object = {}) =>
  api.put(`/v1/employers/${employer_id}/form-settings`, { ...settings, ...changes } as never)
const formOf = async (id: string) => (await api.get(`/v1/employees/${id}/form-1095c?tax_year=2026`)).body.data
const filing = async () => (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2026`)).body.data
const taxForms = async () => {
  const key = await boundToken(api, 'employee', ada)
  return (await api.get(`/v1/employees/${ada}/tax-forms`, { key })).body.data.forms
}
const run = async (action: 'derive' | 'release') => {
  const accepted = await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year })
  expect(accepted.status, accepted.text).toBe(202)
  await api.work()
}
const fileAt = async ({ download_url }: { download_url: string }) => {
  const file = await fetch(download_url)
  const { text, totalPages } = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
  return { text, totalPages, name: file.headers.get('content-disposition') }
}

const transmitter = { ...home, name: 'Harbor', ein: '12-3456789', tcc: 'BB0AA', software_id: '26A0000001' }
const transmit = () =>
  api.post(`/v1/employers/${employer_id}/form-1094c/transmissions`, { tax_year, is_test: false, contact, transmitter })
const textAt = async ({ download_url }: { download_url: string }) => (await fetch(download_url)).text()

async function hireFamily() {
  const catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time', waiting_period: 'none' })
  const contribution_tiers = [{ coverage_tier: null, method: 'fixed', amount_in_cents: 15_000 }]
  await openPlanYear(api, employer_id, catalog, {
    benefits: [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers }],
  })
  await api.work()
  const work = { employee_class: 'Full Time', start_date: '2026-03-09', address: home }
  const { id } = await createEmployee(api, employer_id, work)
  ben = (await createEmployee(api, employer_id, work)).id
  await api.work()
  const child = { relationship: 'child', first_name: 'Ida', last_name: 'Costa', date_of_birth: '2018-05-06' }
  const dependent_id = (await api.post(`/v1/employees/${id}/dependents`, child)).body.data.id
  const enrollment = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
  const plan = { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EC', dependent_ids: [dependent_id] }
  const elected = await api.post(`/v1/enrollments/${enrollment.id}/elect`, plan)
  expect(elected.status, elected.text).toBe(200)
  ada = id
}

beforeAll(hireFamily)

describe('Form 1095-B of a small employer with a self-insured plan', () => {
  it('lists the covered people with their months, and is due only for coverage', async () => {
    expect((await formOf(ada)).form_type).toBe('1095-C')
    expect((await set()).body.data).toEqual({ employer_id, ...settings })
    const form = await formOf(ada)
    expect(form).toMatchObject({
      form_type: '1095-B',
      need: 'self_insured_coverage',
      months: [],
      origin_of_coverage: 'B',
      exceptions: ['tax_identifier_missing'],
    })
    expect(form.covered_people.map(({ months }) => months.indexOf(true))).toEqual([2, 2])
    expect(await formOf(ben)).toMatchObject({ need: 'not_covered', covered_people: [], exceptions: [] })
  })

  it('has no cells to override', async () => {
    const override = { tax_year, reason: 'Union plan', months: [{ month: 5, line_16: '2E' as const }] }
    expect(codeOf(await api.put(`/v1/employees/${ada}/form-1095c`, override))).toEqual([409, 'form_without_cells'])
  })

  it('is released and furnished as Form 1095-C is', async () => {
    await api.moveTo('2027-01-15')
    await run('derive')
    const listed = only((await api.get(`/v1/employers/${employer_id}/forms-1095c?tax_year=2026`)).body.data)
    expect(listed).toMatchObject({ employee_id: ada, need: 'self_insured_coverage', line_14: [], line_16: [] })
    await set({ form_type: '1095-C' })
    await api.work()
    expect(await filing()).toMatchObject({ form_type: '1095-C', derived_at: expect.any(String), form_count: 2 })
    await set()
    await api.work()
    expect(await filing()).toMatchObject({ form_type: '1095-B', form_count: 1, changed_count: 1 })
    expect(first((await filing()).deadlines)).toEqual({
      jurisdiction: 'IRS',
      step: 'furnish',
      form: '1095-B',
      due_on: '2027-03-02',
    })
    const test = (await api.get(`/v1/employers/${employer_id}/offer-test?year=2026`)).body.data
    expect(test).toMatchObject({ form_type: '1095-B', form_count: 1, exposure_in_cents: null })
    await run('release')
    const form = only(await taxForms())
    expect(form).toMatchObject({ tax_year, form: '1095-B', version: 1, is_corrected: false })
    const { text, totalPages, name } = await fileAt(form.file)
    expect([totalPages, name]).toEqual([1, expect.stringContaining('form-1095b-2026.pdf')])
    for (const part of [
      '1095-B',
      'Health Coverage',
      'Responsible Individual',
      '5 Elm St',
      '23 ',
      '24 Ida Costa',
      '05/06/2018',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Employee Offer of Coverage')
    const print = await api.get(`/v1/employers/${employer_id}/forms-1095c/print-file?tax_year=2026`)
    expect((await fileAt(print.body.data)).name).toContain('forms-1095b-2026-part-1.pdf')
  })

  it('has Form 1094-B as its transmittal', async () => {
    const path = `/v1/employers/${employer_id}/form-1094c` as const
    const { data } = (await api.get(`${path}?tax_year=2026`)).body
    expect(data).toMatchObject({
      form_type: '1095-B',
      form: { form_count: { value: 1 }, months: [] },
      other_members: [],
    })
    const link = await api.get(`${path}/pdf?tax_year=2026`)
    const { text, totalPages, name } = await fileAt(link.body.data)
    expect([totalPages, name]).toEqual([1, expect.stringContaining('form-1094b-2026.pdf')])
    for (const part of ['1094-B', 'Transmittal of Health Coverage Information Returns', 'Ana Costa', '614-555-0100'])
      expect(text).toContain(part)
  })

  it('has a file for the IRS, as Forms 1095-C have', async () => {
    const made = await transmit()
    expect(made.status, made.text).toBe(201)
    const original = first(made.body.data)
    expect(original).toMatchObject({ type: 'O', form_count: 1 })
    const request = await textAt(original.request)
    expect(request).toContain('<Form1095BUpstreamDetail recordType="String" lineNum="0"><RecordId>1</RecordId>')
    expect(request).toContain('<PolicyOriginCd>B</PolicyOriginCd>')
    expect(request).toContain('<BirthDt>2018-05-06</BirthDt>')
    expect(await textAt(original.manifest)).toContain('<FormTypeCd>1094/1095B</FormTypeCd>')
    const { unique_transmission_id } = original
    const error = { unique_record_id: '1095B-27-00001234|1|1', code: 'AIRTN500', message: 'TIN Validation Failed' }
    const acknowledgement = { receipt_id: '1095B-27-00001234', status: 'accepted_with_errors' as const }
    const noted = await api.post(`/v1/employers/${employer_id}/form-1094c/acknowledgements`, {
      ...acknowledgement,
      unique_transmission_id,
      errors: [error],
    })
    expect(first(noted.body.data).errors).toEqual([{ ...error, employee_id: ada }])
    expect((await formOf(ada)).filing_errors).toEqual([
      { code: error.code, message: error.message, reported_at: expect.any(String) },
    ])
  })

  it('is a corrected form after a change, and of the same type', async () => {
    expect(codeOf(await set({ form_type: '1095-C' }))).toEqual([409, 'form_type_fixed'])
    await api.put(`/v1/employees/${ada}/tax-identifier`, { tax_identifier: '219-09-9999' })
    expect(await filing()).toMatchObject({ changed_count: 1 })
    await run('release')
    const form = only(await taxForms())
    expect(form).toMatchObject({ form: '1095-B', version: 2, is_corrected: true })
    expect((await fileAt(form.file)).text).toContain('XXX-XX-9999')
    const correction = first((await transmit()).body.data)
    expect(correction).toMatchObject({ type: 'C', form_count: 1 })
    const request = await textAt(correction.request)
    expect(request).toContain('<CorrectedUniqueRecordId>1095B-27-00001234|1|1</CorrectedUniqueRecordId>')
    expect(request).toContain('<irs:SSN>219099999</irs:SSN>')
  })

  it('reports no month for a person who was covered by mistake', () => {
    const months = Array.from({ length: 12 }, (_, at) => at > 1)
    const copy = { form_type: '1095-B', months: [], covered_people: [{ person_id: 'mbr_1', months }] } as never
    const { covered_people } = copyWithoutEmployment(copy)
    expect(covered_people).toEqual([{ person_id: 'mbr_1', months: months.map(() => false) }])
  })
})
