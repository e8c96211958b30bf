import { endpoint, for_operators } from '../../../http/endpoint.ts'
import { locateApiKey } from '../api-keys/queries.ts'
import { locateOrganization } from '../organizations/queries.ts'
import { listOperationUsage, listUsage } from './queries.ts'
import { OperationUsagePage, UsageFilter, UsagePage } from './schemas.ts'

const operated = { tag: 'Credentials', ...for_operators.read } as const

export const endpoints = [
  endpoint({
    ...operated,
    operation: 'operator_list_usage',
    sdk: 'organizations.listUsage',
    path: '/operator/v1/organizations/{organization_id}/usage',
    summary: "List the usage of an organization's credentials",
    description:
      'Returns the number of requests of each credential since a day, in descending order. Updated every 30 seconds.',
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
    summary: 'List the usage of an API key',
    description:
      'Returns the usage by day and operation, latest day first, at most 1,000 rows. It includes requests with ' +
      'tokens issued by the key.',
    locate: locateApiKey,
    query: UsageFilter,
    returns: { 200: OperationUsagePage },
    handle: (ctx, { params, query }) => listOperationUsage(ctx, params.api_key_id, query),
  }),
]
