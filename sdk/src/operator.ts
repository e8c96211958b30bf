import { Client } from './core/client.ts'
import type { ClientOptions } from './core/options.ts'
import { addMethods } from './core/surface.ts'
import { operations, type OperatorMethods } from './operator/methods.gen.ts'

/**
 * A client of the operator API (`/operator/v1`). It uses an operator key (`obop_…`, by default from the environment
 * variable `OPENBENEFITS_OPERATOR_KEY`) or, in a page, the token of a session.
 *
 * @example
 * ```ts
 * const operator = new OpenBenefitsOperator({ apiKey: 'obop_…' })
 * for await (const task of operator.tasks.list()) console.log(task.kind)
 * ```
 */
// Its methods are added at run time from the table.
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging
export class OpenBenefitsOperator {
  constructor(options: ClientOptions = {}) {
    const client = new Client(options, { url: 'OPENBENEFITS_URL', key: 'OPENBENEFITS_OPERATOR_KEY' })
    addMethods(this, operations, client, 'operator.')
  }
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface OpenBenefitsOperator extends OperatorMethods {}

export { ApiError, ConnectionError, OpenBenefitsError, type ErrorCode, type MethodErrors } from './core/errors.ts'
export type { CallInfo, CallOptions, ClientOptions } from './core/options.ts'
export type { Pages } from './core/pages.ts'
export type * from './operator/methods.gen.ts'
export type * from './operator/types.gen.ts'
export { day, formatCents, formatDay } from './values.ts'
