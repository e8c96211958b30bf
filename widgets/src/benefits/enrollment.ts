import { html, nothing, type TemplateResult } from 'lit'
import type { EnrollmentWindowList, EnrollmentWindowPersonPage } from 'openbenefits'
import { bones, facts, filterSelect, heading, status, table } from '../core/parts.ts'
import type { BenefitsHost, ProgressFilter } from './host.ts'
import { dayOr, nameOf } from './parts.ts'

type EnrollmentWindow = EnrollmentWindowList['data'][number]
type Person = EnrollmentWindowPersonPage['data'][number]

const progress = ['enrolled', 'waived', 'in_progress', 'not_started'] as const
const tones = { enrolled: 'good', waived: '', in_progress: 'wait', not_started: 'wait' } as const

/** The enrollment center: the progress of each open window, and the people of one. */
export function enrollment(host: BenefitsHost): TemplateResult {
  const { w, windows, enrollment_window: shown } = host
  if (!windows) return bones(w.loading)
  if (!shown)
    return html`${heading(w.enrollment)}
      <p class="quiet">${w.no_windows}</p>`
  return html`${heading(w.enrollment)} ${windowSelect(host, windows, shown)} ${summary(host, shown)}
  ${parts(host, shown)} ${people(host)}`
}

function windowSelect(
  host: BenefitsHost,
  windows: EnrollmentWindow[],
  { benefit_plan_year_id: chosen }: EnrollmentWindow,
) {
  if (windows.length < 2) return nothing
  const names = Object.fromEntries(
    windows.map((one) => [one.benefit_plan_year_id, host.f.months(one.coverage_start, one.coverage_end)]),
  )
  return filterSelect('window', host.w.plan_year, names, chosen, (planYear) => host.narrow({ planYear }))
}

function summary({ w, f }: BenefitsHost, { people, open_enrollment_end, days_left }: EnrollmentWindow): TemplateResult {
  return html`<p class="stack tight" part="figure">
      <span class="figure">${people.enrolled + people.waived}</span>
      <span class="quiet">${w.finished_of(people.eligible)}</span>
    </p>
    ${facts([
      ...progress.map((one): [string, unknown] => [w.progress[one], people[one]]),
      [w.closes, open_enrollment_end && f.day(open_enrollment_end)],
      [w.days_left, days_left],
    ])}`
}

/** The progress by benefit and by class. */
function parts({ w }: BenefitsHost, { benefits, classes }: EnrollmentWindow): TemplateResult {
  const rows = [
    ...benefits.map((one) => ({ name: one.benefit_name, done: one.eligible - one.unanswered, of: one.eligible })),
    ...classes.map((one) => ({ name: one.employee_class, done: one.enrolled + one.waived, of: one.eligible })),
  ]
  return table(
    w.by_benefit_and_class,
    [
      { name: w.by_benefit_and_class, of: ({ name }) => name },
      { name: w.responded, of: ({ done, of }) => w.some_of(done, of), is_number: true },
    ],
    rows,
  )
}

function people(host: BenefitsHost): TemplateResult {
  const { w, window_people: page } = host
  return html`<section class="stack" aria-labelledby="window-people">
    <h3 id="window-people">${w.views.people}</h3>
    ${filterSelect<ProgressFilter>('progress', w.status, { '': w.statuses[''], ...w.progress }, host.progress, (one) =>
      host.narrow({ progress: one }),
    )}
    ${
      page
        ? html`<p role="status">${w.people_found(page.total)}</p>
            ${page.rows.length > 0 ? list(host, page.rows) : nothing} ${more(host, page)}`
        : bones(w.loading)
    }
  </section>`
}

const more = (host: BenefitsHost, { rows, total }: { rows: Person[]; total: number }) =>
  rows.length < total ? html`<p><button @click=${() => host.showMore()}>${host.w.more}</button></p>` : nothing

/** An email address that can wrap after its dots and its at sign. */
const breakable = (email: string) => email.split(/(?<=[@.])/).map((part) => html`${part}<wbr />`)

function list(host: BenefitsHost, rows: Person[]): TemplateResult {
  const { w, f } = host
  return table(
    w.views.people,
    [
      {
        name: w.name,
        of: (row) => html`<button class="plain" @click=${() => host.show(row.employee_id)}>${nameOf(row)}</button>`,
      },
      {
        name: w.status,
        of: (row) =>
          html`${status(w.progress[row.status], tones[row.status])}
          ${row.status === 'in_progress' ? w.some_of(row.answered_count, row.benefit_count) : nothing}`,
      },
      { name: w.window, of: ({ window_ends_on }) => dayOr(host, window_ends_on) },
      { name: w.last_reminder, of: ({ last_message }) => dayOr(host, last_message?.due_on ?? null) },
      { name: w.last_activity, of: ({ last_activity_at: at }) => (at ? f.instant(at) : '–') },
      { name: w.email, of: ({ email }) => (email === null ? '–' : breakable(email)) },
    ],
    rows,
  )
}
