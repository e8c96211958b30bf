import { html, nothing, type TemplateResult } from 'lit'

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
