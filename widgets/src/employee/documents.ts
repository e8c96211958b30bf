import { html, nothing, type TemplateResult } from 'lit'
import type { EmployeeDocument } from 'openbenefits'
import { loadingPlaceholder, heading, status } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

/** A button that opens a document, and whether it must be or was opened. */
export function documentLink(host: EmployeeHost, document: EmployeeDocument): TemplateResult {
  const { w, f } = host
  const { id, title, language, is_required_at_election: is_required, opened_at } = document
  return html`<button class="plain" lang=${language} @click=${() => host.openDocument(id)}>${title}</button> ${
      opened_at
        ? html`<span class="quiet">${w.opened_at(f.instant(opened_at))}</span>`
        : is_required
          ? status(w.must_open, 'wait')
          : nothing
    }`
}

/** The documents of a plan. */
export const documentsOf = ({ documents }: EmployeeHost, plan_id: string, kind?: string): EmployeeDocument[] =>
  documents?.filter((one) => one.plan_id === plan_id && (!kind || one.kind === kind)) ?? []

/** All documents that concern the employee. */
export function documents(host: EmployeeHost): TemplateResult {
  const { w, documents: found } = host
  const shown = found?.length
    ? html`<ul class="rows">
        ${found.map(
          (one) =>
            html`<li class="stack tight">
              ${documentLink(host, one)} <span class="quiet">${w.document_kinds[one.kind]}</span>
            </li>`,
        )}
      </ul>`
    : html`<p class="quiet">${w.no_documents}</p>`
  return html`${heading(w.more_views.documents.name)} ${found ? shown : loadingPlaceholder(w.loading)}`
}
