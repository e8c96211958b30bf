import type { AuditEntry, OperatorListAuditEntriesQuery } from 'openbenefits/operator'
import { ob, operator } from '../../api.ts'
import { auditLogList, type CursorList, firstEntries, resourceQuery, page_size, type Trace } from '../../queries.ts'

/** The number of events shown for a request. */
const max_events = 20

export const traceQuery = (trace_id: string) =>
  resourceQuery(['traces', trace_id], async (options): Promise<Trace> => {
    const [entries, { data }] = await Promise.all([
      firstEntries(auditLogList({ trace_id })),
      ob.webhookEvents.list({ trace_id, limit: max_events }, options),
    ])
    const events = data.map(async (event) => ({
      event,
      deliveries: (await ob.webhookEvents.listDeliveries(event.id, { limit: max_events }, options)).data,
    }))
    return { entries, events: await Promise.all(events) }
  })

export type OperatorAuditFilter = Omit<OperatorListAuditEntriesQuery, 'limit' | 'offset'>
export const operatorAuditLogList = (filter: OperatorAuditFilter): CursorList<AuditEntry> => ({
  key: ['operator-audit', filter],
  from: async (offset) => operator.auditEntries.list({ limit: page_size, ...filter, ...(offset && { offset }) }),
})

/** A request as members see it, at its organization. */
export const operatorTraceQuery = (trace_id: string) =>
  resourceQuery(['operator-traces', trace_id], async (options): Promise<Trace> => {
    const entries = await firstEntries(operatorAuditLogList({ trace_id }))
    const organization_id = entries.find((entry) => entry.organization_id !== null)?.organization_id
    if (!organization_id) return { entries, events: [] }
    const { data } = await operator.webhookEvents.list(organization_id, { trace_id, limit: max_events }, options)
    const events = data.map(async (event) => ({
      event,
      deliveries: (await operator.webhookEvents.listDeliveries(event.id, {}, options)).data,
    }))
    return { entries, events: await Promise.all(events) }
  })
