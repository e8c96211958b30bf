import { background_priority } from '../../../jobs/enqueue.ts'
import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { payroll } from '../../../integrations/payroll/providers.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { CsvRow } from '../../../kernel/formats/csv.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { readerOf } from '../../../integrations/payroll/csv-files.ts'
import { HrisError, type HrisCall, type HrisPerson, type HrisSource } from '../../../integrations/payroll/provider.ts'
import { reEncryptionOf } from '../../../security/re-encryption.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { contextOf, inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { confirmCensus, submitRoster } from '../census/actions.ts'
import { refusals as census_refusals } from '../census/rules.ts'
import { hasActiveSubscription } from '../../directory/employers/queries.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import {
  findConnectable,
  locateConnection,
  insertConnection,
  lockConnection,
  saveAccess,
  saveDisconnection,
  savePause,
  saveResumption,
  saveSettings,
  type Connection,
  type ConnectionKey,
} from './queries.ts'
import {
  deleteRun,
  findLatestFetch,
  findRunCensus,
  insertDueRuns,
  insertHours,
  insertRun,
  insertUpload,
  wasRunUsed,
  listToSettle,
  lockRunToFetch,
  saveAttempt,
  saveFetched,
  saveProblem,
  saveRunEnd,
  saveRunProblem,
  saveSuccess,
  type Cause,
  type Problem,
  type HrisRun,
  type HrisRunKey,
} from './run-queries.ts'
import {
  hoursIn,
  isSyncedNightly,
  labels,
  max_attempts,
  newlyReported,
  rowsOf,
  whyNotChange,
  whyNotConnect,
  whyNotPause,
  whyNotRenew,
  whyNotResume,
  whyNotSync,
  whyNotSetPayroll,
  whyNotUpload,
  type ConnectionStatus,
} from './rules.ts'
import type { NewHrisConnection, SandboxPayroll } from './schemas.ts'

/**
 * Connects an employer to its payroll system and returns the connection's id. A source that is synced nightly is
 * fetched immediately.
 */
export async function connectEmployer(ctx: Ctx, employer: EmployerKey, wanted: NewHrisConnection): Promise<string> {
  refuse(whyNotConnect(wanted, await findConnectable(ctx, employer)))
  const connection_id = newId('hris')
  const { source, access_token, columns } = wanted
  const provider = wanted.provider ?? source
  await insertConnection(ctx, {
    employer_id: employer.employer_id,
    organization_id: employer.organization_id,
    connection_id,
    source,
    provider,
    provider_label: wanted.provider === undefined ? labels[source] : (wanted.provider_label ?? provider),
    access_sealed: access_token === undefined ? null : ctx.secrets.encrypt(access_token),
    settings: columns ? { columns } : {},
    nightly: isSyncedNightly(source),
  })
  if (isSyncedNightly(source)) await requestSync(ctx, (await lockConnection(ctx, { connection_id }))!, 'operator')
  return connection_id
}

/** Locks and returns a connection, unless the rule refuses its status. */
async function lockUnlessRefused(
  ctx: Ctx,
  { hris_connection_id }: ConnectionKey,
  whyNot: (status: ConnectionStatus) => RefusalKind | undefined,
): Promise<Connection> {
  const connection = (await lockConnection(ctx, { connection_id: hris_connection_id }))!
  refuse(whyNot(connection))
  return connection
}

/**
 * Pauses a connection: until it is resumed, API requests may change the roster. Data that was already fetched is still
 * applied.
 */
export async function pauseConnection(ctx: Ctx, key: ConnectionKey): Promise<void> {
  const connection = await lockUnlessRefused(ctx, key, whyNotPause)
  await savePause(ctx, connection)
  await cancelFetch(ctx, connection, {
    code: 'paused',
    message: 'The connection was paused before the run fetched it.',
  })
}

/**
 * Resumes a connection after a pause or after access was lost. A source that is synced nightly is fetched immediately.
 */
export async function resumeConnection(ctx: Ctx, key: ConnectionKey): Promise<void> {
  await resume(ctx, await lockUnlessRefused(ctx, key, whyNotResume))
}

/** Closes the task to renew access, for a connection that resumes or ends. */
const closeAccessLost = (ctx: Ctx, { organization_id, connection_id }: Connection) =>
  closeTasks(ctx, { organization_id, kinds: ['hris_access_lost'] }, [connection_id])

async function resume(ctx: Ctx, connection: Connection): Promise<void> {
  const nightly = isSyncedNightly(connection.source)
  await saveResumption(ctx, { ...connection, nightly })
  await closeAccessLost(ctx, connection)
  if (nightly) await requestSync(ctx, connection, 'operator')
}

/** Saves a new access token, and tries it immediately unless the connection is paused. */
export async function renewAccess(ctx: Ctx, key: ConnectionKey, access_token: string): Promise<void> {
  const connection = await lockUnlessRefused(ctx, key, whyNotRenew)
  await saveAccess(ctx, connection, ctx.secrets.encrypt(access_token))
  if (connection.status !== 'paused') await resume(ctx, connection)
}

/** Disconnects an employer permanently: deletes the access token and leaves the roster to the partner. */
export async function disconnectEmployer(ctx: Ctx, key: ConnectionKey): Promise<void> {
  const connection = await lockUnlessRefused(ctx, key, whyNotChange)
  await saveDisconnection(ctx, connection)
  await closeAccessLost(ctx, connection)
  await cancelFetch(ctx, connection, {
    code: 'disconnected',
    message: 'The connection was disconnected before the run fetched it.',
  })
}

/** Sets the people and the simulated fault of a sandbox's fake payroll. */
export async function setSandboxPayroll(ctx: Ctx, key: ConnectionKey, input: SandboxPayroll): Promise<void> {
  const connection = await lockUnlessRefused(ctx, key, whyNotSetPayroll)
  const people = input.people ?? connection.settings.payroll?.people ?? []
  const payroll = { people, fault: input.fault ?? null, times: input.times ?? null }
  await saveSettings(ctx, connection, { ...connection.settings, payroll })
}

type SyncJob = { organization_id: string; connection_id: string }

/**
 * The key does not contain the employer: a payroll system that is unavailable for hours must not prevent moving the
 * clock of a sandbox. Two queues ensure that payroll systems which never respond do not occupy all workers.
 */
const jobOf = ({ connection_id, organization_id }: SyncJob) => ({
  payload: { organization_id, connection_id },
  key: `sync_hris:${connection_id}`,
  queue: `hris_${connection_id.charCodeAt(connection_id.length - 1) % 2}`,
})

/** Enqueues a sync of a connection. If a run is waiting for a retry, retries it now. Returns the id of the run. */
async function requestSync(ctx: Ctx, connection: Connection, cause: Cause): Promise<string> {
  await insertRun(ctx, { ...connection, run_id: newId('hrun'), cause })
  const { payload, ...options } = jobOf(connection)
  await ctx.enqueue('sync_hris', payload, options)
  return (await lockRunToFetch(ctx, connection))!.id
}

export const syncNow = async (ctx: Ctx, key: ConnectionKey): Promise<string> =>
  requestSync(ctx, await lockUnlessRefused(ctx, key, whyNotSync), 'operator')

/** Part of the daily run: requests a sync for every connection of an organization that is due. */
export async function requestDueSyncs(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const due_ids = await insertDueRuns(ctx, { organization_id, most: chunk.most })
  const jobs = due_ids.map((connection_id) => jobOf({ connection_id, organization_id }))
  if (jobs.length > 0) await ctx.enqueueEach('sync_hris', jobs, background_priority)
  return lastOf(due_ids, chunk)
}

/**
 * Requests a sync for every connection that has files in the folder. Other files, and files of connections that cannot
 * sync now, stay there.
 */
export async function collectFiles(runtime: Runtime): Promise<void> {
  const everywhere = contextOf(runtime, serviceCaller(null), runtime.database.reads(every_organization))
  for (const connection_id of (await integrationOf(runtime, payroll).csv.listWaiting?.()) ?? []) {
    const located = await locateConnection(everywhere, { hris_connection_id: connection_id })
    if (!located) continue
    await inOrganization(runtime, located.organization_id, async (ctx) => {
      const connection = await lockConnection(ctx, { connection_id })
      if (connection?.source !== 'csv' || whyNotSync(connection)) return
      if (await hasActiveSubscription(ctx, { employer_id: connection.employer_id, day: ctx.today }))
        await requestSync(ctx, connection, 'drop')
    })
  }
}

/** Submits the rows of an uploaded file as the whole roster and returns the run. */
export async function uploadRoster(ctx: Ctx, key: ConnectionKey, rows: CsvRow[]): Promise<string> {
  const connection = await lockUnlessRefused(ctx, key, whyNotUpload)
  const header = new Set<string>()
  await runInSlices(mapInSteps(rows, (row) => Object.keys(row).forEach((name) => header.add(name))))
  const read = readerOf([...header], connection.settings)
  if (typeof read === 'string') throw invalid({ field: 'rows', message: read })
  const people = await runInSlices(mapInSteps(rows, read))
  const census_sync_id = await submitRoster(ctx, connection, await runInSlices(rowsOf(people)), 'settle_hris')
  await saveReported(ctx, connection, people)
  const run_id = newId('hrun')
  await insertUpload(ctx, { ...connection, run_id, census_sync_id })
  await insertHours(ctx, { ...connection, run_id }, await runInSlices(hoursIn(people)))
  return run_id
}

/** Saves which permanent fields the files of a connection have had, so that a later file without one is refused. */
async function saveReported(ctx: Ctx, connection: Connection, people: HrisPerson[]): Promise<void> {
  const reported = newlyReported(connection, people[0]!)
  if (reported) await saveSettings(ctx, connection, { ...connection.settings, reported })
}

/** Ends the run that waits to be fetched. Its job runs once more and finds nothing to do. */
async function cancelFetch(ctx: Ctx, connection: Connection, why: Problem): Promise<void> {
  const run = await lockRunToFetch(ctx, connection)
  if (!run) return
  await saveRunProblem(ctx, { ...run, ...why, over: true })
  const { payload, ...options } = jobOf(connection)
  await ctx.enqueue('sync_hris', payload, options)
}

/** The previous run, which may have been interrupted before its provider was notified of the outcome. */
type Leftover = { run_id: string; taken: boolean }
/** An attempt at a run, with the arguments for its provider. */
type SyncAttempt = { run: HrisRun; call: HrisCall }
type Beginning = { source: HrisSource; leftover: Leftover | undefined; attempt: SyncAttempt | undefined }

/**
 * Fetches all people of a connection outside of a transaction, and submits them as a census in one transaction. A run
 * that is interrupted or incomplete applies nothing and is retried. Running it once too often has no effect.
 */
export async function syncConnection(runtime: Runtime, job: SyncJob): Promise<void> {
  const begun = await inOrganization(runtime, job.organization_id, (ctx) => beginAttempt(ctx, job))
  if (!begun) return
  const provider = integrationOf(runtime, payroll)[begun.source]
  const { leftover, attempt } = begun
  if (leftover) {
    await provider.settle?.(leftover.run_id, leftover.taken).catch((error: unknown) => {
      if (!attempt) throw error
      runtime.log.error({ err: error }, 'could not settle the data of an earlier run')
    })
  }
  if (!attempt) return
  const fetched = await provider.fetch(attempt.call).catch((error: unknown) => asHrisError(runtime, error))
  const verdict = await inOrganization(runtime, job.organization_id, (ctx) => concludeAttempt(ctx, attempt, fetched))
  if (verdict === 'again') throw fetched
  await provider.settle?.(attempt.run.id, verdict === 'taken')
}

function asHrisError({ log }: Runtime, error: unknown): HrisError {
  if (error instanceof HrisError) return error
  log.error({ err: error }, 'could not fetch from a payroll system')
  return new HrisError('unavailable', 'Something unexpected happened. See the log for details.')
}

async function beginAttempt(ctx: Ctx, { connection_id }: SyncJob): Promise<Beginning | undefined> {
  const connection = await lockConnection(ctx, { connection_id })
  if (!connection) return undefined
  const run = await lockRunToFetch(ctx, connection)
  const attempt = run && (await attemptAt(ctx, run, connection))
  const latest = await findLatestFetch(ctx, connection)
  return { source: connection.source, leftover: latest && { run_id: latest.id, taken: latest.taken }, attempt }
}

/** Starts an attempt at a run, unless the run must end before it. */
async function attemptAt(ctx: Ctx, run: HrisRun, connection: Connection): Promise<SyncAttempt | undefined> {
  const { connection_id, settings, access_sealed } = connection
  await saveAttempt(ctx, run)
  if (!(await hasActiveSubscription(ctx, { employer_id: connection.employer_id, day: ctx.today }))) {
    await failRun(ctx, run, employers_refusals.employer_has_no_active_subscription, true)
    return undefined
  }
  const attempt = run.attempt_count + 1
  const access_token = access_sealed && ctx.secrets.decrypt(access_sealed)
  const call = { connection_id, run_id: run.id, attempt, today: ctx.today, access_token, settings }
  return { run: { ...run, attempt_count: attempt }, call }
}

type Verdict = 'taken' | 'refused' | 'again'

const empty_roster = new HrisError(
  'incomplete',
  'The payroll system returned no people, so nothing was applied.',
  false,
)

/**
 * Submits the fetched people as a census, or saves why there are none. Does nothing if the run has been processed or
 * paused in the meantime.
 */
async function concludeAttempt(ctx: Ctx, attempt: SyncAttempt, fetched: HrisPerson[] | HrisError): Promise<Verdict> {
  const connection = await lockConnection(ctx, attempt.call)
  const run = connection && (await lockRunToFetch(ctx, connection))
  if (!connection || run?.id !== attempt.run.id) return (await wasRunUsed(ctx, attempt.run)) ? 'taken' : 'refused'
  if (fetched instanceof HrisError) return concludeFailure(ctx, run, fetched)
  if (fetched.length === 0) return concludeFailure(ctx, run, empty_roster)
  const census_sync_id = await submitRoster(ctx, run, await runInSlices(rowsOf(fetched)), 'settle_hris')
  await saveFetched(ctx, { ...run, census_sync_id })
  await saveReported(ctx, connection, fetched)
  await insertHours(ctx, { ...run, run_id: run.id }, await runInSlices(hoursIn(fetched)))
  return 'taken'
}

async function concludeFailure(ctx: Ctx, run: HrisRun, error: HrisError): Promise<Verdict> {
  if (error.code === 'no_file' && run.cause === 'drop') {
    // An earlier run has already processed the file.
    await deleteRun(ctx, run)
    return 'refused'
  }
  const over = !error.passing || run.attempt_count >= max_attempts
  await failRun(ctx, run, error, over)
  return over ? 'refused' : 'again'
}

async function failRun(ctx: Ctx, run: HrisRun, { code, message }: Problem, over: boolean): Promise<void> {
  await saveRunProblem(ctx, { ...run, code, message, over })
  await saveProblem(ctx, run, { code, message }, code === 'access_lost')
  if (code !== 'access_lost') return
  const { organization_id, employer_id, connection_id: resource_id } = run
  await openTasks(ctx, [{ kind: 'hris_access_lost', organization_id, employer_id, resource_id, details: {} }])
}

/** Confirms a held run: the people missing from it are terminated. */
export async function confirmRun(ctx: Ctx, { hris_run_id }: HrisRunKey): Promise<void> {
  const run = await findRunCensus(ctx, { run_id: hris_run_id })
  if (!run?.census_sync_id) return refuse(census_refusals.census_sync_not_held)
  await confirmCensus(ctx, { census_sync_id: run.census_sync_id })
}

/** Saves the outcomes of an employer's runs at their connections. */
const settleRuns = (runtime: Runtime, employer: EmployerKey): Promise<void> =>
  inOrganization(runtime, employer.organization_id, (ctx) => settle(ctx, employer))

/** Enqueues the job that records the hours of a run, now that its people are on the roster. */
const requestHours = (ctx: Ctx, { organization_id, employer_id, run_id }: EmployerKey & { run_id: string }) =>
  ctx.enqueue('record_hris_hours', { organization_id, employer_id, run_id }, { key: `record_hris_hours:${run_id}` })

async function settle(ctx: Ctx, employer: EmployerKey): Promise<void> {
  for (const run of await listToSettle(ctx, employer)) {
    const { state, superseded, missing_count } = run
    if (run.has_hours) await requestHours(ctx, { ...employer, run_id: run.id })
    if (state === 'completed') await saveSuccess(ctx, run)
    if (state === 'failed')
      await saveProblem(ctx, run, { code: 'failed', message: 'The census stopped before it was complete. Sync again.' })
    if (state === 'held' && !superseded) {
      const people = missing_count === 1 ? 'one person' : `${missing_count} people`
      const message = `The sync would terminate ${people}. Confirm the run to apply this.`
      await saveProblem(ctx, run, { code: 'held', message })
    } else await saveRunEnd(ctx, run)
  }
}

/** Re-encrypts the access tokens of an organization's connections with the current key. */
export const reEncryptAccess = reEncryptionOf({
  table: 'hris_connections',
  key: ['id'],
  sealed: ['access_sealed'],
  where: "disconnected_at is null and provider > ''",
})

export const tasks = {
  sync_hris: task(z.object({ organization_id: z.string(), connection_id: z.string() }), syncConnection),
  settle_hris: task(z.object({ organization_id: z.string(), employer_id: z.string() }), settleRuns),
  collect_hris_files: task(z.unknown(), collectFiles),
}
