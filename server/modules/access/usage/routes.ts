import { endpoint, roles_to } from '../../../http/endpoint.ts'
import { locateApiKey } from '../api-keys/queries.ts'
import { locateOrganization } from '../organizations/queries.ts'
import { listOperationUsage, listUsage } from './queries.ts'
import { OperationUsagePage, UsageFilter, UsagePage } from './schemas.ts'

const operated = {
  tag: 'Credentials',
  method: 'GET',
  allows: ['operator'],
  organization: 'none',
  roles: roles_to.read,
} as const

export const endpoints = [
  endpoint({
    ...operated,
    operation: 'operator_list_usage',
    sdk: 'organizations.listUsage',
    path: '/operator/v1/organizations/{organization_id}/usage',
    summary: 'List what the credentials of an organization did',
    description:
      'Each credential with how often it called since a day, who called most first. Written down every 30 seconds.',
    params: { organization_id: 'org' },
    locate: locateOrganization,
    query: UsageFilter,
    returns: { 200: UsagePage },
    handle: (ctx, { params, query }) => listUsage(ctx, params.organization_id, query),
  }),
  endpoint({
    ...operated,
    operation: 'operator_list_api_key_usage',
    sdk: 'apiKeys.listUsage',
    path: '/operator/v1/api-keys/{api_key_id}/usage',
    summary: 'List what an API key did',
    description:
      'By day and operation, the latest day first, at most 1,000 rows; tokens that were issued by the key count as it.',
    params: { api_key_id: 'key' },
    locate: locateApiKey,
    query: UsageFilter,
    returns: { 200: OperationUsagePage },
    handle: (ctx, { params, query }) => listOperationUsage(ctx, params.api_key_id, query),
  }),
]
