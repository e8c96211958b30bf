import { html, nothing, type TemplateResult } from 'lit'
import type { Enrollment } from 'openbenefits'
import { phoneOf } from '../core/format.ts'
import type { EmployeeHost } from './host.ts'

/** The ID card and the member services of a covered plan. They are loaded when the employee opens them. */
export function contacts(host: EmployeeHost, { id, benefit, plan }: Enrollment): TemplateResult | typeof nothing {
  const { w } = host
  if (!plan) return nothing
  const open = ({ target }: Event) => {
    if (!(target as HTMLDetailsElement).open || host.opened.has(id)) return
    host.opened.add(id)
    host.requestUpdate()
  }
  return html`<details @toggle=${open}>
    <summary aria-label="${w.contacts}: ${host.nameOf(benefit.name)}">${w.contacts}</summary>
    ${host.opened.has(id) ? shown(host, id, plan.id) : nothing}
  </details>`
}

function shown(host: EmployeeHost, enrollment_id: string, plan_id: string): TemplateResult {
  const { w } = host
  const detail = host.enrollment(enrollment_id)
  if (!detail) return html`<span class="bone"></span>`
  const plan = detail.plans.find(({ id }) => id === plan_id)
  const { id_card_url, member_services_phone: phone, member_services_url, provider_directory_url } = plan?.facts ?? {}
  const link = (address: string | null | undefined, text: string) =>
    address ? html`<li><a href=${address} target="_blank" rel="noopener noreferrer">${text}</a></li>` : nothing
  if (!id_card_url && !phone && !member_services_url && !provider_directory_url)
    return html`<p class="quiet">${w.no_contacts}</p>`
  return html`<ul class="stack tight made-of">
    ${link(id_card_url, w.id_card)}
    ${phone ? html`<li>${w.member_services}: <a href="tel:+1${phone}">${phoneOf(phone)}</a></li>` : nothing}
    ${link(member_services_url, w.member_site)} ${link(provider_directory_url, w.find_a_doctor)}
  </ul>`
}
