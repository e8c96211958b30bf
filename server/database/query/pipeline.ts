import pg from 'pg'
import type { Distribution } from './distribution.ts'
import { scope_setting, setScope } from './rows-of.ts'
import { retryWithNewPassword, types } from './session.ts'

/** An error from PostgreSQL, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/** A query with its scope. `position`: the byte of the log up to which a replica must have replayed. */
export type ScopedQuery = Omit<pg.QueryConfig, 'types'> & { scope: string; position?: number }

/** The statement that a connection sends before each of its queries. It returns no row. */
export type Preface = Pick<Session, 'prepared' | 'limit' | 'distribution' | 'is_set_up'> & {
  name: string
  text: string
}

type Session = {
  /** whether the session is ours and prepares statements */
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
 * The preface sets the scope, and the time limit if a pooler owns the session. It also checks how far a replica has
 * replayed the log.
 */
export function prefaceOf({ prepared, limit, is_replica = false, distribution, is_set_up }: Session): Preface {
  const set_scope = `select where set_config('${scope_setting}', $1, true) is null`
  const require_replayed = is_replica ? ' or not require_replayed($2)' : ''
  const set_limit = prepared || limit === 0 ? '' : ` or set_config('statement_timeout', '${limit}', true) is null`
  return { name: 'scope', text: set_scope + require_replayed + set_limit, prepared, distribution, is_set_up, limit }
}

/** The part of the driver's connection that sends the scope before a statement. */
type WireConnection = {
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: object): void
}

/** The driver's query, with the methods that its types leave out. */
type DriverQuery = new (
  text: string,
  values: unknown[] | undefined,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & {
  name: string | undefined
  prepare(connection: WireConnection): void
  handleCommandComplete(message: object, connection: WireConnection): void
}

/**
 * A statement with its scope. Both are sent with a single sync after them, so PostgreSQL runs them as one transaction.
 * The scope always ends with it, and the statement does not run if the scope cannot be set.
 */
class Scoped extends (pg.Query as unknown as DriverQuery) {
  readonly #values: string[]
  readonly #preface: Preface
  #is_set = false

  constructor(
    { scope, position, text, values, name }: ScopedQuery,
    preface: Preface,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    // The driver would copy an object property by property, which takes as long as everything else here.
    super(text, values, callback)
    this.name = name
    this.#values = position === undefined ? [scope] : [scope, String(position)]
    this.#preface = preface
  }

  /** A simple query would leave no room for the scope. */
  requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: WireConnection): void {
    const { prepared, text } = this.#preface
    const name = prepared ? this.#preface.name : ''
    if (!prepared) connection.parse({ name, text })
    connection.bind({ statement: name, values: this.#values })
    connection.execute({})
    super.prepare(connection)
  }

  /** The first completion belongs to the preface. */
  override handleCommandComplete(message: object, connection: WireConnection): void {
    if (this.#is_set) super.handleCommandComplete(message, connection)
    this.#is_set = true
  }
}

/** Runs a query with its scope. `readyForScopes` prepares the preface. */
export function runScoped(client: pg.ClientBase, query: ScopedQuery, preface: Preface): Promise<pg.QueryResult> {
  if (preface.distribution) return runDistributed(client, query, preface, preface.distribution)
  const answered = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(new Scoped(query, preface, (error, result) => (error ? reject(error) : resolve(result))))
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
  { is_set_up, limit }: Preface,
  { session_of_pooler, transaction }: Distribution,
): Promise<pg.QueryResult> {
  const unset = is_set_up ? [] : [...session_of_pooler, `set local statement_timeout = ${limit}`]
  const begin = ['begin', ...unset, ...transaction, setScope(scope)]
  const before = begin.map((text) => client.query(text))
  // The query has its own sync. Otherwise a time limit that expires at its end would cancel the next message, the
  // commit.
  const synced = { ...query, queryMode: 'extended' }
  const answered = client.query(synced)
  const ended = client.query('commit')
  const [answer, ...others] = await Promise.allSettled([answered, ...before, ended])
  for (const { status, reason } of [...others.slice(0, begin.length), answer] as PromiseRejectedResult[])
    if (status === 'rejected') throw reason
  return (answer as PromiseFulfilledResult<pg.QueryResult>).value
}

/** Prepares the preface of a connection. */
export async function readyForScopes(client: pg.ClientBase, { name, text }: Preface): Promise<void> {
  await client.query({ name, text, values: text.includes('$2') ? ['-', '0'] : ['-'] })
}

let pending_work: (() => void)[] | undefined

/** Runs `work` at the end of this turn of the event loop, after all events that arrived in it. */
export function atEndOfTurn(work: () => void): void {
  if (!pending_work) {
    pending_work = []
    setImmediate(endTurn)
  }
  pending_work.push(work)
}

function endTurn(): void {
  try {
    // Work that is added meanwhile runs in the same turn.
    for (const work of pending_work!) work()
  } finally {
    pending_work = undefined
  }
}

const pipelined = new WeakSet<object>()

/**
 * Sends all queries of a connection together at the end of this turn of the event loop. Each system call wakes
 * PostgreSQL and costs more than the rest of a quick read.
 */
export function sendPipelined({ connection: { stream } }: pg.Client): void {
  if (pipelined.has(stream)) return
  pipelined.add(stream)
  stream.cork()
  atEndOfTurn(() => {
    pipelined.delete(stream)
    stream.uncork()
  })
}

/** A connection that many reads share at the same time. */
export type Pipeline = {
  /** How many queries are in progress. */
  waiting(): number
  /** Runs a query. `took` receives the milliseconds since it was sent, or since the previous query ended. */
  query(query: ScopedQuery, took?: (ms: number) => void): Promise<pg.QueryResult>
  /** Makes the next query open a new connection. Queries in progress still get their results. */
  renew(): void
  /** Closes the connection immediately. Queries in progress fail, and the next query opens a new connection. */
  drop(): void
  end(): Promise<void>
}

/** A connection that is open or opening, and the number of its queries in progress. */
type SharedSession = { opening: Promise<pg.Client>; client?: pg.Client; waiting: number }

/** Opens a connection. `onEnd` is called when it ends or could not open. */
function openShared(config: pg.ClientConfig, session: Session, preface: Preface, onEnd: () => void): SharedSession {
  const { prepared, distribution, is_set_up = false, limit } = session
  const opening = retryWithNewPassword(async () => {
    const client = new pg.Client({
      ...config,
      types,
      statement_timeout: (prepared || is_set_up) && limit,
      pipeline: true,
    })
    client.on('error', () => undefined)
    await client.connect()
    client.on('error', onEnd)
    client.on('end', onEnd)
    if (prepared) await setUp(client, limit, preface)
    if (is_set_up) await client.query(distribution!.session)
    return client
  })
  const opened: SharedSession = { opening, waiting: 0 }
  opening.then((client) => void (opened.client = client), onEnd)
  return opened
}

async function setUp(client: pg.Client, limit: number, preface: Preface): Promise<void> {
  try {
    await client.query(`set plan_cache_mode = force_generic_plan; set statement_timeout = ${limit}`)
    await readyForScopes(client, preface)
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/**
 * Opens a connection at the first query, and a new one after it breaks. Results arrive in the order of the queries, so
 * a query waits for slow ones before it.
 *
 * If the session is ours, a prepared read is planned once for all values: reads are by key, so the plan is the same,
 * and planning a list takes twice as long as running it. The time limit is set again after connecting, because a pooler
 * may drop settings of the startup message.
 */
export function openPipeline(config: pg.ClientConfig, session: Session): Pipeline {
  const preface = prefaceOf(session)
  let current: SharedSession | undefined
  let waiting = 0
  let answered_at = 0
  const connect = (): SharedSession => {
    // A connection may already be replaced when it reports its end.
    const opened: SharedSession = openShared(
      config,
      session,
      preface,
      () => void (current === opened && (current = undefined)),
    )
    return opened
  }
  /** Closes a replaced connection after its last result. */
  const endUnused = (left: SharedSession) => {
    if (left !== current && left.waiting === 0) left.opening.then((client) => client.end()).catch(() => undefined)
  }
  return {
    waiting: () => waiting,
    query: async (query, took) => {
      const taken = (current ??= connect())
      taken.waiting++
      waiting++
      try {
        // An open connection is used in this turn, without awaiting a promise.
        const client = taken.client ?? (await taken.opening)
        const sent_at = performance.now()
        sendPipelined(client)
        const result = await runScoped(client, query, preface)
        const now = performance.now()
        took?.(now - Math.max(sent_at, answered_at))
        return result
      } catch (error) {
        if (!isDatabaseError(error) && current === taken) current = undefined
        throw error
      } finally {
        answered_at = performance.now()
        waiting--
        taken.waiting--
        endUnused(taken)
      }
    },
    renew() {
      const left = current
      current = undefined
      if (left) endUnused(left)
    },
    drop() {
      const dropped = current
      current = undefined
      dropped?.opening.then(({ connection }) => connection.stream.destroy()).catch(() => undefined)
    },
    async end() {
      await current?.opening.then((client) => client.end()).catch(() => undefined)
    },
  }
}
