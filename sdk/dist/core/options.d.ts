/** What a request is part of: for hooks, which see each attempt. */
export type CallInfo = {
    /** `employers.create` */
    operation: string;
    /** Counts the attempts of a call from 1. */
    attempt: number;
};
export type ClientOptions = {
    /** `obk_…`, for servers alone; unless said, `OPENBENEFITS_API_KEY` of the environment. */
    apiKey?: string;
    /**
     * Instead of an API key: asked for the token before each request. When one was refused (401) it is asked once more,
     * with the token that was refused. In browsers, {@link boundToken}.
     */
    getToken?: (refused?: string) => string | Promise<string>;
    /** The organization to act as (`X-Service-Organization`); needed when the key reaches several. */
    organization?: string;
    /**
     * Where the service is; unless said, `OPENBENEFITS_URL` of the environment, or else the sandbox of this machine,
     * http://127.0.0.1:8080.
     */
    baseUrl?: string;
    /** What sends requests, instead of the global `fetch`. */
    fetch?: (request: Request) => Promise<Response>;
    /** Milliseconds for an attempt, answer included; 60,000 unless said. */
    timeout?: number;
    /**
     * How often a call is repeated that may be: 5 times unless said, 0 for never. Answers of 429, which say when to come
     * back, don't count, as long as a call has not waited for two minutes in all.
     */
    maxRetries?: number;
    /** Called with each request before it is sent; may add headers. */
    onRequest?: (request: Request, call: CallInfo) => void | Promise<void>;
    /** Called with each answer, refusals too. Its body is read by the client: `clone` it to read it as well. */
    onResponse?: (response: Response, call: CallInfo) => void | Promise<void>;
    /** Waits so many milliseconds between attempts; for tests with a clock of their own. */
    sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};
/** What a single call may have of its own. */
export type CallOptions = Pick<ClientOptions, 'organization' | 'timeout' | 'maxRetries'> & {
    /** Ends the call, also while it waits to try again; what it throws is the reason of the signal. */
    signal?: AbortSignal;
    /**
     * By which the service knows repeats of a POST for 24 hours; unless said, a new one for each call, which its retries
     * keep. Give one that you have stored before to repeat a call safely after your own process has ended.
     */
    idempotencyKey?: string;
    headers?: Record<string, string>;
};
