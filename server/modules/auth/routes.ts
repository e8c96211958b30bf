import { endpoint } from '../../platform/endpoint.ts'
import { everyone } from '../../platform/permissions.ts'
import { generic } from '../../kernel/refusal.ts'
import { issueAccessToken } from './actions.ts'
import { AccessToken, AccessTokenRequest } from './schemas.ts'

export const endpoints = [
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
