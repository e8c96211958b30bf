import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'

const api = useApi()

async function historyOf(enrollment_id: string, key = api.story.api_key) {
  const answer = await api.get(`/v1/enrollments/${enrollment_id}/history`, { key })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.pagination.total).toBe(answer.body.data.length)
  return answer.body.data
}
const actionsOf = async (enrollment_id: string) => (await historyOf(enrollment_id)).map(({ action }) => action)

let employer_id: string
let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

/** A new employee with the granted enrollments `mec` and `dental`. */
async function newcomer() {
  const employee = await createEmployee(api, employer_id)
  const { data } = (await api.get(`/v1/employees/${employee.id}/enrollments`)).body
  const of = (category: string) => pick(data, (row) => row.benefit.category === category).id
  return { ...employee, mec: of('Medical'), dental: of('Dental') }
}

const elect = async (enrollment_id: string, body: object, key = api.story.api_key) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, body, { key })
  expect(answer.status, answer.text).toBe(200)
}

describe('enrollments_get_history', () => {
  it('shows who elected, in which window and at which cost, and keeps it when the election is replaced', async () => {
    const ada = await newcomer()
    const child = { relationship: 'child', first_name: 'Ann', last_name: 'X', date_of_birth: '2015-06-01' }
    const dependent = (await api.post(`/v1/employees/${ada.id}/dependents`, child)).body.data
    const token = await boundToken(api, 'employee', ada.id)
    await elect(ada.dental, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' }, token)
    await elect(ada.dental, { plan_id: catalog.dental.plan_id, coverage_tier: 'EC' })
    const grant_window = { kind: 'grant', start: '2026-03-10', end: '2026-04-09', life_event_id: null }
    const [granted, first, second] = await historyOf(ada.dental)
    expect(granted).toEqual({
      action: 'granted',
      recorded_at: '2026-03-10T16:00:00.000Z',
      actor: { kind: 'rule', id: null },
      reason: null,
      reason_code: null,
      window: grant_window,
      coverage_start: '2026-01-05',
      coverage_end: null,
      answer: null,
      elections: null,
      offered: null,
      signature: null,
      confirmation: null,
    })
    const price = { plan_id: catalog.dental.plan_id, coverage_tier: 'EE', premium_in_cents: 3_200 }
    const shares = { employer_contribution_in_cents: 2_000, employee_deduction_in_cents: 1_200 }
    expect(first).toEqual({
      action: 'elected',
      recorded_at: '2026-03-10T16:00:00.000Z',
      actor: { kind: 'employee', id: ada.id },
      reason: null,
      reason_code: null,
      window: grant_window,
      coverage_start: '2026-01-05',
      coverage_end: null,
      answer: 'enrolled',
      elections: [{ effective_on: null, ...price, ...shares, dependent_ids: [] }],
      offered: null,
      signature: null,
      confirmation: null,
    })
    expect(second).toMatchObject({
      action: 'elected',
      actor: { kind: 'partner', id: expect.stringMatching(/^key_/) },
      elections: [
        { effective_on: null, coverage_tier: 'EE' },
        { effective_on: '2026-04-01', coverage_tier: 'EC', dependent_ids: [dependent.id] },
      ],
    })
  })

  it('shows who waived, why, and what was offered', async () => {
    const ben = await newcomer()
    await api.post(`/v1/enrollments/${ben.dental}/waive`, { reason_code: 'spouse_plan' })
    await api.post(`/v1/enrollments/${ben.dental}/waive`, { reason: 'Too expensive' })
    const [, first, second] = await historyOf(ben.dental)
    expect(first).toMatchObject({ action: 'waived', reason_code: 'spouse_plan', answer: 'waived', elections: null })
    expect(second).toMatchObject({ action: 'waived', reason: 'Too expensive', reason_code: null })
    expect(first?.offered).toHaveLength(4)
    expect(first?.offered?.[0]).toEqual({
      plan_id: catalog.dental.plan_id,
      coverage_tier: 'EE',
      premium_in_cents: 3_200,
      employer_contribution_in_cents: 2_000,
      employee_deduction_in_cents: 1_200,
    })
  })

  it('shows corrections by the operator, and ends that follow from facts', async () => {
    const cal = await newcomer()
    await elect(cal.dental, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
    const correction = { reason: 'As on the form', coverage_start: '2026-02-01' }
    await api.post(`/operator/v1/enrollments/${cal.dental}/corrections`, correction, { key: api.operator_key })
    await api.post(`/v1/employees/${cal.id}/terminate`, { termination_date: '2026-03-10' })
    const reported = await historyOf(cal.dental)
    expect(
      reported.map(({ action, actor, reason, coverage_start, coverage_end }) => [
        action,
        actor?.kind,
        reason,
        coverage_start,
        coverage_end,
      ]),
    ).toEqual([
      ['granted', 'rule', null, '2026-02-01', null],
      ['elected', 'partner', null, '2026-01-05', null],
      ['corrected', 'operator', 'As on the form', '2026-02-01', null],
      ['end_changed', 'rule', null, '2026-02-01', '2026-03-31'],
    ])
    expect(await actionsOf(cal.mec)).toEqual(['granted'])
    api.moveTo('2026-04-01')
    await api.runDays()
    await api.work()
    expect(await actionsOf(cal.dental)).toEqual(['granted', 'elected', 'corrected', 'end_changed', 'ended'])
    expect(await actionsOf(cal.mec)).toEqual(['granted', 'ended'])
  })

  it('records nothing for refused requests, and nothing when everything is recalculated', async () => {
    const dee = await newcomer()
    await api.post(`/v1/enrollments/${dee.dental}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })
    expect(await actionsOf(dee.dental)).toEqual(['granted'])
    await api.patch(`/v1/employees/${dee.id}`, { effective_date: '2026-03-01', compensation_type: 'Hourly' })
    expect(await actionsOf(dee.dental)).toEqual(['granted'])
  })

  it('returns pages', async () => {
    const eve = await newcomer()
    for (const reason of ['One', 'Two', 'Three']) await api.post(`/v1/enrollments/${eve.mec}/waive`, { reason })
    const { body } = await api.get(`/v1/enrollments/${eve.mec}/history?limit=2&page=2`)
    expect(body.data.map(({ reason }) => reason)).toEqual(['Two', 'Three'])
    expect(body.pagination).toEqual({ limit: 2, page: 2, total: 4, total_pages: 2 })
  })

  it('can be read by its employee and their employer, without key ids, and by no other caller', async () => {
    const [fay, other] = [await newcomer(), await newcomer()]
    await api.post(`/v1/enrollments/${fay.mec}/waive`, {})
    for (const key of [await boundToken(api, 'employee', fay.id), await boundToken(api, 'employer', employer_id)]) {
      const [, waived] = await historyOf(fay.mec, key)
      expect(waived?.actor).toEqual({ kind: 'partner', id: null })
    }
    const elsewhere = await createEmployer(api)
    for (const key of [
      api.story.rival_api_key,
      await boundToken(api, 'employee', other.id),
      await boundToken(api, 'employer', elsewhere),
    ])
      expect(codeOf(await api.get(`/v1/enrollments/${fay.mec}/history`, { key }))).toEqual([404, 'not_found'])
  })
})
