import type { ClientOptions } from './core/options.ts';
import { type OperatorMethods } from './operator/methods.gen.ts';
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
export declare class OpenBenefitsOperator {
    constructor(options?: ClientOptions);
}
export interface OpenBenefitsOperator extends OperatorMethods {
}
export { ApiError, ConnectionError, OpenBenefitsError, type ErrorCode, type MethodErrors } from './core/errors.ts';
export type { CallInfo, CallOptions, ClientOptions } from './core/options.ts';
export type { Pages } from './core/pages.ts';
export type * from './operator/methods.gen.ts';
export type * from './operator/types.gen.ts';
export { day, formatCents, formatDay } from './values.ts';
