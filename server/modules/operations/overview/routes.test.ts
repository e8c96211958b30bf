import { expect, it, describe } from 'vitest'
import { every_organization } from '../../../database/query/rows-of.ts'
import { saveUsage } from '../../access/usage/queries.ts'
import { codeOf } from '../../../test/response.ts'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { beginningOfYesterday } from './queries.ts'

const api = useApi()
const requested = () => api.get('/operator/v1/overview', { key: api.operator_key })
const overview = async () => (await requested()).body.data

it('counts the events of all organizations since yesterday, and no earlier ones', async () => {
  api.moveTo('2026-03-09')
  await createEmployer(api)
  api.moveTo('2026-03-11')
  const before = await overview()
  expect(before).toMatchObject({ since: '2026-03-10T04:00:00.000Z', is_complete: true })
  await createEmployer(api)
  const employer_id = await createEmployer(api, {}, { key: api.story.rival_api_key })
  for (let count = 0; count < 3; count++)
    await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key: api.story.rival_api_key })
  const { event_counts } = await overview()
  const countOf = (name: string, all = event_counts) =>
    all.find(({ event_name }) => event_name === name)?.event_count ?? 0
  expect(countOf('employer.created') - countOf('employer.created', before.event_counts)).toBe(2)
  expect(countOf('employee.created') - countOf('employee.created', before.event_counts)).toBe(3)
  const counts = event_counts.map(({ event_count }) => event_count)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  api.moveTo('2026-03-13')
  expect((await overview()).event_counts).toEqual([])
})

it('reports failed requests, failed jobs, and late jobs, webhooks and days', async () => {
  const calm = await overview()
  expect(calm).toMatchObject({
    failed_request_count: 0,
    failed_job_count: 0,
    job_late_seconds: 0,
    job_running_seconds: 0,
    webhook_late_seconds: 0,
  })
  const { organization_id } = api.story
  const counted = { organization_id, operation: 'employees_get', refused_count: 0, limited_count: 0, request_count: 9 }
  const last_used_at = new Date(api.runtime.clock()).toISOString()
  const used = [
    { ...counted, credential_id: 'key_1', day: '2026-03-12', failed_count: 2, last_used_at },
    { ...counted, credential_id: 'key_2', day: '2026-03-13', failed_count: 1, last_used_at },
    { ...counted, credential_id: 'key_2', day: '2026-03-11', failed_count: 7, last_used_at },
  ]
  await api.database.transaction(every_organization, (db) => saveUsage(db, used))
  const employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [aPerson()] })
  const job = `graphile_worker._private_jobs set`
  const mine = `where key = 'census:${employer_id}'`
  await api.database.pool.query(`update ${job} run_at = now() - interval '100 seconds' ${mine}`)
  const late = await overview()
  expect(late.failed_request_count).toBe(3)
  expect(late.job_late_seconds).toBeGreaterThanOrEqual(100)
  await api.database.pool.query(`update ${job} locked_at = now() - interval '3 hours', locked_by = 'w' ${mine}`)
  expect((await overview()).job_running_seconds).toBeGreaterThanOrEqual(3 * 3600)
  const { text } = await api.get('/metrics', { key: api.operator_key })
  expect(Number(/^job_running_seconds (.*)$/m.exec(text)![1])).toBeGreaterThanOrEqual(3 * 3600)
  await api.database.pool.query(`update ${job} attempts = max_attempts, locked_at = null, locked_by = null ${mine}`)
  expect(await overview()).toMatchObject({ failed_job_count: 1, job_late_seconds: 0 })
  await api.database.pool.query(
    `update organizations set daily_run_on = case id when $1 then '2026-03-11'::date
                                   else '2026-03-13' end`,
    [organization_id],
  )
  expect(await overview()).toMatchObject({ organizations_late: 1, last_day_run_on: '2026-03-11' })
})

it('restricts the overview to operators', async () => {
  expect(codeOf(await api.get('/operator/v1/overview', { key: api.story.super_api_key }))).toEqual([
    401,
    'unauthorized',
  ])
})

describe('the beginning of yesterday', () => {
  it.each([
    ['in winter', '2026-01-15', '2026-01-14T05:00:00Z'],
    ['in summer', '2026-07-15', '2026-07-14T04:00:00Z'],
    ['on the day after daylight saving time began', '2026-03-09', '2026-03-08T05:00:00Z'],
    ['two days after daylight saving time ended', '2026-11-03', '2026-11-02T05:00:00Z'],
    ['at the turn of a year', '2027-01-01', '2026-12-31T05:00:00Z'],
  ])('finds where yesterday begins %s', (_, today, instant) => expect(beginningOfYesterday(today)).toBe(instant))
})
