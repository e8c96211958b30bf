import { data, dataOf, endpoint, roles_to } from '../../../http/endpoint.ts'
import { findOverview } from './queries.ts'
import { Overview } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'operator_get_overview',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/overview',
    tag: 'Overview',
    summary: 'Get what happened since yesterday',
    description: 'In all organizations, and whether jobs, webhooks and days keep up.',
    allows: ['operator'],
    organization: 'none',
    returns: { 200: dataOf(Overview) },
    handle: async (ctx) => data(await findOverview(ctx)),
  }),
]
