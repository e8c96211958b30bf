import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'

/** A process that has loaded its program and waits for a message with instructions. */
export type StartedProcess = { child: ChildProcess; loaded: Promise<unknown>; ended: Promise<unknown[]> }

/**
 * Returns a function that starts a program in separate processes. Each sends `loaded` first and ends with the tests of
 * the file. A process can load while another one works.
 */
export function processStarter(program: string): () => StartedProcess {
  const processes: ChildProcess[] = []
  afterAll(() => {
    for (const child of processes) child.kill('SIGKILL')
  })
  return () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', dying + program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    processes.push(child)
    const ended = once(child, 'exit')
    const died = ended.then(() => Promise.reject(new Error('A process ended before it began.')))
    const loaded = Promise.race([once(child, 'message'), died])
    loaded.catch(() => undefined)
    return { child, loaded, ended }
  }
}

const from_here = (path: string) => JSON.stringify(import.meta.resolve(path))

/**
 * Returns a function that starts workers of the service in separate processes, with a fixed clock. Each receives its
 * `url`, `keys`, `now` and the settings of the mail server, and dies during its query number `dies_at`.
 */
export const workerStarter = (): (() => StartedProcess) =>
  processStarter(`
  import { crontab, tasks } from ${from_here('../../worker-tasks.ts')}
  import { runDays } from ${from_here('../../daily-run.ts')}
  import { openAsFound } from ${from_here('../../database/citus/sharding-state.ts')}
  import { startWorker } from ${from_here('../../jobs/worker.ts')}
  import { testRuntime } from ${from_here('../runtime.ts')}
  import { mailer } from ${from_here('../../integrations/mail/mailer.ts')}
  process.once('message', async ({ url, keys, now, dies_at, mail = {} }) => {
    dieAt(dies_at)
    const runtime = testRuntime(await openAsFound({ url }), keys, () => now)
    runtime.integrations.set(mailer, mailer.open(mail))
    await runDays(runtime)
    await startWorker(runtime, url, { tasks, crontab, concurrency: 4 })
  })
  process.send('loaded')`)

/**
 * SQL: elects for all employees of an employer ($1, in organization $2) at once, in tiers that depend on their number.
 */
export const electAll = `
  with chosen as (
    select id, benefit_id, plan_year_id,
           (array['EE', 'ES', 'EC', 'EF'])[row_number() over (order by id) % 4 + 1] as coverage_tier
      from enrollments where employer_id = $1 and organization_id = $2
  ), answered as (
    update enrollments set answer = 'enrolled', answered_at = now() where employer_id = $1 and organization_id = $2
  )
  insert into elections
    (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id, premium_in_cents,
     employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
  select $2, chosen.id, '-infinity', rate.plan_id, coverage_tier, tier_id, premium_in_cents,
         min_contribution_in_cents, premium_in_cents - min_contribution_in_cents, now()
    from chosen join plan_year_rates as rate using (plan_year_id, benefit_id, coverage_tier)`

/** `dieAt(n)` kills the process while its query number n is on the way to PostgreSQL. Commits count. 0 means never. */
const dying = `
  import pg from ${JSON.stringify(import.meta.resolve('pg'))}
  const query = pg.Client.prototype.query
  const dieAt = (dies_at) => {
    let count = 0
    pg.Client.prototype.query = function (...input) {
      const answer = query.apply(this, input)
      if (++count === dies_at) process.kill(process.pid, 'SIGKILL')
      return answer
    }
  }
  process.on('disconnect', () => process.exit())`

/** Random numbers below `limit`, always the same for a seed. */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
