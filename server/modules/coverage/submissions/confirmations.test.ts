import { createHash } from 'node:crypto'
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
import { first, only, pick } from '../../../test/pick.ts'
import { codeOf } from '../../../test/response.ts'

/** The stored PDFs of submissions. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = (await createOfferingEmployer(api, catalog)).employer_id
})

async function newcomer() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const spouse = { relationship: 'spouse', first_name: 'Sam', last_name: 'Costa', date_of_birth: '1991-02-03' }
  const sam = (await api.post(`/v1/employees/${id}/dependents`, spouse, { key })).body.data.id
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const dental = pick(data, ({ benefit }) => benefit.name === 'Dental').id
  const submit = async (more: object = {}) => {
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'ES', dependent_ids: [sam] }
    const body = { answers: [{ enrollment_id: dental, elect }], ...more }
    const answer = await api.post(`/v1/employees/${id}/enrollment-answers`, body, { key })
    expect(answer.status, answer.text).toBe(200)
  }
  const path = `/v1/employees/${id}/enrollment-confirmations` as const
  const list = async () => (await api.get(path, { key })).body.data
  return { id, key, sam, dental, submit, path, list }
}

const signature = { name: 'Ana Costa', agreement_ids: [], pre_tax_consent: true, language: 'es' }
const download = async ({ file }: { file: { download_url: string } }) =>
  new Uint8Array(await (await fetch(file.download_url)).arrayBuffer())
const textOf = async (pdf: Uint8Array) => (await extractText(pdf.slice(), { mergePages: true })).text

describe('a stored confirmation', () => {
  it('states how much the employer reimburses for a plan that the employee bought', async () => {
    const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
    const row = { carrier: 'Any', product_code: 'ICHRA_REIMBURSEMENT_ONLY', benefit: 'Reimbursed', plan: 'Any plan' }
    await api.post(`${path}/import`, { rows: [{ ...row, allowance_in_cents: 40_000 }] }, { key: api.operator_key })
    const { benefits } = (await api.get(path, { key: api.operator_key })).body.data
    const { id: benefit_id, plans } = pick(benefits, ({ name }) => name === row.benefit)
    const other_employer = await createEmployer(api)
    await addPolicy(api, other_employer)
    await openPlanYear(api, other_employer, catalog, { benefits: [{ benefit_id }] })
    const { id } = await createEmployee(api, other_employer, { start_date: '2026-03-09' })
    const enrollment = first((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    const individual_plan = { name: 'Blue Silver', premium_in_cents: 45_050 }
    const elect = { plan_id: first(plans).id, coverage_tier: 'EE', individual_plan }
    const answers = [{ enrollment_id: enrollment.id, elect: { ...elect, bought_on_exchange: false } }]
    const submitted = await api.post(`/v1/employees/${id}/enrollment-answers`, { answers })
    expect(submitted.status, submitted.text).toBe(200)
    const kept = only((await api.get(`/v1/employees/${id}/enrollment-confirmations`)).body.data)
    const text = await textOf(await download(kept))
    expect(text).toContain('Blue Silver: you pay the carrier, and your employer reimburses up to $400.00 per month.')
    expect(text).not.toContain('Your employer pays the rest')
  })

  it('stays the same to the byte, and is named in the history of the enrollment', async () => {
    const { key, sam, dental, submit, list } = await newcomer()
    await submit({ signature })
    // The PDF can be opened before its job has run, which then stores nothing else.
    const kept = only(await list())
    const pdf = await download(kept)
    await api.work()
    const { sha256, ...rest } = only(await list())
    expect(rest).toEqual({
      id: kept.id,
      submitted_at: '2026-03-10T16:00:00.000Z',
      language: 'es',
      enrollment_ids: [dental],
      file: { download_url: expect.any(String), expires_at: expect.any(String) },
    })
    expect(sha256).toBe(createHash('sha256').update(pdf).digest('hex'))
    const text = await textOf(pdf)
    for (const part of ['Brightside PPO', 'Sam', 'Año del plan', 'Ana Costa, 10 mar 2026']) expect(text).toContain(part)
    const history = (await api.get(`/v1/enrollments/${dental}/history`, { key })).body.data
    expect(history.map(({ action, confirmation }) => [action, confirmation])).toEqual([
      ['granted', null],
      ['elected', { id: kept.id, sha256 }],
    ])
    // Later facts and submissions do not change it.
    await api.patch(`/v1/dependents/${sam}`, { first_name: 'Samuel' }, { key })
    api.wait(60_000)
    await submit()
    await api.work()
    const [latest, former] = await list()
    expect([latest?.language, former?.id]).toEqual(['en', kept.id])
    expect(Buffer.from(await download(former!)).equals(pdf)).toBe(true)
    const text_of_latest = await textOf(await download(latest!))
    expect([text_of_latest.includes('Samuel'), text_of_latest.includes('Ana Costa, ')]).toEqual([true, false])
  })

  it('is stored once if its job and a download render it at the same time, and never for a dry run', async () => {
    const { submit, list } = await newcomer()
    await submit({ dry_run: true })
    expect(await list()).toEqual([])
    await submit({ signature })
    const kept = only(await list())
    const [pdf, again] = await Promise.all([download(kept), download(kept), api.work()])
    expect(Buffer.from(pdf).equals(again)).toBe(true)
    expect(first(await list()).sha256).toBe(createHash('sha256').update(pdf).digest('hex'))
  })

  it('is visible only to its employee and the partner', async () => {
    const [{ path, submit }, other] = [await newcomer(), await newcomer()]
    await submit()
    expect((await api.get(path)).body.data).toHaveLength(1)
    for (const key of [other.key, api.story.rival_api_key])
      expect(codeOf(await api.get(path, { key }))).toEqual([404, 'not_found'])
  })
})
