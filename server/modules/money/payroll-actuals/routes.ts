import { Paging } from '../../../kernel/pages.ts'
import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { recordActuals } from './actions.ts'
import { listActuals, locateStatement } from './queries.ts'
import { PayrollActualPage, PayrollActualsOutcome, sent_actuals } from './schemas.ts'

const ofStatement = {
  tag: 'Deductions',
  path: '/v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals',
  allows: partner,
  locate: locateStatement,
} as const

export const endpoints = [
  endpoint({
    ...ofStatement,
    operation: 'employers_record_payroll_actuals',
    sdk: 'statements.recordActuals',
    roles: operating,
    scopes: ['write', 'money'],
    method: 'POST',
    summary: 'Report actual payroll deductions',
    description:
      'Send JSON or CSV, as often as needed. The last report for an enrollment applies. A row identifies the ' +
      'employee by `employee_id` or `reference_id`, and the enrollment by `enrollment_id` or `benefit_name`. Omit ' +
      'the enrollment if the employee has only one in the statement. Rows of the same enrollment add up. ' +
      'Rows without a match in the statement fail; the others are recorded. Later statements collect shortfalls ' +
      'as `arrears`.',
    ...sent_actuals,
    returns: { 200: dataOf(PayrollActualsOutcome) },
    example: { actuals: [{ reference_id: 'E-1', benefit_name: 'Dental', taken_in_cents: 600 }] },
    handle: async (ctx, { located, body }) => data(await recordActuals(ctx, located, body.actuals)),
  }),
  endpoint({
    ...ofStatement,
    operation: 'employers_list_payroll_actuals',
    sdk: 'statements.listActuals',
    roles: operating,
    scopes: ['read', 'money'],
    method: 'GET',
    summary: 'List actual payroll deductions',
    description:
      'Returns the reported amounts by employee and enrollment, with the amounts that the statement requested.',
    query: Paging,
    returns: { 200: PayrollActualPage },
    handle: (ctx, { params, query }) => listActuals(ctx, params, query),
  }),
]
