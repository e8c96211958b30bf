import { html, nothing, type TemplateResult } from 'lit'
import type { Day, Enrollment, Paycheck } from 'openbenefits'
import { daysBetween } from '../core/format.ts'
import { bones, heading, status } from '../core/parts.ts'
import { lastDayOf } from '../core/timeline.ts'
import { byPlanYear, inOrder, isOpen, planYearName } from './choices.ts'
import type { EmployeeHost } from './host.ts'

/** The next deduction, the open decisions with their deadline, and the employee's benefits. */
export function home(host: EmployeeHost): TemplateResult {
  // Start all requests together.
  const { w, employee, enrollments, today, explanation, paychecks } = host
  if (!employee || !enrollments || !today) return bones(w.loading)
  const live = inOrder(enrollments.filter((one) => one.status !== 'inactive'))
  const is_waiting = explanation && explanation.status !== 'eligible'
  return html`
    ${heading(w.hello(employee.first_name))} ${nextPaycheck(host, paychecks, today)}
    ${toDecide(host, enrollments.filter(isOpen), today)}
    <section class="stack" aria-labelledby="have">
      <h3 id="have">${w.what_i_have}</h3>
      ${
        live.length === 0
          ? html`<p class="quiet">${w.nothing_yet}</p>`
          : byPlanYear(live).map(
              (those, _, { length }) =>
                html`${length > 1 ? html`<h4>${planYearName(host, those)}</h4>` : nothing}
                  <ul class="rows">
                    ${those.map((one) => held(host, { ...one, coverage_end: lastDayOf(one, enrollments) }, today))}
                  </ul>`,
            )
      }
      ${
        is_waiting || live.length === 0
          ? html`<p><button @click=${() => host.go('why')}>${w.why_not_yet}</button></p>`
          : nothing
      }
    </section>
  `
}

function nextPaycheck({ w, f }: EmployeeHost, paychecks: Paycheck[] | undefined, today: Day) {
  if (!paychecks) return html`<span class="bone figure"></span>`
  const next = paychecks.find(({ statement_id, period_end_date }) => statement_id === null || period_end_date >= today)
  if (!next) return html`<p class="quiet">${w.no_paycheck}</p>`
  return html`<p class="stack tight" part="figure">
    <span class="figure">${f.money(next.total_in_cents)}</span>
    <span class="quiet">${w.next_paycheck(f.span(next.period_start_date, next.period_end_date))}</span>
  </p>`
}

function toDecide(host: EmployeeHost, open: Enrollment[], today: Day) {
  if (open.length === 0) return nothing
  const { w, f } = host
  const until = open.map(({ window }) => window!.end).sort()[0]!
  const left = open.filter(({ status }) => status === 'pending').map(({ benefit }) => benefit.name)
  return html`<section class="call stack" part="call">
    <strong>${w.choose_until(f.day(until), daysBetween(today, until))}</strong>
    <p>${left.length > 0 ? w.still_to_choose(f.list(left)) : w.all_chosen}</p>
    <p>
      <button class=${left.length > 0 ? 'main' : ''} @click=${() => host.go('choose')}>
        ${left.length > 0 ? w.begin : w.change}
      </button>
    </p>
  </section>`
}

/** An enrollment in two lines: benefit and status, then plan, coverage level and cost. */
function held({ w, f }: EmployeeHost, one: Enrollment, today: Day): TemplateResult {
  const { benefit, plan, coverage_tier, coverage_start, coverage_end, upcoming_election } = one
  const elected = plan && coverage_tier ? { plan, coverage_tier } : upcoming_election
  const shown_status = one.status === 'pending' && !one.window ? 'expired' : one.status
  const tone = shown_status === 'enrolled' ? 'good' : shown_status === 'pending' ? 'wait' : ''
  const cost = upcoming_election && !plan ? upcoming_election : one
  const day =
    coverage_start > today ? w.starts(f.day(coverage_start)) : coverage_end ? w.ends(f.day(coverage_end)) : undefined
  return html`<li class="stack tight">
    <div class="line"><strong>${benefit.name}</strong>${status(w.status[shown_status], tone)}</div>
    ${
      one.status === 'enrolled' && elected
        ? html`<div class="line quiet">
            <span>${elected.plan.name} · ${w.tiers[elected.coverage_tier]}${day ? `\u00a0· ${day}` : ''}</span>
            <span class="number">${w.per_month(f.money(cost.employee_deduction_in_cents))}</span>
          </div>`
        : shown_status === 'expired'
          ? html`<span class="quiet">${w.for_coverage_from(f.day(coverage_start))}</span>`
          : shown_status === 'pending' && coverage_start > today
            ? html`<span class="quiet">${w.can_start(f.day(coverage_start))}</span>`
            : nothing
    }
  </li>`
}
