import pg from 'pg'

/**
 * The address of a database for a role. `password` returns the current password if the one in `url` may be replaced.
 */
export type DatabaseAddress = { url: string; password?: Password | undefined }

export type Password = () => Promise<string>

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins
const asText = (text: string) => text

/** Days and instants stay text and counters become numbers, so nothing becomes a local `Date`. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') => {
    if (oid === DATE || oid === TIMESTAMPTZ) return asText
    if (oid === INT8) return Number
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

/** The configuration with which the driver opens a session. */
export function sessionOf({ url, password }: DatabaseAddress): pg.ClientConfig {
  // The driver does not call a password function if it has a connection string.
  if (!password) return { connectionString: url }
  const { hostname, username, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  return { host, port: Number(port), user: username, database: pathname.slice(1), password, ssl: false }
}

const wrong_password = '28P01'

const isWrongPassword = (error: unknown) => error instanceof pg.DatabaseError && error.code === wrong_password

/** Each replacement of the password fails at most one attempt to open a session, and several may follow one another. */
const max_retries = 3

/** Opens a session, and retries if the password was replaced in the meantime. */
export const retryWithNewPassword = <T>(open: () => Promise<T>, retries = max_retries): Promise<T> =>
  open().catch((error: unknown) => {
    if (retries > 0 && isWrongPassword(error)) return retryWithNewPassword(open, retries - 1)
    throw error
  })

/** Milliseconds that a statement may take, and that a transaction may be idle. */
export const limit_ms = 60_000

export const limits = { statement_timeout: limit_ms, idle_in_transaction_session_timeout: limit_ms }

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/** A pool whose sessions open even while a password is replaced. */
export class SteadyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return retryWithNewPassword(() => super.connect())
    const open = (retries: number): void =>
      super.connect((error, client, done) => {
        if (retries > 0 && isWrongPassword(error)) open(retries - 1)
        else callback(error, client, done)
      })
    open(max_retries)
  }
}

/**
 * Plans each statement once per session, for any values and with indexes, like the plans that `npm run check` verifies.
 * Otherwise a table that was small when it was analyzed is scanned for each row, and a new organization is estimated as
 * one row (docs/design/data/sql.md).
 */
export const plan_as_checked = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off'
