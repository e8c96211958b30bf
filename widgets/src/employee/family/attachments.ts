import { html, type TemplateResult } from 'lit'
import type { EmployeeHost } from '../host.ts'

/** The kinds of files that prove a fact. */
export const accepted = 'application/pdf,image/png,image/jpeg,image/webp,image/heic'

/** Uploads a document that proves a life event or the relationship of a dependent, with its progress or its failure. */
export function uploadField(host: EmployeeHost, id: string, attach: (file: File) => Promise<void>): TemplateResult {
  const { w, attaching } = host
  const here = attaching?.id === id ? attaching : undefined
  const add = (event: Event) => {
    const input = event.target as HTMLInputElement
    const file = input.files?.[0]
    if (file) void attach(file).finally(() => (input.value = ''))
  }
  return html`<div class="field">
    <label for="${id}-file">${w.attach}</label>
    <input
      id="${id}-file"
      type="file"
      accept=${accepted}
      ?disabled=${here !== undefined && !here.why}
      aria-describedby="${id}-fault"
      @change=${add}
    />
    <span id="${id}-fault" class=${here?.why ? 'fault' : 'quiet'} role=${here?.why ? 'alert' : 'status'}>
      ${here ? (here.why ?? w.attaching) : w.attach_words}
    </span>
  </div>`
}
