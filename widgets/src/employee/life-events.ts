import { html, nothing, type TemplateResult } from 'lit'
import type { LifeEvent, NewLifeEvent } from 'openbenefits'
import { bones, field, heading, onSubmit, select, status } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

const tones = { pending: 'wait', approved: 'good', declined: 'bad' } as const

/** Reported life events with their decisions, documents and special enrollment periods. */
export function lifeEvents(host: EmployeeHost): TemplateResult {
  const { w, life_events, today } = host
  if (!life_events || !today) return bones(w.loading)
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
  const { w, attaching } = host
  const here = attaching?.id === id ? attaching : undefined
  const add = (event: Event) => {
    const input = event.target as HTMLInputElement
    const file = input.files?.[0]
    if (file) void host.attach(id, file).finally(() => (input.value = ''))
  }
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
  ${
    is_open
      ? html`<div class="field">
          <label for="${id}-file">${w.attach}</label>
          <input
            id="${id}-file"
            type="file"
            accept="application/pdf,image/png,image/jpeg,image/webp,image/heic"
            ?disabled=${here !== undefined && !here.why}
            aria-describedby="${id}-fault"
            @change=${add}
          />
          <span id="${id}-fault" class=${here?.why ? 'fault' : 'quiet'} role=${here?.why ? 'alert' : 'status'}>
            ${here ? (here.why ?? w.attaching) : w.attach_words}
          </span>
        </div>`
      : nothing
  }`
}

function reported(host: EmployeeHost, one: LifeEvent): TemplateResult {
  const { w, f } = host
  const { type, occurred_on, description, window_start, window_end, decision_reason } = one
  return html`<li class="stack tight">
    <div class="line">
      <span><strong>${w.event_types[type]}</strong> <span class="quiet">${f.day(occurred_on)}</span></span>
      ${status(w.event_status[one.status], tones[one.status])}
    </div>
    ${description ? html`<span class="quiet">${description}</span>` : nothing}
    ${window_start && window_end ? html`<span>${w.event_opens(f.span(window_start, window_end))}</span>` : nothing}
    ${decision_reason ? html`<span>${decision_reason}</span>` : nothing} ${documents(host, one)}
  </li>`
}

function reporting(host: EmployeeHost, today: string): TemplateResult {
  const { w, faults } = host
  const { dependent_coverage_ended: _, ...types } = w.event_types
  const submit = onSubmit((form, { type, occurred_on, description }) => {
    const { employee_id: id } = host
    if (!id) return
    const report = { type, occurred_on, ...(description && { description }) } as unknown as NewLifeEvent
    const action = () => host.act((ob) => ob.lifeEvents.create(id, report))
    return host.send(form, w.reported, action, ['life-events'])
  })
  return html`<form class="stack" novalidate @submit=${submit}>
    <h3>${w.report_event}</h3>
    ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
    <div class="fields">
      ${select('type', w.event_type, Object.entries(types), faults.type)}
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
    <p><button>${w.report}</button></p>
  </form>`
}
