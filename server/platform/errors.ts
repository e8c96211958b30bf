import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseError } from './db.ts'
import { generic, Refusal, type RefusalKind } from './refusal.ts'

export const api_version = '1.0.0'

const json = 'application/json; charset=utf-8'

/** Bodies that Fastify could not read, by its codes. */
export const bodyRefusals = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', generic.payload_too_large],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', generic.invalid_request],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', generic.unsupported_media_type],
])

/** The one body of every error (decisions.md, section 1). */
const errorText = ({ kind, details }: Refusal, trace_id: string): string =>
  JSON.stringify({
    error: { code: kind.code, message: kind.message, details },
    app_error_code: kind.code,
    message: kind.message,
    timestamp: new Date().toISOString(),
    trace_id,
  })

/** Answers a request with what went wrong: a refusal of the catalogue, whatever was thrown. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error)
  const { kind, headers } = refusal
  if (kind.status >= 500 && !isExpected(kind, request))
    request.log.error({ err: error, trace_id: request.id }, kind.message)
  if (kind.status === 409 || kind.status === 422) reply.header('x-should-retry', 'false')
  // Fastify would hang up on who is still sending, and the answer would be lost: what comes is read and dropped.
  if (kind.status === 413) reply.removeHeader('connection')
  reply
    .code(kind.status)
    .headers({ 'x-request-id': request.id, 'x-api-version': api_version, ...headers, 'content-type': json })
    .send(errorText(refusal, request.id))
}

/** That something is not ready yet, as its endpoint says that it may be: nothing went wrong. */
const isExpected = (kind: RefusalKind, request: FastifyRequest): boolean =>
  kind.status === 503 && request.routeOptions.config.endpoint?.refuses?.includes(kind) === true

const unreadable: RefusalKind = { ...generic.invalid_request, message: 'This is not a well-formed HTTP request.' }

/** Answers what is not even a request, such as headers that are too long, before Fastify sees it. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const trace_id = randomUUID()
  const body = errorText(new Refusal(unreadable), trace_id)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${trace_id}`,
    `x-api-version: ${api_version}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function refusalOf(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error
  const unread = bodyRefusals.get(error.code ?? '')
  if (unread) return new Refusal(unread)
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Refusal(generic.not_found)
  // Fastify's own, such as a client that broke off.
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal(generic.invalid_request)
  if (isUnavailable(error)) return new Refusal(generic.unavailable, [], { 'retry-after': '5' })
  // What PostgreSQL refuses though our own checks let it pass: the request's values, or a race for a unique one.
  if (isDatabaseError(error) && error.code?.startsWith('22')) return new Refusal(generic.invalid_request)
  if (isDatabaseError(error) && error.code?.startsWith('23')) return new Refusal(generic.conflict)
  return new Refusal(generic.internal_error)
}

const unavailableCodes =
  /^(ECONN|ENOENT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ETIMEDOUT$|EPIPE$|57P0|57014$|55P03$|25P03$|25006$|40001$|40P01$|53|08)/

const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/

const isUnavailable = (error: Error & { code?: string }): boolean =>
  unavailableCodes.test(error.code ?? '') || unavailableMessages.test(error.message)
