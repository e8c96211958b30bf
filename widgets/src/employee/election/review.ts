import { html, nothing, type TemplateResult } from 'lit'
import { loadingPlaceholder, heading } from '../../core/parts.ts'
import type { EmployeeHost } from '../host.ts'
import { answers } from './answers.ts'
import { stepName } from './offers.ts'
import { total } from './total.ts'

/** All choices with cost and effective date, before they are signed together. */
export function review(host: EmployeeHost): TemplateResult {
  const { w, f, election, enrollments = [] } = host
  const { quote, refused, undecided, steps } = election
  const nameOf = (id: string) => host.nameOf(enrollments.find((one) => one.id === id)?.benefit.name ?? '')
  const left = undecided.filter(({ enrollments: those }) => !those.some(({ id }) => quote?.replaced.includes(id)))
  const changing = (enrollment_id: string) => {
    const step = steps.find(({ enrollments: those }) => those.some(({ id }) => id === enrollment_id))
    return (
      step &&
      html`<button
        class="plain"
        aria-label="${w.change_one}: ${nameOf(enrollment_id)}"
        @click=${() => election.show(step.key)}
      >
        ${w.change_one}
      </button>`
    )
  }
  if (!quote && refused.size === 0 && election.is_pricing)
    return html`${heading(w.review_title)} ${loadingPlaceholder(w.loading)}`
  const may_go_on = quote !== undefined && refused.size === 0 && !election.is_pricing
  return html`${heading(w.review_title)} ${election.choices.size === 0 ? html`<p>${w.untouched}</p>` : nothing}
  ${quote ? answers(host, quote, changing) : nothing}
  ${[...refused].map(([id, why]) =>
    id ? html`<p class="fault" role="alert">${nameOf(id)}: ${why} ${changing(id)}</p>` : nothing,
  )}
  ${quote && quote.replaced.length > 0 ? html`<p>${w.replaced(f.list(quote.replaced.map(nameOf)))}</p>` : nothing}
  ${quote && quote.continued.length > 0 ? html`<p>${w.continued(f.list(quote.continued.map(nameOf)))}</p>` : nothing}
  ${left.map(
    (step) =>
      html`<p class="line">
        <span>${w.left_open(stepName(host, step))}</span>
        <button class="plain" @click=${() => election.show(step.key)}>${w.choose_now(stepName(host, step))}</button>
      </p>`,
  )}
  ${total(
    host,
    html`<button class="main" aria-disabled=${String(!may_go_on)} @click=${() => may_go_on && election.move(1)}>
      ${w.to_sign}
    </button>`,
  )}`
}

/** The submitted choices, to print or save. */
export function confirmation(host: EmployeeHost): TemplateResult {
  const { w, f, election, today, employee } = host
  const { confirmed } = election
  if (!confirmed || !today || !employee)
    return html`${heading(w.confirmation)}
      <p><button @click=${() => host.go('home')}>${w.to_home}</button></p>`
  return html`${heading(w.confirmation)}
    <p>${employee.first_name} ${employee.last_name}, ${employee.employer_name}. ${w.confirmed(f.day(today))}</p>
    ${answers(host, confirmed)}
    <p>
      <strong class="figure">${f.money(confirmed.per_paycheck_in_cents)}</strong> ${w.paycheck_unit}
      <span class="quiet number">(${w.per_month(f.money(confirmed.employee_deduction_in_cents))})</span>
    </p>
    <div class="line start unprinted">
      <button class="main" @click=${() => host.go('home')}>${w.to_home}</button>
      <button aria-disabled=${String(host.is_downloading)} @click=${() => host.downloadConfirmation()}>
        ${w.download}
      </button>
      <button @click=${() => print()}>${w.print}</button>
    </div>`
}
