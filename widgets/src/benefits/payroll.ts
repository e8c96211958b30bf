import { html, type TemplateResult } from 'lit'
import type { EmployerHris } from 'openbenefits'
import { saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, facts, heading, downloadHeading, status, table } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'

const tones = { active: 'good', pending: 'wait', inactive: 'bad', paused: '' } as const
const run_tones = {
  waiting: 'wait',
  queued: 'wait',
  processing: 'wait',
  completed: 'good',
  held: 'bad',
  failed: 'bad',
} as const
const counted = ['created', 'updated', 'terminated', 'failed'] as const

type Connection = NonNullable<EmployerHris['hris']>

/** The connected payroll system and its recent syncs. */
export function payroll(host: BenefitsHost): TemplateResult {
  const { w, f } = host
  const answer = host.hris
  if (!answer) return loadingPlaceholder(w.loading)
  const { hris } = answer
  if (!hris)
    return html`${heading(w.payroll)}
      <p class="quiet">${w.not_connected}</p>`
  return html`${heading(w.payroll)}
    <div class="line start">
      <strong>${hris.provider_label}</strong> ${status(w.hris_status[hris.status], tones[hris.status])}
    </div>
    <p>${w.hris_words[hris.status]}</p>
    ${facts([
      [w.last_sync, hris.last_sync_on ? f.day(hris.last_sync_on) : w.never],
      [w.rows, hris.synced_row_count],
    ])}
    ${runs(host, hris)}`
}

function runs({ w, f }: BenefitsHost, { provider_label, recent_runs: all }: Connection): TemplateResult {
  const words = { ...w, failed: w.failed_rows }
  const saveAs = () =>
    saveCsv(`${provider_label}, ${w.runs}`, [
      [w.when, w.status, ...counted.map((one) => words[one])],
      ...all.map((run) => [run.requested_at, w.run_states[run.state], ...counted.map((one) => run.counts?.[one])]),
    ])
  return html`<section class="stack" aria-labelledby="runs">
    ${downloadHeading('runs', w.runs, w.csv, saveAs)}
    ${table(
      w.runs,
      [
        {
          name: w.when,
          of: (run) => html`${f.instant(run.requested_at)} ${status(w.run_states[run.state], run_tones[run.state])}`,
        },
        ...counted.map((one) => ({
          name: words[one],
          of: (run: (typeof all)[number]) => run.counts?.[one] ?? '–',
          is_number: true,
        })),
      ],
      all,
    )}
  </section>`
}
