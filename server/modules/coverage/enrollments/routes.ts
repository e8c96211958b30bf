import { Paging } from '../../../kernel/pages.ts'
import { alsoForOperators, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { listEvidence } from '../../directory/evidence/queries.ts'
import { EvidencePage } from '../../directory/evidence/schemas.ts'
import { findEnrollment, locateEnrollment, listEnrollments } from './queries.ts'
import { EnrollmentDetail, EnrollmentFilter, EnrollmentPage } from './schemas.ts'

const listed = {
  tag: 'Enrollments',
  method: 'GET',
  sdk: 'enrollments.list',
  locate: locateEmployee,
  query: EnrollmentFilter,
  summary: 'List the enrollments of an employee',
  description: 'Lists one enrollment for each benefit, plan year and period of eligibility, newest first.',
  returns: { 200: EnrollmentPage },
} as const

const of_enrollment = { tag: 'Enrollments', method: 'GET', locate: locateEnrollment } as const

const found = {
  ...of_enrollment,
  summary: 'Get an enrollment',
  description: 'Returns the enrollment with the plans that can be elected and their monthly cost.',
  returns: { 200: dataOf(EnrollmentDetail) },
} as const

const history = {
  ...of_enrollment,
  summary: 'Read the history of an enrollment',
  query: Paging,
  returns: { 200: EvidencePage },
} as const

const for_partners = {
  allows: [...partner, 'employer_token', 'employee_token'],
  roles: enrolling,
  scopes: ['read', 'people'],
} as const

export const endpoints = [
  ...alsoForOperators(
    endpoint({
      ...listed,
      ...for_partners,
      operation: 'employees_list_enrollments',
      path: '/v1/employees/{employee_id}/enrollments',
      handle: (ctx, { params, query }) => listEnrollments(ctx, params.employee_id, query),
    }),
    { operation: 'operator_list_employee_enrollments', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...found,
      ...for_partners,
      operation: 'enrollments_get',
      path: '/v1/enrollments/{enrollment_id}',
      handle: async (ctx, { params }) => data(await findEnrollment(ctx, params.enrollment_id)),
    }),
    { operation: 'operator_get_enrollment', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...history,
      ...for_partners,
      operation: 'enrollments_get_history',
      path: '/v1/enrollments/{enrollment_id}/history',
      description:
        'Lists every grant, election, waiver, correction and end in chronological order. Each entry shows the actor, ' +
        'the ' +
        'reason, the window and the cost at that time.',
      handle: (ctx, { params, query }) => listEvidence(ctx, params, query),
    }),
    {
      operation: 'operator_get_enrollment_history',
      description: 'Lists every action in chronological order.',
      ...for_operators.read,
    },
  ),
]
