import pg from 'pg'
import { atEndOfTurn } from '../../kernel/end-of-turn.ts'
import { scope_setting, session_of_divided, setScope, settings_of_any_session, settings_of_divided } from './rows-of.ts'
import { onceMore, types } from './session.ts'

/** An error that PostgreSQL itself answered, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/**
 * A query, and whose rows it may touch, as `scopeOf` says that. `position`: of a replica, in bytes of the log, up to
 * where it must have come.
 */
export type ScopedQuery = Omit<pg.QueryConfig, 'types'> & { scope: string; position?: number }

/** What a connection sends before each of its statements. It answers no row. */
export type Preface = { name: string; text: string; prepared: boolean; told: boolean; divided: boolean; limit: number }

type Session = {
  /** whether the session is ours, so that what it is told stays with it */
  prepared: boolean
  /** milliseconds that a statement may take; 0: as long as it likes */
  limit: number
  /** whether it leads to a replica, which must be one, and as far as the query says */
  is_replica?: boolean
  /** whether it leads to a server that hands statements on to others */
  divided?: boolean
  /** whether that was told at its start how, since it is ours */
  told?: boolean
}

/** Says the scope; where the session is not ours the limit of time as well, and of a replica how far it must be. */
export function prefaceOf({ prepared, limit, is_replica = false, divided = false, told = false }: Session): Preface {
  const set_scope = `select where set_config('${scope_setting}', $1, true) is null`
  const require_replayed = is_replica ? ' or not require_replayed($2)' : ''
  const set_limit = prepared || limit === 0 ? '' : ` or set_config('statement_timeout', '${limit}', true) is null`
  return { name: 'scope', text: set_scope + require_replayed + set_limit, prepared, told, divided, limit }
}

/** What we use of the driver's connection to say the scope before a statement. */
type WireConnection = {
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: object): void
}

/** What the driver's query does when it is sent and answered, which its types don't tell. */
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
 * A statement that takes its scope along: both are sent with one sync behind them, so PostgreSQL takes them for one
 * transaction. The scope ends with it, whatever becomes of it, and where the scope can't be set it does not run.
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
    // Told as an object, it would be copied property by property, which takes as long as all else here.
    super(text, values, callback)
    this.name = name
    this.#values = position === undefined ? [scope] : [scope, String(position)]
    this.#preface = preface
  }

  /** Never as text alone, in which the scope would have no place. */
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

  /** The first is that of the scope. */
  override handleCommandComplete(message: object, connection: WireConnection): void {
    if (this.#is_set) super.handleCommandComplete(message, connection)
    this.#is_set = true
  }
}

/** Runs a query with its scope. A preface that is prepared is so by `readyForScopes`. */
export function runScoped(client: pg.ClientBase, query: ScopedQuery, preface: Preface): Promise<pg.QueryResult> {
  if (preface.divided) return runDivided(client, query, preface)
  const answered = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(new Scoped(query, preface, (error, result) => (error ? reject(error) : resolve(result))))
  })
  return answered.catch((error: Error) => {
    // As the driver does: else it would lead to the socket, and not to whoever asked.
    Error.captureStackTrace(error)
    throw error
  })
}

/**
 * The same where the server hands statements on: it hands on a scope that is set in a transaction by a statement of its
 * own. They are sent one behind the other; where the scope can't be set, the transaction runs nothing more.
 */
async function runDivided(
  client: pg.ClientBase,
  { scope, ...query }: ScopedQuery,
  { told, limit }: Preface,
): Promise<pg.QueryResult> {
  const unset = told ? [] : [...settings_of_any_session, `set local statement_timeout = ${limit}`]
  const begin = ['begin', ...unset, ...settings_of_divided, setScope(scope)]
  const before = begin.map((text) => client.query(text))
  // With a sync behind it: a limit that is reached as it ends takes the next message, which would be the commit.
  const synced = { ...query, queryMode: 'extended' }
  const answered = client.query(synced)
  const ended = client.query('commit')
  const [answer, ...others] = await Promise.allSettled([answered, ...before, ended])
  for (const { status, reason } of [...others.slice(0, begin.length), answer] as PromiseRejectedResult[])
    if (status === 'rejected') throw reason
  return (answer as PromiseFulfilledResult<pg.QueryResult>).value
}

/** Has a connection know how a scope is set. */
export async function readyForScopes(client: pg.ClientBase, { name, text }: Preface): Promise<void> {
  await client.query({ name, text, values: text.includes('$2') ? ['-', '0'] : ['-'] })
}

const gathering = new WeakSet<object>()

/**
 * Has what is asked over a connection in this turn of the event loop go out together at its end: each system call wakes
 * PostgreSQL, and costs more than all else of a quick read.
 */
export function sendTogether({ connection: { stream } }: pg.Client): void {
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  atEndOfTurn(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

/** A connection that many reads share at once. */
export type Pipeline = {
  /** How many queries have no answer yet. */
  waiting(): number
  /** Runs a query; `took` is told the milliseconds since it was sent, or since what it waited for was answered. */
  query(query: ScopedQuery, took?: (ms: number) => void): Promise<pg.QueryResult>
  /** The next query opens it anew; what waits for an answer gets it still. */
  renew(): void
  /** Hangs up at once: what waits for an answer gets none, and the next query opens it anew. */
  drop(): void
  end(): Promise<void>
}

/** A connection, when it is open, and how many of its queries have no answer yet. */
type SharedSession = { opening: Promise<pg.Client>; client?: pg.Client; waiting: number }

/** Opens one; `onEnd` is told when it has ended, or was never open. */
function openShared(config: pg.ClientConfig, session: Session, preface: Preface, onEnd: () => void): SharedSession {
  const { prepared, told = false, limit } = session
  const opening = onceMore(async () => {
    const client = new pg.Client({ ...config, types, statement_timeout: (prepared || told) && limit, pipeline: true })
    client.on('error', () => undefined)
    await client.connect()
    client.on('error', onEnd)
    client.on('end', onEnd)
    if (prepared) await setUp(client, limit, preface)
    if (told) await client.query(session_of_divided)
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
 * Opens a pipeline at the first query, and anew when it breaks, so that the next read works again. Answers come in the
 * order of the queries, so that what comes after a slow one waits for it.
 * Where the session is ours, a prepared read is planned once, not for each of its values: our reads are by key, so the
 * plan is the same, and planning a list takes twice as long as running it. Its limit is set again once it is connected,
 * since a pooler may drop what is asked for at the start.
 */
export function openPipeline(config: pg.ClientConfig, session: Session): Pipeline {
  const preface = prefaceOf(session)
  let line: SharedSession | undefined
  let waiting = 0
  let answered_at = 0
  const connect = (): SharedSession => {
    // Only itself: by the time a client reports its end another may be in its place.
    const opened: SharedSession = openShared(
      config,
      session,
      preface,
      () => void (line === opened && (line = undefined)),
    )
    return opened
  }
  /** Ends a line that nobody takes any more, when the last has his answer. */
  const endUnused = (left: SharedSession) => {
    if (left !== line && left.waiting === 0) left.opening.then((client) => client.end()).catch(() => undefined)
  }
  return {
    waiting: () => waiting,
    query: async (query, took) => {
      const taken = (line ??= connect())
      taken.waiting++
      waiting++
      try {
        // What waits for nothing goes out in this turn, and is no promise.
        const client = taken.client ?? (await taken.opening)
        const sent_at = performance.now()
        sendTogether(client)
        const result = await runScoped(client, query, preface)
        const now = performance.now()
        took?.(now - Math.max(sent_at, answered_at))
        return result
      } catch (error) {
        if (!isDatabaseError(error) && line === taken) line = undefined
        throw error
      } finally {
        answered_at = performance.now()
        waiting--
        taken.waiting--
        endUnused(taken)
      }
    },
    renew() {
      const left = line
      line = undefined
      if (left) endUnused(left)
    },
    drop() {
      const dropped = line
      line = undefined
      dropped?.opening.then(({ connection }) => connection.stream.destroy()).catch(() => undefined)
    },
    async end() {
      await line?.opening.then((client) => client.end()).catch(() => undefined)
    },
  }
}
