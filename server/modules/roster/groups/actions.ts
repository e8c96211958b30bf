import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { halvesOf, planningPieces, pipelineWrites } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { processOrSplit, type IsRefused, type Note } from '../../../jobs/refused-chunks.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { StagedRows } from '../../../kernel/concurrency/staged-rows.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { settleRoster, writePeople } from '../employees/actions.ts'
import { noChanges } from '../employees/rules.ts'
import { findMembers, findNamesakes } from '../../directory/people/queries.ts'
import { People } from '../../directory/people/rules.ts'
import {
  deleteChunk,
  findFormerMembers,
  findMemberships,
  findMembershipsOf,
  findPlanIds,
  findWaitingChunk,
  findWaitingSync,
  insertChunks,
  insertGroup,
  insertMemberships,
  insertSync,
  isReferenceTaken,
  removeMissing,
  saveChunk,
  saveCompletion,
  saveGroup,
  saveMemberships,
  type GroupChunk,
  type GroupKey,
  type Sync,
  type WaitingChunk,
} from './queries.ts'
import { type GroupPlanning, type MemberChanges, planMembers, refusals } from './rules.ts'
import type { GroupChanges, GroupMemberRow, NewGroup } from './schemas.ts'

/**
 * Creates a group of an organization and returns its id. Refused with 409 if another group has its external reference.
 */
export async function createGroup(ctx: Ctx, organization_id: string, wanted: NewGroup): Promise<string> {
  const group = { organization_id, group_id: newId('grp') }
  await refuseTaken(ctx, organization_id, wanted.external_reference_id, null)
  await insertGroup(ctx, { ...group, ...wanted })
  return group.group_id
}

/** Changes the name or external reference of a group. Refused with 409 if another group has the reference. */
export async function updateGroup(ctx: Ctx, group: GroupKey, changes: GroupChanges): Promise<void> {
  const { external_reference_id } = changes
  if (external_reference_id !== undefined)
    await refuseTaken(ctx, group.organization_id, external_reference_id, group.group_id)
  await saveGroup(ctx, group, changes)
}

async function refuseTaken(ctx: Ctx, organization_id: string, external_reference_id: string, group_id: string | null) {
  if (await isReferenceTaken(ctx, { organization_id, external_reference_id, group_id }))
    refuse(refusals.external_reference_id_already_exists, {
      field: 'external_reference_id',
      message: 'belongs to another group',
    })
}

/** Accepts all members of a group, up to 10,000. The worker synchronizes the group, one request after another. */
export async function submitGroupMembers(ctx: Ctx, group: GroupKey, members: StagedRows) {
  const request_id = newId('grpmsr')
  await insertSync(ctx, group, request_id, members)
  await enqueueStep(ctx, group)
  return { accepted_at: ctx.now, group_id: group.group_id, request_id }
}

/**
 * Each group has one job for all its syncs. The job performs the next step of the oldest one and enqueues itself again.
 */
const enqueueStep = (ctx: Ctx, { organization_id, group_id }: GroupKey): Promise<void> =>
  ctx.enqueue('sync_group_members', { organization_id, group_id }, { key: `group_members:${group_id}` })

/**
 * Performs the next step of a group's oldest sync and enqueues the following one, in one transaction. If the worker is
 * killed, whole chunks are either done or not done, and processing resumes with the next. Running it again when nothing
 * is left has no effect.
 */
const syncGroupMembers = (runtime: Runtime, group: GroupKey): Promise<void> =>
  processOrSplit(runtime, group, {
    subject: 'group members',
    refusals: /^2[23]/,
    advance: (ctx, note) => processNextChunk(ctx, group, note),
    splitChunk: (ctx, isRefused) => splitChunk(ctx, group, isRefused),
  })

/**
 * Performs one step of a group's oldest waiting sync. The first step removes the missing members, and the last chunk
 * completes the sync. Enqueues the job for the next step if there may be one.
 */
async function processNextChunk(ctx: Ctx, group: GroupKey, note: Note): Promise<void> {
  const sync = await findWaitingSync(ctx, group)
  if (!sync) return
  if (!sync.started) await removeMissing(ctx, sync)
  const chunk = await findWaitingChunk(ctx, sync)
  if (chunk) {
    note(sync.request_id, chunk)
    return syncChunk(ctx, sync, chunk)
  }
  await Promise.all([complete(ctx, sync), enqueueStep(ctx, sync)])
}

async function complete(ctx: Ctx, sync: Sync): Promise<void> {
  const { organization_id, request_id: resource_id } = sync
  await Promise.all([
    saveCompletion(ctx, sync),
    recordEvents(ctx, [{ event_name: 'group_member_sync.completed', organization_id, resource_id }]),
  ])
}

async function syncChunk(ctx: Ctx, sync: Sync, chunk: WaitingChunk): Promise<void> {
  const planning = await openPlanning(ctx, sync, chunk.rows)
  await pipelineWrites(
    planningPieces(chunk),
    ({ first_index, rows }) => runInSlices(planMembers(rows, first_index, planning)),
    (changes) => writeMembers(ctx, sync, changes),
    (done) => settleChunk(ctx, sync, chunk, done),
  )
}

/** Performs the follow-up of a whole chunk. The last chunk completes the sync. */
async function settleChunk(ctx: Ctx, sync: Sync, chunk: WaitingChunk, done: MemberChanges[]): Promise<void> {
  const changed_members = done.flatMap((changes) => changes.changed_members)
  const added_ids = done.flatMap(({ added }) => added.map(({ id }) => id))
  const failures = done.flatMap((changes) => changes.failures)
  const settle = async () => {
    if (changed_members.length > 0)
      await settleRoster(ctx, sync.organization_id, null, { ...noChanges(), changed_members })
    if (chunk.is_last) await complete(ctx, sync)
  }
  await Promise.all([settle(), saveChunk(ctx, sync, chunk, added_ids, failures), enqueueStep(ctx, sync)])
}

/**
 * Writes planned rows. Sends all statements without waiting for results, so that the statements of the next piece queue
 * behind them.
 */
async function writeMembers(ctx: Ctx, sync: Sync, changes: MemberChanges): Promise<void> {
  await Promise.all([
    writePeople(ctx, sync.organization_id, changes),
    changes.changed.length > 0 && saveMemberships(ctx, sync, changes.changed),
    changes.added.length > 0 && insertMemberships(ctx, sync, changes.added),
  ])
}

/** Reads everything the rows of a chunk may refer to: people, memberships and plans. */
async function openPlanning(ctx: Ctx, group: GroupKey, rows: GroupMemberRow[]): Promise<GroupPlanning> {
  const { organization_id, group_id } = group
  const reference_ids = rows.map(({ reference_id }) => reference_id)
  const [memberships, former, plan_ids, members] = await Promise.all([
    findMemberships(ctx, { ...group, reference_ids }),
    findFormerMembers(ctx, { ...group, reference_ids }),
    findPlanIds(ctx, { organization_id, plan_ids: [...new Set(rows.map(({ plan_id }) => plan_id))] }),
    findNamesakes(ctx, organization_id, rows),
  ])
  const found = new Set(members.map(({ id }) => id))
  const meant = [...memberships, ...former, ...rows].flatMap(({ member_id }) => member_id ?? [])
  const others = meant.filter((id) => !found.has(id))
  if (others.length > 0)
    members.push(...(await findMembers(ctx, { organization_id, member_ids: [...new Set(others)] })))
  const people = new People(members)
  const ids = people.ids()
  const present = ids.length > 0 ? await findMembershipsOf(ctx, { organization_id, member_ids: ids }) : []
  return {
    group_id,
    people,
    plan_ids: new Set(plan_ids),
    by_reference: new Map(memberships.map((membership) => [membership.reference_id, membership])),
    by_member: new Map(present.map((membership) => [membership.member_id, membership])),
    former: Map.groupBy(former, ({ reference_id }) => reference_id),
    today: ctx.today,
  }
}

/**
 * Splits a refused chunk into halves until only the offending row is left. Does nothing if another job has already
 * processed the chunk.
 */
async function splitChunk(ctx: Ctx, group: GroupKey, isRefused: IsRefused): Promise<void> {
  const sync = await findWaitingSync(ctx, group)
  // The whole step was rolled back, so the missing members must be removed again before the rows are split.
  if (sync && !sync.started) await removeMissing(ctx, sync)
  const chunk = sync && (await findWaitingChunk(ctx, sync))
  if (sync && chunk && isRefused(sync.request_id, chunk)) {
    if (chunk.rows.length > 1) await retryInHalves(ctx, sync, chunk)
    else await refuseRow(ctx, sync, chunk)
  }
  await enqueueStep(ctx, group)
}

async function retryInHalves(ctx: Ctx, sync: Sync, chunk: GroupChunk): Promise<void> {
  await deleteChunk(ctx, { ...sync, ...chunk })
  await insertChunks(ctx, sync, halvesOf(chunk))
}

/** Reports a single row that PostgreSQL refused. */
async function refuseRow(ctx: Ctx, sync: Sync, chunk: GroupChunk): Promise<void> {
  const { first_index: index, rows } = chunk
  const failure = { index, operation: 'add', reason: 'conflict', reference_id: rows[0]!.reference_id } as const
  await saveChunk(ctx, sync, chunk, [], [failure])
}

export const tasks = {
  sync_group_members: task(z.object({ organization_id: z.string(), group_id: z.string() }), syncGroupMembers),
}
