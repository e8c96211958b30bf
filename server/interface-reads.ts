import { endpoints } from './modules.ts'

/** The GET operations of the interface by id, with which jobs read its lists. */
export const reads = new Map(endpoints.flatMap((one) => (one.method === 'GET' ? [[one.operation, one] as const] : [])))
