import pg from 'pg'
import { runShardingSteps, planSharding } from '../../database/citus/sharding.ts'
import { databaseUrl } from '../../../packages/embedded-postgres/cluster.ts'

/** The servers of the test run: the first one and, with sharding, the Citus workers. */
export type Servers = readonly [requested: string, ...behind: string[]]

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
    const workers = rows.map(({ host, port }) => {
      const url = new URL(maintenance_url)
      url.hostname = host
      url.port = String(port)
      return url.href
    })
    return [maintenance_url, ...workers]
  } finally {
    await client.end()
  }
}

/** Runs one statement on each server, in a separate session. */
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

/** Registers the workers in a database that exists on each server. */
export async function joinServers(servers: Servers, database: string): Promise<void> {
  const [requested, ...workers] = servers
  await runAtEach(
    servers.map((url) => databaseUrl({ url }, database)),
    'create extension if not exists citus',
  )
  const positionOf = (url: string) => {
    const { hostname, port } = new URL(url)
    return `${pg.escapeLiteral(hostname)}, ${Number(port)}`
  }
  const joins = workers.map((url) => `select citus_add_node(${positionOf(url)});`).join(' ')
  await runAtEach(
    [databaseUrl({ url: requested }, database)],
    `select citus_set_coordinator_host(${positionOf(requested)}); ${joins}`,
  )
}

/**
 * Disconnects all clients of a database, so that it can be copied. Citus keeps connections to every database that it is
 * in.
 */
export const disconnectClients = (servers: Servers, database: string): Promise<void> =>
  servers.length === 1
    ? Promise.resolve()
    : runAtEach(
        servers,
        `alter database ${database} allow_connections false;
         select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`,
      )

/** Shards a database with the role that owns it. */
export async function shard(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await runShardingSteps(client, await planSharding(client))
  } finally {
    await client.end()
  }
}
