import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { line, ratios } from './figures.ts'
import type { Load, Loaded } from './load.ts'
import { createEmployer, fillRoster } from './partner.ts'
import { processorTimeOf } from './processor.ts'
import { sized } from './sizes.ts'
import { answerOf, later, startBeside, startHelper, startService, stop, type Options, type Service } from './stage.ts'

const roster = sized(20_000, 200)
const other_rosters = [3000, 1000, 1000, 500, 500].map((count) => sized(count, 5))

/** One that is asked, by a loader of its own; PostgreSQL knows its connections by `name`. */
type Side = { name: string; process: ChildProcess; url: string; loader: ChildProcess }

/** Two processes of the service and the bare server: all as new, and none has planted what is read, or has jobs. */
type Stage = { one: Side; twin: Side; bare: Side; authorization: string; client: pg.Client }

/** What was answered in how many milliseconds, and how many of the processor it took, here and in PostgreSQL. */
type Work = { answered: number; ms: number; in_node: number; in_postgres: number }

/** After so many milliseconds all that was read is in the audit trail. */
const until_written = sized(1000, 200)

/**
 * One employee and a page of 20, from an employer of 20,000 among others: the service beside a bare server on the same
 * database, and beside itself without an audit trail of reads. What each takes of the processor is measured while both
 * are asked at once, so that a busy machine is as busy for both; and with and without a trail in two processes that
 * change their roles, since two processes differ by more than a trail costs. Rates are of each alone, in turns.
 */
export async function reads(options: Options): Promise<void> {
  const service = await startService()
  const employer_id = await seed(service)
  await stop(service.server)
  const stage = await openStage(service)
  const list = `/v1/employers/${employer_id}/employees`
  const page = JSON.parse(await read(stage, stage.one, `${list}?limit=100&page=${roster / 200}`)) as {
    data: { id: string }[]
  }
  const employees = page.data.map(({ id }) => `/v1/employees/${id}`)
  await compare('GET /v1/employees/{id}', employees, stage, options)
  await compare('GET /v1/employers/{id}/employees, 20 of 20,000', [list], stage, options)
}

async function seed(service: Service): Promise<string> {
  for (const count of other_rosters) await fillRoster(service, await createEmployer(service), count)
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  return employer_id
}

async function openStage(service: Service): Promise<Stage> {
  const client = new pg.Client({ connectionString: service.database_url })
  await client.connect()
  later(() => client.end())
  // What autovacuum does within a minute or two. Until then the planner takes the tables for empty.
  await client.query('analyze')
  const { authorization, ...one } = await openService(service, 'one')
  return { one, twin: await openService(service, 'twin'), bare: await openBare(service), authorization, client }
}

const knownAs = (name: string, url: string): string => `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`

async function openService(service: Service, name: string): Promise<Side & { authorization: string }> {
  const env = { ...service.env, DATABASE_URL: knownAs(name, service.env.DATABASE_URL!) }
  const { server, sandbox } = await startBeside({ ...service, env }, './server/bench/trail-switch.ts')
  const authorization = `Bearer ${sandbox.api_key}`
  return { name, process: server, url: sandbox.base_url, loader: startHelper('load.ts'), authorization }
}

async function openBare({ database_url, sandbox }: Service): Promise<Side> {
  const name = 'bare'
  const env = { DATABASE_URL: knownAs(name, database_url), ORGANIZATION_ID: sandbox.organization_id }
  const helper = startHelper('bare.ts', env)
  const url = `http://127.0.0.1:${await answerOf<number>(helper)}`
  return { name, process: helper, url, loader: startHelper('load.ts') }
}

async function compare(title: string, paths: string[], stage: Stage, { seconds, rounds }: Options): Promise<void> {
  const { one, twin, bare } = stage
  for (const path of paths) await requireSameBytes(stage, path)
  const ask = (...sides: Side[]) => together(stage, sides, paths, seconds)
  await ask(one, twin, bare)
  await ask(one, twin, bare)
  const costs: Record<'service' | 'bare' | 'traced' | 'untraced', Work[]> = {
    service: [],
    bare: [],
    traced: [],
    untraced: [],
  }
  const rates: Record<'service' | 'bare', number[]> = { service: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    await turnTrail(twin, 'off')
    const [one_traced, twin_untraced] = await ask(one, twin)
    await turnTrail(twin, 'on')
    await turnTrail(one, 'off')
    const [one_untraced, twin_traced] = await ask(one, twin)
    await turnTrail(one, 'on')
    costs.traced.push(sum(one_traced!, twin_traced!))
    costs.untraced.push(sum(one_untraced!, twin_untraced!))
    const [service_beside, bare_beside] = await ask(one, bare)
    costs.service.push(service_beside!)
    costs.bare.push(bare_beside!)
    for (const side of round % 2 === 0 ? [one, bare] : [bare, one]) {
      const [{ answered, ms }] = (await ask(side)) as [Work]
      rates[side === bare ? 'bare' : 'service'].push((answered / ms) * 1000)
    }
  }
  console.log(`  ${title}`)
  console.log(line('service', rates.service, 'requests/s'))
  console.log(line('bare server', rates.bare, 'requests/s'))
  console.log(line('ratio', ratios(rates.service, rates.bare)))
  tellCosts('service', costs.service)
  tellCosts('bare server', costs.bare)
  console.log(line('ratio', ratios(costs.bare.map(costOf), costs.service.map(costOf))))
  tellCosts('traced', costs.traced)
  tellCosts('untraced', costs.untraced)
  console.log(line('ratio', ratios(costs.untraced.map(costOf), costs.traced.map(costOf))))
}

/** Microseconds of the processor for each answer. */
const costOf = ({ answered, in_node, in_postgres }: Work): number => ((in_node + in_postgres) / answered) * 1000

function tellCosts(name: string, work: Work[]): void {
  console.log(line(name, work.map(costOf), 'µs of the processor for each'))
  const inNode = work.map(({ answered, in_node }) => (in_node / answered) * 1000)
  console.log(line('', inNode, 'of them in Node, the others in PostgreSQL'))
}

const sum = (one: Work, other: Work): Work => ({
  answered: one.answered + other.answered,
  ms: one.ms + other.ms,
  in_node: one.in_node + other.in_node,
  in_postgres: one.in_postgres + other.in_postgres,
})

/** Has all of them asked at once, and tells what each took, with what comes after the answers. */
async function together(stage: Stage, sides: Side[], paths: string[], seconds: number): Promise<Work[]> {
  const { authorization } = stage
  const before = await takenBy(stage, sides)
  const loaded = await Promise.all(
    sides.map(({ loader, url }) => {
      const answer = answerOf<Loaded>(loader)
      loader.send({ url, paths, authorization, seconds } satisfies Load)
      return answer
    }),
  )
  await sleep(until_written)
  const after = await takenBy(stage, sides)
  return loaded.map(({ answered, seconds: taken }, at) => ({
    answered,
    ms: taken * 1000,
    in_node: after[at]!.in_node - before[at]!.in_node,
    in_postgres: after[at]!.in_postgres - before[at]!.in_postgres,
  }))
}

async function takenBy({ client }: Stage, sides: Side[]): Promise<Pick<Work, 'in_node' | 'in_postgres'>[]> {
  const { rows } = await client.query<{ pid: number; application_name: string }>(
    'select pid, application_name from pg_stat_activity where application_name = any($1)',
    [sides.map(({ name }) => name)],
  )
  return sides.map(({ name, process }) => {
    const connections = rows.filter(({ application_name }) => application_name === name)
    const in_postgres = connections.reduce((total, { pid }) => total + processorTimeOf(pid), 0)
    return { in_node: processorTimeOf(process.pid!), in_postgres }
  })
}

async function turnTrail({ process: server }: Side, to: 'on' | 'off'): Promise<void> {
  const turned = answerOf<string>(server)
  server.send(to === 'off')
  await turned
}

async function requireSameBytes(stage: Stage, path: string): Promise<void> {
  const [one, other] = await Promise.all([read(stage, stage.one, path), read(stage, stage.bare, path)])
  if (one !== other)
    throw new Error(`The bare server answers ${path} with other bytes than the service:\n${one}\n${other}`)
}

async function read({ authorization }: Stage, { url, name }: Side, path: string): Promise<string> {
  const answer = await fetch(url + path, { headers: { authorization } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`GET ${path} of ${name} was answered with ${answer.status}: ${text}`)
  return text
}
