import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { pascal, type Json } from './openapi-schemas.ts'
import { generic, type RefusalKind } from '../../kernel/refusal.ts'
import { Timestamp } from '../../kernel/fields.ts'
import { refusals } from '../refusals.ts'

export const ErrorBody = z
  .object({
    error: z
      .object({
        code: z.string().meta({
          description:
            'A stable, machine-readable code. Later versions may add codes: handle an unknown code by its HTTP status.',
        }),
        message: z.string().meta({ description: 'A human-readable message, which includes the first detail.' }),
        details: z
          .array(
            z.object({
              field: z
                .string()
                .meta({ description: 'The path of the field, with indexes from 0: `employees[3].address.zipcode`.' }),
              message: z.string().meta({ description: 'The reason why the field is invalid.' }),
            }),
          )
          .meta({ description: 'The invalid fields, at most 100. Empty if no field is invalid.' }),
        doc_url: z.string().meta({ description: 'The page about this code: its cause, what to do, and an example.' }),
      })
      .meta({ description: 'The error.' }),
    app_error_code: z.string().meta({ description: 'Always equals `error.code`.' }),
    message: z.string().meta({ description: 'Repeats `error.message`.' }),
    timestamp: Timestamp.meta({ description: 'The time of the response, in UTC.' }),
    trace_id: z.string().meta({ description: 'Identifies the request in our log. Equals the `X-Request-Id` header.' }),
  })
  .meta({
    id: 'ApiError',
    description: 'The body of every 4xx and 5xx response.',
    example: {
      error: {
        code: 'invalid_request',
        message: 'email: must be an email address',
        details: [{ field: 'email', message: 'must be an email address' }],
        doc_url: 'https://benefits.example.com/docs/errors#invalid_request',
      },
      app_error_code: 'invalid_request',
      message: 'email: must be an email address',
      timestamp: '2026-03-10T14:05:09.123Z',
      trace_id: '0b6b2a0e-5a5c-4b53-9d1f-3d0f4f4f8a11',
    },
  })

/** All refusals of an operation, in the order of the checks. */
export function refusalsOf(endpoint: Endpoint): RefusalKind[] {
  const mayNeedOrganization = endpoint.organization === 'header' || endpoint.organization === 'needed'
  return [
    generic.unauthorized,
    generic.rate_limited,
    ...(mayNeedOrganization ? [refusals.organization_required] : []),
    refusals.invalid_organization_header,
    refusals.organization_access_denied,
    refusals.api_key_in_browser,
    // Also for operations that accept no bound token, because a caller may send one anyway.
    refusals.origin_not_allowed,
    ...(endpoint.params ? [generic.not_found] : []),
    generic.forbidden,
    ...(endpoint.issues_credential ? [refusals.sign_in_again] : []),
    generic.invalid_request,
    ...(endpoint.body ? [generic.payload_too_large, generic.unsupported_media_type] : []),
    ...(endpoint.method === 'POST' ? [refusals.idempotency_key_in_progress, refusals.idempotency_key_reused] : []),
    ...(endpoint.repeats === 'briefly' ? [refusals.idempotency_response_expired] : []),
    ...(endpoint.method === 'GET' ? [] : [generic.conflict]),
    ...(endpoint.refuses ?? []),
    generic.internal_error,
    generic.unavailable,
  ]
}

/** The names of responses that many operations share, by their codes in the order of checks. */
const shared_names: Record<string, string> = {
  'invalid_organization_header invalid_request': 'InvalidRequest',
  'organization_required invalid_organization_header invalid_request': 'InvalidRequestOrNoOrganization',
  'organization_access_denied api_key_in_browser origin_not_allowed forbidden': 'Forbidden',
  'organization_access_denied api_key_in_browser origin_not_allowed forbidden sign_in_again': 'ForbiddenOrSignInAgain',
  'idempotency_key_in_progress conflict': 'ConflictOrInProgress',
  'idempotency_key_in_progress idempotency_response_expired conflict': 'ConflictOrResponseExpired',
}

/** The refusals of several operations. */
const shared = new Set<RefusalKind>([...Object.values(generic), ...Object.values(refusals)])

/**
 * The error responses by status: each status that may occur has one, because generated clients and fuzzers learn
 * nothing from a `default` response. Those that operations share are added to `components`.
 */
export function errorResponses(refused: RefusalKind[], components: Record<string, Json>): Record<string, Json> {
  const responses: Record<string, Json> = {}
  for (const [status, kinds] of Map.groupBy(refused, ({ status }) => status)) {
    const codes = kinds.map(({ code }) => code)
    const name = kinds.length === 1 && shared.has(kinds[0]!) ? pascal(codes[0]!) : shared_names[codes.join(' ')]
    const response = errorResponse(status, kinds)
    if (name) components[name] = response
    responses[status] = name ? { $ref: `#/components/responses/${name}` } : response
  }
  return responses
}

/**
 * A response that refuses for one of these reasons. Its description explains the operation's own reasons, if it has
 * any; the list of codes contains all of them, and stays open because later versions may add codes.
 */
function errorResponse(status: number, kinds: RefusalKind[]): Json {
  const code = { anyOf: [{ type: 'string', enum: kinds.map(({ code }) => code) }, { type: 'string' }] }
  const special = kinds.filter((kind) => !shared.has(kind))
  const explained = special.length > 0 ? special : kinds
  const schema = {
    allOf: [{ $ref: '#/components/schemas/ApiError' }, { properties: { error: { properties: { code } } } }],
  }
  return {
    description: explained.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    ...headers_of_status[status],
    content: { 'application/json': { schema } },
  }
}

const text = { type: 'string' }
const integer_schema = { type: 'integer' }

/** The response headers, as components of the document. */
export const headers = {
  'X-Request-Id': { description: 'Finds this request in the logs of the service.', schema: text },
  'X-API-Version': { description: 'The version of this interface.', schema: text },
  'X-RateLimit-Limit': { description: 'The allowed requests per minute.', schema: integer_schema },
  'X-RateLimit-Remaining': { description: 'The remaining requests.', schema: integer_schema },
  'X-RateLimit-Reset': {
    description: 'The Unix time in seconds when the full limit is available again.',
    schema: integer_schema,
  },
  'RateLimit-Reason': { description: 'The limit that was reached.', schema: text },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: integer_schema },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text },
  'X-Should-Retry': {
    description: '`false` if the same request would be refused again. `true` for `idempotency_key_in_progress`.',
    schema: text,
  },
  'Idempotent-Replayed': { description: '`true` if this is the stored response of an earlier request.', schema: text },
}

export const headers_of_every_response = ['X-Request-Id', 'X-API-Version'] as const
/** The headers of every response to an authenticated caller. */
export const headers_of_authenticated_responses = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const

const referTo = (names: (keyof typeof headers)[]): Json => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})

/** The headers of an error. 401 and 429 also declare those that every response has. */
const headers_of_status: Record<number, Json> = {
  401: referTo([...headers_of_every_response, 'WWW-Authenticate']),
  409: referTo(['X-Should-Retry', 'Retry-After', 'Idempotent-Replayed']),
  422: referTo(['X-Should-Retry', 'Idempotent-Replayed']),
  429: referTo([
    ...headers_of_every_response,
    ...headers_of_authenticated_responses,
    'Retry-After',
    'RateLimit-Reason',
  ]),
  503: referTo(['Retry-After']),
}
