import type { Task, ReportedLifeEvent } from 'openbenefits/operator'
import { formatDay, formatMonth, toSentence } from '../../format.ts'
import { renewalReason } from '../../parts/benefits/labels.ts'

/** Titles that differ from the name of the kind. */
const titles: Partial<Record<Task['kind'], string>> = {
  life_event_pending: 'Life event to decide',
  census_held: 'Census held: it would terminate many people',
  hris_access_lost: 'Lost access to a payroll system',
  webhook_deliveries_failed: 'Webhook deliveries failed 14 times',
  invoice_drafted: 'Invoice draft to review',
  job_failed: 'Job failed all attempts',
  daily_run_late: 'Daily run is late',
  termination_too_old: 'Roster shows a last day more than 60 days ago',
  reinstatement_too_old: 'Back on the roster after more than 60 days',
  start_too_old: 'Roster shows a hire date that would remove past coverage',
  enrollment_lapsing: 'Enrollment will lapse: no response for the next plan year',
  enrollment_superseded: 'Two elections for the same period: the earlier one applies',
}

/** Labels for details with unclear names. */
const detail_names: Record<string, string> = {
  url: 'URL',
  occurred_on: 'Happened',
  missing_count: 'Missing from the file',
  roster_count: 'On the roster',
  issued_by_itself_on: 'Issues automatically',
  needed_on: 'Needed for plan years from',
}

function formatValue(value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return formatDay(value)
  if (/^https?:/.test(value)) return value
  return /^\d{4}-\d\d$/.test(value) ? formatMonth(value) : value.replaceAll('_', ' ')
}

/** The dates, numbers and reasons of a task. */
export const taskDetails = ({ kind, details }: Pick<Task, 'kind' | 'details'>): string =>
  Object.entries(details)
    .filter(([name, value]) => value !== null && !name.endsWith('_id') && !name.endsWith('_ids'))
    .map(([name, value]) => {
      const text =
        kind === 'enrollment_lapsing' && name === 'reason' ? renewalReason(String(value)) : formatValue(String(value))
      return `${detail_names[name] ?? toSentence(name.replace(/_on$/, ''))}: ${text}`
    })
    .join(' · ')

/** The title of a task, with the type of its life event. */
export function taskTitle({ kind }: Task, event: ReportedLifeEvent | undefined): string {
  const title = titles[kind] ?? toSentence(kind)
  return event ? `${title}: ${toSentence(event.type).toLowerCase()}` : title
}
