import { html, type TemplateResult } from 'lit'
import { heading } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

const views = ['documents', 'family', 'beneficiaries', 'life-events', 'paychecks', 'tax-forms', 'why', 'me'] as const

/** The views that the menu does not list. */
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
    </ul>`
