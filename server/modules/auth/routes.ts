import { data, dataOf, endpoint, partner } from '../../platform/endpoint.ts'
import { everyone } from '../../platform/permissions.ts'
import { generic } from '../../kernel/refusal.ts'
import { issueAccessToken } from './actions.ts'
import { findSelf } from './queries.ts'
import { credentialOf } from './rules.ts'
import { AccessToken, AccessTokenRequest, Credential } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'get_token',
    sdk: 'authentication.getToken',
    method: 'GET',
    path: '/v1/auth/token',
    tag: 'Authentication',
    summary: 'Say what a credential is',
    description:
      'Tells of the credential that is sent: its kind, whose it is, the organization that it acts as, what it is ' +
      'bound to, in which roles, for what, until when, and which day it is there.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: everyone,
    scopes: [],
    organization: 'none',
    returns: { 200: dataOf(Credential) },
    handle: async (ctx) => {
      const { organization_ids } = ctx.caller.reach
      const names = await findSelf(ctx, organization_ids?.length === 1 ? organization_ids[0]! : null)
      return names && data(JSON.stringify(credentialOf(ctx.caller, names, ctx.today)))
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
      'Issues a token of 15 minutes from an API key, for browser widgets when bound to one employer or employee. ' +
      'Authorize the signed-in user first, and return only the token and its expiry to the browser.',
    allows: ['api_key'],
    roles: everyone,
    scopes: [],
    organization: 'path',
    body: AccessTokenRequest,
    returns: { 200: AccessToken },
    refuses: [generic.not_found],
    repeats: 'anew',
    example: { grant_type: 'client_credentials' },
    handle: async (ctx, { body }) => ({
      resource_id: body.bound_entity?.id,
      body: JSON.stringify(await issueAccessToken(ctx, body)),
    }),
  }),
]
