import { html, nothing, type TemplateResult } from 'lit'
import type { EmployeeHost } from '../host.ts'
import { documentLink, documentsOf } from '../documents.ts'
import type { Plan } from './offers.ts'
import { term } from './glossary.ts'

/** A link to a page of the carrier. */
export const link = (address: string | null, text: string): TemplateResult | typeof nothing =>
  address ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${text}</a>` : nothing

/** The copays in the language of the page: `Primary care: $25, Specialist: $50`. */
export const copaysOf = ({ w, f }: EmployeeHost, { facts }: Plan): string =>
  f.list(
    facts.copays.map((line) => Object.entries(w.benefit_names).reduce((text, names) => text.replace(...names), line)),
  )

/** An amount for one person, and for the family if the plan has one. Null if it is unknown. */
export const personAndFamily = ({ w, f }: EmployeeHost, person: number | null, family: number | null): string | null =>
  person === null ? null : w.person_and_family(f.money(person), family === null ? null : f.money(family))

/** The cost per month, the cost sharing, the network and the documents of a plan, collapsed at first. */
export function planDetails(host: EmployeeHost, plan: Plan, price: Plan['tiers'][number] | undefined): TemplateResult {
  const { w, f } = host
  const { facts, network_names, spd_file_url } = plan
  const mine = price?.employee_deduction_in_cents ?? null
  const { deductible_in_cents: deductible, out_of_pocket_limit_in_cents: limit } = facts
  const row = (name: unknown, value: unknown) =>
    value === null || value === ''
      ? nothing
      : html`<dt class="quiet">${name}</dt>
          <dd>${value}</dd>`
  const cents = (amount: number | null | undefined) => (typeof amount === 'number' ? f.money(amount) : null)
  return html`<details class="stack">
    <summary>${w.plan_details}</summary>
    <dl class="facts">
      ${row(term(host, 'premium'), cents(price?.premium_in_cents))}
      ${row(w.employer_pays, cents(price?.employer_contribution_in_cents))}
      ${row(w.you_pay, mine === null ? null : `${w.per_month(f.money(mine))}, ${w.per_year(f.money(12 * mine))}`)}
      ${row(term(host, 'deductible'), personAndFamily(host, deductible, facts.family_deductible_in_cents))}
      ${row(term(host, 'out_of_pocket_limit'), personAndFamily(host, limit, facts.family_out_of_pocket_limit_in_cents))}
      ${row(term(host, 'copays'), copaysOf(host, plan))} ${row(term(host, 'network'), f.list(network_names))}
    </dl>
    <ul class="stack tight">
      ${[
        link(facts.provider_directory_url, w.find_a_doctor),
        ...documentsOf(host, plan.id).map((one) => documentLink(host, one)),
        documentsOf(host, plan.id, 'spd').length > 0 ? nothing : link(spd_file_url, w.documents),
      ].map((one) => (one === nothing ? nothing : html`<li>${one}</li>`))}
    </ul>
  </details>`
}
