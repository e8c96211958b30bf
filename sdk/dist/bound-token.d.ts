import { OpenBenefitsError } from './core/errors.ts';
import type { IssuedToken } from './token-route.ts';
/** The route refused: the person is signed out (401), or the page is not one that may ask (403). */
export declare class TokenRefusedError extends OpenBenefitsError {
    name: string;
    readonly status: number;
    constructor(status: number);
}
export type BoundTokenOptions = {
    /** Your route, such as `/benefits-token`, which `tokens.route` serves; or a function that fetches from it. */
    from: string | URL | (() => Promise<IssuedToken>);
    /**
     * For whom the tokens are: `empl_…` or `empr_…`. Tabs of the same origin with the same name share them, so that one
     * renews for all. Without it each tab renews for itself. Name the person: what shares a name shares what it may.
     */
    name?: string;
};
/** A token that is renewed in time. */
export type BoundToken = {
    /** For {@link OpenBenefits}: the token, or a new one when this one was refused. */
    getToken: (refused?: string) => Promise<string>;
    /** Ends renewing, and forgets the token: when the person signs out. */
    stop: () => void;
};
/**
 * Holds a bound token for a page: fetches it from your route, renews it at 80 % of its life, once for all tabs, and at
 * once when a page comes back to the foreground with one that is due. In the background nothing is renewed.
 *
 * @example
 * ```ts
 * const { getToken } = boundToken({ from: '/benefits-token', name: employer_id })
 * const ob = new OpenBenefits({ getToken, baseUrl: 'https://benefits.example.com' })
 * ```
 */
export declare function boundToken({ from, name }: BoundTokenOptions): BoundToken;
