import { html, nothing, type TemplateResult } from 'lit'
import type { Day, Enrollment, EnrollmentConfirmation } from 'openbenefits'
import { loadingPlaceholder, heading } from '../core/parts.ts'
import { coverageSpan, covers, frameOf, lastDayOf, timeline } from '../core/timeline.ts'
import { inOrder } from './choices.ts'
import { contacts } from './contacts.ts'
import type { EmployeeHost } from './host.ts'

/** An enrollment with its last day of coverage, which may follow from the next enrollment. */
const ending = (one: Enrollment, all: Enrollment[]): Enrollment => ({ ...one, coverage_end: lastDayOf(one, all) })

/** All present and past coverage on one timeline. */
export function coverage(host: EmployeeHost): TemplateResult {
  const { w, enrollments, dependents, today, confirmations } = host
  if (!enrollments || !dependents || !today || !confirmations) return loadingPlaceholder(w.loading)
  const all = enrollments.map((one) => ending(one, enrollments))
  const covered = inOrder(all).filter(covers)
  if (covered.length === 0)
    return html`${heading(w.coverage)}
      <p class="quiet">${w.no_coverage}</p>
      ${submitted(host, confirmations)}`
  const frame = frameOf(
    covered.map((one) => coverageSpan(one, today)),
    today,
  )
  return html`${heading(w.coverage)}
    <ul class="rows">
      ${covered.map((one) => line(host, one, today, frame))}
    </ul>
    ${submitted(host, confirmations)}`
}

/** The confirmations of submissions, as they were on that day. */
function submitted({ w, f }: EmployeeHost, confirmations: EnrollmentConfirmation[]) {
  if (confirmations.length === 0) return nothing
  return html`<section class="stack" aria-labelledby="submitted">
    <h3 id="submitted">${w.confirmations}</h3>
    <ul class="stack tight">
      ${confirmations.map(
        ({ submitted_at, file }) =>
          html`<li><a href=${file.download_url}>${w.confirmation_of(f.instant(submitted_at))}</a></li>`,
      )}
    </ul>
  </section>`
}

function line(host: EmployeeHost, one: Enrollment, today: Day, frame: [Day, Day]): TemplateResult {
  const { w, f, dependents } = host
  const { benefit, plan, coverage_tier, coverage_start, coverage_end, dependent_ids } = one
  const days = f.span(coverage_start, coverage_end)
  const name = host.nameOf(benefit.name)
  const names = (dependents ?? []).filter(({ id }) => dependent_ids.includes(id)).map(({ first_name }) => first_name)
  return html`<li class="stack tight">
    <div class="line">
      <strong>${name}</strong>
      <span class="quiet">${days}</span>
    </div>
    ${timeline(w.picture(`${name}, ${days}`), [coverageSpan(one, today)], today, frame)}
    <span class="quiet">
      ${plan?.name}${coverage_tier ? ` · ${w.tiers[coverage_tier]}` : nothing}
      ${names.length > 0 ? ` · ${w.covered_with(f.list(names))}` : nothing}
    </span>
    ${coverage_end === null || coverage_end >= today ? contacts(host, one) : nothing}
  </li>`
}
