import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseError } from '../database/query/database.ts'
import { fieldInWords, generic, Refusal } from '../kernel/refusal.ts'

export const api_version = '1.0.0'

export const json_type = 'application/json; charset=utf-8'

/** Where the page about a code is. */
export const errorPage = (code: string): string => `/docs/errors/${code}`

/**
 * What is wrong, in a sentence: the first detail where there is one, since many clients show nothing else; more of them
 * are in `details`.
 */
function messageOf({ kind, details: [first] }: Refusal): string {
  if (!first) return kind.message
  const reason = first.field ? `${fieldInWords(first.field)}: ${first.message}` : first.message
  return kind.code === generic.invalid_request.code ? reason : `${kind.message} ${reason}`
}

/** The one body of every error (decisions.md, section 1), a line like every answer. */
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

/** Answers a request with what went wrong: a refusal of the catalogue, whatever was thrown. */
export function sendError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  public_url: string | null = null,
): void {
  const refusal = refusalOf(error)
  const { kind, headers } = refusal
  // That something is not ready or taken, and we say so ourselves: nothing went wrong.
  const is_expected = kind.status === 503 && error instanceof Refusal
  if (kind.status >= 500 && !is_expected) request.log.error({ err: error, trace_id: request.id }, kind.message)
  if (kind.status === 409 || kind.status === 422) reply.header('x-should-retry', 'false')
  if (kind.status === 503) reply.header('retry-after', soon())
  reply
    .code(kind.status)
    .headers({ 'x-request-id': request.id, 'x-api-version': api_version, ...headers, 'content-type': json_type })
    .send(errorText(refusal, request.id, public_url))
}

/** Seconds after which to come again, unless something else is known: by chance, since many are told at once. */
const soon = (): string => String(5 + Math.floor(Math.random() * 6))

function refusalOf(error: Error & { code?: string; statusCode?: number }): Refusal {
  if (error instanceof Refusal) return error
  if (error.code === 'FST_ERR_BAD_URL' || error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Refusal(generic.not_found)
  // Fastify's own, such as a client that broke off.
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refusal(generic.invalid_request)
  if (isUnavailable(error)) return new Refusal(generic.unavailable)
  // What PostgreSQL refuses though our own checks let it pass: the request's values, or a race for a unique one.
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
