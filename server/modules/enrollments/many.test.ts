import { beforeAll, expect, it } from 'vitest'
import { aPerson, createEmployer, importCatalog, openPlanYear } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'

/** So many that what becomes of them all in one transaction is told by several statements, cut within a pair. */
const people = 901

const api = useApi()
let employer_id: string

beforeAll(async () => {
  employer_id = await createEmployer(api)
  await openPlanYear(api, employer_id, await importCatalog(api))
  const employees = Array.from({ length: people }, () => aPerson())
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
  await api.work()
})

/** What was told of the employer since an event, in its order, by the pages of the list. */
async function toldAfter(after: string) {
  const told: { id: string; event_name: string; resource_id: string; sequence: number }[] = []
  for (;;) {
    const last = told.at(-1)?.id ?? after
    const { data } = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100&after=${last}`)).body
    if (data.length === 0) return told
    told.push(...data)
  }
}

it('tells what became of many in their order, however many statements write it', async () => {
  const before = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=1`)).body.data[0]!
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'none',
  })
  await api.work()
  const [policy, ...told] = await toldAfter(before.id)

  expect(policy!.event_name).toBe('employer.eligibility_policy_created')
  expect(told.slice(0, people).every(({ event_name }) => event_name === 'employee.eligibility_granted')).toBe(true)
  const of_enrollments = told.slice(people)
  expect(of_enrollments.length).toBeGreaterThan(2 * people)
  const pairs = Map.groupBy(of_enrollments, ({ resource_id }) => resource_id)
  expect([...pairs.keys()]).toEqual([...pairs.keys()].sort())
  for (const pair of pairs.values())
    expect(pair.map(({ event_name, sequence }) => [event_name, sequence])).toEqual([
      ['enrollment.granted', 1],
      ['enrollment.started', 2],
    ])
  // Whoever reads them the newest first reads the same order.
  const newest = (await api.get(`/v1/webhook-events?employer_id=${employer_id}&limit=100`)).body.data
  expect(newest.map(({ id }) => id)).toEqual(
    told
      .slice(-100)
      .map(({ id }) => id)
      .reverse(),
  )
})
