import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, type Html } from '../../kernel/html.ts'
import { refuseOtherMethods } from '../wire/other-methods.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { tooManyWrong, type Stranger } from '../limits/failed-auth.ts'

/** A cookie to be set, of this host alone and out of reach of scripts; `max_age` in seconds, 0 to forget it. */
export type Cookie = { name: string; value: string; max_age: number }

/** What a browser asks of a page. */
export type PageRequest = {
  runtime: Runtime
  params: Record<string, string>
  query: URLSearchParams
  /** The value of a cookie of ours. */
  cookie: (name: string) => string | undefined
  /** Whether the request comes from a page of our own. Browsers say so of everything but a link that is followed. */
  is_own: boolean
  /** The host name that the browser requested, without the port. */
  hostname: string
  /** Where we are reached: the origin, and the path that a proxy may have put before ours. */
  base_url: string
  user_agent: string | null
  /** where it comes from, as far as proxies are trusted */
  address: string
  trace_id: string
  /** Counts a wrong secret of this address, and refuses it when it sent too many. */
  countWrong: () => void
  /** Looks a secret up: for an address that sent too many wrong ones, one after the other. */
  inTurn: Stranger['inTurn']
}

/** What a page answers: something to look at, something for a script, or the way to another page. */
export type PageAnswer = ({ status?: number; page: Html } | { data: object } | { see: string }) & { cookies?: Cookie[] }

/**
 * A page for people, outside the interfaces: it knows cookies and no keys, reads no body, and is kept by nobody. What
 * it refuses, it says on a page.
 */
export type WebPage = {
  method: 'GET' | 'POST'
  path: string
  answer: (request: PageRequest) => Promise<PageAnswer>
}

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Links to pages may hold secrets: no other site is told where somebody came from. Our own has to be, of forms. */
const page_headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
}

const originOf = (url: string): string => new URL(url).origin

/** A browser tells where a request comes from; one that tells nothing of a POST is none. */
function isOwn({ headers, protocol, host }: FastifyRequest, base_url: string): boolean {
  const { origin } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined || (site !== undefined && site !== 'same-origin')) return false
  return origin === originOf(base_url) || origin === `${protocol}://${host}`
}

/** `__Host-` binds a cookie to TLS and to this host, and browsers take it so only. */
const cookieName = (name: string, secure: boolean) => (secure ? `__Host-${name}` : name)

const setCookie = ({ name, value, max_age }: Cookie, secure: boolean): string =>
  `${cookieName(name, secure)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${max_age}${secure ? '; Secure' : ''}`

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const begin = `${name}=`
  const all = (request.headers.cookie ?? '').split(/; */)
  return all.find((each) => each.startsWith(begin))?.slice(begin.length)
}

function requestOf(runtime: Runtime, request: FastifyRequest, stranger: Stranger, secure: boolean): PageRequest {
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
    countWrong: () => {
      const retry_after = stranger.countWrong()
      if (retry_after > 0) throw tooManyWrong(retry_after)
    },
    inTurn: stranger.inTurn,
  }
}

function send(reply: FastifyReply, answer: PageAnswer, secure: boolean): FastifyReply {
  for (const cookie of answer.cookies ?? []) reply.header('set-cookie', setCookie(cookie, secure))
  if ('see' in answer) return reply.header('referrer-policy', 'same-origin').redirect(answer.see, 303)
  if ('data' in answer) return reply.header('content-type', 'application/json; charset=utf-8').send(answer.data)
  return reply
    .code(answer.status ?? 200)
    .headers(page_headers)
    .send(answer.page.text)
}

/** A refusal as a page says it. */
const refused = ({ kind: { status, message } }: Refusal): PageAnswer => ({
  status,
  page: html.page(
    'That did not work',
    html`<p>${message}</p>
      <p><a href="/sign-in">Sign in</a></p>`,
  ),
})

/** Whether somebody with a browser asks for a page: a program asks for none. */
export const isForPeople = ({ method, headers, url }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/(?:operator\/)?v1(?:[/?]|$)/.test(url)

/** What is said of a page that is not there, and where one goes on. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
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
    false,
  )

/** Adds the pages of modules. */
export function servePages(
  app: FastifyInstance,
  runtime: Runtime,
  pages: WebPage[],
  strangerAt: (address: string) => Stranger,
): void {
  for (const [path, those] of Map.groupBy(pages, (page) => page.path)) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const { method, answer } of those) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        handler: async (request, reply) => {
          const secure = request.protocol === 'https' || (runtime.settings.public_url ?? '').startsWith('https:')
          const asked = requestOf(runtime, request, strangerAt(request.ip), secure)
          try {
            return send(reply, await answer(asked), secure)
          } catch (error) {
            if (!(error instanceof Refusal) || (method === 'POST' && !request.headers.accept?.includes('text/html')))
              throw error
            return send(reply.headers(error.headers), refused(error), secure)
          }
        },
      })
    }
    refuseOtherMethods(
      app,
      url,
      those.map(({ method }) => method),
    )
  }
}
