/** What is wrong with one field: its path in the request (`employees[3].phone`) and why. */
export type Detail = { field: string; message: string }

/** A named refusal of the catalogue: endpoints list those they may answer. */
export type RefusalKind = { status: number; code: string; message: string }

/**
 * Declares the refusals of a module, in its `rules.ts`: by code, the status and a sentence for the integrator, which
 * never holds personal data.
 */
export const declareRefusals = <Code extends string>(
  table: Record<Code, readonly [status: number, message: string]>,
): Record<Code, RefusalKind> => {
  const declared = Object.entries<readonly [number, string]>(table)
  return Object.fromEntries(declared.map(([code, [status, message]]) => [code, { status, code, message }])) as Record<
    Code,
    RefusalKind
  >
}

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
export const generic = declareRefusals({
  invalid_request: [400, 'The request is not valid.'],
  unauthorized: [401, 'The API key or access token is missing, wrong or expired.'],
  forbidden: [403, 'This credential may not do this.'],
  not_found: [404, 'There is no such resource, or this credential does not reach it.'],
  method_not_allowed: [405, 'This path does not answer this method.'],
  conflict: [409, 'The request conflicts with the present state.'],
  payload_too_large: [413, 'The body is larger than this operation accepts.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  unprocessable: [422, 'A rule of the domain forbids this.'],
  rate_limited: [429, 'Too many requests: wait, then try again with backoff.'],
  internal_error: [500, 'Something unexpected happened; the trace_id finds it in our log.'],
  upstream_error: [502, 'A service that we depend on failed.'],
  unavailable: [503, 'The service is not ready; try again shortly.'],
})
