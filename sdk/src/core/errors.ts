import type { OperatorErrors } from '../operator/errors.gen.ts'
import type { ErrorBody } from '../shared/types.gen.ts'
import type { PartnerErrors } from '../v1/errors.gen.ts'

/** The refusal codes of each method, by method name: `employers.create`. */
export type MethodErrors = PartnerErrors & {
  [Name in keyof OperatorErrors as `operator.${Name}`]: OperatorErrors[Name]
}

/** All codes of this API version. */
export type ErrorCode = MethodErrors[keyof MethodErrors]

/** The base of all errors thrown by the SDK. */
export class OpenBenefitsError extends Error {
  override name = 'OpenBenefitsError'
}

/** No response: the service is unreachable, the connection broke, or the request timed out. `cause` has the details. */
export class ConnectionError extends OpenBenefitsError {
  override name = 'ConnectionError'
}

/** The message of a refusal without JSON, which came from a proxy and not from the service. */
const not_ours = (status: number) => ({
  code: 'upstream_error',
  message: `A proxy responded with ${status} without JSON.`,
  details: [],
  doc_url: '',
})

/** The service refused the request with 4xx or 5xx. Programs should decide by `code`. */
export class ApiError<Code extends string = ErrorCode> extends OpenBenefitsError {
  override name = 'ApiError'
  /** The refused method: `employers.create`, `operator.planYears.open`. */
  readonly operation: string
  readonly status: number
  /** Later versions may add codes. Handle unknown codes by status. */
  readonly code: Code | (string & {})
  /** The problems by field. */
  readonly details: ErrorBody['error']['details']
  /** The messages by field: `error.fields.ein`, `error.fields['employees[3].phone']`. */
  readonly fields: Readonly<Record<string, string>>
  /** The page about the code, with cause and remedy. */
  readonly doc_url: string
  /** The id of the request in the service's log. Empty if a proxy responded. */
  readonly trace_id: string
  readonly headers: Headers

  constructor(operation: string, { status, headers }: Response, body: ErrorBody | undefined) {
    const { code, message, details = [], doc_url = '' } = body?.error ?? not_ours(status)
    super(`${code}: ${message}`)
    this.operation = operation
    // A success response that cannot be parsed is an error.
    this.status = status < 400 ? 502 : status
    this.code = code
    this.details = details
    this.fields = Object.fromEntries(details.map(({ field, message }) => [field, message]))
    this.doc_url = doc_url
    this.trace_id = body?.trace_id ?? ''
    this.headers = headers
  }

  /** Whether the refusal has this code. */
  is<One extends Code>(code: One): this is ApiError<One> & { readonly code: One } {
    return (this.code as string) === code
  }

  /** Whether this method was refused. Narrows `is` to the codes of the method. */
  from<Name extends keyof MethodErrors>(operation: Name): this is ApiError<MethodErrors[Name]> {
    return this.operation === operation
  }
}
