import { key_days } from '../operators/schemas.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import {
  changed,
  data,
  dataOf,
  endpoint,
  keys_and_sessions,
  made,
  partner,
  type Reply,
} from '../../../http/endpoint.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { administering, everyone } from '../../../runtime/permissions.ts'
import { generic } from '../../../kernel/refusal.ts'
import {
  changeApiKey,
  makeApiKey,
  revokeApiKey,
  revokeLeakedApiKey,
  rotateApiKey,
  issuedKeyJson,
  type IssuedKey,
} from './actions.ts'
import { findApiKey, listApiKeys, listUnboundApiKeys, locateApiKey, locateLiveApiKey } from './queries.ts'
import { refusals } from './rules.ts'
import {
  ApiKey,
  ApiKeyChanges,
  ApiKeyPage,
  ApiKeyPaging,
  IssuedApiKey,
  LeakReport,
  NewApiKey,
  RevokedApiKey,
  Rotation,
} from './schemas.ts'

const tag = 'API keys'
const all = { tag, roles: administering, organization: 'needed', path: '/v1/api-keys' } as const
const one_key = {
  tag,
  roles: administering,
  path: '/v1/api-keys/{api_key_id}',
  locate: locateLiveApiKey,
} as const

const issued = (ctx: Ctx, key: IssuedKey): Promise<Reply> => made(key.id, () => issuedKeyJson(ctx, key))

export const endpoints = [
  endpoint({
    ...all,
    operation: 'api_keys_create',
    allows: keys_and_sessions,
    issues_credential: true,
    scopes: ['write', 'keys'],
    method: 'POST',
    summary: 'Create an API key',
    description:
      'Creates a key of your organization for you or another member, with the role of that member. A key cannot ' +
      'grant scopes that the creating key lacks or outlive it. A key that a browser session creates ends after ' +
      `${key_days.usual} days by default and ${key_days.most} at most. The response shows it once.`,
    body: NewApiKey,
    returns: { 201: dataOf(IssuedApiKey) },
    refuses: [refusals.too_many_api_keys, refusals.user_is_not_a_member, refusals.key_exceeds_creator],
    repeats: 'briefly',
    example: { name: 'Nightly payroll', scopes: ['read', 'money'] },
    handle: async (ctx, { body }) => issued(ctx, await makeApiKey(ctx, body)),
  }),
  endpoint({
    ...all,
    operation: 'api_keys_list',
    allows: partner,
    scopes: ['read', 'keys'],
    method: 'GET',
    summary: 'List API keys',
    description:
      'Returns the keys that are bound to your organization, newest first, including expired and revoked ones. ' +
      'With `unbound=true`, returns the unbound keys that reach your organization instead.',
    query: ApiKeyPaging,
    returns: { 200: ApiKeyPage },
    handle: (ctx, { query: { unbound, ...page } }) => {
      if (unbound) return listUnboundApiKeys(ctx, { organization_id: actingOrganization(ctx.caller) }, page)
      const { organization_ids } = ctx.caller.reach
      return listApiKeys(ctx, {
        ...page,
        organization_id: organization_ids?.length === 1 ? organization_ids[0] : undefined,
      })
    },
  }),
  endpoint({
    ...one_key,
    operation: 'api_keys_get',
    allows: partner,
    scopes: ['read', 'keys'],
    method: 'GET',
    summary: 'Get an API key',
    locate: locateApiKey,
    returns: { 200: dataOf(ApiKey) },
    handle: async (ctx, { params }) => data(await findApiKey(ctx, params)),
  }),
  endpoint({
    ...one_key,
    operation: 'api_keys_update',
    allows: keys_and_sessions,
    issues_credential: true,
    scopes: ['write', 'keys'],
    method: 'PATCH',
    summary: 'Update an API key',
    description: 'Changes the name or the allowed origins of a key. Other properties cannot change.',
    body: ApiKeyChanges,
    returns: { 200: dataOf(ApiKey) },
    changes_reach: true,
    example: { name: 'Widgets', allowed_origins: ['https://app.example.com'] },
    handle: (ctx, { located, body }) => changed(changeApiKey(ctx, located, body), () => findApiKey(ctx, located)),
  }),
  endpoint({
    ...one_key,
    operation: 'api_keys_rotate',
    allows: keys_and_sessions,
    issues_credential: true,
    scopes: ['write', 'keys'],
    method: 'POST',
    path: '/v1/api-keys/{api_key_id}/rotate',
    summary: 'Rotate an API key',
    description:
      'Creates a new secret for the key. The response shows it once. The previous secret stays valid for ' +
      '`overlap_hours`; older secrets stop working immediately. Tokens that were already issued stay valid until ' +
      'they expire.',
    body: Rotation,
    returns: { 200: dataOf(IssuedApiKey) },
    refuses: [refusals.key_exceeds_creator],
    repeats: 'briefly',
    changes_reach: true,
    example: { overlap_hours: 24 },
    handle: async (ctx, { located, body }) => issued(ctx, await rotateApiKey(ctx, located, body)),
  }),
  endpoint({
    ...one_key,
    operation: 'api_keys_revoke',
    allows: keys_and_sessions,
    scopes: ['write', 'keys'],
    method: 'DELETE',
    summary: 'Revoke an API key',
    description: 'Revokes the key and every token issued from it. All processes reject them within 5 seconds.',
    returns: { 200: dataOf(ApiKey) },
    changes_reach: true,
    handle: (ctx, { located }) => changed(revokeApiKey(ctx, located), () => findApiKey(ctx, located)),
  }),
  endpoint({
    operation: 'api_keys_report_leak',
    allows: ['api_key'],
    roles: everyone,
    scopes: [],
    method: 'POST',
    path: '/v1/api-keys/report-leak',
    tag,
    summary: 'Report a leaked API key',
    description:
      'Revokes a leaked key immediately. Possession of the key is sufficient authorization, so you may also send the ' +
      'key as the credential of this request. Its organization receives the event `api_key.revoked`.',
    organization: 'none',
    body: LeakReport,
    returns: { 200: dataOf(RevokedApiKey) },
    refuses: [generic.not_found],
    changes_reach: true,
    example: { api_key: 'obk_test_000000000000000000000000000000000000000' },
    handle: async (ctx, { body }) => {
      const { id, is_own } = await revokeLeakedApiKey(ctx, body.api_key)
      const shown = data({ id, revoked_at: ctx.real_now })
      return is_own ? { resource_id: id, body: shown } : shown
    },
  }),
]
