import { html, nothing, type TemplateResult } from 'lit'
import type { EmployeeHost } from '../host.ts'

/** The total of the choices per paycheck, or the reason why it is missing. It opens to show other amounts. */
export function total(host: EmployeeHost, button?: TemplateResult): TemplateResult {
  const { w, f, election } = host
  const { quote } = election
  const is_refused = !quote && election.refused.size > 0 && !election.is_pricing
  const no_total = election.choices.size === 0 ? w.nothing_chosen : is_refused && w.no_total
  const is_waiting = election.is_pricing || (!quote && election.refused.size === 0)
  const month = quote?.employee_deduction_in_cents ?? 0
  const employer = quote?.employer_contribution_in_cents ?? 0
  const more = html`<ul class="stack tight quiet">
    <li>${w.per_month(f.money(month))} · ${w.per_year(f.money(12 * month))}</li>
    <li>${w.employer_pays} ${w.per_month(f.money(employer))}</li>
  </ul>`
  return html`<div class="total line" part="total">
    <div>
      ${
        no_total
          ? html`<p class="quiet" role="status">${no_total}</p>`
          : html`<details>
              <summary>
                <span role="status">
                  ${
                    is_waiting
                      ? html`<span class="quiet">${w.pricing}</span>`
                      : html`<strong class="figure">${f.money(quote?.per_paycheck_in_cents ?? 0)}</strong>
                          ${w.paycheck_unit}`
                  }
                </span>
              </summary>
              ${more}
            </details>`
      }
      ${election.refused.has('') ? html`<p class="fault" role="alert">${election.refused.get('')}</p>` : nothing}
    </div>
    ${button ?? nothing}
  </div>`
}
