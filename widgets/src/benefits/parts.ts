import { html, nothing, type TemplateResult } from 'lit'
import type { BenefitPlanYearRow, Day, PlanYearEnrollmentRow } from 'openbenefits'
import { filterSelect, status } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'

const tones = { Enrolled: 'good', Waived: '', Pending: 'wait', Expired: 'bad' } as const

export const electionStatus = ({ w }: BenefitsHost, { election_status: at }: PlanYearEnrollmentRow): TemplateResult =>
  status(w.election[at], tones[at])

type NamedRow = Pick<PlanYearEnrollmentRow, 'member_first_name' | 'member_last_name'>

export const nameOf = ({ member_first_name, member_last_name }: NamedRow): string =>
  `${member_first_name} ${member_last_name}`

/** Opens the page of a person. */
export const personLink = (host: BenefitsHost, row: PlanYearEnrollmentRow): TemplateResult =>
  html`<button class="plain" @click=${() => host.show(row.employee_id)}>${nameOf(row)}</button>`

/** The display name of a plan year. */
export const yearName = ({ w, f }: BenefitsHost, one: BenefitPlanYearRow): string =>
  w.year(one.product_name, f.months(one.coverage_start, one.coverage_end))

/** Names with more characters may be cut off in a narrow select. */
const max_options = 32

/** Selects one of several plan years. A long name is repeated below on narrow screens. */
export function yearSelect(host: BenefitsHost): TemplateResult | typeof nothing {
  const { w, year, plan_years = [] } = host
  if (plan_years.length < 2) return nothing
  const names = Object.fromEntries(plan_years.map((one) => [one.id, yearName(host, one)]))
  const chosen = year?.id ?? ''
  const name = names[chosen] ?? ''
  return html`<div class="stack tight">
    ${filterSelect('plan-year', w.plan_year, names, chosen, (planYear) => host.narrow({ planYear }))}
    ${name.length > max_options ? html`<span class="whole quiet" aria-hidden="true">${name}</span>` : nothing}
  </div>`
}

/** A day, or a dash for null. */
export const dayOr = ({ f }: BenefitsHost, day: Day | null): string => (day === null ? '–' : f.day(day))
