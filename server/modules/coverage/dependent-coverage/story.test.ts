import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, importCatalog, createOfferingEmployer } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

const api = useApi()

let employer_id: string
let mec_plan: string
beforeAll(async () => {
  const catalog = await importCatalog(api)
  mec_plan = catalog.mec.plan_id
  employer_id = (await createOfferingEmployer(api, catalog)).employer_id
})

/** Marks daily runs until a day as done everywhere, so that earlier days have no effect. */
const ranUpTo = (day: string) => api.database.reads.rows('update organizations set daily_run_on = $1', [day])

/** Moves to a day and runs its jobs, optionally with the days since another day. */
async function goOn(day: string, since = addDays(day, -1)): Promise<void> {
  await ranUpTo(since)
  api.moveTo(day)
  await api.runDays()
  await api.work()
}
beforeEach(() => api.moveTo('2026-03-10'))

const daughter = { relationship: 'child', first_name: 'Anne', last_name: 'Byron', date_of_birth: '2000-05-20' }
const son = { relationship: 'child', first_name: 'Ralph', last_name: 'Byron', date_of_birth: '2012-07-02' }
const wife = { relationship: 'spouse', first_name: 'Bell', last_name: 'Byron', date_of_birth: '1991-05-17' }
const partner = { ...wife, relationship: 'domestic_partner' }

/** An employee with coverage for these dependents since January, with the coverage level that fits them. */
async function family(coverage_tier: string, ...people: object[]) {
  const { id } = await createEmployee(api, employer_id)
  const dependent_ids: string[] = []
  for (const person of people) dependent_ids.push(await add(id, person))
  const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
  const enrollment_id = pick(data, (row) => row.benefit.category === 'Medical').id
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id: mec_plan, coverage_tier })
  expect(answer.status, answer.text).toBe(200)
  await api.work()
  return { id, enrollment_id, dependent_ids }
}

async function add(employee_id: string, person: object): Promise<string> {
  const answer = await api.post(`/v1/employees/${employee_id}/dependents`, person)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

const read = async (enrollment_id: string) => (await api.get(`/v1/enrollments/${enrollment_id}`)).body.data
const coverOf = async (enrollment_id: string) => {
  const { coverage_tier, employee_deduction_in_cents, dependent_ids } = await read(enrollment_id)
  return [coverage_tier, employee_deduction_in_cents, dependent_ids]
}

/** The events of a resource with their days, oldest first. */
async function linesOf(resource_id: string): Promise<string[]> {
  const { body } = await api.get(`/v1/webhook-events?resource_id=${resource_id}&limit=100`)
  return body.data.map(({ event_name, created_at }) => `${created_at.slice(0, 10)} ${event_name}`).toSorted()
}

const disability = (dependent_id: string) => `/operator/v1/dependents/${dependent_id}/disability` as const
const asOperator = () => ({ key: api.operator_key })
const approve = (dependent_id: string) => api.post(disability(dependent_id), { reason: 'Certified' }, asOperator())
const withdraw = (dependent_id: string) => api.call('DELETE', disability(dependent_id), asOperator())

describe('a child who reaches the age limit', () => {
  it('is announced 60 days ahead and dropped after the month; coverage level, price and window follow', async () => {
    const { id, enrollment_id, dependent_ids } = await family('EC', daughter)
    const dependent_id = only(dependent_ids)
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, [dependent_id]])
    await goOn('2026-03-31')
    expect(await linesOf(dependent_id)).toEqual([])
    await goOn('2026-04-01')
    expect(await linesOf(dependent_id)).toEqual(['2026-04-01 dependent.coverage_ending'])
    await goOn('2026-05-31')
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, [dependent_id]])

    await goOn('2026-06-01')
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
    const both = ['2026-04-01 dependent.coverage_ending', '2026-06-01 dependent.coverage_ended']
    expect(await linesOf(dependent_id)).toEqual(both)
    expect((await read(enrollment_id)).window).toEqual({ start: '2026-06-01', end: '2026-07-01' })
    const events = (await api.get(`/v1/employees/${id}/qualifying-life-events`)).body.data
    expect(events).toMatchObject([
      { type: 'dependent_coverage_ended', occurred_on: '2026-05-31', status: 'approved', window_end: '2026-07-01' },
    ])
    const history = (await api.get(`/v1/enrollments/${enrollment_id}/history`)).body.data
    expect(history.at(-1)).toMatchObject({
      action: 'dependents_changed',
      actor: { kind: 'rule' },
      elections: [
        { effective_on: null, coverage_tier: 'EC', dependent_ids },
        { effective_on: '2026-06-01', coverage_tier: 'EE', employee_deduction_in_cents: 0, dependent_ids: [] },
      ],
    })
    await goOn('2026-06-02')
    await goOn('2026-06-02', '2026-05-31')
    expect(await linesOf(dependent_id)).toEqual(both)
    const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id: mec_plan, coverage_tier: 'EE' })
    expect(answer.status, answer.text).toBe(200)
  })

  it('is dropped once, even if the daily run is late or repeated', async () => {
    const { enrollment_id, dependent_ids } = await family('EC', daughter)
    await goOn('2026-06-04', '2026-05-30')
    await goOn('2026-06-04', '2026-05-30')
    expect((await linesOf(only(dependent_ids))).map((reported) => reported.slice(11))).toEqual([
      'dependent.coverage_ended',
    ])
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
  })

  it.each([
    ['a family of two children stays a family', 'EF', [wife, daughter, son], 'EF', [0, 2]],
    ['a family of one child becomes a couple', 'EF', [wife, daughter], 'ES', [0]],
    ['children stay children', 'EC', [daughter, son], 'EC', [1]],
  ])('%s', async (_, tier, people, after, stay) => {
    const { enrollment_id, dependent_ids } = await family(tier, ...people)
    await goOn('2026-06-01')
    const [coverage_tier, , covered] = await coverOf(enrollment_id)
    expect([coverage_tier, covered]).toEqual([after, stay.map((at) => dependent_ids[at]).toSorted()])
  })
})

describe('a dependent who is removed manually', () => {
  it('is announced immediately, and dropped after the month like others', async () => {
    const { enrollment_id, dependent_ids } = await family('ES', wife)
    await api.call('DELETE', `/v1/dependents/${only(dependent_ids)}`)
    await api.work()
    expect(await linesOf(only(dependent_ids))).toEqual(['2026-03-10 dependent.coverage_ending'])
    expect((await coverOf(enrollment_id))[0]).toBe('ES')
    await goOn('2026-04-01')
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
    expect((await linesOf(only(dependent_ids))).at(-1)).toBe('2026-04-01 dependent.coverage_ended')
  })
})

describe('a corrected date of birth', () => {
  it('ends coverage retroactively, and restores it after another correction', async () => {
    const { enrollment_id, dependent_ids } = await family('EC', daughter)
    const dependent = `/v1/dependents/${only(dependent_ids)}`
    const before = await read(enrollment_id)
    await goOn('2026-04-20')
    await api.patch(dependent, { date_of_birth: '2000-04-25' })
    await goOn('2026-05-03')
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
    const answer = await api.patch(dependent, { date_of_birth: '2002-04-25' })
    expect(answer.status, answer.text).toBe(200)
    await api.work()
    const after = await read(enrollment_id)
    // The end opened a window, which stays open.
    const aside = { window: null, allowed_changes: null, updated_at: null }
    expect({ ...after, ...aside }).toEqual({ ...before, ...aside })
  })
})

describe('a disabled child', () => {
  it('has no age limit, and is dropped after the month if the approval is withdrawn', async () => {
    const { enrollment_id, dependent_ids } = await family('EC', daughter)
    const dependent_id = only(dependent_ids)
    const approved = await approve(dependent_id)
    expect(approved.body.data).toMatchObject({ disabled: true, covered_until: null })
    await goOn('2026-06-20')
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, [dependent_id]])
    expect(await linesOf(dependent_id)).toEqual([])
    const withdrawn = await withdraw(dependent_id)
    expect(withdrawn.body.data).toMatchObject({ disabled: false, covered_until: '2026-06-30' })
    await api.work()
    expect(await linesOf(dependent_id)).toEqual(['2026-06-20 dependent.coverage_ending'])
    await goOn('2026-07-01')
    expect(await coverOf(enrollment_id)).toEqual(['EE', 0, []])
  })

  it('is covered after a late approval as if never dropped', async () => {
    const { enrollment_id, dependent_ids } = await family('EC', daughter)
    await goOn('2026-06-05')
    await approve(only(dependent_ids))
    await api.work()
    expect(await coverOf(enrollment_id)).toEqual(['EC', 8_250, dependent_ids])
  })

  it('can be added above the age limit, but only covered after the approval', async () => {
    const { id, enrollment_id } = await family('ES', wife)
    const grown = { ...son, date_of_birth: '1995-07-02' }
    expect(codeOf(await api.post(`/v1/employees/${id}/dependents`, grown))).toEqual([422, 'dependent_too_old'])
    const dependent_id = await add(id, { ...grown, disabled: true })
    const elect = () => api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id: mec_plan, coverage_tier: 'EF' })
    expect(codeOf(await elect())).toEqual([422, 'dependents_do_not_fit_tier'])
    await approve(dependent_id)
    expect((await elect()).status).toBe(200)
  })

  it('is approved and withdrawn once, by the operator', async () => {
    const { dependent_ids } = await family('EC', daughter)
    const dependent_id = only(dependent_ids)
    expect(codeOf(await withdraw(dependent_id))).toEqual([409, 'dependent_not_disabled'])
    expect((await approve(dependent_id)).status).toBe(200)
    expect(codeOf(await approve(dependent_id))).toEqual([409, 'dependent_already_disabled'])
    expect(codeOf(await api.post(disability(dependent_id), { reason: 'x' }))).toEqual([401, 'unauthorized'])
  })
})

describe('a domestic partner', () => {
  it('is covered like a spouse, and the share of the deduction is shown', async () => {
    const { id, enrollment_id, dependent_ids } = await family('ES', partner)
    expect(codeOf(await api.post(`/v1/employees/${id}/dependents`, wife))).toEqual([409, 'spouse_already_exists'])
    // EE costs nothing, ES half of 175.00.
    expect(await read(enrollment_id)).toMatchObject({
      employee_deduction_in_cents: 8_750,
      domestic_partner_share_in_cents: 8_750,
      dependent_ids,
    })
  })

  it('adds only the extra cost of the partner to the deduction', async () => {
    const { enrollment_id } = await family('EF', partner, son)
    // EF 124.50, EC 82.50
    expect(await read(enrollment_id)).toMatchObject({
      employee_deduction_in_cents: 12_450,
      domestic_partner_share_in_cents: 4_200,
    })
    const { enrollment_id: married } = await family('EF', wife, son)
    expect((await read(married)).domestic_partner_share_in_cents).toBe(0)
  })
})
