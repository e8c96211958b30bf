import { expect, it } from 'vitest'
import { codeOf } from '../../test/response.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()

/** The value of a metric; undefined if it does not exist. */
async function read(series: string): Promise<number | undefined> {
  const { text } = await api.get('/metrics', { key: api.operator_key })
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

it('restricts metrics to operators', async () => {
  for (const key of [null, api.story.api_key, api.story.super_api_key, 'obop_wrong']) {
    const answer = await api.get('/metrics', { key })
    expect(codeOf(answer)).toEqual([401, 'unauthorized'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
})

it('counts and times requests by operation, method and status', async () => {
  await api.get('/v1/organizations')
  await api.get('/v1/organizations')
  await api.get('/v1/organizations?limit=0')
  const labels = (status: number) => `{operation="list_organizations",method="GET",status="${status}"}`
  expect(await read(`http_requests_total${labels(200)}`)).toBe(2)
  expect(await read(`http_requests_total${labels(400)}`)).toBe(1)
  expect(await read(`http_request_duration_seconds_count${labels(200)}`)).toBe(2)
  expect(await read(`http_request_duration_seconds_sum${labels(200)}`)).toBeLessThan(60)
})

it('contains neither paths nor ids', async () => {
  await api.get(`/v1/employers/${api.story.organization_id.replace('org', 'empr')}?search=ada@example.com`)
  await api.get('/v1/unknown/ada@example.com')
  const { text, headers } = await api.get('/metrics', { key: api.operator_key })
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(text).not.toMatch(/ada@|empr_|org_|\/v1\//)
})

it('counts jobs by state at the time of the scrape', async () => {
  const states = async () => [
    await read('jobs{state="waiting"}'),
    await read('jobs{state="running"}'),
    await read('jobs{state="failed"}'),
  ]
  expect(await states()).toEqual([0, 0, 0])
  await api.act((ctx) => ctx.enqueue('mirror_organization', { organization_id: 'org_01kdq7b4w8e9rs2mh3n5t6v7xz' }))
  expect(await states()).toEqual([1, 0, 0])
  await api.database.reads.rows(
    'select graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs))',
  )
  expect(await states()).toEqual([0, 0, 1])
})

it('measures the pool, the memory and the event loop', async () => {
  const client = await api.runtime.database.pool.connect()
  expect(await read('database_pool_connections{state="in_use"}')).toBe(1)
  client.release()
  expect(await read('database_pool_waiting')).toBe(0)
  expect(await read('process_resident_memory_bytes')).toBeGreaterThan(1e7)
  // The delay is measured every 10 ms, so the first scrape may follow too soon.
  await expect.poll(() => read('event_loop_delay_seconds{statistic="p99"}')).toBeGreaterThanOrEqual(0)
})

it('returns the other metrics and NaN for jobs when the database does not respond', async () => {
  const client = await api.runtime.database.pool.connect()
  try {
    await client.query('begin; lock table graphile_worker._private_jobs in access exclusive mode')
    const { text } = await api.get('/metrics', { key: api.operator_key })
    expect(text).toContain('jobs{state="waiting"} NaN')
    expect(text).toMatch(/process_resident_memory_bytes \d+/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
