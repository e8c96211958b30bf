import { html, nothing, type TemplateResult } from 'lit'
import { bones, heading } from '../../core/parts.ts'
import type { EmployeeHost } from '../host.ts'
import { beneficiariesStep } from '../beneficiaries.ts'
import { benefit } from './benefit.ts'
import { glossary } from './glossary.ts'
import { details, household } from './household.ts'
import { review } from './review.ts'
import { sign } from './sign.ts'

/** The screens other than benefits, by name. */
const others: Record<string, (host: EmployeeHost) => TemplateResult> = {
  household,
  details,
  beneficiaries: beneficiariesStep,
  review,
  sign,
}

/** The election, one decision per screen: the household, each benefit, the review, the signature. */
export function enroll(host: EmployeeHost): TemplateResult {
  const { w, enrollments, dependents, employee, today, election } = host
  if (!enrollments || !dependents || !employee || !today) return bones(w.loading)
  const { steps, screens } = election
  if (steps.length === 0)
    return html`${heading(w.choose)}
      <p>${w.window_closed}</p>
      <p><button @click=${() => host.go('life-events')}>${w.report_event}</button></p>`
  if (!host.draft || !host.beneficiaries) return bones(w.loading)
  const step = steps.find(({ key }) => key === election.screen)
  const at = Math.max(0, screens.indexOf(election.screen))
  return html`<p class="line quiet">
      <span>${w.step(at + 1, screens.length)}</span>
      ${at > 0 ? html`<button class="plain" @click=${() => election.move(-1)}>${w.back}</button>` : nothing}
    </p>
    ${election.is_replaced ? html`<p class="call" role="status">${w.changed_elsewhere}</p>` : nothing}
    ${step ? benefit(host, step) : (others[election.screen] ?? household)(host)} ${glossary(host)}`
}
