import { z } from 'zod'
import { task } from '../../platform/jobs/worker.ts'
import { draftInvoices, prepareInvoicePdf } from './actions.ts'

export const tasks = {
  draft_invoice: task(z.object({ organization_id: z.string(), employer_id: z.string() }), (runtime, employer) =>
    draftInvoices(runtime, employer),
  ),
  render_invoice: task(z.object({ organization_id: z.string(), invoice_id: z.string() }), prepareInvoicePdf),
}
