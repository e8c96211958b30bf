import { html, nothing, type TemplateResult } from 'lit'
import type { EnrollmentWindowList, EnrollmentWindowPersonPage } from 'openbenefits'
import { loadingPlaceholder, facts, filterSelect, heading, status, table } from '../core/parts.ts'
import { enrollmentWords } from './enrollment-words.ts'
import type { BenefitsHost, ProgressFilter } from './host.ts'
import { dayOr, nameOf } from './parts.ts'
import { messages, actionResult, schedule } from './reminders.ts'

type EnrollmentWindow = EnrollmentWindowList['data'][number]
type Person = EnrollmentWindowPersonPage['data'][number]

const progress = ['enrolled', 'waived', 'in_progress', 'not_started'] as const
const tones = { enrolled: 'good', waived: '', in_progress: 'wait', not_started: 'wait' } as const

/** The enrollment center: the progress of each open window, the people of one, the schedule and the messages. */
export function enrollment(host: BenefitsHost): TemplateResult {
  const { w, windows, enrollment_window: shown } = host
  const words = enrollmentWords(host)
  if (!windows) return loadingPlaceholder(w.loading)
  return html`${heading(words.title)} ${actionResult(host, 'people')}
  ${
    shown
      ? html`${windowSelect(host, windows, shown)} ${summary(host, shown)} ${parts(host, shown)} ${people(host, shown)}`
      : html`<p class="quiet">${words.no_windows}</p>`
  }
  ${schedule(host)} ${messages(host)}`
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
  return filterSelect('window', host.w.plan_year, names, chosen, (planYear) => host.narrow({ planYear, chosen: [] }))
}

function summary(host: BenefitsHost, { people, open_enrollment_end, days_left }: EnrollmentWindow): TemplateResult {
  const { w, f } = host
  const words = enrollmentWords(host)
  return html`<p class="stack tight" part="figure">
      <span class="figure">${people.enrolled + people.waived}</span>
      <span class="quiet">${words.finished_of(people.eligible)}</span>
    </p>
    ${facts([
      ...progress.map((one): [string, unknown] => [w.progress[one], people[one]]),
      [w.closes, open_enrollment_end && f.day(open_enrollment_end)],
      [words.days_left, days_left],
    ])}`
}

/** The progress by benefit and by class. */
function parts(host: BenefitsHost, { benefits, classes }: EnrollmentWindow): TemplateResult {
  const words = enrollmentWords(host)
  const rows = [
    ...benefits.map((one) => ({ name: one.benefit_name, done: one.eligible - one.unanswered, of: one.eligible })),
    ...classes.map((one) => ({
      name: host.w.classes[one.employee_class],
      done: one.enrolled + one.waived,
      of: one.eligible,
    })),
  ]
  return table(
    words.by_benefit_and_class,
    [
      { name: words.by_benefit_and_class, of: ({ name }) => name },
      { name: words.responded, of: ({ done, of }) => words.some_of(done, of), is_number: true },
    ],
    rows,
  )
}

function people(host: BenefitsHost, { can_answer }: EnrollmentWindow): TemplateResult {
  const { w, chosen, window_people: page } = host
  const words = enrollmentWords(host)
  const recipients = chosen.length || can_answer
  return html`<section class="stack" aria-labelledby="window-people">
    <div class="line">
      <h3 id="window-people">${w.views.people}</h3>
      ${
        recipients > 0
          ? html`<button class="main" @click=${() => host.startReminder(chosen)}>${words.remind(recipients)}</button>`
          : nothing
      }
    </div>
    ${filterSelect<ProgressFilter>('progress', w.status, { '': w.statuses[''], ...w.progress }, host.progress, (one) =>
      host.narrow({ progress: one }),
    )}
    ${
      page
        ? html`<p role="status">${words.people_found(page.total)}</p>
            ${page.rows.length > 0 ? list(host, page.rows) : nothing} ${more(host, page)}`
        : loadingPlaceholder(w.loading)
    }
  </section>`
}

const more = (host: BenefitsHost, { rows, total }: { rows: Person[]; total: number }) =>
  rows.length < total ? html`<p><button @click=${() => host.showMore()}>${host.w.more}</button></p>` : nothing

/** An email address that can wrap after its dots and its at sign. */
const breakable = (email: string) => email.split(/(?<=[@.])/).map((part) => html`${part}<wbr />`)

function list(host: BenefitsHost, rows: Person[]): TemplateResult {
  const { w, f } = host
  const words = enrollmentWords(host)
  return table(
    w.views.people,
    [
      { name: w.name, of: (row) => personCheckbox(host, row) },
      {
        name: w.status,
        of: (row) =>
          html`${status(w.progress[row.status], tones[row.status])}
          ${row.status === 'in_progress' ? words.some_of(row.answered_count, row.benefit_count) : nothing}`,
      },
      { name: w.window, of: ({ window_ends_on }) => dayOr(host, window_ends_on) },
      { name: words.last_message, of: ({ last_message }) => dayOr(host, last_message?.due_on ?? null) },
      { name: words.last_activity, of: ({ last_activity_at: at }) => (at ? f.instant(at) : '–') },
      {
        name: w.email,
        of: ({ email, email_status: reach }) =>
          html`${email === null ? '–' : breakable(email)}
          ${reach === 'reachable' ? nothing : status(words.email_statuses[reach], reach === 'bounced' ? 'bad' : '')}`,
      },
    ],
    rows,
  )
}

/** A person with a checkbox, if they can answer. */
function personCheckbox(host: BenefitsHost, row: Person): TemplateResult {
  const { chosen } = host
  const { employee_id: id } = row
  const toggle = () =>
    host.narrow({ chosen: chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id] }, host.pages)
  return html`<span class="tick">
    <input
      type="checkbox"
      aria-label=${enrollmentWords(host).select(nameOf(row))}
      ?disabled=${row.window_ends_on === null}
      .checked=${chosen.includes(id)}
      @change=${toggle}
    />
    <button class="plain" @click=${() => host.show(id)}>${nameOf(row)}</button>
  </span>`
}
