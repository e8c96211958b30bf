/**
 * Four writes of partners over 8 connections: an employer, an employee without and with a plan year, and an election.
 * Each runs at one organization, at eight, and compared with a bare server that inserts the same rows in one statement.
 */
import type pg from 'pg'
import { Agent, request } from 'undici'
import { addDays, easternDay } from '../kernel/days.ts'
import { newId } from '../kernel/ids.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { columnsOf, makeCopies } from './harness/copy.ts'
import { line, percentile, ratios, secondsOf } from './harness/figures.ts'
import { anEmployer, call, newHire } from './harness/partner.ts'
import { openBench, seedEmployers, seedPolicy, type Seeded } from './harness/seed.ts'
import { nextMessage, sized, startHelper, startService, type Options, type Service } from './harness/service.ts'

const writers = 8
const people = sized(200, 4)

/** The employers of one connection, without and with a plan year, and the open enrollments of the latter. */
type Site = Seeded & { plan_id: string; enrollments: string[]; without_years: string }
type Write = { organization_id: string; path: string; body: object }

let count = 0

const employer = ({ organization_id }: Pick<Site, 'organization_id'>): Write => ({
  organization_id,
  path: '/v1/employers',
  body: anEmployer(1_000_000 + ++count),
})

const hire = ({ organization_id }: Site, employer_id: string): Write => ({
  organization_id,
  path: `/v1/employers/${employer_id}/employees`,
  body: newHire(),
})

function election({ organization_id, plan_id, enrollments }: Site): Write {
  const enrollment_id = enrollments[++count % enrollments.length]!
  return { organization_id, path: `/v1/enrollments/${enrollment_id}/elect`, body: { plan_id, coverage_tier: 'EE' } }
}

const kinds: Record<string, (site: Site) => Write> = {
  'an employer': employer,
  'an employee': (site) => hire(site, site.without_years),
  'an employee with a plan year': (site) => hire(site, site.employer_id),
  'an election': election,
}

export async function writes(options: Options): Promise<void> {
  const service = await startService()
  const { runtime, client } = await openBench(service)
  const seedSites = async (employers: number) => {
    // Coverage begins after the elections, so that each election applies from the first day of coverage.
    const began_on = addDays(easternDay(Date.now()), 20)
    const seeded = await seedEmployers(runtime, client, { employers, employee_count: people, began_on })
    const sites: Site[] = []
    for (const one of seeded) sites.push(await openSite(service, runtime, client, one))
    return sites
  }
  const at_one = await seedSites(writers)
  const at_eight: Site[] = []
  while (at_eight.length < writers) at_eight.push(...(await seedSites(1)))
  await client.query('vacuum analyze')
  for (const [name, writeAt] of Object.entries(kinds)) {
    console.log(`  ${name}`)
    await measure(service, client, options, { at_one, at_eight, writeAt })
  }
}

type Measured = { at_one: Site[]; at_eight: Site[]; writeAt: (site: Site) => Write }

async function measure(
  service: Service,
  client: pg.Client,
  { rounds, seconds }: Options,
  { at_one, at_eight, writeAt }: Measured,
): Promise<void> {
  const bare = await startBare(service, client, writeAt(at_one[0]!))
  const sides = {
    one: at_one.map((site) => () => write(service, writeAt(site))),
    eight: at_eight.map((site) => () => write(service, writeAt(site))),
    bare: at_one.map(() => () => send(bare.url, {}, '')),
  }
  const figures = { one: [] as Load[], eight: [] as Load[], bare: [] as Load[] }
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const side of ['one', 'eight', 'bare'] as const) {
      const load = await loadOf(sides[side], seconds)
      if (round > 0) figures[side].push(load)
    }
  }
  bare.helper.disconnect()
  const { one, eight, bare: of_bare } = figures
  const of = (loads: Load[], figure: keyof Load) => loads.map((load) => load[figure])
  console.log(line('one', of(one, 'rate'), 'writes/s at one organization'))
  console.log(line('p99', of(one, 'p99'), 'ms'))
  console.log(line('bare', of(of_bare, 'rate'), 'writes/s of the same rows in one statement'))
  console.log(line('p99', of(of_bare, 'p99'), 'ms'))
  console.log(line('one/bare', ratios(of(one, 'rate'), of(of_bare, 'rate'))))
  console.log(line('one/eight', ratios(of(one, 'rate'), of(eight, 'rate')), 'one organization compared with eight'))
}

/** Opens the enrollments of an employer today, and creates a second employer without plan years. */
async function openSite(service: Service, runtime: Runtime, client: pg.Client, seeded: Seeded): Promise<Site> {
  const { organization_id, plan_year_id } = seeded
  await seedPolicy(runtime, seeded, 'all', 'none')
  await recalculateEmployer(runtime, seeded)
  const { rows } = await client.query<{ id: string; plan_id: string }>(
    `select enrollment.id, min(rate.plan_id) as plan_id
       from enrollments as enrollment join plan_year_rates as rate using (plan_year_id, benefit_id)
      where plan_year_id = $1 group by enrollment.id, benefit_id order by benefit_id limit $2`,
    [plan_year_id, people],
  )
  const { path, body } = employer(seeded)
  const { id: without_years } = await call<{ id: string }>(service, 'POST', path, body, organization_id)
  return { ...seeded, without_years, plan_id: rows[0]!.plan_id, enrollments: rows.map(({ id }) => id) }
}

const dispatcher = new Agent({ connections: writers })

async function send(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const response = await request(url, { dispatcher, method: 'POST', headers, body })
  const text = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`${url}: ${text}`)
}

const write = ({ sandbox }: Service, { path, body, organization_id }: Write): Promise<void> => {
  const headers = {
    authorization: `Bearer ${sandbox.super_api_key}`,
    'content-type': 'application/json',
    'idempotency-key': newId('wevt'),
    'x-service-organization': organization_id,
  }
  return send(sandbox.base_url + path, headers, JSON.stringify(body))
}

/** Writes per second, and their 99th percentile in milliseconds. */
type Load = { rate: number; p99: number }

/** Runs each client repeatedly until the time has passed. */
async function loadOf(clients: (() => Promise<unknown>)[], seconds: number): Promise<Load> {
  const taken: number[] = []
  const until = performance.now() + seconds * 1000
  const repeat = async (once: () => Promise<unknown>) => {
    do taken.push(1000 * (await secondsOf(once)))
    while (performance.now() < until)
  }
  const lasted = await secondsOf(() => Promise.all(clients.map(repeat)))
  return { rate: taken.length / lasted, p99: percentile(taken, 0.99) }
}

/**
 * Performs a write once, and starts a bare server that inserts copies of the rows from that write. The copies go into
 * separate tables, so that the service and other benchmarks do not see them.
 */
async function startBare(service: Service, client: pg.Client, first: Write) {
  const before = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
  await write(service, first)
  const written = await rowsSince(client, before.rows[0]!.xid)
  await makeCopies(client, [...new Set(written.map(({ table }) => table))])
  const helper = startHelper('bare-writes.ts', {
    DATABASE_URL: service.database_url,
    ROWS: JSON.stringify(written.map((one) => ({ ...one, table: `copies.${one.table}` }))),
    CONNECTIONS: String(writers),
  })
  return { helper, url: `http://127.0.0.1:${await nextMessage<number>(helper)}` }
}

/** The tenant rows that transactions have written since a given transaction, without counters. */
async function rowsSince(client: pg.Client, xid: string): Promise<{ table: string; columns: string; row: object }[]> {
  const { rows: tables } = await client.query<{ table: string }>(
    `select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'organization_id'
        and not relispartition and relname !~ '(counts|positions|chains)$'`,
  )
  const found: { table: string; columns: string; row: object }[] = []
  for (const { table } of tables) {
    const { rows } = await client.query<{ row: object }>(
      `select to_jsonb(written) as row from ${table} as written
        where xmin::text::bigint > ($1::bigint % 4294967296) limit 5`,
      [xid],
    )
    if (rows.length === 0) continue
    const columns = await columnsOf(client, table)
    found.push(...rows.map(({ row }) => ({ table, columns, row })))
  }
  return found
}
