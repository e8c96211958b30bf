import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Html } from '../../kernel/formats/html.ts'
import { refuseOtherMethods } from '../wire/method-not-allowed.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { basePathOf } from './built-files.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { tooManyInvalidCredentials, type UnauthenticatedClient } from '../limits/failed-auth.ts'

/** A cookie for this host only, not readable by scripts. `max_age` is in seconds; 0 deletes it. */
export type Cookie = { name: string; value: string; max_age: number }

/** A browser's request for a page. */
export type PageRequest = {
  runtime: Runtime
  params: Record<string, string>
  query: URLSearchParams
  /** Returns the value of one of our cookies. */
  cookie: (name: string) => string | undefined
  /**
   * Whether the request comes from one of our own pages, by its Origin header. Browsers omit that header when a link is
   * followed.
   */
  is_own: boolean
  /** The host name that the browser requested, without the port. */
  hostname: string
  /** Our address: the origin, and the path that a proxy may put before ours. */
  base_url: string
  user_agent: string | null
  /** the client's address; behind a trusted proxy, the one that the proxy reports */
  address: string
  trace_id: string
  /** Counts an invalid secret of this address. Throws if it sent too many. */
  countInvalid: () => void
  /** Looks up a secret. An address that sent too many invalid ones gets one lookup at a time. */
  inTurn: UnauthenticatedClient['inTurn']
}

/** The response of a page: a page, data for a script, or a redirect. `policy` is the usual one by default. */
export type PageResponse = ({ status?: number; page: Html; policy?: string } | { data: object } | { see: string }) & {
  cookies?: Cookie[]
}

/**
 * A page for people, outside the interfaces. It uses cookies instead of keys, reads no body, and is not cached.
 * Refusals are shown as a page.
 */
export type WebPage = {
  method: 'GET' | 'POST'
  path: string
  respond: (request: PageRequest) => Promise<PageResponse>
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

/** Links to pages may contain secrets, so other sites get no referrer. Our own forms need the origin. */
const page_headers = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
}

const originOf = (url: string): string => new URL(url).origin

/** Browsers send the origin of every POST, so a POST without it does not come from a browser. */
function isOwn({ headers, protocol, host }: FastifyRequest, base_url: string): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false
  return origin === originOf(base_url) || origin === `${protocol}://${host}`
}

/** Browsers accept a `__Host-` cookie only over TLS and only for this host. */
const cookieName = (name: string, secure: boolean) => (secure ? `__Host-${name}` : name)

const setCookie = ({ name, value, max_age }: Cookie, secure: boolean): string =>
  `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${max_age}${secure ? '; Secure' : ''}`

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const begin = `${name}=`
  const all = (request.headers.cookie ?? '').split(/; */)
  return all.find((cookie) => cookie.startsWith(begin))?.slice(begin.length)
}

function requestOf(
  runtime: Runtime,
  request: FastifyRequest,
  client: UnauthenticatedClient,
  secure: boolean,
): PageRequest {
  const base_url = runtime.settings.public_url ?? `${request.protocol}://${request.host}`
  const [, query = ''] = request.url.split('?')
  return {
    runtime,
    params: request.params as Record<string, string>,
    query: new URLSearchParams(query),
    cookie: (name) => cookieOf(request, cookieName(name, secure)),
    is_own: isOwn(request, base_url),
    hostname: request.hostname,
    base_url,
    user_agent: request.headers['user-agent']?.slice(0, 255) ?? null,
    address: request.ip,
    trace_id: request.id,
    countInvalid: () => {
      const retry_after = client.countInvalid()
      if (retry_after > 0) throw tooManyInvalidCredentials(retry_after)
    },
    inTurn: client.inTurn,
  }
}

/** Our paths in a page: of links, forms, scripts, tokens and fonts. Texts of a page contain no plain quotes. */
const own_paths = /(?<=\b(?:href|action|src|token-url)="|url\()(?=\/)/g

/** Where a response is sent: the path that a proxy puts before ours, and whether browsers use TLS. */
type Destination = { base: string; secure: boolean }

function send(reply: FastifyReply, response: PageResponse, { base, secure }: Destination): FastifyReply {
  for (const cookie of response.cookies ?? []) reply.header('set-cookie', setCookie(cookie, secure))
  if ('see' in response)
    return reply
      .header('referrer-policy', 'same-origin')
      .redirect(response.see.startsWith('/') ? base + response.see : response.see, 303)
  if ('data' in response) return reply.header('content-type', 'application/json; charset=utf-8').send(response.data)
  return reply
    .code(response.status ?? 200)
    .headers({ ...page_headers, 'content-security-policy': response.policy ?? policy })
    .send(response.page.text.replaceAll(own_paths, base))
}

const refused = ({ kind: { status, message } }: Refusal): PageResponse => ({
  status,
  page: html.page(
    'That did not work',
    html`<p>${message}</p>
      <p><a href="/sign-in">Sign in</a></p>`,
  ),
})

/** True if a browser requests a page. Paths of the API, of any version, get JSON. */
export const acceptsPage = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/(?:operator\/)?v\d+(?:[/?]|$)/.test(url)

/** The page for an unknown address, with links to where people can continue. */
export const sendNotFound = (reply: FastifyReply, public_url: string | null): FastifyReply =>
  send(
    reply,
    {
      status: 404,
      page: html.page(
        'Page not found',
        html`<p>If you typed the address, check that it is correct.</p>
          <p><a href="/console/">Console</a> · <a href="/docs">Documentation</a></p>`,
      ),
    },
    { base: basePathOf(public_url), secure: false },
  )

/** Registers the pages of all modules. */
export function servePages(
  app: FastifyInstance,
  runtime: Runtime,
  pages: WebPage[],
  clientAt: (address: string) => UnauthenticatedClient,
): void {
  for (const [path, pages_of_path] of Map.groupBy(pages, (page) => page.path)) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const { method, respond } of pages_of_path) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const { public_url } = runtime.settings
          const secure = request.protocol === 'https' || (public_url ?? '').startsWith('https:')
          const to = { base: basePathOf(public_url), secure }
          const pending = requestOf(runtime, request, clientAt(request.ip), secure)
          try {
            return send(reply, await respond(pending), to)
          } catch (error) {
            if (!(error instanceof Refusal) || (method === 'POST' && !request.headers.accept?.includes('text/html')))
              throw error
            return send(reply.headers(error.headers), refused(error), to)
          }
        },
      })
    }
    refuseOtherMethods(
      app,
      url,
      pages_of_path.map(({ method }) => method),
    )
  }
}
