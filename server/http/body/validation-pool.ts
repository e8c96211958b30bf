import { busy, FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import { readStaged, stageRows, type StagedRows } from '../../kernel/concurrency/staged-rows.ts'
import { openThread } from '../../kernel/concurrency/thread-pool.ts'
import { runInSlices } from '../../kernel/concurrency/time-slices.ts'
import { invalid, Refusal, type Detail } from '../../kernel/refusal.ts'
import type { Endpoint, SentBody } from '../endpoint.ts'
import type { RawBody } from './body-bytes.ts'
import { parseBody, type ParsedBody, type RequestScope } from './body-validation.ts'

/** The task of a worker thread. Threads know the accepted bodies by their operations. */
export type ValidationTask = { operation: string; raw: RawBody; scope: RequestScope | undefined }

/** A valid body, with its rows apart as JSON text, or the faults of an invalid one. */
type ValidationOutcome = { parsed: ParsedBody; rows?: StagedRows } | { details: Detail[] }

export type ValidationPool = {
  /** Does what `parseBody` does, in a worker thread. Throws a 503 if the body waits or runs for too long. */
  parse: (tenant: string, endpoint: Endpoint, raw: RawBody, scope: RequestScope | undefined) => Promise<ParsedBody>
}

/** How many bodies of a tenant may wait while another one of it runs. The body reader limits them further. */
const turns_of_tenants = { max_running: 1, max_running_per_key: 1, max_waiting_per_key: 4, timeout_ms: 30_000 }

const limits = { timeout_ms: 60_000, idle_ms: 60_000 }

/** Rows that the event loop parses in one time slice. */
const rows_per_slice = 500

export function openValidationPool(file: URL): ValidationPool {
  const turns = new FairQueue(turns_of_tenants)
  const run = openThread<ValidationTask, ValidationOutcome>(file, limits)
  const parse = async (
    { operation, rows }: Endpoint,
    raw: RawBody,
    scope: RequestScope | undefined,
  ): Promise<ParsedBody> => {
    const outcome = await run({ operation, raw, scope }, [raw.bytes.buffer]).catch((error: Error) => {
      throw error.name === 'AbortError' ? busy() : error
    })
    if ('details' in outcome) throw invalid(...outcome.details)
    if (!rows || !outcome.rows) return outcome.parsed
    const list = await runInSlices(readStaged(outcome.rows))
    return { ...outcome.parsed, body: { ...(outcome.parsed.body as object), [rows.field]: list } }
  }
  return { parse: (tenant, endpoint, raw, scope) => turns.run(tenant, () => parse(endpoint, raw, scope)) }
}

/** Runs in the worker thread. Rows return as JSON text, which the event loop can parse in slices. */
export function performTask(
  { operation, raw, scope }: ValidationTask,
  bodies: Record<string, SentBody>,
): ValidationOutcome {
  try {
    const { rows } = bodies[operation]!
    const parsed = parseBody(bodies[operation]!, raw, scope)
    const { [rows?.field ?? '']: list, ...body } = parsed.body as Record<string, unknown>
    if (parsed.staged || !Array.isArray(list)) return { parsed }
    return { parsed: { ...parsed, body }, rows: stageRows(list, rows_per_slice) }
  } catch (error) {
    if (error instanceof Refusal) return { details: error.details }
    throw error
  }
}
