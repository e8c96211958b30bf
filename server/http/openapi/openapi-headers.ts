type HeaderJson = Record<string, unknown>

const text = { type: 'string' }
const whole = { type: 'integer' }

/** The headers of answers, as components of the document. */
export const headers = {
  'X-Request-Id': { description: 'Finds this request in the logs of the service.', schema: text },
  'X-API-Version': { description: 'The version of this interface.', schema: text },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: whole },
  'X-RateLimit-Remaining': { description: 'Requests left.', schema: whole },
  'X-RateLimit-Reset': { description: 'Unix seconds when the limit is whole again.', schema: whole },
  'RateLimit-Reason': { description: 'Which limit was reached.', schema: text },
  'Retry-After': { description: 'Seconds until the next attempt makes sense.', schema: whole },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: text },
  'X-Should-Retry': {
    description: '`false`: the same request will be refused again; `true` with `idempotency_key_in_progress`.',
    schema: text,
  },
  'Idempotent-Replayed': { description: '`true` when this is the stored answer of an earlier request.', schema: text },
}

const refer = (...names: (keyof typeof headers)[]): HeaderJson =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers that every answer has. */
export const of_every_answer = ['X-Request-Id', 'X-API-Version'] as const
/** And those of every answer to somebody whom we know. */
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
