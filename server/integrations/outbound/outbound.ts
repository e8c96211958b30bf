import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isForbiddenAddress, isForbiddenPort, isLoopbackAddress } from '../../kernel/ip-addresses.ts'
import { undici } from './response-limits.ts'
import { withDeadline } from '../../kernel/concurrency/deadline.ts'
import { Resolver } from 'node:dns/promises'

/** The response of a partner's server, or the reason for a missing one as a sentence for the partner. */
export type OutboundReply =
  | { status: number; body: string; retry_after: string | undefined }
  | { status: null; failure: string }

/**
 * Requests to URLs that partners configure: only to public addresses, with limits on time and response size.
 */
export type Outbound = {
  /** Why a URL is not allowed, by its text and the addresses it resolves to now. Undefined if it is allowed. */
  whyNotPostTo(url: string): Promise<string | undefined>
  /** Posts a body. Never throws; follows no redirect. */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundReply>
  close(): Promise<void>
}

export type OutboundOptions = {
  /** Allows loopback addresses, also over http, for local development. */
  allow_loopback: boolean
  /** Resolves a host name. By default with the name servers of this machine. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Milliseconds until a response must have begun. */
  time_limit?: number
}

/** Bytes of a response that are kept. The rest is not read. */
const max_read = 1024

/** Timeout for the body after the status, which is all that a delivery needs. */
const body_timeout_ms = 1000

/** Timeout for resolving the name at registration. The address is checked again at each connection. */
const resolve_timeout_ms = 3000

class ForbiddenAddress extends Error {}

const forbidden = 'The URL must use https and lead to a public address.'
const forbidden_port = 'The port must be 443, or 1024 or higher.'

/** `[::1]` as an address. */
const stripBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Opens the HTTP client. Connections are kept alive. The address of each was checked when it was opened. */
export function openOutbound(options: OutboundOptions): Outbound {
  const { allow_loopback, time_limit = 15_000 } = options
  const resolve = options.resolve ?? resolveName
  const mayDial = (protocol: string, address: string): boolean =>
    isLoopbackAddress(address) ? allow_loopback : protocol === 'https:' && !isForbiddenAddress(address)

  // No connection limit: many subscriptions may share a server, and none may wait for another's response.
  const openAgent = () =>
    new (undici().Agent)({
      connect: guardedConnector({ resolve, mayDial, timeout: time_limit }),
      headersTimeout: time_limit,
      bodyTimeout: time_limit,
      keepAliveTimeout: 15_000,
    })
  let dispatcher: Agent | undefined

  return {
    whyNotPostTo: async (url) => {
      const { protocol, hostname, port, username, password } = new URL(url)
      if (username || password) return 'The URL must not contain a user name or password.'
      if (protocol !== 'https:' && !(protocol === 'http:' && allow_loopback)) return 'The URL must begin with https://.'
      if (isForbiddenPort(protocol, port)) return forbidden_port
      const host = stripBrackets(hostname)
      if (isIP(host)) return mayDial(protocol, host) ? undefined : forbidden
      // A name that does not resolve now may do so before the first event. Its addresses are checked then. Names of
      // this machine, which may use http, always resolve.
      const found = await withDeadline(resolve_timeout_ms, resolve(host)).catch(() => [])
      if (found.length === 0 && protocol === 'http:') return forbidden
      return found.every(({ address }) => mayDial(protocol, address)) ? undefined : forbidden
    },
    post: (url, headers, body) => postThrough((dispatcher ??= openAgent()), { url, headers, body, time_limit }),
    close: async () => dispatcher?.destroy(),
  }
}

type Guard = {
  resolve: (hostname: string) => Promise<Address[]>
  mayDial: (protocol: string, address: string) => boolean
  timeout: number
}

/**
 * Connects only to allowed addresses. A name is resolved here, for this connection, so that the checked address is the
 * one that is used (a second lookup could return another). A name with any forbidden address is refused.
 */
function guardedConnector({ resolve, mayDial, timeout }: Guard): buildConnector.connector {
  const lookupFor = (protocol: string): LookupFunction => {
    const find = callbackify(async (hostname: string) => {
      const found = await resolve(hostname)
      if (!found.every(({ address }) => mayDial(protocol, address))) throw new ForbiddenAddress(forbidden)
      return found
    })
    return (hostname, _options, callback) => find(hostname, callback as (error: Error | null, found: Address[]) => void)
  }
  const { buildConnector } = undici()
  const connectors = {
    'http:': buildConnector({ timeout, lookup: lookupFor('http:') } as buildConnector.BuildOptions),
    'https:': buildConnector({
      timeout,
      lookup: lookupFor('https:'),
      // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED, meant for another server, cannot disable it.
      rejectUnauthorized: true,
    } as buildConnector.BuildOptions),
  }
  return (options, callback) => {
    const { protocol, port } = options
    const host = stripBrackets(options.hostname)
    if (isForbiddenPort(protocol, port)) callback(new ForbiddenAddress(forbidden_port), null)
    else if (isIP(host) && !mayDial(protocol, host)) callback(new ForbiddenAddress(forbidden), null)
    else connectors[protocol as keyof typeof connectors](options, callback)
  }
}

type Post = { url: string; headers: Record<string, string>; body: string; time_limit: number }

/**
 * Posts, and resolves when the response has begun and the kept part of its body has arrived. A late or longer body is
 * cut off. Uses the events of the connection, since a stream per response takes twice the processor time.
 */
function postThrough(dispatcher: Dispatcher, { url, headers, body, time_limit }: Post): Promise<OutboundReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    let begun: { status: number; retry_after: string | undefined } | undefined
    let controller: Dispatcher.DispatchController | undefined
    let cut_off: Error | undefined

    const cutOff = (error: Error) => {
      cut_off = error
      controller?.abort(error)
      end(error)
    }
    const limit = () => cutOff(new DOMException('The time limit has passed.', 'TimeoutError'))
    let timer = setTimeout(limit, time_limit)

    function end(error?: Error): void {
      clearTimeout(timer)
      if (begun) resolve({ ...begun, body: textOf(chunks) })
      else resolve({ status: null, failure: sentenceOf(error as NodeJS.ErrnoException, time_limit) })
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given
        if (cut_off) given.abort(cut_off)
      },
      onResponseStart(_, status, { 'retry-after': retry_after }) {
        // Informational responses (1xx) precede the real one.
        if (status < 200) return
        begun = { status, retry_after: typeof retry_after === 'string' ? retry_after : undefined }
        clearTimeout(timer)
        timer = setTimeout(limit, body_timeout_ms)
      },
      onResponseData(_, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length >= max_read) cutOff(new Error('The response is longer than needed.'))
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) => end(error),
    }
    try {
      const { origin, pathname, search } = new URL(url)
      dispatcher.dispatch({ origin, path: pathname + search, method: 'POST', headers, body }, handler)
    } catch (error) {
      end(error as Error)
    }
  })
}

/** The first bytes of a body as text that PostgreSQL can store. */
const textOf = (chunks: Buffer[]): string =>
  chunks.length === 0 ? '' : Buffer.concat(chunks).subarray(0, max_read).toString().replaceAll('\0', '').toWellFormed()

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  ENOTFOUND: 'The name of the server could not be resolved.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response were too long.',
}

function sentenceOf(error: NodeJS.ErrnoException, time_limit: number): string {
  const causes = [error, ...(error instanceof AggregateError ? error.errors : [])] as NodeJS.ErrnoException[]
  const refused = causes.find((cause) => cause instanceof ForbiddenAddress)
  if (refused) return refused.message
  const slow = ['TimeoutError', 'HeadersTimeoutError', 'ConnectTimeoutError'].includes(error.name)
  if (slow) return `No response within ${time_limit / 1000} s.`
  if (error.name === 'HTTPParserError') return 'The response was not HTTP.'
  const code = causes.find((cause) => cause.code)?.code ?? ''
  if (sentences[code]) return sentences[code]
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `The certificate of the server could not be verified (${code}).`
  if (/TLS|SSL/.test(code)) return `The TLS connection to the server failed (${code}).`
  return `The request failed (${code || error.name}).`
}

type Address = { address: string; family: number }

/** Timeout in milliseconds and attempts per name server. */
const timeout = { timeout: 2000, tries: 2 }

const withFamily = (address: string): Address => ({ address, family: isIP(address) })

/**
 * Resolves a host name with the name servers of this machine, or with `servers`. The system's lookup would occupy one
 * of four threads while it waits, so a few unresolvable names would block all others and file access. Therefore
 * /etc/hosts is ignored; `localhost` is this machine. Throws `ENOTFOUND` if there is no address.
 */
export async function resolveName(hostname: string, servers?: string[]): Promise<Address[]> {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily)
  // A new resolver reads the current name servers.
  const resolver = new Resolver(timeout)
  if (servers) resolver.setServers(servers)
  const lookups = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = lookups.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []))
  if (found.length === 0) throw Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' })
  return found.map(withFamily)
}
