import { html, nothing, type TemplateResult } from 'lit'
import { loadingPlaceholder, heading } from '../../core/parts.ts'
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
  if (!enrollments || !dependents || !employee || !today) return loadingPlaceholder(w.loading)
  const { steps, screens } = election
  if (steps.length === 0)
    return html`${heading(w.choose)}
      <p>${w.window_closed}</p>
      <p><button @click=${() => host.go('life-events')}>${w.report_event}</button></p>`
  if (!host.draft || !host.beneficiaries) return loadingPlaceholder(w.loading)
  const step = steps.find(({ key }) => key === election.screen)
  return html`<div class="line quiet">
      ${progress(host)}
      ${
        screens.indexOf(election.screen) > 0
          ? html`<button class="plain" @click=${() => election.move(-1)}>${w.back}</button>`
          : nothing
      }
    </div>
    ${election.is_replaced ? html`<p class="call" role="status">${w.changed_elsewhere}</p>` : nothing}
    ${step ? benefit(host, step) : (others[election.screen] ?? household)(host)} ${glossary(host)}`
}

/**
 * The parts of the election, with the number of the current benefit. Screens are not counted: answers add and remove
 * some of them, and the count would change.
 */
function progress({ w, election: { steps, screen } }: EmployeeHost): TemplateResult {
  const benefit = steps.findIndex(({ key }) => key === screen)
  const current = benefit >= 0 ? 'benefits' : ['household', 'details'].includes(screen) ? 'household' : 'signature'
  return html`<ol class="progress" aria-label=${w.progress}>
    ${(['household', 'benefits', 'signature'] as const).map(
      (part) =>
        html`<li aria-current=${part === current ? 'step' : 'false'}>
          ${
            part === 'benefits' && part === current && steps.length > 1
              ? w.part_of(w.parts.benefits, benefit + 1, steps.length)
              : w.parts[part]
          }
        </li>`,
    )}
  </ol>`
}
