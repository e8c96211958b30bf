import { html, nothing, type TemplateResult } from 'lit'
import { heading } from '../../core/parts.ts'
import { coverableDependents } from '../choices.ts'
import { dependentDetails } from '../family/dependent-details.ts'
import { dependentForm } from '../family/family.ts'
import type { EmployeeHost } from '../host.ts'
import { total } from './total.ts'

/** The dependents to cover in all benefits. Each answer continues. */
export function household(host: EmployeeHost): TemplateResult {
  const { w, f, employee, election, today } = host
  const family = coverableDependents(host.dependents!, today!)
  const everyone = family.map(({ id }) => id)
  const names = [w.you_alone, ...family.map(({ first_name }) => first_name)]
  return html`${heading(w.who)}
    <p>${w.household_words}</p>
    <p role="status">${host.message}</p>
    <div class="stack choices">
      <button @click=${() => election.cover([])}>${w.only_me(employee!.first_name)}</button>
      ${
        family.length > 0
          ? html`<button @click=${() => election.cover(everyone)}>${w.everyone(f.list(names))}</button>`
          : nothing
      }
    </div>
    ${family.length > 1 ? familyChoice(host, family) : nothing}
    <details class="stack">
      <summary>${w.add_family}</summary>
      ${dependentForm(host, today!)}
    </details>
    ${election.choices.size > 0 ? total(host) : nothing}`
}

/** A choice among several dependents. */
function familyChoice(host: EmployeeHost, family: ReturnType<typeof coverableDependents>): TemplateResult {
  const { w, election } = host
  const submit = (event: Event) => {
    event.preventDefault()
    election.cover([...new FormData(event.currentTarget as HTMLFormElement).keys()])
  }
  return html`<details class="stack">
    <summary>${w.only_some}</summary>
    <form class="stack" @submit=${submit}>
      ${family.map(
        ({ id, first_name }) =>
          html`<label class="tick">
            <input type="checkbox" name=${id} .checked=${election.household?.includes(id) ?? false} />
            ${first_name}
          </label>`,
      )}
      <p><button>${w.continue}</button></p>
    </form>
  </details>`
}

/** The data that the benefits require of the dependents to cover. */
export function details(host: EmployeeHost): TemplateResult {
  const { w, election } = host
  const { incomplete } = election
  const is_done = incomplete.length === 0
  return html`${heading(w.details_title)}
    <p>${is_done ? w.details_done : w.details_words}</p>
    <p role="status">${host.message}</p>
    ${incomplete.map(
      ([one, missing]) =>
        html`<section class="stack" aria-label=${one.first_name}>
          <h3>${one.first_name} ${one.last_name}</h3>
          ${dependentDetails(host, one, missing, true)}
        </section>`,
    )}
    ${total(
      host,
      html`<button class="main" aria-disabled=${String(!is_done)} @click=${() => is_done && election.move(1)}>
        ${w.continue}
      </button>`,
    )}`
}
