import { html, nothing, type TemplateResult } from 'lit'
import type { PlanYearEnrollmentRow } from 'openbenefits'
import { loadingPlaceholder, filterSelect, heading, table } from '../core/parts.ts'
import type { BenefitsHost, EnrollmentOrder, StatusFilter } from './host.ts'
import { dayOr, electionStatus, personLink, yearSelect } from './parts.ts'

/** All enrollments of a plan year, with search, filters, order and download. */
export function people(host: BenefitsHost): TemplateResult {
  const { w, year } = host
  if (year === undefined) return loadingPlaceholder(w.loading)
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
  if (!found) return loadingPlaceholder(w.loading)
  const { rows, total, is_busy } = found
  return html`<section class="stack" aria-busy=${String(is_busy)}>
    <div class="line">
      <p role="status">${rows.length === 0 ? w.no_matches : w.found(total)}</p>
      <button class="plain" @click=${() => host.saveAll()}>${w.csv_all}</button>
    </div>
    ${rows.length > 0 ? enrollments(host, rows) : nothing}
    ${rows.length < total ? html`<p><button @click=${() => host.showMore()}>${w.more}</button></p>` : nothing}
  </section>`
}

function enrollments(host: BenefitsHost, rows: PlanYearEnrollmentRow[]): TemplateResult {
  const { w, f } = host
  const cents = (amount: number | null) => (amount === null ? '–' : f.money(amount))
  return table(
    w.people,
    [
      { name: w.name, of: (row) => personLink(host, row) },
      { name: w.benefit, of: (row) => html`${row.benefit_name} <span>${electionStatus(host, row)}</span>` },
      { name: w.window, of: ({ window_ends_on }) => dayOr(host, window_ends_on) },
      { name: w.coverage, of: (row) => coverage(host, row) },
      {
        name: w.plan,
        of: ({ plan, tier }) =>
          html`${plan ?? '–'} ${tier ? html`<div class="quiet">${w.tiers[tier]}</div>` : nothing}`,
      },
      { name: w.you_pay, of: (row) => cents(row.employer_contribution_in_cents), is_number: true },
      { name: w.they_pay, of: (row) => cents(row.employee_deduction_in_cents), is_number: true },
    ],
    rows,
  )
}

function coverage({ w, f }: BenefitsHost, row: PlanYearEnrollmentRow): TemplateResult {
  const { election_status, coverage_start, coverage_end, policy_status } = row
  const is_elected = election_status === 'Enrolled' && (coverage_end === null || coverage_end >= coverage_start)
  return html`${is_elected ? f.span(coverage_start, coverage_end) : '–'}
  ${policy_status ? html`<div class="quiet">${w.policy[policy_status]}</div>` : nothing}`
}
