import { html, nothing, type TemplateResult } from 'lit'
import type { EmployerId, EnrollmentMessage, EnrollmentReminders, EnrollmentSchedule } from 'openbenefits'
import { loadingPlaceholder, facts, heading, onSubmit, status, table } from '../core/parts.ts'
import { faultsOf, isRefusal } from '../core/widget.ts'
import { enrollmentWords, type Occasion } from './enrollment-words.ts'
import type { BenefitsHost } from './host.ts'
import { nameOf } from './parts.ts'

const occasions: Occasion[] = ['opening', 'half_way', 'three_days_before', 'one_day_before']
const tones = {
  published: 'good',
  queued: 'wait',
  sending: 'wait',
  sent: 'good',
  failed: 'bad',
  cancelled: '',
} as const
const rows_of_page = 20

type Section = NonNullable<BenefitsHost['result']>['at']

/** The result of the last action in a part of the enrollment center. */
export const actionResult = ({ result }: BenefitsHost, at: Section): TemplateResult =>
  html`<p role="status">${result?.at === at ? result.text : nothing}</p>`

/** Runs an action and shows its result, which is a refusal or `done`. Returns whether it was done. */
async function did(host: BenefitsHost, at: Section, action: Promise<unknown>, done: string): Promise<boolean> {
  const error = await action.then(
    () => undefined,
    (refused) => refused,
  )
  if (error !== undefined && !isRefusal(error)) return false
  host.result = { at, text: error ? Object.values(faultsOf(error, host.w)).join(' ') : done }
  host.requestUpdate()
  return error === undefined
}

/** The recipients of a reminder, the people left out by reason, and the email, before it is sent. */
export function remind(host: BenefitsHost): TemplateResult {
  const { w, employer_id, enrollment_window: shown, chosen } = host
  const words = enrollmentWords(host)
  const back = html`<p>
    <button class="plain" @click=${() => host.go('enrollment')}>← ${words.back}</button>
  </p>`
  if (!host.windows || !employer_id) return loadingPlaceholder(w.loading)
  if (!shown)
    return html`${back} ${heading(words.reminder)}
      <p class="quiet">${words.no_windows}</p>`
  const request = {
    benefit_plan_year_id: shown.benefit_plan_year_id,
    ...(chosen.length > 0 && { employee_ids: chosen }),
  }
  const plan = host.use(`window preview ${JSON.stringify(request)}`, (ob) =>
    ob.enrollmentWindows.remind(employer_id, { ...request, dry_run: true }),
  )
  if (!plan) return loadingPlaceholder(w.loading)
  const send = async () => {
    let reminded = 0
    const sent = host.act(async (ob) => {
      reminded = (await ob.enrollmentWindows.remind(employer_id, request)).recipients.length
    })
    if (!(await did(host, 'remind', sent, ''))) return
    await host.refresh('window')
    host.narrow({ chosen: [] })
    host.result = { at: 'people', text: words.reminded(reminded) }
    host.go('enrollment')
  }
  return html`${back} ${heading(words.reminder)} ${actionResult(host, 'remind')} ${planned(host, plan, send)}`
}

function planned(host: BenefitsHost, plan: EnrollmentReminders, send: () => Promise<void>): TemplateResult {
  const words = enrollmentWords(host)
  const { recipients, skipped, preview, enrollment_messages } = plan
  const by_reason = [...Map.groupBy(skipped, ({ reason }) => reason)]
  return html`<p class="stack tight" part="figure">
      <span class="figure">${recipients.length}</span>
      <span class="quiet">${words.recipients(recipients.length)}</span>
    </p>
    ${enrollment_messages === 'events' ? html`<p class="quiet">${words.sent_by_administrator}</p>` : nothing}
    ${
      by_reason.length > 0
        ? html`<section class="stack" aria-labelledby="left-out">
            <h3 id="left-out">${words.not_reminded}</h3>
            ${facts(by_reason.map(([reason, those]) => [words.skipped[reason], those.length]))}
          </section>`
        : nothing
    }
    ${
      preview
        ? html`<section class="stack" aria-labelledby="preview">
            <h3 id="preview">${words.preview}</h3>
            <p><strong>${preview.subject}</strong></p>
            <p class="as-written">${preview.text}</p>
          </section>`
        : nothing
    }
    <p>
      ${
        recipients.length === 0
          ? words.no_recipients
          : html`<button class="main" @click=${send}>${words.send(recipients.length)}</button>`
      }
    </p>`
}

/** The messages that employees get automatically. */
export function schedule(host: BenefitsHost): TemplateResult {
  const { w, employer_id } = host
  const words = enrollmentWords(host)
  const found = employer_id && host.use('window schedule', (ob) => ob.enrollmentWindows.getSchedule(employer_id))
  return html`<section class="stack" aria-labelledby="schedule">
    <h3 id="schedule">${words.schedule}</h3>
    <p class="quiet">${words.schedule_words}</p>
    ${found ? scheduleForm(host, employer_id, found) : loadingPlaceholder(w.loading)}
  </section>`
}

function scheduleForm(host: BenefitsHost, employer_id: EmployerId, found: EnrollmentSchedule): TemplateResult {
  const words = enrollmentWords(host)
  const submit = onSubmit(async (_, values) => {
    const changes = Object.fromEntries(occasions.map((one) => [one, values[one] !== undefined]))
    const saved = host.act((ob) => ob.enrollmentWindows.setSchedule(employer_id, changes))
    if (await did(host, 'schedule', saved, words.saved)) await host.refresh('window schedule')
  })
  return html`<form class="stack" @submit=${submit}>
    <fieldset class="stack tight">
      <legend class="unseen">${words.schedule}</legend>
      ${occasions.map(
        (one) =>
          html`<label class="tick">
            <input type="checkbox" name=${one} .checked=${found[one]} /> ${words.entries[one]}
          </label>`,
      )}
    </fieldset>
    <p><button>${words.save}</button></p>
    ${actionResult(host, 'schedule')}
  </form>`
}

/** The history of invitations and reminders, newest first. */
export function messages(host: BenefitsHost): TemplateResult {
  const { w, employer_id } = host
  const words = enrollmentWords(host)
  if (!employer_id) return loadingPlaceholder(w.loading)
  const pages = Array.from({ length: host.message_pages }, (_, at) =>
    host.use(`window messages ${at}`, async (ob) =>
      ob.enrollmentWindows.listMessages(employer_id, { limit: rows_of_page, page: at + 1 }),
    ),
  ).filter((page) => page !== undefined)
  const [first] = pages
  if (!first) return loadingPlaceholder(w.loading)
  const rows = pages.flatMap(({ data }) => data)
  const showMore = () => {
    host.message_pages++
    host.requestUpdate()
  }
  return html`<section class="stack" aria-labelledby="messages">
    <h3 id="messages">${words.messages}</h3>
    ${rows.length === 0 ? html`<p class="quiet">${words.no_messages}</p>` : history(host, rows)}
    ${rows.length < first.pagination.total ? html`<p><button @click=${showMore}>${w.more}</button></p>` : nothing}
  </section>`
}

function history(host: BenefitsHost, rows: EnrollmentMessage[]): TemplateResult {
  const { w, f } = host
  const words = enrollmentWords(host)
  return table(
    words.messages,
    [
      {
        name: w.name,
        of: (row) => html`<button class="plain" @click=${() => host.show(row.employee_id)}>${nameOf(row)}</button>`,
      },
      { name: words.message, of: (row) => `${words.kinds[row.kind]}, ${words.occasions[row.occasion]}` },
      { name: w.status, of: (row) => status(words.states[row.status], tones[row.status]) },
      { name: words.day, of: (row) => f.day(row.due_on) },
    ],
    rows,
  )
}
