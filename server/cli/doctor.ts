import { statfsSync } from 'node:fs'
import { connect } from 'node:tls'
import type { Command } from 'commander'
import { FaultsFound, hasColors, print, printJson, tableOf, type Column, type Io } from '@openbenefits/cli'
import type { Config } from '../kernel/config.ts'
import { withDeadline } from '../kernel/concurrency/deadline.ts'
import { day_ms } from '../kernel/days.ts'
import { requireKeys } from '../runtime/process/installation-lock.ts'
import type { Database } from '../database/query/database.ts'
import { openDatabase } from '../database/query/open-database.ts'
import { openAsFound } from '../database/citus/sharding-state.ts'
import { missingMigrations } from '../database/schema/migrate.ts'
import { every_organization, no_organization } from '../database/query/rows-of.ts'
import { loadKeys } from '../security/keys.ts'
import { listProcesses, namesOf } from '../runtime/process/processes.ts'
import { ring_names, ringOf } from '../security/secrets.ts'
import { findJobHealth, findServiceHealth } from '../http/observe/service-health.ts'
import { reach } from './connect.ts'
import { readSettings } from '../runtime/settings.ts'

/** The result of one check. `warning`: needs attention soon. `to_do` is null if nothing has to be done. */
export type DoctorFinding = { check: string; state: 'ok' | 'warning' | 'wrong'; found: string; to_do: string | null }

const ok = (check: string, found: string): DoctorFinding => ({ check, state: 'ok', found, to_do: null })
const warning = (check: string, found: string, to_do: string): DoctorFinding => ({
  check,
  state: 'warning',
  found,
  to_do,
})
const wrong = (check: string, found: string, to_do: string): DoctorFinding => ({ check, state: 'wrong', found, to_do })

/** The values at which a check warns, and at which it fails. */
const limits = {
  skew_ms: { warn: 500, wrong: 30_000 },
  free_part: { warn: 0.15, wrong: 0.05 },
  job_late_seconds: { warn: 60, wrong: 600 },
  job_running_seconds: { warn: 3600, wrong: 6 * 3600 },
  webhook_late_seconds: { warn: 300, wrong: 3600 },
  certificate_days: { warn: 21, wrong: 3 },
  replica_late_seconds: { warn: 2, wrong: 30 },
}

/** `doctor`: checks the service of this environment. */
export function addDoctor(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('Check the service of this environment, and print how to fix problems. Changes nothing.')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExits with 1 if something is wrong, and with 0 if there are only warnings.\n\n' +
        'Examples:\n  $ openbenefits doctor\n  $ openbenefits doctor --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(io.env)
      const is_well = findings.every(({ state }) => state !== 'wrong')
      if (json) printJson(io, { well: is_well, findings })
      else report(io, findings)
      if (!is_well) throw new FaultsFound()
    })
}

const columns: Column<DoctorFinding>[] = [
  { title: '', of: ({ state }) => (state === 'wrong' ? 'WRONG' : state) },
  { title: 'check', of: ({ check }) => check },
  { title: 'found', of: ({ found }) => found },
]

function report(io: Io, findings: DoctorFinding[]): void {
  print(io, tableOf(columns, findings, { bold: hasColors(io.stdout, io.env) }))
  for (const { check, to_do } of findings) if (to_do) print(io, `\n${check}: ${to_do}`)
}

/** Runs all checks. A check that cannot run is a finding too. */
export async function examine(env: NodeJS.ProcessEnv): Promise<DoctorFinding[]> {
  let config: Config
  try {
    config = readSettings(env)
  } catch (error) {
    return [wrong('settings', (error as Error).message, 'Fix the setting, and run this again.')]
  }
  const outside = [
    runExamination('disk', async () => examineDisk(config)),
    runExamination('certificate', () => examineCertificate(config)),
  ]
  const of_database = await runExamination('database', () => examineDatabase(config))
  return [...examineSettings(config), ...of_database, ...(await Promise.all(outside)).flat()]
}

async function runExamination(check: string, examination: () => Promise<DoctorFinding[]>): Promise<DoctorFinding[]> {
  try {
    return await examination()
  } catch (error) {
    return [wrong(check, (error as Error).message, 'The check failed: fix the error, and run this again.')]
  }
}

function examineSettings({ PUBLIC_URL, DATABASE_URL, SANDBOX }: Config): DoctorFinding[] {
  const is_live = SANDBOX === false || (DATABASE_URL !== undefined && SANDBOX !== true)
  if (!is_live) return [ok('settings', 'of a sandbox')]
  if (PUBLIC_URL === undefined)
    return [
      warning(
        'settings',
        'PUBLIC_URL is not set',
        'Set it to the URL at which partners reach the service. Links begin with it.',
      ),
    ]
  if (!PUBLIC_URL.startsWith('https:'))
    return [
      warning(
        'settings',
        `PUBLIC_URL is ${PUBLIC_URL}`,
        'Without https, keys are sent unencrypted. Put a proxy with TLS in front.',
      ),
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
        wrong('migrations', `${missing.length} are missing`, 'Run openbenefits migrate, or start the service.'),
      ]
    found.push(ok('migrations', 'all of this version are applied'))
    found.push(...(await runExamination('keys', () => examineKeys(database, config))))
    found.push(...(await runExamination('replica', () => examineReplica(database, config))))
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
  const found = `PostgreSQL ${about.version}, ${about.megabytes} MB${about.tls ? ', with TLS' : ''}`
  return [
    about.tls || about.here
      ? ok('database', found)
      : warning('database', `${found}, without TLS`, 'Data is sent unencrypted: remove sslmode=disable.'),
    about.workers > 0
      ? ok('workers', `${about.workers} running`)
      : warning(
          'workers',
          'no worker runs',
          'Start the service, or a process with ROLE=worker: no job runs until then.',
        ),
  ]
}

async function examineClock(database: Database): Promise<DoctorFinding> {
  const requested_at = Date.now()
  const { now_ms } = (await database
    .reads(no_organization)
    .row<{ now_ms: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms'))!
  const skew = Math.round(now_ms - (requested_at + Date.now()) / 2)
  const found = `${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this machine's`
  const to_do = 'Synchronize both machines with a time server (chrony, NTP).'
  return gradeValue('clock', Math.abs(skew), limits.skew_ms, found, to_do)
}

/** Grades a measured value by its limits. */
function gradeValue(check: string, value: number, from: { warn: number; wrong: number }, found: string, to_do: string) {
  if (value >= from.wrong) return wrong(check, found, to_do)
  return value >= from.warn ? warning(check, found, to_do) : ok(check, found)
}

async function examineKeys(database: Database, config: Config): Promise<DoctorFinding[]> {
  const kind = await requireKeys(database.reads(no_organization), loadKeys(config))
  if (!kind) return [warning('keys', 'none yet', 'Start the service once.')]
  return [ok('keys', `they match this ${kind} database`), ...(await examineRotation(database, config))]
}

/** Checks that no rotation is unfinished and that every process uses the keys of this environment. */
async function examineRotation(database: Database, config: Config): Promise<DoctorFinding[]> {
  const keys = loadKeys(config)
  const begun = ring_names.filter((name) => ringOf(name, keys).length > 1)
  const to_do = 'openbenefits secrets rotate --finish removes it once it is no longer needed.'
  const rotation =
    begun.length === 0
      ? ok('rotation', 'no secret has a former key')
      : warning('rotation', `${begun.join(', ')} ${begun.length === 1 ? 'has' : 'have'} a former key`, to_do)
  const wanted = namesOf(keys).known_keys.join()
  const processes = await listProcesses({ db: database.reads(no_organization) })
  const others = processes.filter(({ known_keys }) => known_keys.join() !== wanted)
  if (others.length === 0) return [rotation]
  const found = `${others.length} of ${processes.length} processes use other keys than this environment`
  return [rotation, warning('processes', found, 'Set the same key files for all, or restart those with other keys.')]
}

/** Checks that the replica is current and that every process records its writes for it. */
async function examineReplica(database: Database, config: Config): Promise<DoctorFinding[]> {
  if (config.READ_DATABASE_URL === undefined) return []
  const processes = await listProcesses({ db: database.reads(no_organization) })
  const silent = processes.filter(({ records_writes }) => !records_writes).length
  if (silent > 0) {
    const found = `not read from: ${silent} of ${processes.length} processes do not have READ_DATABASE_URL`
    return [warning('replica', found, 'Set it in every process, including workers, so that each records its writes.')]
  }
  const beaten_at = `select (extract(epoch from max(written_at)))::float8 as seconds, pg_is_in_recovery() as is_replica
                       from replica_heartbeats`
  const query = (db: Database) =>
    db.reads(no_organization).row<{ seconds: number | null; is_replica: boolean }>(beaten_at)
  const replica = openDatabase({ url: config.READ_DATABASE_URL, prepared_statements: config.PREPARED_STATEMENTS })
  try {
    const [here, there] = await withDeadline(10_000, Promise.all([query(database), query(replica)]))
    if (!there!.is_replica)
      return [wrong('replica', 'not a replica', 'Set READ_DATABASE_URL to a standby of DATABASE_URL.')]
    const late = (here!.seconds ?? 0) - (there!.seconds ?? 0)
    const to_do = 'Check pg_stat_wal_receiver on the replica. Meanwhile everything is read from the primary.'
    return [gradeValue('replica', late, limits.replica_late_seconds, `${late.toFixed(1)} s behind`, to_do)]
  } finally {
    await replica.close()
  }
}

async function examineWork(database: Database): Promise<DoctorFinding[]> {
  const reads = database.reads(every_organization)
  const jobs = await findJobHealth(reads)
  const health = await findServiceHealth(reads, Date.now())
  const seconds = (count: number) => `${Math.round(count)} s`
  return [
    gradeValue(
      'jobs',
      jobs.late_seconds,
      limits.job_late_seconds,
      `${jobs.waiting} waiting, the oldest due since ${seconds(jobs.late_seconds)}; ${jobs.running} running`,
      'Start more workers, or raise WORKER_CONCURRENCY. The log shows failed jobs.',
    ),
    gradeValue(
      'running',
      jobs.running_seconds,
      limits.job_running_seconds,
      `the longest job has run for ${seconds(jobs.running_seconds)}`,
      'Find it: openbenefits call operator.jobs.list --state running. Restart its worker if it does not end.',
    ),
    jobs.failed === 0
      ? ok('failed jobs', 'none')
      : wrong(
          'failed jobs',
          `${jobs.failed} failed in all attempts`,
          'Find the reason in the log, fix it, and retry them: openbenefits call operator.jobs.list.',
        ),
    gradeValue(
      'webhooks',
      health.webhook_late_seconds,
      limits.webhook_late_seconds,
      `the oldest has been due for ${seconds(health.webhook_late_seconds)}`,
      'Check that a worker runs, and which subscriptions fail.',
    ),
    health.organizations_late === 0
      ? ok('daily run', describeDailyRuns(health.last_day_run_on))
      : warning(
          'daily run',
          `${health.organizations_late} organizations are late. ${describeLastDay(health.last_day_run_on)}`,
          'It runs within the hour if a worker runs. Otherwise, find the reason in the log. Missed days are caught up.',
        ),
  ]
}

const describeLastDay = (day: string | null): string =>
  day ? `The oldest completed run is that of ${day}.` : 'None of them has completed a day.'

const describeDailyRuns = (day: string | null): string =>
  day ? `done for ${day} in all organizations` : 'no organizations'

function examineDisk({ DATABASE_URL, DATA_DIR }: Config): DoctorFinding[] {
  if (DATABASE_URL) return [ok('disk', 'not checked, because the database runs on its own server')]
  const { bsize, blocks, bavail } = statfsSync(DATA_DIR)
  const found = `${Math.round((bsize * bavail) / 1e9)} of ${Math.round((bsize * blocks) / 1e9)} GB are free`
  const used = 1 - bavail / blocks
  const from = { warn: 1 - limits.free_part.warn, wrong: 1 - limits.free_part.wrong }
  return [gradeValue('disk', used, from, found, `Free space on the disk of ${DATA_DIR}: writes fail when it is full.`)]
}

async function examineCertificate({ PUBLIC_URL }: Config): Promise<DoctorFinding[]> {
  if (!PUBLIC_URL?.startsWith('https:')) return []
  const { hostname, port } = new URL(PUBLIC_URL)
  const ends_at = await withDeadline(10_000, endOfCertificate(hostname, Number(port || 443)))
  const days = Math.floor((ends_at - Date.now()) / day_ms)
  const { warn: early, wrong: late } = limits.certificate_days
  const to_do = 'Renew it. Once it has expired, the clients of partners refuse to connect.'
  const found = `${hostname}: valid for ${days} more days`
  return [gradeValue('certificate', -days, { warn: -early, wrong: -late }, found, to_do)]
}

/** Returns when the certificate of a server expires, in milliseconds since 1970. Throws if it is not valid. */
function endOfCertificate(host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect({ host, port, servername: host }, () => {
    resolve(Date.parse(socket.getPeerCertificate().valid_to))
    socket.end()
  })
  socket.once('error', reject)
  return promise
}
