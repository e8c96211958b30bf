/** The call and attempt of a request, for hooks. */
export type CallInfo = {
  /** `employers.create` */
  operation: string
  /** The number of the attempt, from 1. */
  attempt: number
}

export type ClientOptions = {
  /** The API key (`obk_…`), for servers only. Defaults to the environment variable `OPENBENEFITS_API_KEY`. */
  apiKey?: string
  /**
   * Alternative to an API key: called for the token before each request. After a 401 it is called once more with the
   * refused token. In browsers, use {@link boundToken}.
   */
  getToken?: (refused?: string) => string | Promise<string>
  /** The organization to act for (`X-Service-Organization`). Required if the key has access to several. */
  organization?: string
  /**
   * The URL of the service. Defaults to the environment variable `OPENBENEFITS_URL`, or else to the sandbox on this
   * machine, http://127.0.0.1:8080.
   */
  baseUrl?: string
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
  /** Milliseconds for an attempt, including its response. Defaults to 60,000. */
  timeout?: number
  /**
   * Maximum retries of a repeatable call. Defaults to 5; 0 disables retries. A 429 does not count until the call has
   * waited for two minutes in total.
   */
  maxRetries?: number
  /** Called with each request before it is sent. May add headers. */
  onRequest?: (request: Request, call: CallInfo) => void | Promise<void>
  /**
   * Called with each response, including refusals. The client reads the body, so `clone` the response to read it too.
   */
  onResponse?: (response: Response, call: CallInfo) => void | Promise<void>
  /** Waits between attempts. For tests with their own clock. */
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

/** The options of a single call. */
export type CallOptions = Pick<ClientOptions, 'organization' | 'timeout' | 'maxRetries'> & {
  /** Aborts the call, even while it waits for a retry. The call throws the signal's reason. */
  signal?: AbortSignal
  /**
   * The key by which the service recognizes repeats of a POST for 24 hours. Defaults to a new key per call, shared by
   * its retries. Pass a stored key to repeat a call safely after your process has restarted.
   */
  idempotencyKey?: string
  headers?: Record<string, string>
  /** Whether a browser finishes the call after its page has closed, like the option of `fetch`. */
  keepalive?: boolean
}
