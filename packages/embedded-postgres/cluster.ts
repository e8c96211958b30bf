/**
 * The embedded PostgreSQL. Without DATABASE_URL, the service runs its own server on its data directory, from the
 * programs of an npm package. The server is a separate process and survives if the service is killed. The next start
 * adopts it.
 */
import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureData, name } from './data-directory.ts'
import { lockDirectory } from './lock.ts'
import { findServer, readPidFile, startServer, stopServer, wasStartedWith } from './process.ts'
import { chooseOwner, changeOwner, isRunBy, type ProcessOwner, type MachineAbilities } from './process-owner.ts'
import { findPackage, preparePrograms } from './programs.ts'

export type Cluster = {
  /** the URL of the database `openbenefits`, valid once it exists; with the password, over a Unix socket if possible */
  url: string
  /** the current password of the superuser */
  password: string
  /** the version of PostgreSQL, such as 18.4 */
  version: string
  /** true if a server left behind by a killed process was adopted */
  adopted: boolean
  /** Resolves when the server has ended although `stop` was not called. */
  ended: Promise<void>
  /** Stops PostgreSQL and unlocks the directory. Resolves when the process of the server has ended. */
  stop(): Promise<void>
}

type Options = {
  /**
   * the data directory, created if missing; the data is in its folder `postgres`, the server's log in `postgres.log`
   */
  data_dir: string
  /** the superuser's password, set when the data is created */
  password: string
  /** a password that may have replaced `password` */
  next_password?: string | undefined
  /** the `bin` folder of a PostgreSQL to use instead of the npm package */
  postgres_bin?: string | undefined
  /** false, for tests only: faster, but data may be lost in a crash of the machine */
  durable?: boolean
  /** for tests: the abilities of root that are unavailable, as on restricted machines */
  abilities?: MachineAbilities
  log?: (message: string) => void
}

type ServerAddress = { host: string; port: number; socket?: string; settings: Record<string, string> }

const socket_name = '.s.PGSQL.5432'

const same_user_warning =
  'PostgreSQL can read every file that this process can, because this machine cannot run it as another user. Run the ' +
  'service as an ordinary user, or set DATABASE_URL.'

/**
 * Starts the PostgreSQL of a data directory, or adopts the one that a killed process left running. The directory stays
 * locked by this process until `stop`. Throws an Error with the remedy, which names the other process if there is one.
 */
export async function startCluster(options: Options): Promise<Cluster> {
  mkdirSync(options.data_dir, { recursive: true, mode: 0o700 })
  const data_dir = realpathSync(options.data_dir)
  const release = await lockDirectory(data_dir)
  try {
    const { stop, ...cluster } = await openCluster(data_dir, options)
    let stopped: Promise<void> | undefined
    return { ...cluster, stop: () => (stopped ??= stop().finally(release)) }
  } catch (error) {
    release()
    throw error
  }
}

async function openCluster(
  data_dir: string,
  { password: first_password, next_password, postgres_bin, durable = true, abilities, log = () => {} }: Options,
) {
  const pgdata = join(data_dir, 'postgres')
  const found = findPackage(postgres_bin)
  const owner = chooseOwner(data_dir, pgdata, abilities)
  if (process.geteuid?.() === 0 && !owner.files) log(same_user_warning)
  const programs = preparePrograms(found, owner, data_dir)
  await stopServerOfOtherUser(owner, pgdata, programs)
  changeOwner(owner, pgdata)
  const address = await chooseAddress(pgdata, owner)
  const server = { data_dir, pgdata, socket: address.socket, programs, owner, log }
  await ensureData(server, found.version, first_password, durable)

  const first = { url: addressUrl(address, first_password), password: first_password }
  const args = serverArguments(pgdata, address, durable, found.version)
  const running_pid = findServer(pgdata)
  const adopted =
    running_pid !== undefined &&
    wasStartedWith(pgdata, args) &&
    (await acceptedAddress(first, next_password)) !== undefined
  const pid = adopted ? running_pid : await startServer(server, args)
  const { url, password } = await withCurrentPassword(first, next_password)
  const watch = watchServer(pgdata, pid)
  const stop = () => {
    watch.stop()
    return stopServer(server, pid, 3_000)
  }
  return { url, password, version: found.version, adopted, ended: watch.ended, stop }
}

/**
 * The address of the server that another process runs on a data directory, with the current password. Undefined if no
 * server runs. `next_password`: a password that may have replaced the first one.
 */
export async function findRunning(
  directory: string,
  password: string,
  next_password?: string,
): Promise<Opened | undefined> {
  const data_dir = resolve(directory)
  const pgdata = join(data_dir, 'postgres')
  if (findServer(pgdata) === undefined) return undefined
  const address = await chooseAddress(pgdata, chooseOwner(data_dir, pgdata))
  return withCurrentPassword({ url: addressUrl(address, password), password }, next_password)
}

/** The URL at which the superuser connects to a server, and the password that the URL contains. */
export type Opened = Pick<Cluster, 'url' | 'password'>

/** Returns the URL with the password that the server accepts: the given one or its replacement. */
export const withCurrentPassword = async (opened: Opened, next_password: string | undefined): Promise<Opened> =>
  next_password === undefined ? opened : ((await acceptedAddress(opened, next_password)) ?? opened)

export function urlWith(address: string, password: string): string {
  const url = new URL(address)
  url.password = encodeURIComponent(password)
  return url.href
}

async function acceptedAddress(opened: Opened, next_password: string | undefined): Promise<Opened | undefined> {
  if (await canConnect(opened)) return opened
  if (next_password === undefined) return undefined
  const followed = { url: urlWith(opened.url, next_password), password: next_password }
  return (await canConnect(followed)) ? followed : undefined
}

/** Stops a server that runs as another user, before its files change their owner. */
async function stopServerOfOtherUser(owner: ProcessOwner, pgdata: string, programs: string): Promise<void> {
  const running_pid = findServer(pgdata)
  if (running_pid !== undefined && !isRunBy(owner, running_pid))
    await stopServer({ pgdata, programs }, running_pid, 5_000)
}

/**
 * Checks every second whether the server still runs. An adopted server is not a child of this process, so no exit event
 * reports its end.
 */
function watchServer(pgdata: string, pid: number): { ended: Promise<void>; stop(): void } {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const check = setInterval(() => {
    if (findServer(pgdata) === pid) return
    clearInterval(check)
    resolve()
  }, 1000).unref()
  return { ended, stop: () => clearInterval(check) }
}

/** The address of another database of the same server. */
export function databaseUrl(cluster: { url: string }, database: string): string {
  const url = new URL(cluster.url)
  url.pathname = `/${encodeURIComponent(database)}`
  return url.href
}

const canConnect = (cluster: { url: string }): Promise<boolean> =>
  query(cluster, 'select', 2_000).then(
    () => true,
    () => false,
  )

/**
 * Runs a statement in a session of the superuser. The driver is loaded on demand, because starting a server does not
 * need it.
 */
export async function query(cluster: { url: string }, text: string, connectionTimeoutMillis: number): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrl(cluster, 'postgres'), connectionTimeoutMillis })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end()
  }
}

// URL parsers require the part `localhost`. As in libpq, the parameter `host` takes precedence over it.
const addressUrl = ({ host, port }: ServerAddress, password: string) =>
  `postgresql://${name}:${encodeURIComponent(password)}@localhost:${port}/${name}` +
  `?host=${encodeURIComponent(host)}&sslmode=disable`

// Settings passed as arguments override postgresql.conf, which an operator may edit. They also distinguish our server
// from one with other settings.
function serverArguments(
  pgdata: string,
  { port, settings }: ServerAddress,
  durable: boolean,
  version: string,
): string[] {
  const on = durable ? 'on' : 'off'
  const all = {
    ...settings,
    port,
    fsync: on,
    synchronous_commit: on,
    full_page_writes: on,
    // Contains the version, so that an upgrade restarts the server: upgrading removes the programs that a running
    // server uses.
    cluster_name: `${name}-${version}`,
    ...(process.platform !== 'win32' && { client_connection_check_interval: '5s' }),
  }
  return ['-D', pgdata, ...Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])]
}

async function chooseAddress(pgdata: string, owner: ProcessOwner): Promise<ServerAddress> {
  if (process.platform !== 'win32') {
    const host = socketFolder(pgdata, owner)
    const settings = { listen_addresses: '', unix_socket_directories: `"${host}"` }
    return { host, port: 5432, socket: join(host, socket_name), settings }
  }
  const port = readPidFile(pgdata)?.port ?? (await findFreePort())
  return { host: '127.0.0.1', port, settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '' } }
}

// The data folder would be private enough for the socket, but the path of a socket may have only 103 bytes on macOS and
// 107 on Linux.
function socketFolder(pgdata: string, { files }: ProcessOwner): string {
  const { uid, gid } = files ?? { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  if (Buffer.byteLength(join(pgdata, socket_name)) <= 103) return pgdata
  const folder = join(tmpdir(), `${name}-${createHash('sha256').update(pgdata).digest('hex').slice(0, 16)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const made = lstatSync(folder)
  if (made.uid === process.geteuid?.() && made.uid !== uid) chownSync(folder, uid, gid)
  if (!made.isDirectory() || (made.mode & 0o077) !== 0 || lstatSync(folder).uid !== uid) {
    throw new Error(`${folder}, for the socket of PostgreSQL, is not a private folder of user ${uid}. Remove it.`)
  }
  return folder
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
