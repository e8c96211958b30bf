import pg from 'pg'

/** An error that PostgreSQL itself answered, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

/** A connection that many reads share at once. */
export type Pipeline = {
  /** How many queries have no answer yet. */
  waiting(): number
  /** Runs a query; `took` is told the milliseconds since it was sent, or since what it waited for was answered. */
  query(query: pg.QueryConfig, took?: (ms: number) => void): Promise<pg.QueryResult>
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
    const client = new pg.Client({ ...config, pipeline: true })
    const attempt = client.connect().then(async () => {
      if (prepared) await client.query(settings)
      return client
    })
    // Only itself: by the time a client reports its end another may be in its place.
    const forget = () => void (connecting === attempt && (connecting = undefined))
    client.on('error', forget)
    client.on('end', forget)
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
        const result = await client.query(query)
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
