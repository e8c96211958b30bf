import { html, type TemplateResult } from 'lit'
import { loadingPlaceholder, heading } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'

/** The notes that the administrators shared with the employer, newest first. */
export function notes(host: BenefitsHost): TemplateResult {
  const { w, f, shared_notes: page } = host
  if (!page) return loadingPlaceholder(w.loading)
  return html`${heading(w.notes)}
  ${
    page.length === 0
      ? html`<p class="quiet">${w.no_notes}</p>`
      : html`<ul class="rows">
          ${page.map(
            (note) =>
              html`<li class="stack tight">
                <span class="quiet">${note.author_name ?? w.administrator}, ${f.instant(note.created_at)}</span>
                <span class="as-written">${note.text}</span>
              </li>`,
          )}
        </ul>`
  }`
}
