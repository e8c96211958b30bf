import type { Contract } from './contract-types.ts'

/** The body of every refusal. */
type ErrorBody = {
  error: { code: string; message: string; details: { field: string; message: string }[]; doc_url: string }
  trace_id: string
}

/** `/v1/employers/empr_…?page=2` without its query. */
type WithoutQuery<Path> = Path extends `${infer Before}?${string}` ? Before : Path

/** The node of a path in the contract. Literal segments win over path parameters. */
type NodeOf<Tree, Path> = Path extends `${infer Segment}/${infer Rest}`
  ? NodeOf<Under<Tree, Segment>, Rest>
  : Under<Tree, Path>

type Under<Tree, Segment> = Segment extends keyof Tree
  ? Tree[Segment]
  : [BeforeQuery<Tree, Segment>] extends [never]
    ? Tree extends { '{}': infer Named }
      ? Named
      : never
    : Tree[BeforeQuery<Tree, Segment>]

/** The known beginning of a segment whose end the compiler does not know: `employees${query}`. */
type BeforeQuery<Tree, Segment> = {
  [Key in keyof Tree]: Segment extends `${Key & string}${string}` ? Key : never
}[keyof Tree]

/**
 * The body of a successful response, by a path such as `/v1/employers/${id}?page=2`. It is unknown if the compiler
 * cannot read the path, or if the contract does not have it.
 */
export type BodyOf<Method extends string, Path extends string> =
  WithoutQuery<Path> extends `/${infer Segments}`
    ? NodeOf<Contract, Segments> extends { [name in Method]: infer Body }
      ? Body
      : unknown
    : unknown

/** The type of its `data`. */
export type DataOf<Method extends string, Path extends string> =
  BodyOf<Method, Path> extends { data: infer Data } ? Data : unknown

/** A response as a partner receives it. */
export class ApiResponse<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Typed as a success. For a refusal use `error`. */
  readonly body: Body
  readonly #request: string

  constructor(request: string, { status, headers }: Pick<Response, 'status' | 'headers'>, text: string) {
    const is_json = headers.get('content-type')?.startsWith('application/json')
    this.#request = request
    this.status = status
    this.headers = headers
    this.text = text
    this.body = is_json && text ? JSON.parse(text) : undefined
  }

  /** The error of a refusal. Throws if the request succeeded. */
  get error(): ErrorBody['error'] {
    if (this.status < 400) throw new Error(`${this.#request} returned ${this.status}, which is not a refusal.`)
    return (this.body as ErrorBody).error
  }
}

export type RequestFunction = () => Promise<ApiResponse>

/** The responses of several requests. */
export type ResponsesTo<Requests extends readonly RequestFunction[]> = {
  -readonly [At in keyof Requests]: Awaited<ReturnType<Requests[At]>>
}

/** The status and the code of a refusal: `[409, 'conflict']`, or `[200, undefined]` for a success. */
export const codeOf = (answer: ApiResponse) => [answer.status, answer.status < 400 ? undefined : answer.error.code]

/** The status of a success, or the code of a refusal. */
export const statusOrCode = (answer: ApiResponse) => (answer.status < 400 ? answer.status : answer.error.code)

/** The status, the code and the first invalid field of a refusal: `[400, 'invalid_request', 'email']`. */
export const refusalOf = ({ status, error }: ApiResponse) => [status, error.code, error.details[0]?.field]

/** Narrows a described credential to an API key or one of its tokens. */
export function ofKey<Described extends { kind: string }>(credential: Described) {
  if (!('api_key' in credential)) throw new Error(`It is an ${credential.kind}.`)
  return credential as Extract<Described, { api_key: unknown }>
}
