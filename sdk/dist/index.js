import { censusSync } from './census.js';
import { Client } from './core/client.js';
import { addMethods } from './core/surface.js';
import { tokenRoute } from './token-route.js';
import { operations } from './v1/methods.gen.js';
import { verifyWebhook } from './webhooks.js';
/**
 * A client of the partner interface, `/v1`: a method for each of its operations.
 *
 * @example
 * ```ts
 * const ob = new OpenBenefits({ apiKey })
 * for await (const employee of ob.employees.list(employer_id, { search: 'grace' })) console.log(employee.email)
 * ```
 */
// Its methods are given to it, as the table says.
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging
export class OpenBenefits {
    constructor(options = {}) {
        const client = new Client(options, { url: 'OPENBENEFITS_URL', key: 'OPENBENEFITS_API_KEY' });
        addMethods(this, operations, client);
        const { census, employers, tokens } = this;
        const sync = censusSync(client, census, (employer_id, call) => employers.getSettings(employer_id, call));
        Object.assign(census, { sync });
        Object.assign(tokens, { route: tokenRoute(tokens.issue) });
        Object.assign(this, { webhooks: { verify: verifyWebhook } });
    }
}
export { boundToken, TokenRefusedError } from './bound-token.js';
export { ApiError, ConnectionError, OpenBenefitsError } from './core/errors.js';
export { day, formatCents, formatDay } from './values.js';
export { verifyWebhook, WebhookVerificationError } from './webhooks.js';
