import { ApiError, ConnectionError } from './errors.js';
/** Milliseconds: the first pause is up to so long, each one after it twice as long, and none longer. */
const first_pause = 500;
const longest_pause = 10_000;
/** For so long a call waits between its attempts, all in all. Who is to come back later is told so at once. */
const longest_patience = 120_000;
/**
 * For how many milliseconds to wait before a call is tried again; undefined when it is not to be. Tried again is what
 * may go through, as long as trying again does no harm. A 429 did nothing, whatever it was.
 */
export function pauseBeforeRetry(error, { attempt, repeatable, waited }) {
    const backoff = Math.min(first_pause * 2 ** (attempt - 1), longest_pause);
    if (error instanceof ConnectionError)
        return repeatable ? Math.random() * backoff : undefined;
    if (!(error instanceof ApiError))
        return undefined;
    const advised = error.headers.get('x-should-retry');
    const may_pass = error.status === 429 || advised === 'true' || (error.status >= 500 && repeatable);
    if (!may_pass || advised === 'false')
        return undefined;
    const asked = retryAfter(error.headers.get('retry-after'));
    // Never sooner than asked, and not all at the same instant.
    const pause = asked + Math.random() * (asked > 0 ? asked / 4 : backoff);
    return waited + pause > longest_patience ? undefined : pause;
}
/** Milliseconds from a Retry-After: seconds, or a date. */
function retryAfter(value) {
    if (value === null)
        return 0;
    const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
    return Math.max(0, milliseconds || 0);
}
/** Waits, unless the signal comes first. */
export function sleep(milliseconds, signal) {
    return new Promise((resolve, reject) => {
        if (signal?.aborted)
            return reject(signal.reason);
        const stop = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener('abort', stop, { once: true });
    });
}
