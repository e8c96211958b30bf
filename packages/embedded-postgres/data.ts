/** Making the data folder of a new PostgreSQL. */
import { execFile } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanly, type Server } from './process.ts'
import { give } from './owner.ts'

/** The superuser, and the database of the service. */
export const name = 'openbenefits'

// What an operator may want to tune goes into postgresql.conf, once. The sizes suit a machine with 1 GB of memory or
// more.
const defaults = {
  max_connections: '100',
  shared_buffers: '128MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service learns of failed statements anyway, and in a log they would be people's data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

const unfinished = 'postgres.new-'
const run = promisify(execFile)

/** Makes the data where there is none yet. Throws when what is there is another major version's or not PostgreSQL's. */
export async function ensureData(server: Server, version: string, password: string, durable: boolean): Promise<void> {
  const { data_dir, pgdata } = server
  removeUnfinished(data_dir)
  const major = version.split('.')[0]
  const version_file = join(pgdata, 'PG_VERSION')
  if (!existsSync(version_file)) {
    if (existsSync(pgdata) && readdirSync(pgdata).length > 0) {
      throw new Error(`${pgdata} holds files but no PostgreSQL database: move them away, or set another DATA_DIR.`)
    }
    return makeData(server, password, durable)
  }
  const written_by = readFileSync(version_file, 'utf8').trim()
  if (written_by !== major) {
    throw new Error(
      `${pgdata} was written by PostgreSQL ${written_by} and this release brings PostgreSQL ${major}: ` +
        `dump it with the release that wrote it and load the dump into a new DATA_DIR.`,
    )
  }
}

// Beside its place, and renamed when complete: wherever we are killed, the next start finds all of it or nothing.
async function makeData({ data_dir, pgdata, programs, owner, log }: Server, password: string, durable: boolean) {
  log(`Making a new database in ${pgdata}.`)
  const making = mkdtempSync(join(data_dir, unfinished))
  const [data, password_file] = [join(making, 'data'), join(making, 'password')]
  try {
    writeFileSync(password_file, password, { mode: 0o600 })
    const maker = owner.maker ?? owner
    give(maker, making)
    const [command = '', ...args] = [
      ...maker.prefix,
      join(programs, 'bin', 'initdb'),
      ...initArguments(data, password_file, durable),
    ]
    await run(command, args, { ...cleanly(data_dir), ...maker.user })
    give(owner, data)
    renameSync(data, pgdata)
    if (durable) sync(data_dir)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`The database could not be made in ${data_dir}: ${(stderr || message).trim()}`, { cause: error })
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function initArguments(data: string, password_file: string, durable: boolean): string[] {
  // The builtin provider compares; the locale beside it still tells pg_trgm which characters are letters, so not plain
  // C.
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'
  return [
    '-D',
    data,
    `--username=${name}`,
    `--pwfile=${password_file}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${locale}`,
    ...Object.entries(defaults).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
    ...(durable ? [] : ['--no-sync']),
  ]
}

// An initdb that outlived us may still be writing into its folder; it fails then, and the next start removes the rest.
function removeUnfinished(data_dir: string) {
  for (const file of readdirSync(data_dir)) {
    if (!file.startsWith(unfinished)) continue
    try {
      rmSync(join(data_dir, file), { recursive: true, force: true, maxRetries: 2 })
    } catch {}
  }
}

// A rename is only in memory until its folder is written. Windows can't do that, nor does it need to.
function sync(folder: string) {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
