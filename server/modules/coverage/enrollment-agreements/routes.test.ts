import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, importCatalog, boundToken, createOfferingEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

/** The agreements that employees sign with their elections. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let benefit_plan_year_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  ;({ employer_id, plan_year_id: benefit_plan_year_id } = await createOfferingEmployer(api, catalog))
})

const path = '/v1/enrollment-agreements'
const texts = (text: string) => ({ text_en: text, text_es: `${text} (es)` })

/** A new hire with two open benefits, and their token. */
async function newcomer() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const of = (name: string) => pick(data, ({ benefit }) => benefit.name === name).id
  const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
  const answers = [
    { enrollment_id: of('Dental'), elect },
    { enrollment_id: of('Essential Care'), waive: {} },
  ]
  const agreements = async () => (await api.get(`/v1/employees/${id}/enrollment-agreements`, { key })).body.data
  const submit = (signature: object, more: object = {}) =>
    api.post(`/v1/employees/${id}/enrollment-answers`, { answers, signature, ...more }, { key })
  return { id, key, answers, agreements, submit, dental: of('Dental') as string }
}

const signed = (agreement_ids: (string | null)[], more: object = {}) => ({
  name: 'Ana Costa',
  agreement_ids: agreement_ids.filter((id) => id !== null),
  pre_tax_consent: true,
  language: 'es',
  ...more,
})

describe('an enrollment agreement', () => {
  it('comes in its latest version from the plan year, else from the organization, else from the service', async () => {
    const { agreements } = await newcomer()
    const standard = only(await agreements())
    expect(standard).toMatchObject({
      id: null,
      benefit_plan_year_id: null,
      plan_year: null,
      version: 0,
      created_at: null,
    })
    expect(standard.text_en).toContain('I authorize my employer')
    for (const text of ['One', 'Two']) expect((await api.post(path, texts(text))).status).toBe(201)
    expect(only(await agreements())).toMatchObject({ version: 2, text_en: 'Two', benefit_plan_year_id: null })
    const own = await api.post(path, { ...texts('Own\n\nin two paragraphs'), benefit_plan_year_id })
    expect([own.status, own.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^eagr_/),
        benefit_plan_year_id,
        plan_year: {
          employer_id,
          employer_name: expect.any(String),
          coverage_start: expect.any(String),
          coverage_end: expect.any(String),
        },
        version: 1,
        ...texts('Own\n\nin two paragraphs'),
        created_at: '2026-03-10T16:00:00.000Z',
      },
    ])
    expect(await agreements()).toEqual([own.body.data])
    const versions = (await api.get(path)).body.data
    expect(versions.at(-1)).toEqual(standard)
    expect(
      versions
        .slice(0, -1)
        .map(({ text_en, version }) => `${text_en} ${version}`)
        .toSorted(),
    ).toEqual(['One 1', 'Own\n\nin two paragraphs 1', 'Two 2'])
  })

  it('is signed with the elections, and named by their history and the confirmation', async () => {
    const { id, key, answers, agreements, submit, dental } = await newcomer()
    const agreement = only(await agreements())
    const done = await submit(signed([agreement.id]))
    expect(done.status, done.text).toBe(200)
    const history = async (reader?: string) =>
      (await api.get(`/v1/enrollments/${dental}/history`, reader ? { key: reader } : {})).body.data
    const [granted, elected] = await history()
    expect(granted?.signature).toBeNull()
    expect(elected?.signature).toEqual({
      name: 'Ana Costa',
      signed_at: '2026-03-10T16:00:00.000Z',
      pre_tax_consent: true,
      language: 'es',
      agreements: [{ id: agreement.id, version: agreement.version, text: agreement.text_es }],
      address: expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
    })
    expect((await history(key))[1]?.signature?.address).toBeNull()
    // A later version changes nothing about what was signed.
    await api.post(path, { ...texts('Newer'), benefit_plan_year_id })
    expect((await history())[1]?.signature?.agreements).toEqual(elected?.signature?.agreements)
    const confirmation = async () => {
      const link = (await api.get(`/v1/employees/${id}/enrollment-answers/pdf?language=es`, { key })).body.data
      const file = await fetch(link.download_url)
      return (await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })).text
    }
    expect(await confirmation()).toContain('Ana Costa, 10 mar 2026')
    // A later submission without a signature is not covered by the earlier signature.
    api.wait(1000)
    expect((await api.post(`/v1/employees/${id}/enrollment-answers`, { answers }, { key })).status).toBe(200)
    expect(await confirmation()).not.toContain('Ana Costa, 10 mar 2026')
  })

  it('must be the current one, and needs consent and a name', async () => {
    const { id, agreements, submit } = await newcomer()
    const old = only(await agreements()).id
    await api.post(path, { ...texts('Latest'), benefit_plan_year_id })
    expect(refusalOf(await submit(signed([old]), { dry_run: true }))).toEqual([
      409,
      'agreement_has_changed',
      'signature.agreement_ids',
    ])
    expect(refusalOf(await submit(signed([])))).toEqual([409, 'agreement_has_changed', 'signature.agreement_ids'])
    const current = only(await agreements()).id
    for (const [more, field] of [
      [{ pre_tax_consent: false }, 'signature.pre_tax_consent'],
      [{ name: ' ' }, 'signature.name'],
    ] as const)
      expect(refusalOf(await submit(signed([current], more)))).toEqual([400, 'invalid_request', field])
    const statuses = (await api.get(`/v1/employees/${id}/enrollments`)).body.data.map(({ status }) => status)
    expect(statuses).toEqual(['pending', 'pending'])
    expect((await submit(signed([current]))).status).toBe(200)
  })

  it('is hidden from other organizations and employees', async () => {
    const [{ id }, other] = [await newcomer(), await newcomer()]
    const rival = { key: api.story.rival_api_key }
    for (const key of [rival.key, other.key])
      expect(codeOf(await api.get(`/v1/employees/${id}/enrollment-agreements`, { key }))).toEqual([404, 'not_found'])
    expect((await api.get(path, rival)).body.data.map(({ id }) => id)).toEqual([null])
    const of_another = await api.post(path, { ...texts('Mine'), benefit_plan_year_id }, rival)
    expect(refusalOf(of_another)).toEqual([400, 'invalid_request', 'benefit_plan_year_id'])
  })
})
