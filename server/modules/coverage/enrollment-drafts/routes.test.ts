import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  importCatalog,
  openPlanYear,
  boundToken,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'

/** Unfinished elections, which employees continue on another device. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let plan_year_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  ;({ employer_id, plan_year_id } = await createOfferingEmployer(api, catalog))
})

/** An employee hired today with a spouse, and the employee's token. */
async function aCouple() {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09' })
  const key = await boundToken(api, 'employee', id)
  const spouse = { relationship: 'spouse', first_name: 'Sam', last_name: 'Costa', date_of_birth: '1991-02-03' }
  const sam = (await api.post(`/v1/employees/${id}/dependents`, spouse, { key })).body.data.id
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
  const of = (name: string) => pick(data, ({ benefit }) => benefit.name === name).id
  const path = `/v1/employees/${id}/enrollment-draft` as const
  const dental = { plan_id: catalog.dental.plan_id as string, dependent_ids: [sam] as string[] }
  const answers = [
    { enrollment_id: of('Dental') as string, elect: dental },
    { enrollment_id: of('Essential Care') as string, waive: { reason_code: 'spouse_plan' } },
  ]
  const draft = { dependent_ids: [sam] as string[], answers }
  return { id, key, sam, path, draft, dental: of('Dental') as string, care: of('Essential Care') as string }
}

const empty = { dependent_ids: [], answers: [], saved_at: null, version: null }

describe('an enrollment draft', () => {
  it('is empty, then keeps the choices for another device until the election is submitted', async () => {
    const { id, key, path, draft, sam, dental, care } = await aCouple()
    expect((await api.get(path, { key })).body.data).toEqual({
      ...empty,
      employee_id: id,
      window_ends_on: '2026-04-09',
    })
    const saved = await api.put(path, draft, { key })
    expect(saved.status, saved.text).toBe(200)
    const on_other_device = (await api.get(path, { key: await boundToken(api, 'employee', id) })).body.data
    expect(on_other_device).toEqual({
      employee_id: id,
      dependent_ids: [sam],
      answers: [
        {
          enrollment_id: dental,
          elect: {
            plan_id: catalog.dental.plan_id,
            dependent_ids: [sam],
            individual_plan: null,
            bought_on_exchange: null,
          },
          waive: null,
        },
        { enrollment_id: care, elect: null, waive: { reason_code: 'spouse_plan' } },
      ],
      window_ends_on: '2026-04-09',
      saved_at: '2026-03-10T16:00:00.000Z',
      version: saved.body.data.version,
    })
    // Saving again replaces the draft, and nothing is elected.
    await api.put(path, { dependent_ids: [], answers: draft.answers.slice(0, 1) })
    expect((await api.get(path)).body.data.answers).toHaveLength(1)
    const statuses = async () =>
      (await api.get(`/v1/employees/${id}/enrollments`)).body.data.map(({ status }) => status)
    expect(await statuses()).toEqual(['pending', 'pending'])
    const elect = { plan_id: catalog.dental.plan_id, coverage_tier: 'ES', dependent_ids: [sam] }
    const answers = [{ enrollment_id: dental, elect }]
    await api.post(`/v1/employees/${id}/enrollment-answers`, { answers, dry_run: true }, { key })
    expect((await api.get(path)).body.data.answers).toHaveLength(1)
    await api.post(`/v1/employees/${id}/enrollment-answers`, { answers }, { key })
    expect((await api.get(path)).body.data).toMatchObject(empty)
  })

  it('refuses to replace choices that another device has saved in the meantime', async () => {
    const { key, path, draft, sam } = await aCouple()
    const save = (input: object) => api.put(path, { ...draft, ...input }, { key })
    const phone = (await save({ version: null })).body.data.version
    // A laptop without the draft of the phone is refused, and names the field.
    expect(refusalOf(await save({ version: null, dependent_ids: [] }))).toEqual([409, 'draft_has_changed', 'version'])
    const laptop = (await save({ version: phone, answers: draft.answers.slice(0, 1) })).body.data.version
    expect(laptop).not.toBe(phone)
    expect(codeOf(await save({ version: phone, answers: [] }))).toEqual([409, 'draft_has_changed'])
    expect((await api.get(path, { key })).body.data).toMatchObject({ dependent_ids: [sam], version: laptop })
    expect((await save({ version: laptop })).body.data.version).toBe(phone)
    await api.call('DELETE', path, { key })
    expect(codeOf(await save({ version: phone }))).toEqual([409, 'draft_has_changed'])
  })

  it('is shown in the enrollment center as in progress', async () => {
    const { id, key, path, draft } = await aCouple()
    const people = `/v1/employers/${employer_id}/enrollment-windows/${plan_year_id}/people` as const
    const shown = async () => pick((await api.get(people)).body.data, ({ employee_id }) => employee_id === id)
    expect(await shown()).toMatchObject({ status: 'not_started', last_activity_at: null })
    // A draft without any choice does not count as progress.
    await api.put(path, { dependent_ids: [], answers: [] }, { key })
    expect(await shown()).toMatchObject({ status: 'not_started', last_activity_at: null })
    await api.put(path, draft, { key })
    expect(await shown()).toMatchObject({
      status: 'in_progress',
      answered_count: 0,
      last_activity_at: '2026-03-10T16:00:00.000Z',
    })
    const window = first((await api.get(`/v1/employers/${employer_id}/enrollment-windows`)).body.data)
    expect(window.people.in_progress).toBeGreaterThan(0)
    expect((await api.call('DELETE', path, { key })).body.data).toMatchObject(empty)
    expect((await shown()).status).toBe('not_started')
  })

  it('refuses choices that could never be elected', async () => {
    const { key, path, draft, sam, dental } = await aCouple()
    const other = await aCouple()
    const of = async (input: object) => refusalOf(await api.put(path, { ...draft, ...input }, { key }))
    const elect = { plan_id: catalog.dental.plan_id, dependent_ids: [sam] }
    const answer = (more: object) => ({ answers: [{ enrollment_id: dental, elect: { ...elect, ...more } }] })
    expect(await of({ answers: [{ enrollment_id: other.dental, elect: { ...elect, dependent_ids: [] } }] })).toEqual([
      422,
      'enrollment_not_open',
      'answers[0].enrollment_id',
    ])
    expect(await of(answer({ plan_id: catalog.mec.plan_id }))).toEqual([
      422,
      'plan_not_offered',
      'answers[0].elect.plan_id',
    ])
    expect(await of(answer({ dependent_ids: [sam, other.sam] }))).toEqual([
      422,
      'dependent_not_coverable',
      'answers[0].elect.dependent_ids[1]',
    ])
    expect(await of({ dependent_ids: [other.sam] })).toEqual([422, 'dependent_not_coverable', 'dependent_ids[0]'])
    expect(await of({ answers: [...draft.answers, draft.answers[0]] })).toEqual([
      400,
      'invalid_request',
      'answers[2].enrollment_id',
    ])
    expect(await of({ answers: [{ enrollment_id: dental }] })).toEqual([400, 'invalid_request', 'answers[0].elect'])
    expect((await api.get(path, { key })).body.data).toMatchObject(empty)
  })

  it('leaves out dependents who were removed', async () => {
    const { key, path, draft, sam } = await aCouple()
    await api.put(path, draft, { key })
    await api.call('DELETE', `/v1/dependents/${sam}`, { key })
    const { dependent_ids, answers } = (await api.get(path, { key })).body.data
    expect([dependent_ids, answers.map(({ elect }) => elect?.dependent_ids)]).toEqual([[], [[], undefined]])
  })

  it('is discarded when the window closes, and cannot be saved without one', async () => {
    const { key, path, draft } = await aCouple()
    await api.put(path, draft, { key })
    api.moveTo('2026-04-10')
    expect((await api.get(path)).body.data).toMatchObject({ ...empty, window_ends_on: null })
    expect(codeOf(await api.put(path, draft))).toEqual([409, 'enrollment_window_closed'])
    await api.runDays()
    await api.work()
    api.moveTo('2026-03-10')
    expect((await api.get(path)).body.data).toMatchObject(empty)
  })

  it('is kept when the operator extends the window', async () => {
    const { id, key, path } = await aCouple()
    const extended = await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2027-01-01',
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-20',
    })
    await api.work()
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const { id: enrollment_id } = pick(data, ({ benefit_plan_year_id: year }) => year === extended)
    await api.put(path, { dependent_ids: [], answers: [{ enrollment_id, waive: {} }] }, { key })
    const changes = { open_enrollment_end: '2026-04-25' }
    const year = `/operator/v1/benefit-plan-years/${extended}` as const
    expect((await api.patch(year, changes, { key: api.operator_key })).status).toBe(200)
    api.moveTo('2026-04-21')
    await api.runDays()
    expect((await api.get(path)).body.data).toMatchObject({
      answers: [{ enrollment_id, elect: null }],
      window_ends_on: '2026-04-25',
    })
    api.moveTo('2026-04-26')
    await api.runDays()
    api.moveTo('2026-03-10')
    expect((await api.get(path)).body.data).toMatchObject(empty)
  })

  it('is visible only to its employee and the partner', async () => {
    const [{ path }, other] = [await aCouple(), await aCouple()]
    for (const key of [other.key, api.story.rival_api_key]) {
      expect(codeOf(await api.get(path, { key }))).toEqual([404, 'not_found'])
      expect(codeOf(await api.put(path, { dependent_ids: [], answers: [] }, { key }))).toEqual([404, 'not_found'])
      expect(codeOf(await api.call('DELETE', path, { key }))).toEqual([404, 'not_found'])
    }
  })
})
