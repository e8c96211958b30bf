import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { usual_read_connections } from '../database/query/open-database.ts'
import { line, ratios } from './harness/figures.ts'
import type { Load, Loaded } from './processes/load.ts'
import { createEmployer, fillRoster } from './harness/partner.ts'
import { answerOf, connect, is_smoke, root, sized, startHelper, startNode } from './harness/service.ts'
import { startService, type Options, type Service } from './harness/service.ts'

const run = promisify(execFile)
const roster = sized(20_000, 42)

/** The other products are installed here when they are first measured. */
const folder = join(root, 'node_modules/.cache/others')

/** A GET of a path, or a POST of a body. */
type Query = { path: string; body?: string }

/** The queries that one employee and one page take, in order. */
type Queries = { one: Query[]; page: Query[] }

type Row = { id: string; member_id: string }

/** An employee from the middle of a roster, and the newest 20. */
type Roster = { organization_id: string; employer_id: string; employee: Row; page: Row[] }

/**
 * PostGraphile finds relations by foreign keys. These tables refer by triggers instead (docs/design/data/schema.md).
 */
const foreign_keys = [
  ['employees', 'employer_id', 'employers'],
  ['employees', 'member_id', 'members'],
  ['enrollments', 'employee_id', 'employees'],
  ['employee_classifications', 'employee_id', 'employees'],
  ['employee_compensations', 'employee_id', 'employees'],
] as const

/** The queries of each product for the same two responses. Platformatic returns each kind of row separately. */
const queriesOf = {
  platformatic: ({ employer_id, employee, page }: Roster): Queries => ({
    one: [
      { path: `/employees/?where.id.eq=${employee.id}` },
      ...rest([employee]),
      { path: `/employers/?where.id.eq=${employer_id}` },
    ],
    page: [
      { path: `/employees/?where.employerId.eq=${employer_id}&limit=20&totalCount=true&orderby.createdAt=desc` },
      ...rest(page),
    ],
  }),
  postgraphile: ({ organization_id, employer_id, employee }: Roster): Queries => ({
    one: graphql(`{ employeeByRowIdAndOrganizationId(rowId: "${employee.id}", organizationId: "${organization_id}")
      ${shown} }`),
    page: graphql(`{ employerByRowIdAndOrganizationId(rowId: "${employer_id}", organizationId: "${organization_id}") {
      employeesByEmployerIdAndOrganizationId(first: 20) { totalCount nodes ${shown} } } }`),
  }),
  nest: asService,
}

function asService({ employer_id, employee }: Roster): Queries {
  return { one: [{ path: `/v1/employees/${employee.id}` }], page: [{ path: `/v1/employers/${employer_id}/employees` }] }
}

const rest = (rows: Row[]): Query[] => [
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

const graphql = (query: string): Query[] => [{ path: '/graphql', body: JSON.stringify({ query }) }]

type Side = { name: string; url: string; queries: Queries }

/**
 * One employee, and a page of 20 of 20,000 with its total: from the service with all its features, and from simple
 * servers built with other products on the same database, with as many connections and no authorization. They are
 * measured alone, alternating.
 */
export async function others({ rounds, seconds }: Options): Promise<void> {
  if (!is_smoke) await install()
  const is_installed = existsSync(join(folder, 'node_modules'))
  const service = await startService()
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  const of = await findRoster(service, employer_id)
  const sides: Side[] = [{ name: 'service', url: service.sandbox.base_url, queries: asService(of) }]
  if (!is_installed)
    console.log(`  NOT RUN, since \`npm run bench -- others\` installs them: ${Object.keys(queriesOf).join(', ')}`)
  for (const [name, queries] of is_installed ? Object.entries(queriesOf) : [])
    sides.push({ name, url: await startOther(service, name), queries: queries(of) })
  const loader = startHelper('load.ts')
  const authorization = `Bearer ${service.sandbox.api_key}`
  for (const side of sides) await requireAnswer(side, authorization, of)
  for (const subject of ['one', 'page'] as const) {
    const rates = sides.map((): number[] => [])
    // The first round is a warm-up.
    for (let round = is_smoke ? 0 : -1; round < rounds; round++) {
      for (const [at, { url, queries }] of sides.entries()) {
        const answer = answerOf<Loaded>(loader)
        const bodies = queries[subject].flatMap(({ body }) => body ?? [])
        const paths = queries[subject].map(({ path }) => path)
        loader.send({ url, paths, ...(bodies.length > 0 && { bodies }), authorization, seconds } satisfies Load)
        const { answered, seconds: taken } = await answer
        if (round >= 0) rates[at]!.push(answered / paths.length / taken)
      }
    }
    console.log(`  ${subject === 'one' ? 'one employee' : 'a page of 20 of 20,000'}`)
    for (const [at, { name }] of sides.entries()) console.log(line(name, rates[at]!, 'answers/s'))
    if (!is_installed) continue
    const best = rates[0]!.map((_, round) => Math.max(...rates.slice(1).map((of_one) => of_one[round]!)))
    console.log(line('ratio', ratios(rates[0]!, best), 'of the service to the best of the others'))
  }
}

async function install(): Promise<void> {
  await cp(join(root, 'server/bench/others'), folder, { recursive: true })
  // The Prisma client is generated from the schema alone, but requires a migration program to exist.
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

/**
 * Adds the foreign keys that PostGraphile needs, and finds the employees to read. Rows are not checked, because bare
 * servers of other benchmarks wrote some without an employer.
 */
async function findRoster({ database_url }: Service, employer_id: string): Promise<Roster> {
  const client = await connect(database_url)
  for (const [table, column, referenced] of foreign_keys)
    await client.query(
      `alter table ${table} add foreign key (${column}, organization_id) references ${referenced} not valid`,
    )
  await client.query('analyze')
  const { rows } = await client.query<Row & { organization_id: string }>(
    'select id, member_id, organization_id from employees where employer_id = $1 order by created_at desc, id desc',
    [employer_id],
  )
  const { organization_id } = rows[0]!
  return { organization_id, employer_id, employee: rows[roster / 2]!, page: rows.slice(0, 20) }
}

async function requireAnswer({ name, url, queries }: Side, authorization: string, { employee }: Roster): Promise<void> {
  for (const [subject, [{ path, body }]] of Object.entries(queries) as [string, [Query]][]) {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body })
    const text = await answer.text()
    const is_there = subject === 'one' ? text.includes(employee.id) : text.split(/empl_\w{26}/).length > 20
    if (answer.status !== 200 || !is_there) throw new Error(`${name} answered ${path} with ${text.slice(0, 500)}`)
  }
}
