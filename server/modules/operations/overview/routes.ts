import { data, dataOf, endpoint, for_operators } from '../../../http/endpoint.ts'
import { findOverview } from './queries.ts'
import { Overview } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'operator_get_overview',
    ...for_operators.read,
    path: '/operator/v1/overview',
    tag: 'Overview',
    summary: 'Get the activity since yesterday',
    description: 'Returns counts for all organizations, and the delays of jobs, webhooks and daily runs.',
    returns: { 200: dataOf(Overview) },
    handle: async (ctx) => data(await findOverview(ctx)),
  }),
]
