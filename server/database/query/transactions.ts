import type pg from 'pg'
import type { Database, Db, Execute } from './database.ts'
import { isDatabaseError, sendTogether } from './pipeline.ts'
import {
  commit_as_whole,
  scopeOf,
  setScope,
  settings_of_any_session,
  settings_of_divided,
  type RowsOf,
} from './rows-of.ts'
import { limits, types } from './session.ts'

export type LastStatement = () => Promise<unknown>

/** What a transaction is about to answer, and the statements that end it. */
export class TransactionEnd<T> {
  readonly result: T
  readonly last: LastStatement[]
  constructor(result: T, last: LastStatement[]) {
    this.result = result
    this.last = last
  }
}

/**
 * Has a transaction end with statements that go out together with its commit, in this order: what they lock is held for
 * no turn between Node and PostgreSQL. Each is one statement, and takes nothing from the answers of the others. Should
 * one fail, the transaction does, for that.
 */
export const endWith = <T>(result: T, ...last: LastStatement[]): TransactionEnd<T> => new TransactionEnd(result, last)

/**
 * The same one by one: where the commit is another's, several servers take part or one takes several statements.
 * Returns what the transaction answers.
 */
export async function endOneByOne<T>(done: T | TransactionEnd<T>): Promise<T> {
  if (!(done instanceof TransactionEnd)) return done
  for (const tell of done.last) await tell()
  return done.result
}

const setLimits = Object.entries({ ...limits, enable_seqscan: 'off' }).map(
  ([name, value]) => `set local ${name} = ${value}`,
)

const repeatable = new Set(['40001', '40P01'])

/** The server takes no writes: it may have become a replica, and another have taken its place. */
const read_only = '25006'

/** A statement before this one failed. */
const refused_for_another = '25P02'

type Sessions = {
  /** whether tenants are divided over several servers */
  divided: boolean
  /** whether sessions are ours, so that what they are told stays with them */
  is_ours: boolean
  /** whether they were told at their start how statements are handed on */
  told: boolean
  connect: (pool: pg.Pool) => Promise<pg.PoolClient>
  /** Lets go of sessions that lead to a server that takes no writes. */
  letGo: () => void
  over: (execute: Execute) => Db
}

/** SQL, one by one, that begins a transaction. */
function beginning({ divided, is_ours, told }: Sessions, rows_of: RowsOf, lock_timeout_ms: number, reads: boolean) {
  const patience = lock_timeout_ms === 0 ? [] : [`set local lock_timeout = ${lock_timeout_ms}`]
  const limited = [...(is_ours ? [] : setLimits), ...patience]
  const scope = setScope(scopeOf(rows_of))
  if (!divided) return ['begin', ...limited, scope]
  const unset = told ? ['set local enable_seqscan = off'] : settings_of_any_session
  const [how, as_whole] = reads ? ['begin read only', []] : ['begin', [commit_as_whole]]
  return [how, ...unset, ...settings_of_divided, ...limited, scope, ...as_whole]
}

/** A transaction that has begun, and how it ends. */
function openTransaction(client: pg.PoolClient, { over }: Sessions) {
  let failed: unknown
  let [is_over, is_ended] = [false, false]
  // What was sent behind a statement that failed is refused for that alone: whoever waits for it hears why.
  const run: Execute = (query) => {
    if (is_over) return Promise.reject(new Error('A statement came behind the commit of its transaction.'))
    return client.query({ ...query, types }).catch((error: unknown) => {
      if (!isDatabaseError(error) || error.code !== refused_for_another) failed = error
      throw failed ?? error
    })
  }

  /** Sends the last statements and the commit behind them, unless one fails before it is sent. */
  const end = async (last: LastStatement[]): Promise<void> => {
    if (last.length > 0) sendTogether(client)
    let is_unsent = false
    const said = last.map((tell) => tell())
    for (const each of said) each.catch(() => (is_unsent = true))
    // What fails in Node alone is known by then, and PostgreSQL would commit the others.
    await new Promise<void>(process.nextTick)
    if (is_unsent) await Promise.all(said)
    is_over = true
    const [committed, ...heard] = await Promise.allSettled([client.query('commit'), ...said])
    is_ended = committed.status === 'fulfilled'
    for (const outcome of [...heard, committed]) if (outcome.status === 'rejected') throw outcome.reason
    const { command } = (committed as PromiseFulfilledResult<pg.QueryResult>).value
    if (command !== 'COMMIT') throw failed ?? new Error('PostgreSQL rolled a transaction back.')
  }
  return { db: over(run), end, isEnded: () => is_ended }
}

/** Transactions over a pool. Those that PostgreSQL asks to repeat are, and those that it took for no writes. */
export function openTransactions(sessions: Sessions): (of: pg.Pool) => Database['transaction'] {
  const { divided, connect, letGo } = sessions

  const once = async <T>(
    of: pg.Pool,
    work: (db: Db) => Promise<T | TransactionEnd<T>>,
    begin: string[],
  ): Promise<T> => {
    const client = await connect(of)
    const opened = openTransaction(client, sessions)
    let broken: Error | undefined
    try {
      // Divided, each goes by itself: what is set is told to the others by the text in which it came.
      await (divided ? Promise.all(begin.map((text) => client.query(text))) : client.query(begin.join('; ')))
      const done = await work(opened.db)
      if (divided || !(done instanceof TransactionEnd)) {
        const result = await endOneByOne(done)
        await opened.end([])
        return result
      }
      await opened.end(done.last)
      return done.result
    } catch (error) {
      if (!opened.isEnded()) await client.query('rollback').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  // Divided, each transaction begins with a write: one that only reads is refused for that alone, and goes on without.
  const most_refused = divided ? 3 : 2
  return (of) =>
    async (rows_of, work, lock_timeout_ms = 0) => {
      for (let attempt = 1, only_reads = false; ; attempt++) {
        try {
          return await once(of, work, beginning(sessions, rows_of, lock_timeout_ms, only_reads))
        } catch (error) {
          if (!isDatabaseError(error)) throw error
          const turned_read_only = error.code === read_only
          if (turned_read_only) letGo()
          if (attempt === (turned_read_only ? most_refused : 4)) throw error
          only_reads = turned_read_only && attempt === 2
          if (!turned_read_only && !repeatable.has(error.code ?? '')) throw error
        }
      }
    }
}
