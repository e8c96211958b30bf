import { html, nothing, type TemplateResult } from 'lit'

/** What stands where data will be, as large as that, so that nothing jumps. */
export const bones = (loading: string): TemplateResult =>
  html`<div class="bones" role="status" aria-busy="true">
    <span class="unseen">${loading}</span>
    ${[0, 1, 2, 3, 4].map(() => html`<span class="bone"></span>`)}
  </div>`

export const heading = (text: string): TemplateResult => html`<h2 tabindex="-1" part="heading">${text}</h2>`

/** The heading of a section's list, and beside it the button that saves the list as a file. */
export const savedHeading = (id: string, text: string, button: string, save: () => unknown): TemplateResult =>
  html`<div class="line">
    <h3 id=${id}>${text}</h3>
    <button class="plain" @click=${save}>${button}</button>
  </div>`

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

export type Column<Row> = { name: string; of: (row: Row) => unknown; is_number?: boolean }

/**
 * A table whose first column names the row. Where it is narrow each row stands under its name, a line for each cell; the roles
 * are said since browsers forget them then. In between it scrolls, by the keyboard too.
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

/** Handles the submission of a form by an action of ours; the browser sends nothing. */
export const onSubmit =
  (action: (form: HTMLFormElement, said: Record<string, string>) => unknown) => (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const said = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
    void action(form, said)
  }
