import { html, nothing, type TemplateResult } from 'lit'
import type { EmployeeTaxForms } from 'openbenefits'
import { phoneOf } from '../../core/format.ts'
import { loadingPlaceholder, heading, onSubmit, status } from '../../core/parts.ts'
import type { EmployeeHost } from '../host.ts'
import { tax_form_words } from './tax-form-words.ts'

/** The released tax forms, and the consent to get them only electronically. */
export function taxForms(host: EmployeeHost): TemplateResult {
  const { w, f, tax_forms: found } = host
  const words = tax_form_words[host.language]
  const title = heading(w.more_views['tax-forms'].name)
  if (found === undefined) return html`${title} ${loadingPlaceholder(w.loading)}`
  if (found === null)
    return html`${title}
      <p>${words.no_access}</p>`
  return html`${title}
    <p class="quiet">${words.about}</p>
    ${found.forms.length === 0 ? html`<p>${words.none}</p>` : nothing}
    <ul class="rows">
      ${found.forms.map(
        ({ form, tax_year, is_corrected, released_at, file }) =>
          html`<li class="stack tight">
            <div class="line">
              <a href=${file.download_url}>${words.form(form, tax_year)}</a>
              ${is_corrected ? status(words.corrected, 'wait') : nothing}
            </div>
            <span class="quiet">${words.released(f.instant(released_at))}</span>
          </li>`,
      )}
    </ul>
    ${delivery(host, found)}`
}

/**
 * The consent, or its withdrawal, with the disclosures of 26 CFR 301.6056-2(a)(4). An employee who has not consented
 * reads them above the button.
 */
function delivery(host: EmployeeHost, { furnisher, electronic_delivery }: EmployeeTaxForms): TemplateResult {
  const { f, faults } = host
  const words = tax_form_words[host.language]
  const { consents, given_at, withdrawn_at } = electronic_delivery
  const { legal_name, address, phone_number, email } = furnisher
  const { address_line_1, address_line_2, city, state, zipcode } = address
  const street = [address_line_1, address_line_2].filter(Boolean).join(', ')
  const contact = [legal_name, `${street}, ${city}, ${state} ${zipcode}`, phone_number && phoneOf(phone_number), email]
  const disclosures = html`<ul class="stack">
    ${words.disclosures(contact.filter(Boolean).join(', ')).map(
      ([name, text]) =>
        html`<li class="stack tight">
          <strong>${name}</strong>
          <span>${text}</span>
        </li>`,
    )}
  </ul>`
  const submit = onSubmit((form) =>
    host.send(
      form,
      '',
      () => host.act((ob) => ob.employees.setElectronicDelivery(host.employee_id!, { consents: !consents })),
      ['tax-forms'],
    ),
  )
  const state_now = consents
    ? words.electronic(f.instant(given_at!))
    : withdrawn_at
      ? words.withdrawn(f.instant(withdrawn_at))
      : words.on_paper
  return html`<section class="stack" aria-labelledby="delivery">
    <h3 id="delivery">${words.delivery}</h3>
    <p role="status">${state_now}</p>
    <form class="stack" @submit=${submit}>
      ${
        consents
          ? html`<details class="stack">
              <summary>${words.agreed_to}</summary>
              ${disclosures}
            </details>`
          : html`<p class="quiet">${words.before}</p>
              ${disclosures}`
      }
      ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
      <p><button class=${consents ? '' : 'main'}>${consents ? words.withdraw : words.agree}</button></p>
    </form>
  </section>`
}
