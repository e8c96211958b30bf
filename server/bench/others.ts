import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { usual_read_connections } from '../database/query/database.ts'
import { line, ratios } from './figures.ts'
import type { Load, Loaded } from './load.ts'
import { createEmployer, fillRoster } from './partner.ts'
import { is_smoke, sized } from './sizes.ts'
import { answerOf, later, root, startHelper, startNode, startService, type Options, type Service } from './stage.ts'

const run = promisify(execFile)
const roster = sized(20_000, 60)

/** Where the others are installed when they are first measured: they are large, and nothing else needs them. */
const folder = join(root, 'node_modules/.cache/others')

/** A path, and what is posted to it if it is not read. */
type Question = { path: string; body?: string }

/** What is to be asked, one after the other, for each of the two answers. */
type Asked = { one: Question[]; page: Question[] }

type Row = { id: string; member_id: string }

/** Somebody, and who is on the page, of an employer. */
type Roster = { organization_id: string; employer_id: string; somebody: Row; page: Row[] }

/** PostGraphile finds relations by foreign keys. These tables refer by triggers instead (decisions 210 and 225). */
const foreign_keys = [
  ['employees', 'employer_id', 'employers'],
  ['employees', 'member_id', 'members'],
  ['enrollments', 'employee_id', 'employees'],
  ['employee_classifications', 'employee_id', 'employees'],
  ['employee_compensations', 'employee_id', 'employees'],
] as const

/** What each has to be asked for the same two answers. Platformatic tells each kind of row by itself. */
const askedOf = {
  platformatic: ({ employer_id, somebody, page }: Roster): Asked => ({
    one: [
      { path: `/employees/?where.id.eq=${somebody.id}` },
      ...beside([somebody]),
      { path: `/employers/?where.id.eq=${employer_id}` },
    ],
    page: [
      { path: `/employees/?where.employerId.eq=${employer_id}&limit=20&totalCount=true&orderby.createdAt=desc` },
      ...beside(page),
    ],
  }),
  postgraphile: ({ organization_id, employer_id, somebody }: Roster): Asked => ({
    one: graphql(`{ employeeByRowIdAndOrganizationId(rowId: "${somebody.id}", organizationId: "${organization_id}")
      ${shown} }`),
    page: graphql(`{ employerByRowIdAndOrganizationId(rowId: "${employer_id}", organizationId: "${organization_id}") {
      employeesByEmployerIdAndOrganizationId(first: 20) { totalCount nodes ${shown} } } }`),
  }),
  nest: asService,
}

function asService({ employer_id, somebody }: Roster): Asked {
  return { one: [{ path: `/v1/employees/${somebody.id}` }], page: [{ path: `/v1/employers/${employer_id}/employees` }] }
}

const beside = (rows: Row[]): Question[] => [
  { path: `/members/?where.id.in=${rows.map(({ member_id }) => member_id).join(',')}` },
  ...['enrollments', 'employeeClassifications', 'employeeCompensations'].map((table) => ({
    path: `/${table}/?where.employeeId.in=${rows.map(({ id }) => id).join(',')}`,
  })),
]

const shown = `{ rowId referenceId hiredOn terminatedOn createdAt updatedAt
  employerByEmployerIdAndOrganizationId { rowId name }
  memberByMemberIdAndOrganizationId { rowId firstName lastName suffix email dateOfBirth gender phone addressLine1
    addressLine2 city state zipcode county updatedAt }
  enrollmentsByEmployeeIdAndOrganizationId { nodes { rowId answer answeredAt inactiveOn } }
  employeeClassificationsByEmployeeIdAndOrganizationId { nodes { employeeClass effectiveOn } }
  employeeCompensationsByEmployeeIdAndOrganizationId { nodes { compensationType effectiveOn } } }`

const graphql = (query: string): Question[] => [{ path: '/graphql', body: JSON.stringify({ query }) }]

type Side = { name: string; url: string; asked: Asked }

/**
 * One employee and a page of 20 of 20,000 with its total, of the service with everything on, and of what others would
 * build on the same database in an afternoon, over as many connections, where nobody asks who asks. In turns, each
 * alone.
 */
export async function others({ rounds, seconds }: Options): Promise<void> {
  if (!is_smoke) await install()
  const is_installed = existsSync(join(folder, 'node_modules'))
  const service = await startService()
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  const of = await findRoster(service, employer_id)
  const sides: Side[] = [{ name: 'service', url: service.sandbox.base_url, asked: asService(of) }]
  if (!is_installed)
    console.log(`  NOT RUN, since \`npm run bench -- others\` installs them: ${Object.keys(askedOf).join(', ')}`)
  for (const [name, asked] of is_installed ? Object.entries(askedOf) : [])
    sides.push({ name, url: await startOther(service, name), asked: asked(of) })
  const loader = startHelper('load.ts')
  const authorization = `Bearer ${service.sandbox.api_key}`
  for (const side of sides) await requireAnswer(side, authorization, of)
  for (const what of ['one', 'page'] as const) {
    const rates = sides.map((): number[] => [])
    // The first round warms up.
    for (let round = -1; round < rounds; round++) {
      for (const [at, { url, asked }] of sides.entries()) {
        const answer = answerOf<Loaded>(loader)
        const bodies = asked[what].flatMap(({ body }) => body ?? [])
        const sent = bodies.length === 0 ? undefined : { method: 'POST' as const, bodies }
        const paths = asked[what].map(({ path }) => path)
        loader.send({ url, paths, sent, authorization, seconds } satisfies Load)
        const { answered, seconds: taken } = await answer
        if (round >= 0) rates[at]!.push(answered / paths.length / taken)
      }
    }
    console.log(`  ${what === 'one' ? 'one employee' : 'a page of 20 of 20,000'}`)
    for (const [at, { name }] of sides.entries()) console.log(line(name, rates[at]!, 'answers/s'))
    if (!is_installed) continue
    const best = rates[0]!.map((_, round) => Math.max(...rates.slice(1).map((of_one) => of_one[round]!)))
    console.log(line('ratio', ratios(rates[0]!, best), 'of the service to the best of the others'))
  }
}

async function install(): Promise<void> {
  await cp(join(root, 'server/bench/others'), folder, { recursive: true })
  // A client of Prisma is made of its schema alone, but not before the program that migrates databases is there.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath }
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
    cwd: folder,
    env,
  })
  const generate = ['node_modules/prisma/build/index.js', 'generate', '--schema', 'schema.prisma']
  await run(process.execPath, generate, { cwd: folder, env })
}

async function startOther({ database_url }: Service, name: string): Promise<string> {
  const env = { DATABASE_URL: database_url, CONNECTIONS: `${usual_read_connections}`, NODE_ENV: 'production' }
  return answerOf<string>(startNode([join(folder, `${name}.js`)], env, ['ignore', 'ignore', 'ignore', 'ipc']))
}

/** The newest of a roster, and somebody from its middle. */
async function findRoster({ database_url }: Service, employer_id: string): Promise<Roster> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  later(() => client.end())
  for (const [table, column, referenced] of foreign_keys)
    await client.query(`alter table ${table} add foreign key (${column}, organization_id) references ${referenced}`)
  await client.query('analyze')
  const { rows } = await client.query<Row & { organization_id: string }>(
    'select id, member_id, organization_id from employees where employer_id = $1 order by created_at desc, id desc',
    [employer_id],
  )
  const { organization_id } = rows[0]!
  return { organization_id, employer_id, somebody: rows[roster / 2]!, page: rows.slice(0, 20) }
}

async function requireAnswer({ name, url, asked }: Side, authorization: string, { somebody }: Roster): Promise<void> {
  for (const [what, [{ path, body }]] of Object.entries(asked) as [string, [Question]][]) {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body })
    const text = await answer.text()
    const is_there = what === 'one' ? text.includes(somebody.id) : text.split(/empl_\w{26}/).length > 20
    if (answer.status !== 200 || !is_there) throw new Error(`${name} answered ${path} with ${text.slice(0, 500)}`)
  }
}
