/** The progress of an employee in a plan year. `participation` in `queries.ts` calculates it. */
export const participation_statuses = ['not_started', 'in_progress', 'enrolled', 'waived'] as const

/** Whether an employee can be reached by email. */
export const email_statuses = ['reachable', 'missing', 'bounced', 'unsubscribed'] as const

/** The kinds and states of messages about enrollment. */
export const message_kinds = ['invitation', 'reminder'] as const
export const message_statuses = ['published', 'queued', 'sending', 'sent', 'failed', 'cancelled'] as const
