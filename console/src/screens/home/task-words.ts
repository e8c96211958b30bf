import type { PartnerTask } from 'openbenefits'
import { formatCount, formatDay, formatMonth, toSentence } from '../../format.ts'
import { renewalReason } from '../../parts/benefits/labels.ts'

type Kind = PartnerTask['kind']
type TaskTitles = { one: (task: PartnerTask) => string; many: (total: number) => string }

const formatPeople = (task: PartnerTask) => formatCount(task.people_count ?? 0, 'person', 'people')
const detail = ({ details }: PartnerTask, name: string) => String(details[name] ?? '')

/** The titles of one task and of several. Kinds of later versions are shown by their names. */
const titles: Partial<Record<Kind, TaskTitles>> = {
  employer_setup: {
    one: (task) =>
      `Set up ${task.employer_name}: ${detail(task, 'done_count')}\u00a0of\u00a0${detail(task, 'step_count')}`,
    many: (total) => `${total} employers to set up`,
  },
  note_mention: { one: () => 'A note mentions you', many: (total) => `${total} notes mention you` },
  life_event_pending: {
    one: (task) => `Life event: ${toSentence(detail(task, 'type')).toLowerCase()}`,
    many: (total) => `${total} life events await a decision`,
  },
  dependent_verification_pending: {
    one: (task) => `Documents of a dependent to review: ${toSentence(detail(task, 'relationship')).toLowerCase()}`,
    many: (total) => `Documents of ${total} dependents to review`,
  },
  enrollment_lapsing: {
    one: (task) => `${detail(task, 'benefit_name')} coverage will end without an election`,
    many: (total) => `${total} enrollments will end without an election`,
  },
  census_held: {
    one: (task) => `Census held: it would terminate ${formatPeople(task)}`,
    many: (total) => `${total} censuses held`,
  },
  census_failed: {
    one: (task) => `Census with ${formatCount(task.people_count ?? 0, 'failed row')}`,
    many: (total) => `${total} censuses with failed rows`,
  },
  hris_access_lost: {
    one: () => 'Lost access to the payroll system',
    many: (total) => `Lost access to ${total} payroll systems`,
  },
  hris_sync_failed: { one: () => 'Payroll sync failed', many: (total) => `${total} payroll syncs failed` },
  full_time_trend: {
    one: (task) => `${formatPeople(task)} trending toward full-time`,
    many: (total) => `${total} employers with people trending toward full-time`,
  },
  tax_identifiers_missing: {
    one: (task) => `Tax identifiers missing for ${formatPeople(task)}`,
    many: (total) => `${total} filings with missing tax identifiers`,
  },
  tax_forms_due: {
    one: (task) => `Tax forms of ${formatPeople(task)} to release`,
    many: (total) => `${total} filings with tax forms to release`,
  },
  tax_forms_unmailed: {
    one: (task) => `Tax forms of ${formatPeople(task)} to mail`,
    many: (total) => `${total} filings with tax forms to mail`,
  },
  tax_forms_unfiled: {
    one: (task) => `Tax forms of ${formatPeople(task)} to file with the IRS`,
    many: (total) => `${total} filings with tax forms to file`,
  },
  tax_form_errors: {
    one: (task) =>
      task.details.status === 'rejected'
        ? 'Tax forms rejected by the IRS'
        : `Tax forms of ${formatPeople(task)} with errors`,
    many: (total) => `${total} transmissions of tax forms with errors`,
  },
  invoice_drafted: {
    one: ({ resource_id }) => `Invoice ${resource_id} to review`,
    many: (total) => `${total} invoices to review`,
  },
  webhook_disabled: { one: () => 'Webhook disabled', many: (total) => `${total} webhooks disabled` },
  webhook_deliveries_failed: {
    one: () => 'Webhook deliveries failed',
    many: (total) => `Deliveries to ${total} webhooks failed`,
  },
}

export const taskTitle = (task: PartnerTask): string => titles[task.kind]?.one(task) ?? toSentence(task.kind)
export const groupTitle = (kind: Kind, total: number): string =>
  titles[kind]?.many(total) ?? `${toSentence(kind)}: ${total}`

/** The facts below the title of a task. */
export function taskFacts(task: PartnerTask): string {
  const { kind, person_name, details } = task
  const facts: Partial<Record<Kind, string>> = {
    note_mention: `“${detail(task, 'excerpt')}”`,
    life_event_pending: details.occurred_on ? `happened ${formatDay(detail(task, 'occurred_on'))}` : '',
    enrollment_lapsing: details.reason ? renewalReason(detail(task, 'reason')) : '',
    invoice_drafted: details.period ? `for ${formatMonth(detail(task, 'period'))}, issued automatically` : '',
    census_failed: `of ${formatCount(Number(details.row_count), 'row')}`,
    hris_access_lost: 'The operator renews the credentials.',
    hris_sync_failed: 'The sync is repeated automatically.',
    full_time_trend: task.due_on ? `measured until ${formatDay(task.due_on)}` : '',
    tax_identifiers_missing: `for the tax year ${detail(task, 'tax_year')}`,
    tax_forms_due: `for the tax year ${detail(task, 'tax_year')}`,
    tax_forms_unmailed: `for the tax year ${detail(task, 'tax_year')}`,
    tax_forms_unfiled: `for the tax year ${detail(task, 'tax_year')}`,
    webhook_disabled: detail(task, 'url'),
    webhook_deliveries_failed: detail(task, 'url'),
  }
  return [person_name, facts[kind]].filter(Boolean).join(' · ')
}
