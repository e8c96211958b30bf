import { html, nothing, type TemplateResult } from 'lit'
import type { LifeEvent, NewLifeEvent } from 'openbenefits'
import { bones, field, heading, onSubmit, select, status } from '../core/parts.ts'
import type { EmployeeHost } from './host.ts'

const tones = { pending: 'wait', approved: 'good', declined: 'bad' } as const

/** What happened in my life, what was decided about it, and what it opened. */
export function lifeEvents(host: EmployeeHost): TemplateResult {
  const { w, life_events, today } = host
  if (!life_events || !today) return bones(w.loading)
  return html`${heading(w.events)}
    <p class="quiet">${w.events_words}</p>
    <p role="status">${host.said}</p>
    ${
      life_events.length === 0
        ? html`<p class="quiet">${w.no_events}</p>`
        : html`<ul class="rows">
            ${life_events.map((one) => reported(host, one))}
          </ul>`
    }
    ${reporting(host, today)}`
}

function reported({ w, f }: EmployeeHost, one: LifeEvent): TemplateResult {
  const { type, occurred_on, description, window_start, window_end, decision_reason } = one
  return html`<li class="stack tight">
    <div class="line">
      <span><strong>${w.event_types[type]}</strong> <span class="quiet">${f.day(occurred_on)}</span></span>
      ${status(w.event_status[one.status], tones[one.status])}
    </div>
    ${description ? html`<span class="quiet">${description}</span>` : nothing}
    ${window_start && window_end ? html`<span>${w.event_opens(f.span(window_start, window_end))}</span>` : nothing}
    ${decision_reason ? html`<span>${decision_reason}</span>` : nothing}
  </li>`
}

function reporting(host: EmployeeHost, today: string): TemplateResult {
  const { w, faults } = host
  const { dependent_coverage_ended: _, ...types } = w.event_types
  const submit = onSubmit((form, { type, occurred_on, description }) => {
    const { employee_id: id } = host
    if (!id) return
    const said = { type, occurred_on, ...(description && { description }) } as unknown as NewLifeEvent
    const deed = () => host.act((ob) => ob.lifeEvents.create(id, said))
    return host.send(form, w.reported, deed, ['life-events'])
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
