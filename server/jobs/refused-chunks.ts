import { isDeepStrictEqual } from 'node:util'
import type { Chunk } from '../kernel/concurrency/chunks.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { isDatabaseError } from '../database/query/database.ts'
import { inOrganization, type Runtime } from '../runtime/runtime.ts'

/** Records the sync and chunk that a job works on. The end of a sync has no chunk. */
export type Note = (sync_id: string, chunk: Chunk<unknown> | undefined) => void

/** True if this chunk of this sync was refused. */
export type IsRefused = (sync_id: string, chunk: Chunk<unknown> | undefined) => boolean

type ChunkWork = {
  /** The content of the chunks, for the log. */
  subject: string
  /** The SQLSTATEs that a retry cannot fix. */
  refusals: RegExp
  /** Processes the next chunk. Calls `note` before it begins, so that earlier failures are not blamed on its rows. */
  advance(ctx: Ctx, note: Note): Promise<void>
  /** Halves the refused chunk, or reports its only row, unless another job did so already. */
  splitChunk(ctx: Ctx, isRefused: IsRefused): Promise<void>
}

/**
 * Runs one step of a job that processes chunks of rows, in one transaction. If PostgreSQL refuses values that our rules
 * accepted, a second transaction halves the chunk, down to the faulty row, instead of retrying it unchanged for days.
 */
export async function processOrSplit(
  runtime: Runtime,
  job: { organization_id: string },
  { subject, refusals, advance, splitChunk }: ChunkWork,
): Promise<void> {
  let tried: ReturnType<typeof summaryOf> | undefined
  try {
    await inOrganization(runtime, job.organization_id, (ctx) =>
      advance(ctx, (sync_id, chunk) => void (tried = summaryOf(sync_id, chunk))),
    )
  } catch (error) {
    if (!tried || !isDatabaseError(error) || !refusals.test(error.code ?? '')) throw error
    runtime.log.error({ err: error, ...job, ...tried }, `a chunk of ${subject} was refused`)
    await inOrganization(runtime, job.organization_id, (ctx) =>
      splitChunk(ctx, (sync_id, chunk) => isDeepStrictEqual(summaryOf(sync_id, chunk), tried)),
    )
  }
}

const summaryOf = (sync_id: string, chunk: Chunk<unknown> | undefined) => ({
  sync_id,
  first_index: chunk?.first_index,
  rows: chunk?.rows.length,
})
