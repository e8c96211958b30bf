import { html, nothing, type TemplateResult } from 'lit'
import type {
  BenefitPlanYearRow,
  Day,
  EnrollmentWindowPersonPage,
  PlanYearEnrollmentRow,
  PlanYearEnrollmentSummary,
} from 'openbenefits'
import { saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, heading, downloadHeading, table } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'
import { nameOf, yearName, yearSelect } from './parts.ts'

const counted = ['eligible', 'enrolled', 'waived', 'pending', 'expired'] as const

/** Enrollment counts by benefit, the people to remind, and the next end dates. */
export function overview(host: BenefitsHost): TemplateResult {
  const { w, employer, year } = host
  if (!employer || year === undefined) return loadingPlaceholder(w.loading)
  if (year === null)
    return html`${heading(w.title(employer.name))}
      <p class="quiet">${w.no_years}</p>`
  // Start all requests together, and draw when all have arrived.
  const { summary, to_remind, ending } = host
  return html`${heading(w.title(employer.name))} ${yearSelect(host)}
  ${
    summary && to_remind && ending
      ? html`<p class="stack tight" part="figure">
            <span class="figure">${summary.people.pending}</span>
            <span class="quiet">${w.waiting_people(summary.people.pending)}</span>
          </p>
          ${remind(host, to_remind)} ${counts(host, summary)} ${ends(host, ending)}`
      : loadingPlaceholder(w.loading)
  }`
}

function remind(host: BenefitsHost, { data, pagination: { total } }: EnrollmentWindowPersonPage): TemplateResult {
  const { w, f, year } = host
  const inYear = (go: () => void) => () => {
    host.narrow({ planYear: year!.id, progress: '' })
    go()
  }
  const row = (one: (typeof data)[number]) =>
    html`<li class="line">
      <button class="plain" @click=${() => host.show(one.employee_id)}>${nameOf(one)}</button>
      ${one.window_ends_on ? html`<span class="number">${w.until(f.day(one.window_ends_on))}</span>` : nothing}
    </li>`
  return html`<section class="stack" aria-labelledby="remind">
    <h3 id="remind">${w.remind}</h3>
    ${
      data.length === 0
        ? html`<p class="quiet">${w.no_reminders}</p>`
        : html`<ul class="rows">
              ${data.map(row)}
            </ul>
            <p>
              <button class="main" @click=${inYear(() => host.startReminder([]))}>${w.remind_all(total)}</button>
              <button @click=${inYear(() => host.go('enrollment'))}>${w.all_waiting(total)}</button>
            </p>`
    }
  </section>`
}

function counts(host: BenefitsHost, { people, benefits }: PlanYearEnrollmentSummary): TemplateResult {
  const { w, year } = host
  const named = ({ benefit_id, counts }: (typeof benefits)[number]) => ({
    benefit_name: year?.benefits.find(({ id }) => id === benefit_id)?.name ?? '',
    counts,
  })
  const rows = [{ benefit_name: w.any_benefit, counts: people }, ...benefits.map(named)]
  const saveAs = () =>
    saveCsv(year ? yearName(host, year) : w.by_benefit, [
      [w.benefit, ...counted.map((one) => w.counts[one])],
      ...rows.map((row) => [row.benefit_name, ...counted.map((one) => row.counts[one])]),
    ])
  return html`<section class="stack" aria-labelledby="counts">
    ${downloadHeading('counts', w.by_benefit, w.csv, saveAs)}
    ${table(
      w.by_benefit,
      [
        { name: w.benefit, of: ({ benefit_name }) => benefit_name },
        ...counted.map((one) => ({
          name: w.counts[one],
          of: (row: (typeof rows)[number]) => row.counts[one],
          is_number: true,
        })),
      ],
      rows,
    )}
  </section>`
}

/** Downloads all end dates starting today. The page lists only the first of them. */
async function saveEnds(host: BenefitsHost, year: BenefitPlanYearRow, today: Day): Promise<void> {
  const { w } = host
  const { open_enrollment_end: window_end, coverage_end } = year
  const ending = await host.readEnding(today)
  if (!ending) return
  saveCsv(`${yearName(host, year)}, ${w.ends_soon}`, [
    [w.name, w.what_ends, w.until_day],
    ...(window_end && window_end >= today ? [['', w.open_enrollment, window_end]] : []),
    ...ending.map((one) => [nameOf(one), one.benefit_name, one.coverage_end]),
    ...(coverage_end >= today ? [['', w.plan_year, coverage_end]] : []),
  ])
}

/** End dates of open enrollment, coverage and the plan year, starting today. */
function ends(host: BenefitsHost, ending: PlanYearEnrollmentRow[]): TemplateResult | typeof nothing {
  const { w, f, year, today } = host
  if (!year || !today) return nothing
  const { open_enrollment_end: window_end, coverage_end } = year
  return html`<section class="stack" aria-labelledby="ends">
    ${downloadHeading('ends', w.ends_soon, w.csv, () => saveEnds(host, year, today))}
    <ul class="rows">
      ${window_end && window_end >= today ? html`<li>${w.window_ends(f.day(window_end))}</li>` : nothing}
      ${ending.map(
        (one) =>
          html`<li class="line">
            <button class="plain" @click=${() => host.show(one.employee_id)}>${nameOf(one)}</button>
            <span>${w.coverage_ends(one.benefit_name, f.day(one.coverage_end!))}</span>
          </li>`,
      )}
      ${coverage_end >= today ? html`<li>${w.year_ends(f.day(coverage_end))}</li>` : nothing}
    </ul>
  </section>`
}
