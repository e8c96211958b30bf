import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { compare, line, processorTimeOf, ratios } from './harness/figures.ts'
import { createEmployer, fillRoster } from './harness/partner.ts'
import {
  nextMessage,
  connect,
  is_smoke,
  sized,
  startBeside,
  startHelper,
  startLoader,
  startService,
  stop,
  type Options,
  type Service,
} from './harness/service.ts'

const roster = sized(20_000, 40)
const other_rosters = sized(6, 0)
const connections = 16

/** The service or the bare server, with a load process of its own. PostgreSQL knows its connections by `name`. */
type Side = { name: string; process: ChildProcess; url: string; load: ReturnType<typeof startLoader> }

type Target = { service: Side; bare: Side; authorization: string; client: pg.Client }

/** The number of responses in a number of milliseconds, and their milliseconds of processor time. */
type Work = { responses: number; ms: number; in_node: number; in_postgres: number }

/** The milliseconds after which the audit entries of all reads are written. */
const until_written = sized(1000, 0)

/**
 * Reads one employee, and a page of 20 of an employer of 20,000, from the service and from a bare server on the same
 * database. Processor time is measured while both are under load together, so that other load on the machine affects
 * both equally. Rates are measured alternately.
 */
export async function reads(options: Options): Promise<void> {
  const seeded = await startService()
  for (let count = 0; count < other_rosters; count++) await fillRoster(seeded, await createEmployer(seeded), 1000)
  const employer_id = await createEmployer(seeded)
  await fillRoster(seeded, employer_id, roster)
  // Measure a new process that runs no jobs.
  if (!is_smoke) await stop(seeded.server)
  const target = await openTarget(seeded)
  const list = `/v1/employers/${employer_id}/employees`
  const page = await read(target, target.service, `${list}?limit=20&page=${Math.ceil(roster / 40)}`)
  const { data } = JSON.parse(page) as { data: { id: string }[] }
  await measure(
    'GET /v1/employees/{id}',
    data.map(({ id }) => `/v1/employees/${id}`),
    target,
    options,
  )
  await measure('GET /v1/employers/{id}/employees, 20 of 20,000', [list], target, options)
}

async function openTarget(seeded: Service): Promise<Target> {
  const client = await connect(seeded.database_url)
  // Autovacuum does the same within minutes. Until then, the planner assumes empty tables.
  await client.query('analyze')
  const env = { ...seeded.env, DATABASE_URL: named('service', seeded.env.DATABASE_URL!) }
  const { server, sandbox } = await startBeside({ ...seeded, env })
  const bare = startHelper('bare-server.ts', {
    DATABASE_URL: named('bare', seeded.database_url),
    ORGANIZATION_ID: sandbox.organization_id,
  })
  const bare_url = `http://127.0.0.1:${await nextMessage<number>(bare)}`
  return {
    client,
    authorization: `Bearer ${sandbox.api_key}`,
    service: { name: 'service', process: server, url: sandbox.base_url, load: startLoader() },
    bare: { name: 'bare', process: bare, url: bare_url, load: startLoader() },
  }
}

const named = (name: string, url: string): string => `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`

async function measure(title: string, paths: string[], target: Target, { seconds, rounds }: Options): Promise<void> {
  const { service, bare } = target
  for (const path of paths) await requireSameBytes(target, path)
  const load = (...sides: Side[]) => loadTogether(target, sides, paths, seconds)
  // Warm-up, excluded from the result.
  if (!is_smoke) for (let count = 0; count < 2; count++) await load(service, bare)
  const costs: Record<'service' | 'bare', Work[]> = { service: [], bare: [] }
  const rates: Record<'service' | 'bare', number[]> = { service: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    const [of_service, of_bare] = await load(service, bare)
    costs.service.push(of_service!)
    costs.bare.push(of_bare!)
    for (const side of round % 2 === 0 ? [service, bare] : [bare, service]) {
      const [{ responses, ms }] = (await load(side)) as [Work]
      rates[side === bare ? 'bare' : 'service'].push((responses / ms) * 1000)
    }
  }
  console.log(`  ${title}`)
  compare(['service', rates.service], ['bare server', rates.bare], 'requests/s')
  reportCosts('service', costs.service)
  reportCosts('bare server', costs.bare)
  console.log(line('ratio', ratios(costs.bare.map(costOf), costs.service.map(costOf))))
}

/** Microseconds of processor time per response. */
const costOf = ({ responses, in_node, in_postgres }: Work): number => ((in_node + in_postgres) / responses) * 1000

function reportCosts(name: string, work: Work[]): void {
  console.log(line(name, work.map(costOf), 'µs of processor time for each'))
  const in_node = work.map((one) => (one.in_node / one.responses) * 1000)
  console.log(line('', in_node, 'of them in Node, the others in PostgreSQL'))
}

/** Loads all sides at the same time. The processor time includes work after the responses. */
async function loadTogether(target: Target, sides: Side[], paths: string[], seconds: number): Promise<Work[]> {
  const { authorization } = target
  const before = await processorTimes(target, sides)
  const headers = { authorization }
  const loaded = await Promise.all(sides.map(({ load, url }) => load({ url, paths, headers, connections, seconds })))
  await sleep(until_written)
  const after = await processorTimes(target, sides)
  return loaded.map(({ statuses: { 200: responses = 0, ...failed }, seconds: taken }, at) => {
    if (Object.keys(failed).length > 0) throw new Error(`Reads of ${sides[at]!.name} failed: ${JSON.stringify(failed)}`)
    return {
      responses,
      ms: taken * 1000,
      in_node: after[at]!.in_node - before[at]!.in_node,
      in_postgres: after[at]!.in_postgres - before[at]!.in_postgres,
    }
  })
}

async function processorTimes({ client }: Target, sides: Side[]): Promise<Pick<Work, 'in_node' | 'in_postgres'>[]> {
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

async function requireSameBytes(target: Target, path: string): Promise<void> {
  const [one, other] = await Promise.all([read(target, target.service, path), read(target, target.bare, path)])
  if (one !== other) throw new Error(`The bare server returns other bytes for ${path}:\n${one}\n${other}`)
}

async function read({ authorization }: Target, { url, name }: Side, path: string): Promise<string> {
  const response = await fetch(url + path, { headers: { authorization } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`GET ${path} of ${name} returned ${response.status}: ${text}`)
  return text
}
