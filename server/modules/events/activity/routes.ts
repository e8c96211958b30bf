import { onlyOrganization } from '../../../http/authorize.ts'
import { endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { listActivity } from './queries.ts'
import { ActivityFilter, ActivityPage } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'activity_list',
    method: 'GET',
    path: '/v1/activity',
    tag: 'Activity',
    summary: 'List activity',
    description:
      'Returns the changes of an organization, an employer or an employee, newest first, with names. Each entry is a ' +
      'webhook event, but the deductions of a payday are one entry, except in the list of an employee. Reads are ' +
      'only in the audit log.',
    allows: partner,
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'needed',
    query: ActivityFilter,
    returns: { 200: ActivityPage },
    handle: (ctx, { query }) => listActivity(ctx, onlyOrganization(ctx.caller), query),
  }),
]
