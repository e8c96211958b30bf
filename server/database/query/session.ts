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

/** Opens a session, and retries once if the password was replaced in the meantime. */
export const retryWithNewPassword = <T>(open: () => Promise<T>): Promise<T> =>
  open().catch((error: unknown) => {
    if (isWrongPassword(error)) return open()
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
    super.connect((error, client, done) => {
      if (isWrongPassword(error)) super.connect(callback)
      else callback(error, client, done)
    })
  }
}
