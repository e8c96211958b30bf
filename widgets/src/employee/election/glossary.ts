import { html, type TemplateResult } from 'lit'
import type { EmployeeHost } from '../host.ts'

export type Term =
  | 'premium'
  | 'deductible'
  | 'out_of_pocket_limit'
  | 'copays'
  | 'coinsurance'
  | 'network'
  | 'hsa_eligible'

/** A term that opens its one-sentence explanation, which the `glossary` of the page contains. */
export const term = ({ w }: EmployeeHost, name: Term): TemplateResult =>
  html`<button class="term" popovertarget="term-${name}">${w[name]}</button>`

/** The explanations of all terms of a page, each shown on demand. */
export const glossary = ({ w }: EmployeeHost): TemplateResult =>
  html`${Object.entries(w.terms).map(
    ([name, meaning]) =>
      html`<div class="meaning" id="term-${name}" popover><strong>${w[name as Term]}</strong><br />${meaning}</div>`,
  )}`
