import type { CallOptions } from './core/options.ts'
import type { TokensMethods } from './v1/methods.gen.ts'
import type { AccessToken, EmployeeId, EmployerId } from './v1/types.gen.ts'

/** The fields of a token that a page receives, limited to the ones it needs. */
export type IssuedToken = Pick<AccessToken, 'access_token' | 'expires_in'>

export type TokenRouteOptions<Req> = Pick<CallOptions, 'organization'> & {
  /**
   * Returns the entity of the token: the employee (`empl_…`) or employer (`empr_…`) of the signed-in user. Take it from
   * your own session, never from the page. Return null if no user is signed in, for a 401. The request is your
   * framework's: Express's request, Hono's context, or a `Request`.
   */
  entity: (
    request: Req,
  ) => EmployeeId | EmployerId | null | undefined | Promise<EmployeeId | EmployerId | null | undefined>
  /** Origins that are allowed in addition to the origin of the route, such as `https://app.example.com`. */
  origins?: readonly string[]
}

/** The used part of a Node request. */
type NodeRequest = { method?: string; headers: Record<string, string | string[] | undefined> }
type NodeResponse = {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
}

/**
 * A handler for your token route. It accepts the arguments of your framework: a `Request` (Next, Bun, Deno, workers), a
 * context (Hono), or request, response and next (Express, Node).
 */
export type TokenRoute<Req> = (request: Req, ...rest: any[]) => Promise<Response>

export type Tokens = TokensMethods & {
  /**
   * The route that {@link boundToken} fetches from. It issues a token bound to one employee or employer. It accepts
   * only POST requests from the same origin or from `origins`, by the headers `Origin` and `Sec-Fetch-Site`, which a
   * page cannot forge. Other requests get a 403 before `entity` is called.
   *
   * @example
   * ```ts
   * app.post('/benefits-token', ob.tokens.route({ entity: (req) => req.session.employee_id }))
   * ```
   */
  route<Req = any>(options: TokenRouteOptions<Req>): TokenRoute<Req>
}

type RouteResponse = { status: number; body: object; headers: Record<string, string> }

/** Builds `tokens.route` from the operation that issues tokens. */
export function tokenRoute(issue: TokensMethods['issue']): Tokens['route'] {
  return <Req>({ entity, origins = [], organization }: TokenRouteOptions<Req>): TokenRoute<Req> => {
    const respond = async (
      given: Req,
      method: string,
      header: (name: string) => string | null,
    ): Promise<RouteResponse> => {
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
    return (request, ...rest) => handle(request as object, rest, respond as Respond)
  }
}

type Respond = (given: unknown, method: string, header: (name: string) => string | null) => Promise<RouteResponse>

/**
 * Browsers send the origin of a page, and a page cannot change it. A request without it does not come from an allowed
 * page.
 */
function isSameOrigin(origin: string | null, host: string | null, site: string | null): boolean {
  if (site !== null && site !== 'same-origin') return false
  if (origin === null || origin === 'null') return site === 'same-origin'
  return host !== null && URL.canParse(origin) && new URL(origin).host === host
}

/** Detects the type by its methods, because frameworks have their own classes. */
const isRequest = (value: object | undefined): value is Request =>
  typeof (value as Request | undefined)?.headers?.get === 'function'

/** Responds in the form that the calling framework expects. */
async function handle(given: object, [response, next]: unknown[], respond: Respond): Promise<Response> {
  const request = [given, (given as { req?: { raw?: object } }).req?.raw].find(isRequest)
  if (request) {
    // Use the Host header, because a proxy or runtime may have changed the URL. A Request may lack that header.
    const header = (name: string) => request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : null)
    const { status, body, headers } = await respond(given, request.method, header)
    return new Response(JSON.stringify(body), { status, headers })
  }
  const { method = '', headers: sent } = given as NodeRequest
  try {
    const result = await respond(given, method, (name) => [sent[name]].flat()[0] ?? null)
    const out = response as NodeResponse
    out.statusCode = result.status
    for (const [name, value] of Object.entries(result.headers)) out.setHeader(name, value)
    out.end(JSON.stringify(result.body))
  } catch (error) {
    if (typeof next !== 'function') throw error
    next(error)
  }
  return undefined as unknown as Response
}
