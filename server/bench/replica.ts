import { compareCosts, postmasterOf, type Loads } from './costs.ts'
import { call, createEmployer, fillRoster } from './partner.ts'
import { sized } from './sizes.ts'
import { later, startBeside, startHelper, startService, stop, type Options, type Service } from './stage.ts'
import { startStandby } from '../test/standby.ts'

const roster = sized(2000, 40)

/**
 * The same reads over a process that has them from a replica and one that has them from the primary, in turns: how many
 * a second, and how much of a processor each takes of the process and the primary, and of the replica besides.
 */
export async function replica(options: Options): Promise<void> {
  const service = await startService()
  const employer_id = await createEmployer(service)
  await fillRoster(service, employer_id, roster)
  const list = `/v1/employers/${employer_id}/employees`
  const data = await call<{ id: string }[]>(service, 'GET', `${list}?limit=100`)
  // Nothing is read from a replica while a process runs that does not note what it writes.
  await stop(service.server)
  const standby = await startStandby(service.database_url)
  later(() => standby.stop())
  const readingAt = (host: string): Promise<Service> => {
    const url = new URL(service.env.DATABASE_URL!)
    url.port = '5432'
    url.searchParams.set('host', host)
    return startBeside({ ...service, env: { ...service.env, READ_DATABASE_URL: url.href, METRICS_PORT: '0' } })
  }
  const without = await readingAt('/nowhere')
  const beside = await readingAt(standby.host)
  const primary = postmasterOf(service)
  const sides = {
    primary: { url: without.sandbox.base_url, pids: [without.server.pid!, primary] },
    replica: { url: beside.sandbox.base_url, pids: [beside.server.pid!, primary] },
    'and its own': { url: beside.sandbox.base_url, pids: [beside.server.pid!, primary, standby.pid()] },
  }
  const loader = startHelper('load.ts')
  const authorization = `Bearer ${service.sandbox.api_key}`
  const loads: Loads = {
    'one employee': () => ({ paths: data.map(({ id }) => `/v1/employees/${id}`), authorization }),
    'a page of 20': () => ({ paths: [list], authorization }),
  }
  for (const [title, load] of Object.entries(loads)) await compareCosts(loader, title, load, sides, options)
  const { rows } = await standby.run(
    `select sum(xact_commit)::int as count from pg_stat_database where datname = 'openbenefits'`,
  )
  console.log(`    the replica has done ${rows[0].count} transactions`)
}
