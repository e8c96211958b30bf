import { html, nothing, type TemplateResult } from 'lit'
import type { ContactChanges } from 'openbenefits'
import { loadingPlaceholder, field, heading, onSubmit } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

const address_parts = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode'] as const

/** Contact information, which the employee can update. */
export function me(host: EmployeeHost): TemplateResult {
  const { w, employee, faults } = host
  if (!employee) return loadingPlaceholder(w.loading)
  const { email, phone, address } = employee
  const submit = onSubmit((form, values) => {
    const { employee_id: id } = host
    if (!id) return
    // An address is replaced as a whole, so it is sent in full, and only if any part of it changed.
    const moved = address_parts.some((part) => (values[part] ?? '') !== (address?.[part] ?? ''))
    const where = Object.fromEntries(address_parts.map((part) => [part, values[part] || null]))
    const changes = { phone: values.phone || null, ...(moved && { address: where }) } as unknown as ContactChanges
    return host.send(form, w.saved, () => host.act((ob) => ob.employees.updateContact(id, changes)), ['employee'])
  })
  const one = (name: string, label: string, value: string | null | undefined, more: object = {}) =>
    field({ name, label, value: value ?? '', fault: faults[name] ?? faults[`address.${name}`], ...more })
  return html`${heading(w.me)}
    <p role="status">${host.message}</p>
    <form class="stack" novalidate @submit=${submit}>
      ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
      <p>${w.email}: ${email} <span class="quiet">${w.email_by_employer}</span></p>
      <div class="fields">
        ${one('phone', w.phone, phone, { type: 'tel', autocomplete: 'tel' })}
        ${one('address_line_1', w.address, address?.address_line_1, { autocomplete: 'address-line1' })}
        ${one('address_line_2', w.address_2, address?.address_line_2, { autocomplete: 'address-line2' })}
        ${one('city', w.city, address?.city, { autocomplete: 'address-level2' })}
        ${one('state', w.state, address?.state, { autocomplete: 'address-level1' })}
        ${one('zipcode', w.zipcode, address?.zipcode, { autocomplete: 'postal-code' })}
      </div>
      <p><button class="main">${w.save}</button></p>
    </form>`
}
