import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { easternDay, monthEnd, type Day } from '../kernel/days.ts'
import { census_tables } from './census.ts'
import { columnsOf, makeCopies } from './harness/copy.ts'
import { compare, latenciesOf, line, percentile, secondsOf } from './harness/figures.ts'
import { call, newHire, newPeople } from './harness/partner.ts'
import { openBench, seedElections, seedEmployer, seedPlanYears, type Seeded } from './harness/seed.ts'
import { connect, sized, startBackgroundLoader, startService, type Options, type Service } from './harness/service.ts'

const people = sized(10_000, 20)
const few = 30
const searches = sized(8, 2)

/** Work at another organization, and the tables of the rows that it writes, each with a condition on an employer. */
type Work = { name: string; tables: Record<string, string>; run: (employer: Seeded) => Promise<unknown> }

const of_employees = 'employee_id in (select id from employees where employer_id = $1)'

/**
 * The 99th percentile of a read, a list and a write of one organization while another one has a census of 10,000, its
 * grants, a statement, an invoice and a report of hours, and while 8 clients search 10,000 people. The control: the
 * same requests while plain SQL writes the same rows into copies of the tables for as long, or counts the same matches.
 */
export async function neighbors({ seconds, rounds }: Options): Promise<void> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
  const { runtime, client } = await openBench(service)
  const month = `${easternDay(Date.now()).slice(0, 7)}-01`
  const innocent = await seedEmployer(runtime, client, few)
  const searched = await seedEmployer(runtime, client, people)
  const employers = await seedPlanYears(runtime, rounds + 1, month)
  const works = worksOf(service, client, month)
  await makeCopies(
    client,
    works.flatMap(({ tables }) => Object.keys(tables)),
  )
  // Autovacuum would do this soon. Until then, the planner assumes that the tables are empty, and an index alone does
  // not help.
  await client.query('vacuum analyze')

  const requests = await requestsOf(service, innocent)
  const search = searcherOf(service, searched)
  const figures = new Map<string, number[]>()
  const note = (title: string, taken: Record<string, number[]>) => {
    for (const [name, milliseconds] of Object.entries(taken)) {
      const key = `${title}, ${name}`
      figures.set(key, [...(figures.get(key) ?? []), ...milliseconds])
    }
  }
  for (const [round, employer] of employers.entries()) {
    // The first round warms up.
    const keep = round === 0 ? () => undefined : note
    keep('calm', await latenciesOf(requests, seconds))
    for (const { name, tables, run } of works) {
      const lasted = await secondsOf(async () =>
        keep(name, await latenciesOf(requests, 0, settled(client, run(employer)))),
      )
      keep(`control of ${name}`, await latenciesOf(requests, 0, writeCopies(client, tables, employer, lasted)))
    }
    keep('searches', await latenciesOf(requests, 0, search(seconds)))
    keep('control of searches', await latenciesOf(requests, 0, countMatches(service, searched, seconds)))
  }
  report(figures, ['census', 'grants', 'statement', 'invoice', 'hours', 'searches'])
}

function worksOf(service: Service, client: pg.Client, month: Day): Work[] {
  const operate = (path: string) => (employer: Seeded) =>
    call(service, 'POST', `/operator/v1/employers/${employer.employer_id}/${path}`, {})
  return [
    {
      name: 'census',
      tables: census_tables,
      run: ({ employer_id, organization_id }) =>
        call(
          service,
          'POST',
          `/v1/employers/${employer_id}/census-sync`,
          { employees: newPeople(people) },
          organization_id,
        ),
    },
    {
      name: 'grants',
      tables: { enrollments: 'employer_id = $1', employee_eligibilities: of_employees },
      run: ({ employer_id, organization_id }) => {
        const policy = { classification: 'all', waiting_period: 'none' }
        const path = `/v1/employers/${employer_id}/benefit-eligibility-policies`
        return call(service, 'POST', path, policy, organization_id)
      },
    },
    {
      name: 'statement',
      tables: { deduction_lines: of_employees },
      run: async (employer) => {
        await seedElections(client, employer)
        await operate('payroll-deduction-statements/run')(employer)
      },
    },
    {
      name: 'invoice',
      tables: { invoice_lines: of_employees },
      run: operate('invoices/run'),
    },
    {
      name: 'hours',
      tables: { hours_of_service: 'employer_id = $1' },
      run: async ({ employer_id, organization_id }) => {
        const { rows: references } = await client.query<{ reference_id: string }>(
          'select reference_id from employees where employer_id = $1',
          [employer_id],
        )
        const period = { period_starts_on: month, period_ends_on: monthEnd(month), kind: 'worked', hours: 130 }
        const rows = references.map(({ reference_id }) => ({ reference_id, ...period }))
        return call(service, 'POST', `/v1/employers/${employer_id}/hours`, { rows }, organization_id)
      },
    },
  ]
}

/** Requests at a steady pace, for the organization that does no other work. Only these are measured. */
async function requestsOf(service: Service, { employer_id, organization_id }: Seeded) {
  const employees = `/v1/employers/${employer_id}/employees`
  /** Repeats a request that a busy service rejects. The time counts. */
  const send = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    try {
      return await call<Data>(service, method, path, body, organization_id)
    } catch (error) {
      if (!(error as Error).message.includes('returned 503')) throw error
      await sleep(50)
      return send<Data>(method, path, body)
    }
  }
  const [employee] = await send<{ id: string }[]>('GET', employees)
  return {
    read: { every: 25, send: () => send('GET', `/v1/employees/${employee!.id}`) },
    list: { every: 25, send: () => send('GET', `${employees}?limit=${few}`) },
    write: { every: 100, send: () => send('POST', employees, newHire()) },
  }
}

/** Waits for a request and for all jobs that follow from it. */
async function settled(client: pg.Client, request: Promise<unknown>): Promise<void> {
  await request
  for (;;) {
    const { rows } = await client.query(
      `select 1 from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts limit 1`,
    )
    if (rows.length === 0) return
    await sleep(50)
  }
}

/** Writes the rows of an employer into empty copies of the tables, repeatedly for the given number of seconds. */
async function writeCopies(client: pg.Client, tables: Work['tables'], { employer_id }: Seeded, seconds: number) {
  for (const until = performance.now() + seconds * 1000; performance.now() < until;) {
    await client.query(`truncate ${Object.keys(tables).map((table) => `copies.${table}`)}`)
    for (const [table, condition] of Object.entries(tables)) {
      const names = await columnsOf(client, table)
      await client.query(`insert into copies.${table} (${names}) select ${names} from ${table} where ${condition}`, [
        employer_id,
      ])
    }
  }
}

const letter = (number: number) => String.fromCharCode(97 + (number % 26))

/** Returns a function that searches for one letter over several connections, for a number of seconds. */
function searcherOf({ sandbox }: Service, { employer_id, organization_id }: Seeded) {
  const load = startBackgroundLoader()
  const headers = { authorization: `Bearer ${sandbox.super_api_key}`, 'x-service-organization': organization_id }
  const paths = Array.from({ length: 26 }, (_, at) => `/v1/employers/${employer_id}/employees?search=${letter(at)}`)
  return (seconds: number) => load({ url: sandbox.base_url, paths, headers, connections: searches, seconds })
}

/** Counts the matches of the same searches over as many connections, for the given number of seconds. */
async function countMatches(service: Service, { employer_id, organization_id }: Seeded, seconds: number) {
  const until = performance.now() + seconds * 1000
  const count = async (client: pg.Client) => {
    for (let at = 0; performance.now() < until; at++)
      await client.query(
        'select count(*) from employees where employer_id = $1 and organization_id = $2 and search_key like $3',
        [employer_id, organization_id, `%${letter(at)}%`],
      )
  }
  const clients = await Promise.all(Array.from({ length: searches }, () => connect(service.database_url)))
  await Promise.all(clients.map(count))
}

/** The percentile of the requests of all rounds together, because some work ends after about 40 requests. */
function report(figures: Map<string, number[]>, names: string[]): void {
  const p99 = (title: string) => [percentile(figures.get(title)!, 0.99)]
  for (const request of ['read', 'list', 'write']) {
    console.log(`  a ${request}, 99th percentile, alongside`)
    console.log(line('nothing', p99(`calm, ${request}`), 'ms'))
    for (const name of names) {
      compare([name, p99(`${name}, ${request}`)], ['control', p99(`control of ${name}, ${request}`)], 'ms')
    }
  }
}
