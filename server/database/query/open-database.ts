import pg from 'pg'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import type { Database, Db, Execute } from './database.ts'
import type { Distribution } from './distribution.ts'
import { openReading } from './reads.ts'
import { scopeOf, type RowsOf } from './rows-of.ts'
import type { ScopedQuery, StatementResult } from './scoped-query.ts'
import { plan_as_checked, limits, sessionOf, SteadyPool, type DatabaseAddress } from './session.ts'
import { openTransactions } from './transactions.ts'

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = `s${names.size + 1}`))
  return name
}

type ExecuteScoped = (query: ScopedQuery, statement: string) => Promise<StatementResult>

function makeDb(execute: Execute, prepared: boolean, distribution: Distribution | undefined): Db {
  const run = (text: string, values: unknown[] = []) => {
    const name = nameOf(text)
    return execute(prepared ? { name, text, values } : { text, values }, name)
  }
  return {
    distribution,
    rows: async <Row extends object>(text: string, values?: unknown[]) => (await run(text, values)).rows as Row[],
    row: async <Row extends object>(text: string, values?: unknown[]) =>
      (await run(text, values)).rows[0] as Row | undefined,
    json: async (text, values) => {
      const { rows, fields } = await run(text, values)
      return rows[0]?.[fields[0]!.name] ?? undefined
    },
    send: async (writes) => void (await Promise.all(writes)),
    afterCommit: (react) => react(),
  }
}

/** A connection with a scope. `execute` sends its statements. */
export function scopedDb(rows_of: RowsOf, prepared: boolean, execute: ExecuteScoped, distribution?: Distribution): Db {
  const scope = scopeOf(rows_of)
  return makeDb((query, statement) => execute({ ...query, scope }, statement), prepared, distribution)
}

/** The configuration of a session. If a pooler owns it, each transaction sets the limits itself. */
export const configOf = (address: DatabaseAddress, prepared: boolean): pg.ClientConfig => ({
  ...sessionOf(address),
  application_name: 'openbenefits',
  ...(prepared && limits),
  // Otherwise a firewall may drop a session that stays open without statements.
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
})

/** The minimum interval between two replacements of connections to a read-only server. */
const replace_every_ms = 1000

export type DatabaseOptions = DatabaseAddress & {
  /** how tenants are distributed over several servers (docs/design/data/scaling-out.md) */
  distribution?: Distribution | undefined
  /** false behind a pooler that cannot keep named statements (PgBouncer before 1.21) */
  prepared_statements?: boolean
  read_connections?: number
  write_connections?: number
  /** the number of jobs that run at the same time */
  job_connections?: number
  /** receives the server process of each session for jobs */
  onJobSession?: ((server_process: number) => void) | undefined
  timeout_ms?: number
}

/** Replaces connections after a failover. A server that became a replica would return outdated rows. */
function reopenPools(pools: pg.Pool[], renewOthers: () => void) {
  const opened_at = new WeakMap<pg.PoolClient, number>()
  for (const pool of pools) pool.on('connect', (client) => void opened_at.set(client, performance.now()))
  let replaced_at = -Infinity
  return {
    renewSessions() {
      if (performance.now() - replaced_at < replace_every_ms) return
      replaced_at = performance.now()
      renewOthers()
    },
    async connect(pool: pg.Pool): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect()
        if (opened_at.get(client)! > replaced_at) return client
        client.release(true)
      }
    },
  }
}

const planAsChecked = (client: pg.ClientBase) => client.query(plan_as_checked)

/** The server process of a session. The driver knows it, but its types omit it. */
const serverProcessOf = (client: pg.ClientBase) => (client as pg.ClientBase & { processID: number }).processID

/** The default number of connections that reads share. */
export const default_read_connections = 4

const default_write_connections = 10

/** Opens the pools for requests and for jobs. */
function openPools(
  { write_connections = default_write_connections, job_connections = 4, onJobSession }: DatabaseOptions,
  config: pg.PoolConfig,
): { pool: pg.Pool; job_pool: pg.Pool } {
  const openPool = (max: number) =>
    new SteadyPool({
      ...config,
      max,
      // One session stays open, because it has planned its statements. For an election that takes 150 ms or more.
      min: 1,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
      // Statements of one turn of the event loop are sent together.
      pipeline: true,
    })
  const pool = openPool(write_connections)
  const job_pool = openPool(job_connections)
  job_pool.on('connect', (client) => onJobSession?.(serverProcessOf(client)))
  // The query that uses a dead connection reports the error. An error event without a listener would end the process.
  for (const opened_pool of [pool, job_pool]) {
    opened_pool.on('error', () => undefined)
    opened_pool.on('connect', (client) => client.on('error', () => undefined))
  }
  return { pool, job_pool }
}

/** The queues of writes that wait for a lock, and of concurrent writes. */
const openWriteQueues = (write_connections: number, timeout_ms: number) => ({
  // Waiting writes use at most half of the connections, so that a write whose lock is free finds one.
  lock_queue: new FairQueue({
    max_running: Math.ceil(write_connections / 2),
    max_running_per_key: 1,
    max_waiting_per_key: 200,
    timeout_ms,
  }),
  // An organization that writes alone leaves some connections free for the first write of another organization.
  concurrent_writes: new FairQueue({
    max_running: write_connections,
    max_running_per_key: Math.max(1, Math.floor(0.8 * write_connections)),
    max_running_beside_others: Math.max(1, Math.floor(0.4 * write_connections)),
    max_waiting_per_key: 200,
    timeout_ms,
  }),
})

/** Opens a database. Connections open lazily, so this never fails; the first query fails if the database is down. */
export function openDatabase(options: DatabaseOptions): Database {
  const { distribution, timeout_ms = 10_000 } = options
  const is_ours = options.prepared_statements ?? true
  const prepared_statements = !distribution && is_ours
  const is_set_up = distribution !== undefined && is_ours
  const config = configOf(options, is_ours)
  const reading = openReading({
    config,
    prepared: prepared_statements,
    distribution,
    is_set_up,
    quick_connections: options.read_connections ?? default_read_connections,
    slow_connections: 3,
  })
  const inScope = (rows_of: RowsOf, execute: ExecuteScoped): Db =>
    scopedDb(rows_of, prepared_statements, execute, distribution)
  const own_turns = new FairQueue({
    max_running: 32,
    max_running_per_key: 8,
    max_waiting_per_key: 1000,
    timeout_ms: 10_000,
  })
  const { pool, job_pool } = openPools(options, {
    ...config,
    ...(prepared_statements && { onConnect: planAsChecked }),
    ...(is_set_up && { onConnect: (client: pg.ClientBase) => client.query(distribution.session) }),
  })
  const { renewSessions, connect } = reopenPools([pool, job_pool], () => reading.renew())

  const transactionsOver = openTransactions({
    distribution,
    is_ours,
    is_set_up,
    connect,
    renewSessions,
    over: (execute) => makeDb(execute, prepared_statements, distribution),
  })

  return {
    distribution,
    reads: (rows_of) => inScope(rows_of, (query, statement) => own_turns.run(statement, () => reading.runOwn(query))),
    inTurnOf: (tenant, rows_of, work) =>
      own_turns.run(tenant, () => work(inScope(rows_of, (query) => reading.runOwn(query)))),
    readsOf: (tenant, rows_of) => inScope(rows_of, (query, statement) => reading.run(tenant, statement, query)),
    files: (rows_of) => inScope(rows_of, reading.runFile),
    pool,
    timeout_ms,
    ...openWriteQueues(options.write_connections ?? default_write_connections, timeout_ms),
    transaction: transactionsOver(pool),
    transactionOfJob: transactionsOver(job_pool),
    async close() {
      await Promise.all([pool.end(), job_pool.end(), reading.close()])
    },
  }
}
