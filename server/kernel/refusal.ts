/** What is wrong with one field: its path in the request (`employees[3].phone`) and why. */
export type Detail = { field: string; message: string }

/** A named refusal of the catalogue: modules declare theirs in `rules.ts`, endpoints list those they may answer. */
export type RefusalKind = { status: number; code: string; message: string }

/** Declares a refusal. The message is a sentence for the integrator; it never holds personal data. */
export const refusal = (status: number, code: string, message: string): RefusalKind => ({ status, code, message })

/** Thrown to answer a request with an error of the catalogue; the transaction rolls back. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly details: Detail[]
  readonly headers: Record<string, string>

  constructor(kind: RefusalKind, details: Detail[] = [], headers: Record<string, string> = {}) {
    super(kind.message)
    this.kind = kind
    this.details = details
    this.headers = headers
  }
}

/** How many faults one answer tells of, and how much of the name of a field, which may be anything that was sent. */
export const most_details = 100
const longest_field = 200

/** `employees[3].address.zipcode` */
export const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, step) =>
      typeof step === 'number' ? `${field}[${step}]` : field ? `${field}.${String(step)}` : String(step),
    '',
  )

/** The 400 of a request whose shape is wrong. */
export const invalid = (...details: Detail[]): Refusal =>
  new Refusal(
    generic.invalid_request,
    details.slice(0, most_details).map(({ field, message }) => ({ field: field.slice(0, longest_field), message })),
  )

/** Throws the refusal that a rule found; does nothing when the rule found none. */
export function refuse(why: RefusalKind | Refusal | undefined, ...details: Detail[]): void {
  if (why instanceof Refusal) throw why
  if (why) throw new Refusal(why, details)
}

/** The refusals that any operation may answer (decisions.md, section 1). */
export const generic = {
  invalid_request: refusal(400, 'invalid_request', 'The request is not valid.'),
  unauthorized: refusal(401, 'unauthorized', 'The API key or access token is missing, wrong or expired.'),
  forbidden: refusal(403, 'forbidden', 'This credential may not do this.'),
  not_found: refusal(404, 'not_found', 'There is no such resource, or this credential does not reach it.'),
  method_not_allowed: refusal(405, 'method_not_allowed', 'This path does not answer this method.'),
  conflict: refusal(409, 'conflict', 'The request conflicts with the present state.'),
  payload_too_large: refusal(413, 'payload_too_large', 'The body is larger than this operation accepts.'),
  unsupported_media_type: refusal(415, 'unsupported_media_type', 'Send the body as application/json.'),
  unprocessable: refusal(422, 'unprocessable', 'A rule of the domain forbids this.'),
  rate_limited: refusal(429, 'rate_limited', 'Too many requests: wait, then try again with backoff.'),
  internal_error: refusal(500, 'internal_error', 'Something unexpected happened; the trace_id finds it in our log.'),
  upstream_error: refusal(502, 'upstream_error', 'A service that we depend on failed.'),
  unavailable: refusal(503, 'unavailable', 'The service is not ready; try again shortly.'),
} satisfies Record<string, RefusalKind>
