import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, importCatalog, boundToken, createOfferingEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

/** The people, estates and trusts that receive a benefit after the death of an employee. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let benefit: string
let takers: string[]

beforeAll(async () => {
  catalog = await importCatalog(api)
  benefit = catalog.dental.benefit_id
  employer_id = (await createOfferingEmployer(api, catalog)).employer_id
  const path = `/operator/v1/organizations/${api.story.organization_id}/benefits/${benefit}` as const
  const changed = await api.patch(path, { takes_beneficiaries: true }, { key: api.operator_key })
  takers = changed.body.data.benefits.filter(({ takes_beneficiaries }) => takes_beneficiaries).map(({ id }) => id)
  await api.work()
})

async function hire() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const path = `/v1/employees/${id}/beneficiaries` as const
  const of_dental = `/v1/employees/${id}/beneficiaries/${benefit}` as const
  return { id, key, path, of_dental }
}

const sam = { level: 'primary', type: 'person', name: 'Sam Costa', relationship: 'spouse', share_percentage: 66.67 }
const trust = { level: 'primary', type: 'trust', name: 'Costa Family Trust', share_percentage: 33.33 }
const estate = { level: 'contingent', type: 'estate', share_percentage: 100 }

describe('beneficiaries', () => {
  it('are designated for a benefit, replaced at any time, and kept in the history', async () => {
    const { key, path, of_dental } = await hire()
    expect(takers).toEqual([benefit])
    const none = { beneficiaries: [], designated_at: null, designated_by: null }
    expect((await api.get(path, { key })).body.data).toEqual([{ benefit_id: benefit, benefit_name: 'Dental', ...none }])
    const saved = await api.put(of_dental, { beneficiaries: [sam, trust, estate] }, { key })
    expect(saved.status, saved.text).toBe(200)
    const as_stored = [
      { ...sam, date_of_birth: null },
      { ...trust, relationship: null, date_of_birth: null },
      { ...estate, name: null, relationship: null, date_of_birth: null },
    ]
    const by_employee = { designated_at: '2026-03-10T16:00:00.000Z', designated_by: 'employee' }
    expect(saved.body.data).toMatchObject({ beneficiaries: as_stored, ...by_employee })
    // The window is closed, but beneficiaries can change.
    api.moveTo('2026-06-10')
    expect((await api.put(of_dental, { beneficiaries: [{ ...sam, share_percentage: 100 }] })).status).toBe(200)
    expect(only((await api.get(path)).body.data)).toMatchObject({
      beneficiaries: [{ name: 'Sam Costa', share_percentage: 100 }],
      designated_by: 'partner',
    })
    await api.put(of_dental, { beneficiaries: [] })
    const history = (await api.get(`${of_dental}/history`)).body.data
    expect(history.map(({ designated_by, beneficiaries }) => [designated_by, beneficiaries.length])).toEqual([
      ['partner', 0],
      ['partner', 1],
      ['employee', 3],
    ])
    expect(history[2]).toEqual({ beneficiaries: as_stored, ...by_employee })
    api.moveTo('2026-03-10')
  })

  it('are in the confirmation of the elected benefit, with their shares, in its language', async () => {
    const { id, key, of_dental } = await hire()
    await api.put(of_dental, { beneficiaries: [estate, sam, trust] }, { key })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const { id: enrollment_id } = pick(data, (one) => one.benefit.id === benefit)
    const confirmation = async (answer: object, language: 'en' | 'es') => {
      const sent = await api.post(
        `/v1/employees/${id}/enrollment-answers`,
        { answers: [{ enrollment_id, ...answer }] },
        { key },
      )
      expect(sent.status, sent.text).toBe(200)
      const link = await api.get(`/v1/employees/${id}/enrollment-answers/pdf?language=${language}`, { key })
      const file = await fetch(link.body.data.download_url)
      return (await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })).text
    }
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }
    expect(await confirmation({ waive: {} }, 'en')).not.toContain('Sam Costa')
    const english = await confirmation({ elect }, 'en')
    expect(english).toMatch(/Sam Costa\s+Primary, spouse\s+66.67%/)
    expect(english).toMatch(/Costa Family Trust\s+Primary, trust\s+33.33%/)
    expect(english).toMatch(/My estate\s+Contingent\s+100%/)
    expect(await confirmation({ elect }, 'es')).toMatch(/Sam Costa\s+Principal, cónyuge\s+66.67%/)
  })

  it('must have shares of exactly 100 percent, and the fields that their type needs', async () => {
    const { key, path, of_dental } = await hire()
    const refused = async (...beneficiaries: object[]) =>
      refusalOf(await api.put(of_dental, { beneficiaries }, { key }))
    const invalid = (field: string) => [400, 'invalid_request', field]
    const third = { ...sam, share_percentage: 33.33 }
    expect(await refused(third, third, third)).toEqual(invalid('beneficiaries'))
    expect(await refused(estate)).toEqual(invalid('beneficiaries'))
    expect(await refused({ ...sam, share_percentage: 33.333 })).toEqual(invalid('beneficiaries[0].share_percentage'))
    expect(await refused({ ...sam, share_percentage: 0 })).toEqual(invalid('beneficiaries[0].share_percentage'))
    expect(await refused({ ...sam, relationship: undefined })).toEqual(invalid('beneficiaries[0].relationship'))
    expect(await refused({ ...trust, name: undefined })).toEqual(invalid('beneficiaries[0].name'))
    expect(await refused({ ...estate, name: 'Mine' })).toEqual(invalid('beneficiaries[0].name'))
    expect(await refused({ ...trust, date_of_birth: '1990-01-01' })).toEqual(invalid('beneficiaries[0].date_of_birth'))
    expect(only((await api.get(path, { key })).body.data).designated_at).toBeNull()
    const last = { ...third, share_percentage: 33.34 }
    expect((await api.put(of_dental, { beneficiaries: [third, third, last] }, { key })).status).toBe(200)
  })

  it('are refused for benefits that take none, waived benefits and former employees', async () => {
    const { id, key, path, of_dental } = await hire()
    const body = { beneficiaries: [{ ...sam, share_percentage: 100 }] }
    const none = [422, 'benefit_takes_no_beneficiaries']
    const medical = `/v1/employees/${id}/beneficiaries/${catalog.mec.benefit_id}` as const
    expect(codeOf(await api.put(medical, body, { key }))).toEqual(none)
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    await api.post(`/v1/enrollments/${pick(data, (one) => one.benefit.id === benefit).id}/waive`, {}, { key })
    expect(codeOf(await api.put(of_dental, body, { key }))).toEqual(none)
    expect((await api.get(path, { key })).body.data).toEqual([])
    const left = await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })
    expect(left.status, left.text).toBe(200)
    expect(codeOf(await api.put(of_dental, body, { key }))).toEqual([409, 'employee_is_not_employed'])
  })

  it('are visible only to their employee and the partner, and in the audit log', async () => {
    const [{ id, key, path, of_dental }, other] = [await hire(), await hire()]
    const body = { beneficiaries: [{ ...sam, share_percentage: 100 }] }
    await api.put(of_dental, body, { key })
    for (const other_key of [other.key, api.story.rival_api_key]) {
      expect(codeOf(await api.get(path, { key: other_key }))).toEqual([404, 'not_found'])
      expect(codeOf(await api.get(`${of_dental}/history`, { key: other_key }))).toEqual([404, 'not_found'])
      expect(codeOf(await api.put(of_dental, body, { key: other_key }))).toEqual([404, 'not_found'])
    }
    const unknown = `/operator/v1/organizations/${api.story.rival_organization_id}/benefits/${benefit}` as const
    const elsewhere = await api.patch(unknown, { takes_beneficiaries: true }, { key: api.operator_key })
    expect(codeOf(elsewhere)).toEqual([404, 'not_found'])
    const audit = (await api.get(`/v1/audit-entries?resource_id=${id}`)).body
    expect(JSON.stringify(audit)).not.toContain('Sam Costa')
  })
})
