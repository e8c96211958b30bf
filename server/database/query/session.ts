import pg from 'pg'

/** A database as a role reaches it; `password`: asked for at each session, where the one in `url` may be replaced. */
export type DatabaseAddress = { url: string; password?: Password | undefined }

export type Password = () => Promise<string>

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins
const asText = (text: string) => text

/** Days stay text, counters become numbers, instants stay text: nothing becomes a local `Date`. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') => {
    if (oid === DATE || oid === TIMESTAMPTZ) return asText
    if (oid === INT8) return Number
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

/** What the driver opens a session with. */
export function sessionOf({ url, password }: DatabaseAddress): pg.ClientConfig {
  // Beside an address the driver does not ask for a password.
  if (!password) return { connectionString: url }
  const { hostname, username, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  return { host, port: Number(port), user: username, database: pathname.slice(1), password, ssl: false }
}

const wrong_password = '28P01'

const isWrongPassword = (error: unknown) => error instanceof pg.DatabaseError && error.code === wrong_password

/** Opens a session; once more where the password was replaced between the server's question and our answer. */
export const onceMore = <T>(open: () => Promise<T>): Promise<T> =>
  open().catch((error: unknown) => {
    if (isWrongPassword(error)) return open()
    throw error
  })

/** Milliseconds that a statement may take, and a transaction wait for its next one. */
export const limit_ms = 60_000

export const limits = { statement_timeout: limit_ms, idle_in_transaction_session_timeout: limit_ms }

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/** Sessions of an address, none of which fails since a password is replaced. */
export class SteadyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return onceMore(() => super.connect())
    super.connect((error, client, done) => {
      if (isWrongPassword(error)) super.connect(callback)
      else callback(error, client, done)
    })
  }
}
