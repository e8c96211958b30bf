import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import tar from 'tar-stream'
import { dataFolder } from './data-folder.ts'
import { takeBaseBackup } from '../../../packages/embedded-postgres/base-backup.ts'
import { chooseOwner, changeOwner, type ProcessOwner } from '../../../packages/embedded-postgres/process-owner.ts'
import { readText } from '../../../packages/embedded-postgres/process-owner.ts'
import { cleanEnvironment } from '../../../packages/embedded-postgres/process.ts'
import { findPackage, preparePrograms } from '../../../packages/embedded-postgres/programs.ts'

/** A PostgreSQL that replicates another one. */
export type Standby = {
  /** The folder of its socket. */
  host: string
  /** The process id of the running server. */
  pid(): number
  /** Runs a statement as the superuser. */
  run(text: string): Promise<pg.QueryResult>
  /** Kills all processes of the server, like a lost machine. */
  kill(): Promise<void>
  /** Suspends all processes of the server, like an unreachable machine. Linux only. */
  freeze(): void
  thaw(): void
  /** Restarts the server on its existing data. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Copies a running PostgreSQL, by its superuser's address, and lets the copy replicate it. */
export async function startStandby(primary_url: string): Promise<Standby> {
  const data_dir = dataFolder('standby')
  const pgdata = join(data_dir, 'postgres')
  mkdirSync(pgdata, { mode: 0o700 })
  await copy(primary_url, pgdata)
  writeFileSync(join(pgdata, 'standby.signal'), '')
  const { user, password, port, host } = new pg.Client(primary_url)
  appendFileSync(
    join(pgdata, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=${host} port=${port} user=${user} password=${password}'\n`,
  )
  const owner = chooseOwner(data_dir, pgdata)
  const programs = preparePrograms(findPackage(), owner, data_dir)
  changeOwner(owner, pgdata)
  const run = (text: string) =>
    requested(`postgresql://${user}:${password}@localhost:5432/postgres?host=${pgdata}`, text)
  let server: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const start = async () => {
    // These files are in the data folder, and therefore in the copy.
    for (const lock of ['.s.PGSQL.5432.lock', 'postmaster.pid']) rmSync(join(pgdata, lock), { force: true })
    server = launch(data_dir, pgdata, programs, owner)
    while (!(await run('select').catch(() => undefined))) {
      if (server.exitCode !== null) throw new Error(`The standby did not start: ${readText(join(data_dir, 'log'))}`)
      await pause(50)
    }
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [server!.pid!, ...childrenOf(server!.pid!)]) process.kill(pid, name)
  }
  await start()
  return {
    host: pgdata,
    pid: () => server!.pid!,
    run,
    // An immediate shutdown, which ends sessions without notice.
    kill: () => end('SIGQUIT'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    start,
    async stop() {
      await end('SIGQUIT')
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

async function copy(url: string, pgdata: string): Promise<void> {
  const archive = new PassThrough()
  const entries = tar.extract()
  const unpacked = pipeline(archive, entries)
  const written = (async () => {
    for await (const entry of entries) {
      const path = join(pgdata, entry.header.name)
      if (entry.header.type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 })
      else writeFileSync(path, Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>)), { mode: 0o600 })
      entry.resume()
    }
  })()
  await takeBaseBackup(url, archive, () => undefined)
  archive.end()
  await Promise.all([unpacked, written])
}

function launch(data_dir: string, pgdata: string, programs: string, { prefix, user }: ProcessOwner): ChildProcess {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${pgdata}"`,
    port: 5432,
    fsync: 'off',
    wal_retrieve_retry_interval: '100ms',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...rest] = [...prefix, join(programs, 'bin', 'postgres'), '-D', pgdata, ...args]
  const log = openSync(join(data_dir, 'log'), 'a')
  return spawn(command, rest, { ...cleanEnvironment(data_dir), ...user, stdio: ['ignore', log, log] })
}

async function requested(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await client.query(text)
  } finally {
    await client.end()
  }
}
