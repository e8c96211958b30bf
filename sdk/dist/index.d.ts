import { type Census } from './census.ts';
import type { ClientOptions } from './core/options.ts';
import { type Tokens } from './token-route.ts';
import { type PartnerMethods } from './v1/methods.gen.ts';
import { verifyWebhook } from './webhooks.ts';
/**
 * A client of the partner interface, `/v1`: a method for each of its operations.
 *
 * @example
 * ```ts
 * const ob = new OpenBenefits({ apiKey })
 * for await (const employee of ob.employees.list(employer_id, { search: 'grace' })) console.log(employee.email)
 * ```
 */
export declare class OpenBenefits {
    constructor(options?: ClientOptions);
}
export interface OpenBenefits extends Omit<PartnerMethods, 'census' | 'tokens'> {
    census: Census;
    tokens: Tokens;
    webhooks: {
        verify: typeof verifyWebhook;
    };
}
export { boundToken, TokenRefusedError, type BoundToken, type BoundTokenOptions } from './bound-token.ts';
export type { Census, CensusProgress, CensusResult, CensusSyncOptions, SubmittedCensus, SyncCensus } from './census.ts';
export { ApiError, ConnectionError, OpenBenefitsError, type ErrorCode, type MethodErrors } from './core/errors.ts';
export type { CallInfo, CallOptions, ClientOptions } from './core/options.ts';
export type { Pages } from './core/pages.ts';
export type { IssuedToken, TokenRoute, TokenRouteOptions, Tokens } from './token-route.ts';
export type * from './v1/methods.gen.ts';
export type * from './v1/types.gen.ts';
export { day, formatCents, formatDay } from './values.ts';
export { verifyWebhook, WebhookVerificationError, type VerifyOptions, type WebhookHeaders } from './webhooks.ts';
