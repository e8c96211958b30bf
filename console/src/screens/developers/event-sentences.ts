import type { WebhookEvent } from 'openbenefits'
import { happenedOf } from '../../format.ts'

/** Events as sentences, without names, because events contain nothing personal. */
const sentences: Record<WebhookEvent['event_name'], string | undefined> = {
  'benefit_plan_year.amended': 'The operator amended a plan year',
  'dependent.coverage_ending': 'A dependent’s coverage ends in 60 days',
  'dependent.coverage_ended': 'A dependent’s coverage ended',
  'dependent.coverage_reinstated': 'A dependent’s coverage continues',
  'employer.created': 'The employer was added',
  'employer.updated': 'The employer or its settings changed',
  'employer.eligibility_policy_created': 'A new eligibility policy took effect',
  'employee.created': 'An employee was hired',
  'employee.updated': 'The data of an employee changed',
  'employee.eligibility_granted': 'An employee became eligible',
  'employee.eligibility_terminated': 'An employee is no longer eligible',
  'employee.deactivated': 'An employment ended',
  'employee.rehired': 'A former employee was rehired',
  'employee.reinstated': 'A termination was reversed',
  'employee.deduction_created': 'A deduction was added',
  'employee.email_bounced': 'The email address of an employee was refused',
  'employee.user_mentioned': 'A note about an employee mentions a colleague',
  'employer.user_mentioned': 'A note about the employer mentions a colleague',
  'enrollment.invitation_due': 'An invitation to enroll is due',
  'enrollment.reminder_due': 'A reminder to enroll is due',
  'enrollment.granted': 'A benefit was offered to an employee',
  'enrollment.started': 'An enrollment window opened',
  'enrollment.elected': 'An employee elected a plan',
  'enrollment.accepted': 'An election was accepted',
  'enrollment.waived': 'An employee waived a benefit',
  'enrollment.renewed': 'Coverage was renewed',
  'enrollment.resumed': 'Earlier coverage resumed after a rehire',
  'enrollment.resumption_withdrawn': 'Resumed coverage was withdrawn',
  'enrollment.terminated': 'The end of coverage was set',
  'enrollment.termination_rescheduled': 'The last day of coverage moved',
  'enrollment.reissued': 'An ended enrollment was reopened',
  'enrollment.reinstated': 'Coverage was reinstated',
  'enrollment.amended': 'The cost of an election changed',
  'census_sync.completed': 'A census was processed',
  'group_member_sync.completed': 'The members of a group were updated',
  'invoice.issued': 'An invoice was issued',
  'api_key.created': 'An API key was created',
  'api_key.rotated': 'An API key was rotated',
  'api_key.revoked': 'An API key was revoked',
  'webhook_subscription.disabled': 'A webhook was disabled',
  'webhook_subscription.test': 'A test was sent to a webhook',
}

/** An event as a sentence. Events of later versions are shown by their names. */
export const eventSentence = ({ event_name }: Pick<WebhookEvent, 'event_name'>): string =>
  sentences[event_name] ?? happenedOf(event_name)
