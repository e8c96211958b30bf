import type { Task, ReportedLifeEvent } from 'openbenefits/operator'
import { dayOf, monthOf, sentence } from '../../parts/words.ts'

/** Kinds that later versions add are said by their names. */
const titles: Partial<Record<Task['kind'], string>> = {
  life_event_pending: 'Life event to decide',
  census_held: 'Census on hold: it would terminate many people',
  hris_access_lost: 'Payroll system no longer gives access',
  webhook_disabled: 'Webhook disabled',
  webhook_deliveries_failed: 'Webhook deliveries failed 14 times',
  invoice_drafted: 'Invoice draft to review',
  job_gave_up: 'Job failed as often as it may',
  daily_run_late: 'Daily run is late',
  affordability_figure_missing: 'Affordability figure missing',
  termination_beyond_reach: 'Roster shows a last day more than 60 days ago',
  reinstatement_beyond_reach: 'Back on the roster after more than 60 days',
  start_beyond_reach: 'Roster shows a first day that takes away past coverage',
  enrollment_lapsing: 'Enrollment will lapse: no answer for the next plan year',
  enrollment_superseded: 'Two elections for the same period: the earlier one holds',
  choice_group_doubled: 'Enrolled in two benefits that exclude each other',
}

/** Names of details that say too little by themselves. */
const detail_names: Record<string, string> = {
  url: 'Address',
  occurred_on: 'Happened',
  missing_count: 'Missing from the file',
  roster_count: 'On the roster',
  issued_by_itself_on: 'Issues automatically',
  needed_on: 'Plan years need it from',
}

function saidOf(value: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayOf(value)
  if (/^https?:/.test(value)) return value
  return /^\d{4}-\d\d$/.test(value) ? monthOf(value) : value.replaceAll('_', ' ')
}

/** What days, numbers and reasons are known of a task, in a few words. */
export const detailsOf = ({ details }: Task): string =>
  Object.entries(details)
    .filter(([name, value]) => value !== null && !name.endsWith('_id') && !name.endsWith('_ids'))
    .map(([name, value]) => `${detail_names[name] ?? sentence(name.replace(/_on$/, ''))}: ${saidOf(String(value))}`)
    .join(' · ')

/** What a task is, in a few words; of a life event which. */
export function titleOf({ kind }: Task, event: ReportedLifeEvent | undefined): string {
  const said = titles[kind] ?? sentence(kind)
  return event ? `${said}: ${sentence(event.type).toLowerCase()}` : said
}
