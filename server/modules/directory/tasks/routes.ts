import { endpoint, for_operators } from '../../../http/endpoint.ts'
import { listTasks } from './queries.ts'
import { TaskFilter, TaskPage } from './schemas.ts'

export const endpoints = [
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
