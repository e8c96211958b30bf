type HeaderJson = Record<string, unknown>

const text = { type: 'string' }
const whole = { type: 'integer' }

/** The response headers, as components of the document. */
export const headers = {
  'X-Request-Id': { description: 'Finds this request in the logs of the service.', schema: text },
  'X-API-Version': { description: 'The version of this interface.', schema: text },
  'X-RateLimit-Limit': { description: 'The allowed requests per minute.', schema: whole },
  'X-RateLimit-Remaining': { description: 'The remaining requests.', schema: whole },
  'X-RateLimit-Reset': {
    description: 'The Unix time in seconds when the full limit is available again.',
    schema: whole,
  },
  'RateLimit-Reason': { description: 'The limit that was reached.', schema: text },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text },
  'X-Should-Retry': {
    description: '`false` if the same request would be refused again. `true` for `idempotency_key_in_progress`.',
    schema: text,
  },
  'Idempotent-Replayed': { description: '`true` if this is the stored response of an earlier request.', schema: text },
}

const refer = (...names: (keyof typeof headers)[]): HeaderJson =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of every response. */
export const of_every_answer = ['X-Request-Id', 'X-API-Version'] as const
/** The headers of every response to an authenticated caller. */
export const of_known_callers = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

const ofErrors: Record<number, HeaderJson> = {
  401: refer(...of_every_answer, 'WWW-Authenticate'),
  409: refer('X-Should-Retry', 'Retry-After', 'Idempotent-Replayed'),
  422: refer('X-Should-Retry', 'Idempotent-Replayed'),
  429: refer(...of_every_answer, ...of_known_callers, 'Retry-After', 'RateLimit-Reason'),
  503: refer('Retry-After'),
}

/** The headers of an error. Shared responses declare them; 401 and 429 also declare those that every response has. */
export const errorHeaders = (status: number): HeaderJson | undefined => ofErrors[status]
