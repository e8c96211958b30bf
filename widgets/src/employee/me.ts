import { html, nothing, type TemplateResult } from 'lit'
import type { ContactChanges } from 'openbenefits'
import { bones, field, heading, onSubmit } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

/** How I am reached: I may set it right myself. */
export function me(host: EmployeeHost): TemplateResult {
  const { w, employee, faults } = host
  if (!employee) return bones(w.loading)
  const { email, phone, address } = employee
  const submit = onSubmit((form, said) => {
    const { employee_id: id } = host
    if (!id) return
    const { address_line_1, city, state, zipcode } = said
    const where = address_line_1 || city || zipcode ? { address: { address_line_1, city, state, zipcode } } : {}
    const changes = { email: said.email, phone: said.phone || null, ...where } as unknown as ContactChanges
    return host.send(form, w.saved, () => host.act((ob) => ob.employees.updateContact(id, changes)), ['employee'])
  })
  const one = (name: string, label: string, value: string | null | undefined, more: object = {}) =>
    field({ name, label, value: value ?? '', fault: faults[name] ?? faults[`address.${name}`], ...more })
  return html`${heading(w.me)}
    <p role="status">${host.said}</p>
    <form class="stack" novalidate @submit=${submit}>
      ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
      <div class="fields">
        ${one('email', w.email, email, { type: 'email', autocomplete: 'email', required: true })}
        ${one('phone', w.phone, phone, { type: 'tel', autocomplete: 'tel' })}
        ${one('address_line_1', w.address, address?.address_line_1, { autocomplete: 'address-line1' })}
        ${one('city', w.city, address?.city, { autocomplete: 'address-level2' })}
        ${one('state', w.state, address?.state, { autocomplete: 'address-level1' })}
        ${one('zipcode', w.zipcode, address?.zipcode, { autocomplete: 'postal-code' })}
      </div>
      <p><button class="main">${w.save}</button></p>
    </form>`
}
