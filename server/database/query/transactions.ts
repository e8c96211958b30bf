/**
 * Transactions with a scope.
 *
 *     begin; set local openbenefits.organizations = '<rows_of>'   sent with the first statements of the action
 *     work(db)                                                    statements of the action
 *     last statements; commit                                     one message, see `commitWith`
 *
 * Statements of one turn of the event loop are sent in one message, and PostgreSQL runs them in order. So an action
 * should start all statements that do not use each other's results, and then await them: that is one round trip.
 *
 * A transaction runs again after a deadlock or a serialization failure, once after a unique value was taken, and once
 * on a new connection if its server has become a read-only replica.
 */
import type pg from 'pg'
import { TransactionEnd, type Database, type Db, type Execute, type LastStatement } from './database.ts'
import type { Distribution } from './distribution.ts'
import { sendPipelined } from './pipeline.ts'
import { scopeOf, setScope, type RowsOf } from './rows-of.ts'
import { isDatabaseError } from './scoped-query.ts'
import { limits, types } from './session.ts'

/**
 * Ends a transaction with statements that are sent together with its commit, in this order, so that no round trip holds
 * their locks. They must not use each other's results. If one fails, the transaction fails.
 */
export const commitWith = <T>(result: T, ...last: LastStatement[]): TransactionEnd<T> =>
  new TransactionEnd(result, last)

/**
 * Runs the last statements one by one and returns the result. Used by callers that commit themselves, for a distributed
 * database, and for an end that needs several statements.
 */
export async function runLastStatements<T>(done: T | TransactionEnd<T>): Promise<T> {
  if (!(done instanceof TransactionEnd)) return done
  for (const run of done.last) await run()
  return done.result
}

const setLimits = Object.entries({ ...limits, enable_seqscan: 'off' }).map(
  ([name, value]) => `set local ${name} = ${value}`,
)

const repeatable = new Set(['40001', '40P01'])

/** Another transaction took a unique value after this one had checked it. The next attempt finds it. */
const taken_meanwhile = '23505'

/** The server accepts no writes. It may have become a replica of a new primary. */
const read_only = '25006'

/** An earlier statement of the transaction failed. */
const refused_for_another = '25P02'

type Sessions = {
  /** how tenants are distributed over several servers */
  distribution: Distribution | undefined
  /** whether sessions are ours, so that their settings persist; false behind a pooler */
  is_ours: boolean
  /** whether `distribution.session` ran when the sessions opened */
  is_set_up: boolean
  connect: (pool: pg.Pool) => Promise<pg.PoolClient>
  /** Closes sessions of a read-only server. */
  renewSessions: () => void
  over: (execute: Execute) => Db
}

function beginStatements(
  { distribution, is_ours, is_set_up }: Sessions,
  rows_of: RowsOf,
  lock_timeout_ms: number,
  reads: boolean,
) {
  const lock_timeout = lock_timeout_ms === 0 ? [] : [`set local lock_timeout = ${lock_timeout_ms}`]
  const limited = [...(is_ours ? [] : setLimits), ...lock_timeout]
  const scope = setScope(scopeOf(rows_of))
  if (!distribution) return ['begin', ...limited, scope]
  const { session_of_pooler, transaction, writing_transaction } = distribution
  const unset = is_set_up ? ['set local enable_seqscan = off'] : session_of_pooler
  const [begin_text, writing] = reads ? ['begin read only', []] : ['begin', writing_transaction]
  return [begin_text, ...unset, ...transaction, ...limited, scope, ...writing]
}

/** A transaction that has begun. */
function openTransaction(client: pg.PoolClient, { over, distribution }: Sessions) {
  let failed: unknown
  const sent: Promise<unknown>[] = []
  let [is_over, is_ended] = [false, false]
  // PostgreSQL refuses all statements after a failed one. Reject each with the error of the failed one.
  const run: Execute = (query) => {
    if (is_over) return Promise.reject(new Error('A statement was sent after its transaction had ended.'))
    sendPipelined(client)
    return client.query({ ...query, types }).catch((error: unknown) => {
      if (!isDatabaseError(error) || error.code !== refused_for_another) failed = error
      throw failed ?? error
    })
  }

  /**
   * Sends the beginning together with the first statements. If the beginning fails, PostgreSQL refuses these statements
   * too, because their transaction has failed or they have no scope. A distribution passes each setting on as text, so
   * each is sent separately.
   */
  const begin = async (texts: string[]): Promise<void> => {
    if (distribution) return void (await Promise.all(texts.map((text) => client.query(text))))
    sendPipelined(client)
    client.query(texts.join('; ')).catch((error: unknown) => (failed = error))
  }

  /** Sends the last statements and the commit after them, unless one fails before it is sent. */
  const end = async (last: LastStatement[]): Promise<void> => {
    await Promise.all(sent)
    if (last.length > 0) sendPipelined(client)
    let is_unsent = false
    const closing = last.map((run) => run())
    for (const each of closing) each.catch(() => (is_unsent = true))
    // A statement that fails in Node, before it is sent, rejects by the next tick. Wait for that, because otherwise
    // PostgreSQL would commit the other statements without it.
    await new Promise<void>(process.nextTick)
    if (is_unsent) await Promise.all(closing)
    is_over = true
    const [committed, ...results] = await Promise.allSettled([client.query('commit'), ...closing])
    is_ended = committed.status === 'fulfilled'
    for (const outcome of [...results, committed]) if (outcome.status === 'rejected') throw outcome.reason
    const { command } = (committed as PromiseFulfilledResult<pg.QueryResult>).value
    if (command !== 'COMMIT') throw failed ?? new Error('PostgreSQL rolled back a transaction.')
  }
  /**
   * Rolls back. A failed action may still start statements, which must not reach the next transaction of the session.
   */
  const rollBack = async (): Promise<void> => {
    is_over = true
    if (!is_ended) await client.query('rollback')
  }

  const send: Db['send'] = async (writes) => {
    const written = Promise.all(writes)
    if (distribution) return void (await written)
    written.catch(() => undefined)
    sent.push(written)
  }
  return { db: { ...over(run), send }, begin, end, rollBack }
}

/** Transactions over a pool, with their retries. */
export function openTransactions(sessions: Sessions): (pool: pg.Pool) => Database['transaction'] {
  const { distribution, connect, renewSessions } = sessions

  const once = async <T>(
    pool: pg.Pool,
    work: (db: Db) => Promise<T | TransactionEnd<T>>,
    begin: string[],
  ): Promise<T> => {
    const client = await connect(pool)
    const opened = openTransaction(client, sessions)
    const reactions: (() => void)[] = []
    let broken: Error | undefined
    try {
      await opened.begin(begin)
      const done = await work({ ...opened.db, afterCommit: (react) => void reactions.push(react) })
      const is_sent_with_commit = !distribution && done instanceof TransactionEnd
      const result = is_sent_with_commit ? done.result : await runLastStatements(done)
      await opened.end(is_sent_with_commit ? done.last : [])
      for (const react of reactions) react()
      return result
    } catch (error) {
      await opened.rollBack().catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  // In a distributed database each transaction begins with a write. A read-only server refuses that, so the transaction
  // runs once more as read only.
  const max_read_only_attempts = distribution ? 3 : 2
  return (pool) =>
    async (rows_of, work, lock_timeout_ms = 0) => {
      for (let attempt = 1, only_reads = false; ; attempt++) {
        try {
          return await once(pool, work, beginStatements(sessions, rows_of, lock_timeout_ms, only_reads))
        } catch (error) {
          if (!isDatabaseError(error)) throw error
          const turned_read_only = error.code === read_only
          if (turned_read_only) renewSessions()
          if (attempt === (turned_read_only ? max_read_only_attempts : 4)) throw error
          only_reads = turned_read_only && attempt === 2
          const is_taken = error.code === taken_meanwhile && attempt === 1
          if (!turned_read_only && !is_taken && !repeatable.has(error.code ?? '')) throw error
        }
      }
    }
}

/**
 * Runs `work`, rolls back everything that it wrote, and returns its outcome. Use it to learn the effect of a change
 * that only the real statements can compute.
 */
export async function rolledBack<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await db.rows('savepoint before')
  const outcome = await work()
  await db.rows('rollback to savepoint before')
  return outcome
}
