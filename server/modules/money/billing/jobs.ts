import { z } from 'zod'
import { onEmployers } from '../../../jobs/batches.ts'
import { task } from '../../../jobs/worker.ts'
import { draftInvoices, prepareInvoicePdf } from './actions.ts'

export const tasks = {
  draft_invoice: onEmployers(draftInvoices),
  render_invoice: task(z.object({ organization_id: z.string(), invoice_id: z.string() }), prepareInvoicePdf),
}
