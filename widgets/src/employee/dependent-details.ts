import { html, nothing, type TemplateResult } from 'lit'
import type { Dependent, DependentChanges, DependentField, Employee } from 'openbenefits'
import { field, onSubmit, select, status } from '../core/parts.ts'
import { uploadField } from './attachments.ts'
import type { EmployeeHost } from './host.ts'

/** The data that a benefit requires and a dependent lacks. */
export const missingOf = (
  { gender, address, verification }: Dependent,
  employee: Pick<Employee, 'address'> | undefined,
  required: DependentField[],
): DependentField[] =>
  required.filter(
    (one) =>
      ({
        gender: !gender,
        address: !address && !employee?.address,
        verification: ['unverified', 'rejected'].includes(verification.status),
      })[one],
  )

const tones = { unverified: '', pending: 'wait', verified: 'good', rejected: 'bad' } as const

/** Whether the relationship of a dependent is verified. Nothing is shown before the first document. */
export const verification = (
  { w }: EmployeeHost,
  { verification: { status: state } }: Dependent,
): TemplateResult | typeof nothing => (state === 'unverified' ? nothing : status(w.verification[state], tones[state]))

const address_parts = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Forms for the sex, the address and the proof of a dependent: those that are `shown`. `is_needed`: none is optional. */
export function dependentDetails(
  host: EmployeeHost,
  one: Dependent,
  shown: DependentField[],
  is_needed = false,
): TemplateResult {
  const { w, editing } = host
  const { id, verification: proof } = one
  const faults = editing === id ? host.faults : {}
  const has = (name: DependentField) => shown.includes(name)
  const nameOf = (name: string) => `${id}-${name}`
  const faultIn = (name: string) => faults[nameOf(name)] ?? faults[name] ?? faults[`address.${name}`]
  const words = {
    address_line_1: w.address,
    address_line_2: w.address_2,
    city: w.city,
    state: w.state,
    zipcode: w.zipcode,
  }
  const submit = onSubmit((form, values) => {
    host.editing = id
    const where = Object.fromEntries(address_parts.map((part) => [part, values[nameOf(part)] || null]))
    const changes = {
      ...(has('gender') && { gender: values[nameOf('gender')] || null }),
      ...(has('address') && { address: Object.values(where).some(Boolean) ? where : null }),
    } as DependentChanges
    return host.send(form, w.saved, () => host.act((ob) => ob.dependents.update(id, changes)), ['dependents'])
  })
  const genders = Object.entries({ ...(is_needed && one.gender ? {} : { '': w.not_chosen }), ...w.genders })
  return html`${
    has('gender') || has('address')
      ? html`<form class="stack" novalidate @submit=${submit}>
          ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
          ${has('gender') ? select(nameOf('gender'), w.gender, genders, faultIn('gender'), one.gender ?? '') : nothing}
          ${
            has('address')
              ? html`${is_needed ? nothing : html`<p class="quiet">${w.same_address}</p>`}
                  <div class="fields">
                    ${address_parts.map((part) =>
                      field({
                        name: nameOf(part),
                        label: words[part],
                        value: one.address?.[part] ?? '',
                        fault: faultIn(part),
                        required: is_needed && part !== 'address_line_2',
                      }),
                    )}
                  </div>`
              : nothing
          }
          <p><button>${w.save}</button></p>
        </form>`
      : nothing
  }
  ${
    has('verification') && proof.status !== 'verified'
      ? html`<div class="stack tight">
          ${proof.reason ? html`<p>${proof.reason}</p>` : nothing}
          <p class="quiet">${w.proof_of[one.relationship]}</p>
          ${uploadField(host, id, (file) => host.attachToDependent(id, file))}
        </div>`
      : nothing
  }`
}
