import { isUtf8 } from 'node:buffer'
import { on } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { MIMEType } from 'node:util'
import { FairQueue, busy } from '../../kernel/concurrency/fair-queue.ts'
import { decodeText, refuseOtherFormat } from '../../kernel/formats/csv.ts'
import { generic, invalid, Refusal } from '../../kernel/refusal.ts'

export type MediaType = 'application/json' | 'text/csv'

/** A complete body as sent. */
export type RawBody = { bytes: Uint8Array<ArrayBuffer>; media_type: MediaType }

/** The limit in bytes, and whether CSV is accepted in addition to JSON and in which encodings. */
export type AcceptedBody = { body_limit?: number; csv?: 'utf-8' | 'any' }

/** The default limit in bytes. */
export const default_limit = 64 * 1024

const encoded = { field: 'Content-Encoding', message: 'must be absent: send the body uncompressed' }
const charset_not_utf8 = { field: 'Content-Type', message: 'must not name a charset other than utf-8' }
const not_utf8 = { field: '', message: 'the body is not valid UTF-8' }
const incomplete = { field: '', message: 'the body is incomplete' }

/** The length that the headers declare. NaN for a chunked body. */
export const declaredLength = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN

/** The media type of a body, by its headers alone. Undefined if there is no body. Throws a 413 or 415. */
export function announcedBody(request: IncomingMessage, { body_limit = default_limit, csv }: AcceptedBody) {
  const length = declaredLength(request)
  if (length === 0) return undefined
  const media_type = mediaTypeOf(request, csv)
  if (length > body_limit) throw new Refusal(generic.payload_too_large)
  return media_type
}

function mediaTypeOf({ headers }: IncomingMessage, csv: AcceptedBody['csv']): MediaType {
  const unsupported = (...details: { field: string; message: string }[]) =>
    new Refusal(generic.unsupported_media_type, details)
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unsupported(encoded)
  const media_type = readMediaType(headers['content-type'])
  if (media_type?.essence === 'text/csv' && csv === 'any') return 'text/csv'
  if (media_type?.essence !== 'application/json' && !(media_type?.essence === 'text/csv' && csv)) throw unsupported()
  if (!/^utf-?8$/i.test(media_type.params.get('charset') ?? 'utf-8')) throw unsupported(charset_not_utf8)
  return media_type.essence as MediaType
}

function readMediaType(media_type = ''): MIMEType | undefined {
  try {
    return new MIMEType(media_type)
  } catch {
    return undefined
  }
}

/** Reads the body of an accepted request. Throws a 400 or 413, or a 503 if all memory for bodies is in use. */
export type ReadBytes = (
  request: IncomingMessage,
  response: ServerResponse,
  accepted: AcceptedBody,
) => Promise<Uint8Array<ArrayBuffer>>

/** Runs work that reads a body. The memory of the body stays reserved until the work ends. */
export type WithBodyMemory = <T>(tenant: string, work: (read: ReadBytes) => Promise<T>) => Promise<T>

/**
 * In each round of the event loop, a few pieces of bodies are read, one per tenant. Otherwise a tenant with many
 * connections would fill each round.
 */
const piece_turns = { max_running: 4, max_running_per_key: 1, max_waiting_per_key: 1000, timeout_ms: 30_000 }

/** Reads several bodies at a time within a limited amount of memory. */
export function openBodyMemory(bytes: number): WithBodyMemory {
  const budget = new MemoryBudget(bytes)
  const turns = new FairQueue(piece_turns)
  return (tenant, work) => {
    const nextTurn = () => turns.run(tenant, () => setImmediate())
    return budget.run((reserve) =>
      work((request, response, accepted) => readBytes(request, response, accepted, reserve, nextTurn)),
    )
  }
}

type Pieces = AsyncIterable<[Buffer]>

/**
 * A client that waits for `100 Continue` gets it here. Memory grows with the bytes that arrive, regardless of the
 * length that the client declared. Bytes beyond the limit are left unread.
 */
async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { body_limit = default_limit }: AcceptedBody,
  reserve: (bytes: number) => void,
  nextTurn: () => Promise<unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
  const max_length = Math.min(declaredLength(request) || body_limit, body_limit)
  let buffer = Buffer.alloc(0)
  let length = 0
  const grow = (size: number) => {
    reserve(size - buffer.length)
    const larger = Buffer.allocUnsafeSlow(size)
    buffer.copy(larger, 0, 0, length)
    free(buffer)
    buffer = larger
  }
  try {
    // The client may have hung up while the request was queued.
    if (request.destroyed) throw invalid(incomplete)
    // The stream's own iterator would copy pieces that arrived in the meantime into a new buffer.
    for await (const [piece] of on(request, 'data', { close: ['end', 'close'], highWaterMark: 1 }) as Pieces) {
      if (length > 0) await nextTurn()
      if (length + piece.length > max_length) throw new Refusal(generic.payload_too_large)
      if (length + piece.length > buffer.length)
        grow(Math.min(max_length, Math.max(default_limit, length + piece.length, 4 * buffer.length)))
      length += piece.copy(buffer, length)
      free(piece)
    }
    if (!request.readableEnded) throw invalid(incomplete)
  } catch (error) {
    free(buffer)
    throw error instanceof Refusal ? error : invalid(incomplete)
  } finally {
    request.pause()
  }
  return buffer.subarray(0, length)
}

/**
 * Frees memory without the garbage collector, which would stop the event loop several times a second at some megabytes
 * per second. Skips buffers that share their memory with others.
 */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** The text of a body. Throws a 400 if it must be UTF-8 and is not, or is a file of another format. */
export function textOf({ bytes, media_type }: RawBody, { csv }: AcceptedBody): string {
  if (media_type === 'text/csv' && csv === 'any') return decodeText(bytes)
  if (!isUtf8(bytes)) {
    if (media_type === 'text/csv') refuseOtherFormat(decodeText(bytes))
    throw invalid(not_utf8)
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** Counts memory that is actually used, so that a slow sender reserves only the bytes that have arrived. */
export class MemoryBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /**
   * Runs work that reserves bytes as it proceeds, and releases them at its end. `take` throws `busy` if none are left.
   */
  async run<T>(work: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
    let taken = 0
    const take = (bytes: number) => {
      if (bytes > this.#left) throw busy()
      this.#left -= bytes
      taken += bytes
    }
    try {
      return await work(take)
    } finally {
      this.#left += taken
    }
  }
}
