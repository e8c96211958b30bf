import type { ActivityEntry } from 'openbenefits'
import { formatCount, formatDay, formatDollars } from '../../format.ts'
import { eventLabel } from '../../parts/benefits/labels.ts'

type ActivityNames = { person: string; benefit: string; document: string; total: string }

/** The sentence of each kind of change, with the names of its person, benefit and document. */
const sentences: Record<ActivityEntry['event_name'], ((names: ActivityNames) => string) | undefined> = {
  'benefit_plan_year.amended': () => 'The operator amended a plan year',
  'dependent.coverage_ending': ({ person }) => `${person}’s coverage as a dependent ends in 60 days`,
  'dependent.coverage_ended': ({ person }) => `${person}’s coverage as a dependent ended`,
  'dependent.coverage_reinstated': ({ person }) => `${person}’s coverage as a dependent continues`,
  'dependent.verification_requested': ({ person }) => `Documents for ${person} await verification`,
  'dependent.verification_decided': ({ person }) => `${person} was verified or rejected as a dependent`,
  'document.created': ({ document }) => `${document} was added to the library`,
  'document.updated': ({ document }) => `${document} changed`,
  'document.withdrawn': ({ document }) => `${document} was withdrawn`,
  'employer.created': () => 'The employer was added',
  'employer.updated': () => 'The employer or its settings changed',
  'employer.eligibility_policy_created': () => 'A new eligibility policy took effect',
  'employee.created': ({ person }) => `${person} was hired`,
  'employee.updated': ({ person }) => `${person}’s details changed`,
  'employee.eligibility_granted': ({ person }) => `${person} became eligible`,
  'employee.eligibility_terminated': ({ person }) => `${person} is no longer eligible`,
  'employee.measured_full_time': ({ person }) => `${person} is full-time by hours of service`,
  'employee.stability_ended': ({ person }) => `${person} is no longer full-time by hours of service`,
  'employee.deactivated': ({ person }) => `${person}’s employment ended`,
  'employee.rehired': ({ person }) => `${person} was rehired`,
  'employee.reinstated': ({ person }) => `The termination of ${person} was reversed`,
  'employee.deduction_created': ({ person }) => `A deduction for ${person} was added`,
  'employee.document_opened': ({ person, document }) => `${person} opened ${document}`,
  'employee.email_bounced': ({ person }) => `A message to ${person} could not be delivered`,
  'employee.tax_form_posted': ({ person }) => `A tax form was posted for ${person}`,
  'employee.user_mentioned': ({ person }) => `A note about ${person} mentions a colleague`,
  'employer.user_mentioned': () => 'A note about the employer mentions a colleague',
  'enrollment.invitation_due': ({ person, benefit }) => `${person}’s invitation to enroll in ${benefit} is due`,
  'enrollment.reminder_due': ({ person, benefit }) => `${person}’s reminder to enroll in ${benefit} is due`,
  'enrollment.granted': ({ person, benefit }) => `${benefit} was offered to ${person}`,
  'enrollment.started': ({ person, benefit }) => `${person} can now enroll in ${benefit}`,
  'enrollment.elected': ({ person, benefit }) => `${person} elected ${benefit}`,
  'enrollment.accepted': ({ person, benefit }) => `${person}’s ${benefit} election was accepted`,
  'enrollment.waived': ({ person, benefit }) => `${person} waived ${benefit}`,
  'enrollment.renewed': ({ person, benefit }) => `${person}’s ${benefit} renewed`,
  'enrollment.resumed': ({ person, benefit }) => `${person}’s ${benefit} resumed after a rehire`,
  'enrollment.resumption_withdrawn': ({ person, benefit }) => `${person}’s resumed ${benefit} was withdrawn`,
  'enrollment.terminated': ({ person, benefit }) => `The last day of ${person}’s ${benefit} was set`,
  'enrollment.termination_rescheduled': ({ person, benefit }) => `The last day of ${person}’s ${benefit} changed`,
  'enrollment.reissued': ({ person, benefit }) => `${person}’s ended ${benefit} was reopened`,
  'enrollment.reinstated': ({ person, benefit }) => `${person}’s ${benefit} was reinstated`,
  'enrollment.amended': ({ person, benefit }) => `The cost of ${person}’s ${benefit} changed`,
  'census_sync.completed': () => 'A census was processed',
  'group_member_sync.completed': () => 'The members of a group were updated',
  'invoice.issued': ({ total }) => `An invoice${total && ` of ${total}`} was issued`,
  'api_key.created': undefined,
  'api_key.rotated': undefined,
  'api_key.revoked': undefined,
  'webhook_subscription.disabled': undefined,
  'webhook_subscription.test': undefined,
}

/** A change as a sentence. Unknown events of newer versions show their names. */
export function activitySentence({
  event_name,
  person_name,
  benefit_name,
  document_title,
  ...of
}: ActivityEntry): string {
  const total = of.total_in_cents === null ? '' : formatDollars(of.total_in_cents)
  if (of.payday !== null)
    return [
      `Deductions of ${formatCount(of.people_count ?? 0, 'person', 'people')} for ${formatDay(of.payday)} calculated`,
      total,
    ]
      .filter(Boolean)
      .join(', ')
  const names = {
    person: person_name ?? 'An employee',
    benefit: benefit_name ?? 'coverage',
    document: document_title ?? 'A document',
    total,
  }
  return sentences[event_name]?.(names) ?? eventLabel(event_name)
}
