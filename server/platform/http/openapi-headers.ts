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

const everywhere = refer('X-Request-Id', 'X-API-Version')
/** The headers of every answer, also where nobody is asked who they are. */
export const anonymousHeaders = everywhere
const limits = refer('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')

/** The headers of an answer that is no error. */
export const answerHeaders = (method: string): HeaderJson => ({
  ...everywhere,
  ...limits,
  ...(method === 'POST' && refer('Idempotent-Replayed')),
})

const ofErrors: Record<number, HeaderJson> = {
  409: refer('X-Should-Retry', 'Retry-After'),
  422: refer('X-Should-Retry'),
  429: refer('Retry-After', 'RateLimit-Reason'),
  503: refer('Retry-After'),
}

/** The headers of an error. Who is not known has no limit. */
export const errorHeaders = (status: number): HeaderJson =>
  status === 401 ? { ...everywhere, ...refer('WWW-Authenticate') } : { ...everywhere, ...limits, ...ofErrors[status] }
