/** The progress of an employee in a plan year. `participation` in `queries.ts` calculates it. */
export const participation_statuses = ['not_started', 'in_progress', 'enrolled', 'waived'] as const
