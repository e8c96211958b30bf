import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { declaredLength } from '../body/bodies.ts'
import { api_version, errorText, json_type } from '../errors.ts'
import { generic, Refusal, type RefusalKind } from '../../kernel/refusal.ts'

/** How long we wait for whoever is slow, in milliseconds. */
export type Patience = {
  /** until the headers of a request are here */
  headers: number
  /** until all of it is here */
  request: number
  /** for the next request on an open connection */
  idle: number
  /** while nothing at all moves, such as where nobody takes our answer */
  silence: number
  /** how often that is looked at */
  check: number
  /** until a connection that we close is gone, whether the other side closes it too or not */
  linger: number
}

export const usual_patience: Patience = {
  headers: 20_000,
  request: 60_000,
  idle: 72_000,
  silence: 120_000,
  check: 5_000,
  linger: 2_000,
}

/** Bytes of a body that nobody wants, up to which it is read and dropped, so that the connection can be used again. */
const most_dropped = 64 * 1024

export const unreadable: RefusalKind = {
  ...generic.invalid_request,
  message: 'This is not a well-formed HTTP request.',
}

const too_long: RefusalKind = {
  ...generic.invalid_request,
  message: 'The path, the query and the headers of a request are too long: together at most 16 KiB.',
}

/** Answers what is not even a request, such as headers that are too long or never end, before Fastify sees it. */
export const answerClientError =
  ({ linger }: Patience) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) return void socket.destroy()
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
    const trace_id = randomUUID()
    const body = errorText(new Refusal(status === 431 ? too_long : unreadable), trace_id)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${json_type}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${trace_id}`,
      `x-api-version: ${api_version}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    // Who does not close it too would hold it for ever. A moment is left, since an answer is lost with what is cut off.
    setTimeout(() => socket.destroy(), linger).unref()
  }

/** Whether an answer is on its way already: another one would stand in the middle of it. Node asks it the same way. */
const isAnswering = (socket: Socket): boolean =>
  (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined)?.headersSent === true

const isLarge = (request: IncomingMessage): boolean => !(declaredLength(request) <= most_dropped)

/**
 * Sees to it that a large body comes no further than to the first pieces before somebody reads it: what was asked for
 * once is not drained by Node when it was answered unread. To be called before a piece of it is here.
 */
export function holdBody(request: IncomingMessage): void {
  if (isLarge(request)) request.read(0)
}

/**
 * Sees to what still comes of a body that is answered unread. Only what is small is read: to take in megabytes for
 * nothing would hold up all else. The sender of more is held by TCP until they have seen our answer, or the moment for
 * that is over.
 */
export function leaveRest(request: IncomingMessage, response: ServerResponse, { linger }: Patience): void {
  if (request.complete !== false || request.destroyed || !isLarge(request)) return
  response.setHeader('connection', 'close')
  const { socket } = request
  // So Node closes after the last answer. An answer is lost with what is cut off at once.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), linger).unref()
  }
}

/** Of these a request has one: with two it says two things, and who stands before us may have read the other. */
const single = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

/** What is wrong with the headers of a request, though Node takes them. */
export function faultInHeaders({ rawHeaders, httpVersion, headers }: IncomingMessage): string | undefined {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (seen.has(name)) return name
    if (single.has(name)) seen.add(name)
  }
  return headers.host === undefined && httpVersion === '1.1' ? 'host' : undefined
}
