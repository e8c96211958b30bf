import { ob } from '../../api.ts'
import { auditLog, firstOf, one, type Trace } from '../../queries.ts'

/** The number of events shown for a request. */
const most_events = 20

export const traceOf = (trace_id: string) =>
  one(['traces', trace_id], async (options): Promise<Trace> => {
    const [entries, { data }] = await Promise.all([
      firstOf(auditLog({ trace_id })),
      ob.webhookEvents.list({ trace_id, limit: most_events }, options),
    ])
    const events = data.map(async (event) => ({
      event,
      deliveries: (await ob.webhookEvents.listDeliveries(event.id, { limit: most_events }, options)).data,
    }))
    return { entries, events: await Promise.all(events) }
  })
