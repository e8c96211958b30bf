import { html, type TemplateResult } from 'lit'
import { heading } from '../core/parts.ts'
import type { Term } from './election/glossary.ts'
import type { EmployeeHost } from './host.ts'

const views = ['documents', 'family', 'beneficiaries', 'life-events', 'paychecks', 'tax-forms', 'why', 'me'] as const

/** The views that the menu does not list, and the glossary. */
export const more = (host: EmployeeHost): TemplateResult =>
  html`${heading(host.w.views.more)}
    <ul class="rows">
      ${views.map(
        (view) =>
          html`<li class="stack tight">
            <button class="plain" @click=${() => host.go(view)}>${host.w.more_views[view].name}</button>
            <span class="quiet">${host.w.more_views[view].about}</span>
          </li>`,
      )}
    </ul>
    <details class="stack">
      <summary>${host.w.glossary}</summary>
      <ul class="stack">
        ${Object.entries(host.w.terms).map(
          ([name, meaning]) => html`<li><strong>${host.w[name as Term]}</strong><br />${meaning}</li>`,
        )}
      </ul>
    </details>`
