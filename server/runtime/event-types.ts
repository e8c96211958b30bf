import type { Prefix } from '../kernel/ids.ts'

/** `dependent.coverage_ending` is published this many days before the last day. */
export const coverage_ending_notice_days = 60

/**
 * The events that webhooks send (docs/design/api/webhooks.md), by name: the id prefix of the resource, and a
 * description.
 */
export const events = {
  'benefit_plan_year.amended': ['plyr', 'The operator amended a running plan year, or withdrew an amendment.'],
  'dependent.coverage_ending': [
    'dep',
    `Coverage of a dependent ends because of age in ${coverage_ending_notice_days} days.`,
  ],
  'dependent.coverage_ended': ['dep', 'Coverage of a dependent ended. The employee has 30 days to change elections.'],
  'dependent.coverage_reinstated': ['dep', 'The announced end of a dependent’s coverage was withdrawn.'],
  'dependent.verification_requested': ['dep', 'A dependent has documents that await verification.'],
  'dependent.verification_decided': ['dep', 'A dependent was verified or rejected.'],
  'document.created': ['doc', 'A document, a new version or a translation was added to the library.'],
  'document.updated': ['doc', 'The title, kind, audience or requirement of a document changed.'],
  'document.withdrawn': ['doc', 'A document was withdrawn.'],
  'employer.created': ['empr', 'An employer was created.'],
  'employer.updated': ['empr', 'An employer or its settings changed.'],
  'employer.eligibility_policy_created': ['empr', 'An employer has a new eligibility policy.'],
  'employer.user_mentioned': ['empr', 'A note about an employer mentions a member of your organization.'],
  'employee.created': ['empl', 'An employee was hired.'],
  'employee.updated': ['empl', 'The data of an employee changed.'],
  'employee.eligibility_granted': ['empl', 'The waiting period of an employee ended.'],
  'employee.eligibility_terminated': ['empl', 'An employee is no longer eligible.'],
  'employee.measured_full_time': [
    'empl',
    'Hours of service made an employee full-time, starting today or on a later day.',
  ],
  'employee.stability_ended': ['empl', 'A stability period ended, and the employee is no longer full-time.'],
  'employee.deactivated': ['empl', 'An employment ended. Yesterday was its last day.'],
  'employee.rehired': ['empl', 'A former employee was rehired with a new employment.'],
  'employee.reinstated': ['empl', 'A termination was reversed.'],
  'employee.deduction_created': ['empl', 'A statement contains a deduction of an employee.'],
  'employee.document_opened': ['empl', 'An employee opened a version of a document for the first time.'],
  'employee.email_bounced': [
    'empl',
    'A mail server refused the email address of an employee permanently. Nothing is sent to it until it changes.',
  ],
  'employee.tax_form_posted': ['empl', 'A tax form was posted for an employee who consented to electronic delivery.'],
  'employee.user_mentioned': ['empl', 'A note about an employee mentions a member of your organization.'],
  'enrollment.invitation_due': [
    'enrl',
    'A window opened, and you should invite the employee. The enrollment is one of those that are neither elected ' +
      'nor waived.',
  ],
  'enrollment.reminder_due': [
    'enrl',
    'You should remind the employee. The enrollment is one of those that are neither elected nor waived.',
  ],
  'enrollment.granted': ['enrl', 'A benefit was granted to an employee, who has not made a choice yet.'],
  'enrollment.started': ['enrl', 'The election window opened.'],
  'enrollment.elected': ['enrl', 'An employee elected a plan.'],
  'enrollment.accepted': ['enrl', 'An election was accepted. Follows each `enrollment.elected`.'],
  'enrollment.waived': ['enrl', 'An employee waived a benefit.'],
  'enrollment.renewed': ['enrl', 'The employee neither elected nor waived, so the previous coverage was renewed.'],
  'enrollment.resumed': ['enrl', 'An employee was rehired in time, and their previous election applies again.'],
  'enrollment.resumption_withdrawn': [
    'enrl',
    'The employee turned out to have been away too long, so the resumed election or waiver was withdrawn.',
  ],
  'enrollment.terminated': ['enrl', 'An enrollment ends on its `coverage_end`.'],
  'enrollment.termination_rescheduled': ['enrl', 'The last day of an enrollment moved.'],
  'enrollment.reissued': ['enrl', 'An enrollment that ended on request was reopened.'],
  'enrollment.reinstated': ['enrl', 'A loss of eligibility was withdrawn, and the enrollment was restored.'],
  'enrollment.amended': ['enrl', 'The cost of an election changed, because the plan year was amended.'],
  'census_sync.completed': ['csyn', 'A census was processed. Its outcome lists the result of each row.'],
  'group_member_sync.completed': ['grpmsr', 'A member sync was processed. Its results list added and removed members.'],
  'invoice.issued': ['INV', 'An invoice was issued and is due.'],
  'api_key.created': ['key', 'An API key of the organization was created.'],
  'api_key.rotated': ['key', 'An API key was rotated.'],
  'api_key.revoked': ['key', 'An API key was revoked by an ADMIN, the operator, or someone who found it.'],
  'webhook_subscription.disabled': ['wsub', 'The subscription was disabled. It contains the reason.'],
  'webhook_subscription.test': ['wsub', 'A test that you requested. It is sent only to this subscription.'],
} as const satisfies Record<string, readonly [resource: Prefix | 'INV', summary: string]>

export type EventName = keyof typeof events
export const event_names = Object.keys(events) as [EventName, ...EventName[]]

export type NewEvent = { event_name: EventName; organization_id: string; resource_id: string }

/** An event that is written at the end of its write, with the time at which it occurred. */
export type HeldEvent = NewEvent & { now: string }
