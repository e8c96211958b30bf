import { OpenBenefitsError } from './core/errors.ts';
import type { VerifiedEvent } from './v1/methods.gen.ts';
/** It is not from the service, is too old, or was changed on the way: answer 400 and do nothing. */
export declare class WebhookVerificationError extends OpenBenefitsError {
    name: string;
}
/** As servers hand them over: `Headers`, or an object of Node, Express and their like. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;
export type VerifyOptions = {
    /** Seconds by which the clocks of sender and receiver may differ, and a message may be old: 300 unless said. */
    tolerance?: number;
};
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
export declare function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secrets: string | readonly string[], { tolerance }?: VerifyOptions): Promise<VerifiedEvent>;
