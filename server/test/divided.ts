import pg from 'pg'
import { doSteps, planDivision } from '../database/citus/sharding.ts'
import { databaseUrl } from '../../packages/embedded-postgres/cluster.ts'

/** Where the suite runs: the server of the run and, where it divides tenants over others by Citus, those behind it. */
export type Servers = readonly [asked: string, ...behind: string[]]

/** The servers of a run, by a superuser's address of the first. */
export async function serversOf(maintenance_url: string): Promise<Servers> {
  const client = new pg.Client({ connectionString: maintenance_url })
  await client.connect()
  try {
    const { rows: known } = await client.query(`select from pg_extension where extname = 'citus'`)
    if (known.length === 0) return [maintenance_url]
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 order by groupid`,
    )
    const behind = rows.map(({ host, port }) => {
      const url = new URL(maintenance_url)
      url.hostname = host
      url.port = String(port)
      return url.href
    })
    return [maintenance_url, ...behind]
  } finally {
    await client.end()
  }
}

/** Runs one statement at each server, in a session of its own. */
export async function runAtEach(servers: readonly string[], statement: string): Promise<void> {
  for (const url of servers) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
}

/** Has a database that is there at each server know the others. */
export async function joinServers(servers: Servers, database: string): Promise<void> {
  const [asked, ...behind] = servers
  await runAtEach(
    servers.map((url) => databaseUrl({ url }, database)),
    'create extension if not exists citus',
  )
  const placeOf = (url: string) => {
    const { hostname, port } = new URL(url)
    return `${pg.escapeLiteral(hostname)}, ${Number(port)}`
  }
  const joins = behind.map((url) => `select citus_add_node(${placeOf(url)});`).join(' ')
  await runAtEach(
    [databaseUrl({ url: asked }, database)],
    `select citus_set_coordinator_host(${placeOf(asked)}); ${joins}`,
  )
}

/** Has nobody be at a database any more, so that it can be copied: Citus looks after each that it is in. */
export const leaveAlone = (servers: Servers, database: string): Promise<void> =>
  servers.length === 1
    ? Promise.resolve()
    : runAtEach(
        servers,
        `alter database ${database} allow_connections false;
         select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`,
      )

/** Divides the tenants of a database, by the role that owns it. */
export async function divide(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await doSteps(client, await planDivision(client))
  } finally {
    await client.end()
  }
}
