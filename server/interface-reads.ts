import { endpoints } from './modules.ts'

/** The GET operations of the interface by id. Jobs read lists with them. */
export const reads = new Map(
  endpoints.flatMap((endpoint) => (endpoint.method === 'GET' ? [[endpoint.operation, endpoint] as const] : [])),
)
