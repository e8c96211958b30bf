import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, inject, it } from 'vitest'
import { crontab, tasks } from '../../../worker-tasks.ts'
import { startWorker } from '../../../jobs/worker.ts'
import { aPerson, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { electAll, workerStarter, randomFrom } from '../../../test/service/killed-process.ts'
import { noon } from '../../../test/runtime.ts'

/**
 * Workers are killed while they recalculate an employer, process an amendment of its plan year, and renew it. The
 * result must equal that of an employer without killed workers.
 */
const api = useApi()
const asOperator = () => ({ key: api.operator_key })
const organization_id = () => api.story.organization_id
/** Amendments and renewals process a roster in chunks of 1,000, so this needs two. */
const people = 1100
const kills = Number(process.env.KILLS ?? 1)
const random = randomFrom(Number(process.env.KILL_SEED ?? 20261124))
const hire = workerStarter()
const today = '2026-03-10'

let catalog: Awaited<ReturnType<typeof importCatalog>>
let url: string
beforeAll(async () => {
  catalog = await importCatalog(api)
  url = await urlOf(api)
})

const isDone = async () => (await api.database.reads.row('select from graphile_worker.jobs limit 1')) === undefined

/**
 * Runs workers for the pending jobs, kills the first ones during their work, and returns the number of killed workers.
 */
async function workAndDie(): Promise<number> {
  let killed = 0
  while (killed < kills && !(await isDone())) {
    const { child, loaded, ended } = hire()
    await loaded
    child.send({ url, keys: inject('secret_keys'), now: noon(today), dies_at: 12 + random(40) })
    while (child.signalCode === null && !(await isDone())) await Promise.race([ended, pause(20)])
    child.kill('SIGKILL')
    await ended
    killed++
  }
  // The worker takes over the jobs that the killed workers had locked.
  const worker = await startWorker(api.runtime, url, { tasks, crontab, concurrency: 4 })
  while (!(await isDone())) await pause(20)
  await worker.stop()
  return killed
}

/** An employer with a plan year and a roster without eligible employees. */
async function anEmployerWithRoster() {
  const employer_id = await createEmployer(api)
  const year = await openPlanYear(api, employer_id, catalog)
  const employees = Array.from({ length: people }, () => aPerson())
  expect((await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })).status).toBe(202)
  await api.work()
  return { employer_id, year }
}

/** The actions on the employer that enqueue jobs. */
const actions = {
  async recalculation(employer_id: string) {
    const policy = { classification: 'all', waiting_period: 'none' }
    return api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  },
  async amendment(employer_id: string, year: string) {
    await api.database.reads.rows(electAll, [employer_id, organization_id()])
    const dental = {
      benefit_id: catalog.dental.benefit_id,
      contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 1_000 }],
    }
    const vision = {
      benefit_id: catalog.vision.benefit_id,
      contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }],
    }
    const input = {
      effective_on: '2026-05-01',
      reason: 'The carrier corrected its rates',
      contributions: [dental],
      added_benefits: [vision],
    }
    return api.post(`/operator/v1/benefit-plan-years/${year}/amendments`, input, asOperator())
  },
  async renewal(_: string, year: string) {
    const window = { open_enrollment_start: '2026-03-01', open_enrollment_end: '2026-03-09' }
    const copy = { renewal: 'passive', ...window }
    return api.post(`/operator/v1/benefit-plan-years/${year}/copy`, copy, asOperator())
  },
}

/** The number of rows of each kind after the actions. */
const stateOf = (employer_id: string) =>
  api.database.reads.rows(
    `with mine as (select * from enrollments where employer_id = $1 and organization_id = $2)
     select 'event' as of, event_name as what, count(*)::int as count, count(distinct resource_id)::int as of_resources
       from webhook_events where organization_id = $2 and employer_id = $1 group by 2
      union all
     select 'evidence', concat_ws(' ', action, actor, reported.answer), count(*)::int,
     count(distinct enrollment_id)::int
       from enrollment_evidence as reported join mine on mine.id = enrollment_id group by 2
      union all
     select 'enrollment', concat_ws(' ', benefit_id, answer, elected_by, coverage_start, coverage_end, inactive_on,
                                    counted_as), count(*)::int, count(distinct employee_id)::int
       from mine group by 2
      union all
     select 'election', concat_ws(' ', effective_on, plan_id, coverage_tier, premium_in_cents,
                                  employee_deduction_in_cents, election.elected_by, follows),
            count(*)::int, count(distinct enrollment_id)::int
       from elections as election join mine on mine.id = enrollment_id group by 2
      union all
     select 'plan year', concat_ws(' ', coverage_start, eligible_count, enrolled_count, enrollment_count, renewed_on),
            count(*)::int, 1
       from benefit_plan_years where employer_id = $1 and organization_id = $2 group by 2
      union all
     select 'task', kind, count(*)::int, count(distinct resource_id)::int
       from tasks where employer_id = $1 and organization_id = $2 group by 2
      order by 1, 2, 3`,
    [employer_id, organization_id()],
  )

it('workers that are killed recalculate, amend and renew like all others', async () => {
  const quiet = await anEmployerWithRoster()
  const killed = await anEmployerWithRoster()
  let died = 0
  for (const [name, action] of Object.entries(actions)) {
    for (const { employer_id, year } of [quiet, killed]) {
      const answer = await action(employer_id, year)
      expect(answer.status, answer.text).toBe(201)
      if (employer_id === quiet.employer_id) await api.work()
      else died += await workAndDie()
    }
    expect(await stateOf(killed.employer_id), name).toEqual(await stateOf(quiet.employer_id))
  }
  expect(died).toBeGreaterThanOrEqual(Object.keys(actions).length)
  const state = await stateOf(killed.employer_id)
  expect(state).toContainEqual({ of: 'event', what: 'enrollment.amended', count: people, of_resources: people })
  expect(state).toContainEqual({
    of: 'evidence',
    what: 'renewed renewal enrolled',
    count: 2 * people,
    of_resources: 2 * people,
  })
})
