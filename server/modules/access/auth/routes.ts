import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { generic } from '../../../kernel/refusal.ts'
import { issueAccessToken } from './actions.ts'
import { findSelf } from './queries.ts'
import { access_token_seconds, credentialOf } from './rules.ts'
import { AccessToken, AccessTokenRequest, Credential } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'get_token',
    method: 'GET',
    path: '/v1/auth/token',
    tag: 'Authentication',
    summary: 'Describe the credential',
    description:
      'Describes the credential of the request. For a key, a session or an unbound token: its owner, the ' +
      "organization it acts as, roles, scopes, expiry and today's date. For a bound token: the bound entity, the " +
      "organization with its branding, expiry and today's date, but nothing about the owner of the key.",
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: everyone,
    scopes: [],
    organization: 'none',
    returns: { 200: dataOf(Credential) },
    handle: async (ctx) => {
      const { organization_ids } = ctx.caller.reach
      const names = await findSelf(ctx, organization_ids?.length === 1 ? organization_ids[0]! : null)
      return names && data(credentialOf(ctx.caller, names, ctx.today))
    },
  }),
  endpoint({
    operation: 'issue_access_token',
    sdk: 'tokens.issue',
    method: 'POST',
    path: '/v1/auth/access-tokens',
    tag: 'Authentication',
    summary: 'Issue a short-lived access token',
    description:
      `Issues a token of ${access_token_seconds / 60} minutes from an API key, for browser widgets if bound to one ` +
      'employer or employee. ' +
      'Authorize the signed-in user first, and return only the token and its expiry to the browser.',
    allows: ['api_key'],
    roles: everyone,
    scopes: [],
    organization: 'path',
    body: AccessTokenRequest,
    returns: { 200: AccessToken },
    refuses: [generic.not_found],
    repeats: 'rerun',
    example: { grant_type: 'client_credentials' },
    handle: async (ctx, { body }) => {
      const { token, organization_id } = await issueAccessToken(ctx, body)
      return { resource_id: body.bound_entity?.id, organization_id, body: JSON.stringify(token) }
    },
  }),
]
