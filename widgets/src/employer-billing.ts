import { html, type TemplateResult } from 'lit'
import { BillingHost } from './billing/host.ts'
import { invoice } from './billing/invoice.ts'
import { invoices } from './billing/invoices.ts'
import { en } from './billing/words-en.ts'
import { es } from './billing/words-es.ts'
import type { EmployerBillingElement } from '../types/elements.d.ts'

/**
 * `<ob-employer-billing>`: an employer's balance and invoices, with lines and reconciliation, embedded in a partner's
 * page. Dispatches `ob-ready`, `ob-error` and `ob-navigate`.
 */
export class EmployerBilling extends BillingHost implements EmployerBillingElement {
  protected readonly words = { en, es }
  protected readonly first_view = 'invoices'

  protected draw(): TemplateResult {
    const shown = this.view === 'invoice' && this.invoice ? invoice(this) : invoices(this)
    return html`<section class="stack wide" part="view">${shown}</section>`
  }
}

if (!customElements.get('ob-employer-billing')) customElements.define('ob-employer-billing', EmployerBilling)
