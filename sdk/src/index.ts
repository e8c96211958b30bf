import { censusSync, type Census } from './census.ts'
import { Client } from './core/client.ts'
import type { ClientOptions } from './core/options.ts'
import { addMethods } from './core/surface.ts'
import { tokenRoute, type Tokens } from './token-route.ts'
import { operations, type PartnerMethods } from './v1/methods.gen.ts'
import { verifyWebhook } from './webhooks.ts'

/**
 * A client of the partner API (`/v1`), with a method for each operation.
 *
 * @example
 * ```ts
 * const ob = new OpenBenefits({ apiKey })
 * for await (const employee of ob.employees.list(employer_id, { search: 'grace' })) console.log(employee.email)
 * ```
 */
// Its methods are added at run time from the table.
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unsafe-declaration-merging
export class OpenBenefits {
  constructor(options: ClientOptions = {}) {
    const client = new Client(options, { url: 'OPENBENEFITS_URL', key: 'OPENBENEFITS_API_KEY' })
    addMethods(this, operations, client)
    const { census, employers, tokens } = this as unknown as PartnerMethods
    const sync = censusSync(client, census, (employer_id, call) => employers.getSettings(employer_id, call))
    Object.assign(census, { sync })
    Object.assign(tokens, { route: tokenRoute(tokens.issue) })
    Object.assign(this, { webhooks: { verify: verifyWebhook } })
  }
}

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface OpenBenefits extends Omit<PartnerMethods, 'census' | 'tokens'> {
  census: Census
  tokens: Tokens
  webhooks: { verify: typeof verifyWebhook }
}

export { boundToken, TokenRefusedError, type BoundToken, type BoundTokenOptions } from './bound-token.ts'
export { careCost, expected_care, yearlyCost, type Care, type ExpectedUse } from './care-cost.ts'
export type { Census, CensusProgress, CensusResult, CensusSyncOptions, SubmittedCensus, SyncCensus } from './census.ts'
export { ApiError, ConnectionError, OpenBenefitsError, type ErrorCode, type MethodErrors } from './core/errors.ts'
export type { CallInfo, CallOptions, ClientOptions } from './core/options.ts'
export type { Pages } from './core/pages.ts'
export { fieldInWords } from './error-fields.ts'
export type { IssuedToken, TokenRoute, TokenRouteOptions, Tokens } from './token-route.ts'
export type * from './v1/methods.gen.ts'
export type * from './v1/types.gen.ts'
export { day, formatCents, formatDay } from './values.ts'
export { verifyWebhook, WebhookVerificationError, type VerifyOptions, type WebhookHeaders } from './webhooks.ts'
