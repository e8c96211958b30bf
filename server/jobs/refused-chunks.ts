import { isDeepStrictEqual } from 'node:util'
import type { Chunk } from '../kernel/chunks.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { isDatabaseError } from '../database/query/database.ts'
import { inOrganization, type Runtime } from '../runtime/runtime.ts'

/** Says which chunk of which sync a job took; no chunk: the end of the sync. */
export type Note = (sync: { id: string }, chunk: Chunk<unknown> | undefined) => void

/** Whether this chunk of this sync is the one that was refused. */
export type IsRefused = (sync: { id: string }, chunk: Chunk<unknown> | undefined) => boolean

type ChunkWork = {
  /** of what a chunk is, for the log */
  what: string
  /** the SQLSTATEs that PostgreSQL would answer with again, however often it is asked */
  refusals: RegExp
  /** Does the next chunk; notes which before it begins, since what fails earlier is not to be blamed on its rows. */
  advance(ctx: Ctx, note: Note): Promise<void>
  /** Halves the chunk that was refused, or reports its only row, unless another job was here first. */
  takeApart(ctx: Ctx, isRefused: IsRefused): Promise<void>
}

/**
 * One step of a job that works through chunks of rows, in one transaction; when PostgreSQL refuses what our rules let
 * pass, the chunk is taken apart in another, down to the row to blame, instead of being tried as it is for days.
 */
export async function advanceOrTakeApart(
  runtime: Runtime,
  job: { organization_id: string },
  { what, refusals, advance, takeApart }: ChunkWork,
): Promise<void> {
  let tried: ReturnType<typeof summaryOf> | undefined
  try {
    await inOrganization(runtime, job.organization_id, (ctx) =>
      advance(ctx, (sync, chunk) => void (tried = summaryOf(sync, chunk))),
    )
  } catch (error) {
    if (!tried || !isDatabaseError(error) || !refusals.test(error.code ?? '')) throw error
    runtime.log.error({ err: error, ...job, ...tried }, `a chunk of ${what} was refused`)
    await inOrganization(runtime, job.organization_id, (ctx) =>
      takeApart(ctx, (sync, chunk) => isDeepStrictEqual(summaryOf(sync, chunk), tried)),
    )
  }
}

const summaryOf = (sync: { id: string }, chunk: Chunk<unknown> | undefined) => ({
  sync_id: sync.id,
  first_index: chunk?.first_index,
  rows: chunk?.rows.length,
})
