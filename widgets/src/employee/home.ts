import { html, nothing, type TemplateResult } from 'lit'
import type { Day, Enrollment, Paycheck } from 'openbenefits'
import { daysBetween } from '../core/format.ts'
import { loadingPlaceholder, heading, status } from '../core/parts.ts'
import { covers, lastDayOf } from '../core/timeline.ts'
import { inOrder, isOpen } from './choices.ts'
import { contacts } from './contacts.ts'
import { stepName } from './election/offers.ts'
import type { EmployeeHost } from './host.ts'

/** The benefits that need a choice, the next deduction, and the coverage now and soon. */
export function home(host: EmployeeHost): TemplateResult {
  // Start all requests together.
  const { w, f, employee, enrollments, today, paychecks } = host
  if (!employee || !enrollments || !today) return loadingPlaceholder(w.loading)
  const live = inOrder(enrollments.filter((one) => one.status !== 'inactive')).map((one) => ({
    ...one,
    coverage_end: lastDayOf(one, enrollments),
  }))
  // An enrollment that ends before it starts stays enrolled until its end, and covers nothing.
  const enrolled = live.filter((one) => one.status === 'enrolled' && covers(one))
  const now = enrolled.filter(({ coverage_start }) => coverage_start <= today)
  const soon = enrolled.filter(({ coverage_start }) => coverage_start > today)
  const without = live.filter((one) => one.status === 'waived' || one.election_status === 'Expired')
  const open = enrollments.filter(isOpen)
  const { termination_date: last_day } = employee
  const has_left = last_day !== null && last_day < today
  const is_waiting =
    !has_left && now.length + open.length === 0 && live.every(({ status: state }) => state !== 'waived')
  return html`
    ${heading(w.hello(employee.first_name))} ${pendingChoices(host, open, today)}
    ${nextPaycheck(host, paychecks, today)} ${section(host, 'now', w.covered_now, now)}
    ${section(host, 'soon', w.starting_soon, soon)} ${section(host, 'without', w.not_covered_list, without)}
    ${
      enrolled.length > 0
        ? html`<p>
            <button aria-disabled=${String(host.is_downloading)} @click=${() => host.downloadStatement()}>
              ${w.statement(today.slice(0, 4))}
            </button>
          </p>`
        : nothing
    }
    ${
      live.length === 0
        ? html`<p class="quiet">${has_left ? w.employment_is_over(f.day(last_day)) : w.nothing_yet}</p>`
        : nothing
    }
    ${is_waiting ? html`<p><button @click=${() => host.go('why')}>${w.why_not_yet}</button></p>` : nothing}
  `
}

function section(host: EmployeeHost, id: string, name: string, rows: Enrollment[]): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing
  return html`<section class="stack" aria-labelledby=${id}>
    <h3 id=${id}>${name}</h3>
    <ul class="rows">
      ${rows.map((one) => coverageCard(host, one, host.today!))}
    </ul>
  </section>`
}

function nextPaycheck({ w, f }: EmployeeHost, paychecks: Paycheck[] | undefined, today: Day) {
  if (!paychecks) return html`<span class="bone figure"></span>`
  const next = paychecks.find(({ statement_id, period_end_date }) => statement_id === null || period_end_date >= today)
  if (!next) return html`<p class="quiet">${w.no_paycheck}</p>`
  return html`<p class="stack tight" part="figure">
    <span class="figure">${f.money(next.total_in_cents)}</span>
    <span class="quiet">${w.next_paycheck(f.day(next.period_end_date))}</span>
  </p>`
}

/** The benefits that need a choice, with the deadline and where the employee left off. */
function pendingChoices(host: EmployeeHost, open: Enrollment[], today: Day) {
  if (open.length === 0) return nothing
  const { w, f, election, dependents, draft } = host
  const until = open.map(({ window }) => window!.end).sort()[0]!
  const until_when = html`<strong>${w.choose_until(f.day(until), daysBetween(today, until))}</strong>`
  // The draft decides the label of the button.
  if (!draft) return html`<section class="call stack" part="call">${until_when}<span class="bone"></span></section>`
  const is_begun = election.choices.size > 0 || draft.saved_at !== null
  const left = election.undecided.map((step) => stepName(host, step))
  const word = is_begun ? w.go_on : left.length > 0 ? w.begin : w.change
  return html`<section class="call stack" part="call">
    ${until_when} ${is_begun ? html`<p>${w.in_progress}</p>` : nothing}
    <p>${left.length > 0 ? w.still_to_choose(f.list(left)) : is_begun ? w.not_signed : w.all_chosen}</p>
    <div class="line start">
      <button
        class=${left.length > 0 || is_begun ? 'main' : ''}
        aria-disabled=${String(!dependents)}
        @click=${() => dependents && election.open()}
      >
        ${word}
      </button>
      ${
        election.can_keep && !is_begun && left.length > 0
          ? html`<button aria-disabled=${String(!dependents)} @click=${() => dependents && election.keepAll()}>
              ${w.keep_all}
            </button>`
          : nothing
      }
    </div>
  </section>`
}

/** An enrollment in two lines (benefit and cost; plan, people and days) with the contacts of its carrier. */
function coverageCard(host: EmployeeHost, one: Enrollment, today: Day): TemplateResult {
  const { w, f } = host
  const { benefit, plan, coverage_tier, coverage_start, coverage_end, upcoming_election } = one
  const elected = plan && coverage_tier ? { plan, coverage_tier } : upcoming_election
  const shown_status = one.status === 'pending' ? 'expired' : one.status
  const cost = upcoming_election && !plan ? upcoming_election : one
  const day =
    coverage_start > today ? w.starts(f.day(coverage_start)) : coverage_end ? w.ends(f.day(coverage_end)) : undefined
  const name = host.nameOf(benefit.name)
  if (shown_status !== 'enrolled' || !elected)
    return html`<li class="stack tight">
      <div class="line"><strong>${name}</strong>${status(w.status[shown_status])}</div>
      <span class="quiet">${w.for_coverage_from(f.day(coverage_start))}</span>
    </li>`
  return html`<li class="stack tight">
    <div class="line">
      <strong>${name}</strong>
      <span class="number">${w.per_month(f.money(cost.employee_deduction_in_cents))}</span>
    </div>
    <span class="quiet">
      ${elected.plan.name} · ${w.tiers[elected.coverage_tier]}${day ? html`<br />${day}` : nothing}
    </span>
    ${contacts(host, one)}
  </li>`
}
