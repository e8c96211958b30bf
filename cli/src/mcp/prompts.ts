import { z } from 'zod'

/** A weekly task: its arguments, and the instructions for the assistant. */
export type TaskPrompt = {
  name: string
  title: string
  description: string
  arguments: Record<string, z.ZodType<string | undefined>>
  text: (given: Record<string, string | undefined>) => string
}

export const prompts: TaskPrompt[] = [
  {
    name: 'load_census',
    title: 'Load a census',
    description: 'Updates the roster of an employer after showing the changes.',
    arguments: {
      employer: z.string().describe('its name or id'),
      roster: z.string().optional().describe('the rows as CSV or a table, or their location'),
    },
    text: ({ employer, roster }) => `Bring the roster of the employer "${employer}" up to date.

1. Find it with list_employers. If several match, request clarification. Call get_hris: with a connection that is
   not paused, the census comes from there, so stop and report this. census_mode in get_employer_settings determines
   whether missing people are terminated.
2. Make rows of the roster: first_name, last_name, email, phone, date_of_birth, start_date, employee_class,
   compensation_type, bargaining_unit, reference_id. Days are YYYY-MM-DD. Do not invent values: request missing ones.
3. Call plan_census. Summarize how many people are created, updated, rehired, terminated and refused. List each
   failure and warning with its row and its fix. State clearly how many people would be terminated.
4. Call apply_plan only after I agree. Then call get_census until it is completed or held. If it is held, report for
   how many people, and call plan_census_confirmation only if I request it.

The roster:
${roster ?? 'Request it from me.'}`,
  },
  {
    name: 'explain_coverage',
    title: 'Explain why a person is not covered',
    description: 'Explains when coverage starts, or why a person has no coverage, with the rule and the facts.',
    arguments: {
      person: z.string().describe('the name, email address or id'),
      employer: z.string().optional().describe('its name or id'),
      as_of: z.string().optional().describe('the day to explain, YYYY-MM-DD'),
    },
    text: ({
      person,
      employer,
      as_of,
    }) => `Why is "${person}"${employer ? ` of "${employer}"` : ''} covered or not${as_of ? ` on ${as_of}` : ''}?

1. Find the person with list_employers and list_employees (search), or get_employee. If several match, request
   clarification.
2. Call explain_eligibility${as_of ? ` with as_of ${as_of}` : ''} for the status and its reason, the class, and the
   waiting period, floor and cap of each benefit.
3. Call list_enrollments, and get_enrollment_history of the relevant one: was it granted, answered or waived, did its
   window close, did it end? Call list_life_events if a change in between may explain it.
4. Answer in a few sentences for a reader who knows benefits but not this service: the coverage, its start, the rule
   and the fact behind it, then the possible actions with their deadlines. Quote days and reasons from the tools.
   Change nothing.`,
  },
  {
    name: 'check_invoice',
    title: 'Check an invoice',
    description: 'Checks an invoice against its people, its adjustments and the payroll deductions.',
    arguments: {
      employer: z.string().describe('its name or id'),
      invoice: z.string().optional().describe('its id or month (default: the newest)'),
    },
    text: ({
      employer,
      invoice,
    }) => `Is the invoice ${invoice ? `"${invoice}" ` : ''}of the employer "${employer}" right?

1. Find the employer with list_employers and the invoice with list_invoices${invoice ? '' : ': the newest'}. Also find
   the previous one.
2. Call list_invoice_lines for both, all pages. Add up the cents yourself: they must equal the total.
3. Compare them: new people, missing people, changed prices, and each adjustment with its months. Explain large or
   unusual differences with list_enrollments, get_enrollment_history and explain_eligibility of that person.
4. Call get_invoice_reconciliation to see where billing and payroll differ, and by how much.
5. Answer with a verdict first, then a short table of the changes since the last invoice in dollars, and the items to
   review. Change nothing.`,
  },
]
