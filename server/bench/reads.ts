import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { line, ratios } from './figures.ts'
import type { Load } from './load.ts'
import { createEmployer, fillRoster } from './partner.ts'
import { answerOf, startBeside, startHelper, startService, type Options, type Service } from './stage.ts'

const roster = 20_000
const other_rosters = [3000, 1000, 1000, 500, 500]

/**
 * Who is asked for the same paths: the service, the bare server, and the service as it would be without an audit trail.
 * Both services answer requests alone and are as new as the bare server: none has planted what is read, or has jobs.
 */
type Sides = { loader: ChildProcess; service: string; bare: string; untraced: string; authorization: string }

/**
 * Requests per second of one employee and of a page of 20, from an employer of 20,000 among others: the service beside
 * a bare server on the same database, and beside itself without the audit trail, in turns.
 */
export async function reads(options: Options): Promise<void> {
  const service = await startService()
  const employer_id = await seed(service)
  const bare = startHelper('bare.ts', {
    DATABASE_URL: service.database_url,
    ORGANIZATION_ID: service.sandbox.organization_id,
  })
  const sides: Sides = {
    loader: startHelper('load.ts'),
    service: (await startBeside(service)).sandbox.base_url,
    bare: `http://127.0.0.1:${await answerOf<number>(bare)}`,
    untraced: (await startBeside(service, './server/bench/untraced.ts')).sandbox.base_url,
    authorization: `Bearer ${service.sandbox.api_key}`,
  }
  const list = `/v1/employers/${employer_id}/employees`
  const page = JSON.parse(await read(sides, sides.service, `${list}?limit=100&page=100`)) as { data: { id: string }[] }
  await compare(
    'GET /v1/employees/{id}',
    page.data.map(({ id }) => `/v1/employees/${id}`),
    sides,
    options,
  )
  await compare('GET /v1/employers/{id}/employees, 20 of 20,000', [list], sides, options)
}

async function seed(service: Service): Promise<string> {
  for (const count of other_rosters) await fillRoster(service, await createEmployer(service), count)
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  await analyze(service.database_url)
  return employer_id
}

/**
 * What autovacuum does within a minute or two of such a load. Until then the planner of both sides takes the tables for
 * empty.
 */
async function analyze(database_url: string): Promise<void> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

async function compare(title: string, paths: string[], sides: Sides, { seconds, rounds }: Options): Promise<void> {
  for (const path of paths) await requireSameBytes(sides, path)
  const rate = (url: string) => rateOf(sides.loader, { url, paths, authorization: sides.authorization, seconds })
  await rate(sides.service)
  await rate(sides.bare)
  await rate(sides.untraced)
  const untraced: number[] = []
  const service: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    service.push(await rate(sides.service))
    bare.push(await rate(sides.bare))
    untraced.push(await rate(sides.untraced))
  }
  console.log(`  ${title}`)
  console.log(line('service', service, 'requests/s'))
  console.log(line('bare server', bare, 'requests/s'))
  console.log(line('ratio', ratios(service, bare)))
  console.log(line('untraced', untraced, 'requests/s'))
  console.log(line('ratio', ratios(service, untraced)))
}

function rateOf(loader: ChildProcess, load: Load): Promise<number> {
  const answer = answerOf<number>(loader)
  loader.send(load)
  return answer
}

async function requireSameBytes(sides: Sides, path: string): Promise<void> {
  const [one, other] = await Promise.all([read(sides, sides.service, path), read(sides, sides.bare, path)])
  if (one !== other)
    throw new Error(`The bare server answers ${path} with other bytes than the service:\n${one}\n${other}`)
}

async function read({ authorization }: Sides, url: string, path: string): Promise<string> {
  const answer = await fetch(url + path, { headers: { authorization } })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`GET ${url + path} was answered with ${answer.status}: ${text}`)
  return text
}
