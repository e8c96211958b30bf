import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { reportHours } from './actions.ts'
import { listHoursOfEmployee, listHoursOfEmployer, listReports } from './queries.ts'
import {
  HoursFilter,
  HoursOptions,
  HoursOutcome,
  HoursPage,
  HoursReportPage,
  HoursReportPaging,
  sent_hours,
} from './schemas.ts'

const shared = { tag: 'Hours of service', allows: partner, roles: operating } as const
const of_employer = { ...shared, path: '/v1/employers/{employer_id}/hours', locate: locateEmployer } as const

export const endpoints = [
  endpoint({
    ...of_employer,
    operation: 'employers_report_hours',
    sdk: 'hours.report',
    scopes: ['write', 'people'],
    method: 'POST',
    summary: 'Report hours of service',
    description:
      'Send JSON or CSV with up to 100,000 rows, as often as needed. The last report for an employee, kind and ' +
      'period applies, and `action: remove` removes it. A row identifies the employee by `employee_id` or ' +
      '`reference_id`, and has `hours`, or `days` or `weeks` of an employee who is not paid by the hour. A period ' +
      'that overlaps with another recorded period of the same kind fails: remove that period first. Rows with a ' +
      'fault fail; the others are recorded. With `dry_run=true`, the response has the same outcome, and nothing ' +
      'changes.',
    locks: 'employer',
    query: HoursOptions,
    ...sent_hours,
    returns: { 200: dataOf(HoursOutcome) },
    example: {
      rows: [
        {
          reference_id: 'E-1',
          period_starts_on: '2026-02-01',
          period_ends_on: '2026-02-14',
          kind: 'worked',
          hours: 76.5,
        },
      ],
    },
    handle: async (ctx, { located, query, staged }) => data(await reportHours(ctx, located, staged!, query.dry_run)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_list_hours',
    sdk: 'hours.listOfEmployer',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the hours of service of an employer',
    description: 'Returns the recorded hours of all employees, latest period first, then by employee and kind.',
    query: HoursFilter,
    returns: { 200: HoursPage },
    handle: (ctx, { params, query }) => listHoursOfEmployer(ctx, params.employer_id, query),
  }),
  endpoint({
    ...of_employer,
    path: '/v1/employers/{employer_id}/hours-reports',
    operation: 'employers_list_hours_reports',
    sdk: 'hours.listReports',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the reports of hours of an employer',
    description: 'Returns the reports, newest first, including those of the payroll system of an HRIS connection.',
    query: HoursReportPaging,
    returns: { 200: HoursReportPage },
    handle: (ctx, { params, query }) => listReports(ctx, params.employer_id, query),
  }),
  endpoint({
    ...shared,
    path: '/v1/employees/{employee_id}/hours',
    locate: locateEmployee,
    operation: 'employees_list_hours',
    sdk: 'hours.listOfEmployee',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the hours of service of an employee',
    description: 'Returns the recorded hours of this employment, latest period first, then by kind.',
    query: HoursFilter,
    returns: { 200: HoursPage },
    handle: (ctx, { params, query }) => listHoursOfEmployee(ctx, params.employee_id, query),
  }),
]
