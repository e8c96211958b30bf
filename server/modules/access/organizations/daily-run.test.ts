import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, easternDay } from '../../../kernel/days.ts'
import { startWorker } from '../../../jobs/worker.ts'
import { crontab, tasks } from '../../../worker-tasks.ts'
import { hasDailyWork, savePassed, runDay, runDayInChunksOf } from '../../../daily-run.ts'
import { runWaitingJobs } from '../../../test/service/waiting-jobs.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { urlOf, useApi } from '../../../test/harness.ts'
import { setUpOrganization, requestDailyRuns, runOrganizationDays, runWholeDay } from './actions.ts'
import { saveDailyRun } from './queries.ts'

const api = useApi()

/** The days that ran, in order, as `[organization_id, day]`. */
let runs: [string, string][]
/** The organization whose daily run fails, if any. */
let failing: string | undefined

beforeEach(async () => {
  runs = []
  failing = undefined
  api.runtime.hasDailyWork = async () => true
  api.runtime.runDay = async (ctx, organization_id, progress) => {
    const further = await runDay(ctx, organization_id, progress)
    if (organization_id === failing) throw new Error('this run fails')
    runs.push([organization_id, ctx.today])
    return further
  }
  await ranUpTo(easternDay(api.runtime.clock()))
})

/** Runs all due days, including those without work. */
async function runAllDays(): Promise<void> {
  await requestDailyRuns(api.runtime, async () => [])
  await runWaitingJobs(api.runtime, { run_day: tasks.run_day! })
}

const dailyRunJobs = async () =>
  (
    await api.database.pool.query<{ key: string; failed: boolean }>(
      `select key, last_error is not null as failed from graphile_worker.jobs
        where task_identifier = 'run_day' and attempts < max_attempts`,
    )
  ).rows

/** Sets the last completed day of all organizations. Null means none. */
const ranUpTo = (day: string | null) => api.database.reads.rows('update organizations set daily_run_on = $1', [day])

const organizations = () => [
  api.story.organization_id,
  api.story.rival_organization_id,
  api.story.super_organization_id,
]

const daysOf = (organization_id: string) => runs.filter(([id]) => id === organization_id).map(([, day]) => day)

/** The three days after the first day of these tests. The clock is on the last of them. */
function threeDaysLater(): string[] {
  const before = easternDay(api.runtime.clock())
  const days = [1, 2, 3].map((count) => addDays(before, count))
  api.moveTo(days[2]!)
  return days
}

describe('the daily run', () => {
  it('runs once per day for every organization, in order, even if requested repeatedly', async () => {
    const days = threeDaysLater()
    await runAllDays()
    await runAllDays()
    expect(runs).toHaveLength(9)
    for (const id of organizations()) expect(daysOf(id)).toEqual(days)
  })

  it('runs once if ten workers start it concurrently', async () => {
    const days = threeDaysLater()
    await Promise.all(Array.from({ length: 10 }, () => runAllDays()))
    expect(runs).toHaveLength(9)
    for (const id of organizations()) expect(daysOf(id)).toEqual(days)
  })

  it('catches up across a change to daylight saving time, each day once', async () => {
    api.moveTo('2026-10-30')
    await ranUpTo('2026-10-29')
    api.moveTo('2026-11-03')
    await runAllDays()
    expect(daysOf(api.story.organization_id)).toEqual([
      '2026-10-30',
      '2026-10-31',
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
    ])
    api.moveTo('2026-03-10')
  })

  it('starts with today if no day ever ran', async () => {
    await ranUpTo(null)
    await runAllDays()
    expect(runs).toHaveLength(3)
    for (const id of organizations()) expect(daysOf(id)).toEqual([easternDay(api.runtime.clock())])
  })

  it('has nothing to run for an organization on the day of its creation', async () => {
    const made = await api.act((ctx) =>
      setUpOrganization(ctx, {
        name: 'Young Benefits',
        type: null,
        super_in: false,
        sandbox: true,
        admin_user_id: null,
      }),
    )
    await runAllDays()
    expect(runs).toEqual([])
    const [day] = threeDaysLater()
    await runAllDays()
    expect(daysOf(made)[0]).toBe(day)
  })

  it('continues with other organizations if one fails, logs the failure, and retries that one later', async () => {
    const days = threeDaysLater()
    failing = organizations().toSorted()[1]!
    await runAllDays()
    expect(await dailyRunJobs()).toEqual([{ key: `run_day:${failing}`, failed: true }])
    expect(daysOf(failing)).toEqual([])
    for (const id of organizations()) if (id !== failing) expect(daysOf(id)).toEqual(days)
    const fixed = failing
    failing = undefined
    runs = []
    await runAllDays()
    expect([runs.length, daysOf(fixed)]).toEqual([3, days])
  })

  it('keeps a single job while it fails for hours', async () => {
    await hireLeavers(1)
    threeDaysLater()
    failing = api.story.organization_id
    // Simulate a worker that returns after three hours and catches up on each of them.
    await api.database.pool.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       values ('run_days', now() - interval '1 day', now() - interval '3 hours')`,
    )
    const worker = await startWorker(api.runtime, await urlOf(api), {
      tasks,
      crontab: crontab.replace('?', '?fill=1d&'),
      concurrency: 1,
    })
    const key = `run_day:${failing}`
    await expect.poll(dailyRunJobs).toContainEqual({ key, failed: true })
    await worker.stop()
    expect((await dailyRunJobs()).filter((job) => job.key === key)).toHaveLength(1)
  })

  it('leaves no changes of a failed day, and publishes its events once', async () => {
    const { id } = await createEmployee(api, await createEmployer(api))
    const last_day = easternDay(api.runtime.clock())
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: last_day })
    threeDaysLater()
    failing = api.story.organization_id
    await runAllDays()
    expect(await api.events(id)).not.toContain('employee.deactivated')
    failing = undefined
    await runAllDays()
    await ranUpTo(last_day)
    await runAllDays()
    expect((await api.events(id)).filter((name) => name === 'employee.deactivated')).toHaveLength(1)
  })

  it('does not repeat completed days if the system clock is set back', async () => {
    const today = easternDay(api.runtime.clock())
    await api.act((ctx) =>
      saveDailyRun(ctx, {
        organization_id: api.story.organization_id,
        daily_run_on: addDays(today, 2),
        clock_offset_days: 0,
      }),
    )
    threeDaysLater()
    await runAllDays()
    expect(daysOf(api.story.organization_id)).toEqual([addDays(today, 3)])
  })

  it('marks days without work as run without enqueueing a job', async () => {
    await api.database.pool.query(`delete from graphile_worker._private_jobs`)
    const days = threeDaysLater()
    await runAllDays()
    api.moveTo(addDays(days[2]!, 5))
    await requestDailyRuns(api.runtime, savePassed)
    expect(await dailyRunJobs()).toEqual([])
    const { rows } = await api.database.pool.query('select distinct daily_run_on::text from organizations')
    expect(rows).toEqual([{ daily_run_on: addDays(days[2]!, 5) }])
  })

  it('passes the days without work between two days with work', async () => {
    const { organization_id } = api.story
    const employer_id = await createEmployer(api)
    const today = easternDay(api.runtime.clock())
    const leaves = [addDays(today, 10), addDays(today, 30)]
    for (const termination_date of leaves)
      await api.post(`/v1/employees/${(await createEmployee(api, employer_id)).id}/terminate`, { termination_date })
    await api.work()
    api.runtime.hasDailyWork = hasDailyWork
    runs = []
    api.moveTo(addDays(today, 60))
    await api.runDays()
    const busy = daysOf(organization_id)
    expect(busy).toEqual(expect.arrayContaining(leaves.map((day) => addDays(day, 1))))
    expect(busy.length).toBeLessThan(10)
    const { rows } = await api.database.pool.query('select distinct daily_run_on::text from organizations')
    expect(rows).toEqual([{ daily_run_on: addDays(today, 60) }])
  })

  it('detects every day on which an organization has work', async () => {
    await hireLeavers(3)
    await api.work()
    const { organization_id } = api.story
    let busy = 0
    for (let count = 0; count < 60; count++) {
      api.moveTo(addDays(easternDay(api.runtime.clock()), 1))
      const day = easternDay(api.runtime.clock())
      const passed = await api.act((ctx) => savePassed(ctx, [organization_id]))
      const wrote = await api.act(async (ctx) => {
        await runWholeDay(ctx, organization_id)
        // Queries the server with the organization's rows, which is not the coordinator if the database is sharded.
        const { id } = (await ctx.db.row<{ id: string | null }>(
          'select pg_current_xact_id_if_assigned()::text as id from employers where organization_id = $1 limit 1',
          [organization_id],
        ))!
        return id !== null
      })
      if (wrote) busy++
      if (wrote) expect(passed, `the run of ${day} writes`).toEqual([])
      await ranUpTo(day)
    }
    expect(busy).toBeGreaterThan(0)
  })
})

/** Employees of an employer who leave today, and a policy that starts today. */
async function hireLeavers(count: number): Promise<string[]> {
  const employer_id = await createEmployer(api)
  const people = await Promise.all(Array.from({ length: count }, () => createEmployee(api, employer_id)))
  const today = easternDay(api.runtime.clock())
  for (const { id } of people) await api.post(`/v1/employees/${id}/terminate`, { termination_date: today })
  return people.map(({ id }) => id)
}

describe('a daily run in chunks', () => {
  it('processes every person once, even if each chunk is interrupted and others write in between', async () => {
    const { organization_id } = api.story
    const leavers = await hireLeavers(7)
    const hired: string[] = []
    const employer_id = await createEmployer(api)
    threeDaysLater()
    let calls = 0
    const inChunks = runDayInChunksOf(2)
    api.runtime.runDay = async (ctx, id, progress) => {
      const further = await inChunks(ctx, id, progress)
      if (++calls % 2 === 1) throw new Error('killed before it was committed')
      return further
    }
    const progress = async () =>
      (
        await api.database.pool.query<{ daily_run_on: string; daily_run_progress: unknown }>(
          'select daily_run_on::text, daily_run_progress from organizations where id = $1',
          [organization_id],
        )
      ).rows[0]!
    const seen: unknown[] = []
    while ((await progress()).daily_run_on < easternDay(api.runtime.clock())) {
      await runOrganizationDays(api.runtime, organization_id).catch(() => undefined)
      seen.push((await progress()).daily_run_progress)
      hired.push((await createEmployee(api, employer_id)).id)
    }
    expect(seen).toContainEqual({ step: 'employees.0', after: expect.stringMatching(/^empl_/) })
    expect((await progress()).daily_run_progress).toBeNull()
    for (const id of leavers)
      expect((await api.events(id)).filter((name) => name === 'employee.deactivated')).toHaveLength(1)
    for (const id of hired) expect(await api.events(id)).not.toContain('employee.deactivated')
  })

  it("does not undo today's changes while it catches up on earlier days", async () => {
    const today = easternDay(api.runtime.clock())
    const employer_id = await createEmployer(api)
    await addPolicy(api, employer_id, { waiting_period: '30_days' })
    await openPlanYear(api, employer_id, await importCatalog(api), { coverage_start: addDays(today, 1) })
    const { id } = await createEmployee(api, employer_id, { start_date: addDays(today, -28) })
    await api.work()
    const days = threeDaysLater()
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: addDays(days[2]!, 60) })
    const reported = await api.events(id)
    expect(reported).toContain('employee.eligibility_granted')
    await runAllDays()
    expect([...new Set(daysOf(api.story.organization_id))]).toEqual(days)
    expect(await api.events(id)).toEqual(reported)
  })
})
