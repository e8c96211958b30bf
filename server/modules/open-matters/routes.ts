import { endpoint, roles_to } from '../../platform/endpoint.ts'
import { listOpenMatters } from './queries.ts'
import { OpenMatterFilter, OpenMatterPage } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'operator_list_open_matters',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/open-matters',
    tag: 'Open matters',
    summary: 'List what needs somebody',
    description: 'Of every organization, oldest first, each once, with the deed that settles it.',
    allows: ['operator'],
    organization: 'none',
    query: OpenMatterFilter,
    returns: { 200: OpenMatterPage },
    handle: (ctx, { query }) => listOpenMatters(ctx, query),
  }),
]
