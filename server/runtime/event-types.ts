import type { Prefix } from '../kernel/ids.ts'

/**
 * The facts that receivers of webhooks may learn (decisions.md, section 8), and what we tell of their subscriptions: by
 * their names, of what they are, and what has happened.
 */
export const events = {
  'benefit_plan_year.amended': ['plyr', 'The operator amended a plan year that runs, or withdrew an amendment.'],
  'dependent.coverage_ending': ['dep', 'Coverage of a dependent ends in 60 days, by age.'],
  'dependent.coverage_ended': ['dep', 'Coverage of a dependent ended; the employee has 30 days to choose anew.'],
  'dependent.coverage_reinstated': ['dep', 'Coverage of a dependent goes on after all: the end that was told is none.'],
  'employer.created': ['empr', 'An employer was created.'],
  'employer.updated': ['empr', 'An employer or its settings changed.'],
  'employer.eligibility_policy_created': ['empr', 'An employer has a new eligibility policy.'],
  'employee.created': ['empl', 'Somebody was hired.'],
  'employee.updated': ['empl', 'What is known of an employee changed.'],
  'employee.eligibility_granted': ['empl', 'The waiting period of an employee is over.'],
  'employee.eligibility_terminated': ['empl', 'An employee is eligible no longer.'],
  'employee.deactivated': ['empl', 'An employment ended: yesterday was its last day.'],
  'employee.rehired': ['empl', 'Somebody who had left is employed again, by a new employment.'],
  'employee.reinstated': ['empl', 'A termination was taken back.'],
  'employee.deduction_created': ['empl', 'A statement takes something from the pay of an employee.'],
  'enrollment.granted': ['enrl', 'A benefit is open to an employee, who has not answered yet.'],
  'enrollment.started': ['enrl', 'The window to answer opened.'],
  'enrollment.elected': ['enrl', 'An employee elected a plan.'],
  'enrollment.accepted': ['enrl', 'An election was taken: it comes with each `enrollment.elected`.'],
  'enrollment.waived': ['enrl', 'An employee waived a benefit.'],
  'enrollment.renewed': ['enrl', 'Nobody answered, and what was had in the former plan year holds again.'],
  'enrollment.resumed': ['enrl', 'Somebody came back in time, and what they had elected when they left holds again.'],
  'enrollment.resumption_withdrawn': [
    'enrl',
    'Somebody was away for too long after all: what had been resumed, or waived for it, is unanswered again.',
  ],
  'enrollment.terminated': ['enrl', 'An enrollment ends: `coverage_end` says when.'],
  'enrollment.termination_rescheduled': ['enrl', 'The last day of an enrollment moved.'],
  'enrollment.reissued': ['enrl', 'An enrollment that was ended on request is open anew.'],
  'enrollment.reinstated': ['enrl', 'A loss was withdrawn, and the enrollment is what it would be without it.'],
  'enrollment.amended': ['enrl', 'What is elected costs something else, since the plan year was amended.'],
  'census_sync.completed': ['csyn', 'A census was worked off: its outcome says what became of each row.'],
  'group_member_sync.completed': ['grpmsr', 'A member sync was worked off: its results say who came and went.'],
  'invoice.issued': ['INV', 'An invoice was issued, and is due.'],
  'api_key.created': ['key', 'An API key of the organization was made.'],
  'api_key.rotated': ['key', 'An API key has another secret.'],
  'api_key.revoked': ['key', 'An API key was revoked, by an ADMIN, the operator, or whoever found it.'],
  'webhook_subscription.disabled': ['wsub', 'Nothing is sent to this subscription any more: it says why.'],
  'webhook_subscription.test': ['wsub', 'You asked for a test; it is sent to this subscription alone.'],
} as const satisfies Record<string, readonly [of: Prefix | 'INV', happened: string]>

export type EventName = keyof typeof events
export const event_names = Object.keys(events) as [EventName, ...EventName[]]

export type Fact = { event_name: EventName; organization_id: string; resource_id: string }
