import { html, nothing, type TemplateResult } from 'lit'
import type { EnrollmentQuote } from 'openbenefits'
import { loadingPlaceholder, field, heading, onSubmit } from '../../core/parts.ts'
import { documentLink } from '../documents.ts'
import type { EmployeeHost } from '../host.ts'
import { answers } from './answers.ts'
import { review } from './review.ts'
import { containsName } from './signed-name.ts'
import { total } from './total.ts'

/** The documents that the employee must open before signing these choices. */
function requiredOf({ documents = [], enrollments = [] }: EmployeeHost, { answers }: EnrollmentQuote) {
  const plans = answers.map(({ plan_id }) => plan_id)
  const years = answers.map(
    ({ enrollment_id }) => enrollments.find(({ id }) => id === enrollment_id)?.benefit_plan_year_id,
  )
  return documents.filter(
    (one) =>
      one.is_required_at_election &&
      (!one.plan_id || plans.includes(one.plan_id)) &&
      (!one.benefit_plan_year_id || years.includes(one.benefit_plan_year_id)),
  )
}

/** The choices with the agreements, which the employee signs by typing a name. */
export function sign(host: EmployeeHost): TemplateResult {
  const { w, f, election, agreements, documents, employee, language } = host
  const { quote, refused } = election
  // The employee must change refused choices before signing.
  if (!quote && refused.size > 0) return review(host)
  if (!agreements || !documents || !quote) return html`${heading(w.sign_title)} ${loadingPlaceholder(w.loading)}`
  const required = requiredOf(host, quote)
  const is_read = required.every(({ opened_at }) => opened_at)
  const may_sign = is_read && !election.is_pricing && !election.is_submitting
  const full_name = `${employee!.first_name} ${employee!.last_name}`
  const submit = onSubmit((_, { name = '' }) => {
    // Another name is shown once before it counts, because a typing error is more likely than intent.
    const is_checked = containsName(name, full_name) || election.checked_name === name
    host.faults = !name ? { name: w.required } : is_checked ? {} : { name: w.other_name(full_name) }
    election.checked_name = name
    host.requestUpdate()
    const agreement_ids = agreements.flatMap(({ id }) => id ?? [])
    if (name && is_checked && may_sign) void election.submit({ name, agreement_ids, pre_tax_consent: true, language })
  })
  return html`${heading(w.sign_title)} ${answers(host, quote)}
    ${[...refused].map(([id, why]) => (id ? html`<p class="fault" role="alert">${why}</p>` : nothing))}
    ${
      required.length > 0
        ? html`<h3>${w.required_reading}</h3>
            <ul class="stack tight">
              ${required.map((one) => html`<li class="stack tight">${documentLink(host, one)}</li>`)}
            </ul>
            ${is_read ? nothing : html`<p class="quiet" id="unread">${w.open_first}</p>`}`
        : nothing
    }
    <form class="stack" novalidate @submit=${submit}>
      ${agreements.map((one) => html`<p class="as-written">${language === 'es' ? one.text_es : one.text_en}</p>`)}
      <p>${w.pre_tax_consent}</p>
      ${field({ name: 'name', label: w.full_name, fault: host.faults.name, required: true, autocomplete: 'name' })}
      <p class="quiet">${w.sign_words(full_name, f.day(host.today!))}</p>
      ${total(
        host,
        html`<button class="main" aria-disabled=${String(!may_sign)} aria-describedby=${is_read ? nothing : 'unread'}>
          ${election.is_submitting ? w.submitting : w.sign}
        </button>`,
      )}
    </form>`
}
