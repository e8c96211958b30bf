import { html, nothing, type TemplateResult } from 'lit'
import type { BenefitPlanYearRow, Day, PlanYearEnrollmentRow } from 'openbenefits'
import { filterSelect, status } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'

const tones = { Enrolled: 'good', Waived: '', Pending: 'wait', Expired: 'bad' } as const

export const electionStatus = ({ w }: BenefitsHost, { election_status: at }: PlanYearEnrollmentRow): TemplateResult =>
  status(w.election[at], tones[at])

export const nameOf = ({ member_first_name, member_last_name }: PlanYearEnrollmentRow): string =>
  `${member_first_name} ${member_last_name}`

/** A person, who leads to all that is known of them. */
export const personLink = (host: BenefitsHost, row: PlanYearEnrollmentRow): TemplateResult =>
  html`<button class="plain" @click=${() => host.show(row.employee_id)}>${nameOf(row)}</button>`

/** What a plan year is called. */
export const yearName = ({ w, f }: BenefitsHost, one: BenefitPlanYearRow): string =>
  w.year(one.product_name, f.months(one.coverage_start, one.coverage_end))

/** Which plan year is looked at, where there are several; where a select would cut its name off, it stands below as well. */
export function yearSelect(host: BenefitsHost): TemplateResult | typeof nothing {
  const { w, year, plan_years = [] } = host
  if (plan_years.length < 2) return nothing
  const names = Object.fromEntries(plan_years.map((one) => [one.id, yearName(host, one)]))
  const chosen = year?.id ?? ''
  return html`<div class="stack tight">
    ${filterSelect('plan-year', w.plan_year, names, chosen, (planYear) => host.narrow({ planYear }))}
    <span class="whole quiet" aria-hidden="true">${names[chosen]}</span>
  </div>`
}

/** A day, or a line where there is none. */
export const dayOr = ({ f }: BenefitsHost, day: Day | null): string => (day === null ? '–' : f.day(day))

/** Facts under one another; those that are not known are left out. */
export const facts = (rows: [name: string, value: unknown][]): TemplateResult =>
  html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(
        ([name, value]) =>
          html`<dt class="quiet">${name}</dt>
            <dd>${value}</dd>`,
      )}
  </dl>`
