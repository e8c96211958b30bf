import { html, nothing, type TemplateResult } from 'lit'
import type { EnrollmentQuote } from 'openbenefits'
import { bones, heading, table } from '../core/parts.ts'
import { byPlanYear, isOpen, planYearName } from './choices.ts'
import type { EmployeeHost } from './host.ts'

/** All choices with cost and effective date, before they are submitted together. */
export function review(host: EmployeeHost): TemplateResult {
  const { w, f, quote, enrollments, dependents } = host
  if (host.choices.size === 0)
    return html`${heading(w.review_title)}
      <p>${w.untouched}</p>
      <p><button @click=${() => host.go('choose')}>${w.back}</button></p>`
  if (!enrollments || !dependents || !quote) return bones(w.loading)
  const open = enrollments.filter((one) => isOpen(one) && one.status === 'pending' && !host.choices.has(one.id))
  const nameOf = (id: string) => enrollments.find((one) => one.id === id)?.benefit.name ?? ''
  const left = open.filter(({ id }) => !quote.replaced.includes(id)).map(({ benefit }) => benefit.name)
  return html`${heading(w.review_title)} ${answers(host, quote)}
    ${quote.replaced.length > 0 ? html`<p>${w.replaced(f.list(quote.replaced.map(nameOf)))}</p>` : nothing}
    ${quote.continued.length > 0 ? html`<p>${w.continued(f.list(quote.continued.map(nameOf)))}</p>` : nothing}
    ${left.length > 0 ? html`<p class="quiet">${w.left_open(f.list(left))}</p>` : nothing}
    <div role="alert">${[...host.refused.values()].map((why) => html`<p class="fault">${why}</p>`)}</div>
    <div class="line">
      <button @click=${() => host.go('choose')}>${w.back}</button>
      <button class="main" aria-disabled=${String(host.is_submitting)} @click=${() => host.submit()}>
        ${host.is_submitting ? w.submitting : w.submit}
      </button>
    </div>`
}

/** The submitted choices, to print and keep. */
export function confirmation(host: EmployeeHost): TemplateResult {
  const { w, f, confirmed, today, employee } = host
  if (!confirmed || !today || !employee)
    return html`${heading(w.confirmation)}
      <p><button @click=${() => host.go('home')}>${w.to_home}</button></p>`
  return html`${heading(w.confirmation)}
    <p>${employee.first_name} ${employee.last_name}, ${employee.employer_name}. ${w.confirmed(f.day(today))}</p>
    ${answers(host, confirmed)}
    <div class="line start unprinted">
      <button class="main" @click=${() => host.go('home')}>${w.to_home}</button>
      <button aria-disabled=${String(host.is_downloading)} @click=${() => host.downloadConfirmation()}>
        ${w.download}
      </button>
      <button @click=${() => print()}>${w.print}</button>
    </div>`
}

/** The elections by plan year, each with its own total, because an employee pays for one plan year at a time. */
function answers(host: EmployeeHost, { answers: given }: EnrollmentQuote) {
  const answered = (host.enrollments ?? []).filter(({ id }) => given.some((one) => one.enrollment_id === id))
  return byPlanYear(answered).map((those, _, { length }) => {
    const rows = given.filter(({ enrollment_id }) => those.some(({ id }) => id === enrollment_id))
    return html`${length > 1 ? html`<h3>${planYearName(host, those)}</h3>` : nothing} ${answersTable(host, rows)}`
  })
}

type Answer = EnrollmentQuote['answers'][number]

function answersTable(host: EmployeeHost, rows: Answer[]): TemplateResult {
  const { w, f } = host
  const sum = (of: (one: Answer) => number) => f.money(rows.reduce((total, one) => total + of(one), 0))
  return table(
    w.review_title,
    [
      { name: w.benefit, of: ({ benefit }) => benefit.name },
      { name: w.choice, of: (one) => chosen(host, one) },
      {
        name: w.first_paycheck,
        of: ({ first_paycheck: first }) =>
          first ? `${f.short(first.period_end_date)}: ${f.money(first.amount_in_cents)}` : '–',
      },
      { name: w.paycheck, of: (one) => f.money(one.per_paycheck_in_cents), is_number: true },
      { name: w.month, of: (one) => f.money(one.employee_deduction_in_cents), is_number: true },
    ],
    rows,
    {
      name: w.together,
      cells: ['', '', sum((one) => one.per_paycheck_in_cents), sum((one) => one.employee_deduction_in_cents)],
    },
  )
}

/** The plan with its covered people and start date, or "Waived". */
function chosen(host: EmployeeHost, one: EnrollmentQuote['answers'][number]): TemplateResult | string {
  const { w, f, dependents = [] } = host
  if (one.answer === 'waived') return w.status.waived
  const plan = host.enrollment(one.enrollment_id)?.plans.find(({ id }) => id === one.plan_id)
  const names = dependents.filter(({ id }) => one.dependent_ids.includes(id)).map((who) => who.first_name)
  return html`${plan?.name ?? ''}
    <div class="quiet">
      ${w.tiers[one.coverage_tier ?? 'EE']}${names.length > 0 ? `: ${f.list(names)}` : ''}
      ${one.effective_on ? html`<br />${w.starts(f.day(one.effective_on))}` : nothing}
    </div>`
}
