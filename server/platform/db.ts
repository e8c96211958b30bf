import pg from 'pg'

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
}

export type Database = {
  /** Autocommit reads over a few shared, pipelined connections. */
  reads: Db
  /** Runs `work` in one transaction; repeats it when PostgreSQL asks for that (deadlock, serialization). */
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
  pool: pg.Pool
  close(): Promise<void>
}

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins
const asText = (text: string) => text

/** Days stay text, counters become numbers, instants stay text: nothing becomes a local `Date`. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') => {
    if (oid === DATE || oid === TIMESTAMPTZ) return asText
    if (oid === INT8) return Number
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) names.set(text, (name = `s${names.size + 1}`))
  return name
}

function over(execute: (query: pg.QueryConfig) => Promise<pg.QueryResult>, prepared: boolean): Db {
  const run = (text: string, values: unknown[] = []) =>
    execute(prepared ? { name: nameOf(text), text, values, types } : { text, values, types })
  return {
    rows: async <Row extends object>(text: string, values?: unknown[]) => (await run(text, values)).rows as Row[],
    row: async <Row extends object>(text: string, values?: unknown[]) =>
      (await run(text, values)).rows[0] as Row | undefined,
    json: async (text, values) => {
      const { rows, fields } = await run(text, values)
      return rows[0]?.[fields[0]!.name] ?? undefined
    },
  }
}

/**
 * A connection that many reads share at once; replaced when it breaks, so that the next read works again.
 * `generic_plans`: plan a prepared read once, not for each of its values. Our reads are by key, so the plan is
 * the same, and planning a list takes twice as long as running it.
 */
function pipelinedClient(config: pg.ClientConfig, generic_plans: boolean) {
  let connecting: Promise<pg.Client> | undefined
  let waiting = 0
  const connect = () => {
    const client = new pg.Client({ ...config, pipeline: true })
    const attempt = client.connect().then(async () => {
      if (generic_plans) await client.query('set plan_cache_mode = force_generic_plan')
      return client
    })
    // Only itself: by the time a client reports its end another may be in its place.
    const forget = () => void (connecting === attempt && (connecting = undefined))
    client.on('error', forget)
    client.on('end', forget)
    return attempt
  }
  return {
    /** How many queries have no answer yet. */
    waiting: () => waiting,
    query: async (query: pg.QueryConfig) => {
      connecting ??= connect()
      const attempt = connecting
      waiting++
      try {
        return await (await attempt).query(query)
      } catch (error) {
        if (!isDatabaseError(error) && connecting === attempt) connecting = undefined
        throw error
      } finally {
        waiting--
      }
    },
    end: async () => (await connecting?.catch(() => undefined))?.end(),
  }
}

/** An error that PostgreSQL itself answered, with its SQLSTATE in `code`. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError => error instanceof pg.DatabaseError

const repeatable = new Set(['40001', '40P01'])

export type DatabaseOptions = {
  url: string
  /** false behind a pooler that can't keep named statements (PgBouncer before 1.21) */
  prepared_statements?: boolean
  read_connections?: number
  write_connections?: number
}

/** Opens the connections: lazily, so that this never fails; the first query does when the database is away. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, prepared_statements = true, read_connections = 4, write_connections = 10 } = options
  const config = {
    connectionString: url,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'openbenefits',
  }
  const clients = Array.from({ length: read_connections }, () => pipelinedClient(config, prepared_statements))
  // Answers come in the order of the queries, so that what comes after a slow one waits for it.
  const leastBusy = () => clients.reduce((least, client) => (client.waiting() < least.waiting() ? client : least))
  const reads = over((query) => leastBusy().query(query), prepared_statements)
  const pool = new pg.Pool({
    ...config,
    max: write_connections,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
  })
  // A connection that dies is reported by the query that needs it; an error event without a listener would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const once = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(over((query) => client.query(query), prepared_statements))
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    reads,
    pool,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work)
        } catch (error) {
          if (attempt === 4 || !isDatabaseError(error) || !repeatable.has(error.code ?? '')) throw error
        }
      }
    },
    async close() {
      await Promise.all([pool.end(), ...clients.map((client) => client.end())])
    },
  }
}
