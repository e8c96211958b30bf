import { ApiError, ConnectionError } from './errors.ts'
import { queryText, type Call } from './operations.ts'
import type { CallInfo, ClientOptions } from './options.ts'
import { pauseBeforeRetry, sleep } from './retries.ts'
import type { ErrorBody } from '../shared/types.gen.ts'

/** Sends calls with retries, until each gets a response, is refused, or has no retries left. */
export class Client {
  readonly options: ClientOptions
  readonly #base: string

  constructor(options: ClientOptions, environment: { url: string; key: string }) {
    const { env = {} } = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process ?? {}
    const apiKey = options.apiKey ?? (options.getToken ? undefined : env[environment.key])
    if (!apiKey && !options.getToken) throw new TypeError(`Pass apiKey or getToken, or set ${environment.key}.`)
    const { fetch: send = (request) => fetch(request), sleep: wait = sleep } = options
    this.options = { ...options, fetch: send, sleep: wait, ...(apiKey && { apiKey }) }
    const url = options.baseUrl ?? env[environment.url] ?? 'http://127.0.0.1:8080'
    // In a page, the URL may be relative to the page.
    this.#base = new URL(url, (globalThis as { location?: { href: string } }).location?.href).href.replace(/\/+$/, '')
  }

  /** The result of an operation: parsed JSON, or the response itself for a file. */
  async call(call: Call): Promise<unknown> {
    const { operation, options } = call
    const most = options.maxRetries ?? this.options.maxRetries ?? 5
    const repeatable = operation.method !== 'POST' || operation.has.has('keyed')
    const headers = this.#headersOf(call)
    const tokenFor = async (refused?: string) => this.options.apiKey ?? textOf(await this.options.getToken!(refused))
    let token = await tokenFor()
    let [failures, waited, was_refused] = [0, 0, false]
    for (let attempt = 1; ; attempt++) {
      try {
        headers.set('authorization', `Bearer ${token}`)
        return await this.#attempt(call, headers, { operation: operation.name, attempt })
      } catch (error) {
        const status = error instanceof ApiError ? error.status : undefined
        if (status === 401 && !was_refused && this.options.getToken) {
          was_refused = true
          token = await tokenFor(token)
          continue
        }
        // A 429 does not count as a failed attempt, unless retries are disabled.
        if (status !== 429 || most === 0) failures++
        const pause = failures > most ? undefined : pauseBeforeRetry(error, { attempt, repeatable, waited })
        if (pause === undefined) throw error
        waited += pause
        await this.options.sleep!(pause, options.signal)
      }
    }
  }

  #headersOf({ operation, body, options }: Call): Headers {
    const headers = new Headers({ accept: operation.has.has('file') ? '*/*' : 'application/json', ...options.headers })
    const organization = options.organization ?? this.options.organization
    if (organization) headers.set('x-service-organization', organization)
    if (body !== undefined) headers.set('content-type', typeof body === 'string' ? 'text/csv' : 'application/json')
    // The same key in each attempt, so that the service recognizes repeats.
    if (operation.has.has('keyed')) headers.set('idempotency-key', options.idempotencyKey ?? newKey())
    return headers
  }

  async #attempt(call: Call, headers: Headers, info: CallInfo): Promise<unknown> {
    const { operation, path, query, body, options } = call
    const timeout = options.timeout ?? this.options.timeout ?? 60_000
    options.signal?.throwIfAborted()
    const ending = new AbortController()
    const end = () => ending.abort(options.signal!.reason)
    options.signal?.addEventListener('abort', end)
    const timer = setTimeout(() => ending.abort(new Error(`no response within ${timeout} ms`)), timeout)
    const init = { method: operation.method, headers, signal: ending.signal, keepalive: options.keepalive ?? false }
    const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const request = new Request(this.#base + path + queryText(query), { ...init, ...content })
    const connected = <T>(step: Promise<T>): Promise<T> =>
      step.catch((error: unknown) => {
        options.signal?.throwIfAborted()
        const cause = ending.signal.aborted ? ending.signal.reason : error
        throw new ConnectionError(`${request.method} ${request.url}: ${reasonOf(cause)}`, { cause })
      })
    try {
      await this.options.onRequest?.(request, info)
      const response = await connected(this.options.fetch!(request))
      await this.options.onResponse?.(response, info)
      if (response.ok && operation.has.has('file')) return response
      const body = readJson(await connected(response.text()))
      if (!response.ok || !body) throw new ApiError(operation.name, response, body as ErrorBody | undefined)
      return body
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', end)
    }
  }
}

/** The widgets' `getToken` returns the whole response of the token route. Here it would become `[object Object]`. */
function textOf(token: unknown): string {
  if (typeof token !== 'string') throw new TypeError('getToken must return a string, the access_token.')
  return token
}

/** Undefined if the string is not a JSON object. */
function readJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** The message of `fetch` is only "fetch failed". Its cause has the reason. */
const reasonOf = (cause: unknown): string => {
  const { message, cause: behind } = cause as Error
  return behind instanceof Error && behind.message ? behind.message : message
}

/** 128 random bits. `randomUUID` is missing in pages loaded without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
