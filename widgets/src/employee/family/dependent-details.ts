import { html, nothing, type TemplateResult } from 'lit'
import type { Dependent, DependentChanges, DependentField } from 'openbenefits'
import { field, onSubmit, select, status } from '../../core/parts.ts'
import { uploadField } from './attachments.ts'
import type { EmployeeHost } from '../host.ts'

const tones = { unverified: '', pending: 'wait', verified: 'good', rejected: 'bad' } as const

/** Whether the relationship of a dependent is verified. Nothing is shown before the first document. */
export const verification = (
  { w }: EmployeeHost,
  { verification: { status: state } }: Dependent,
): TemplateResult | typeof nothing => (state === 'unverified' ? nothing : status(w.verification[state], tones[state]))

const address_parts = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Forms for the sex, the address and the proof of a dependent: those in `shown`. `is_needed`: none is optional. */
export function dependentDetails(
  host: EmployeeHost,
  one: Dependent,
  shown: DependentField[],
  is_needed = false,
): TemplateResult {
  const { w } = host
  const { id, verification: proof } = one
  return html`<div class="stack">
    ${shown.includes('gender') || shown.includes('address') ? form(host, one, shown, is_needed) : nothing}
    ${
      shown.includes('verification') && proof.status !== 'verified'
        ? html`<div class="stack tight">
            ${proof.reason ? html`<p>${proof.reason}</p>` : nothing}
            <p class="quiet">${w.proof_of[one.relationship]}</p>
            ${uploadField(host, id, (file) => host.attachToDependent(id, file))}
          </div>`
        : nothing
    }
  </div>`
}

function form(host: EmployeeHost, one: Dependent, shown: DependentField[], is_needed: boolean): TemplateResult {
  const { w, editing } = host
  const { id } = one
  const faults = editing === id ? host.faults : {}
  const has = (name: DependentField) => shown.includes(name)
  const nameOf = (name: string) => `${id}-${name}`
  const faultIn = (name: string) => faults[nameOf(name)] ?? faults[name] ?? faults[`address.${name}`]
  const submit = onSubmit((form, values) => {
    host.editing = id
    const where = Object.fromEntries(address_parts.map((part) => [part, values[nameOf(part)] || null]))
    const changes = {
      ...(has('gender') && { gender: values[nameOf('gender')] || null }),
      ...(has('address') && { address: Object.values(where).some(Boolean) ? where : null }),
    } as DependentChanges
    return host.send(form, w.saved, () => host.act((ob) => ob.dependents.update(id, changes)), ['dependents'])
  })
  const genders = Object.entries({ '': w.not_chosen, ...w.genders })
  return html`<form class="stack" novalidate @submit=${submit}>
    ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
    ${has('gender') ? select(nameOf('gender'), w.gender, genders, faultIn('gender'), one.gender ?? '') : nothing}
    ${has('address') ? addressFields(host, one, is_needed, nameOf, faultIn) : nothing}
    <p><button>${w.save}</button></p>
  </form>`
}

function addressFields(
  { w }: EmployeeHost,
  { address }: Dependent,
  is_needed: boolean,
  nameOf: (part: string) => string,
  faultIn: (part: string) => string | undefined,
): TemplateResult {
  const { address: address_line_1, address_2: address_line_2, city, state, zipcode } = w
  const words = { address_line_1, address_line_2, city, state, zipcode }
  return html`${is_needed ? nothing : html`<p class="quiet">${w.same_address}</p>`}
    <div class="fields">
      ${address_parts.map((part) =>
        field({
          name: nameOf(part),
          label: words[part],
          value: address?.[part] ?? '',
          fault: faultIn(part),
          required: is_needed && part !== 'address_line_2',
        }),
      )}
    </div>`
}
