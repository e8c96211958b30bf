import { expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../../test/fixtures.ts'
import { codeOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
const list = (query: string) => api.get(`/operator/v1/jobs?limit=100&${query}`, operator())

it('shows a job while it waits, runs and has failed permanently, and runs it again', async () => {
  const employer_id = await createEmployer(api)
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [aPerson()] })
  const key = `census:${employer_id}`
  const isIt = (job: { key: string | null }) => job.key === key
  const found = async (query: string) => pick((await list(query)).body.data, isIt)
  const set = (state: string) =>
    api.database.pool.query(`update graphile_worker._private_jobs set ${state} where key = $1`, [key])
  const { organization_id } = api.story

  const waiting = await found('state=waiting')
  expect(waiting).toMatchObject({
    task: 'process_census',
    organization_id,
    state: 'waiting',
    attempts: 0,
    has_failed: false,
    started_at: null,
  })
  const path = `/operator/v1/jobs/${waiting.id}` as const
  const run = () => api.post(`${path}/run`, undefined, operator())

  await set(`locked_at = now(), locked_by = 'another', attempts = 1`)
  expect(await found(`state=running&organization_id=${organization_id}`)).toMatchObject({ state: 'running' })
  expect(codeOf(await run())).toEqual([409, 'job_is_running'])

  await set(
    `locked_at = null, locked_by = null, attempts = max_attempts, last_error = 'Key (email)=(ada@example.com) exists'`,
  )
  const given_up = await found('')
  expect(given_up).toMatchObject({ id: waiting.id, state: 'failed', has_failed: true })
  expect((await list('')).text).not.toContain('ada@example.com')
  expect((await list(`organization_id=${api.story.rival_organization_id}`)).body.data.filter(isIt)).toEqual([])
  await api.work()
  expect((await api.get(path, operator())).body.data.state).toBe('failed')
  const tasks = async (query: string) =>
    (await api.get(`/operator/v1/tasks?${query}`, operator())).body.data.filter(
      ({ resource_id }) => resource_id === waiting.id,
    )
  const task = only(await tasks(`employer_id=${employer_id}`))
  expect(task).toMatchObject({
    kind: 'job_failed',
    organization_id,
    employer_id,
    details: { task: 'process_census' },
    action: { operation: 'operator_run_job', path: `${path}/run` },
  })
  expect(await tasks(`kind=job_failed&organization_id=${organization_id}`)).toEqual([task])
  expect(await tasks('kind=census_held')).toEqual([])

  expect((await run()).body.data).toMatchObject({ state: 'waiting', attempts: 0 })
  expect(await tasks('limit=100')).toEqual([])
  await api.work()
  expect(codeOf(await api.get(path, operator()))).toEqual([404, 'not_found'])
  const censuses = await api.get(`/v1/employers/${employer_id}/census-sync`)
  expect(censuses.body.data.map(({ state }) => state)).toEqual(['completed'])
})
