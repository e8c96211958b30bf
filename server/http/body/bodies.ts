import { isUtf8 } from 'node:buffer'
import { on } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { MIMEType } from 'node:util'
import { decodeText } from '../../kernel/encoding.ts'
import { generic, invalid, Refusal } from '../../kernel/refusal.ts'

export type MediaType = 'application/json' | 'text/csv'

/** A body as it came. */
export type RawBody = { bytes: Uint8Array; media_type: MediaType }

/** What an operation takes: so many bytes of JSON, and of comma-separated values when it says in which encodings. */
export type AcceptedBody = { body_limit?: number; csv?: 'utf-8' | 'any' }

/** Bytes, unless an operation says otherwise. */
export const usual_limit = 64 * 1024

const encoded = { field: 'Content-Encoding', message: 'must be absent: send the body as it is' }
const charset_not_utf8 = { field: 'Content-Type', message: 'must say no charset but utf-8' }
const not_utf8 = { field: '', message: 'the body is not UTF-8' }
const broken_off = { field: '', message: 'the body broke off' }

/** How many bytes are said to come; NaN when nothing is said of how many. */
export const declaredLength = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN

/** What the headers say of a body, before any of it is read: undefined when there is none. Throws a 413 or 415. */
export function announcedBody(request: IncomingMessage, { body_limit = usual_limit, csv }: AcceptedBody) {
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
  const said = readMediaType(headers['content-type'])
  if (said?.essence === 'text/csv' && csv === 'any') return 'text/csv'
  if (said?.essence !== 'application/json' && !(said?.essence === 'text/csv' && csv)) throw unsupported()
  if (!/^utf-?8$/i.test(said.params.get('charset') ?? 'utf-8')) throw unsupported(charset_not_utf8)
  return said.essence as MediaType
}

function readMediaType(said = ''): MIMEType | undefined {
  try {
    return new MIMEType(said)
  } catch {
    return undefined
  }
}

/**
 * How a body is read beside others: `grow` gives a larger buffer, with what the one before held, or throws when too
 * much memory is held; `turn` is awaited with each further piece. `tell` hears what has come so far, with each piece.
 */
export type BodyReading = {
  grow: (bytes: number) => Buffer
  turn: () => Promise<unknown>
  tell?: ((so_far: Uint8Array) => void) | undefined
}

type Pieces = AsyncIterable<[Buffer]>

/**
 * Reads a body that was announced and is wanted: who waits for a `100 Continue` gets it now. Throws a 413 as soon as it
 * is too large; what comes after that is left unread. Memory grows with what comes, whatever was said, and is the
 * reading's: it holds the body until the reading ends.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { body_limit = usual_limit }: AcceptedBody,
  { grow, turn, tell }: BodyReading,
): Promise<Uint8Array> {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
  const most = Math.min(declaredLength(request) || body_limit, body_limit)
  // Put together as it comes: to do that at the end, for megabytes, would hold up all else.
  let whole: Buffer = Buffer.alloc(0)
  let length = 0
  try {
    // Whoever hung up while they waited says nothing any more.
    if (request.destroyed) throw invalid(broken_off)
    // By its events: its own iterator puts pieces that have come meanwhile together, in memory that is thrown away.
    for await (const [piece] of on(request, 'data', { close: ['end', 'close'], highWaterMark: 1 }) as Pieces) {
      if (length > 0) await turn()
      if (length + piece.length > most) throw new Refusal(generic.payload_too_large)
      if (length + piece.length > whole.length) {
        whole = grow(Math.min(most, Math.max(usual_limit, length + piece.length, 4 * whole.length)))
      }
      length += piece.copy(whole, length)
      letGo(piece)
      tell?.(whole.subarray(0, length))
    }
    if (!request.readableEnded) throw invalid(broken_off)
  } catch (error) {
    throw error instanceof Refusal ? error : invalid(broken_off)
  } finally {
    request.pause()
  }
  return whole.subarray(0, length)
}

/**
 * Gives the memory of a piece back at once: left to the garbage collector, some megabytes a second of them have it stop
 * the event loop several times a second. Only of one that shares its memory with nothing.
 */
function letGo({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** The text of a body; throws a 400 where it should be UTF-8 and is not. */
export function textOf({ bytes, media_type }: RawBody, { csv }: AcceptedBody): string {
  if (media_type === 'text/csv' && csv === 'any') return decodeText(bytes)
  if (!isUtf8(bytes)) throw invalid(not_utf8)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
