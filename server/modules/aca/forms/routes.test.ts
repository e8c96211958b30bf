import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  aMemberKey,
  createEmployee,
  createEmployer,
  createOrganization,
  importCatalog,
  openPlanYear,
  addPolicy,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'

/** An employer with minimum value plans in 2026. The Bronze plan costs an employee $165.00 a month. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let ada: string
let ben: string
let cleo: string

const pathOf = (id: string, tax_year = 2026) => `/v1/employees/${id}/form-1095c?tax_year=${tax_year}` as const
const formOf = async (id: string) => (await api.get(pathOf(id))).body.data
const codesOf = async (id: string) =>
  (await formOf(id)).months.map(({ line_14, line_16 }) => `${line_14.value} ${line_16.value ?? '-'}`)
const derive = async (id: string, tax_year = 2026) => {
  const accepted = await api.post(`/v1/employers/${id}/forms-1095c/derive`, { tax_year })
  expect(accepted.status, accepted.text).toBe(202)
  await api.work()
}
const times = (count: number, code: string): string[] => Array.from({ length: count }, () => code)

async function anEmployerWithOffers(): Promise<string> {
  const id = await createEmployer(api)
  await addPolicy(api, id, { classification: 'full_time', waiting_period: 'first_of_following_month' })
  const contribution_tiers = [{ coverage_tier: null, method: 'fixed', amount_in_cents: 15_000 }]
  await openPlanYear(api, id, catalog, { benefits: [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers }] })
  await api.work()
  return id
}

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await anEmployerWithOffers()
  const hired = async (input: object) =>
    (await createEmployee(api, employer_id, { employee_class: 'Full Time', ...input })).id
  ada = await hired({ start_date: '2026-01-20' })
  ben = await hired({ start_date: '2026-01-05', employee_class: 'Part Time' })
  cleo = await hired({ start_date: '2025-06-02' })
})

describe('Form 1095-C of an employee', () => {
  it('shows the waiting period, and an offer that no safe harbor covers', async () => {
    const form = await formOf(ada)
    expect(await codesOf(ada)).toEqual(['1H 2D', ...times(11, '1E -')])
    expect(form.months[1]).toMatchObject({ status: 'full_time', line_15_in_cents: { value: 16_500 } })
    expect(form).toMatchObject({ need: 'full_time', covered_people: [], override: null })
    expect(form.exceptions).toEqual(['unaffordable_offer', 'tax_identifier_missing', 'address_missing'])
  })

  it('uses the rate of pay once a wage is reported', async () => {
    await api.put(`/v1/employees/${ada}/wage`, { monthly_wage_in_cents: 300_000, effective_on: '2026-01-20' })
    expect(await codesOf(ada)).toEqual(['1H 2D', ...times(11, '1E 2H')])
    expect((await formOf(ada)).exceptions).toEqual(['tax_identifier_missing', 'address_missing'])
  })

  it('shows the enrollment, and the people in self-insured coverage', async () => {
    const child = { relationship: 'child', first_name: 'Ida', last_name: 'Costa', date_of_birth: '2018-05-06' }
    const dependent_id = (await api.post(`/v1/employees/${ada}/dependents`, child)).body.data.id
    const enrollment = only((await api.get(`/v1/employees/${ada}/enrollments`)).body.data)
    const plan = { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EC', dependent_ids: [dependent_id] }
    const elected = await api.post(`/v1/enrollments/${enrollment.id}/elect`, plan)
    expect(elected.status, elected.text).toBe(200)
    const covered_from = Number(elected.body.data.coverage_start.slice(5, 7))
    const codes = await codesOf(ada)
    expect(codes.slice(covered_from - 1)).toEqual(times(13 - covered_from, '1E 2C'))
    await api.put(`/v1/employees/${ada}/tax-identifier`, { tax_identifier: '219-09-9999' })
    const { covered_people } = await formOf(ada)
    expect(covered_people.map((one) => [one.first_name, one.tax_identifier_last_four])).toEqual([
      [expect.stringContaining('Ana'), '9999'],
      ['Ida', null],
    ])
    const months = Array.from({ length: 12 }, (_, at) => at >= covered_from - 1)
    expect(covered_people.map((one) => one.months)).toEqual([months, months])
  })

  it('is a PDF in the layout of the IRS, with truncated tax identifiers', async () => {
    const link = await api.get(`/v1/employees/${ada}/form-1095c/pdf?tax_year=2026`)
    expect(link.status, link.text).toBe(200)
    const file = await fetch(link.body.data.download_url)
    expect(file.headers.get('content-type')).toBe('application/pdf')
    const { text, totalPages } = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
    expect(totalPages).toBe(2)
    for (const part of [
      'Employer-Provided Health Insurance Offer',
      '2026',
      'XXX-XX-9999',
      '1E',
      '165.00',
      'Part III',
      '05/06/2018',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('219-09')
  })

  it('has no new limited non-assessment period after a return within 13 weeks', async () => {
    const hired = { start_date: '2024-06-03', employee_class: 'Full Time' } as const
    const { id } = await createEmployee(api, await anEmployerWithOffers(), hired)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-01-31' })
    const back = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-05' })
    expect(back.status, back.text).toBe(201)
    await api.work()
    const codes = await codesOf(back.body.data.id)
    expect(codes.slice(1, 3)).toEqual(['1H 2A', '1H -'])
  })

  it('is not due for a part-time employee without coverage', async () => {
    expect(await formOf(ben)).toMatchObject({ need: 'not_full_time', exceptions: [] })
    expect(await codesOf(ben)).toEqual(times(12, '1H 2B'))
  })

  it('ends with the month in which the employment ends', async () => {
    const left = await api.post(`/v1/employees/${cleo}/terminate`, {
      termination_date: '2026-03-05',
      termination_reason: 'voluntary',
    })
    expect(left.status, left.text).toBeLessThan(300)
    await api.work()
    expect(await codesOf(cleo)).toEqual([...times(3, '1E -'), ...times(9, '1H 2A')])
  })

  it('shows cells that a person set, until the override is removed', async () => {
    const path = `/v1/employees/${cleo}/form-1095c` as const
    const override = { tax_year: 2026, reason: 'Paid by the union', months: [{ month: 2, line_16: '2E' }] }
    const changed = await api.put(path, override)
    expect(changed.status, changed.text).toBe(200)
    const month = changed.body.data.months[1]!
    expect(month.line_16).toEqual({ value: '2E', reason: 'Paid by the union', is_overridden: true })
    expect(month.line_14).toMatchObject({ value: '1E', is_overridden: false })
    expect(changed.body.data.exceptions).toContain('overridden')
    await api.put(path, { ...override, months: [{ month: 2, line_14: '1H' }] })
    expect((await formOf(cleo)).months[1]).toMatchObject({
      line_14: { value: '1H', is_overridden: true },
      line_15_in_cents: { value: null, reason: 'Code 1H has no amount.', is_overridden: false },
    })
    await api.put(path, { ...override, months: [] })
    expect((await formOf(cleo)).override).toBeNull()
  })

  it.each([
    ['a reserved code', { months: [{ month: 1, line_14: '1I' }] }, 'months[0].line_14'],
    ['a month that does not exist', { months: [{ month: 13 }] }, 'months[0].month'],
    ['a month twice', { months: [{ month: 1 }, { month: 1 }] }, 'months'],
    ['a ZIP code with four digits', { months: [{ month: 1, line_17: '7870' }] }, 'months[0].line_17'],
    ['no reason', { reason: undefined }, 'reason'],
  ])('refuses an override with %s', async (_, wrong, field) => {
    const answer = await api.put(`/v1/employees/${ada}/form-1095c`, {
      tax_year: 2026,
      reason: 'Checked',
      months: [],
      ...wrong,
    })
    expect(refusalOf(answer)[1]).toBe('invalid_request')
    expect(answer.text).toContain(`"field":"${field}"`)
  })

  it('requires the scope tax, a role that operates rosters, and reach', async () => {
    const scopes = ['read', 'write', 'people']
    const { api_key } = (await api.post('/v1/api-keys', { name: 'No tax', scopes })).body.data
    const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
    const list = `/v1/employers/${employer_id}/forms-1095c?tax_year=2026` as const
    const pdf = `/v1/employees/${ada}/form-1095c/pdf?tax_year=2026` as const
    for (const key of [api_key, agent])
      for (const path of [pathOf(ada), list, pdf]) expect((await api.get(path, { key })).status).toBe(403)
    const key = api.story.rival_api_key
    const test = `/v1/employers/${employer_id}/offer-test?year=2026` as const
    for (const path of [pathOf(ada), list, test, pdf]) expect((await api.get(path, { key })).status).toBe(404)
    const override = { tax_year: 2026, reason: 'Mine', months: [] }
    expect((await api.put(`/v1/employees/${ada}/form-1095c`, override, { key })).status).toBe(404)
  })
})

describe('Form 1095-C of an employer that measures hours', () => {
  it('derives the status of each month from measured hours', async () => {
    const measuring = await createEmployer(api)
    const { id } = await createEmployee(api, measuring, { start_date: '2025-06-02', employee_class: 'Part Time' })
    const monthOf = (month: string, last: number, hours: number) => ({
      employee_id: id,
      period_starts_on: `${month}-01`,
      period_ends_on: `${month}-${last}`,
      kind: 'worked',
      hours,
    })
    const rows = [monthOf('2026-01', 31, 130), monthOf('2026-02', 28, 129)]
    const reported = await api.post(`/v1/employers/${measuring}/hours`, { rows })
    expect(reported.body.data.failed_count, reported.text).toBe(0)
    const set = await api.put(`/v1/employers/${measuring}/measurement-policies`, { policies: [{ method: 'monthly' }] })
    expect(set.status, set.text).toBe(200)
    expect((await codesOf(id)).slice(0, 2)).toEqual(['1H -', '1H 2B'])
    await derive(measuring)
    const { data } = (await api.get(`/v1/employers/${measuring}/offer-test?year=2026`)).body
    expect(data.months.slice(0, 2).map(({ full_time_count }) => full_time_count)).toEqual([1, 0])
    // All hours of the months in 2026 that are over are reported, and none of 2025.
    expect((await formOf(id)).exceptions).not.toContain('hours_not_reported')
    const before = (await api.get(pathOf(id, 2025))).body.data
    expect(before).toMatchObject({ need: 'not_full_time', exceptions: ['hours_not_reported'] })
    await derive(measuring, 2025)
    const filingOf = async (tax_year: number) =>
      (await api.get(`/v1/employers/${measuring}/form-filing?tax_year=${tax_year}`)).body.data
    expect(await filingOf(2025)).toMatchObject({ form_count: 0, unreported_hours_count: 1 })
    expect(await filingOf(2026)).toMatchObject({ form_count: 1, unreported_hours_count: 0 })
    const unreportedIn = async (year: number) =>
      (await api.get(`/v1/employers/${measuring}/aca-statuses?hours_not_reported_in=${year}`)).body.data
    expect(only(await unreportedIn(2025))).toMatchObject({ employee_id: id })
    expect(await unreportedIn(2026)).toEqual([])
    // The forms of employers with one EIN are filed together, so each of them lists the same people.
    const filer = await createEmployer(api)
    const statuses = `/v1/employers/${filer}/aca-statuses` as const
    await api.post('/v1/ale-groups', {
      name: 'One EIN',
      members: [{ employer_id: filer, employer_ids: [measuring] }],
    })
    await derive(filer, 2025)
    expect(only((await api.get(`${statuses}?hours_not_reported_in=2025`)).body.data)).toMatchObject({ employee_id: id })
    expect((await api.get(statuses)).body.data).toEqual([])
  })
})

describe('facts that only the employer knows', () => {
  const set = (employees: object[]) =>
    api.patch(`/v1/employers/${employer_id}/tax-facts`, { tax_year: 2026, employees } as never)
  const lineOf = async (id: string) => (await formOf(id)).months[0]!

  it('are wages of Form W-2 and contributions to multiemployer plans, which stay unless they are sent', async () => {
    const saved = await set([{ employee_id: cleo, multiemployer_months: [1] }])
    expect(saved.body.data, saved.text).toEqual({ employer_id, tax_year: 2026 })
    expect((await lineOf(cleo)).line_16.value).toBe('2E')
    await set([{ employee_id: cleo, multiemployer_months: [], w2_wages_in_cents: 3_000_000 }])
    expect((await lineOf(cleo)).line_16.value).toBe('2F')
    await set([{ employee_id: cleo, multiemployer_months: [2] }])
    const { tax_facts } = await formOf(cleo)
    expect(tax_facts).toEqual({
      w2_wages_in_cents: 3_000_000,
      multiemployer_months: [2],
      continuation_coverage: [],
    })
    await set([{ employee_id: cleo, w2_wages_in_cents: null, multiemployer_months: [] }])
    expect((await lineOf(cleo)).line_16.value).toBeNull()
  })

  it('are the settings of the EIN, such as a conditional offer to spouses', async () => {
    const path = `/v1/employers/${employer_id}/form-settings` as const
    const settings = { tax_year: 2026, has_conditional_spouse_offer: true, uses_98_percent_method: false }
    const saved = (await api.put(path, settings)).body.data
    expect(saved).toEqual({ employer_id, form_type: '1095-C', contact: null, ...settings })
    expect((await api.get(`${path}?tax_year=2026`)).body.data).toEqual(saved)
    expect((await lineOf(cleo)).line_14.value).toBe('1K')
    await api.put(path, { ...settings, has_conditional_spouse_offer: false })
    expect((await lineOf(cleo)).line_14.value).toBe('1E')
    const rival = { key: api.story.rival_api_key }
    expect((await api.put(path, settings, rival)).status).toBe(404)
    expect((await api.get(`${path}?tax_year=2026`, rival)).status).toBe(404)
  })

  it('are refused for other employers, twice, and outside of the year', async () => {
    const elsewhere = (await createEmployee(api, await createEmployer(api), { start_date: '2025-06-02' })).id
    const faultOf = async (employees: object[]) => refusalOf(await set(employees))
    expect(await faultOf([{ employee_id: elsewhere }])).toEqual([400, 'invalid_request', 'employees[0].employee_id'])
    const twice = [{ employee_id: cleo }, { employee_id: cleo }]
    expect(await faultOf(twice)).toEqual([400, 'invalid_request', 'employees[1].employee_id'])
    const month = [{ employee_id: cleo, multiemployer_months: [13] }]
    expect(await faultOf(month)).toEqual([400, 'invalid_request', 'employees[0].multiemployer_months[0]'])
  })
})

describe('the review of an employer', () => {
  const list = async (query = '') =>
    (await api.get(`/v1/employers/${employer_id}/forms-1095c?tax_year=2026${query}`)).body

  it('lists the forms that are due, the most urgent exceptions first', async () => {
    const { derived_at } = (await api.get(`/v1/employers/${employer_id}/offer-test?year=2026`)).body.data
    expect([(await list()).data, derived_at]).toEqual([[], null])
    await derive(employer_id)
    const { data } = await list()
    expect(data.map(({ employee_id, exceptions }) => [employee_id, first(exceptions)])).toEqual([
      [cleo, 'unaffordable_offer'],
      [ada, 'tax_identifier_missing'],
    ])
    expect((await list('&exception=unaffordable_offer')).data.map(({ employee_id }) => employee_id)).toEqual([cleo])
    expect(only((await list('&limit=1&page=2')).data).employee_id).toBe(ada)
  })

  it('refuses a future tax year', async () => {
    const refused = await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year: 2027 })
    expect(refusalOf(refused)).toEqual([400, 'invalid_request', 'tax_year'])
  })
})

describe('the offer test of an employer', () => {
  const testedIn = async (month: number) => {
    const { data } = (await api.get(`/v1/employers/${employer_id}/offer-test?year=2026`)).body
    return data.months[month - 1]!
  }

  it('passes with offers, and counts employees without affordable coverage', async () => {
    const counts = { full_time_count: 2, offered_count: 2, unprotected_count: 1, total_count: 3 }
    expect(await testedIn(2)).toMatchObject({ ...counts, offered_percent: 100, passes: true })
  })

  it('counts overridden cells as the form reports them, as the IRS does, until the override is removed', async () => {
    const countedWith = async (...months: object[]) => {
      const override = { tax_year: 2026, reason: 'Checked', months }
      expect((await api.put(`/v1/employees/${cleo}/form-1095c`, override as never)).status).toBe(200)
      await api.work()
      const { full_time_count, offered_count } = await testedIn(2)
      return [full_time_count, offered_count]
    }
    expect(await countedWith({ month: 2, line_14: '1H' })).toEqual([2, 1])
    expect(await countedWith({ month: 2, line_16: '2B' })).toEqual([1, 1])
    expect(await countedWith()).toEqual([2, 2])
  })

  it('fails without offers, and shows the exposure of each month', async () => {
    const without_offers = await createEmployer(api)
    for (let count = 0; count < 32; count += 1)
      await createEmployee(api, without_offers, { start_date: '2025-06-02', employee_class: 'Full Time' })
    await derive(without_offers)
    const { data } = (await api.get(`/v1/employers/${without_offers}/offer-test?year=2026`)).body
    // Two employees above the 30 that do not count, at $3,340 a year.
    expect(data).toMatchObject({ form_count: 32, exposure_in_cents: 668_000 })
    expect(first(data.months)).toMatchObject({
      passes: false,
      offered_percent: 0,
      exposure_kind: 'no_offer',
      exposure_in_cents: 55_667,
    })
  })

  it('counts a person once under one EIN, and shares the 30 employees with other members of the group', async () => {
    const first_client = await createEmployer(api)
    const second_client = await createEmployer(api)
    const sister = await createEmployer(api)
    const full_time = { start_date: '2025-06-02', employee_class: 'Full Time' }
    const person = { first_name: 'Noa', last_name: 'Lind', date_of_birth: '1991-02-03', email: 'noa.lind@example.com' }
    await createEmployee(api, first_client, { ...full_time, ...person })
    await createEmployee(api, second_client, { ...full_time, ...person })
    for (let count = 0; count < 9; count += 1) await createEmployee(api, second_client, full_time)
    for (let count = 0; count < 30; count += 1) await createEmployee(api, sister, full_time)
    const group = await api.post('/v1/ale-groups', {
      name: 'Lind Staffing',
      members: [{ employer_id: first_client, employer_ids: [second_client] }, { employer_id: sister }],
    })
    expect(group.status, group.text).toBe(201)
    await derive(second_client)
    const { data } = (await api.get(`/v1/employers/${second_client}/offer-test?year=2026`)).body
    // 10 of the 40 full-time employees of the group, so that 30 × 10 / 40, rounded up to 8, do not count.
    expect(first(data.months)).toMatchObject({ full_time_count: 10, total_count: 10, exposure_kind: 'no_offer' })
    expect(data.exposure_in_cents).toBe(2 * 334_000)
    const listed = (await api.get(`/v1/employers/${first_client}/forms-1095c?tax_year=2026`)).body
    expect(listed.pagination.total).toBe(10)
    expect(listed.data.filter(({ last_name }) => last_name.startsWith('Lind'))).toHaveLength(1)
  })
})

describe('the PDF in a sandbox whose clock moved', () => {
  it('counts the hours until the day of the sandbox', async () => {
    const { id: organization_id, key } = await createOrganization(api)
    const firm = await createEmployer(api, {}, { key })
    const part_time = { start_date: '2025-01-06', employee_class: 'Part Time' }
    const { id: employee_id } = await createEmployee(api, firm, part_time, { key })
    await api.put(`/v1/employers/${firm}/measurement-policies`, { policies: [{ method: 'monthly' }] }, { key })
    await api.work()
    const clock = `/operator/v1/organizations/${organization_id}/clock` as const
    const moved = await api.put(clock, { today: '2026-06-10' }, { key: api.operator_key })
    expect(moved.status, moved.text).toBe(200)
    const april = { period_starts_on: '2026-04-01', period_ends_on: '2026-04-28', kind: 'worked', hours: 170 }
    await api.post(`/v1/employers/${firm}/hours`, { rows: [{ employee_id, ...april }] }, { key })
    await api.work()
    const link = await api.get(`/v1/employees/${employee_id}/form-1095c/pdf?tax_year=2026`, { key })
    const file = await fetch(link.body.data.download_url)
    const { text } = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
    expect(text.match(/2B/g)).toHaveLength(11)
  })
})
