import type { CallOptions, EmployersListQuery, OpenBenefits, WebhookEventsListQuery } from 'openbenefits'
import { z } from 'zod'
import { day, employee_id, employer_id, enrollment_id, id, invoice_id, paging } from './fields.ts'

/** A tool that only reads: what it takes, and what it asks of the interface. */
export type ReadTool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  ask: (ob: OpenBenefits, input: never, options: CallOptions) => PromiseLike<unknown>
}

const read = <Input extends z.ZodObject>(
  name: string,
  title: string,
  description: string,
  input: Input,
  ask: (ob: OpenBenefits, input: z.output<Input>, options: CallOptions) => PromiseLike<unknown>,
): ReadTool => ({ name, title, description, input, ask })

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
    'Who asks',
    'Whose key is used, what it reaches, and which day it is there.',
    nothing,
    (ob, _, options) => ob.authentication.getToken(options),
  ),
  read(
    'list_employers',
    'List employers',
    'The employers of the organization, with their stage, enrollment rate and payroll connection, newest first.',
    z.strictObject({
      ...paging,
      search: z.string().optional().describe('a part of the name, or exactly the EIN, the id or an admin’s e-mail'),
      benefit_lifecycle_stage: z.array(z.string()).optional(),
      include_cancelled: z.boolean().optional(),
    }),
    (ob, query, options) => ob.employers.list(query as EmployersListQuery, options),
  ),
  read('get_employer', 'Get an employer', 'One employer.', of_employer, (ob, input, options) =>
    ob.employers.get(input.employer_id, options),
  ),
  read(
    'get_employer_settings',
    'Get the settings of an employer',
    'Pay frequency, how deductions are spread, and what a census means for people who are missing from it.',
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
    'What an employer offers, year by year, with prices, windows and how many are enrolled.',
    z.strictObject({ employer_id, year: z.int().optional() }),
    (ob, { employer_id, ...query }, options) => ob.planYears.list(employer_id, query, options),
  ),
  read(
    'get_plan_year',
    'Get a plan year',
    'One plan year in full: plans, tiers with their cents, contributions, eligibility policy.',
    z.strictObject({ employer_id, benefit_plan_year_id }),
    (ob, input, options) => ob.planYears.get(input.employer_id, input.benefit_plan_year_id, options),
  ),
  read(
    'list_plan_year_enrollments',
    'List who elected what',
    'The people with an enrollment in a plan year: what they elected, their coverage, its monthly cost.',
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
      search: z.string().optional().describe('a part of the first name, last name or e-mail address'),
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
    'Why somebody is eligible or not, and how each day of their coverage came about: facts, rule, waiting, cap.',
    z.strictObject({
      employee_id,
      as_of: day.optional().describe('as it is on this day, YYYY-MM-DD; today unless said'),
    }),
    (ob, { employee_id, ...query }, options) => ob.employees.explainEligibility(employee_id, query, options),
  ),
  read(
    'list_enrollments',
    'List the enrollments of an employee',
    'What somebody was granted, elected or waived, benefit by benefit, with days and cents.',
    list_of_employee,
    (ob, { employee_id, ...query }, options) => ob.enrollments.list(employee_id, query, options),
  ),
  read(
    'get_enrollment',
    'Get an enrollment',
    'One enrollment, with its window and the plans that can be elected and their prices.',
    of_enrollment,
    (ob, input, options) => ob.enrollments.get(input.enrollment_id, options),
  ),
  read(
    'get_enrollment_history',
    'Get the history of an enrollment',
    'Each grant, answer, correction and end: when, by whom, why, in which window, at which prices.',
    z.strictObject({ enrollment_id, ...paging }),
    (ob, { enrollment_id, ...query }, options) => ob.enrollments.getHistory(enrollment_id, query, options),
  ),
  read('list_dependents', 'List dependents', 'The dependents of somebody.', list_of_employee, (ob, input, options) => {
    const { employee_id, ...query } = input
    return ob.dependents.list(employee_id, query, options)
  }),
  read(
    'list_life_events',
    'List life events',
    'Births, marriages, losses of other coverage and the like, and what was decided of them.',
    list_of_employee,
    (ob, { employee_id, ...query }, options) => ob.lifeEvents.list(employee_id, query, options),
  ),
  read(
    'list_members',
    'List the people of the organization',
    'People across all employers, however often they were employed.',
    z.strictObject({ ...paging, search: z.string().optional() }),
    (ob, query, options) => ob.members.list(query, options),
  ),
  read('list_groups', 'List groups', 'The groups of the organization.', z.strictObject(paging), (ob, query, options) =>
    ob.groups.list(query, options),
  ),
  read(
    'list_group_members',
    'List the members of a group',
    'Who is in a group, with which plan.',
    z.strictObject({ group_id: id('grp'), ...paging }),
    (ob, { group_id, ...query }, options) => ob.groups.listMembers(group_id, query, options),
  ),
  read(
    'get_census',
    'Get the outcome of a census',
    'How far a census is, what became of its rows, and who is missing when it is held.',
    z.strictObject({ employer_id, census_sync_id: id('csyn') }),
    (ob, input, options) => ob.census.get(input.employer_id, input.census_sync_id, options),
  ),
]

const of_money = [
  read(
    'list_invoices',
    'List invoices',
    'Newest first. Drafts only when asked for.',
    z.strictObject({
      employer_id,
      limit: paging.limit,
      offset: z.string().optional().describe('pagination.next_offset of the page before'),
      include_drafts: z.boolean().optional(),
    }),
    (ob, { employer_id, ...query }, options) => ob.invoices.list(employer_id, query, options),
  ),
  read(
    'list_invoice_lines',
    'List the lines of an invoice',
    'Each line with its person, benefit, month and cents; adjustments among them.',
    z.strictObject({ ...of_invoice, ...paging }),
    (ob, { employer_id, invoice_id, ...query }, options) =>
      ob.invoices.listLines(employer_id, invoice_id, query, options),
  ),
  read(
    'get_invoice_reconciliation',
    'Reconcile an invoice',
    'What was billed beside what payroll was to take, and where they differ.',
    z.strictObject(of_invoice),
    (ob, input, options) => ob.invoices.getReconciliation(input.employer_id, input.invoice_id, options),
  ),
  read(
    'list_statements',
    'List deduction statements',
    'What payroll is to take of whom, pay period by pay period.',
    list_of_employer,
    (ob, { employer_id, ...query }, options) => ob.statements.list(employer_id, query, options),
  ),
  read(
    'prove_deductions',
    'Prove the deductions of an employee',
    'What was due, requested, taken and is outstanding in a year, to the cent.',
    z.strictObject({ employee_id, year: z.int() }),
    (ob, { employee_id, ...query }, options) => ob.deductions.prove(employee_id, query, options),
  ),
  read(
    'list_events',
    'List events',
    'What happened in the organization, newest first.',
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

/** Every tool that reads. */
export const reads: ReadTool[] = [...of_the_book, ...of_people, ...of_money]
