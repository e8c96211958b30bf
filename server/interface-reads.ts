import { endpoints } from './modules.ts'

/** The GET operations of the interface by id. Jobs read lists with them. */
export const reads = new Map(endpoints.flatMap((one) => (one.method === 'GET' ? [[one.operation, one] as const] : [])))
