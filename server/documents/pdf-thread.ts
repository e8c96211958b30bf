/** The worker thread of pdf-rendering.ts. */
import { lowerThreadPriority } from '../kernel/concurrency/background-thread.ts'
import { renderBenefitsStatement } from './benefits-statement.ts'
import { renderConfirmation } from './confirmation.ts'
import { renderForm1094 } from './tax-forms/form-1094.ts'
import { renderForms1095 } from './tax-forms/form-1095.ts'
import { renderInvoice } from './invoice-page.ts'
import { renderProposal } from './proposal.ts'
import type { RenderTask } from './pdf-rendering.ts'

lowerThreadPriority()

const renderers = {
  invoice: renderInvoice,
  confirmation: renderConfirmation,
  proposal: renderProposal,
  form_1094: renderForm1094,
  form_1095: renderForms1095,
  benefits_statement: renderBenefitsStatement,
}

export default ({ kind, document }: RenderTask): Promise<Uint8Array> => renderers[kind](JSON.parse(document))
