/** The worker thread of pdf-rendering.ts. */
import { lowerThreadPriority } from '../kernel/concurrency/background-thread.ts'
import { renderBenefitsStatement } from './benefits-statement.ts'
import { renderConfirmation } from './confirmation.ts'
import { renderForm1094c } from './tax-forms/form-1094c.ts'
import { renderForms1095c } from './tax-forms/form-1095c.ts'
import { renderInvoice } from './invoice-page.ts'
import { renderProposal } from './proposal.ts'
import type { RenderTask } from './pdf-rendering.ts'

lowerThreadPriority()

const renderers = {
  invoice: renderInvoice,
  confirmation: renderConfirmation,
  proposal: renderProposal,
  form_1094c: renderForm1094c,
  form_1095c: renderForms1095c,
  benefits_statement: renderBenefitsStatement,
}

export default ({ kind, document }: RenderTask): Promise<Uint8Array> => renderers[kind](JSON.parse(document))
