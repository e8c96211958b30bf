import pg from 'pg'
import { isDatabaseError, preparePreface, runScoped, type ScopedQuery, type Session } from './scoped-query.ts'
import { plan_as_checked, retryWithNewPassword, types } from './session.ts'

/**
 * Sends all queries of a connection together after the events of this turn of the event loop. Each system call wakes
 * PostgreSQL and costs more than the rest of a quick read.
 */
export function sendPipelined({ connection: { stream } }: pg.Client): void {
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** A connection that many reads share at the same time. */
export type Pipeline = {
  /** The number of queries in progress. */
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
type SharedConnection = { opening: Promise<pg.Client>; client?: pg.Client; waiting: number }

/**
 * Opens a connection. If the session is ours, a prepared read is planned once for all values: reads are by key, so the
 * plan is the same, and planning a list takes twice as long as running it. The time limit is set again after
 * connecting, because a pooler may drop settings of the startup message. `onEnd` is called when an open connection
 * ends.
 */
async function connect(config: pg.ClientConfig, session: Session, onEnd: () => void): Promise<pg.Client> {
  const { prepared, distribution, is_set_up = false, limit } = session
  const statement_timeout = (prepared || is_set_up) && limit
  const client = new pg.Client({ ...config, types, statement_timeout, pipeline: true })
  client.on('error', () => undefined)
  await client.connect()
  client.on('error', onEnd)
  client.on('end', onEnd)
  try {
    if (prepared) {
      await client.query(`${plan_as_checked}; set statement_timeout = ${limit}`)
      await preparePreface(client, session)
    }
    if (is_set_up) await client.query(distribution!.session)
    return client
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

/**
 * Opens a connection at the first query, and a new one after it breaks. Results arrive in the order of the queries, so
 * a query waits for slow ones before it.
 */
export function openPipeline(config: pg.ClientConfig, session: Session): Pipeline {
  let current: SharedConnection | undefined
  let answered_at = 0
  const open = (): SharedConnection => {
    // A connection may already be replaced when it reports its end.
    const forget = () => void (current === opened && (current = undefined))
    const opening = retryWithNewPassword(() => connect(config, session, forget))
    const opened: SharedConnection = { opening, waiting: 0 }
    opening.then((client) => void (opened.client = client), forget)
    return opened
  }
  const close = async (connection?: SharedConnection) =>
    connection?.opening.then((client) => client.end()).catch(() => undefined)
  return {
    waiting: () => current?.waiting ?? 0,
    query: async (query, took) => {
      const taken = (current ??= open())
      taken.waiting++
      try {
        // An open connection is used in this turn, without awaiting a promise.
        const client = taken.client ?? (await taken.opening)
        const sent_at = performance.now()
        sendPipelined(client)
        const result = await runScoped(client, query, session)
        took?.(performance.now() - Math.max(sent_at, answered_at))
        return result
      } catch (error) {
        if (!isDatabaseError(error) && current === taken) current = undefined
        throw error
      } finally {
        answered_at = performance.now()
        taken.waiting--
        // A replaced connection closes after its last result.
        if (taken !== current && taken.waiting === 0) void close(taken)
      }
    },
    renew() {
      const left = current
      current = undefined
      if (left?.waiting === 0) void close(left)
    },
    drop() {
      current?.opening.then(({ connection }) => connection.stream.destroy()).catch(() => undefined)
      current = undefined
    },
    end: async () => close(current),
  }
}
