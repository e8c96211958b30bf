import type { Contract, ApiError as ErrorBody } from './contract-types.ts'

/** `/v1/employers/empr_…?page=2` without its query. */
type WithoutQuery<Path> = Path extends `${infer Before}?${string}` ? Before : Path

/** Where a path leads in the tree of the contract: what it says literally goes first, and all else is a name. */
type PlaceOf<Tree, Path> = Path extends `${infer Segment}/${infer Rest}`
  ? PlaceOf<Under<Tree, Segment>, Rest>
  : Under<Tree, Path>

type Under<Tree, Segment> = Segment extends keyof Tree
  ? Tree[Segment]
  : [BeforeQuery<Tree, Segment>] extends [never]
    ? Tree extends { '{}': infer Named }
      ? Named
      : never
    : Tree[BeforeQuery<Tree, Segment>]

/** The segment that one begins with whose end the compiler doesn't know: `employees${query}`. */
type BeforeQuery<Tree, Segment> = {
  [Key in keyof Tree]: Segment extends `${Key & string}${string}` ? Key : never
}[keyof Tree]

/**
 * What an operation answers when it succeeds, by its path as a test writes it: `/v1/employers/${id}?page=2`. Of a path
 * that the compiler cannot read, or that is not in the contract, it is unknown.
 */
export type BodyOf<Method extends string, Path extends string> =
  WithoutQuery<Path> extends `/${infer Segments}`
    ? PlaceOf<Contract, Segments> extends { [name in Method]: infer Body }
      ? Body
      : unknown
    : unknown

/** What is under `data` of it. */
export type DataOf<Method extends string, Path extends string> =
  BodyOf<Method, Path> extends { data: infer Data } ? Data : unknown

/** An answer as a partner sees it. */
export class Answer<Body = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What the contract promises of a success; who expects to be refused asks for `error`. */
  readonly body: Body
  readonly #request: string

  constructor(request: string, { status, headers }: Response, text: string) {
    const is_json = headers.get('content-type')?.startsWith('application/json')
    this.#request = request
    this.status = status
    this.headers = headers
    this.text = text
    this.body = is_json && text ? JSON.parse(text) : undefined
  }

  /** Why it was refused. */
  get error(): ErrorBody['error'] {
    if (this.status < 400) throw new Error(`${this.#request} was answered ${this.status}, which is no refusal.`)
    return (this.body as ErrorBody).error
  }
}

export type Asking = () => Promise<Answer>

/** What each of some requests is answered. */
export type AnswersTo<Requests extends readonly Asking[]> = {
  -readonly [At in keyof Requests]: Awaited<ReturnType<Requests[At]>>
}

/** The status of an answer and, when it was refused, the code: `[409, 'conflict']`, `[200, undefined]`. */
export const codeOf = (answer: Answer) => [answer.status, answer.status < 400 ? undefined : answer.error.code]

/** The status of a success, and the code of a refusal. */
export const statusOrCode = (answer: Answer) => (answer.status < 400 ? answer.status : answer.error.code)

/** Why it was refused, with the first field that was wrong: `[400, 'invalid_request', 'email']`. */
export const refusalOf = ({ status, error }: Answer) => [status, error.code, error.details[0]?.field]

/** A described credential, which is no bound token. */
export function ofKey<Described extends { kind: string }>(credential: Described) {
  if (!('api_key' in credential)) throw new Error(`It is an ${credential.kind}.`)
  return credential as Extract<Described, { api_key: unknown }>
}
