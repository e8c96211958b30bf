/**
 * The body of a request, from its headers to validated values:
 *
 *     announcedBody     the headers alone: 413, 415
 *          │            then `100 Continue`, within the memory of all bodies, tenants in turn
 *      readBytes
 *          │            few bytes: here                many bytes: one worker thread, tenants in turn
 *      parseBody ◄──────────────────────────────────── ValidationPool
 *          │            JSON.parse or CSV, Zod, faults by field
 *      ParsedBody
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import type { Endpoint } from '../endpoint.ts'
import { announcedBody, declaredLength, openBodyMemory } from './body-bytes.ts'
import { parseBody, type ParsedBody, type RequestScope } from './body-validation.ts'
import type { ValidationPool } from './validation-pool.ts'

export type BodyReader = {
  /**
   * Reads and validates the body of a request that may be performed. `tenant`: its organization or its credential.
   * Throws a 400, 413 or 415, or a 503 if the tenant has too many bodies in memory or in the queue.
   */
  take: (
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    tenant: string,
    scope?: RequestScope,
  ) => Promise<ParsedBody>
  /**
   * Runs the write of a body. Large bodies are written a few at a time, because each stays in memory until it is
   * written. Throws a 503 if too many writes of the tenant wait.
   */
  perform: <T>(endpoint: Endpoint, tenant: string, write: () => Promise<T>) => Promise<T>
}

/** Bytes up to which bodies with many rows are validated on the event loop. */
const few_rows = 8 * 1024

/** Bytes of bodies that are held until they are validated. */
const memory = 256 * 1024 * 1024

/** Large bodies that are read and validated at a time. A client that sends slowly keeps its place. */
const large_reads = { max_running: 256, max_running_per_key: 4, max_waiting_per_key: 100, timeout_ms: 30_000 }

const large_writes = { max_running: 16, max_running_per_key: 1, max_waiting_per_key: 8, timeout_ms: 30_000 }

export function openBodyReader(validation_pool: ValidationPool): BodyReader {
  const withMemory = openBodyMemory(memory)
  const reading = new FairQueue(large_reads)
  const writing = new FairQueue(large_writes)

  return {
    async take(endpoint, request, reply, tenant, scope) {
      const media_type = endpoint.body && announcedBody(request.raw, endpoint)
      if (!media_type) return parseBody(endpoint, undefined, scope)
      const may_be_large = endpoint.rows !== undefined || endpoint.large === true
      const take = () =>
        withMemory(tenant, async (readBytes) => {
          const raw = { media_type, bytes: await readBytes(request.raw, reply.raw, endpoint) }
          return may_be_large && raw.bytes.length > few_rows
            ? validation_pool.parse(tenant, endpoint, raw, scope)
            : parseBody(endpoint, raw, scope)
        })
      // A chunked body may have any length.
      return may_be_large && !(declaredLength(request.raw) <= few_rows) ? reading.run(tenant, take) : take()
    },
    perform: (endpoint, tenant, write) => (endpoint.large ? writing.run(tenant, write) : write()),
  }
}
