import { pooler_version, startPooler } from '../test/pooler.ts'
import { compareCosts, postmasterOf, type Loads, type Side } from './costs.ts'
import { call, createEmployer, fillRoster } from './partner.ts'
import { is_smoke, sized } from './sizes.ts'
import { later, startBeside, startHelper, startService, type Options, type Service } from './stage.ts'

const roster = sized(2000, 40)
const sessions = 10

/**
 * The same requests over a process that goes to PostgreSQL itself and one that goes by PgBouncer in transaction mode,
 * in turns: how many a second, and how much of a processor each takes in all, PostgreSQL and PgBouncer included.
 */
export async function pooler(options: Options): Promise<void> {
  if (pooler_version === undefined) {
    if (!is_smoke) throw new Error('PgBouncer is not installed here.')
    return console.log('  NOT RUN: PgBouncer is not installed here')
  }
  const service = await startService()
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  const { DATABASE_URL: direct_url } = service.env as { DATABASE_URL: string }
  const pooler = await startPooler(direct_url, sessions)
  later(() => pooler.stop())
  const direct = await startBeside(service)
  const pooled = await startBeside({
    ...service,
    env: {
      ...service.env,
      DATABASE_URL: pooler.url,
      DIRECT_DATABASE_URL: direct_url,
      PREPARED_STATEMENTS: 'false',
    },
  })
  const sideOf = ({ sandbox, server }: Service, more: number[] = []): Side => ({
    url: sandbox.base_url,
    pids: [postmasterOf(service), server.pid!, ...more],
  })
  const sides = { direct: sideOf(direct), pooled: sideOf(pooled, [pooler.pid]) }
  const list = `/v1/employers/${employer_id}/employees`
  const data = await call<{ id: string }[]>(service, 'GET', `${list}?limit=100`)
  const loader = startHelper('load.ts')
  const authorization = `Bearer ${service.sandbox.api_key}`
  const employees = data.map(({ id }) => `/v1/employees/${id}`)
  const changed = (round: number) =>
    JSON.stringify({ address: { address_line_1: `${round} Post Rd`, city: 'Albany', state: 'NY', zipcode: '12207' } })
  const loads: Loads = {
    'one employee': () => ({ paths: employees, authorization }),
    'a page of 20': () => ({ paths: [list], authorization }),
    'a changed address': (round) => ({
      paths: employees.map((path) => `${path}/contact`),
      sent: { method: 'PATCH', bodies: employees.map(() => changed(round)) },
      authorization,
    }),
  }
  for (const [title, load] of Object.entries(loads)) await compareCosts(loader, title, load, sides, options)
}
