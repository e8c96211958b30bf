import pg from 'pg'
import type { Distribution } from './distribution.ts'
import { scope_setting, setScope } from './rows-of.ts'

/** An error from PostgreSQL, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/** A query with its scope. `position`: the byte of the log up to which a replica must have replayed. */
export type ScopedQuery = Omit<pg.QueryConfig, 'types'> & { scope: string; position?: number }

/** The part of the driver's result that we use. */
export type StatementResult = Pick<pg.QueryResult, 'rows' | 'fields'>

export type Session = {
  /** whether no pooler shares the session, so that it can prepare statements */
  prepared: boolean
  /** milliseconds that a statement may take; 0 for no limit */
  limit: number
  /** whether it connects to a replica, which must have replayed the log up to the position of the query */
  is_replica?: boolean
  /** how tenants are distributed over several servers, and whether the session is set up for that when it opens */
  distribution?: Distribution | undefined
  is_set_up?: boolean | undefined
}

/**
 * The preface of a query. It sets the scope and checks how far a replica has replayed the log. If a pooler owns the
 * session, it also sets the time limit, and plans with indexes, see `plan_as_checked`. It returns no row.
 */
function prefaceOf({ prepared, limit, is_replica = false }: Session): string {
  const set_scope = `select where set_config('${scope_setting}', $1, true) is null`
  const require_replayed = is_replica ? ' or not require_replayed($2)' : ''
  const set_limit = prepared || limit === 0 ? '' : ` or set_config('statement_timeout', '${limit}', true) is null`
  const plan_with_indexes = prepared ? '' : ` or set_config('enable_seqscan', 'off', true) is null`
  return set_scope + require_replayed + set_limit + plan_with_indexes
}

/** The name under which a connection prepares its preface. */
const preface_name = 'scope'

export async function preparePreface(client: pg.ClientBase, session: Session): Promise<void> {
  await client.query({ name: preface_name, text: prefaceOf(session), values: session.is_replica ? ['-', '0'] : ['-'] })
}

/** The part of the driver's connection that sends the preface. */
type WireConnection = {
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: object): void
}

type QueryCallback = (error: Error | null, result: pg.QueryResult) => void

/** The driver's query, with the methods that its types leave out. */
type DriverQuery = new (
  text: string,
  values: unknown[] | undefined,
  callback: QueryCallback,
) => pg.Submittable & {
  name: string | undefined
  prepare(connection: WireConnection): void
  handleCommandComplete(message: object, connection: WireConnection): void
}

/**
 * A query with its preface. Both are sent with a single sync after them, so PostgreSQL runs them as one transaction.
 * The scope always ends with it, and the query does not run if the scope cannot be set.
 */
class QueryWithPreface extends (pg.Query as unknown as DriverQuery) {
  readonly #query: ScopedQuery
  readonly #session: Session
  #is_scope_set = false

  constructor(query: ScopedQuery, session: Session, callback: QueryCallback) {
    // The driver would copy an object property by property, which takes as long as everything else here.
    super(query.text, query.values, callback)
    this.name = query.name
    this.#query = query
    this.#session = session
  }

  /** A simple query would leave no room for the preface. */
  requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: WireConnection): void {
    const { scope, position } = this.#query
    const statement = this.#session.prepared ? preface_name : ''
    if (!statement) connection.parse({ name: statement, text: prefaceOf(this.#session) })
    connection.bind({ statement, values: position === undefined ? [scope] : [scope, String(position)] })
    connection.execute({})
    super.prepare(connection)
  }

  /** The first completion belongs to the preface. */
  override handleCommandComplete(message: object, connection: WireConnection): void {
    if (this.#is_scope_set) super.handleCommandComplete(message, connection)
    this.#is_scope_set = true
  }
}

/** Runs a query with its scope. If the session prepares statements, `preparePreface` must have run. */
export function runScoped(client: pg.ClientBase, query: ScopedQuery, session: Session): Promise<pg.QueryResult> {
  if (session.distribution) return runDistributed(client, query, session, session.distribution)
  const answered = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(new QueryWithPreface(query, session, (error, result) => (error ? reject(error) : resolve(result))))
  })
  return answered.catch((error: Error) => {
    // Like the driver, sets the stack trace here, so that it leads to the caller and not to the socket.
    Error.captureStackTrace(error)
    throw error
  })
}

/**
 * Runs a query with its scope on a distributed database, which passes settings on to other servers only if they are
 * statements of a transaction. All statements are sent at the same time. If the scope cannot be set, PostgreSQL refuses
 * the statements after it.
 */
async function runDistributed(
  client: pg.ClientBase,
  { scope, ...query }: ScopedQuery,
  { is_set_up, limit }: Session,
  { session_of_pooler, transaction }: Distribution,
): Promise<pg.QueryResult> {
  const unset = is_set_up ? [] : [...session_of_pooler, `set local statement_timeout = ${limit}`]
  const before = ['begin', ...unset, ...transaction, setScope(scope)].map((text) => client.query(text))
  // The query has its own sync. Otherwise a time limit that expires at its end would cancel the next message, the
  // commit.
  const answered = client.query({ ...query, queryMode: 'extended' } as pg.QueryConfig)
  const [answer, ...others] = await Promise.allSettled([answered, ...before, client.query('commit')])
  for (const outcome of [...others.slice(0, before.length), answer])
    if (outcome.status === 'rejected') throw outcome.reason
  return (answer as PromiseFulfilledResult<pg.QueryResult>).value
}
