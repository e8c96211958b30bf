import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { declaredLength } from '../body/body-bytes.ts'
import { api_version, errorText, json_type } from '../errors.ts'
import { generic, Refusal, type RefusalKind } from '../../kernel/refusal.ts'

/** Timeouts for slow clients, in milliseconds. */
export type Timeouts = {
  /** until all headers of a request have arrived */
  headers: number
  /** until the whole request has arrived */
  request: number
  /** for the next request on an open connection */
  idle: number
  /** while no data moves in either direction, such as when the client does not read the response */
  silence: number
  check: number
  /** until a connection that we closed is destroyed, even if the client keeps it open */
  linger: number
}

export const default_timeouts: Timeouts = {
  headers: 20_000,
  request: 60_000,
  idle: 72_000,
  silence: 120_000,
  check: 5_000,
  linger: 2_000,
}

/** Unwanted bodies up to this many bytes are read and discarded, so that the connection can be reused. */
const max_discarded = 64 * 1024

const unreadable: RefusalKind = {
  ...generic.invalid_request,
  message: 'This is not a well-formed HTTP request.',
}

const too_long: RefusalKind = {
  ...generic.invalid_request,
  message: 'The request is too long. The path, query and headers together may have at most 16 KiB.',
}

/** Responds to malformed requests, such as endless headers, which never reach Fastify. */
export const respondToClientError =
  ({ linger }: Timeouts) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket)) return void socket.destroy()
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
    // A client that does not close the connection would hold it forever. The delay lets it read the response first.
    setTimeout(() => socket.destroy(), linger).unref()
  }

/** Whether a response has already started, so that another one would corrupt it. Node checks this the same way. */
const hasStartedResponse = (socket: Socket): boolean =>
  (Reflect.get(socket, '_httpMessage') as ServerResponse | null | undefined)?.headersSent === true

const isLarge = (request: IncomingMessage): boolean => !(declaredLength(request) <= max_discarded)

/**
 * Stops a large body after its first pieces until it is read. Otherwise Node would drain it after an early response.
 * Call it before the first piece arrives.
 */
export function pauseBody(request: IncomingMessage): void {
  if (isLarge(request)) request.read(0)
}

/**
 * Handles the rest of a body that was not read before the response. Small rests are discarded. Reading megabytes for
 * nothing would delay other requests, so TCP stops the sender of more until it has read the response or the linger time
 * has passed.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse, { linger }: Timeouts): void {
  if (request.complete !== false || request.destroyed || !isLarge(request)) return
  response.setHeader('connection', 'close')
  const { socket } = request
  // Node closes the connection after the last response. An immediate close could lose the response.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), linger).unref()
  }
}

/** Headers that must not be repeated. A proxy may have used the other value. */
const unrepeatable = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

/** The name of a header that is missing or repeated, although Node accepts the request. */
export function faultInHeaders({ rawHeaders, httpVersion, headers }: IncomingMessage): string | undefined {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    if (seen.has(name)) return name
    if (unrepeatable.has(name)) seen.add(name)
  }
  return headers.host === undefined && httpVersion === '1.1' ? 'host' : undefined
}
