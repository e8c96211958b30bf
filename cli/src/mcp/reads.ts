import type { CallOptions, OpenBenefits } from 'openbenefits'
import { operations } from 'openbenefits/operations'
import { z } from 'zod'
import { methodOf } from '../connection.ts'
import { day, employee_id, employer_id, enrollment_id, id, invoice_id, paging } from './fields.ts'

/** A read-only tool: its input and its API request. */
export type ReadTool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  request: (ob: OpenBenefits, input: Record<string, unknown>, options: CallOptions) => PromiseLike<unknown>
}

/** A tool for a GET operation. Its input contains the path ids and the query parameters, by name. */
function read(name: string, operation: string, title: string, description: string, input: z.ZodObject): ReadTool {
  const { path, has } = operations.find((each) => each.name === operation)!
  const ids = [...path.matchAll(/{(\w+)}/g)].map(([, id]) => id!)
  const request: ReadTool['request'] = (ob, given, options) => {
    const query = Object.fromEntries(Object.entries(given).filter(([field]) => !ids.includes(field)))
    return methodOf(ob, operation)(...ids.map((id) => given[id]), ...(has.has('query') ? [query] : []), options)
  }
  return { name, title, description, input, request }
}

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
    'authentication.getToken',
    'Get the credential',
    'The current key: its owner, scopes and organization, and today there.',
    nothing,
  ),
  read(
    'list_employers',
    'employers.list',
    'List employers',
    'The employers of the organization, with their stage, enrollment rate and payroll connection, newest first.',
    z.strictObject({
      ...paging,
      search: z.string().optional().describe('part of the name, or the exact EIN, id or admin email'),
      benefit_lifecycle_stage: z.array(z.string()).optional(),
      include_cancelled: z.boolean().optional(),
    }),
  ),
  read(
    'list_tasks',
    'tasks.list',
    'List tasks',
    'The work that waits for the organization, by due date: life events, open enrollment, renewals, censuses, ' +
      'payroll connections, invoices and webhooks.',
    z.strictObject({
      ...paging,
      kind: z.array(z.string()).optional(),
      employer_id: employer_id.optional(),
      owner_user_id: z.array(z.string()).optional(),
    }),
  ),
  read('get_employer', 'employers.get', 'Get an employer', 'One employer.', of_employer),
  read(
    'get_employer_settings',
    'employers.getSettings',
    'Get the settings of an employer',
    'Pay frequency, deduction method, and the effect of a census on missing people.',
    of_employer,
  ),
  read('get_hris', 'hris.get', 'Get the payroll connection', 'The HRIS or payroll connection, or null.', of_employer),
  read(
    'list_plan_years',
    'planYears.list',
    'List plan years',
    'The plan years of an employer, with prices, windows and enrollment counts.',
    z.strictObject({ employer_id, year: z.int().optional() }),
  ),
  read(
    'get_plan_year',
    'planYears.get',
    'Get a plan year',
    'One plan year with plans, tiers in cents, contributions and eligibility policy.',
    z.strictObject({ employer_id, benefit_plan_year_id }),
  ),
  read(
    'list_plan_year_enrollments',
    'planYears.listEnrollments',
    'List enrollments of a plan year',
    'The people with an enrollment in a plan year: election, coverage and monthly cost.',
    z.strictObject({ employer_id, benefit_plan_year_id, ...paging, search: z.string().optional() }),
  ),
]

const of_people = [
  read(
    'list_employees',
    'employees.list',
    'List employees',
    'The people of an employer, with their enrollments and current deductions.',
    z.strictObject({
      employer_id,
      ...paging,
      search: z.string().optional().describe('part of the first name, last name or email address'),
      employment_status: z.enum(['active', 'terminated']).optional(),
    }),
  ),
  read('get_employee', 'employees.get', 'Get an employee', 'One employment of a person.', of_employee),
  read(
    'explain_eligibility',
    'employees.explainEligibility',
    'Explain eligibility',
    'Why an employee is eligible or not, and how each coverage date follows: facts, rule, waiting period, cap.',
    z.strictObject({
      employee_id,
      as_of: day.optional().describe('as of this day, YYYY-MM-DD (default: today)'),
    }),
  ),
  read(
    'list_enrollments',
    'enrollments.list',
    'List the enrollments of an employee',
    'The enrollments of an employee by benefit: granted, elected or waived, with dates and cents.',
    list_of_employee,
  ),
  read(
    'get_enrollment',
    'enrollments.get',
    'Get an enrollment',
    'One enrollment with its window, and the offered plans with prices.',
    of_enrollment,
  ),
  read(
    'get_enrollment_history',
    'enrollments.getHistory',
    'Get the history of an enrollment',
    'Each grant, answer, correction and end, with time, actor, reason, window and prices.',
    z.strictObject({ enrollment_id, ...paging }),
  ),
  read('list_dependents', 'dependents.list', 'List dependents', 'The dependents of an employee.', list_of_employee),
  read(
    'list_life_events',
    'lifeEvents.list',
    'List life events',
    'Births, marriages, losses of other coverage and similar events, with their decisions.',
    list_of_employee,
  ),
  read(
    'list_members',
    'members.list',
    'List the people of the organization',
    'All people across employers, each once.',
    z.strictObject({ ...paging, search: z.string().optional() }),
  ),
  read('list_groups', 'groups.list', 'List groups', 'The groups of the organization.', z.strictObject(paging)),
  read(
    'list_group_members',
    'groups.listMembers',
    'List the members of a group',
    'The members of a group with their plans.',
    z.strictObject({ group_id: id('grp'), ...paging }),
  ),
  read(
    'get_census',
    'census.get',
    'Get the outcome of a census',
    'The progress of a census, the results of its rows, and the missing people if it is held.',
    z.strictObject({ employer_id, census_sync_id: id('csyn') }),
  ),
]

const of_money = [
  read(
    'list_invoices',
    'invoices.list',
    'List invoices',
    'Newest first. Drafts only on request.',
    z.strictObject({
      employer_id,
      limit: paging.limit,
      offset: z.string().optional().describe('pagination.next_offset of the previous page'),
      include_drafts: z.boolean().optional(),
    }),
  ),
  read(
    'list_invoice_lines',
    'invoices.listLines',
    'List the lines of an invoice',
    'The lines with person, benefit, month and cents, including adjustments.',
    z.strictObject({ ...of_invoice, ...paging }),
  ),
  read(
    'get_invoice_reconciliation',
    'invoices.getReconciliation',
    'Reconcile an invoice',
    'The billed amounts compared with amounts due and payroll deductions.',
    z.strictObject(of_invoice),
  ),
  read(
    'list_statements',
    'statements.list',
    'List deduction statements',
    'The deductions for payroll by pay period.',
    list_of_employer,
  ),
  read(
    'prove_deductions',
    'deductions.prove',
    'Prove the deductions of an employee',
    'The amounts due, requested, deducted and outstanding in a year, to the cent.',
    z.strictObject({ employee_id, year: z.int() }),
  ),
  read(
    'list_events',
    'webhookEvents.list',
    'List events',
    'The events of the organization, newest first.',
    z.strictObject({
      ...paging,
      event_name: z.array(z.string()).optional().describe('such as enrollment.elected'),
      resource_id: z.string().optional(),
      created_after: z.string().optional().describe('an instant, such as 2026-03-10T00:00:00Z'),
      created_before: z.string().optional(),
    }),
  ),
]

export const reads: ReadTool[] = [...of_the_book, ...of_people, ...of_money]
