import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { recordActuals } from './actions.ts'
import { listActuals, locateStatement } from './queries.ts'
import { PayrollActualFilter, PayrollActualPage, PayrollActualsOutcome, sent_actuals } from './schemas.ts'

const ofStatement = {
  tag: 'Deductions',
  path: '/v1/employers/{employer_id}/payroll-deduction-statements/{statement_id}/actuals',
  allows: partner,
  organization: 'path',
  params: { employer_id: 'empr', statement_id: 'stmt' },
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
    summary: 'Tell what payroll really took',
    description:
      'As JSON or CSV, again and again: of each enrollment what was told last counts. A row names the' +
      ' employee by employee_id or reference_id, and by enrollment_id or benefit_name what for; ' +
      'without either, the only one in the statement. Rows of one enrollment add up. A row that names' +
      ' nothing of this statement fails, the others count. What was taken less later statements ask ' +
      'for again as `arrears`.',
    ...sent_actuals,
    returns: { 200: dataOf(PayrollActualsOutcome) },
    example: { actuals: [{ reference_id: 'E-1', benefit_name: 'Dental', taken_in_cents: 600 }] },
    handle: async (ctx, { located, body }) => data(JSON.stringify(await recordActuals(ctx, located, body.actuals))),
  }),
  endpoint({
    ...ofStatement,
    operation: 'employers_list_payroll_actuals',
    sdk: 'statements.listActuals',
    roles: operating,
    scopes: ['read', 'money'],
    method: 'GET',
    summary: 'List what payroll told of a statement',
    description: 'By employee and enrollment, beside what the statement asked for.',
    query: PayrollActualFilter,
    returns: { 200: PayrollActualPage },
    handle: (ctx, { params, query }) => listActuals(ctx, params, query),
  }),
]
