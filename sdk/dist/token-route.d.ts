import type { CallOptions } from './core/options.ts';
import type { TokensMethods } from './v1/methods.gen.ts';
import type { AccessToken, EmployeeId, EmployerId } from './v1/types.gen.ts';
/** What a page is told of its token: nothing that it does not need. */
export type IssuedToken = Pick<AccessToken, 'access_token' | 'expires_in'>;
export type TokenRouteOptions<Req> = Pick<CallOptions, 'organization'> & {
    /**
     * For whom the token is to be: the employee (`empl_…`) or employer (`empr_…`) that the person who is signed in may
     * act for, by your own session and never by what the page says. Null when nobody is: 401. The request is that of
     * your framework: Express's, Hono's context, or a `Request`.
     */
    entity: (request: Req) => EmployeeId | EmployerId | null | undefined | Promise<EmployeeId | EmployerId | null | undefined>;
    /** Pages that may ask, beside those of the same origin: `https://app.example.com`. */
    origins?: readonly string[];
};
/**
 * A handler for a route of yours that hands tokens to pages. It is called as its framework calls: with a `Request`
 * (Next, Bun, Deno, workers), with a context (Hono), or with request, response and next (Express, Node).
 */
export type TokenRoute<Req> = (request: Req, ...rest: any[]) => Promise<Response>;
export type Tokens = TokensMethods & {
    /**
     * The route from which {@link boundToken} fetches: it issues a token that is bound to one employee or employer. Only
     * POST, and only from pages of the same origin or of `origins`, by what the browser says of itself (`Origin`,
     * `Sec-Fetch-Site`), which no page can forge: all else is 403 before anybody is asked.
     *
     * @example
     * ```ts
     * app.post('/benefits-token', ob.tokens.route({ entity: (req) => req.session.employee_id }))
     * ```
     */
    route<Req = any>(options: TokenRouteOptions<Req>): TokenRoute<Req>;
};
/** Makes `tokens.route` out of the operation that issues tokens. */
export declare function tokenRoute(issue: TokensMethods['issue']): Tokens['route'];
