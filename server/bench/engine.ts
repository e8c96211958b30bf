import type pg from 'pg'
import { amendPlanYear, AmendmentJob, followAmendment } from '../modules/coverage/amendments/actions.ts'
import { NewAmendment } from '../modules/coverage/amendments/schemas.ts'
import { createPolicy } from '../modules/coverage/eligibility/actions.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { runWholeDay } from '../modules/access/organizations/actions.ts'
import { copyPlanYear } from '../modules/coverage/plan-years/actions.ts'
import { PlanYearCopy } from '../modules/coverage/plan-years/schemas.ts'
import { RenewalJob, renewPlanYear } from '../modules/coverage/renewals/actions.ts'
import { addDays, easternDay, monthEnd } from '../kernel/days.ts'
import { inOrganization, type Runtime } from '../runtime/runtime.ts'
import { makeCopies } from './harness/copy.ts'
import { line, median, secondsOf } from './harness/figures.ts'
import { call } from './harness/partner.ts'
import { openBench, seedElections, seedEmployer, withoutJobs, type Seeded } from './harness/seed.ts'
import { is_smoke, sized, startService, type Options, type Service } from './harness/service.ts'

const default_size = sized(100_000, 20)
const tiny = sized(100, 10)
/** The number of hires and elections at each of two employers, alternating. */
const requests = sized(20, 1)

/** The tables that the first recalculation writes. */
const tables = ['enrollments', 'webhook_events', 'employee_eligibilities', 'eligibility_statuses']

type Target = { service: Service; runtime: Runtime; client: pg.Client }

/** Seconds at the larger and at the smaller employer. */
type Pair = { more: number; fewer: number }

/**
 * How long the engine takes for an employer of `--size` people, beside one of a tenth: a first recalculation, beside
 * inserts of the same rows into copies of the tables without foreign keys; one that changes nothing; one after a change
 * of policy; a daily run with nothing due. A hire and an election, beside an employer of 100. Then, when all have
 * elected: a recalculation that changes nothing, an amendment of the contribution, a passive renewal, and the daily run
 * after the plan year.
 */
export async function engine({ size = default_size }: Options): Promise<void> {
  // No worker runs, so that jobs of the daily run do not use one of two processors.
  const service = await startService({ ROLE: 'api' })
  const target = { service, ...(await openBench(service)) }
  await makeCopies(target.client, tables)
  const tenth = Math.ceil(size / 10)
  // Warm-up, excluded from the result.
  if (!is_smoke) await measure(target, [tenth, tenth])
  report(await measure(target, [size, tenth]), [size, tenth])
}

type Figures = Awaited<ReturnType<typeof measure>>

async function measure(target: Target, [more_people, fewer_people]: [number, number]) {
  const { runtime, client } = target
  const more = await seedEmployer(runtime, client, more_people)
  const fewer = await seedEmployer(runtime, client, fewer_people)
  const least = await seedEmployer(runtime, client, tiny)
  const both = async (work: (employer: Seeded) => Promise<unknown>): Promise<Pair> => ({
    fewer: await secondsOf(() => work(fewer)),
    more: await secondsOf(() => work(more)),
  })
  for (const employer of [more, fewer, least]) await takePolicy(runtime, employer, 'full_time')
  await recalculateEmployer(runtime, least)

  const first = await both((employer) => recalculateEmployer(runtime, employer))
  const floor = await copyRows(client, more)
  const again = await both((employer) => recalculateEmployer(runtime, employer))
  for (const employer of [more, fewer]) await takePolicy(runtime, employer, 'all')
  const all = await both((employer) => recalculateEmployer(runtime, employer))
  const tomorrow = addDays(easternDay(Date.now()), 1)
  const idle_run = await both((employer) => runDayOf(runtime, employer, tomorrow))
  const hire = await inTurns([more, least], (employer) => hireOne(target, employer))
  const elections = await Promise.all([more, least].map((employer) => electionsAt(client, employer)))
  const elect = await inTurns([more, least], (employer, at) =>
    call(target.service, 'POST', ...elections[employer === more ? 0 : 1]![at]!, employer.organization_id),
  )
  for (const employer of [more, fewer]) await seedElections(client, employer)
  await client.query('analyze enrollments, elections')
  const elected_again = await both((employer) => recalculateEmployer(runtime, employer))
  const amend = await both((employer) => amendOne(runtime, client, employer))
  const renew = await both((employer) => renewOne(runtime, employer))
  const last_run = await both((employer) => runDayOf(runtime, employer, addDays(employer.plan_year_end, 1)))
  return { first, floor, again, all, idle_run, hire, elect, elected_again, amend, renew, last_run }
}

/** Runs a chain of jobs, each of which enqueues the next one. */
async function followChain(runtime: Runtime, first: object, work: (at: Runtime, job: object) => Promise<void>) {
  const waiting = [first]
  const enqueue = async (_: string, payload: object) => void waiting.push(payload)
  const at = { ...runtime, queueIn: () => ({ enqueue, enqueueEach: async () => undefined }) }
  for (let job = waiting.pop(); job; job = waiting.pop()) await work(at, job)
}

/** Changes the employer's contribution from next month on, which changes every election. */
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
  await followChain(runtime, jobs.at(-1)!, (at, job) => followAmendment(at, AmendmentJob.parse(job)))
}

/** Opens the next plan year with a window that ended yesterday: everyone is granted it and rolled over. */
async function renewOne(runtime: Runtime, employer: Seeded): Promise<void> {
  const { organization_id, plan_year_id: benefit_plan_year_id } = employer
  const yesterday = addDays(easternDay(Date.now()), -1)
  const window = PlanYearCopy.parse({ open_enrollment_start: yesterday, open_enrollment_end: yesterday })
  const plan_year_id = await withoutJobs(runtime, organization_id, (ctx) =>
    copyPlanYear(ctx, { ...employer, benefit_plan_year_id }, window),
  )
  await followChain(runtime, { organization_id, plan_year_id }, (at, job) => renewPlanYear(at, RenewalJob.parse(job)))
}

const takePolicy = (runtime: Runtime, employer: Seeded, classification: 'full_time' | 'all') =>
  withoutJobs(runtime, employer.organization_id, (ctx) =>
    createPolicy(ctx, employer, { classification, waiting_period: 'first_of_following_month' }),
  )

const runDayOf = (runtime: Runtime, { organization_id }: Seeded, today: string) =>
  inOrganization(runtime, organization_id, (ctx) => runWholeDay({ ...ctx, today }, organization_id))

/** Inserts the rows that the engine wrote for an employer into the copies. Returns the seconds. */
async function copyRows(client: pg.Client, { organization_id }: Seeded) {
  const seconds: number[] = []
  let enrollment_count = 0
  for (const table of tables) {
    await client.query(`drop table if exists rows`)
    await client.query(`create temp table rows (like ${table})`)
    await client.query(`insert into rows select * from ${table} where organization_id = $1`, [organization_id])
    seconds.push(
      await secondsOf(async () => {
        const { rowCount } = await client.query(`insert into copies.${table} select * from rows`)
        if (table === 'enrollments') enrollment_count = rowCount!
      }),
    )
  }
  return { enrollment_count, enrollments: seconds[0]!, all: seconds.reduce((sum, one) => sum + one) }
}

/** The median seconds of a request at each of two employers, alternating. */
async function inTurns(
  [more, fewer]: [Seeded, Seeded],
  work: (employer: Seeded, at: number) => Promise<unknown>,
): Promise<Pair> {
  const seconds = { more: [] as number[], fewer: [] as number[] }
  for (let at = 0; at < requests; at++) {
    seconds.fewer.push(await secondsOf(() => work(fewer, at)))
    seconds.more.push(await secondsOf(() => work(more, at)))
  }
  return { more: median(seconds.more), fewer: median(seconds.fewer) }
}

let hired = 0

const hireOne = ({ service }: Target, { organization_id, employer_id }: Seeded) =>
  call(
    service,
    'POST',
    `/v1/employers/${employer_id}/employees`,
    {
      first_name: 'Bea',
      last_name: `Novak ${++hired}`,
      email: `bea.novak${hired}@example.com`,
      date_of_birth: '1990-05-17',
      start_date: easternDay(Date.now()),
    },
    organization_id,
  )

/** Requests that elect, each for another pending enrollment. */
async function electionsAt(client: pg.Client, { plan_year_id, organization_id }: Seeded): Promise<[string, object][]> {
  const { rows } = await client.query<{ id: string; plan_id: string }>(
    `select enrollment.id, (select min(plan_id) from plan_year_rates as rate
                             where rate.plan_year_id = $1 and rate.organization_id = $2
                               and rate.benefit_id = enrollment.benefit_id) as plan_id
       from enrollments as enrollment
      where enrollment.plan_year_id = $1 and enrollment.organization_id = $2 and answer is null
        and inactive_on is null limit ${requests}`,
    [plan_year_id, organization_id],
  )
  return rows.map(({ id, plan_id }) => [`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier: 'EE' }])
}

function report({ floor, ...steps }: Figures, [more, fewer]: [number, number]): void {
  const pair = (title: string, { more: of_more, fewer: of_fewer }: Pair, others = fewer, unit = 'seconds') => {
    const scale = unit === 'ms' ? 1000 : 1
    console.log(`  ${title}`)
    console.log(line(more.toLocaleString('en-US'), [of_more * scale], unit))
    console.log(line(others.toLocaleString('en-US'), [of_fewer * scale], unit))
    console.log(line('ratio', [of_more / of_fewer]))
  }
  pair('the first recalculation, which grants everything', steps.first)
  const { enrollment_count, enrollments, all } = floor
  console.log(line('grants', [enrollment_count]))
  console.log(line('granted', [enrollment_count / steps.first.more], 'enrollments/s'))
  console.log(line('insert', [enrollment_count / enrollments], 'enrollments/s, into a copy'))
  console.log(line('all inserts', [all], 'seconds, with their events and eligibility'))
  console.log(line('ratio', [steps.first.more / all], 'of the first recalculation to all inserts'))
  pair('a recalculation that finds nothing to change', steps.again)
  pair('a recalculation after a change of policy, which touches a fifth', steps.all)
  pair('a daily run on which nothing is due', steps.idle_run, fewer, 'ms')
  pair('a hire', steps.hire, tiny, 'ms')
  pair('an election', steps.elect, tiny, 'ms')
  pair('a recalculation that changes nothing, after all have elected', steps.elected_again)
  pair('an amendment of what the employer pays', steps.amend)
  pair('a passive renewal, which grants and rolls over', steps.renew)
  pair('the daily run after the plan year', steps.last_run)
}
