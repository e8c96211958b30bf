import { alsoForOperators, changed, data, dataOf, endpoint, for_operators, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { endPlanYearRequest, requestPlanYear } from './actions.ts'
import { findEmployerSetup } from './queries.ts'
import { refusals } from './rules.ts'
import { EmployerSetup, NewPlanYearRequest } from './schemas.ts'

const of_employer = { tag: 'Employers', locate: locateEmployer } as const

const of_request = {
  ...of_employer,
  path: '/v1/employers/{employer_id}/plan-year-request',
  allows: partner,
  roles: operating,
  scopes: ['write'],
  returns: { 200: dataOf(EmployerSetup) },
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...of_employer,
      operation: 'employers_get_setup',
      method: 'GET',
      path: '/v1/employers/{employer_id}/setup',
      summary: 'Get the setup of an employer',
      description:
        'Returns the steps from a new employer to its first coverage. Each step follows from the current data of the ' +
        'employer, so no request completes a step by itself.',
      allows: partner,
      roles: operating,
      scopes: ['read'],
      returns: { 200: dataOf(EmployerSetup) },
      handle: async (ctx, { params }) => data(await findEmployerSetup(ctx, params)),
    }),
    { operation: 'operator_get_employer_setup', ...for_operators.read },
  ),
  endpoint({
    ...of_request,
    operation: 'employers_request_plan_year',
    method: 'PUT',
    summary: 'Request a plan year',
    description:
      'Opens a task for the operator, who opens plan years with their benefits and contributions. A later request ' +
      'replaces it, and the next plan year of the employer completes it.',
    body: NewPlanYearRequest,
    refuses: [refusals.employer_is_cancelled],
    example: { coverage_start: '2027-01-01', open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' },
    handle: (ctx, { located, body }) =>
      changed(requestPlanYear(ctx, located, body), () => findEmployerSetup(ctx, located)),
  }),
  endpoint({
    ...of_request,
    operation: 'employers_withdraw_plan_year_request',
    method: 'DELETE',
    summary: 'Withdraw the request for a plan year',
    description: 'Closes the task of the operator. Without a request, nothing changes.',
    handle: (ctx, { located }) => changed(endPlanYearRequest(ctx, located), () => findEmployerSetup(ctx, located)),
  }),
]
