import type { CallOptions } from './core/options.ts'
import type { TokensMethods } from './v1/methods.gen.ts'
import type { AccessToken, EmployeeId, EmployerId } from './v1/types.gen.ts'

/** What a page is told of its token: nothing that it does not need. */
export type IssuedToken = Pick<AccessToken, 'access_token' | 'expires_in'>

export type TokenRouteOptions<Req> = Pick<CallOptions, 'organization'> & {
  /**
   * For whom the token is to be: the employee (`empl_…`) or employer (`empr_…`) that the person who is signed in may
   * act for, by your own session and never by what the page says. Null when nobody is: 401. The request is that of
   * your framework: Express's, Hono's context, or a `Request`.
   */
  entity: (
    request: Req,
  ) => EmployeeId | EmployerId | null | undefined | Promise<EmployeeId | EmployerId | null | undefined>
  /** Pages that may ask, beside those of the same origin: `https://app.example.com`. */
  origins?: readonly string[]
}

/** What frameworks of Node hand over, as far as it is looked at. */
type NodeRequest = { method?: string; headers: Record<string, string | string[] | undefined> }
type NodeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/**
 * A handler for a route of yours that hands tokens to pages. It is called as its framework calls: with a `Request`
 * (Next, Bun, Deno, workers), with a context (Hono), or with request, response and next (Express, Node).
 */
export type TokenRoute<Req> = (request: Req, ...rest: any[]) => Promise<Response>

export type Tokens = TokensMethods & {
  /**
   * The route from which {@link boundToken} fetches: it issues a token that is bound to one employee or employer. Only
   * POST, and only from pages of the same origin or of `origins`, by what the browser says of itself (`Origin`,
   * `Sec-Fetch-Site`), which no page can forge: all else is 403 before anybody is asked.
   *
   * @example
   * ```ts
   * app.post('/benefits-token', ob.tokens.route({ entity: (req) => req.session.employee_id }))
   * ```
   */
  route<Req = any>(options: TokenRouteOptions<Req>): TokenRoute<Req>
}

type Answer = { status: number; body: object; headers: Record<string, string> }

/** Makes `tokens.route` out of the operation that issues tokens. */
export function tokenRoute(issue: TokensMethods['issue']): Tokens['route'] {
  return <Req>({ entity, origins = [], organization }: TokenRouteOptions<Req>): TokenRoute<Req> => {
    const answerTo = async (given: Req, method: string, header: (name: string) => string | null): Promise<Answer> => {
      const headers = { 'cache-control': 'no-store', vary: 'origin', 'content-type': 'application/json' }
      const refuse = (status: number, code: string) => ({ status, body: { error: { code } }, headers })
      if (method !== 'POST') return refuse(405, 'method_not_allowed')
      const origin = header('origin')
      const is_listed = origin !== null && origins.includes(origin)
      if (!is_listed && !isSameOrigin(origin, header('host'), header('sec-fetch-site')))
        return refuse(403, 'origin_not_allowed')
      const id = await entity(given)
      if (!id) return refuse(401, 'unauthorized')
      const type = id.startsWith('empl_') ? 'employee' : 'employer'
      const request = { grant_type: 'client_credentials', bound_entity: { type, id } } as const
      const { access_token, expires_in } = await issue(request, organization ? { organization } : {})
      const allowed = is_listed && {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      }
      return { status: 200, body: { access_token, expires_in }, headers: { ...headers, ...allowed } }
    }
    return (request, ...rest) => handle(request as object, rest, answerTo as Answering)
  }
}

type Answering = (given: unknown, method: string, header: (name: string) => string | null) => Promise<Answer>

/** A browser says where a page is from, and a page can't say otherwise. Who says nothing is no page of ours. */
function isSameOrigin(origin: string | null, host: string | null, site: string | null): boolean {
  if (site !== null && site !== 'same-origin') return false
  if (origin === null || origin === 'null') return site === 'same-origin'
  return host !== null && URL.canParse(origin) && new URL(origin).host === host
}

/** By what it can do: frameworks have classes of their own. */
const isRequest = (one: object | undefined): one is Request =>
  typeof (one as Request | undefined)?.headers?.get === 'function'

/** Answers as the framework that called us expects it. */
async function handle(given: object, [response, next]: unknown[], answerTo: Answering): Promise<Response> {
  const request = [given, (given as { req?: { raw?: object } }).req?.raw].find(isRequest)
  if (request) {
    // What a proxy or a runtime made of the address: the host header may be missing from a Request.
    const header = (name: string) => request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : null)
    const { status, body, headers } = await answerTo(given, request.method, header)
    return new Response(JSON.stringify(body), { status, headers })
  }
  const { method = '', headers: sent } = given as NodeRequest
  try {
    const answer = await answerTo(given, method, (name) => [sent[name]].flat()[0] ?? null)
    const out = response as NodeResponse
    out.statusCode = answer.status
    for (const [name, value] of Object.entries(answer.headers)) out.setHeader(name, value)
    out.end(JSON.stringify(answer.body))
  } catch (error) {
    if (typeof next !== 'function') throw error
    next(error)
  }
  return undefined as unknown as Response
}
