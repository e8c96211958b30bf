import type pg from 'pg'
import { amendPlanYear, AmendmentJob, applyAmendment } from '../modules/coverage/amendments/actions.ts'
import { NewAmendment } from '../modules/coverage/amendments/schemas.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { runWholeDay } from '../modules/access/organizations/actions.ts'
import { copyPlanYear } from '../modules/coverage/plan-years/actions.ts'
import { PlanYearCopy } from '../modules/coverage/plan-years/schemas.ts'
import { RenewalJob, renewPlanYear } from '../modules/coverage/renewals/actions.ts'
import { addDays, easternDay, monthEnd } from '../kernel/days.ts'
import { inOrganization, type Runtime } from '../runtime/runtime.ts'
import { line, secondsOf } from './harness/figures.ts'
import { openBench, seedElections, seedEmployer, seedPolicy, withoutJobs, type Seeded } from './harness/seed.ts'
import { is_smoke, sized, startService, type Options } from './harness/service.ts'

const default_size = sized(100_000, 20)

type Target = { runtime: Runtime; client: pg.Client }

/** The seconds that the same work takes at the larger and at the smaller employer. */
type Pair = { more: number; fewer: number }

/**
 * How long the calculation of eligibility and enrollments takes for an employer of `--size` people, compared with an
 * employer of a tenth of that size: a first recalculation; a recalculation that changes nothing; one after a change of
 * policy; and a daily run with nothing due. After all employees have elected: an amendment of the contribution, and a
 * passive renewal.
 */
export async function engine({ size = default_size }: Options): Promise<void> {
  // No worker runs, so that jobs of the daily run do not use one of two processors.
  const target = await openBench(await startService({ ROLE: 'api' }))
  const tenth = Math.ceil(size / 10)
  // Warm-up, excluded from the result.
  if (!is_smoke) await measure(target, [tenth, tenth], () => undefined)
  await measure(target, [size, tenth], (title, seconds) => report(title, seconds, [size, tenth]))
}

/** `report` is called after each step, since the whole takes minutes. */
async function measure(
  { runtime, client }: Target,
  [more_people, fewer_people]: [number, number],
  report: (title: string, seconds: Pair) => void,
): Promise<void> {
  const more = await seedEmployer(runtime, client, more_people)
  const fewer = await seedEmployer(runtime, client, fewer_people)
  const both = async (work: (employer: Seeded) => Promise<unknown>): Promise<Pair> => ({
    fewer: await secondsOf(() => work(fewer)),
    more: await secondsOf(() => work(more)),
  })
  const recalculate = (employer: Seeded) => recalculateEmployer(runtime, employer)
  for (const employer of [more, fewer]) await seedPolicy(runtime, employer, 'full_time')
  report('the first recalculation, which grants everything', await both(recalculate))
  report('a recalculation that finds nothing to change', await both(recalculate))
  for (const employer of [more, fewer]) await seedPolicy(runtime, employer, 'all')
  report('a recalculation after a change of policy, which touches a fifth', await both(recalculate))
  const tomorrow = addDays(easternDay(Date.now()), 1)
  const runDay = ({ organization_id }: Seeded) =>
    inOrganization(runtime, organization_id, (ctx) => runWholeDay({ ...ctx, today: tomorrow }, organization_id))
  report('a daily run on which nothing is due', await both(runDay))
  for (const employer of [more, fewer]) await seedElections(client, employer)
  await client.query('analyze enrollments, elections')
  report('an amendment of the contribution', await both((employer) => amendOne(runtime, client, employer)))
  report('a passive renewal, which grants and rolls over', await both((employer) => renewOne(runtime, employer)))
}

/** Runs a chain of jobs. Each job enqueues the next one. */
async function followChain(runtime: Runtime, first: object, work: (at: Runtime, job: object) => Promise<void>) {
  const waiting = [first]
  const enqueue = async (_: string, payload: object) => void waiting.push(payload)
  const at = { ...runtime, queueIn: () => ({ enqueue, enqueueEach: async () => undefined }) }
  for (let job = waiting.pop(); job; job = waiting.pop()) await work(at, job)
}

/** Changes the employer's contribution starting next month, which changes every election. */
async function amendOne(runtime: Runtime, client: pg.Client, employer: Seeded): Promise<void> {
  const { organization_id, plan_year_id: benefit_plan_year_id } = employer
  const { rows } = await client.query<{ benefit_id: string }>(
    'select benefit_id from plan_year_benefits where plan_year_id = $1',
    [benefit_plan_year_id],
  )
  const contribution_tiers = [{ method: 'percentage', percentage: 60 }]
  const input = NewAmendment.parse({
    effective_on: addDays(monthEnd(easternDay(Date.now())), 1),
    reason: 'Measured',
    contributions: rows.map(({ benefit_id }) => ({ benefit_id, contribution_tiers })),
  })
  const jobs: object[] = []
  await inOrganization(runtime, organization_id, (ctx) => {
    const enqueue = async (_: string, payload: object) => void jobs.push(payload)
    return amendPlanYear({ ...ctx, enqueue }, { ...employer, benefit_plan_year_id }, input)
  })
  await followChain(runtime, jobs.at(-1)!, (at, job) => applyAmendment(at, AmendmentJob.parse(job)))
}

/**
 * Opens the next plan year with an enrollment window that ended yesterday, so that all employees are granted it and
 * carried over.
 */
async function renewOne(runtime: Runtime, employer: Seeded): Promise<void> {
  const { organization_id, plan_year_id: benefit_plan_year_id } = employer
  const yesterday = addDays(easternDay(Date.now()), -1)
  const window = PlanYearCopy.parse({ open_enrollment_start: yesterday, open_enrollment_end: yesterday })
  const plan_year_id = await withoutJobs(runtime, organization_id, (ctx) =>
    copyPlanYear(ctx, { ...employer, benefit_plan_year_id }, window),
  )
  await followChain(runtime, { organization_id, plan_year_id }, (at, job) => renewPlanYear(at, RenewalJob.parse(job)))
}

function report(title: string, seconds: Pair, [more, fewer]: [number, number]): void {
  console.log(`  ${title}`)
  console.log(line(more.toLocaleString('en-US'), [seconds.more], 'seconds'))
  console.log(line(fewer.toLocaleString('en-US'), [seconds.fewer], 'seconds'))
  console.log(line('ratio', [seconds.more / seconds.fewer]))
}
