/** A fault of one field: its path in the request (`employees[3].phone`) and the reason. */
export type Detail = { field: string; message: string }

/**
 * A refusal of the catalog. Endpoints list the ones that they may return. `message` is the problem and `remedy` the
 * fix; each has a page in the documentation. `field` is the input that it always concerns, if any.
 */
export type RefusalKind = {
  status: number
  code: string
  message: string
  remedy?: string | undefined
  field?: string | undefined
}

/**
 * Declares the refusals of a module, in its `rules.ts`: by code, the status, a message for the integrator without
 * personal data, the remedy, and the field that it always concerns.
 */
export const declareRefusals = <Code extends string>(
  table: Record<Code, readonly [status: number, message: string, remedy?: string, field?: string]>,
): Record<Code, RefusalKind> => {
  const declared = Object.entries<readonly [number, string, string?, string?]>(table)
  const kinds = declared.map(([code, [status, message, remedy, field]]) => [
    code,
    { status, code, message, remedy, field },
  ])
  return Object.fromEntries(kinds) as Record<Code, RefusalKind>
}

/** Thrown to respond with an error of the catalog. The transaction rolls back. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly details: Detail[]
  readonly headers: Record<string, string>

  constructor(kind: RefusalKind, details: Detail[] = [], headers: Record<string, string> = {}) {
    super(kind.message)
    this.kind = kind
    this.details =
      details.length === 0 && kind.field !== undefined ? [{ field: kind.field, message: kind.message }] : details
    this.headers = headers
  }
}

/**
 * The maximum number of details in a response, and the maximum length of a field name, which comes from the request.
 */
export const max_details = 100
const max_field_length = 200

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

/** A field as people read it: `row 2, email` for `employees[1].email`. Other paths stay unchanged. */
export function fieldInWords(field: string): string {
  const [, index, name] = rowPath.exec(field) ?? []
  if (index === undefined) return field
  return [rowInWords(Number(index)), name].filter(Boolean).join(', ')
}

/** The 400 of an invalid request. */
export const invalid = (...details: Detail[]): Refusal =>
  new Refusal(
    generic.invalid_request,
    details.slice(0, max_details).map(({ field, message }) => ({ field: field.slice(0, max_field_length), message })),
  )

/** Throws the refusal that a rule returned, if any. */
export function refuse(why: RefusalKind | Refusal | undefined, ...details: Detail[]): void {
  if (why instanceof Refusal) throw why
  if (why) throw new Refusal(why, details)
}

/** The refusals that every operation may return. */
export const generic = declareRefusals({
  invalid_request: [400, 'The request is not valid.', 'Fix the fields listed in `details` and send the request again.'],
  unauthorized: [
    401,
    'The API key or access token is missing, wrong or expired.',
    'Send `Authorization: Bearer` with a valid key or token. `/v1` and `/operator/v1` have separate keys. A token ' +
      'expires after `expires_in` seconds.',
  ],
  forbidden: [
    403,
    'This credential is not allowed to perform this operation.',
    'Use a credential that the operation accepts. Its description lists them.',
  ],
  not_found: [
    404,
    'The resource does not exist, or this credential does not reach it.',
    'Check the path, the id, and that the resource belongs to your organization. Resources of others return 404 too.',
  ],
  method_not_allowed: [405, 'This path does not support this method.', 'Use one of the methods in `Allow`.'],
  conflict: [
    409,
    'The request conflicts with the current state.',
    'Another request changed the data first. Read the current state, then decide whether to repeat the request.',
  ],
  payload_too_large: [
    413,
    'The body is larger than this operation accepts.',
    'Send at most 64 KiB, or 16 MiB for a census and for group members. You may split the data over several requests.',
  ],
  unsupported_media_type: [
    415,
    'Send the body as application/json.',
    'Send `Content-Type: application/json` in UTF-8, without a `Content-Encoding`. Only some operations accept ' +
      '`text/csv`.',
  ],
  unprocessable: [
    422,
    'A business rule does not allow this request.',
    'Search for text with at least one letter or digit.',
  ],
  rate_limited: [
    429,
    'Too many requests. Wait, then retry with backoff.',
    'Wait for `Retry-After` seconds plus a random delay. To send many people, use one census instead of many requests.',
  ],
  internal_error: [
    500,
    'An unexpected error occurred. The trace_id identifies it in our log.',
    'The service failed. Retry later with the same Idempotency-Key, and report the `trace_id` to the operator.',
  ],
  upstream_error: [502, 'A service that we depend on failed.', 'Retry later. Nothing was changed.'],
  unavailable: [
    503,
    'The service is not ready. Try again shortly.',
    'Wait for `Retry-After` seconds, then send the same request again. Nothing was changed.',
  ],
})
