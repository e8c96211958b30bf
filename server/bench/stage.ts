/**
 * What the benchmarks play on: programs of their own on data of their own, and the way to leave nothing of it behind.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '../sandbox/open.ts'
import { findRunning, startCluster } from '../../packages/embedded-postgres/cluster.ts'
import { name as database_name } from '../../packages/embedded-postgres/data.ts'
import { ensureRoles, roleUrls } from '../../packages/embedded-postgres/roles.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { is_smoke } from './sizes.ts'

/**
 * How short and how many the rounds are, and of how many people; and for the fuzzer, how many requests, and what chance
 * goes by.
 */
export type Options = {
  seconds: number
  rounds: number
  requests: number
  seed: number
  restarts: number
  /** as each benchmark says where nobody does */
  size: number | undefined
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

const closing: (() => Promise<unknown> | void)[] = []

/** Remembers how to undo something; the last is undone first. */
export const later = (close: () => Promise<unknown> | void): void => void closing.push(close)

/** Undoes everything, however much of it there is. */
export async function closeAll(): Promise<void> {
  for (let close = closing.pop(); close; close = closing.pop()) await close()
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-bench-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Ends a process by its id and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(impatience)
}

// A group of its own: Ctrl-C in a terminal reaches only us, and we end the others in order.
const alone: SpawnOptions = { cwd: root, detached: true }

/** Runs a file of the project in a process of its own, in no environment but the one given. */
export function startNode(args: string[], env: NodeJS.ProcessEnv, stdio: SpawnOptions['stdio']): ChildProcess {
  const { PATH, HOME, NODE_OPTIONS } = process.env
  const child = spawn(process.execPath, args, { ...alone, env: { PATH, HOME, NODE_OPTIONS, ...env }, stdio })
  later(() => stop(child))
  return child
}

/** Starts a helper of the benchmarks, to which one talks by messages; it ends by itself when we are gone. */
export const startHelper = (file: string, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  startNode([`server/bench/${file}`], env, ['ignore', 'inherit', 'inherit', 'ipc'])

/**
 * Starts a helper that plays a crowd: it is content with what the service and the one who measures leave of the
 * processor, as if it stood on a machine of its own.
 */
export function startCrowd(file: string): ChildProcess {
  const crowd = startHelper(file)
  const niceness = Math.min(19, getPriority() + 10)
  setPriority(crowd.pid!, niceness)
  // Where Linux shares the processor among sessions first, the session counts.
  const of_session = `/proc/${crowd.pid}/autogroup`
  if (existsSync(of_session)) writeFileSync(of_session, String(niceness))
  return crowd
}

/** The next message of a helper; throws when it ends instead. */
export async function answerOf<Message>(helper: ChildProcess): Promise<Message> {
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

/** Waits until a server whose output is piped to us says that it is ready; throws when it ends instead. */
export async function greetingOf(server: ChildProcess): Promise<void> {
  for await (const said of createInterface({ input: server.stdout! })) {
    if (!said.includes('is ready')) continue
    server.stdout!.resume()
    return
  }
  throw new Error('The service ended instead of getting ready.')
}

/** `database_url`: the superuser's. */
export type Service = { database_url: string; sandbox: Sandbox; env: NodeJS.ProcessEnv; server: ChildProcess }

const settings = {
  SANDBOX_STAGE: 'false',
  SANDBOX: 'true',
  PORT: '0',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'warn',
}

/**
 * The service on a PostgreSQL that we start for it: the same programs and durable settings as the embedded one, which
 * stays when the service is stopped. It is one of an operator's own to it, whose processes have no priorities. `more`:
 * further settings.
 */
export async function startService(more: NodeJS.ProcessEnv = {}): Promise<Service> {
  const DATA_DIR = temporaryFolder()
  if (is_smoke) cpSync(await (template ??= makeTemplate()), DATA_DIR, { recursive: true })
  const { cluster, env } = await openCluster(DATA_DIR)
  const set = { ...env, ...more }
  return { database_url: cluster.url, env: set, ...(await startProcess(set, pulse)) }
}

const keys = newSecretKeys()

/** A PostgreSQL in a folder, and what a service on it is set to. */
async function openCluster(DATA_DIR: string) {
  const starting = startCluster({ data_dir: DATA_DIR, password: 'bench', durable: !is_smoke })
  later(() => starting.then((cluster) => cluster.stop()).catch(() => undefined))
  const cluster = await starting
  const { url, migration_url } = await ensureRoles(cluster, 'bench', 'openbenefits')
  const env = {
    ...settings,
    DATA_DIR,
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: migration_url,
    ENCRYPTION_KEYS: keys.encryption_keys,
    HASH_KEY: keys.hash_key,
    TOKEN_KEY: keys.token_key,
    OPERATOR_KEY: keys.operator_key,
  }
  return { cluster, env }
}

/** The folder of a service with its sandbox, made once by a smoke run: each benchmark begins with a copy. */
let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-smoke-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { cluster, env } = await openCluster(folder)
  const { server } = await startProcess(env)
  await stop(server)
  await cluster.stop()
  return folder
}

/** The service as operators start it, with the PostgreSQL inside; `env.DATABASE_URL` leads there. */
export async function startWithOwnPostgres(): Promise<Service> {
  const DATA_DIR = temporaryFolder()
  const env = { ...settings, DATA_DIR }
  const started = await startProcess(env, pulse)
  const { database_password } = JSON.parse(readFileSync(join(DATA_DIR, 'secrets.json'), 'utf8'))
  const cluster = await findRunning(DATA_DIR, database_password)
  const { url } = roleUrls(cluster!, database_password, database_name)
  return { database_url: cluster!.url, env: { ...env, DATABASE_URL: url }, ...started }
}

/**
 * Another process of a service, which answers requests alone, and loads a file of the benchmarks before it starts where
 * one is named.
 */
export const startBeside = async ({ env, ...service }: Service, file?: string): Promise<Service> => ({
  ...service,
  env,
  ...(await startProcess({ ...env, ROLE: 'api' }, file)),
})

/** Ends the service and starts it once more, as it runs from then on: the first start makes its database. */
export async function startAgain({ env, ...service }: Service): Promise<Service> {
  await stop(service.server)
  return { ...service, env, ...(await startProcess(env, pulse)) }
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }

/** What the C library is told in the unit of systemd, and by `npm start` where it changes over to our Node. */
const unit = readFileSync(join(root, 'deploy/systemd/openbenefits.service'), 'utf8')
const frugal = Object.fromEntries([...unit.matchAll(/^Environment=(MALLOC_\w+)=(.*)$/gm)].map(([, ...pair]) => pair))

/** What `npm start` runs, by our Node. */
export const start = scripts.start.split(' ').slice(1)

/** Tells how long the event loop was held. */
const pulse = './server/bench/pulse.ts'

async function startProcess(env: NodeJS.ProcessEnv, file?: string) {
  const before = file === undefined ? [] : ['--import', file]
  // What is loaded before the service comes out of its cache too, and brings nothing along that compiles.
  const cached = { ...frugal, ...env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') }
  const server = startNode([...before, ...start], cached, ['ignore', 'pipe', 'inherit', 'ipc'])
  await greetingOf(server)
  // The process that started last is in it.
  const sandbox = JSON.parse(readFileSync(join(env.DATA_DIR!, 'sandbox.json'), 'utf8')) as Sandbox
  return { sandbox, server }
}

/** How long the service held its event loop at most since this was last asked, in milliseconds. */
export async function longestHold({ server }: Service): Promise<number> {
  const answer = answerOf<number>(server)
  server.send('tell')
  return answer
}
