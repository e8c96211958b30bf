import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { findStatement } from './actions.ts'
import { BenefitsStatement, BenefitsStatementPdfQuery, BenefitsStatementQuery } from './schemas.ts'

const of_employee = {
  method: 'GET',
  tag: 'Enrollments',
  allows: [...partner, 'employee_token'],
  roles: enrolling,
  scopes: ['read', 'people'],
  locate: locateEmployee,
} as const

export const endpoints = [
  endpoint({
    ...of_employee,
    operation: 'employees_get_benefits_statement',
    sdk: 'enrollments.getStatement',
    path: '/v1/employees/{employee_id}/benefits-statement',
    summary: 'Get the cost of the benefits of an employee in a year',
    description:
      'Returns the share of the employee and the contribution of the employer, per benefit and in total, to the ' +
      'cent. Future months are included as if the current elections continued.',
    query: BenefitsStatementQuery,
    returns: { 200: dataOf(BenefitsStatement) },
    handle: async (ctx, { params, query }) => data(await findStatement(ctx, params.employee_id, query.year)),
  }),
  endpoint({
    ...of_employee,
    operation: 'employees_get_benefits_statement_pdf',
    sdk: 'enrollments.getStatementPdf',
    path: '/v1/employees/{employee_id}/benefits-statement/pdf',
    summary: 'Get a link to the benefits statement of a year as a PDF',
    description: 'Returns a link to a PDF of the benefits statement for the employee.',
    query: BenefitsStatementPdfQuery,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params: { employee_id }, query: { year = Number(ctx.today.slice(0, 4)), language } }) => {
      const employee = await locateEmployee(ctx, { employee_id })
      if (!employee) return undefined
      const { organization_id } = employee
      const key = { kind: `benefits_statement_${language}`, organization_id, id: `${employee_id}/${year}` }
      return data(await downloadLink(ctx, key))
    },
  }),
]
