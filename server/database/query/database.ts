import type pg from 'pg'
import type { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import type { Distribution } from './distribution.ts'
import type { RowsOf } from './rows-of.ts'
import type { StatementResult } from './scoped-query.ts'

export { isDatabaseError } from './scoped-query.ts'

/** A database that the service cannot use. The message is one sentence, because operators see nothing else. */
export class DatabaseRefused extends Error {}

/** Sends one of the statements that end a transaction. */
export type LastStatement = () => Promise<unknown>

/** The result of a transaction, and the statements that end it. */
export class TransactionEnd<T> {
  readonly result: T
  readonly last: LastStatement[]
  constructor(result: T, last: LastStatement[]) {
    this.result = result
    this.last = last
  }
}

/**
 * A connection in the scope of some organizations. Each statement is prepared once per connection, so texts are
 * constants and values are parameters.
 */
export type Db = {
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** The first row, or undefined. */
  row<Row extends object>(text: string, values?: unknown[]): Promise<Row | undefined>
  /** The first column of the first row: JSON text that PostgreSQL built, ready to send. */
  json(text: string, values?: unknown[]): Promise<string | undefined>
  /**
   * Sends writes whose results are not used. A transaction waits for them at its end. If one fails, the next statement
   * that is awaited fails with its error.
   */
  send(writes: (Promise<unknown> | false | undefined)[]): Promise<void>
  /**
   * Calls `react` after the commit. Outside a transaction, statements commit one by one, and it is called immediately.
   */
  afterCommit(react: () => void): void
  /** How tenants are distributed over several servers. Undefined for one server. */
  distribution: Distribution | undefined
}

/**
 * Every connection is taken with a scope. PostgreSQL neither shows nor changes other rows
 * (docs/design/access/tenant-isolation.md).
 */
export type Database = {
  /** How tenants are distributed over several servers. Undefined for one server. */
  distribution: Distribution | undefined
  /** Autocommit statements of the service itself over a few shared connections. Statements are served round-robin. */
  reads(rows_of: RowsOf): Db
  /**
   * Like `reads`, but for a caller that may send many statements, such as a key. `work` starts when it is the caller's
   * turn.
   */
  inTurnOf<T>(tenant: string, rows_of: RowsOf, work: (reads: Db) => Promise<T>): Promise<T>
  /** Autocommit reads for a caller, such as an organization. Each caller has a limited share of the connections. */
  readsOf(tenant: string, rows_of: RowsOf): Db
  /** Autocommit reads of large values over separate connections, so that no other read waits behind them. */
  files(rows_of: RowsOf): Db
  /**
   * Runs `work` in one transaction, and repeats it after a deadlock or a serialization failure. Its last statements are
   * sent together with the commit. `lock_timeout_ms`: how long it waits for a lock before it fails with SQLSTATE 55P03.
   * By default there is no limit.
   */
  transaction<T>(
    rows_of: RowsOf,
    work: (db: Db) => Promise<T | TransactionEnd<T>>,
    lock_timeout_ms?: number,
  ): Promise<T>
  /** Like `transaction`, but over a separate pool, so that jobs that wait for a lock use no connections of requests. */
  transactionOfJob: Database['transaction']
  /** The queue in which writes wait, without a connection, for the lock of their organization or employer. */
  lock_queue: FairQueue
  /**
   * Limits the writes that run concurrently within an organization, so that connections remain for other
   * organizations. Such a write passes this queue before `lock_queue`.
   */
  concurrent_writes: FairQueue
  /** Milliseconds that a request waits for its turn, and then for a lock. */
  timeout_ms: number
  pool: pg.Pool
  close(): Promise<void>
}

/** Sends one statement of a connection, under the name by which PostgreSQL prepares it. */
export type Execute = (query: pg.QueryConfig, statement: string) => Promise<StatementResult>
