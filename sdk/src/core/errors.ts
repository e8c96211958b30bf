import type { ErrorBody } from '../v1/types.gen.ts'
import type { PartnerErrors } from '../v1/methods.gen.ts'
import type { OperatorErrors } from '../operator/methods.gen.ts'

/** The codes that each method may be refused with, by what the method is called: `employers.create`. */
export type MethodErrors = PartnerErrors & {
  [Name in keyof OperatorErrors as `operator.${Name}`]: OperatorErrors[Name]
}

/** Each code that this version of the interfaces knows. */
export type ErrorCode = MethodErrors[keyof MethodErrors]

/** Everything that a client throws of itself. */
export class OpenBenefitsError extends Error {
  override name = 'OpenBenefitsError'
}

/** No answer came: the service can't be reached, the connection broke, or the time was over. `cause` says more. */
export class ConnectionError extends OpenBenefitsError {
  override name = 'ConnectionError'
}

/** What a refusal says when it did not come from the service, but from something in between that speaks no JSON. */
const not_ours = (status: number) => ({
  code: 'upstream_error',
  message: `Something between us answered ${status} without JSON.`,
  details: [],
  doc_url: '',
})

/** The service refused: every 4xx and 5xx. `code` is what programs decide by. */
export class ApiError<Code extends string = ErrorCode> extends OpenBenefitsError {
  override name = 'ApiError'
  /** The method that was refused: `employers.create`, `operator.planYears.open`. */
  readonly operation: string
  readonly status: number
  /** Later versions of the service may add codes: treat one that you don't know by its status. */
  readonly code: Code | (string & {})
  /** What is wrong, field by field. */
  readonly details: ErrorBody['error']['details']
  /** The same by its field: `error.fields.ein`, `error.fields['employees[3].phone']`. */
  readonly fields: Readonly<Record<string, string>>
  /** The page about the code: its cause and what to do. */
  readonly doc_url: string
  /** Finds the request in the log of the service; empty when something in between answered. */
  readonly trace_id: string
  readonly headers: Headers

  constructor(operation: string, { status, headers }: Response, body: ErrorBody | undefined) {
    const { code, message, details = [], doc_url = '' } = body?.error ?? not_ours(status)
    super(`${code}: ${message}`)
    this.operation = operation
    // A success that can't be read is none.
    this.status = status < 400 ? 502 : status
    this.code = code
    this.details = details
    this.fields = Object.fromEntries(details.map(({ field, message }) => [field, message]))
    this.doc_url = doc_url
    this.trace_id = body?.trace_id ?? ''
    this.headers = headers
  }

  /** Whether it was refused with this code. */
  is<One extends Code>(code: One): this is ApiError<One> & { readonly code: One } {
    return (this.code as string) === code
  }

  /** Whether it was this method that was refused; then `is` takes the codes of that method alone. */
  from<Name extends keyof MethodErrors>(operation: Name): this is ApiError<MethodErrors[Name]> {
    return this.operation === operation
  }
}
