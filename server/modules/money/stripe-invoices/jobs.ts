import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { mirrorInvoice } from './actions.ts'

export const tasks = {
  mirror_invoice: task(z.object({ organization_id: z.string(), invoice_id: z.string() }), mirrorInvoice),
}
