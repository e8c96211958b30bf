import { chunksOf, halvesOf, piecesToPlan, writeBehind } from '../../../kernel/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { advanceOrTakeApart, type IsRefused, type Note } from '../../../jobs/refused-chunks.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, refuse } from '../../../kernel/refusal.ts'
import { unhurried } from '../../../kernel/slices.ts'
import { readStaged, stageRowsInTurn, type StagedRows } from '../../../kernel/staged-rows.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { endAbsentees, requireOwnRoster, requireSubscription, settleRoster, writeRoster } from '../employees/actions.ts'
import { saveDetailHashes } from '../employees/report-queries.ts'
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
  takeChunk,
  type CensusChunk,
  type CensusKey,
  type SyncState,
} from './queries.ts'
import { readKnowledge } from './knowledge-actions.ts'
import { planCensus, planExchanges } from './planning-rules.ts'
import { saveChanges } from './change-queries.ts'
import { changesOf, endsOf, plannedOf } from './planned-rules.ts'
import { withoutRepetitions } from './roster-rules.ts'
import {
  type CensusKnowledge,
  type CensusPlan,
  isHeld,
  kinds_beyond_reach,
  plansTogether,
  refusals,
  type StagedRow,
} from './rules.ts'
import { chunk_size, type CensusMode, type CensusOutcome, type CensusRow } from './schemas.ts'

/** How a census is meant; refuses what is known to be wrong before acceptance. */
async function modeOf(ctx: Ctx, employer: EmployerKey, asked: CensusMode | undefined): Promise<CensusMode> {
  await requireOwnRoster(ctx, employer)
  await requireSubscription(ctx, employer.employer_id)
  return asked ?? (await findCensusMode(ctx, employer))!.census_mode
}

/**
 * Accepts a census of up to 10,000 rows; the worker processes it chunk by chunk, the censuses of one employer in turn.
 */
export async function submitCensus(ctx: Ctx, employer: EmployerKey, staged: StagedRows, asked: CensusMode | undefined) {
  const mode = await modeOf(ctx, employer, asked)
  const census_sync_id = newId('csyn')
  await closeHeld(ctx, employer)
  await insertCensusSync(
    ctx,
    { ...employer, id: census_sync_id, mode, origin: 'api', told_to: null, row_count: staged.count },
    staged,
  )
  await enqueueChunk(ctx, employer)
  return { accepted_at: ctx.now, employer_id: employer.employer_id, census_sync_id }
}

/**
 * Accepts the whole roster of an employer as an HRIS connection told of it, as a replacing census like any other, and
 * returns its id. Rows that can't be used are reported with the others. `told_to`: the task that hears when it is over
 * or held, with the employer.
 */
export async function submitRoster(
  ctx: Ctx,
  employer: EmployerKey,
  rows: StagedRow[],
  told_to: string,
): Promise<string> {
  await requireSubscription(ctx, employer.employer_id)
  const id = newId('csyn')
  const sync = { ...employer, id, mode: 'replace', origin: 'hris', told_to, row_count: rows.length } as const
  await closeHeld(ctx, employer)
  const usable = await unhurried(withoutRepetitions(rows, ctx.today))
  await insertCensusSync(ctx, sync, await unhurried(stageRowsInTurn(usable, chunk_size)))
  await enqueueChunk(ctx, employer)
  return id
}

export type CensusJob = { organization_id: string; employer_id: string }

/** The censuses of one employer wait for one job: it takes the next chunk of the oldest, then enqueues itself again. */
const enqueueChunk = (ctx: Ctx, { organization_id, employer_id }: CensusJob): Promise<void> =>
  ctx.enqueue('process_census', { organization_id, employer_id }, { key: `census:${employer_id}` })

/** Tells who waits for it that a census is over, or held. */
async function enqueueFollowUp(ctx: Ctx, { told_to, organization_id, employer_id }: SyncState): Promise<void> {
  if (told_to !== null)
    await ctx.enqueue(told_to, { organization_id, employer_id }, { key: `${told_to}:${employer_id}` })
}

/** Tells what a census would do, and does nothing. */
export async function rehearseCensus(
  ctx: Ctx,
  employer: EmployerKey,
  staged: StagedRows,
  asked: CensusMode | undefined,
): Promise<CensusOutcome> {
  const mode = await modeOf(ctx, employer, asked)
  const employees = await unhurried(readStaged<CensusRow>(staged))
  const roster_count = await countRoster(ctx, employer)
  const planning = await readKnowledge(ctx, employer, employees, { origin: 'api', roster_count })
  const first = await unhurried(planCensus(employees, 0, planning, true))
  const exchanged = await unhurried(planExchanges(first.exchanging, planning))
  const last = await unhurried(planCensus([...first.waiting, ...exchanged.waiting], 0, planning, false))
  const { counts, failures, warnings, seen, unsure, done } = plansTogether([first, exchanged, last])
  const missing = mode === 'replace' ? await countUnseen(ctx, employer, [...seen]) : 0
  const recent = await countAbsentees(ctx, employer)
  const held = isHeld(missing, recent, roster_count, unsure)
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
    missing: missing > 0 ? await listUnseen(ctx, employer, [...seen]) : [],
    failures: failures.toSorted((a, b) => a.index - b.index),
    warnings: warnings.toSorted((a, b) => a.index - b.index || (a.field! < b.field! ? -1 : 1)),
    planned: plannedOf(done),
    accepted_at: ctx.now,
    completed_at: ctx.now,
  }
}

/** Lets a held census end the people who are missing from it. */
export async function confirmCensus(ctx: Ctx, { census_sync_id }: Pick<CensusKey, 'census_sync_id'>): Promise<void> {
  const sync = await lockCensusSync(ctx, census_sync_id)
  if (!sync?.held) return refuse(refusals.census_sync_not_held)
  if (sync.origin === 'api') await requireOwnRoster(ctx, sync)
  if (await hasLaterCensus(ctx, sync)) return refuse(refusals.census_sync_superseded)
  await saveConfirmation(ctx, sync)
  await closeHeld(ctx, sync)
  await enqueueChunk(ctx, sync)
}

/** Lets a held census end nobody: it is over, and who is missing from it stays. */
export async function discardCensus(ctx: Ctx, { census_sync_id }: Pick<CensusKey, 'census_sync_id'>): Promise<void> {
  const sync = await lockCensusSync(ctx, census_sync_id)
  if (!sync?.held) return refuse(refusals.census_sync_not_held)
  await complete(ctx, sync, 0)
}

/** A census is over: its counts, its event, and whoever waits for it. */
async function complete(ctx: Ctx, sync: SyncState, terminated: number): Promise<void> {
  await saveCompletion(ctx, sync, terminated)
  await closeHeld(ctx, sync)
  await recordEvents(ctx, [
    { event_name: 'census_sync.completed', organization_id: sync.organization_id, resource_id: sync.id },
  ])
  await enqueueFollowUp(ctx, sync)
}

/** A census that is held no more, or that a later one supersedes, needs nobody. */
const closeHeld = (ctx: Ctx, { organization_id, employer_id }: EmployerKey) =>
  closeTasksOf(ctx, { organization_id, employer_id, kind: 'census_held' })

/**
 * Processes the next chunk of an employer's oldest waiting census and enqueues the one after it, all in one
 * transaction: a worker that is killed leaves whole chunks behind and takes up at the next. Run again when
 * nothing is left, it does nothing.
 */
export const processCensus = (runtime: Runtime, job: CensusJob): Promise<void> =>
  advanceOrTakeApart(runtime, job, {
    what: 'a census',
    // Also what PostgreSQL can't do in time (57014): all at once it would not do it the next time either.
    refusals: /^2[23]|^57014$/,
    advance: (ctx, note) => advance(ctx, job, note),
    takeApart: (ctx, isRefused) => takeApart(ctx, job, isRefused),
  })

/**
 * Takes the chunk that was refused apart, then halves it, down to the row to blame. Another job may have been here
 * first: then it is done.
 */
async function takeApart(ctx: Ctx, job: CensusJob, isRefused: IsRefused): Promise<void> {
  const sync = await lockWaitingCensus(ctx, job)
  if (!sync) return
  const chunk = await takeChunk(ctx, sync)
  if (!isRefused(sync, chunk)) await insertChunks(ctx, sync, chunk ? [chunk] : [])
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
  // Rows that waited are apart from now on, and no longer taken together.
  return halvesOf(chunk, (at) => stages.last * sync.row_count + rows[at]!.index!)
}

/** Reports a single row that PostgreSQL refused; nobody it may speak of is missing. */
async function refuseRow(ctx: Ctx, sync: SyncState, { first_index, rows }: CensusChunk): Promise<void> {
  const { code, message } = generic.conflict
  const refused = rows.map((row) => ({ ...row, unusable: { field: null, reason: `${code}: ${message}` } }))
  const plan = await unhurried(planCensus(refused, first_index, await readKnowledge(ctx, sync, refused, sync), false))
  await insertSeen(ctx, sync, first_index, [...plan.seen], [])
  await saveProgress(ctx, sync, 1, plan)
}

async function advance(asked: Ctx, job: CensusJob, note: Note): Promise<void> {
  const sync = await lockWaitingCensus(asked, job)
  if (!sync) return
  const ctx = { ...asked, operation: sync.origin === 'api' ? 'employers_submit_census_sync' : 'operator_sync_hris' }
  if (!sync.started) await saveStart(ctx, sync, (sync.roster_count = await countRoster(ctx, sync)))
  const chunk = await takeChunk(ctx, sync)
  note(sync, chunk)
  if (chunk) return processChunk(ctx, sync, chunk)
  await finish(ctx, sync)
  await enqueueChunk(ctx, job)
}

async function processChunk(ctx: Ctx, sync: SyncState, chunk: CensusChunk): Promise<void> {
  const planning = await readKnowledge(ctx, sync, chunk.rows, sync)
  const known_ids = [...planning.people.ids(), ...[...planning.as_said.values()].map(({ member_id }) => member_id)]
  const claimed_before = known_ids.length > 0 ? await findClaimed(ctx, sync, known_ids) : []
  for (const id of claimed_before) planning.claimed.add(id)
  await planAndWrite(ctx, sync, chunk, planning, async (plan) => {
    for (const id of claimed_before) planning.claimed.delete(id)
    await Promise.all([
      settleRoster(ctx, sync.organization_id, sync, plan.changes).then(() => tellBeyondReach(ctx, sync, plan)),
      noteProgress(ctx, sync, chunk, plan, [...planning.claimed]),
      enqueueChunk(ctx, sync),
    ])
  })
}

/** Has the operator told of rows that reach too far back, and no more of those that no longer do. */
async function tellBeyondReach(
  ctx: Ctx,
  { organization_id, employer_id }: SyncState,
  { within_reach, beyond_reach }: CensusPlan,
): Promise<void> {
  const tasks = beyond_reach.map(({ kind, employee_id, day }) => {
    const details = { [kind === 'start_beyond_reach' ? 'start_date' : 'last_day_employed']: day }
    return { kind, organization_id, employer_id, resource_id: employee_id, details }
  })
  for (const kind of kinds_beyond_reach) await closeTasks(ctx, { organization_id, kind }, within_reach)
  await openTasks(ctx, tasks)
}

/** Keeps what a chunk told, whom it spoke of, and which of its rows wait still. */
async function noteProgress(
  ctx: Ctx,
  sync: SyncState,
  chunk: CensusChunk,
  plan: CensusPlan,
  claimed: string[],
): Promise<void> {
  const { exchanging, waiting, said } = plan
  const is_first = stageOf(chunk, sync) === stages.first
  const left = [
    ...chunksAt(stages.exchange, exchanging, sync),
    ...chunksAt(is_first ? stages.rest : stages.last, waiting, sync),
  ]
  await Promise.all([
    said.length > 0 && saveDetailHashes(ctx, sync, said),
    sync.origin === 'hris' && saveChanges(ctx, sync, changesOf(plan.done)),
    insertSeen(ctx, sync, chunk.first_index, [...plan.seen], claimed),
    insertChunks(ctx, sync, left),
    saveProgress(ctx, sync, chunk.rows.length - exchanging.length - waiting.length, plan),
  ])
}

/**
 * Plans the rows of a chunk, some after the other: what was planned is on its way while the next are, and what follows
 * from all of them right behind it.
 */
async function planAndWrite(
  ctx: Ctx,
  sync: SyncState,
  chunk: CensusChunk,
  planning: CensusKnowledge,
  follow: (plan: CensusPlan) => Promise<void>,
): Promise<void> {
  const stage = stageOf(chunk, sync)
  // Those who exchange do so all at once.
  const pieces = stage === stages.exchange ? [chunk] : piecesToPlan(chunk)
  await writeBehind(
    pieces,
    ({ first_index, rows }) =>
      unhurried(
        stage === stages.exchange
          ? planExchanges(rows, planning)
          : planCensus(rows, first_index, planning, stage === stages.first),
      ),
    ({ changes }) => writeRoster(ctx, sync, changes, sync.accepted_at),
    (plans) => follow(plansTogether(plans)),
  )
}

const stageOf = ({ first_index }: CensusChunk, { row_count }: SyncState): number => Math.floor(first_index / row_count)

/** Rows that know their places, as chunks of a stage. */
const chunksAt = (stage: number, rows: StagedRow[], { row_count }: SyncState): CensusChunk[] =>
  chunksOf(rows, chunk_size).map((some) => ({ first_index: stage * row_count + some[0]!.index!, rows: some }))

/** After the last row: a replacing census ends who is missing, or stops to ask when that would be many. */
async function finish(ctx: Ctx, sync: SyncState): Promise<void> {
  const missing = sync.mode === 'replace' ? await findMissing(ctx, sync) : []
  const recent = await countAbsentees(ctx, sync)
  if (!sync.confirmed && isHeld(missing.length, recent, sync.roster_count ?? 0, sync.unsure)) {
    await hold(ctx, sync, missing.length)
    return enqueueFollowUp(ctx, sync)
  }
  if (sync.origin === 'hris') await saveChanges(ctx, sync, endsOf(missing, ctx.today))
  await endAbsentees(
    ctx,
    sync,
    missing.map(({ id }) => id),
  )
  await complete(ctx, sync, missing.length)
}

/** Somebody has to say whether so many leave, unless a later census says who is missing. */
async function hold(ctx: Ctx, sync: SyncState, missing_count: number): Promise<void> {
  await saveHold(ctx, sync, missing_count)
  if (await hasLaterCensus(ctx, sync)) return
  const { organization_id, employer_id, id: resource_id } = sync
  const details = { missing_count, roster_count: sync.roster_count }
  await openTasks(ctx, [{ kind: 'census_held', organization_id, employer_id, resource_id, details }])
}
