import { onlyOrganization } from '../../../http/authorize.ts'
import { endpoint, for_operators, partner } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { listPartnerTasks } from './partner-queries.ts'
import { listTasks } from './queries.ts'
import { PartnerTaskFilter, PartnerTaskPage, TaskFilter, TaskPage } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'tasks_list',
    method: 'GET',
    path: '/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks',
    description:
      'Returns the work that waits for you, by due date. Tasks without a deadline are ordered by the day on which ' +
      'they were opened. The list contains only tasks about resources that your role and scopes can read: tasks ' +
      'about people require `people`, invoices `money`, and webhooks `webhooks`.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'needed',
    query: PartnerTaskFilter,
    returns: { 200: PartnerTaskPage },
    handle: (ctx, { query }) => listPartnerTasks(ctx, onlyOrganization(ctx.caller), query),
  }),
  endpoint({
    operation: 'operator_list_tasks',
    ...for_operators.read,
    path: '/operator/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks',
    description: 'Returns the open tasks, oldest first, each with the operation that completes it.',
    query: TaskFilter,
    returns: { 200: TaskPage },
    handle: (ctx, { query }) => listTasks(ctx, query),
  }),
]
