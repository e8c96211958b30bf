import { html, nothing, type TemplateResult } from 'lit'
import type { PlanYearEnrollmentRow } from 'openbenefits'
import { bones, filterSelect, heading, sheet } from '../core/parts.ts'
import type { BenefitsHost, EnrollmentOrder, StatusFilter } from './host.ts'
import { dayOr, electionStatus, personLink, yearSelect } from './parts.ts'

/** Everybody's enrollments in a plan year: found, filtered, sorted, and saved as a file. */
export function people(host: BenefitsHost): TemplateResult {
  const { w, year } = host
  if (year === undefined) return bones(w.loading)
  if (year === null)
    return html`${heading(w.people)}
      <p class="quiet">${w.no_years}</p>`
  return html`${heading(w.people)} ${filters(host)} ${found(host)}`
}

function filters(host: BenefitsHost): TemplateResult {
  const { w } = host
  return html`<form class="fields" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <div class="field">
      <label for="search">${w.search}</label>
      <input
        id="search"
        type="search"
        autocomplete="off"
        .defaultValue=${host.search}
        @input=${(event: Event) => host.type((event.target as HTMLInputElement).value)}
      />
    </div>
    ${filterSelect<StatusFilter>('status', w.status, w.statuses, host.status, (status) => host.narrow({ status }))}
    ${filterSelect<EnrollmentOrder>('sort', w.sort, w.sorts, host.sort, (sort) => host.narrow({ sort }))}
    ${yearSelect(host)}
  </form>`
}

function found(host: BenefitsHost): TemplateResult {
  const { w, found } = host
  if (!found) return bones(w.loading)
  const { rows, total, is_busy } = found
  return html`<section class="stack" aria-busy=${String(is_busy)}>
    <div class="line">
      <p role="status">${rows.length === 0 ? w.nobody_found : w.found(total)}</p>
      <button class="plain" @click=${() => host.saveAll()}>${w.csv_all}</button>
    </div>
    ${rows.length > 0 ? table(host, rows) : nothing}
    ${rows.length < total ? html`<p><button @click=${() => more(host)}>${w.more}</button></p>` : nothing}
  </section>`
}

function more(host: BenefitsHost): void {
  host.pages++
  host.requestUpdate()
}

function table(host: BenefitsHost, rows: PlanYearEnrollmentRow[]): TemplateResult {
  const { w } = host
  return sheet(
    w.people,
    html`<table>
      <thead>
        <tr>
          <th scope="col">${w.name}</th>
          <th scope="col">${w.benefit}</th>
          <th scope="col">${w.window}</th>
          <th scope="col">${w.coverage}</th>
          <th scope="col">${w.plan}</th>
          <th scope="col" class="number">${w.you_pay}</th>
          <th scope="col" class="number">${w.they_pay}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => line(host, row))}
      </tbody>
    </table>`,
  )
}

function line(host: BenefitsHost, row: PlanYearEnrollmentRow): TemplateResult {
  const { w, f } = host
  const { policy_status, plan, tier } = row
  const cents = (amount: number | null) => (amount === null ? '–' : f.money(amount))
  return html`<tr>
    <th scope="row">${personLink(host, row)}</th>
    <td>
      ${row.benefit_name}
      <div>${electionStatus(host, row)}</div>
    </td>
    <td>${dayOr(host, row.window_ends_on)}</td>
    <td>
      ${row.election_status === 'Waived' ? '–' : f.span(row.coverage_start, row.coverage_end)}
      ${policy_status ? html`<div class="quiet">${w.policy[policy_status]}</div>` : nothing}
    </td>
    <td>${plan ?? '–'} ${tier ? html`<div class="quiet">${w.tiers[tier]}</div>` : nothing}</td>
    <td class="number">${cents(row.employer_contribution_in_cents)}</td>
    <td class="number">${cents(row.employee_deduction_in_cents)}</td>
  </tr>`
}
