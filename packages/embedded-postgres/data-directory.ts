/** Creates the data folder of a new PostgreSQL. */
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
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment, type Server } from './process.ts'
import { changeOwner } from './process-owner.ts'

/** The name of the superuser and of the service's database. */
export const name = 'openbenefits'

const MiB = 2 ** 20
const between = (least: number, most: number, bytes: number) =>
  `${Math.floor(Math.min(most, Math.max(least, bytes)) / MiB)}MB`

/**
 * Memory settings for a machine or container with this much memory, which the service and the file cache share.
 * `max_wal_size` keeps a large import from forcing a checkpoint every few seconds.
 */
export const memorySettings = (bytes: number) => ({
  shared_buffers: between(128 * MiB, 1024 * MiB, bytes / 4),
  effective_cache_size: between(256 * MiB, Infinity, bytes / 2),
  maintenance_work_mem: between(64 * MiB, 256 * MiB, bytes / 16),
  max_wal_size: between(1024 * MiB, 4096 * MiB, bytes / 4),
})

/** The memory in bytes of the machine, or of the container if it has a limit. */
const availableMemory = () => Math.min(totalmem(), process.constrainedMemory() || Infinity)

// Settings that an operator may want to tune are written to postgresql.conf once.
const defaults = {
  max_connections: '100',
  random_page_cost: '1.1',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Excludes errors of statements. The service receives them anyway, and in this log they would contain personal data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

const unfinished = 'postgres.new-'
const run = promisify(execFile)

/** Creates the data if it is missing. Throws if the folder contains data of another major version or other files. */
export async function ensureData(server: Server, version: string, password: string, durable: boolean): Promise<void> {
  const { data_dir, pgdata } = server
  removeUnfinished(data_dir)
  const major = version.split('.')[0]
  const version_file = join(pgdata, 'PG_VERSION')
  if (!existsSync(version_file)) {
    if (existsSync(pgdata) && readdirSync(pgdata).length > 0) {
      throw new Error(`${pgdata} holds files but no PostgreSQL database. Move them away, or set another DATA_DIR.`)
    }
    return makeData(server, password, durable)
  }
  const written_by = readFileSync(version_file, 'utf8').trim()
  if (written_by !== major) {
    throw new Error(
      `${pgdata} was written by PostgreSQL ${written_by} and this release includes PostgreSQL ${major}. ` +
        `Dump it with the release that wrote it, and load the dump into a new DATA_DIR.`,
    )
  }
}

// Creates the data in a temporary folder and renames it when complete, so that a killed start leaves either all of it
// or nothing.
async function makeData({ data_dir, pgdata, programs, owner, log }: Server, password: string, durable: boolean) {
  log(`Creating a new database in ${pgdata}.`)
  const making = mkdtempSync(join(data_dir, unfinished))
  const [data, password_file] = [join(making, 'data'), join(making, 'password')]
  try {
    writeFileSync(password_file, password, { mode: 0o600 })
    const maker = owner.maker ?? owner
    changeOwner(maker, making)
    const [command = '', ...args] = [
      ...maker.prefix,
      join(programs, 'bin', 'initdb'),
      ...initArguments(data, password_file, durable),
    ]
    await run(command, args, { ...cleanEnvironment(data_dir), ...maker.user })
    changeOwner(owner, data)
    renameSync(data, pgdata)
    if (durable) sync(data_dir)
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`The database could not be created in ${data_dir}: ${(stderr || message).trim()}`, { cause: error })
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function initArguments(data: string, password_file: string, durable: boolean): string[] {
  // The builtin provider compares text. pg_trgm recognizes letters by this locale, which therefore cannot be plain C.
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
    ...Object.entries({
      ...defaults,
      ...memorySettings(durable ? availableMemory() : 0),
      // Workers of a test run keep idle connections to the databases of earlier files.
      ...(!durable && { max_connections: '300' }),
    }).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]),
    ...(durable ? [] : ['--no-sync']),
  ]
}

// An initdb that outlived a killed start may still write into its folder. It then fails, and the next start removes the
// rest.
function removeUnfinished(data_dir: string) {
  for (const file of readdirSync(data_dir)) {
    if (!file.startsWith(unfinished)) continue
    try {
      rmSync(join(data_dir, file), { recursive: true, force: true, maxRetries: 2 })
    } catch {}
  }
}

// A rename is durable only after its folder is synced. Windows neither supports nor needs that.
function sync(folder: string) {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}
