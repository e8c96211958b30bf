import { beforeAll, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { isNotFree } from '../../../runtime/clock.ts'
import { recalculateEmployer } from './actions.ts'

/** Enough employees for several concurrent settlements, each with several statements for its events. */
const hired_once = 2600
/** People with two employments, which are settled together. */
const came_back = 3

const api = useApi()
let employer_id: string
let plan_year_id: string

beforeAll(async () => {
  api.moveTo('2026-03-02')
  employer_id = await createEmployer(api)
  plan_year_id = await openPlanYear(api, employer_id, await importCatalog(api))
  for (let at = 0; at < came_back; at++) {
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-04' })
  }
  api.moveTo('2026-03-06')
  await api.runDays()
  const left = (await api.get(`/v1/employers/${employer_id}/employees?status=terminated`)).body.data
  for (const { id } of left) await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-05' })
  const employees = Array.from({ length: hired_once }, () => aPerson())
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
  await api.work()
})

/** The events of the employer after an event, in the order of the paginated list. */
async function reportedAfter(after: string) {
  const published: { id: string; event_name: string; resource_id: string; sequence: number }[] = []
  for (;;) {
    const last = published.at(-1)?.id ?? after
    const { data } = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100&after=${last}`)).body
    if (data.length === 0) return published
    published.push(...data)
  }
}

it('publishes one event for each of many changes in order, whatever the number of transactions', async () => {
  const before = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=1`)).body.data[0]!
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'none',
  })
  await api.work()
  const [policy, ...published] = await reportedAfter(before.id)

  expect(policy!.event_name).toBe('employer.eligibility_policy_created')
  const idsOf = (name: string) =>
    published.filter((one) => one.event_name === name).map(({ resource_id }) => resource_id)
  const people = hired_once + came_back
  const eligible = idsOf('employee.eligibility_granted')
  expect([eligible.length, new Set(eligible).size]).toEqual([people, people])
  const granted = idsOf('enrollment.granted')
  expect([granted.length, new Set(granted).size]).toEqual([2 * people, 2 * people])
  expect(idsOf('enrollment.started')).toEqual(granted)
  expect(published).toHaveLength(people + 2 * granted.length)
  const of_each = Map.groupBy(published, ({ resource_id }) => resource_id)
  for (const id of granted)
    expect(of_each.get(id)!.map(({ event_name, sequence }) => [event_name, sequence])).toEqual([
      ['enrollment.granted', 1],
      ['enrollment.started', 2],
    ])
  const year = await api.database.reads.row<object>(
    'select enrollment_count, eligible_count, enrolled_count from benefit_plan_years where id = $1',
    [plan_year_id],
  )
  expect(year).toEqual({ enrollment_count: granted.length, eligible_count: people, enrolled_count: 0 })
  // Clients that read the newest first get the same order.
  const newest = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100`)).body.data
  expect(newest.map(({ id }) => id)).toEqual(
    published
      .slice(-100)
      .map(({ id }) => id)
      .reverse(),
  )
})

it('grants each benefit once in two concurrent recalculations of an employer', async () => {
  const others = 1500
  const at = { organization_id: api.story.organization_id, employer_id: await createEmployer(api) }
  const path = `/v1/employers/${at.employer_id}`
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`${path}/benefit-eligibility-policies`, policy)
  await api.post(`${path}/census-sync`, { employees: Array.from({ length: others }, () => aPerson()) })
  await api.work()
  // All employees are already eligible, so that no other write makes the second recalculation wait for the first.
  const year_id = await openPlanYear(api, at.employer_id, await importCatalog(api))
  const ended = await Promise.allSettled([recalculateEmployer(api.runtime, at), recalculateEmployer(api.runtime, at)])
  for (const one of ended) if (one.status === 'rejected') expect(isNotFree(one.reason)).toBe(true)
  // The recalculation that finds locked employees runs again.
  await recalculateEmployer(api.runtime, at)
  const granted = await api.database.reads.row<object>(
    `select count(*)::int as count, count(distinct (employee_id, benefit_id))::int as different
       from enrollments where plan_year_id = $1`,
    [year_id],
  )
  expect(granted).toEqual({ count: 2 * others, different: 2 * others })
  const counts = await api.database.reads.row<object>(
    'select enrollment_count, eligible_count, enrolled_count from benefit_plan_years where id = $1',
    [year_id],
  )
  expect(counts).toEqual({ enrollment_count: 2 * others, eligible_count: others, enrolled_count: 0 })
})
