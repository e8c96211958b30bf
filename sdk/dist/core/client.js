import { ApiError, ConnectionError } from './errors.js';
import { queryText } from './operations.js';
import { pauseBeforeRetry, sleep } from './retries.js';
/** Sends calls, each until it is answered, refused for good, or given up. */
export class Client {
    options;
    #base;
    constructor(options, environment) {
        const { env = {} } = globalThis.process ?? {};
        const apiKey = options.apiKey ?? (options.getToken ? undefined : env[environment.key]);
        if (!apiKey && !options.getToken)
            throw new TypeError(`Give apiKey or getToken, or set ${environment.key}.`);
        const { fetch: send = (request) => fetch(request), sleep: wait = sleep } = options;
        this.options = { ...options, fetch: send, sleep: wait, ...(apiKey && { apiKey }) };
        const url = options.baseUrl ?? env[environment.url] ?? 'http://127.0.0.1:8080';
        // In a page it may be relative to the page.
        this.#base = new URL(url, globalThis.location?.href).href.replace(/\/+$/, '');
    }
    /** What an operation answers: JSON, or the response itself where it is a file. */
    async call(call) {
        const { operation, options } = call;
        const most = options.maxRetries ?? this.options.maxRetries ?? 5;
        const repeatable = operation.method !== 'POST' || operation.has.has('keyed');
        const headers = this.#headersOf(call);
        const tokenFor = (refused) => this.options.apiKey ?? this.options.getToken(refused);
        let token = await tokenFor();
        let [failures, waited, was_refused] = [0, 0, false];
        for (let attempt = 1;; attempt++) {
            try {
                headers.set('authorization', `Bearer ${token}`);
                return await this.#attempt(call, headers, { operation: operation.name, attempt });
            }
            catch (error) {
                const status = error instanceof ApiError ? error.status : undefined;
                if (status === 401 && !was_refused && this.options.getToken) {
                    was_refused = true;
                    token = await tokenFor(token);
                    continue;
                }
                // To be told to come back is no failure, for those who retry at all.
                if (status !== 429 || most === 0)
                    failures++;
                const pause = failures > most ? undefined : pauseBeforeRetry(error, { attempt, repeatable, waited });
                if (pause === undefined)
                    throw error;
                waited += pause;
                await this.options.sleep(pause, options.signal);
            }
        }
    }
    #headersOf({ operation, body, options }) {
        const accept = operation.has.has('file') ? '*/*' : 'application/json';
        const headers = new Headers({ accept, ...options.headers });
        const organization = options.organization ?? this.options.organization;
        if (organization)
            headers.set('x-service-organization', organization);
        if (body !== undefined)
            headers.set('content-type', typeof body === 'string' ? 'text/csv' : 'application/json');
        // The same in each attempt: so the service knows a repeat.
        if (operation.has.has('keyed'))
            headers.set('idempotency-key', options.idempotencyKey ?? newKey());
        return headers;
    }
    async #attempt(call, headers, info) {
        const { operation, path, query, body, options } = call;
        const timeout = options.timeout ?? this.options.timeout ?? 60_000;
        options.signal?.throwIfAborted();
        const ending = new AbortController();
        const end = () => ending.abort(options.signal.reason);
        options.signal?.addEventListener('abort', end);
        const timer = setTimeout(() => ending.abort(new Error(`no answer within ${timeout} ms`)), timeout);
        const request = new Request(this.#base + path + queryText(query), {
            method: operation.method,
            headers,
            signal: ending.signal,
            ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        });
        const connected = (step) => step.catch((error) => {
            options.signal?.throwIfAborted();
            const cause = ending.signal.aborted ? ending.signal.reason : error;
            throw new ConnectionError(`${request.method} ${request.url}: ${reasonOf(cause)}`, { cause });
        });
        try {
            await this.options.onRequest?.(request, info);
            const response = await connected(this.options.fetch(request));
            await this.options.onResponse?.(response, info);
            if (response.ok && operation.has.has('file'))
                return response;
            const answer = readJson(await connected(response.text()));
            if (!response.ok || !answer)
                throw new ApiError(operation.name, response, answer);
            return answer;
        }
        finally {
            clearTimeout(timer);
            options.signal?.removeEventListener('abort', end);
        }
    }
}
/** Undefined when it is no JSON object. */
function readJson(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : undefined;
    }
    catch {
        return undefined;
    }
}
/** What `fetch` says is "fetch failed", and why stands behind it. */
const reasonOf = (cause) => {
    const { message, cause: behind } = cause;
    return behind instanceof Error && behind.message ? behind.message : message;
};
/** 128 random bits. `randomUUID` is missing from pages that came without TLS. */
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
