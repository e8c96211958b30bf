import { html, nothing, type TemplateResult } from 'lit'
import type { Dependent, NewDependent } from 'openbenefits'
import { loadingPlaceholder, field, heading, onSubmit, select } from '../../core/parts.ts'
import { faultsOf, isRefusal } from '../../core/widget.ts'
import { dependentDetails, verification } from './dependent-details.ts'
import type { EmployeeHost } from '../host.ts'

/** The employee's dependents, with forms to add and remove them. */
export function family(host: EmployeeHost): TemplateResult {
  const { w, dependents, today } = host
  if (!dependents || !today) return loadingPlaceholder(w.loading)
  return html`${heading(w.family)}
    <p class="quiet">${w.family_words}</p>
    <p role="status">${host.message}</p>
    ${
      dependents.length === 0
        ? html`<p class="quiet">${w.no_family}</p>`
        : html`<ul class="rows">
            ${dependents.map((one) => member(host, one))}
          </ul>`
    }
    <h3>${w.add_family}</h3>
    ${dependentForm(host, today)}`
}

function member(host: EmployeeHost, one: Dependent): TemplateResult {
  const { w, f } = host
  const { first_name, last_name, relationship, date_of_birth, covered_until, ended_on } = one
  const until = ended_on ? w.ended_on(f.day(ended_on)) : covered_until ? w.covered_until(f.day(covered_until)) : ''
  return html`<li class="stack tight">
    <div class="line">
      <strong>${first_name} ${last_name}</strong>
      ${
        one.active && host.removing !== one.id
          ? html`<button
              class="plain"
              aria-label="${w.remove}: ${first_name}"
              @click=${() => confirmRemoval(host, one.id)}
            >
              ${w.remove}
            </button>`
          : nothing
      }
    </div>
    ${one.active ? verification(host, one) : nothing}
    <span class="quiet">
      ${w.relationships[relationship]} · ${w.born(f.day(date_of_birth))}${until ? ` · ${until}` : nothing}
    </span>
    ${host.removing === one.id ? removalConfirmation(host, one) : nothing}
    ${
      one.active
        ? html`<details class="stack">
            <summary aria-label="${w.details}: ${first_name}">${w.details}</summary>
            ${dependentDetails(host, one, ['gender', 'address', 'verification'])}
          </details>`
        : nothing
    }
  </li>`
}

function confirmRemoval(host: EmployeeHost, id: string | undefined): void {
  host.removing = id
  host.requestUpdate()
}

/** Removing a dependent takes a second click. */
function removalConfirmation(host: EmployeeHost, { id, first_name }: Dependent): TemplateResult {
  const { w, faults } = host
  const remove = async () => {
    host.message = ''
    host.faults = {}
    try {
      await host.act((ob) => ob.dependents.end(id))
      host.removing = undefined
      host.message = w.removed(first_name)
      await host.refresh('dependents', 'enrollment')
    } catch (error) {
      // `act` has reported any other failure. The confirmation stays open, because the dependent was not removed.
      if (isRefusal(error)) host.faults = { remove: Object.values(faultsOf(error, w))[0]! }
      host.requestUpdate()
    }
  }
  return html`<div class="call stack" role="group">
    <p>${w.remove_sure(first_name)}</p>
    ${faults.remove ? html`<p class="fault" role="alert">${faults.remove}</p>` : nothing}
    <div class="line start">
      <button @click=${remove}>${w.yes_remove}</button>
      <button @click=${() => confirmRemoval(host, undefined)}>${w.keep}</button>
    </div>
  </div>`
}

/** A form that adds a dependent. It stays open for the next one. */
export function dependentForm(host: EmployeeHost, today: string): TemplateResult {
  const { w, faults } = host
  const has_partner = host.dependents?.some(({ active, relationship }) => active && relationship !== 'child')
  const likely = has_partner ? 'child' : 'spouse'
  const submit = onSubmit((form, { disabled, ...values }) => {
    const { employee_id: id } = host
    if (!id) return
    const input = { ...values, ...(disabled && { disabled: true }) } as unknown as NewDependent
    const action = () => host.act((ob) => ob.dependents.create(id, input))
    return host.send(form, w.added(values.first_name ?? ''), action, ['dependents'])
  })
  const one = (name: 'first_name' | 'last_name' | 'date_of_birth', more: object = {}) =>
    field({ name, label: w[name], fault: faults[name], required: true, ...more })
  return html`<form class="stack" novalidate @submit=${submit}>
    ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
    <div class="fields">
      ${select('relationship', w.relationship, Object.entries(w.relationships), faults.relationship, likely)}
      ${one('first_name')} ${one('last_name')} ${one('date_of_birth', { type: 'date', max: today })}
    </div>
    ${
      host.refused_code === 'dependent_too_old'
        ? html`<label class="tick"><input type="checkbox" name="disabled" /> ${w.has_disability}</label>`
        : nothing
    }
    <p><button>${w.add}</button></p>
  </form>`
}
