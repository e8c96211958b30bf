import { html, nothing, type TemplateResult } from 'lit'
import { bones, field, heading, onSubmit } from '../../core/parts.ts'
import type { EmployeeHost } from '../host.ts'
import { answers } from './answers.ts'
import { review } from './review.ts'
import { total } from './total.ts'

/** The choices with the agreements, which the employee signs by typing a name. */
export function sign(host: EmployeeHost): TemplateResult {
  const { w, f, election, agreements, employee, language } = host
  const { quote, refused } = election
  // The employee must change refused choices before signing.
  if (!quote && refused.size > 0) return review(host)
  if (!agreements || !quote) return html`${heading(w.sign_title)} ${bones(w.loading)}`
  const may_sign = !election.is_pricing && !election.is_submitting
  const submit = onSubmit((_, { name = '' }) => {
    host.faults = name ? {} : { name: w.required }
    host.requestUpdate()
    const agreement_ids = agreements.flatMap(({ id }) => id ?? [])
    if (name && may_sign) void election.submit({ name, agreement_ids, pre_tax_consent: true, language })
  })
  return html`${heading(w.sign_title)} ${answers(host, quote)}
    ${[...refused].map(([id, why]) => (id ? html`<p class="fault" role="alert">${why}</p>` : nothing))}
    <form class="stack" novalidate @submit=${submit}>
      ${agreements.map((one) => html`<p class="as-written">${language === 'es' ? one.text_es : one.text_en}</p>`)}
      <p>${w.pre_tax_consent}</p>
      ${field({ name: 'name', label: w.full_name, fault: host.faults.name, required: true, autocomplete: 'name' })}
      <p class="quiet">${w.sign_words(`${employee!.first_name} ${employee!.last_name}`, f.day(host.today!))}</p>
      ${total(
        host,
        html`<button class="main" aria-disabled=${String(!may_sign)}>
          ${election.is_submitting ? w.submitting : w.sign}
        </button>`,
      )}
    </form>`
}
