import { html, nothing, type TemplateResult } from 'lit'
import type { EnrollmentQuote } from 'openbenefits'
import { designated } from '../beneficiaries.ts'
import { byPlanYear, planYearName } from '../choices.ts'
import type { EmployeeHost } from '../host.ts'

type Answer = EnrollmentQuote['answers'][number]
type FirstPaycheck = NonNullable<Answer['first_paycheck']>

/** The choices by plan year, because an employee pays for one plan year at a time. */
export function answers(host: EmployeeHost, { answers: given }: EnrollmentQuote, more?: (id: string) => unknown) {
  const answered = (host.enrollments ?? []).filter(({ id }) => given.some((one) => one.enrollment_id === id))
  return byPlanYear(answered).map((enrollments, _, { length }) => {
    const rows = given.filter(({ enrollment_id }) => enrollments.some(({ id }) => id === enrollment_id))
    return html`${length > 1 ? html`<h3>${planYearName(host, enrollments)}</h3>` : nothing}
      <ul class="rows">
        ${rows.map((one) => answer(host, one, more))}
      </ul>`
  })
}

/** The first deduction, and why it is not the amount per paycheck. */
function firstPaycheck(host: EmployeeHost, usual: number, first: FirstPaycheck): TemplateResult {
  const { w, f } = host
  const amount = w.first_paycheck(f.day(first.period_end_date), f.money(first.amount_in_cents))
  return html`<br />${amount}${whyDifferent(host, usual, first)}`
}

function whyDifferent({ w, f }: EmployeeHost, usual: number, first: FirstPaycheck) {
  const { amount_in_cents: amount, corrections_in_cents: corrections } = first
  if (amount === usual) return nothing
  if (corrections > 0) return w.with_earlier(f.money(corrections))
  if (corrections < 0) return w.with_returned(f.money(-corrections))
  return w.in_steps(f.money(usual))
}

/** A choice: benefit and cost; plan, people, first day and first paycheck; beneficiaries. */
function answer(host: EmployeeHost, one: Answer, more?: (id: string) => unknown): TemplateResult {
  const { w, f, dependents = [] } = host
  const { benefit, enrollment_id, first_paycheck: first, effective_on } = one
  const name = host.nameOf(benefit.name)
  const is_waived = one.answer === 'waived'
  const plan = host.enrollment(enrollment_id)?.plans.find(({ id }) => id === one.plan_id)
  const names = dependents.filter(({ id }) => one.dependent_ids.includes(id)).map(({ first_name }) => first_name)
  return html`<li class="stack tight">
    <div class="line">
      <strong>${name}</strong>
      <span class="number">
        ${is_waived ? w.status.waived : html`<strong>${f.money(one.per_paycheck_in_cents)}</strong> ${w.paycheck_unit}`}
      </span>
    </div>
    ${
      is_waived
        ? nothing
        : html`<span>${plan?.name ?? ''}</span>
            <span class="quiet">
              ${w.tiers[one.coverage_tier ?? 'EE']}: ${f.list([w.you_alone, ...names])}
              ${effective_on ? html`<br />${w.starts(f.day(effective_on))}` : nothing}
              ${first ? firstPaycheck(host, one.per_paycheck_in_cents, first) : nothing}
            </span>
            ${designated(host, benefit.id)}`
    }
    ${more ? html`<span class="unprinted">${more(enrollment_id)}</span>` : nothing}
  </li>`
}
