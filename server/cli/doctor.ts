import { statfsSync } from 'node:fs'
import { connect } from 'node:tls'
import type { Command } from 'commander'
import { FaultsFound, hasColours, say, sayJson, tableOf, type Column, type Io } from '@openbenefits/cli'
import type { Config } from '../kernel/config.ts'
import { within } from '../kernel/deadline.ts'
import { requireKeys } from '../runtime/installation-lock.ts'
import { openDatabase, type Database } from '../database/query/database.ts'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import { listProcesses, namesOf } from '../runtime/processes.ts'
import { ring_names, ringOf } from '../security/secrets.ts'
import { findJobStanding, findStanding } from '../http/observe/service-health.ts'
import { reach, settingsOf } from './reach.ts'

/** What was found: `ok`, something to `look` at, or something that is `wrong`, with what to do about it. */
export type DoctorFinding = { check: string; state: 'ok' | 'look' | 'wrong'; found: string; to_do: string | null }

const ok = (check: string, found: string): DoctorFinding => ({ check, state: 'ok', found, to_do: null })
const look = (check: string, found: string, to_do: string): DoctorFinding => ({ check, state: 'look', found, to_do })
const wrong = (check: string, found: string, to_do: string): DoctorFinding => ({ check, state: 'wrong', found, to_do })

/** From when on a thing is worth a look, and from when on it is wrong. */
const limits = {
  skew_ms: { look: 500, wrong: 30_000 },
  free_part: { look: 0.15, wrong: 0.05 },
  job_late_seconds: { look: 60, wrong: 600 },
  job_running_seconds: { look: 3600, wrong: 6 * 3600 },
  webhook_late_seconds: { look: 300, wrong: 3600 },
  certificate_days: { look: 21, wrong: 3 },
  replica_late_seconds: { look: 2, wrong: 30 },
}

/** `doctor`: whether the service of this environment is well. */
export function addDoctor(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('Looks whether the service of this environment is well, and says what to do. Changes nothing.')
    .option('--json', 'JSON for programs instead of text for people')
    .addHelpText(
      'after',
      '\nEnds with 1 when something is wrong, and with 0 when there is something to look at at most.\n\n' +
        'Examples:\n  $ openbenefits doctor\n  $ openbenefits doctor --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(io.env)
      const is_well = findings.every(({ state }) => state !== 'wrong')
      if (json) sayJson(io, { well: is_well, findings })
      else tell(io, findings)
      if (!is_well) throw new FaultsFound()
    })
}

const columns: Column<DoctorFinding>[] = [
  { title: '', of: ({ state }) => (state === 'wrong' ? 'WRONG' : state) },
  { title: 'what', of: ({ check }) => check },
  { title: 'found', of: ({ found }) => found },
]

function tell(io: Io, findings: DoctorFinding[]): void {
  say(io, tableOf(columns, findings, { bold: hasColours(io.stdout, io.env) }))
  for (const { check, to_do } of findings) if (to_do) say(io, `\n${check}: ${to_do}`)
}

/** Everything that is looked at. What can't be looked at is a finding too. */
export async function examine(env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  let config: Config
  try {
    config = settingsOf(env)
  } catch (error) {
    return [wrong('settings', (error as Error).message, 'Mend the setting, and ask again.')]
  }
  const outside = [
    tried('disk', async () => examineDisk(config)),
    tried('certificate', () => examineCertificate(config)),
  ]
  const of_database = await tried('database', () => examineDatabase(config))
  return [...examineSettings(config), ...of_database, ...(await Promise.all(outside)).flat()]
}

async function tried(check: string, examination: () => Promise<DoctorFinding[]>): Promise<DoctorFinding[]> {
  try {
    return await examination()
  } catch (error) {
    return [wrong(check, (error as Error).message, 'It could not be looked at: do what it says, and ask again.')]
  }
}

function examineSettings({ PUBLIC_URL, DATABASE_URL, SANDBOX }: Config): DoctorFinding[] {
  const is_live = SANDBOX === false || (DATABASE_URL !== undefined && SANDBOX !== true)
  if (!is_live) return [ok('settings', 'of a sandbox')]
  if (PUBLIC_URL === undefined)
    return [
      look('settings', 'PUBLIC_URL is not set', 'Set it to where partners reach the service: links begin with it.'),
    ]
  if (!PUBLIC_URL.startsWith('https:'))
    return [
      look('settings', `PUBLIC_URL is ${PUBLIC_URL}`, 'Keys travel in the clear without https: put a proxy in front.'),
    ]
  return [ok('settings', `of ${PUBLIC_URL}`)]
}

async function examineDatabase(config: Config): Promise<DoctorFinding[]> {
  const keys = loadKeys(config)
  const { url, stop } = await reach(config, keys)
  const database = await openAsFound({ url, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const found = [...(await examineServer(database)), await examineClock(database)]
    const missing = await missingMigrations(database.reads(no_organization))
    if (missing.length > 0)
      return [
        ...found,
        wrong('migrations', `${missing.length} are missing`, 'openbenefits migrate, or start the service.'),
      ]
    found.push(ok('migrations', 'all of this version are there'))
    found.push(...(await tried('keys', () => examineKeys(database, config))))
    found.push(...(await tried('replica', () => examineReplica(database, config))))
    return [...found, ...(await examineWork(database))]
  } finally {
    await database.close()
    await stop()
  }
}

async function examineServer(database: Database): Promise<DoctorFinding[]> {
  const about = (await database
    .reads(no_organization)
    .row<{ version: string; megabytes: number; tls: boolean; here: boolean; workers: number }>(
      `select current_setting('server_version') as version, pg_database_size(current_database()) / 1000000 as megabytes,
            (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as tls,
            coalesce(host(inet_client_addr()) = host(inet_server_addr()), true) as here,
            (select count(*) from pg_stat_activity where application_name = 'openbenefits worker') as workers`,
    ))!
  const found = `PostgreSQL ${about.version}, ${about.megabytes} MB${about.tls ? ', by TLS' : ''}`
  return [
    about.tls || about.here
      ? ok('database', found)
      : look('database', `${found}, without TLS`, 'What is stored travels in the clear: take sslmode=disable away.'),
    about.workers > 0
      ? ok('workers', `${about.workers} at work`)
      : look(
          'workers',
          'none is at work',
          'Start the service, or a process with ROLE=worker: no job is done until then.',
        ),
  ]
}

async function examineClock(database: Database): Promise<DoctorFinding> {
  const asked_at = Date.now()
  const { now_ms } = (await database
    .reads(no_organization)
    .row<{ now_ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms'))!
  const skew = Math.round(now_ms - (asked_at + Date.now()) / 2)
  const found = `${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this machine's`
  return graded('clock', Math.abs(skew), limits.skew_ms, found, 'Let both machines follow a time server (chrony, NTP).')
}

/** `ok`, `look` or `wrong`, by how much there is of something. */
function graded(check: string, value: number, from: { look: number; wrong: number }, found: string, to_do: string) {
  if (value >= from.wrong) return wrong(check, found, to_do)
  return value >= from.look ? look(check, found, to_do) : ok(check, found)
}

async function examineKeys(database: Database, config: Config): Promise<DoctorFinding[]> {
  const kind = await requireKeys(database.reads(no_organization), loadKeys(config))
  if (!kind) return [look('keys', 'none yet', 'Start the service once.')]
  return [ok('keys', `those of this ${kind} database`), ...(await examineRotation(database, config))]
}

/** Whether a key follows another, and whether every process goes by the keys of this environment. */
async function examineRotation(database: Database, config: Config): Promise<DoctorFinding[]> {
  const keys = loadKeys(config)
  const begun = ring_names.filter((name) => ringOf(name, keys).length > 1)
  const to_do = 'openbenefits secrets rotate --finish takes it away once nothing needs it.'
  const rotation =
    begun.length === 0
      ? ok('rotation', 'no secret has a former key')
      : look('rotation', `${begun.join(', ')} ${begun.length === 1 ? 'has' : 'have'} a former key`, to_do)
  const wanted = namesOf(keys).known_keys.join()
  const processes = await listProcesses(database.reads(no_organization))
  const others = processes.filter(({ known_keys }) => known_keys.join() !== wanted)
  if (others.length === 0) return [rotation]
  const found = `${others.length} of ${processes.length} processes go by others than this environment`
  return [rotation, look('processes', found, 'Let all have the same files, or restart those that have others.')]
}

/** Whether the replica follows, and every process says what it writes. */
async function examineReplica(database: Database, config: Config): Promise<DoctorFinding[]> {
  if (config.READ_DATABASE_URL === undefined) return []
  const processes = await listProcesses(database.reads(no_organization))
  const silent = processes.filter(({ notes_writes }) => !notes_writes).length
  if (silent > 0) {
    const found = `not read from: ${silent} of ${processes.length} processes do not have READ_DATABASE_URL`
    return [look('replica', found, 'Set it in every process, workers too: each notes what it has written.')]
  }
  const beaten_at = `select (extract(epoch from max(made_at)))::float8 as seconds, pg_is_in_recovery() as is_replica
                       from replica_beats`
  const ask = (db: Database) =>
    db.reads(no_organization).row<{ seconds: number | null; is_replica: boolean }>(beaten_at)
  const replica = openDatabase({ url: config.READ_DATABASE_URL, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const [here, there] = await within(10_000, Promise.all([ask(database), ask(replica)]))
    if (!there!.is_replica)
      return [wrong('replica', 'it is none', 'Let READ_DATABASE_URL lead to a standby that follows DATABASE_URL.')]
    const late = (here!.seconds ?? 0) - (there!.seconds ?? 0)
    const to_do = 'See whether it still follows: pg_stat_wal_receiver there. All is read from the primary meanwhile.'
    return [graded('replica', late, limits.replica_late_seconds, `${late.toFixed(1)} s behind`, to_do)]
  } finally {
    await replica.close()
  }
}

async function examineWork(database: Database): Promise<DoctorFinding[]> {
  const reads = database.reads(every_organization)
  const jobs = await findJobStanding(reads)
  const standing = await findStanding(reads, Date.now())
  const seconds = (count: number) => `${Math.round(count)} s`
  return [
    graded(
      'jobs',
      jobs.late_seconds,
      limits.job_late_seconds,
      `${jobs.waiting} waiting, the oldest due since ${seconds(jobs.late_seconds)}; ${jobs.running} running`,
      'Start more workers, or raise WORKER_CONCURRENCY; the log says what fails.',
    ),
    graded(
      'running',
      jobs.running_seconds,
      limits.job_running_seconds,
      `the job that was begun first runs since ${seconds(jobs.running_seconds)}`,
      'See which it is: openbenefits call operator.jobs.list --state running. Restart its worker, if it does not end.',
    ),
    jobs.failed === 0
      ? ok('given up', 'no job')
      : wrong(
          'given up',
          `${jobs.failed} jobs`,
          'See why in the log, mend it, and have them run again: openbenefits call operator.jobs.list.',
        ),
    graded(
      'webhooks',
      standing.webhook_late_seconds,
      limits.webhook_late_seconds,
      `the oldest is due since ${seconds(standing.webhook_late_seconds)}`,
      'See that a worker runs, and which subscriptions fail.',
    ),
    standing.organizations_late === 0
      ? ok('daily run', standing.last_day_run_on ? `all have had ${standing.last_day_run_on}` : 'nobody to run it for')
      : look(
          'daily run',
          `${standing.organizations_late} organizations are late, the last since ${standing.last_day_run_on ?? 'ever'}`,
          'It runs within the hour while a worker is there; if not, the log says why. Missed days are caught up.',
        ),
  ]
}

function examineDisk({ DATABASE_URL, DATA_DIR }: Config): DoctorFinding[] {
  if (DATABASE_URL) return [ok('disk', 'that of the database server is not seen from here')]
  const { bsize, blocks, bavail } = statfsSync(DATA_DIR)
  const found = `${Math.round((bsize * bavail) / 1e9)} of ${Math.round((bsize * blocks) / 1e9)} GB are free`
  const used = 1 - bavail / blocks
  const from = { look: 1 - limits.free_part.look, wrong: 1 - limits.free_part.wrong }
  return [graded('disk', used, from, found, `Make room where ${DATA_DIR} lies: a full disk takes no writes.`)]
}

async function examineCertificate({ PUBLIC_URL }: Config): Promise<DoctorFinding[]> {
  if (!PUBLIC_URL?.startsWith('https:')) return []
  const { hostname, port } = new URL(PUBLIC_URL)
  const ends_at = await within(10_000, endOfCertificate(hostname, Number(port || 443)))
  const days = Math.floor((ends_at - Date.now()) / 86_400_000)
  const { look: early, wrong: late } = limits.certificate_days
  const to_do = 'Renew it: partners are refused by their own machines once it has ended.'
  return [graded('certificate', -days, { look: -early, wrong: -late }, `of ${hostname}: ${days} days`, to_do)]
}

/** When the certificate of a server ends; throws where it is not good for it. */
function endOfCertificate(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect({ host, port, servername: host }, () => {
    resolve(Date.parse(socket.getPeerCertificate().valid_to))
    socket.end()
  })
  socket.once('error', reject)
  return promise
}
