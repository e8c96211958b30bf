import { html, nothing, type TemplateResult } from 'lit'
import type { Day, Enrollment } from 'openbenefits'
import { dollars, saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, facts, heading, downloadHeading, status } from '../core/parts.ts'
import { coverageSpan, covers, frameOf, lastDayOf, timeline } from '../core/timeline.ts'
import type { BenefitsHost } from './host.ts'
import { dayOr } from './parts.ts'

const tones = { pending: 'wait', enrolled: 'good', waived: '', inactive: '', expired: '' } as const

/** The status shown for an enrollment. Without a decision or a window, it is `expired`. */
const outcomeOf = ({ status: status_code, election_status }: Enrollment) =>
  status_code === 'pending' && election_status === 'Expired' ? 'expired' : status_code

/** One person: their data, their eligibility with its reason, and a timeline of each enrollment. */
export function person(host: BenefitsHost): TemplateResult {
  const { w, f, person: one, explanation, today } = host
  const enrollments = host.enrollments?.map((row, _, all) => ({ ...row, coverage_end: lastDayOf(row, all) }))
  if (!one || !today) return loadingPlaceholder(w.loading)
  const eligible_on = explanation?.reason_code === 'waiting' ? explanation.eligible_on : null
  const back = html`<p><button class="plain" @click=${() => host.go('people')}>← ${w.back_to_people}</button></p>`
  return html`${back} ${heading(`${one.first_name} ${one.last_name}`)}
    <p>${status(w.employed[one.status], one.status === 'active' ? 'good' : '')}</p>
    ${facts([
      [w.hired, one.hire_date && f.day(one.hire_date)],
      [w.left, one.termination_date && f.day(one.termination_date)],
      [w.class, one.employee_class && w.classes[one.employee_class]],
      [w.email, one.email],
      [w.phone, one.phone],
      [w.reference, one.reference_id],
      [w.eligibility, explanation && w.why_codes[explanation.reason_code]],
      [w.eligible_from, eligible_on && f.day(eligible_on)],
    ])}
    <section class="stack" aria-labelledby="enrollments">
      ${downloadHeading('enrollments', w.enrollments, w.csv, () => enrollments && saveAs(host, enrollments))}
      ${
        !enrollments
          ? html`<span class="bone"></span>`
          : enrollments.length === 0
            ? html`<p class="quiet">${w.no_enrollments}</p>`
            : lines(host, enrollments, today)
      }
    </section>`
}

function saveAs({ w, person }: BenefitsHost, enrollments: Enrollment[]): void {
  const covered = (one: Enrollment) => [
    one.plan?.name,
    one.coverage_tier && w.tiers[one.coverage_tier],
    one.coverage_start,
    one.coverage_end,
    dollars(one.employer_contribution_in_cents),
    dollars(one.employee_deduction_in_cents),
  ]
  saveCsv(`${w.enrollments}, ${person?.first_name} ${person?.last_name}`, [
    [w.benefit, w.status, w.window, w.plan, w.tier, w.from, w.until_day, w.you_pay, w.they_pay],
    ...enrollments.map((one) => [
      one.benefit.name,
      w.answered[outcomeOf(one)],
      one.window?.end,
      ...(covers(one) ? covered(one) : Array<null>(6).fill(null)),
    ]),
  ])
}

function lines(host: BenefitsHost, enrollments: Enrollment[], today: Day): TemplateResult {
  const frame = frameOf(
    enrollments.filter(covers).map((one) => coverageSpan(one, today)),
    today,
  )
  return html`<ul class="rows">
    ${enrollments.map((one) => line(host, one, today, frame))}
  </ul>`
}

function line(host: BenefitsHost, one: Enrollment, today: Day, frame: [Day, Day]): TemplateResult {
  const { w, f } = host
  const { benefit, plan, coverage_tier, coverage_start, coverage_end, window } = one
  const days = f.span(coverage_start, coverage_end)
  return html`<li class="stack tight">
    <div class="line">
      <strong>${benefit.name}</strong>
      ${status(w.answered[outcomeOf(one)], tones[outcomeOf(one)])}
    </div>
    ${
      plan && covers(one)
        ? html`${timeline(w.picture(`${benefit.name}, ${days}`), [coverageSpan(one, today)], today, frame)}
            <span class="quiet">${days} · ${plan.name}${coverage_tier ? ` · ${w.tiers[coverage_tier]}` : nothing}</span>
            <span class="quiet">
              ${w.you_pay}: ${f.money(one.employer_contribution_in_cents)} · ${w.they_pay}:
              ${f.money(one.employee_deduction_in_cents)}
            </span>`
        : nothing
    }
    ${window ? html`<span>${w.window}: ${dayOr(host, window.end)}</span>` : nothing}
  </li>`
}
