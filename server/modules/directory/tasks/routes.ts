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
      'Returns the work that waits for you, by due date. A task without a deadline takes its place by the day on ' +
      'which it was opened. You see the tasks whose resources your role and the scopes of the key let you see: tasks ' +
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
    method: 'GET',
    path: '/operator/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks',
    description: 'Returns the open tasks, oldest first, each with the operation that completes it.',
    query: TaskFilter,
    returns: { 200: TaskPage },
    handle: (ctx, { query }) => listTasks(ctx, query),
  }),
]
