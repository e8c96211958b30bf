/** What is wrong with one field: its path in the request (`employees[3].phone`) and why. */
export type Detail = { field: string; message: string }

/**
 * A named refusal of the catalogue: endpoints list those they may answer. `message` is what is wrong, `remedy` what to
 * do about it; each has a page.
 */
export type RefusalKind = { status: number; code: string; message: string; remedy?: string | undefined }

/**
 * Declares the refusals of a module, in its `rules.ts`: by code, the status, a sentence for the integrator, which never
 * holds personal data, and what to do about it.
 */
export const declareRefusals = <Code extends string>(
  table: Record<Code, readonly [status: number, message: string, remedy?: string]>,
): Record<Code, RefusalKind> => {
  const declared = Object.entries<readonly [number, string, string?]>(table)
  const kinds = declared.map(([code, [status, message, remedy]]) => [code, { status, code, message, remedy }])
  return Object.fromEntries(kinds) as Record<Code, RefusalKind>
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

/** Lists whose items people know as the rows of a file. */
const rowPath = /^(?:employees|members|rows|actuals)\[(\d+)\]\.?(.*)$/s

/** A row as people count them, from 1: `row 2`, `row 2 (reference E-2)`. */
export const rowInWords = (index: number, reference_id?: string | null): string =>
  `row ${index + 1}${reference_id ? ` (reference ${reference_id})` : ''}`

/** A field in a sentence for people: `row 2, email` for `employees[1].email`. Other paths stay as they are. */
export function fieldInWords(field: string): string {
  const [, index, name] = rowPath.exec(field) ?? []
  if (index === undefined) return field
  return [rowInWords(Number(index)), name].filter(Boolean).join(', ')
}

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
  invalid_request: [400, 'The request is not valid.', 'Mend what `details` names, field by field, and send it again.'],
  unauthorized: [
    401,
    'The API key or access token is missing, wrong or expired.',
    'Send `Authorization: Bearer` with a key or token that is good here: `/v1` and `/operator/v1` have keys of their ' +
      'own, and a token lasts `expires_in` seconds.',
  ],
  forbidden: [
    403,
    'This credential may not do this.',
    'Use a credential that the operation accepts: its description names them.',
  ],
  not_found: [
    404,
    'There is no such resource, or this credential does not reach it.',
    'Look at the id, and at whose it is: what belongs to others is told of as if it were not there.',
  ],
  method_not_allowed: [405, 'This path does not answer this method.', 'Use one of the methods in `Allow`.'],
  conflict: [
    409,
    'The request conflicts with the present state.',
    'Read again what is there now, then decide: another request was faster.',
  ],
  payload_too_large: [
    413,
    'The body is larger than this operation accepts.',
    'Send less: 64 KiB, or 16 MiB of a census and of the members of a group. Several smaller requests do as well.',
  ],
  unsupported_media_type: [
    415,
    'Send the body as application/json.',
    'Send `Content-Type: application/json` in UTF-8, without a `Content-Encoding`; `text/csv` only where the ' +
      'operation takes it.',
  ],
  unprocessable: [422, 'A rule of the domain forbids this.', 'Search for something with a letter or digit in it.'],
  rate_limited: [
    429,
    'Too many requests: wait, then try again with backoff.',
    'Wait for `Retry-After` seconds, and then some by chance. For many people send one census, not many requests.',
  ],
  internal_error: [
    500,
    'Something unexpected happened; the trace_id finds it in our log.',
    'It is our fault. Try again later, with the same Idempotency-Key; tell the operator the `trace_id`.',
  ],
  upstream_error: [502, 'A service that we depend on failed.', 'Try again later. Nothing was changed.'],
  unavailable: [
    503,
    'The service is not ready; try again shortly.',
    'Wait for `Retry-After` seconds, then send the same again. Nothing was changed.',
  ],
})
