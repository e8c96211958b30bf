import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isForbiddenAddress, isForbiddenPort, isLoopbackAddress } from '../../kernel/ip-addresses.ts'
import { resolveName, type Address } from './resolve.ts'
import { undici } from './undici.ts'
import { within } from '../../kernel/deadline.ts'

/** What a server answered, or why none did, as a sentence for its owner. */
export type OutboundReply =
  | { status: number; body: string; retry_after: string | undefined }
  | { status: null; failure: string }

/**
 * Requests to servers that partners name: only to addresses of the open internet, bounded in time and in what is read.
 */
export type Outbound = {
  /** Why an address can't be posted to, as it stands and as its name resolves now; undefined when it can. */
  whyNotPostTo(url: string): Promise<string | undefined>
  /** Posts a body. Never throws; follows no redirect. */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundReply>
  close(): Promise<void>
}

export type OutboundOptions = {
  /** Lets in this machine's own addresses, over http too, for local development. */
  allow_loopback: boolean
  /** Finds the addresses of a name; at the name servers of this machine unless said. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Milliseconds until an answer must have begun. */
  time_limit?: number
}

/** How much of an answer is kept, in bytes; the rest is not read. */
export const most_read = 1024

/** How long the body of an answer that has begun is waited for: its status has said what we need. */
const body_patience_ms = 1000

/** How long a registration waits for the name to resolve; the address is checked again whenever it is dialled. */
const resolve_patience_ms = 3000

class ForbiddenAddress extends Error {}

const forbidden = 'The address is not on the open internet, or not reached by https.'
const forbidden_port = 'The port must be 443, or one from 1024 on.'

/** `[::1]` as an address. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Opens the way out. Connections are kept alive; each was checked when it was dialled, on the very address it leads to.
 */
export function openOutbound(options: OutboundOptions): Outbound {
  const { allow_loopback, time_limit = 15_000 } = options
  const resolve = options.resolve ?? resolveName
  const mayDial = (protocol: string, address: string): boolean =>
    isLoopbackAddress(address) ? allow_loopback : protocol === 'https:' && !isForbiddenAddress(address)

  // No limit of connections: many subscriptions may lead to one server, and none may wait here for another's answer.
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
      if (username || password) return 'The address must not hold a name or password.'
      if (protocol !== 'https:' && !(protocol === 'http:' && allow_loopback))
        return 'The address must begin with https.'
      if (isForbiddenPort(protocol, port)) return forbidden_port
      const host = bare(hostname)
      if (isIP(host)) return mayDial(protocol, host) ? undefined : forbidden
      // A name that can't be resolved now may be before the first event; whatever it leads to then is checked then.
      const found = await within(resolve_patience_ms, resolve(host)).catch(() => [])
      return found.every(({ address }) => mayDial(protocol, address)) ? undefined : forbidden
    },
    post: (url, headers, body) => postOver((dispatcher ??= openAgent()), { url, headers, body, time_limit }),
    close: async () => dispatcher?.destroy(),
  }
}

type Guard = {
  resolve: (hostname: string) => Promise<Address[]>
  mayDial: (protocol: string, address: string) => boolean
  timeout: number
}

/**
 * Dials only addresses that may be: one written as such is looked at, and a name is resolved here, for this connection,
 * so that what was checked is what is dialled. A name that leads to a forbidden address too is not dialled at all.
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
      // Said here, or NODE_TLS_REJECT_UNAUTHORIZED, set for some other server, would leave it out.
      rejectUnauthorized: true,
    } as buildConnector.BuildOptions),
  }
  return (options, callback) => {
    const { protocol, port } = options
    const host = bare(options.hostname)
    if (isForbiddenPort(protocol, port)) callback(new ForbiddenAddress(forbidden_port), null)
    else if (isIP(host) && !mayDial(protocol, host)) callback(new ForbiddenAddress(forbidden), null)
    else connectors[protocol as keyof typeof connectors](options, callback)
  }
}

type Post = { url: string; headers: Record<string, string>; body: string; time_limit: number }

/**
 * Posts, and resolves once the answer has begun and as much of its body is there as is kept; what comes late or beyond
 * that is cut off. It hears the events of the connection itself: a stream for each answer would take twice the
 * processor.
 */
function postOver(dispatcher: Dispatcher, { url, headers, body, time_limit }: Post): Promise<OutboundReply> {
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
    const limit = () => cutOff(new DOMException('The time is up.', 'TimeoutError'))
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
        // What is said beforehand is no answer.
        if (status < 200) return
        begun = { status, retry_after: typeof retry_after === 'string' ? retry_after : undefined }
        clearTimeout(timer)
        timer = setTimeout(limit, body_patience_ms)
      },
      onResponseData(_, chunk) {
        chunks.push(chunk)
        length += chunk.length
        if (length >= most_read) cutOff(new Error('There is enough of it.'))
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

/** The first bytes of a body as text that PostgreSQL can keep. */
const textOf = (chunks: Buffer[]): string =>
  chunks.length === 0 ? '' : Buffer.concat(chunks).subarray(0, most_read).toString().replaceAll('\0', '').toWellFormed()

const sentences: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before an answer.',
  ENOTFOUND: 'The name of the server could not be resolved.',
  EHOSTUNREACH: 'The server could not be reached.',
  ENETUNREACH: 'The server could not be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer were too long.',
}

function sentenceOf(error: NodeJS.ErrnoException, time_limit: number): string {
  const causes = [error, ...(error instanceof AggregateError ? error.errors : [])] as NodeJS.ErrnoException[]
  const refused = causes.find((cause) => cause instanceof ForbiddenAddress)
  if (refused) return refused.message
  const slow = ['TimeoutError', 'HeadersTimeoutError', 'ConnectTimeoutError'].includes(error.name)
  if (slow) return `No answer within ${time_limit / 1000} s.`
  if (error.name === 'HTTPParserError') return 'The answer was not HTTP.'
  const code = causes.find((cause) => cause.code)?.code ?? ''
  if (sentences[code]) return sentences[code]
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `The certificate of the server could not be verified (${code}).`
  if (/TLS|SSL/.test(code)) return `The server could not be talked to over TLS (${code}).`
  return `The request failed (${code || error.name}).`
}
