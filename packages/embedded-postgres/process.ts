/** The server process. It is started so that it outlives the service, found by its pid file, and stopped by its pid. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readText, type ProcessOwner } from './process-owner.ts'

export type Server = {
  data_dir: string
  pgdata: string
  /** the path of its Unix socket, if any */
  socket: string | undefined
  /** the folder with the programs in `bin` */
  programs: string
  owner: ProcessOwner
  log: (message: string) => void
}

const log_limit_in_bytes = 5_000_000

/** The contents of postmaster.pid, which a crash may leave behind. Undefined if the file is missing or incomplete. */
export function readPidFile(pgdata: string): { pid: number; port: number; is_ready: boolean } | undefined {
  const lines = readText(join(pgdata, 'postmaster.pid')).split('\n')
  if (lines.length < 5) return undefined
  return { pid: Number(lines[0]), port: Number(lines[3]), is_ready: lines[7]?.trim() === 'ready' }
}

/** The pid of the server that runs on this data. */
export function findServer(pgdata: string): number | undefined {
  const pid = readPidFile(pgdata)?.pid
  return pid !== undefined && isServer(pid, pgdata) ? pid : undefined
}

/** Whether the server of this data was started with exactly these arguments. */
export const wasStartedWith = (pgdata: string, args: string[]): boolean =>
  readText(join(pgdata, 'postmaster.opts')).endsWith(`${args.map((arg) => ` "${arg}"`).join('')}\n`)

/**
 * Starts the server, after stopping any that runs on this data, and waits until it accepts connections, however long a
 * recovery takes. Throws with the end of its log if it exits instead.
 */
export async function startServer(server: Server, args: string[]): Promise<number> {
  const { pgdata, data_dir, log } = server
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    const left = findServer(pgdata)
    if (left !== undefined) {
      log(`Stopping a PostgreSQL that was left running (process ${left}), with other settings or no response.`)
      await stopServer(server, left, 5_000)
    }
    removeLockFiles(server)
    const { child, log_start } = launch(server, args)
    while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const file = readPidFile(pgdata)
      if (file?.pid === child.pid && file.is_ready) {
        child.on(
          'exit',
          (code, signal) => code === 0 || log(`PostgreSQL ended unexpectedly (${signal ?? `exit code ${code}`}).`),
        )
        return child.pid
      }
      await sleep(5)
    }
    const last_lines = readText(logFile(data_dir), log_start).trim().split('\n').slice(-5).join('\n')
    // The backends of a killed server may still run for a moment, or another process may have started a server just
    // before it was killed.
    const is_taken = /is still in use|already exists/.test(last_lines)
    if (!is_taken || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start, and its log (${logFile(data_dir)}) ends with:\n${last_lines}`)
    }
  }
}

// Removes lock files that a dead server left. Their pid may belong to another process or a zombie, which PostgreSQL
// would take for a server. If backends of the server still run, PostgreSQL detects their shared memory, whose key
// depends on the directory.
function removeLockFiles({ pgdata, socket }: Server) {
  if (socket) rmSync(`${socket}.lock`, { force: true })
  rmSync(join(pgdata, 'postmaster.pid'), { force: true })
}

function launch({ data_dir, programs, owner: { prefix, user }, log }: Server, args: string[]) {
  const [command = '', ...rest] = [...prefix, join(programs, 'bin', 'postgres'), ...args]
  const fd = openLog(data_dir)
  const log_start = fstatSync(fd).size
  // In its own process group, because Ctrl-C in a terminal must reach the service, which drains, and not its database.
  const child = spawn(command, rest, {
    ...cleanEnvironment(data_dir),
    ...user,
    detached: true,
    stdio: ['ignore', fd, fd],
  })
  closeSync(fd)
  child.on('error', (error) => log(`PostgreSQL could not be run: ${error.message}`))
  child.unref()
  return { child, log_start }
}

/**
 * The folder and environment for PostgreSQL's programs. The environment contains only what a program needs, without
 * secrets of the service and without variables such as PGPORT that would change settings.
 */
export function cleanEnvironment(data_dir: string): { cwd: string; env: NodeJS.ProcessEnv } {
  const { PATH, SystemRoot } = process.env
  return { cwd: data_dir, env: { PATH, SystemRoot } }
}

function openLog(data_dir: string): number {
  const path = logFile(data_dir)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > log_limit_in_bytes) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

const logFile = (data_dir: string) => join(data_dir, 'postgres.log')

/**
 * Stops the server and waits until its process has ended. First a fast shutdown, which rolls transactions back and
 * writes everything. If that times out, an immediate shutdown, and the next start recovers from the log. No committed
 * data is lost either way.
 */
export async function stopServer(
  { pgdata, programs }: Pick<Server, 'pgdata' | 'programs'>,
  pid: number,
  timeout_ms: number,
): Promise<void> {
  const ways = [
    { signal: 'SIGINT', wait: timeout_ms },
    // After five seconds the server itself kills the remaining backends.
    { signal: 'SIGQUIT', wait: 7_000 },
    { signal: 'SIGKILL', wait: 2_000 },
  ] as const
  for (const { signal, wait } of ways) {
    if (!isServer(pid, pgdata)) return
    send(signal, pid, programs)
    for (const deadline = Date.now() + wait; Date.now() < deadline; await sleep(10)) {
      if (!isServer(pid, pgdata)) return
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) did not exit, even after SIGKILL.`)
}

function send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL', pid: number, programs: string) {
  // Windows has no signals. PostgreSQL emulates them there.
  if (process.platform === 'win32') execFileSync(join(programs, 'bin', 'pg_ctl'), ['kill', signal.slice(3), `${pid}`])
  else process.kill(pid, signal)
}

// Checks the command, because another program may have the pid. A zombie, which remains in some containers, has no
// command.
function isServer(pid: number, pgdata: string): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`).split('\0').includes(pgdata)
    if (process.platform === 'win32')
      return execFileSync('tasklist', ['/NH', '/FI', `PID eq ${pid}`], { encoding: 'utf8' }).includes('postgres')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).includes(pgdata)
  } catch {
    return false
  }
}
