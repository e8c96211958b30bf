import { html, nothing, type TemplateResult } from 'lit'

/** A placeholder as large as the expected data, so that nothing jumps when it arrives. */
export const loadingPlaceholder = (loading: string): TemplateResult =>
  html`<div class="bones" role="status" aria-busy="true">
    <span class="unseen">${loading}</span>
    ${[0, 1, 2, 3, 4].map(() => html`<span class="bone"></span>`)}
  </div>`

export const heading = (text: string): TemplateResult => html`<h2 tabindex="-1" part="heading">${text}</h2>`

/** A section heading with a button that downloads the section's list. */
export const downloadHeading = (id: string, text: string, button: string, save: () => unknown): TemplateResult =>
  html`<div class="line">
    <h3 id=${id}>${text}</h3>
    <button class="plain" @click=${save}>${button}</button>
  </div>`

/** A status word. The color repeats its meaning. */
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

/** A field with its label and error message. */
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

/** A select field with its label and error message. */
export function select(
  name: string,
  label: string,
  options: [value: string, text: string][],
  fault?: string,
  chosen?: string,
) {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <select
      id=${name}
      name=${name}
      aria-invalid=${fault ? 'true' : nothing}
      aria-describedby=${fault ? `${name}-fault` : nothing}
    >
      ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}
    </select>
    ${faultOf(name, fault)}
  </div>`
}

/** A select that filters or sorts a list immediately, outside any form. */
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

export type Column<Row> = { name: string; of: (row: Row) => unknown; is_number?: boolean }

/**
 * A table with its row headers in the first column. On narrow screens each row becomes a block with one line per cell.
 * The roles are explicit because browsers drop them for that layout. Wide tables scroll, with the keyboard too.
 */
export function table<Row>(
  label: string,
  [first, ...others]: [Column<Row>, ...Column<Row>[]],
  rows: Row[],
  foot?: { name: string; cells: unknown[] },
): TemplateResult {
  const kind = ({ is_number }: Column<Row>) => (is_number ? 'number' : nothing)
  const cell = (column: Column<Row>, value: unknown) =>
    html`<td role="cell" class=${kind(column)} data-name=${column.name}><div>${value}</div></td>`
  const line = (name: unknown, cells: unknown[]) =>
    html`<tr role="row">
      <th role="rowheader" scope="row">${name}</th>
      ${others.map((column, at) => cell(column, cells[at]))}
    </tr>`
  const head = (column: Column<Row>) =>
    html`<th role="columnheader" scope="col" class=${kind(column)}>${column.name}</th>`
  return html`<div class="sheet" role="group" tabindex="0" aria-label=${label}>
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${[first, ...others].map(head)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) =>
          line(
            first.of(row),
            others.map(({ of }) => of(row)),
          ),
        )}
      </tbody>
      ${
        foot
          ? html`<tfoot role="rowgroup">
              ${line(foot.name, foot.cells)}
            </tfoot>`
          : nothing
      }
    </table>
  </div>`
}

/** Runs an action with the values of a submitted form instead of the browser's own submission. */
export const onSubmit =
  (action: (form: HTMLFormElement, values: Record<string, string>) => unknown) => (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    void action(form, values)
  }

/** The navigation of a widget, with the current view marked. */
export function menu<View extends string>(
  host: { go: (view: View) => void },
  label: string,
  views: Partial<Record<View, string>>,
  here: View,
): TemplateResult {
  const item = ([name, text]: [string, unknown]) =>
    html`<li>
      <button aria-current=${name === here ? 'page' : nothing} @click=${() => host.go(name as View)}>${text}</button>
    </li>`
  return html`<nav class="unprinted" aria-label=${label} part="menu">
    <ul>
      ${Object.entries(views).map(item)}
    </ul>
  </nav>`
}

/** A list of facts. Unknown facts are omitted. */
export const facts = (rows: [name: string, value: unknown][]): TemplateResult =>
  html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(
        ([name, value]) =>
          html`<dt class="quiet">${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`
