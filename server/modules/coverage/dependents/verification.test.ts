import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick, sure } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'

/** Documents that prove the relationship of dependents, and the data that benefits require of them. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

const home = { address_line_1: '4 Elm St', city: 'Austin', state: 'TX', zipcode: '78701' }
const document = { file_name: 'birth.pdf', content: Buffer.from('%PDF-1.7\n%EOF\n').toString('base64') }

/** An employee hired today with a child, the employee's token, and requests about the child. */
async function aParent(more: object = {}) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09', ...more })
  const bound_entity = { type: 'employee', id }
  const issued = await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity })
  const key = issued.body.access_token
  const child = { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2015-06-01' }
  const dependent_id = (await api.post(`/v1/employees/${id}/dependents`, child, { key })).body.data.id
  const path = `/v1/dependents/${dependent_id}` as const
  const attach = () => api.post(`${path}/attachments`, document, { key })
  const decide = (body: object, as = api.story.api_key) => api.put(`${path}/verification`, body, { key: as })
  const change = (body: object) => api.patch(path, body, { key })
  return { id, key, dependent_id, path, attach, decide, change }
}

describe('the verification of a dependent', () => {
  it('is pending after a document, and decided by a member of the partner', async () => {
    const { key, path, dependent_id, attach, decide } = await aParent()
    const pending = await attach()
    expect([pending.status, pending.body.data.verification.status]).toEqual([201, 'pending'])
    const stored = only((await api.get(`${path}/attachments`)).body.data)
    expect(stored).toMatchObject({ file_name: 'birth.pdf', scan: 'none' })
    expect(await (await fetch(sure(stored.file).download_url)).text()).toBe('%PDF-1.7\n%EOF\n')
    expect(refusalOf(await decide({ status: 'verified' }, key))).toEqual([403, 'forbidden', undefined])
    expect(refusalOf(await decide({ status: 'rejected' }))).toEqual([400, 'invalid_request', 'reason'])
    const rejected = await decide({ status: 'rejected', reason: 'The name is not readable' })
    expect(rejected.body.data.verification).toEqual({
      status: 'rejected',
      decided_at: '2026-03-10T16:00:00.000Z',
      reason: 'The name is not readable',
    })
    expect((await attach()).body.data.verification).toEqual({ status: 'pending', decided_at: null, reason: null })
    expect((await decide({ status: 'verified' })).body.data.verification.status).toBe('verified')
    const late = await attach()
    expect(refusalOf(late)).toEqual([409, 'dependent_already_verified', undefined])
    const first = `${path}/attachments/${stored.id}` as const
    const removal = await api.call('DELETE', first, { key })
    expect(refusalOf(removal)).toEqual([409, 'dependent_already_verified', undefined])
    const events = (await api.get(`/v1/webhook-events?resource_id=${dependent_id}`)).body.data
    expect(events.map(({ event_name }) => event_name).toSorted()).toEqual([
      'dependent.verification_decided',
      'dependent.verification_decided',
      'dependent.verification_requested',
      'dependent.verification_requested',
    ])
    const entries = (await api.get(`/v1/audit-entries?resource_id=${dependent_id}`)).body.data
    expect(entries.map(({ operation }) => operation)).toContain('dependents_decide_verification')
  })

  it('is a task of the partner from the document to the decision', async () => {
    const { id, dependent_id, attach, decide } = await aParent()
    const tasks = async (as = api.story.api_key) =>
      (await api.get('/v1/tasks?kind=dependent_verification_pending&limit=100', { key: as })).body.data.filter(
        ({ resource_id }) => resource_id === dependent_id,
      )
    expect(await tasks()).toEqual([])
    await attach()
    expect(only(await tasks())).toMatchObject({
      employer_id,
      employee_id: id,
      people_count: 1,
      details: { relationship: 'child' },
      opened_at: '2026-03-10T16:00:00.000Z',
      due_on: '2026-04-09',
      action: { operation: 'dependents_decide_verification', path: `/v1/dependents/${dependent_id}/verification` },
    })
    expect(await tasks(api.story.rival_api_key)).toEqual([])
    await decide({ status: 'rejected', reason: 'The name is not readable' })
    expect(await tasks()).toEqual([])
    await attach()
    expect(await tasks()).toHaveLength(1)
    await decide({ status: 'verified' })
    expect(await tasks()).toEqual([])
  })

  it('starts again without documents', async () => {
    const { key, path, attach, decide, change } = await aParent()
    await attach()
    const stored = only((await api.get(`${path}/attachments`, { key })).body.data)
    const removed = await api.call('DELETE', `${path}/attachments/${stored.id}` as const, { key })
    expect(removed.body.data.verification.status).toBe('unverified')
    await decide({ status: 'verified' })
    expect((await change({ first_name: 'Anna' })).body.data.verification.status).toBe('verified')
    expect((await change({ date_of_birth: '2015-06-02' })).body.data.verification.status).toBe('unverified')
  })

  it('needs another decision about the documents after a change of the date of birth', async () => {
    const { dependent_id, attach, decide, change } = await aParent()
    await attach()
    await decide({ status: 'verified' })
    const changed = await change({ date_of_birth: '2015-06-02' })
    expect(changed.body.data.verification).toEqual({ status: 'pending', decided_at: null, reason: null })
    const tasks = await api.get('/v1/tasks?kind=dependent_verification_pending&limit=100')
    expect(tasks.body.data.map(({ resource_id }) => resource_id)).toContain(dependent_id)
    const events = await api.get(`/v1/webhook-events?resource_id=${dependent_id}`)
    expect(events.body.data.filter(({ event_name }) => event_name.endsWith('_requested'))).toHaveLength(2)
    const rejected = await decide({ status: 'rejected', reason: 'The date is different' })
    expect(rejected.body.data.verification.status).toBe('rejected')
  })

  it('accepts at most 5 documents, and none for a removed dependent or from other people', async () => {
    const { path, attach } = await aParent()
    for (let at = 0; at < 5; at++) expect((await attach()).status).toBe(201)
    expect(refusalOf(await attach())).toEqual([409, 'conflict', ''])
    const others = [(await aParent()).key, api.story.rival_api_key]
    for (const key of others) {
      expect((await api.post(`${path}/attachments`, document, { key })).status).toBe(404)
      expect((await api.get(`${path}/attachments`, { key })).status).toBe(404)
    }
    const rival = await api.put(`${path}/verification`, { status: 'verified' }, { key: api.story.rival_api_key })
    expect(rival.status).toBe(404)
    await api.call('DELETE', path)
    expect(refusalOf(await attach())).toEqual([409, 'dependent_already_ended', undefined])
  })
})

describe('the data that a benefit requires of dependents', () => {
  it('is named with the dependent by a refused election, and the election succeeds once it is there', async () => {
    const { benefit_id, plan_id } = catalog.dental
    const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${benefit_id}` as const
    const require = (required_dependent_fields: string[]) =>
      api.patch(product, { required_dependent_fields }, { key: api.operator_key })
    const { id, key, dependent_id, attach, change } = await aParent({ address: undefined })
    const changed = await require(['verification', 'gender', 'address'])
    const benefit = pick(changed.body.data.benefits, (one) => one.id === benefit_id)
    expect(benefit).toMatchObject({ required_dependent_fields: ['address', 'gender', 'verification'] })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, (one) => one.benefit.id === benefit_id)
    expect(dental.required_dependent_fields).toEqual(['address', 'gender', 'verification'])
    const election = { plan_id, coverage_tier: 'EC', dependent_ids: [dependent_id] }
    const elect = () => api.post(`/v1/enrollments/${dental.id}/elect`, election, { key })
    const refused = await elect()
    expect(refused.error).toMatchObject({
      code: 'dependent_data_missing',
      details: [
        { field: `dependents.${dependent_id}.gender`, message: 'Anne Byron needs a gender' },
        { field: `dependents.${dependent_id}.address`, message: 'Anne Byron needs an address' },
        {
          field: `dependents.${dependent_id}.verification`,
          message: 'Anne Byron needs a document that proves the relationship',
        },
      ],
    })
    const answers = [{ enrollment_id: dental.id, elect: election }]
    const together = await api.post(`/v1/employees/${id}/enrollment-answers`, { answers, dry_run: true }, { key })
    expect(refusalOf(together)).toEqual([422, 'dependent_data_missing', `answers[0].dependents.${dependent_id}.gender`])
    const alone = { plan_id, coverage_tier: 'EE', dependent_ids: [] }
    expect((await api.post(`/v1/enrollments/${dental.id}/elect`, alone, { key })).status).toBe(200)
    const moved = await change({ gender: 'Female', address: home })
    expect(moved.body.data).toMatchObject({ gender: 'Female', address: { ...home, address_line_2: null } })
    await attach()
    expect((await elect()).status).toBe(200)
    const returned = await change({ address: null })
    expect(returned.body.data.address).toBeNull()
    await require([])
  })
})
