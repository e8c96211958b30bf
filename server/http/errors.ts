import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseError } from '../database/query/database.ts'
import { fieldInWords, generic, Refusal } from '../kernel/refusal.ts'

export const api_version = '1.0.0'

export const json_type = 'application/json; charset=utf-8'

/** The path that explains a code, with the anchor of its heading. */
const errorPage = (code: string): string => `/docs/errors#${code.toLowerCase()}`

/** The message of a refusal. It includes the first detail, because many clients show nothing else. */
function messageOf({ kind, details: [first] }: Refusal): string {
  if (!first || first.message === kind.message) return kind.message
  const reason = first.field ? `${fieldInWords(first.field)}: ${first.message}` : first.message
  return kind.code === generic.invalid_request.code ? reason : `${kind.message} ${reason}`
}

/** The body of every error, as one line. */
export function errorText(refusal: Refusal, trace_id: string, public_url: string | null = null): string {
  const { kind, details } = refusal
  const message = messageOf(refusal)
  const body = {
    error: { code: kind.code, message, details, doc_url: (public_url ?? '') + errorPage(kind.code) },
    app_error_code: kind.code,
    message,
    timestamp: new Date().toISOString(),
    trace_id,
  }
  return `${JSON.stringify(body)}\n`
}

/** Sends the response of a failed request. Any error becomes a refusal of the catalog. */
export function sendError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  public_url: string | null = null,
): void {
  const refusal = refusalOf(error)
  const { kind, headers } = refusal
  // A 503 that we return on purpose is not a failure.
  const is_expected = kind.status === 503 && error instanceof Refusal
  if (kind.status >= 500 && !is_expected) request.log.error({ err: error, trace_id: request.id }, kind.message)
  if (kind.status === 409 || kind.status === 422) reply.header('x-should-retry', 'false')
  if (kind.status === 503) reply.header('retry-after', randomDelay())
  reply
    .code(kind.status)
    .headers({ 'x-request-id': request.id, 'x-api-version': api_version, ...headers, 'content-type': json_type })
    .send(errorText(refusal, request.id, public_url))
}

/** Seconds until a client should retry. Random, so that many clients do not retry at the same time. */
const randomDelay = (): string => String(5 + Math.floor(Math.random() * 6))

function refusalOf(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Refusal(generic.not_found)
  // An error of Fastify itself, such as an aborted request.
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal(generic.invalid_request)
  if (isUnavailable(error)) return new Refusal(generic.unavailable)
  // PostgreSQL found a fault that our own checks missed: an invalid value, or a concurrent write of the same unique
  // value.
  if (isDatabaseError(error) && error.code?.startsWith('22')) return new Refusal(generic.invalid_request)
  if (isDatabaseError(error) && error.code?.startsWith('23')) return new Refusal(generic.conflict)
  return new Refusal(generic.internal_error)
}

const unavailableCodes =
  /^(ECONN|ENOENT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$|ETIMEDOUT$|EPIPE$|57P0|57014$|55P03$|25P03$|25006$|40001$|40P01$|53|58|42501$|08)/

const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/

const isUnavailable = (error: Error & { code?: string }): boolean =>
  unavailableCodes.test(error.code ?? '') || unavailableMessages.test(error.message)

/**
 * Responses contain pay and health benefits: caches must not store them, and browsers must not guess the content type.
 */
export const uncached = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A browser that used https, possibly through a trusted proxy, uses only https for a year. */
const https_only = { 'strict-transport-security': 'max-age=31536000' }

/** The headers of every response. */
export const responseHeaders = ({ id, protocol }: FastifyRequest) => ({
  'x-request-id': id,
  'x-api-version': api_version,
  ...uncached,
  ...(protocol === 'https' && https_only),
})
