import type { FastifyRequest } from 'fastify'
import { type Caller } from '../runtime/caller.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Database } from '../database/query/database.ts'
import type { RowsOf } from '../database/query/rows-of.ts'
import { type Endpoint, type Located, type Reply } from './endpoint.ts'
import { type SavedResponse } from './idempotency.ts'
import { generic, Refusal, refuse } from '../kernel/refusal.ts'
import { hasWellFormedPath } from './body/query-validation.ts'
import { whyNotIssueCredential, whyNotPerform } from './authorize.ts'
import { contextOf, type Runtime } from '../runtime/runtime.ts'

const reaches_no_organization = { ...generic.forbidden, message: 'These credentials reach no organization.' }

export type Result = SavedResponse & { replayed?: boolean }

/** Authenticates again: the key may have been revoked or narrowed while the request was queued. */
export type Reauthenticate = (request: FastifyRequest, endpoint: Endpoint) => Promise<Caller>

/** Narrows a caller to one organization, so that a distributed database finds the server with its rows. */
export const narrowCaller = (caller: Caller, organization_id: string): Caller => ({
  ...caller,
  reach: { ...caller.reach, organization_ids: [organization_id] },
})

/** Finds the resource of the path. A malformed, a missing and a foreign id are all 404. */
export async function locate(
  ctx: Ctx,
  endpoint: Endpoint,
  params: Record<string, string>,
): Promise<Located | undefined> {
  if (!endpoint.locate) return undefined
  const found = hasWellFormedPath(endpoint, params) ? await endpoint.locate(ctx, params) : undefined
  if (!found) throw new Refusal(generic.not_found)
  return found
}

/** Whether a write needs exactly one organization, which the caller or the header determines. */
export const needsOneOrganization = ({ organization }: Endpoint): boolean =>
  organization === 'header' || organization === 'needed'

/** Checks permission, in the organization of the resource if one was found. */
export function authorize(ctx: Ctx, endpoint: Endpoint, found: Located | undefined): void {
  refuse(whyNotPerform(endpoint, ctx.caller, found?.organization_id ?? null))
  refuse(whyNotIssueCredential(endpoint, ctx.caller, ctx.real_now))
  const needs_one = endpoint.method !== 'GET' && needsOneOrganization(endpoint)
  if (needs_one && ctx.caller.reach.organization_ids?.length === 0) throw new Refusal(reaches_no_organization)
}

/** The key by which reads take turns: the caller's organization, or its credential if it has several. */
export const tenantOf = (caller: Caller): string => onlyOrganizationOrNull(caller) ?? caller.credential_id

export type ReadsOf = Database['readsOf']

/** The context of a caller's reads. By default they go to the primary. */
export const readContext = (
  runtime: Runtime,
  caller: Caller,
  rows_of: RowsOf,
  readsOf: ReadsOf = runtime.database.readsOf,
): Ctx => contextOf(runtime, caller, readsOf(tenantOf(caller), rows_of))

/** The writer whose position in the log is saved: the key itself, or the key behind a token. */
export const writerOf = ({ key_id, credential_id }: Caller): string => key_id ?? credential_id

/** The organization of a caller with access to exactly one. Null for all others. */
export const onlyOrganizationOrNull = ({ reach: { organization_ids } }: Caller): string | null =>
  organization_ids?.length === 1 ? organization_ids[0]! : null

export function resultOf(endpoint: Endpoint, reply: Reply): SavedResponse {
  if (reply === undefined) throw new Refusal(generic.not_found)
  const { status = Number(Object.keys(endpoint.returns)[0]), body } =
    typeof reply === 'string' ? { body: reply } : reply
  return { status, body }
}
