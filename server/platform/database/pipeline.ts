import pg from 'pg'
import { scope_setting } from './rows-of.ts'
import { onceMore } from './session.ts'

/** An error that PostgreSQL itself answered, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/** A query, and whose rows it may touch, as `scopeOf` says that. */
export type ScopedQuery = pg.QueryConfig & { scope: string }

/** Answers no row, and is prepared once per connection. */
const set_scope = { name: 'scope', text: `select where set_config('${scope_setting}', $1, true) is null` }

/** What we use of the driver's connection to say the scope before a statement. */
type WireConnection = {
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: string[] }): void
  execute(message: object): void
}

/** What the driver's query does when it is sent and answered, which its types don't tell. */
type DriverQuery = new (
  query: pg.QueryConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & {
  prepare(connection: WireConnection): void
  handleCommandComplete(message: object, connection: WireConnection): void
}

/**
 * A statement that takes its scope along: both are sent with one sync behind them, so PostgreSQL takes them for one
 * transaction. The scope ends with it, whatever becomes of it, and where the scope can't be set it does not run.
 * `prepared`: the connection knows how a scope is set.
 */
class Scoped extends (pg.Query as unknown as DriverQuery) {
  readonly #scope: string
  readonly #prepared: boolean
  #is_set = false

  constructor(
    { scope, ...query }: ScopedQuery,
    prepared: boolean,
    callback: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super(query, callback)
    this.#scope = scope
    this.#prepared = prepared
  }

  /** Never as text alone, in which the scope would have no place. */
  requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: WireConnection): void {
    const name = this.#prepared ? set_scope.name : ''
    if (!this.#prepared) connection.parse({ name, text: set_scope.text })
    connection.bind({ statement: name, values: [this.#scope] })
    connection.execute({})
    super.prepare(connection)
  }

  /** The first is that of the scope. */
  override handleCommandComplete(message: object, connection: WireConnection): void {
    if (this.#is_set) super.handleCommandComplete(message, connection)
    this.#is_set = true
  }
}

/** Runs a query with its scope. `prepared`: by a connection that `readyForScopes` has seen. */
export function runScoped(client: pg.ClientBase, query: ScopedQuery, prepared: boolean): Promise<pg.QueryResult> {
  const answered = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(new Scoped(query, prepared, (error, result) => (error ? reject(error) : resolve(result))))
  })
  return answered.catch((error: Error) => {
    // As the driver does: else it would lead to the socket, and not to whoever asked.
    Error.captureStackTrace(error)
    throw error
  })
}

/** Has a connection know how a scope is set. */
export const readyForScopes = async (client: pg.ClientBase): Promise<void> =>
  void (await client.query({ ...set_scope, values: ['-'] }))

const gathering = new WeakSet<object>()

/**
 * Has what is asked over a connection in this turn of the event loop go out together at its end: each system call wakes
 * PostgreSQL, and costs more than all else of a quick read.
 */
function sendTogether({ connection: { stream } }: pg.Client): void {
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
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
  end(): Promise<void>
}

/**
 * Opens a pipeline at the first query, and anew when it breaks, so that the next read works again. Answers come in the
 * order of the queries, so that what comes after a slow one waits for it.
 * `prepared`: the session is ours, also behind a pooler, which may drop the limit that we ask for when we connect. There
 * a prepared read is planned once, not for each of its values: our reads are by key, so the plan is the same, and
 * planning a list takes twice as long as running it.
 */
export function openPipeline(config: pg.ClientConfig, prepared: boolean): Pipeline {
  const limit = config.statement_timeout || 0
  const settings = `set plan_cache_mode = force_generic_plan; set statement_timeout = ${limit}`
  let connecting: Promise<pg.Client> | undefined
  let waiting = 0
  let answered_at = 0
  const connect = () => {
    // Only itself: by the time a client reports its end another may be in its place.
    const forget = () => void (connecting === attempt && (connecting = undefined))
    const attempt = onceMore(async () => {
      const client = new pg.Client({ ...config, pipeline: true })
      client.on('error', () => undefined)
      await client.connect()
      client.on('error', forget)
      client.on('end', forget)
      if (!prepared) return client
      await client.query(settings)
      await readyForScopes(client)
      return client
    })
    attempt.catch(forget)
    return attempt
  }
  return {
    waiting: () => waiting,
    query: async (query, took) => {
      connecting ??= connect()
      const attempt = connecting
      waiting++
      try {
        const client = await attempt
        const sent_at = performance.now()
        sendTogether(client)
        const result = await runScoped(client, query, prepared)
        const now = performance.now()
        took?.(now - Math.max(sent_at, answered_at))
        return result
      } catch (error) {
        if (!isDatabaseError(error) && connecting === attempt) connecting = undefined
        throw error
      } finally {
        answered_at = performance.now()
        waiting--
      }
    },
    end: async () => (await connecting?.catch(() => undefined))?.end(),
  }
}
