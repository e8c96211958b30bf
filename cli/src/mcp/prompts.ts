import { z } from 'zod'

/** A task that people do each week: what it takes, and how an assistant goes about it. */
export type TaskPrompt = {
  name: string
  title: string
  description: string
  arguments: Record<string, z.ZodType<string | undefined>>
  say: (given: Record<string, string | undefined>) => string
}

export const prompts: TaskPrompt[] = [
  {
    name: 'load_census',
    title: 'Load a census',
    description: 'Brings the roster of an employer up to date, after showing what would change.',
    arguments: {
      employer: z.string().describe('its name or id'),
      roster: z.string().optional().describe('the rows, as CSV or as a table; or where you have them'),
    },
    say: ({ employer, roster }) => `Bring the roster of the employer "${employer}" up to date.

1. Find it with list_employers; if several fit, ask which. Look at get_hris: with a connection that is not paused the
   census comes from there, so stop and say so. get_employer_settings tells by census_mode whether people who are
   missing end.
2. Make rows of the roster: first_name, last_name, email, phone, date_of_birth, start_date, employee_class,
   compensation_type, reference_id. Days are YYYY-MM-DD. Invent nothing: ask for what is missing.
3. plan_census. Tell in a few lines how many are created, updated, rehired, terminated and refused; each failure and
   warning by its row, with what to mend. Say plainly how many people would end.
4. Only when I agree, apply_plan. Then get_census until it is completed or held. When it is held, say for how many
   people, and plan_census_confirmation only if I ask for it.

The roster:
${roster ?? 'Ask me for it.'}`,
  },
  {
    name: 'explain_coverage',
    title: 'Explain why somebody is not covered',
    description: 'Finds out from which day somebody is covered or why not, with the rule and the facts.',
    arguments: {
      person: z.string().describe('the name, e-mail address or id'),
      employer: z.string().optional().describe('its name or id'),
      as_of: z.string().optional().describe('the day in question, YYYY-MM-DD'),
    },
    say: ({
      person,
      employer,
      as_of,
    }) => `Why is "${person}"${employer ? ` of "${employer}"` : ''} covered or not${as_of ? ` on ${as_of}` : ''}?

1. Find them: list_employers and list_employees with search, or get_employee. If several fit, ask which.
2. explain_eligibility${as_of ? ` with as_of ${as_of}` : ''}: the status and its reason, the class, the waiting,
   floor and cap of each benefit.
3. list_enrollments, and get_enrollment_history of the one in question: was it granted, answered, waived, did its window
   close, did it end? list_life_events when a change in between may explain it.
4. Answer in a few sentences for somebody who knows benefits but not this service: what holds, since when, by which rule
   and which fact; then what could be done, by when. Quote days and reasons as the tools tell them. Change nothing.`,
  },
  {
    name: 'check_invoice',
    title: 'Check an invoice',
    description: 'Holds an invoice against its people, its adjustments and what payroll took.',
    arguments: {
      employer: z.string().describe('its name or id'),
      invoice: z.string().optional().describe('its id or month; the newest unless said'),
    },
    say: ({
      employer,
      invoice,
    }) => `Is the invoice ${invoice ? `"${invoice}" ` : ''}of the employer "${employer}" right?

1. Find the employer with list_employers and the invoice with list_invoices${invoice ? '' : ': the newest'}. Find the
   one before it too.
2. list_invoice_lines of both, all pages. Add up the cents yourself: they must make the total.
3. Compare them: who is new, who is gone, whose price is another, and each adjustment with the months it is for. Explain
   what is large or odd with list_enrollments, get_enrollment_history and explain_eligibility of that person.
4. get_invoice_reconciliation: where billing and payroll differ, and by how much.
5. Answer with a verdict first, then a short table of what changed since the last invoice, in dollars, and what somebody
   should look at. Change nothing.`,
  },
]
