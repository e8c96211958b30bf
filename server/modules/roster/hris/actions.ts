import { payroll } from '../../../integrations/payroll/providers.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { CsvRow } from '../../../kernel/csv.ts'
import { lastOf } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { readerOf } from '../../../integrations/payroll/columns.ts'
import { HrisError, type HrisCall, type HrisPerson, type HrisSource } from '../../../integrations/payroll/provider.ts'
import type { Remake } from '../../../security/re-encrypt.ts'
import { reseal } from '../../../security/key-age.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, refuse, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { each, unhurried } from '../../../kernel/slices.ts'
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
  listStaleAccess,
  lockConnection,
  saveAccess,
  saveDisconnection,
  savePause,
  saveResumption,
  saveSealedAccess,
  saveSettings,
  type Connection,
  type ConnectionKey,
} from './queries.ts'
import {
  deleteRun,
  findLatestFetch,
  findRunCensus,
  insertDueRuns,
  insertRun,
  insertUpload,
  isTaken,
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
  isAskedNightly,
  labels,
  most_attempts,
  rowOf,
  whyNotChange,
  whyNotConnect,
  whyNotPause,
  whyNotRenew,
  whyNotResume,
  whyNotSync,
  whyNotSetPayroll,
  whyNotUpload,
  type Standing,
} from './rules.ts'
import type { NewHrisConnection, SandboxPayroll } from './schemas.ts'

/** Connects an employer to its payroll system, which is asked at once, and returns the connection's id. */
export async function connectEmployer(ctx: Ctx, employer: EmployerKey, wanted: NewHrisConnection): Promise<string> {
  refuse(whyNotConnect(wanted, await findConnectable(ctx, employer)))
  const id = newId('hris')
  const { source, access_token, columns } = wanted
  const provider = wanted.provider ?? source
  await insertConnection(ctx, {
    employer_id: employer.employer_id,
    organization_id: employer.organization_id,
    id,
    source,
    provider,
    provider_label: wanted.provider === undefined ? labels[source] : (wanted.provider_label ?? provider),
    access_sealed: access_token === undefined ? null : ctx.secrets.encrypt(access_token),
    settings: columns ? { columns } : {},
    nightly: isAskedNightly(source),
  })
  if (isAskedNightly(source)) await requestSync(ctx, (await lockConnection(ctx, id))!, 'operator')
  return id
}

/** A connection as it stands, unless a rule says why not. */
async function readUnless(
  ctx: Ctx,
  { hris_connection_id }: ConnectionKey,
  whyNot: (standing: Standing) => RefusalKind | undefined,
): Promise<Connection> {
  const connection = (await lockConnection(ctx, hris_connection_id))!
  refuse(whyNot(connection))
  return connection
}

/** Lets the API write the roster until the connection is resumed. What was fetched already is still applied. */
export async function pauseConnection(ctx: Ctx, key: ConnectionKey): Promise<void> {
  const connection = await readUnless(ctx, key, whyNotPause)
  await savePause(ctx, connection)
  await cancelFetch(ctx, connection, { code: 'paused', message: 'The connection was paused before it was fetched.' })
}

/** Takes a connection up after a pause, or after access was lost; who is asked every night is asked at once. */
export async function resumeConnection(ctx: Ctx, key: ConnectionKey): Promise<void> {
  await goOn(ctx, await readUnless(ctx, key, whyNotResume))
}

/** Of a connection that goes on or is ended nobody has to renew the access. */
const closeAccessLost = (ctx: Ctx, { organization_id, id }: Connection) =>
  closeTasks(ctx, { organization_id, kind: 'hris_access_lost' }, [id])

async function goOn(ctx: Ctx, connection: Connection): Promise<void> {
  const nightly = isAskedNightly(connection.source)
  await saveResumption(ctx, connection, nightly)
  await closeAccessLost(ctx, connection)
  if (nightly) await requestSync(ctx, connection, 'operator')
}

/** Keeps a new access token, and tries it at once unless the connection is paused. */
export async function renewAccess(ctx: Ctx, key: ConnectionKey, access_token: string): Promise<void> {
  const connection = await readUnless(ctx, key, whyNotRenew)
  await saveAccess(ctx, connection, ctx.secrets.encrypt(access_token))
  if (connection.status !== 'paused') await goOn(ctx, connection)
}

/** Ends a connection for good: its access token is forgotten, and the roster is the partner's. */
export async function disconnectEmployer(ctx: Ctx, key: ConnectionKey): Promise<void> {
  const connection = await readUnless(ctx, key, whyNotChange)
  await saveDisconnection(ctx, connection)
  await closeAccessLost(ctx, connection)
  await cancelFetch(ctx, connection, {
    code: 'disconnected',
    message: 'The connection was ended before it was fetched.',
  })
}

/** Tells the fake payroll of a sandbox whom it employs, and how it misbehaves. */
export async function setSandboxPayroll(ctx: Ctx, key: ConnectionKey, told: SandboxPayroll): Promise<void> {
  const connection = await readUnless(ctx, key, whyNotSetPayroll)
  const people = told.people ?? connection.settings.payroll?.people ?? []
  const payroll = { people, misbehaviour: told.misbehaviour ?? null, times: told.times ?? null }
  await saveSettings(ctx, connection, { ...connection.settings, payroll })
}

type SyncJob = { organization_id: string; connection_id: string }

/**
 * Its key names no employer: a payroll that is away for hours must not keep the clock of a sandbox from being moved.
 * There are two queues: payroll systems that never answer must not occupy all workers.
 */
const jobOf = ({ id, organization_id }: Pick<Connection, 'id' | 'organization_id'>) => ({
  payload: { organization_id, connection_id: id },
  key: `sync_hris:${id}`,
  queue: `hris_${id.charCodeAt(id.length - 1) % 2}`,
})

/** Has a connection fetched soon; a run that waits to be tried again is tried now. Returns the run that will be. */
async function requestSync(ctx: Ctx, connection: Connection, cause: Cause): Promise<string> {
  await insertRun(ctx, newId('hrun'), connection, cause)
  const { payload, ...options } = jobOf(connection)
  await ctx.enqueue('sync_hris', payload, options)
  return (await lockRunToFetch(ctx, connection))!.id
}

/** Has a connection fetched now. */
export const syncNow = async (ctx: Ctx, key: ConnectionKey): Promise<string> =>
  requestSync(ctx, await readUnless(ctx, key, whyNotSync), 'operator')

/** The priority of jobs that many wait for and nobody at once. */
const behind_others = 10

/** The daily run: has every connection of an organization fetched that is due. */
export async function requestDueSyncs(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const due = await insertDueRuns(ctx, organization_id, chunk.most)
  const jobs = due.map(({ id }) => jobOf({ id, organization_id }))
  if (jobs.length > 0) await ctx.enqueueEach('sync_hris', jobs, behind_others)
  return lastOf(
    due.map(({ id }) => id),
    chunk,
  )
}

/**
 * Has the connections fetched for which files lie in the folder; files of others, and of who may not sync now, stay
 * there.
 */
export async function collectFiles(runtime: Runtime): Promise<void> {
  const everywhere = contextOf(runtime, serviceCaller(null), runtime.database.reads(every_organization))
  for (const connection_id of (await integrationOf(runtime, payroll).csv.listWaiting?.()) ?? []) {
    const located = await locateConnection(everywhere, { hris_connection_id: connection_id })
    if (!located) continue
    await inOrganization(runtime, located.organization_id, async (ctx) => {
      const connection = await lockConnection(ctx, connection_id)
      if (connection?.source !== 'csv' || whyNotSync(connection)) return
      if (await hasActiveSubscription(ctx, connection.employer_id, ctx.today))
        await requestSync(ctx, connection, 'drop')
    })
  }
}

/** Takes the rows of a file that was sent to us as the whole roster, and returns the run. */
export async function uploadRoster(ctx: Ctx, key: ConnectionKey, rows: CsvRow[]): Promise<string> {
  const connection = await readUnless(ctx, key, whyNotUpload)
  const header = new Set<string>()
  await unhurried(each(rows, (row) => Object.keys(row).forEach((name) => header.add(name))))
  const read = readerOf([...header], connection.settings.columns)
  if (typeof read === 'string') throw new Refusal(generic.invalid_request, [{ field: 'rows', message: read }])
  const staged = await unhurried(each(rows, (row) => rowOf(read(row))))
  const census_sync_id = await submitRoster(ctx, connection, staged, 'settle_hris')
  const run_id = newId('hrun')
  await insertUpload(ctx, run_id, connection, census_sync_id)
  return run_id
}

/** Ends the run that waits to be fetched; its job is called once more, and finds nothing to do. */
async function cancelFetch(ctx: Ctx, connection: Connection, why: Problem): Promise<void> {
  const run = await lockRunToFetch(ctx, connection)
  if (!run) return
  await saveRunProblem(ctx, run, why, true)
  const { payload, ...options } = jobOf(connection)
  await ctx.enqueue('sync_hris', payload, options)
}

/** What is left of the run before: it may have been cut off before its provider heard what became of it. */
type Leftover = { run_id: string; taken: boolean }
/** An attempt at a run: what its provider is told. */
type SyncAttempt = { run: HrisRun; call: HrisCall }
type Beginning = { source: HrisSource; leftover: Leftover | undefined; attempt: SyncAttempt | undefined }

/**
 * Fetches everybody of a connection, outside of any transaction, and hands them to the census in one: a run that is cut
 * off, or of which anything is missing, has applied nothing and is tried again. Run once too often, it does nothing.
 */
export async function syncConnection(runtime: Runtime, job: SyncJob): Promise<void> {
  const begun = await inOrganization(runtime, job.organization_id, (ctx) => beginAttempt(ctx, job))
  if (!begun) return
  const provider = integrationOf(runtime, payroll)[begun.source]
  const { leftover, attempt } = begun
  if (leftover) {
    await provider.settle?.(leftover.run_id, leftover.taken).catch((error: unknown) => {
      if (!attempt) throw error
      runtime.log.error({ err: error }, 'what a former run fetched could not be put away')
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
  log.error({ err: error }, 'a payroll system could not be fetched')
  return new HrisError('unavailable', 'Something unexpected happened; the log tells what.')
}

async function beginAttempt(ctx: Ctx, { connection_id }: SyncJob): Promise<Beginning | undefined> {
  const connection = await lockConnection(ctx, connection_id)
  if (!connection) return undefined
  const run = await lockRunToFetch(ctx, connection)
  const attempt = run && (await attemptAt(ctx, run, connection))
  const latest = await findLatestFetch(ctx, connection)
  return { source: connection.source, leftover: latest && { run_id: latest.id, taken: latest.taken }, attempt }
}

/** Another attempt at a run, unless that is over before it begins. */
async function attemptAt(ctx: Ctx, run: HrisRun, connection: Connection): Promise<SyncAttempt | undefined> {
  const { id: connection_id, settings, access_sealed } = connection
  await saveAttempt(ctx, run)
  if (!(await hasActiveSubscription(ctx, connection.employer_id, ctx.today))) {
    await failRun(ctx, run, employers_refusals.employer_has_no_active_subscription, true)
    return undefined
  }
  const attempt = run.attempt_count + 1
  const access_token = access_sealed && ctx.secrets.decrypt(access_sealed)
  const call = { connection_id, run_id: run.id, attempt, today: ctx.today, access_token, settings }
  return { run: { ...run, attempt_count: attempt }, call }
}

type Verdict = 'taken' | 'refused' | 'again'

const nobody = new HrisError('incomplete', 'The payroll system sent nobody: nothing was applied.', false)

/** Hands what was fetched to the census, or notes why nothing was. Another may have been here first, or a pause. */
async function concludeAttempt(ctx: Ctx, attempt: SyncAttempt, fetched: HrisPerson[] | HrisError): Promise<Verdict> {
  const connection = await lockConnection(ctx, attempt.call.connection_id)
  const run = connection && (await lockRunToFetch(ctx, connection))
  if (run?.id !== attempt.run.id) return (await isTaken(ctx, attempt.run)) ? 'taken' : 'refused'
  if (fetched instanceof HrisError) return concludeFailure(ctx, run, fetched)
  if (fetched.length === 0) return concludeFailure(ctx, run, nobody)
  const census_sync_id = await submitRoster(ctx, run, await unhurried(each(fetched, rowOf)), 'settle_hris')
  await saveFetched(ctx, run, census_sync_id)
  return 'taken'
}

async function concludeFailure(ctx: Ctx, run: HrisRun, error: HrisError): Promise<Verdict> {
  if (error.code === 'no_file' && run.cause === 'drop') {
    // The file was taken by the run before.
    await deleteRun(ctx, run)
    return 'refused'
  }
  const over = !error.passing || run.attempt_count >= most_attempts
  await failRun(ctx, run, error, over)
  return over ? 'refused' : 'again'
}

async function failRun(ctx: Ctx, run: HrisRun, { code, message }: Problem, over: boolean): Promise<void> {
  await saveRunProblem(ctx, run, { code, message }, over)
  await saveProblem(ctx, run, { code, message }, code === 'access_lost')
  if (code !== 'access_lost') return
  const { organization_id, employer_id, connection_id: resource_id } = run
  await openTasks(ctx, [{ kind: 'hris_access_lost', organization_id, employer_id, resource_id, details: {} }])
}

/** Lets a held run end the people who are missing from it. */
export async function confirmRun(ctx: Ctx, { hris_run_id }: HrisRunKey): Promise<void> {
  const run = await findRunCensus(ctx, hris_run_id)
  if (!run?.census_sync_id) return refuse(census_refusals.census_sync_not_held)
  await confirmCensus(ctx, { census_sync_id: run.census_sync_id })
}

/** Notes at the connections of an employer what became of their runs. */
export const settleRuns = (runtime: Runtime, employer: EmployerKey): Promise<void> =>
  inOrganization(runtime, employer.organization_id, (ctx) => settle(ctx, employer))

async function settle(ctx: Ctx, employer: EmployerKey): Promise<void> {
  for (const run of await listToSettle(ctx, employer)) {
    const { state, superseded, missing_count } = run
    if (state === 'completed') await saveSuccess(ctx, run)
    if (state === 'failed')
      await saveProblem(ctx, run, { code: 'failed', message: 'The census stopped part of the way: sync again.' })
    if (state === 'held' && !superseded) {
      const whom = missing_count === 1 ? 'one person' : `${missing_count} people`
      const message = `The sync would end ${whom}: confirm it, or leave it.`
      await saveProblem(ctx, run, { code: 'held', message })
    } else await saveRunEnd(ctx, run)
  }
}

/** Encrypts the access tokens of an organization's connections with the key of now. */
export const remakeAccess: Remake = async (scope, organization_id, { most }) => {
  const { secrets } = scope
  const stale = await listStaleAccess(scope, { organization_id, mark: secrets.mark(), most })
  const fresh = stale.map(({ id, access_sealed }) => ({ id, access_sealed: reseal(secrets, access_sealed) }))
  await saveSealedAccess(scope, organization_id, fresh)
  return stale.length === most ? '' : null
}
