import { html, nothing, type TemplateResult } from 'lit'

/** What stands where data will be, as large as that, so that nothing jumps. */
export const bones = (loading: string): TemplateResult =>
  html`<div class="bones" role="status" aria-busy="true">
    <span class="unseen">${loading}</span>
    ${[0, 1, 2, 3, 4].map(() => html`<span class="bone"></span>`)}
  </div>`

export const heading = (text: string): TemplateResult => html`<h2 tabindex="-1" part="heading">${text}</h2>`

/** A word of status; its color says the same again. */
export const status = (text: string, tone: 'good' | 'wait' | 'bad' | '' = ''): TemplateResult =>
  html`<span class="status ${tone}" part="status">${text}</span>`

type Field = {
  name: string
  label: string
  fault: string | undefined
  type?: string
  value?: string
  required?: boolean
  autocomplete?: string
  max?: string
  inputmode?: string
}

/** A field with its label, and what is wrong with it. */
export function field({ name, label, fault, value = '', required = false, ...more }: Field): TemplateResult {
  const { type = 'text', autocomplete = 'off', max, inputmode } = more
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      type=${type}
      .defaultValue=${value}
      ?required=${required}
      autocomplete=${autocomplete}
      max=${max ?? nothing}
      inputmode=${inputmode ?? nothing}
      aria-invalid=${fault ? 'true' : nothing}
      aria-describedby=${fault ? `${name}-fault` : nothing}
    />
    ${faultOf(name, fault)}
  </div>`
}

export const faultOf = (name: string, fault: string | undefined): TemplateResult | typeof nothing =>
  fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : nothing

/** One of several, with its label. */
export function select(name: string, label: string, options: [value: string, text: string][], fault?: string) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select
      id=${name}
      name=${name}
      aria-invalid=${fault ? 'true' : nothing}
      aria-describedby=${fault ? `${name}-fault` : nothing}
    >
      ${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select>
    ${faultOf(name, fault)}
  </div>`
}

/** One of several by which a list is narrowed or sorted, with its label: at once, and without a form. */
export function filterSelect<Value extends string>(
  name: string,
  label: string,
  words: Record<Value, string>,
  chosen: Value,
  change: (value: Value) => void,
): TemplateResult {
  const changed = (event: Event) => change((event.target as HTMLSelectElement).value as Value)
  const option = ([value, text]: [string, unknown]) =>
    html`<option value=${value} ?selected=${value === chosen}>${text}</option>`
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} @change=${changed}>
      ${Object.entries(words).map(option)}
    </select>
  </div>`
}

/** A table that may be wider than where it stands: then it scrolls, by the keyboard too. */
export const sheet = (label: string, table: TemplateResult): TemplateResult =>
  html`<div class="sheet" role="group" tabindex="0" aria-label=${label}>${table}</div>`

/** Handles the submission of a form by a deed of ours; the browser sends nothing. */
export const onSubmit = (deed: (form: HTMLFormElement, said: Record<string, string>) => unknown) => (event: Event) => {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  const said = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
  void deed(form, said)
}
