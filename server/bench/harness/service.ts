/**
 * Starts what a benchmark measures: the service, and helper processes, on data of their own. Everything is stopped and
 * removed when the benchmark ends.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startCluster } from '../../../packages/embedded-postgres/cluster.ts'
import { ensureRoles } from '../../../packages/embedded-postgres/roles.ts'
import type { Sandbox } from '../../sandbox/open.ts'
import { newSecretKeys } from '../../security/secrets.ts'
import type { Load, Loaded } from '../processes/load.ts'

/** `size`: how many people; each benchmark has its own default. */
export type Options = { seconds: number; rounds: number; size: number | undefined }

/** True in a smoke run: each benchmark only has to reach its end, and its figures mean nothing. */
export const is_smoke = process.argv.includes('--smoke')

/** The usual size or duration, or the smallest one in a smoke run. */
export const sized = (usual: number, smallest: number): number => (is_smoke ? smallest : usual)

const root = fileURLToPath(new URL('../../../', import.meta.url))

const closing: (() => Promise<unknown> | void)[] = []

/** Registers a cleanup. The last one runs first. */
export const later = (close: () => Promise<unknown> | void): void => void closing.push(close)

/** Runs the cleanups registered after the first `kept` ones, or all of them. */
export async function closeAll(kept = 0): Promise<void> {
  while (closing.length > kept) await closing.pop()!()
}

/** How many cleanups are registered. */
export const countClosing = (): number => closing.length

/** Opens a superuser's connection. */
export async function connect(database_url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database_url })
  await client.connect()
  later(() => client.end())
  return client
}

/** Stops a process and waits until it has exited. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(timeout)
}

/** Runs a file in a separate process that gets only the passed environment. */
function startNode(args: string[], env: NodeJS.ProcessEnv, stdio: SpawnOptions['stdio']): ChildProcess {
  const { PATH, HOME, NODE_OPTIONS } = process.env
  // A separate process group: Ctrl-C reaches only this process, which stops the others in order.
  const options: SpawnOptions = { cwd: root, detached: true, env: { PATH, HOME, NODE_OPTIONS, ...env }, stdio }
  const child = spawn(process.execPath, args, options)
  later(() => stop(child))
  return child
}

/** Starts a helper of `processes/`, which is controlled by messages and exits when this process does. */
export const startHelper = (file: string, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  startNode([`server/bench/processes/${file}`], env, ['ignore', 'inherit', 'inherit', 'ipc'])

/** Starts a process that sends requests. Returns the function that loads a server and waits for the end. */
export const startLoader = (): ((load: Load) => Promise<Loaded>) => loaderOf(startHelper('load.ts'))

/**
 * Starts a process that makes background load, with low priority: it behaves as if it ran on another machine, and
 * leaves the processor to the service and to the measuring process.
 */
export function startBackgroundLoader(): (load: Load) => Promise<Loaded> {
  const helper = startHelper('load.ts')
  const niceness = Math.min(19, getPriority() + 10)
  setPriority(helper.pid!, niceness)
  // With autogroups, Linux shares the processor among sessions, and the niceness of a process has no effect outside its
  // session.
  const of_session = `/proc/${helper.pid}/autogroup`
  if (existsSync(of_session)) writeFileSync(of_session, String(niceness))
  return loaderOf(helper)
}

const loaderOf = (helper: ChildProcess) => (load: Load) => {
  helper.send(load)
  return nextMessage<Loaded>(helper)
}

/** Returns the next message of a helper. Throws if the helper exits instead. */
export async function nextMessage<Message>(helper: ChildProcess): Promise<Message> {
  const over = new AbortController()
  const ended = once(helper, 'exit', { signal: over.signal }).then(() => {
    throw new Error(`${helper.spawnargs.at(-1)} ended unexpectedly.`)
  })
  try {
    const [message] = await Promise.race([once(helper, 'message', { signal: over.signal }), ended])
    return message as Message
  } finally {
    over.abort()
    ended.catch(() => undefined)
  }
}

/** `database_url` is the superuser's. */
export type Service = { database_url: string; sandbox: Sandbox; env: NodeJS.ProcessEnv; server: ChildProcess }

/** The one service of a smoke run. */
let shared: Promise<Service> | undefined

/**
 * Starts the service with these settings on a PostgreSQL of its own, which has the programs and the durable settings of
 * the embedded one. All benchmarks of a smoke run share one service.
 */
export async function startService(more: NodeJS.ProcessEnv = {}): Promise<Service> {
  return is_smoke ? (shared ??= openService(settings_of_smoke)) : openService(more)
}

const settings_of_smoke = {
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_BURST: '1000000',
}

async function openService(more: NodeJS.ProcessEnv): Promise<Service> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'openbenefits-bench-'))
  later(() => rmSync(DATA_DIR, { recursive: true, force: true }))
  const starting = startCluster({ data_dir: DATA_DIR, password: 'bench', durable: !is_smoke })
  later(() => starting.then((cluster) => cluster.stop()).catch(() => undefined))
  const cluster = await starting
  const { url, migration_url } = await ensureRoles(cluster, 'bench', 'openbenefits')
  const keys = Object.entries(newSecretKeys()).map(([name, key]) => [name.toUpperCase(), key])
  const env = {
    SANDBOX_DEMO: 'false',
    SANDBOX: 'true',
    PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR,
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url,
    ...Object.fromEntries(keys),
    ...more,
  }
  return { database_url: cluster.url, env, ...(await startProcess(env)) }
}

/** Starts another process of a service, which only serves requests. */
export const startBeside = async (service: Service): Promise<Service> => ({
  ...service,
  ...(await startProcess({ ...service.env, ROLE: 'api' })),
})

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }

/** The settings of the C library's allocator, as in the systemd unit and as `npm start` sets them. */
const unit = readFileSync(join(root, 'deploy/systemd/openbenefits.service'), 'utf8')
const allocator = Object.fromEntries([...unit.matchAll(/^Environment=(MALLOC_\w+)=(.*)$/gm)].map(([, ...pair]) => pair))

async function startProcess(env: NodeJS.ProcessEnv): Promise<Pick<Service, 'sandbox' | 'server'>> {
  const args = scripts.start.split(' ').slice(1)
  const cached = { ...allocator, ...env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') }
  const server = startNode(args, cached, ['ignore', 'pipe', 'inherit', 'ipc'])
  for await (const line of createInterface({ input: server.stdout! })) {
    if (!line.includes('is ready')) continue
    server.stdout!.resume()
    // The process that started last has written its address.
    return { server, sandbox: JSON.parse(readFileSync(join(env.DATA_DIR!, 'sandbox.json'), 'utf8')) as Sandbox }
  }
  throw new Error('The service ended instead of getting ready.')
}
