import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployee, locateEmployer } from '../../access/auth/queries.ts'
import { setPolicies, showPolicies, showStatus } from './actions.ts'
import { listMeasured } from './queries.ts'
import {
  AcaStatus,
  AcaStatusQuery,
  MeasuredFilter,
  MeasuredPage,
  MeasurementPolicies,
  NewMeasurementPolicies,
} from './schemas.ts'

const shared = { tag: 'Employer mandate', allows: partner, roles: operating } as const
const of_employer = {
  ...shared,
  path: '/v1/employers/{employer_id}/measurement-policies',
  locate: locateEmployer,
} as const

export const endpoints = [
  endpoint({
    ...of_employer,
    operation: 'employers_get_measurement_policies',
    sdk: 'measurementPolicies.get',
    scopes: ['read'],
    method: 'GET',
    summary: 'Get the measurement policies of an employer',
    description: 'Returns how the employer determines which employees are full-time under section 4980H.',
    returns: { 200: dataOf(MeasurementPolicies) },
    handle: async (ctx, { params }) => data(await showPolicies(ctx, params)),
  }),
  endpoint({
    ...of_employer,
    operation: 'employers_set_measurement_policies',
    sdk: 'measurementPolicies.set',
    scopes: ['write'],
    method: 'PUT',
    summary: 'Set the measurement policies of an employer',
    description:
      'Replaces all policies, one for each category of employees. A job then measures every employee by the recorded ' +
      'hours of service. Policies that the regulation does not allow are refused.',
    locks: 'employer',
    body: NewMeasurementPolicies,
    returns: { 200: dataOf(MeasurementPolicies) },
    example: { policies: [{ method: 'look_back', standard_starts_on: '2025-10-15' }] },
    handle: (ctx, { located, body }) =>
      changed(setPolicies(ctx, located, body.policies), () => showPolicies(ctx, located)),
  }),
  endpoint({
    ...of_employer,
    path: '/v1/employers/{employer_id}/aca-statuses',
    operation: 'employers_list_aca_statuses',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the full-time statuses of employees',
    description:
      'Returns the measured current employees of an employer with their status today, latest hire first. ' +
      '`is_trending` finds employees who will be full-time if their hours continue.',
    query: MeasuredFilter,
    returns: { 200: MeasuredPage },
    handle: (ctx, { params, query }) => listMeasured(ctx, params.employer_id, query),
  }),
  endpoint({
    ...shared,
    path: '/v1/employees/{employee_id}/aca-status',
    locate: locateEmployee,
    operation: 'employees_get_aca_status',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'Explain the full-time status of an employee',
    description:
      'Returns whether the employee is full-time on that day, by which measurement, and until when, with each ' +
      'measurement, administrative and stability period and the months of the calendar year.',
    query: AcaStatusQuery,
    returns: { 200: dataOf(AcaStatus) },
    handle: async (ctx, { params, query }) => data(await showStatus(ctx, params.employee_id, query.as_of ?? ctx.today)),
  }),
]
