import { Client } from './core/client.js';
import { addMethods } from './core/surface.js';
import { operations } from './operator/methods.gen.js';
/**
 * A client of the operator interface, `/operator/v1`, with an operator key (`obop_…`, unless said
 * `OPENBENEFITS_OPERATOR_KEY` of the environment) or, in a page, the token of a session.
 *
 * @example
 * ```ts
 * const operator = new OpenBenefitsOperator({ apiKey: 'obop_…' })
 * for await (const matter of operator.openMatters.list()) console.log(matter.kind)
 * ```
 */
// Its methods are given to it, as the table says.
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging
export class OpenBenefitsOperator {
    constructor(options = {}) {
        const client = new Client(options, { url: 'OPENBENEFITS_URL', key: 'OPENBENEFITS_OPERATOR_KEY' });
        addMethods(this, operations, client, 'operator.');
    }
}
export { ApiError, ConnectionError, OpenBenefitsError } from './core/errors.js';
export { day, formatCents, formatDay } from './values.js';
