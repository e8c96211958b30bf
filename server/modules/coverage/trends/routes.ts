import { onlyOrganization } from '../../../http/authorize.ts'
import { dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { findTrends } from './queries.ts'
import { TrendFilter, Trends } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'trends_get',
    method: 'GET',
    path: '/v1/trends',
    tag: 'Trends',
    summary: 'Get trends',
    description: 'Returns the participation and the premium of the last twelve months, for charts.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'needed',
    query: TrendFilter,
    returns: { 200: dataOf(Trends) },
    handle: (ctx, { query }) => findTrends(ctx, onlyOrganization(ctx.caller), query),
  }),
]
