import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Pooler = { url: string; pid: number; stop(): Promise<void> }

/** The installed version of PgBouncer, such as `1.18.0`. */
export const pooler_version = /PgBouncer (\S+)/.exec(
  spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)?.[1]

/**
 * Starts PgBouncer in transaction mode for a database, with a number of shared sessions and default settings otherwise.
 * It refuses unknown startup parameters.
 */
export async function startPooler(url: string, sessions: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-pooler-'))
  const { host, port, user, password, database } = new pg.Client(url)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
${database} = host='${host}' port=${port} user=${user} password='${password}'
[pgbouncer]
pool_mode = transaction
default_pool_size = ${sessions}
max_client_conn = 200
auth_type = any
listen_addr =
unix_socket_dir = ${folder}
listen_port = 6432
`,
  )
  // PgBouncer refuses to run as root, and needs access to the server's socket.
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: 65_534, gid: 65_534 }
  const is_root = process.geteuid?.() === 0
  if (is_root) for (const path of [folder, file]) chownSync(path, uid, gid)
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...(is_root && { uid, gid }) })
  const socket = join(folder, '.s.PGSQL.6432')
  while (!(await takesConnections(socket))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: see ${file}.`)
    await pause(20)
  }
  return {
    url: `postgresql://${user}:any@localhost:6432/${database}?host=${encodeURIComponent(folder)}&sslmode=disable`,
    pid: child.pid!,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const takesConnections = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false))
  })
