/** The embedded PostgreSQL of this process. It is started once, by the first caller. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { output } from '../../server/runtime/process/output.ts'
import { startCluster, type Cluster } from './cluster.ts'

type Own = Parameters<typeof startCluster>[0]

let starting: Promise<Cluster> | undefined

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Starts PostgreSQL, or continues an early start. From then on, the caller must stop it. */
export function startEmbedded(options: Own): Promise<Cluster> {
  for (const signal of endings) process.off(signal, leave)
  return (starting ??= startCluster(options))
}

/**
 * Stops PostgreSQL on a signal until `startEmbedded` is called, so that a signal during loading does not leave it
 * behind.
 */
const leave = (signal: NodeJS.Signals) =>
  void Promise.resolve(starting)
    .then((cluster) => cluster?.stop())
    .catch(() => undefined)
    .finally(() => {
      for (const ending of endings) process.off(ending, leave)
      process.kill(process.pid, signal)
    })

const selects_own_server = ['DATABASE_URL', 'DIRECT_DATABASE_URL', 'DATABASE_URL_FILE', 'DIRECT_DATABASE_URL_FILE']
const read_later = ['DATA_DIR_FILE', 'POSTGRES_BIN_FILE']

/**
 * Starts PostgreSQL early, with settings read directly from the environment, if the service would start it and its data
 * exists. The settings are validated later, and errors of this start are reported then.
 */
export function startEmbeddedAhead(env: NodeJS.ProcessEnv): void {
  if ([...selects_own_server, ...read_later].some((name) => env[name])) return
  const data_dir = resolve(env.DATA_DIR || '.data')
  if (!existsSync(join(data_dir, 'postgres', 'PG_VERSION'))) return
  const kept = passwordsIn(join(data_dir, 'secrets.json'))
  if (!kept) return
  for (const signal of endings) process.once(signal, leave)
  starting = startCluster({ data_dir, ...kept, postgres_bin: env.POSTGRES_BIN || undefined, log: printLine })
  starting.catch(() => undefined)
}

function passwordsIn(path: string): Pick<Own, 'password' | 'next_password'> | undefined {
  try {
    const { database_password, next_database_password } = JSON.parse(readFileSync(path, 'utf8'))
    return { password: database_password, next_password: next_database_password }
  } catch {
    return undefined
  }
}

export const printLine = (line: string): void => output.write(`${line}\n`)
