import pg from 'pg'
import { isDatabaseError, prefaceOf, readyForScopes, runScoped, type ScopedQuery } from './pipeline.ts'
import { openReading } from './reads.ts'
import { scopeOf, session_of_divided, type RowsOf } from './rows-of.ts'
import { limit_ms, limits, sessionOf, SteadyPool, types, type DatabaseAddress } from './session.ts'
import type { StatementAnswer } from './batched-query.ts'
import { openTransactions, type TransactionEnd } from './transactions.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'

export { isDatabaseError }

/**
 * Plain SQL over `pg`, every statement named and so prepared once per connection. Statement texts are
 * constants: values go through parameters, never into the text.
 */
export type Db = {
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** The first row, or undefined. */
  row<Row extends object>(text: string, values?: unknown[]): Promise<Row | undefined>
  /** The first column of the first row as text: JSON that PostgreSQL built, ready to be sent. */
  json(text: string, values?: unknown[]): Promise<string | undefined>
  /** whether tenants are divided over several servers: who reaches one says so by an equality */
  divided: boolean
}

/** Whoever takes a connection says whose rows it may touch; PostgreSQL shows and changes no others (decision 90). */
export type Database = {
  /** whether tenants are divided over several servers */
  divided: boolean
  /** Autocommit statements of the service itself over a few shared connections, in turns among statements. */
  reads(rows_of: RowsOf): Db
  /** The same in the turn of somebody who may bring many, such as a key: `work` begins when it has come. */
  inTurnOf<T>(whose: string, rows_of: RowsOf, work: (reads: Db) => Promise<T>): Promise<T>
  /** Autocommit reads for somebody, such as an organization: each has a share and no more. */
  readsOf(whose: string, rows_of: RowsOf): Db
  /** Autocommit reads of what may be large, over connections of their own: no other read waits behind them. */
  files(rows_of: RowsOf): Db
  /**
   * Runs `work` in one transaction; repeats it when PostgreSQL asks for that (deadlock, serialization). What it ends
   * with goes out with the commit.
   * `lock_timeout_ms`: how long it waits for a lock that others hold (SQLSTATE 55P03 then); unless said, as long as it
   * takes.
   */
  transaction<T>(
    rows_of: RowsOf,
    work: (db: Db) => Promise<T | TransactionEnd<T>>,
    lock_timeout_ms?: number,
  ): Promise<T>
  /** The same for a job, over sessions of their own: jobs which wait for a lock leave writes theirs. */
  transactionOfJob: Database['transaction']
  /** Where writes wait for their organization, before they take a connection. */
  waiting_room: FairQueue
  /** Where writes of an organization that may go on beside each other come first, so that they leave others some. */
  side_by_side: FairQueue
  /** How long a request waits for a lock, and before that for its turn. */
  patience_ms: number
  pool: pg.Pool
  close(): Promise<void>
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = `s${names.size + 1}`))
  return name
}

export type Execute = (query: pg.QueryConfig, statement: string) => Promise<StatementAnswer>
type ExecuteScoped = (query: ScopedQuery, statement: string) => Promise<StatementAnswer>

function over(execute: Execute, prepared: boolean, divided: boolean): Db {
  const run = (text: string, values: unknown[] = []) => {
    const name = nameOf(text)
    return execute(prepared ? { name, text, values } : { text, values }, name)
  }
  return {
    divided,
    rows: async <Row extends object>(text: string, values?: unknown[]) => (await run(text, values)).rows as Row[],
    row: async <Row extends object>(text: string, values?: unknown[]) =>
      (await run(text, values)).rows[0] as Row | undefined,
    json: async (text, values) => {
      const { rows, fields } = await run(text, values)
      return rows[0]?.[fields[0]!.name] ?? undefined
    },
  }
}

/** Statements in one scope, each sent by `execute`. */
export function within(rows_of: RowsOf, prepared: boolean, execute: ExecuteScoped, divided = false): Db {
  const scope = scopeOf(rows_of)
  return over((query, statement) => execute({ ...query, scope }, statement), prepared, divided)
}

/** What a session is asked for at its start, where it is ours; each transaction sets its limits itself else. */
export const configOf = (address: DatabaseAddress, prepared: boolean): pg.ClientConfig => ({
  ...sessionOf(address),
  application_name: 'openbenefits',
  ...(prepared && limits),
})

/** Milliseconds after which connections to a server that still takes no writes are let go again. */
const let_go_every_ms = 1000

export type DatabaseOptions = DatabaseAddress & {
  /** whether tenants are divided over several servers (decision 168) */
  divided?: boolean
  /** false behind a pooler that can't keep named statements (PgBouncer before 1.21) */
  prepared_statements?: boolean
  read_connections?: number
  slow_read_connections?: number
  write_connections?: number
  /** as many as jobs run at a time */
  job_connections?: number
  /** told of each session for jobs which process of the server it has */
  onJobSession?: ((server_process: number) => void) | undefined
  patience_ms?: number
}

/**
 * Connections go on leading to a server that was made a replica, and what they read is no longer what is: they are let
 * go, and taken anew.
 */
function openAnew(pools: pg.Pool[], renewOthers: () => void) {
  const opened_at = new WeakMap<pg.PoolClient, number>()
  for (const pool of pools) pool.on('connect', (client) => void opened_at.set(client, performance.now()))
  let let_go_at = -Infinity
  return {
    letGo() {
      if (performance.now() - let_go_at < let_go_every_ms) return
      let_go_at = performance.now()
      renewOthers()
    },
    async connect(pool: pg.Pool): Promise<pg.PoolClient> {
      for (;;) {
        const client = await pool.connect()
        if (opened_at.get(client)! > let_go_at) return client
        client.release(true)
      }
    },
  }
}

/**
 * Has a session of ours plan each statement once, for any values and by indexes: by the plan that `npm run check` looks
 * at. Else a table that was empty when it was analyzed is read whole for each row, and an organization that has come
 * since is taken for a row (decision 151).
 */
const planAsChecked = (client: pg.ClientBase) =>
  client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off')

/** Has a session of ours know how statements are handed on to several servers. */
const handOn = (client: pg.ClientBase) => client.query(session_of_divided)

/** The server told it when the session was opened; the driver's types leave it out. */
const serverProcessOf = (client: pg.ClientBase) => (client as pg.ClientBase & { processID: number }).processID

/** How many connections reads share unless said. */
export const usual_read_connections = 4

/** How many connections read files, each a piece at a time. */
export const file_connections = 2

/** Opens the connections: lazily, so that this never fails; the first query does when the database is away. */
export function openDatabase(options: DatabaseOptions): Database {
  const { divided = false, write_connections = 10, job_connections = 4, patience_ms = 10_000 } = options
  const is_ours = options.prepared_statements ?? true
  const prepared_statements = !divided && is_ours
  const told = divided && is_ours
  const config = configOf(options, is_ours)
  const reading = openReading({
    config,
    prepared: prepared_statements,
    divided,
    told,
    quick_connections: options.read_connections ?? usual_read_connections,
    slow_connections: options.slow_read_connections ?? 3,
  })
  const inScope = (rows_of: RowsOf, execute: ExecuteScoped): Db =>
    within(rows_of, prepared_statements, execute, divided)
  const own_turns = new FairQueue({ at_once: 32, at_once_of_one: 8, waiting_of_one: 1000, patience_ms: 10_000 })
  const openPool = (max: number) =>
    new SteadyPool({
      ...config,
      max,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
      // Who says several things at once has them sent at once.
      pipeline: true,
      ...(prepared_statements && { onConnect: planAsChecked }),
      ...(told && { onConnect: handOn }),
    })
  const pool = openPool(write_connections)
  const job_pool = openPool(job_connections)
  job_pool.on('connect', (client) => options.onJobSession?.(serverProcessOf(client)))
  const preface = prefaceOf({ prepared: prepared_statements, limit: limit_ms, divided, told })
  const file_pool = new SteadyPool({
    ...config,
    types,
    max: file_connections,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    ...(prepared_statements && {
      onConnect: async (client: pg.ClientBase) => {
        await planAsChecked(client)
        await readyForScopes(client, preface)
      },
    }),
    ...(told && { onConnect: handOn }),
  })
  // A connection that dies is reported by the query that needs it; an error event without a listener would end the
  // process.
  for (const each of [pool, job_pool, file_pool]) {
    each.on('error', () => undefined)
    each.on('connect', (client) => client.on('error', () => undefined))
  }

  const { letGo, connect } = openAnew([pool, job_pool, file_pool], () => reading.renew())

  const readFile = async (query: ScopedQuery): Promise<pg.QueryResult> => {
    const client = await connect(file_pool)
    let broken: Error | undefined
    try {
      return await runScoped(client, query, preface)
    } catch (error) {
      if (!isDatabaseError(error)) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  const transactionsOver = openTransactions({
    divided,
    is_ours,
    told,
    connect,
    letGo,
    over: (execute) => over(execute, prepared_statements, divided),
  })

  return {
    divided,
    reads: (rows_of) => inScope(rows_of, (query, statement) => own_turns.run(statement, () => reading.runOwn(query))),
    inTurnOf: (whose, rows_of, work) =>
      own_turns.run(whose, () => work(inScope(rows_of, (query) => reading.runOwn(query)))),
    readsOf: (whose, rows_of) => inScope(rows_of, (query, statement) => reading.run(whose, statement, query)),
    files: (rows_of) => inScope(rows_of, readFile),
    pool,
    patience_ms,
    // Half of the connections at most: whoever need not wait finds another.
    waiting_room: new FairQueue({
      at_once: Math.ceil(write_connections / 2),
      at_once_of_one: 1,
      waiting_of_one: 200,
      patience_ms,
    }),
    side_by_side: new FairQueue({
      at_once: write_connections,
      at_once_of_one: Math.max(1, Math.floor(0.4 * write_connections)),
      waiting_of_one: 200,
      patience_ms,
    }),
    transaction: transactionsOver(pool),
    transactionOfJob: transactionsOver(job_pool),
    async close() {
      await Promise.all([pool.end(), job_pool.end(), file_pool.end(), reading.close()])
    },
  }
}
