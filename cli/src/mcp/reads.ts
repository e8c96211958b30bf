import type {
  CallOptions,
  EmployersListQuery,
  OpenBenefits,
  TasksListQuery,
  WebhookEventsListQuery,
} from 'openbenefits'
import { z } from 'zod'
import { day, employee_id, employer_id, enrollment_id, id, invoice_id, paging } from './fields.ts'

/** A read-only tool: its input and its API request. */
export type ReadTool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  request: (ob: OpenBenefits, input: never, options: CallOptions) => PromiseLike<unknown>
}

const read = <Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  request: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => PromiseLike<unknown>,
): ReadTool => ({ name, title, description, input, request })

const nothing = z.strictObject({})
const of_employer = z.strictObject({ employer_id })
const list_of_employer = z.strictObject({ employer_id, ...paging })
const of_employee = z.strictObject({ employee_id })
const list_of_employee = z.strictObject({ employee_id, ...paging })
const of_enrollment = z.strictObject({ enrollment_id })
const of_invoice = { employer_id, invoice_id }
const benefit_plan_year_id = id('plyr')

const of_the_book = [
  read(
    'whoami',
    'Get the credential',
    'The current key: its owner, scopes and organization, and today there.',
    nothing,
    (ob, _, options) => ob.authentication.getToken(options),
  ),
  read(
    'list_employers',
    'List employers',
    'The employers of the organization, with their stage, enrollment rate and payroll connection, newest first.',
    z.strictObject({
      ...paging,
      search: z.string().optional().describe('part of the name, or the exact EIN, id or admin email'),
      benefit_lifecycle_stage: z.array(z.string()).optional(),
      include_cancelled: z.boolean().optional(),
    }),
    (ob, query, options) => ob.employers.list(query as EmployersListQuery, options),
  ),
  read(
    'list_tasks',
    'List tasks',
    'The work that waits for the organization, by due date: life events, open enrollment, renewals, censuses, ' +
      'payroll connections, invoices and webhooks.',
    z.strictObject({ ...paging, kind: z.array(z.string()).optional(), employer_id: employer_id.optional() }),
    (ob, query, options) => ob.tasks.list(query as TasksListQuery, options),
  ),
  read('get_employer', 'Get an employer', 'One employer.', of_employer, (ob, input, options) =>
    ob.employers.get(input.employer_id, options),
  ),
  read(
    'get_employer_settings',
    'Get the settings of an employer',
    'Pay frequency, deduction method, and the effect of a census on missing people.',
    of_employer,
    (ob, input, options) => ob.employers.getSettings(input.employer_id, options),
  ),
  read(
    'get_hris',
    'Get the payroll connection',
    'The HRIS or payroll connection, or null.',
    of_employer,
    (ob, input, options) => ob.hris.get(input.employer_id, options),
  ),
  read(
    'list_plan_years',
    'List plan years',
    'The plan years of an employer, with prices, windows and enrollment counts.',
    z.strictObject({ employer_id, year: z.int().optional() }),
    (ob, { employer_id, ...query }, options) => ob.planYears.list(employer_id, query, options),
  ),
  read(
    'get_plan_year',
    'Get a plan year',
    'One plan year with plans, tiers in cents, contributions and eligibility policy.',
    z.strictObject({ employer_id, benefit_plan_year_id }),
    (ob, input, options) => ob.planYears.get(input.employer_id, input.benefit_plan_year_id, options),
  ),
  read(
    'list_plan_year_enrollments',
    'List enrollments of a plan year',
    'The people with an enrollment in a plan year: election, coverage and monthly cost.',
    z.strictObject({ employer_id, benefit_plan_year_id, ...paging, search: z.string().optional() }),
    (ob, { employer_id, benefit_plan_year_id: year, ...query }, options) =>
      ob.planYears.listEnrollments(employer_id, year, query, options),
  ),
]

const of_people = [
  read(
    'list_employees',
    'List employees',
    'The people of an employer, with their enrollments and current deductions.',
    z.strictObject({
      employer_id,
      ...paging,
      search: z.string().optional().describe('part of the first name, last name or email address'),
      employment_status: z.enum(['active', 'terminated']).optional(),
    }),
    (ob, { employer_id, ...query }, options) => ob.employees.list(employer_id, query, options),
  ),
  read('get_employee', 'Get an employee', 'One employment of a person.', of_employee, (ob, input, options) =>
    ob.employees.get(input.employee_id, options),
  ),
  read(
    'explain_eligibility',
    'Explain eligibility',
    'Why an employee is eligible or not, and how each coverage date follows: facts, rule, waiting period, cap.',
    z.strictObject({
      employee_id,
      as_of: day.optional().describe('as of this day, YYYY-MM-DD (default: today)'),
    }),
    (ob, { employee_id, ...query }, options) => ob.employees.explainEligibility(employee_id, query, options),
  ),
  read(
    'list_enrollments',
    'List the enrollments of an employee',
    'The enrollments of an employee by benefit: granted, elected or waived, with dates and cents.',
    list_of_employee,
    (ob, { employee_id, ...query }, options) => ob.enrollments.list(employee_id, query, options),
  ),
  read(
    'get_enrollment',
    'Get an enrollment',
    'One enrollment with its window, and the offered plans with prices.',
    of_enrollment,
    (ob, input, options) => ob.enrollments.get(input.enrollment_id, options),
  ),
  read(
    'get_enrollment_history',
    'Get the history of an enrollment',
    'Each grant, answer, correction and end, with time, actor, reason, window and prices.',
    z.strictObject({ enrollment_id, ...paging }),
    (ob, { enrollment_id, ...query }, options) => ob.enrollments.getHistory(enrollment_id, query, options),
  ),
  read(
    'list_dependents',
    'List dependents',
    'The dependents of an employee.',
    list_of_employee,
    (ob, input, options) => {
      const { employee_id, ...query } = input
      return ob.dependents.list(employee_id, query, options)
    },
  ),
  read(
    'list_life_events',
    'List life events',
    'Births, marriages, losses of other coverage and similar events, with their decisions.',
    list_of_employee,
    (ob, { employee_id, ...query }, options) => ob.lifeEvents.list(employee_id, query, options),
  ),
  read(
    'list_members',
    'List the people of the organization',
    'All people across employers, each once.',
    z.strictObject({ ...paging, search: z.string().optional() }),
    (ob, query, options) => ob.members.list(query, options),
  ),
  read('list_groups', 'List groups', 'The groups of the organization.', z.strictObject(paging), (ob, query, options) =>
    ob.groups.list(query, options),
  ),
  read(
    'list_group_members',
    'List the members of a group',
    'The members of a group with their plans.',
    z.strictObject({ group_id: id('grp'), ...paging }),
    (ob, { group_id, ...query }, options) => ob.groups.listMembers(group_id, query, options),
  ),
  read(
    'get_census',
    'Get the outcome of a census',
    'The progress of a census, the results of its rows, and the missing people if it is held.',
    z.strictObject({ employer_id, census_sync_id: id('csyn') }),
    (ob, input, options) => ob.census.get(input.employer_id, input.census_sync_id, options),
  ),
]

const of_money = [
  read(
    'list_invoices',
    'List invoices',
    'Newest first. Drafts only on request.',
    z.strictObject({
      employer_id,
      limit: paging.limit,
      offset: z.string().optional().describe('pagination.next_offset of the previous page'),
      include_drafts: z.boolean().optional(),
    }),
    (ob, { employer_id, ...query }, options) => ob.invoices.list(employer_id, query, options),
  ),
  read(
    'list_invoice_lines',
    'List the lines of an invoice',
    'The lines with person, benefit, month and cents, including adjustments.',
    z.strictObject({ ...of_invoice, ...paging }),
    (ob, { employer_id, invoice_id, ...query }, options) =>
      ob.invoices.listLines(employer_id, invoice_id, query, options),
  ),
  read(
    'get_invoice_reconciliation',
    'Reconcile an invoice',
    'The billed amounts compared with amounts due and payroll deductions.',
    z.strictObject(of_invoice),
    (ob, input, options) => ob.invoices.getReconciliation(input.employer_id, input.invoice_id, options),
  ),
  read(
    'list_statements',
    'List deduction statements',
    'The deductions for payroll by pay period.',
    list_of_employer,
    (ob, { employer_id, ...query }, options) => ob.statements.list(employer_id, query, options),
  ),
  read(
    'prove_deductions',
    'Prove the deductions of an employee',
    'The amounts due, requested, deducted and outstanding in a year, to the cent.',
    z.strictObject({ employee_id, year: z.int() }),
    (ob, { employee_id, ...query }, options) => ob.deductions.prove(employee_id, query, options),
  ),
  read(
    'list_events',
    'List events',
    'The events of the organization, newest first.',
    z.strictObject({
      ...paging,
      event_name: z.array(z.string()).optional().describe('such as enrollment.elected'),
      resource_id: z.string().optional(),
      created_after: z.string().optional().describe('an instant, such as 2026-03-10T00:00:00Z'),
      created_before: z.string().optional(),
    }),
    (ob, query, options) => ob.webhookEvents.list(query as WebhookEventsListQuery, options),
  ),
]

/** All read-only tools. */
export const reads: ReadTool[] = [...of_the_book, ...of_people, ...of_money]
