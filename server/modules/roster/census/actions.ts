import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { chunksOf, halvesOf, planningPieces, pipelineWrites } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { processOrSplit, type IsRefused, type Note } from '../../../jobs/refused-chunks.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { readStaged, stageRowsInTurn, type StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import {
  terminateMissing,
  requireOwnRoster,
  requireSubscription,
  settleRoster,
  writeRoster,
} from '../employees/actions.ts'
import { saveDetailHashes } from '../employees/fact-queries.ts'
import { closeTasks, closeTasksOf, openTasks } from '../../directory/tasks/actions.ts'
import {
  countAbsentees,
  countRoster,
  countUnseen,
  findCensusMode,
  findClaimed,
  findMissing,
  hasLaterCensus,
  insertCensusSync,
  insertChunks,
  insertSeen,
  listUnseen,
  lockCensusSync,
  lockWaitingCensus,
  saveCompletion,
  saveConfirmation,
  saveFailure,
  saveHold,
  saveProgress,
  saveStart,
  stages,
  claimChunk,
  type CensusChunk,
  type CensusKey,
  type SyncState,
} from './queries.ts'
import { readKnowledge } from './knowledge-actions.ts'
import { planCensus, planExchanges, rosterChangesOf, absenceChangesOf, plannedOf } from './planning-rules.ts'
import { saveChanges } from './outcome-queries.ts'
import {
  withoutRepetitions,
  type CensusKnowledge,
  type CensusPlan,
  isHeld,
  kinds_before_window,
  mergePlans,
  refusals,
  type StagedRow,
} from './rules.ts'
import { chunk_size, type CensusOutcome, type CensusRow } from './schemas.ts'
import { type CensusMode } from '../../directory/employers/schemas.ts'

/** Returns the mode of a census. Refuses requests that must fail before they are accepted. */
async function modeOf(ctx: Ctx, employer: EmployerKey, requested_mode: CensusMode | undefined): Promise<CensusMode> {
  await requireOwnRoster(ctx, employer)
  await requireSubscription(ctx, employer.employer_id)
  return requested_mode ?? (await findCensusMode(ctx, employer))!.census_mode
}

/**
 * Accepts a census of up to 10,000 rows. The worker processes it in chunks, one census of an employer after another.
 */
export async function submitCensus(
  ctx: Ctx,
  employer: EmployerKey,
  staged: StagedRows,
  requested_mode: CensusMode | undefined,
) {
  const mode = await modeOf(ctx, employer, requested_mode)
  const census_sync_id = newId('csyn')
  await closeHeld(ctx, employer)
  await insertCensusSync(
    ctx,
    { ...employer, census_sync_id, mode, origin: 'api', completion_task: null, row_count: staged.count },
    staged,
  )
  await enqueueChunk(ctx, employer)
  return { accepted_at: ctx.now, employer_id: employer.employer_id, census_sync_id }
}

/**
 * Accepts the whole roster of an employer from an HRIS connection and returns the id of the census. It is an ordinary
 * replacing census. Rows that cannot be used are reported with the other failures. `completion_task` is the job to
 * enqueue, with the employer, when the census completes or is held.
 */
export async function submitRoster(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  completion_task: string,
): Promise<string> {
  await requireSubscription(ctx, employer.employer_id)
  const census_sync_id = newId('csyn')
  const sync = { ...employer, census_sync_id, mode: 'replace', origin: 'hris', completion_task } as const
  await closeHeld(ctx, employer)
  const usable = await runInSlices(withoutRepetitions(rows, ctx.today))
  const staged = await runInSlices(stageRowsInTurn(usable, chunk_size))
  await insertCensusSync(ctx, { ...sync, row_count: rows.length }, staged)
  await enqueueChunk(ctx, employer)
  return census_sync_id
}

/**
 * Each employer has one job for all its censuses. The job processes the next chunk of the oldest one and enqueues
 * itself again.
 */
const enqueueChunk = (ctx: Ctx, { organization_id, employer_id }: EmployerKey): Promise<void> =>
  ctx.enqueue('process_census', { organization_id, employer_id }, { key: `census:${employer_id}` })

/** Enqueues the job that waits for a census to complete or to be held, if there is one. */
async function enqueueFollowUp(ctx: Ctx, { completion_task, organization_id, employer_id }: SyncState): Promise<void> {
  if (completion_task !== null)
    await ctx.enqueue(completion_task, { organization_id, employer_id }, { key: `${completion_task}:${employer_id}` })
}

/** Returns the outcome that a census would have. Changes nothing. */
export async function dryRunCensus(
  ctx: Ctx,
  employer: EmployerKey,
  staged: StagedRows,
  requested_mode: CensusMode | undefined,
): Promise<CensusOutcome> {
  const mode = await modeOf(ctx, employer, requested_mode)
  const employees = await runInSlices(readStaged<CensusRow>(staged))
  const roster_count = await countRoster(ctx, employer)
  const planning = await readKnowledge(ctx, employer, employees, { origin: 'api', roster_count })
  const first = await runInSlices(planCensus(employees, 0, planning, true))
  const exchanged = await runInSlices(planExchanges(first.exchanging, planning))
  const last = await runInSlices(planCensus([...first.waiting, ...exchanged.waiting], 0, planning, false))
  const { counts, failures, warnings, seen, has_unmatched_rows, done } = mergePlans([first, exchanged, last])
  const missing = mode === 'replace' ? await countUnseen(ctx, { ...employer, seen: [...seen] }) : 0
  const recent = await countAbsentees(ctx, employer)
  const held = isHeld(missing, recent, roster_count, has_unmatched_rows)
  if (!held) counts.terminated += missing
  return {
    census_sync_id: null,
    employer_id: employer.employer_id,
    origin: 'api',
    mode,
    dry_run: true,
    state: held ? 'held' : 'completed',
    row_count: employees.length,
    processed_count: employees.length,
    counts,
    missing_count: held ? missing : null,
    missing: missing > 0 ? await listUnseen(ctx, { ...employer, seen: [...seen] }) : [],
    failures: failures.toSorted((a, b) => a.index - b.index),
    warnings: warnings.toSorted((a, b) => a.index - b.index || (a.field! < b.field! ? -1 : 1)),
    planned: plannedOf(done),
    accepted_at: ctx.now,
    completed_at: ctx.now,
  }
}

/** Confirms a held census: the people missing from it are terminated. */
export async function confirmCensus(ctx: Ctx, { census_sync_id }: Pick<CensusKey, 'census_sync_id'>): Promise<void> {
  const sync = await lockCensusSync(ctx, { census_sync_id })
  if (!sync?.held) return refuse(refusals.census_sync_not_held)
  if (sync.origin === 'api') await requireOwnRoster(ctx, sync)
  if (await hasLaterCensus(ctx, sync)) return refuse(refusals.census_sync_superseded)
  await saveConfirmation(ctx, sync)
  await closeHeld(ctx, sync)
  await enqueueChunk(ctx, sync)
}

/** Discards a held census: it completes without terminating the people who are missing from it. */
export async function discardCensus(ctx: Ctx, { census_sync_id }: Pick<CensusKey, 'census_sync_id'>): Promise<void> {
  const sync = await lockCensusSync(ctx, { census_sync_id })
  if (!sync?.held) return refuse(refusals.census_sync_not_held)
  await complete(ctx, sync, 0)
}

/** Completes a census: saves its counts, publishes its event and enqueues the waiting job. */
async function complete(ctx: Ctx, sync: SyncState, terminated: number): Promise<void> {
  await saveCompletion(ctx, sync, terminated)
  await closeHeld(ctx, sync)
  await recordEvents(ctx, [
    { event_name: 'census_sync.completed', organization_id: sync.organization_id, resource_id: sync.census_sync_id },
  ])
  await enqueueFollowUp(ctx, sync)
}

/** Closes the task of a held census, once the census is decided or superseded by a later one. */
const closeHeld = (ctx: Ctx, { organization_id, employer_id }: EmployerKey) =>
  closeTasksOf(ctx, { organization_id, employer_id, kind: 'census_held' })

/**
 * Processes the next chunk of an employer's oldest waiting census and enqueues the following one, in one transaction.
 * If the worker is killed, whole chunks are either done or not done, and processing resumes with the next. Running it
 * again when nothing is left has no effect.
 */
const processCensus = (runtime: Runtime, job: EmployerKey): Promise<void> =>
  processOrSplit(runtime, job, {
    subject: 'a census',
    // Includes statement timeouts (57014), because the same chunk would time out again.
    refusals: /^2[23]|^57014$/,
    advance: (ctx, note) => processNextChunk(ctx, job, note),
    splitChunk: (ctx, isRefused) => splitChunk(ctx, job, isRefused),
  })

/**
 * Splits a refused chunk into pieces, then halves, until only the offending row is left. Does nothing if another job
 * has already processed the chunk.
 */
async function splitChunk(ctx: Ctx, job: EmployerKey, isRefused: IsRefused): Promise<void> {
  const sync = await lockWaitingCensus(ctx, job)
  if (!sync) return
  const chunk = await claimChunk(ctx, sync)
  if (!isRefused(sync.census_sync_id, chunk)) await insertChunks(ctx, sync, chunk ? [chunk] : [])
  else if (!chunk) await giveUp(ctx, sync)
  else if (chunk.rows.length > 1) await insertChunks(ctx, sync, piecesOf(sync, chunk))
  else await refuseRow(ctx, sync, chunk)
  await enqueueChunk(ctx, job)
}

async function giveUp(ctx: Ctx, sync: SyncState): Promise<void> {
  await saveFailure(ctx, sync)
  await enqueueFollowUp(ctx, sync)
}

function piecesOf(sync: SyncState, chunk: CensusChunk): CensusChunk[] {
  const { rows } = chunk
  if (rows.length > chunk_size) return chunksAt(stages.last, rows, sync)
  if (stageOf(chunk, sync) === stages.first) return halvesOf(chunk)
  // Rows that were deferred are processed separately from now on. They are no longer combined into one chunk.
  return halvesOf(chunk, (at) => stages.last * sync.row_count + rows[at]!.index!)
}

/** Reports a single row that PostgreSQL refused. The people it may refer to do not count as missing. */
async function refuseRow(ctx: Ctx, sync: SyncState, { first_index, rows }: CensusChunk): Promise<void> {
  const { code, message } = generic.conflict
  const refused = rows.map((row) => ({ ...row, unusable: { field: null, reason: `${code}: ${message}` } }))
  const plan = await runInSlices(planCensus(refused, first_index, await readKnowledge(ctx, sync, refused, sync), false))
  await insertSeen(ctx, { ...sync, position: first_index, seen: [...plan.seen], claimed: [] })
  await saveProgress(ctx, sync, 1, plan)
}

async function processNextChunk(job_ctx: Ctx, job: EmployerKey, note: Note): Promise<void> {
  const sync = await lockWaitingCensus(job_ctx, job)
  if (!sync) return
  const ctx = {
    ...job_ctx,
    operation: sync.origin === 'api' ? 'employers_submit_census_sync' : 'operator_sync_hris',
  }
  if (!sync.started) await saveStart(ctx, { ...sync, roster_count: (sync.roster_count = await countRoster(ctx, sync)) })
  const chunk = await claimChunk(ctx, sync)
  note(sync.census_sync_id, chunk)
  if (chunk) return processChunk(ctx, sync, chunk)
  await finish(ctx, sync)
  await enqueueChunk(ctx, job)
}

async function processChunk(ctx: Ctx, sync: SyncState, chunk: CensusChunk): Promise<void> {
  const planning = await readKnowledge(ctx, sync, chunk.rows, sync)
  const known_ids = [...planning.people.ids(), ...[...planning.unchanged.values()].map(({ member_id }) => member_id)]
  const claimed_before = known_ids.length > 0 ? await findClaimed(ctx, { ...sync, member_ids: known_ids }) : []
  for (const id of claimed_before) planning.claimed.add(id)
  await planAndWrite(ctx, sync, chunk, planning, async (plan) => {
    for (const id of claimed_before) planning.claimed.delete(id)
    await Promise.all([
      settleRoster(ctx, sync.organization_id, sync, plan.changes).then(() => openTasksBeforeWindow(ctx, sync, plan)),
      noteProgress(ctx, sync, chunk, plan, [...planning.claimed]),
      enqueueChunk(ctx, sync),
    ])
  })
}

/**
 * Opens tasks for the operator for changes that lie before the correction window, and closes those that no longer
 * apply.
 */
async function openTasksBeforeWindow(
  ctx: Ctx,
  { organization_id, employer_id }: SyncState,
  { within_window, before_window }: CensusPlan,
): Promise<void> {
  const tasks = before_window.map(({ kind, employee_id, day }) => {
    const details = { [kind === 'start_too_old' ? 'start_date' : 'last_day_employed']: day }
    return { kind, organization_id, employer_id, resource_id: employee_id, details }
  })
  await closeTasks(ctx, { organization_id, kinds: kinds_before_window }, within_window)
  await openTasks(ctx, tasks)
}

/** Saves the results of a chunk: the people it referred to, the people it matched, and the rows that are deferred. */
async function noteProgress(
  ctx: Ctx,
  sync: SyncState,
  chunk: CensusChunk,
  plan: CensusPlan,
  claimed: string[],
): Promise<void> {
  const { exchanging, waiting, detail_hashes } = plan
  const is_first = stageOf(chunk, sync) === stages.first
  const left = [
    ...chunksAt(stages.exchange, exchanging, sync),
    ...chunksAt(is_first ? stages.rest : stages.last, waiting, sync),
  ]
  await Promise.all([
    detail_hashes.length > 0 && saveDetailHashes(ctx, sync, detail_hashes),
    sync.origin === 'hris' && saveChanges(ctx, sync, rosterChangesOf(plan.done)),
    insertSeen(ctx, { ...sync, position: chunk.first_index, seen: [...plan.seen], claimed }),
    insertChunks(ctx, sync, left),
    saveProgress(ctx, sync, chunk.rows.length - exchanging.length - waiting.length, plan),
  ])
}

/**
 * Plans the rows of a chunk piece by piece. The writes of a piece are sent while the next piece is planned, and the
 * follow-up of the whole chunk is sent right after them.
 */
async function planAndWrite(
  ctx: Ctx,
  sync: SyncState,
  chunk: CensusChunk,
  planning: CensusKnowledge,
  follow: (plan: CensusPlan) => Promise<void>,
): Promise<void> {
  const stage = stageOf(chunk, sync)
  // Rows that exchange details must be planned together.
  const pieces = stage === stages.exchange ? [chunk] : planningPieces(chunk)
  await pipelineWrites(
    pieces,
    ({ first_index, rows }) =>
      runInSlices(
        stage === stages.exchange
          ? planExchanges(rows, planning)
          : planCensus(rows, first_index, planning, stage === stages.first),
      ),
    ({ changes }) => writeRoster(ctx, sync, changes, sync.accepted_at),
    (plans) => follow(mergePlans(plans)),
  )
}

const stageOf = ({ first_index }: CensusChunk, { row_count }: SyncState): number => Math.floor(first_index / row_count)

/** Splits rows that carry their own index into chunks of a stage. */
const chunksAt = (stage: number, rows: StagedRow[], { row_count }: SyncState): CensusChunk[] =>
  chunksOf(rows, chunk_size).map((chunk) => ({ first_index: stage * row_count + chunk[0]!.index!, rows: chunk }))

/** Runs after the last row. A replacing census terminates the missing people, or is held if there are too many. */
async function finish(ctx: Ctx, sync: SyncState): Promise<void> {
  const missing = sync.mode === 'replace' ? await findMissing(ctx, sync) : []
  const recent = await countAbsentees(ctx, sync)
  if (!sync.confirmed && isHeld(missing.length, recent, sync.roster_count ?? 0, sync.has_unmatched_rows)) {
    await hold(ctx, sync, missing.length)
    return enqueueFollowUp(ctx, sync)
  }
  if (sync.origin === 'hris') await saveChanges(ctx, sync, absenceChangesOf(missing, ctx.today))
  await terminateMissing(
    ctx,
    sync,
    missing.map(({ id }) => id),
  )
  await complete(ctx, sync, missing.length)
}

/** Holds a census and opens a task to confirm it. If a later census already supersedes it, no task is opened. */
async function hold(ctx: Ctx, sync: SyncState, missing_count: number): Promise<void> {
  await saveHold(ctx, { ...sync, missing_count })
  if (await hasLaterCensus(ctx, sync)) return
  const { organization_id, employer_id, census_sync_id: resource_id } = sync
  const details = { missing_count, roster_count: sync.roster_count }
  await openTasks(ctx, [{ kind: 'census_held', organization_id, employer_id, resource_id, details }])
}

export const tasks = {
  process_census: task(z.object({ organization_id: z.string(), employer_id: z.string() }), processCensus),
}
