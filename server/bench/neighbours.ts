import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { createPolicy } from '../modules/coverage/eligibility/actions.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import type { Noise } from './askers.ts'
import { line, ratios } from './figures.ts'
import { latenciesOf, type Latency } from './latency.ts'
import { call, createEmployer, fillRoster } from './partner.ts'
import { openBench, plantElections, plantEmployer, withoutJobs, type Planted } from './seed.ts'
import { sized } from './sizes.ts'
import { answerOf, startCrowd, startService, type Options, type Service } from './stage.ts'

const crowd = sized(100_000, 100)
const few = 30
const at_once = sized(50, 2)

/** What somebody asks 50 times at once, again and again; each takes the number of the request. */
const noises = (planted: Planted): Record<string, (number: number) => string> => {
  const employees = `/v1/employers/${planted.employer_id}/employees`
  const enrollments = `/v1/employers/${planted.employer_id}/benefit-plan-years/${planted.plan_year_id}/enrollments`
  const letter = (number: number) => String.fromCharCode(97 + (number % 26))
  return {
    'a letter': (number) => `${employees}?search=${letter(number)}`,
    'two letters': (number) => `${employees}?search=${letter(number)}${letter(number >> 3)}`,
    'a name': (number) => `${employees}?search=costa%20${number % 1000}`,
    'all pages': (number) => `${employees}?limit=100&page=${1 + ((number * 37) % 1000)}`,
    'page 900': () => `${employees}?page=900`,
    'a status': (number) => `${employees}?employment_status=active&page=${1 + ((number * 37) % 5000)}`,
    elections: (number) => `${enrollments}?search=${letter(number)}`,
    pending: (number) => `${enrollments}?election_status=pending&page=${1 + (number % 100)}`,
    'the book': (number) => `/v1/employers?search=${letter(number)}&benefit_lifecycle_stage=active`,
  }
}

/**
 * How long the list of an employer of 30 takes beside what somebody asks of an employer of 100,000, 50 times at once;
 * and the same when nobody asks anything.
 */
export async function neighbours({ seconds, rounds }: Options): Promise<void> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
  const planted = await plant(service)
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, few)
  await vacuum(service.database_url)
  const list = `/v1/employers/${employer_id}/employees?limit=100`
  const asked = { 'a list': { every: 25, ask: () => call(service, 'GET', list) } }
  await latenciesOf(asked, sized(2, 0.1))

  const askers = startCrowd('askers.ts')
  const kinds = Object.entries(noises(planted))
  const taken = new Map<string, Latency[]>(['nothing', ...kinds.map(([name]) => name)].map((name) => [name, []]))
  const answered = new Map<string, number[]>(kinds.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    taken.get('nothing')!.push((await latenciesOf(asked, seconds))['a list'])
    for (const [name, path] of kinds) {
      const noise = makeNoise(askers, service, planted, path)
      taken.get(name)!.push((await latenciesOf(asked, seconds))['a list'])
      answered.get(name)!.push((await noise.stop()) / seconds)
    }
  }
  report(taken, answered)
}

async function plant(service: Service): Promise<Planted> {
  const { runtime, client } = await openBench(service)
  const planted = await plantEmployer(runtime, client, crowd)
  await withoutJobs(runtime, planted.organization_id, (ctx) =>
    createPolicy(ctx, planted, { classification: 'all', waiting_period: 'none' }),
  )
  await recalculateEmployer(runtime, planted)
  await plantElections(client, planted)
  return planted
}

/** As autovacuum does soon: without it the planner takes the tables for empty, and no index answers alone. */
async function vacuum(database_url: string): Promise<void> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}

/** Has 50 asked at once until it is stopped, then tells how many were answered. */
function makeNoise(
  askers: ChildProcess,
  { sandbox }: Service,
  { organization_id }: Planted,
  path: (number: number) => string,
) {
  const headers = { authorization: `Bearer ${sandbox.super_api_key}`, 'x-service-organization': organization_id }
  const paths = Array.from({ length: 5000 }, (_, number) => path(number))
  const noise: Noise = { url: sandbox.base_url, headers, paths, at_once }
  askers.send(noise)
  const answered = answerOf<number>(askers)
  return {
    stop: async () => {
      askers.send('stop')
      return answered
    },
  }
}

function report(taken: Map<string, Latency[]>, answered: Map<string, number[]>): void {
  const of = (name: string, what: 'median' | 'p99') => taken.get(name)!.map((latency) => latency[what])
  for (const what of ['median', 'p99'] as const) {
    console.log(`  a list of ${few}, ${what}, beside ${at_once} of`)
    console.log(line('nothing', of('nothing', what), 'ms'))
    for (const name of answered.keys()) {
      console.log(line(name, of(name, what), 'ms'))
      console.log(line('ratio', ratios(of(name, what), of('nothing', what))))
    }
  }
  console.log('  answered meanwhile')
  for (const [name, rates] of answered) console.log(line(name, rates, 'requests/s'))
}
