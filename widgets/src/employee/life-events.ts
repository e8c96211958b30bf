import { html, nothing, type TemplateResult } from 'lit'
import type { AnyLifeEventType, LifeEvent, NewDependent, NewLifeEvent } from 'openbenefits'
import { loadingPlaceholder, field, heading, onSubmit, select, status } from '../core/parts.ts'
import { accepted, uploadField } from './family/attachments.ts'
import type { EmployeeHost } from './host.ts'

const tones = { pending: 'wait', approved: 'good', declined: 'bad' } as const

/** Reported life events with their decisions, documents and special enrollment periods. */
export function lifeEvents(host: EmployeeHost): TemplateResult {
  const { w, life_events, today } = host
  if (!life_events || !today) return loadingPlaceholder(w.loading)
  return html`${heading(w.events)}
    <p class="quiet">${w.events_words}</p>
    <p role="status">${host.message}</p>
    ${
      life_events.length === 0
        ? html`<p class="quiet">${w.no_events}</p>`
        : html`<ul class="rows">
            ${life_events.map((one) => reported(host, one))}
          </ul>`
    }
    ${reporting(host, today)}`
}

/** The documents of a life event. More can be added while it is in review. */
function documents(host: EmployeeHost, { id, status, attachments }: LifeEvent): TemplateResult {
  const { w } = host
  const is_open = status === 'pending'
  const shown = ({ id: attachment_id, file_name, file, scan }: LifeEvent['attachments'][number]) =>
    html`<li class="line">
      <span>
        ${file ? html`<a href=${file.download_url}>${file_name}</a>` : file_name}
        ${scan === 'waiting' || scan === 'refused' ? html`<span class="quiet">${w.scans[scan]}</span>` : nothing}
      </span>
      ${
        is_open
          ? html`<button
              class="plain"
              aria-label=${w.remove_document(file_name)}
              @click=${() => host.detach(id, attachment_id)}
            >
              ${w.remove}
            </button>`
          : nothing
      }
    </li>`
  return html`${
    attachments.length > 0
      ? html`<ul class="stack tight" aria-label=${w.attachments}>
          ${attachments.map(shown)}
        </ul>`
      : nothing
  }
  ${is_open ? uploadField(host, id, (file) => host.attach(id, file)) : nothing}`
}

function reported(host: EmployeeHost, one: LifeEvent): TemplateResult {
  const { w, f, election, today, draft } = host
  const { type, occurred_on, description, window_start, window_end, decision_reason } = one
  const is_open =
    window_start !== null &&
    window_end !== null &&
    window_start <= today! &&
    today! <= window_end &&
    draft !== undefined
  return html`<li class="stack tight">
    <div class="line">
      <span><strong>${w.event_types[type]}</strong> <span class="quiet">${f.day(occurred_on)}</span></span>
      ${status(w.event_status[one.status], tones[one.status])}
    </div>
    ${description ? html`<span class="quiet">${description}</span>` : nothing}
    ${window_start && window_end ? html`<span>${w.event_opens(f.span(window_start, window_end))}</span>` : nothing}
    ${is_open ? html`<p><button class="main" @click=${() => election.open()}>${w.begin}</button></p>` : nothing}
    ${decision_reason ? html`<span>${decision_reason}</span>` : nothing} ${documents(host, one)}
  </li>`
}

/** The dependent who joins through an event. */
const joins: Partial<Record<AnyLifeEventType, 'spouse' | 'child'>> = {
  marriage: 'spouse',
  birth: 'child',
  adoption: 'child',
  placement: 'child',
}

/** Reports an event with the facts that it needs: its day, the person who joins, and a document. */
function reporting(host: EmployeeHost, today: string): TemplateResult {
  const { w, faults, event_type } = host
  const { dependent_coverage_ended: _, ...types } = w.event_types
  const person = joins[event_type]
  const submit = onSubmit((form, values) => void report(host, form, values, person))
  const change = ({ target }: Event) => {
    if ((target as HTMLSelectElement).name !== 'type') return
    host.event_type = (target as HTMLSelectElement).value as AnyLifeEventType
    host.requestUpdate()
  }
  const one = (name: 'first_name' | 'last_name' | 'date_of_birth', more: object = {}) =>
    field({ name, label: w[name], fault: faults[name], ...more })
  return html`<form class="stack" novalidate @submit=${submit} @change=${change}>
    <h3>${w.report_event}</h3>
    ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
    ${select('type', w.event_type, Object.entries(types), faults.type)}
    <p>${w.event_allows[event_type]}</p>
    <div class="fields">
      ${field({
        name: 'occurred_on',
        label: w.event_day,
        type: 'date',
        max: today,
        required: true,
        fault: faults.occurred_on,
      })}
      ${field({ name: 'description', label: w.event_description, fault: faults.description })}
    </div>
    ${
      person
        ? html`<h4>${w.event_person[person]}</h4>
            <p class="quiet">${w.event_person_words}</p>
            <div class="fields">
              ${one('first_name')} ${one('last_name')} ${one('date_of_birth', { type: 'date', max: today })}
            </div>`
        : nothing
    }
    <div class="field">
      <label for="proof">${w.attach}</label>
      <input id="proof" type="file" accept=${accepted} />
      <span class="quiet">${w.attach_words}</span>
    </div>
    <p class="quiet">${w.event_next}</p>
    <p><button class="main">${w.report}</button></p>
  </form>`
}

/** Adds the person, reports the event and attaches the document. */
async function report(
  host: EmployeeHost,
  form: HTMLFormElement,
  { type, occurred_on, description, first_name, last_name, date_of_birth }: Record<string, string>,
  relationship: 'spouse' | 'child' | undefined,
): Promise<void> {
  const { employee_id: id, w } = host
  if (!id) return
  const reported = { type, occurred_on, ...(description && { description }) } as unknown as NewLifeEvent
  const person = { relationship, first_name, last_name, date_of_birth } as unknown as NewDependent
  const file = form.querySelector<HTMLInputElement>('#proof')?.files?.[0]
  const is_named = relationship !== undefined && Boolean(first_name || last_name || date_of_birth)
  // The second child of one birth joins by the same event.
  const known = host.life_events?.find(
    (one) => one.status === 'pending' && one.type === type && one.occurred_on === occurred_on && one.type !== 'other',
  )
  const action = () =>
    host.act(async (ob) => {
      if (is_named && !isListed(host, person)) await ob.dependents.create(id, person)
      return known ?? ob.lifeEvents.create(id, reported)
    })
  const message = known ? w.already_reported : w.reported
  const made = await host.send(form, message, action, ['dependents', 'life-events'])
  if (!made) return
  host.event_type = 'marriage'
  if (file) await host.attach(made.id, file)
}

/** Whether a dependent is already added, so that another attempt to report the event does not add them again. */
const isListed = ({ dependents = [] }: EmployeeHost, { first_name, last_name, date_of_birth }: NewDependent): boolean =>
  dependents.some(
    (one) =>
      one.active &&
      one.date_of_birth === date_of_birth &&
      one.first_name.toLowerCase() === first_name.toLowerCase() &&
      one.last_name.toLowerCase() === last_name.toLowerCase(),
  )
