import { OpenBenefitsError } from './core/errors.js';
/** It is not from the service, is too old, or was changed on the way: answer 400 and do nothing. */
export class WebhookVerificationError extends OpenBenefitsError {
    name = 'WebhookVerificationError';
}
/**
 * Verifies what was posted to a webhook (Standard Webhooks 1.0), over the body as it came, before anybody parses it,
 * and answers its event. While a secret is turned, give the new one and the former. Throws a {@link
 * WebhookVerificationError} for whatever is not from the service.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(await request.text(), request.headers, secret)
 * if (event.type === 'employee.created') await refresh(event.data.resource_id)
 * ```
 */
export async function verifyWebhook(body, headers, secrets, { tolerance = 300 } = {}) {
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(headerOf(headers));
    if (!id || !timestamp || !signatures)
        throw new WebhookVerificationError('The webhook headers are missing.');
    const age = Date.now() / 1000 - Number(timestamp);
    if (!/^\d+$/.test(timestamp) || Math.abs(age) > tolerance)
        throw new WebhookVerificationError('The message is too old, or the clock is wrong.');
    const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content);
    const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []));
    for (const secret of [secrets].flat())
        for (const signature of given)
            if (signature && (await isSignedWith(secret, signature, signed)))
                return JSON.parse(new TextDecoder().decode(content));
    throw new WebhookVerificationError('No signature is right.');
}
const headerOf = (headers) => (name) => isHeaders(headers)
    ? headers.get(name)
    : [Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]].flat()[0];
/** By what it can do: runtimes and frameworks have classes of their own. */
const isHeaders = (headers) => typeof headers.get === 'function';
/** In constant time, which is WebCrypto's own. */
async function isSignedWith(secret, signature, signed) {
    const raw = fromBase64(secret.replace(/^whsec_/, ''));
    if (!raw || raw.length === 0)
        throw new TypeError('A webhook secret is whsec_ and base64.');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
    return crypto.subtle.verify('HMAC', key, signature, signed);
}
function joined(first, second) {
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
}
/** Undefined when it is no base64. */
function fromBase64(text) {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
