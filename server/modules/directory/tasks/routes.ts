import { endpoint, roles_to } from '../../../http/endpoint.ts'
import { listTasks } from './queries.ts'
import { TaskFilter, TaskPage } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'operator_list_tasks',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/tasks',
    tag: 'Tasks',
    summary: 'List tasks',
    description: 'The open tasks of all organizations, oldest first, each with the operation that completes it.',
    allows: ['operator'],
    organization: 'none',
    query: TaskFilter,
    returns: { 200: TaskPage },
    handle: (ctx, { query }) => listTasks(ctx, query),
  }),
]
