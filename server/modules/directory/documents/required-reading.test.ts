import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  createOrganization,
  importCatalog,
  boundToken,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** Documents that employees must open before they elect, and the receipts that prove it. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let benefit_plan_year_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  ;({ employer_id, plan_year_id: benefit_plan_year_id } = await createOfferingEmployer(api, catalog))
})

const library = '/v1/documents'
const pdf = Buffer.from('%PDF-1.7\n%EOF\n')
const file = { file_name: 'guide.pdf', content: pdf.toString('base64') }
/** Adds a document and returns it. */
async function added(more: object = {}) {
  const answer = await api.post(library, { kind: 'guide', title: 'Guide', ...file, ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const at = <Id extends string, End extends string>(id: Id, end: End) => `${library}/${id}/${end}` as const

/** A new hire with open benefits, who lists and opens documents with a token. */
async function newcomer(at_employer = employer_id) {
  const { id } = await createEmployee(api, at_employer, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const documents = async (language = 'en') =>
    (await api.get(`/v1/employees/${id}/documents?limit=100&language=${language}`, { key })).body.data
  const open = (document_id: string) => api.post(`/v1/employees/${id}/documents/${document_id}/open`, {}, { key })
  const enrollments = async () => (await api.get(`/v1/employees/${id}/enrollments`, { key })).body.data
  return { id, key, documents, open, enrollments }
}

const withdraw = (id: string) => api.post(at(id, 'withdraw'))

describe('required reading', () => {
  const signature = { name: 'Ana', agreement_ids: [], pre_tax_consent: true, language: 'es' }

  it('refuses an election until the employee has opened each document, and names the document', async () => {
    const ana = await newcomer()
    const required = { is_required_at_election: true }
    const spd = await added({ title: 'Plan description', kind: 'spd', benefit_plan_year_id, ...required })
    const spanish = { language: 'es', title: 'Descripción del plan', ...file }
    const translated = (await api.post(at(spd.id, 'translations'), spanish)).body.data
    const of_dental = await added({ title: 'SBC dental', kind: 'sbc', plan_id: catalog.dental.plan_id, ...required })
    const dental = pick(await ana.enrollments(), ({ benefit }) => benefit.name === 'Dental').id
    const answers = [{ enrollment_id: dental, elect: { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' } }]
    const path = `/v1/employees/${ana.id}/enrollment-answers` as const
    const sign = (key = ana.key) => api.post(path, { answers, signature }, { key })
    const refused = await sign()
    expect(codeOf(refused)).toEqual([409, 'required_document_not_opened'])
    expect(refused.error.details).toEqual([
      { field: 'documents', message: `Descripción del plan (${translated.id}) must be opened first` },
      { field: 'documents', message: `SBC dental (${of_dental.id}) must be opened first` },
    ])
    expect((await api.post(path, { answers, dry_run: true }, { key: ana.key })).status).toBe(200)
    // Refused without a signature, for single elections and waivers, and for the partner with a signature.
    for (const answer of [
      await api.post(path, { answers }, { key: ana.key }),
      await api.post(`/v1/enrollments/${dental}/elect`, answers[0]!.elect, { key: ana.key }),
      await api.post(`/v1/enrollments/${dental}/waive`, {}, { key: ana.key }),
      await sign(api.story.api_key),
    ])
      expect(codeOf(answer)).toEqual([409, 'required_document_not_opened'])
    // The receipt of another employee does not count.
    const ben = await newcomer()
    for (const { id } of [spd, of_dental]) expect((await ben.open(id)).status).toBe(200)
    expect((await sign()).status).toBe(409)
    const opened = await ana.open(translated.id)
    expect(Buffer.from(await (await fetch(opened.body.data.download_url)).arrayBuffer()).equals(pdf)).toBe(true)
    expect((await ana.open(of_dental.id)).status).toBe(200)
    const shown = pick(await ana.documents(), ({ id }) => id === spd.id)
    expect(shown).toMatchObject({ is_required_at_election: true, opened_at: '2026-03-10T16:00:00.000Z' })
    expect((await sign()).status).toBe(200)
    const events = (await api.get(`/v1/webhook-events?resource_id=${ana.id}&event_name=employee.document_opened`)).body
    expect(events.pagination.total).toBe(2)
    // A new version must be opened again. An election for other plans does not need the summary of this one.
    const newer = (await api.post(at(of_dental.id, 'versions'), file)).body.data
    expect((await sign()).error.details).toEqual([
      { field: 'documents', message: `SBC dental (${newer.id}) must be opened first` },
    ])
    const medical = pick(await ana.enrollments(), ({ benefit }) => benefit.name === 'Essential Care').id
    const other_plan = { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' }
    expect((await api.post(`/v1/enrollments/${medical}/elect`, other_plan, { key: ana.key })).status).toBe(200)
    for (const { id } of [spd, translated, newer]) await withdraw(id)
    expect((await sign()).status).toBe(200)
  })

  it('lists who opened a version, and whether the partner reported it', async () => {
    const [ana, ben] = [await newcomer(), await newcomer()]
    const document = await added({ title: 'Notice', kind: 'notice' })
    await ana.open(document.id)
    await ana.open(document.id)
    await api.post(`/v1/employees/${ben.id}/documents/${document.id}/open`)
    const { data, pagination } = (await api.get(at(document.id, 'receipts'))).body
    expect(pagination.total).toBe(2)
    const of_ana = pick(data, (one) => one.employee_id === ana.id)
    expect(of_ana).toEqual({
      document_id: document.id,
      employee_id: ana.id,
      employer_id,
      member_first_name: expect.any(String),
      member_last_name: expect.any(String),
      opened_at: '2026-03-10T16:00:00.000Z',
      reported_by: 'employee',
    })
    expect(pick(data, (one) => one.employee_id === ben.id).reported_by).toBe('partner')
    expect((await api.get(`${library}/${document.id}`)).body.data.opened_count).toBe(2)
    await withdraw(document.id)
    expect((await api.get(at(document.id, 'receipts'))).body.pagination.total).toBe(2)
    const outsider = await createOrganization(api)
    expect((await api.get(at(document.id, 'receipts'), { key: outsider.key })).status).toBe(404)
  })
})

describe('the employees who have not opened a required document', () => {
  it('are listed until they open it in any language or leave, for the partner only', async () => {
    const at = await createEmployer(api)
    const [one, other] = [await newcomer(at), await newcomer(at)]
    const english = await added({ employer_id: at, is_required_at_election: true })
    const spanish = await api.post(`${library}/${english.id}/translations`, { language: 'es', title: 'Guía', ...file })
    const path = `${library}/${english.id}/unopened` as const
    const listed = async () => (await api.get(path)).body.data.map(({ employee_id }) => employee_id)
    expect(await listed()).toEqual([one.id, other.id])
    const [first] = (await api.get(path)).body.data
    expect(first).toMatchObject({ employer_id: at, employer_name: english.employer_name })
    await one.open(spanish.body.data.id)
    expect(await listed()).toEqual([other.id])
    const elsewhere = `${path}?employer_id=${employer_id}` as const
    expect((await api.get(elsewhere)).body.data).toEqual([])
    for (const key of [other.key, api.story.rival_api_key])
      expect(codeOf(await api.get(path, { key }))).toEqual([404, 'not_found'])
    await api.post(`/v1/employees/${other.id}/terminate`, { termination_date: '2026-03-09' })
    expect(await listed()).toEqual([])
    await withdraw(english.id)
  })

  it('belong to a library that operators read too', async () => {
    const { id, title } = await added()
    const key = api.operator_key
    const path = `/operator/v1/organizations/${api.story.organization_id}/documents` as const
    const { data } = (await api.get(`${path}?series_id=${id}`, { key })).body
    expect(data).toMatchObject([{ id, title }])
    expect((await api.get(`/operator/v1/documents/${id}`, { key })).body.data).toEqual(data[0])
    const link = (await api.get(`/operator/v1/documents/${id}/download`, { key })).body.data
    expect(await (await fetch(link.download_url)).text()).toBe(pdf.toString())
    await withdraw(id)
  })
})
