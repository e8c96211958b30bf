import { data, dataOf, endpoint, partner } from '../../platform/endpoint.ts'
import { enrolling } from '../../platform/permissions.ts'
import { locateEmployee } from '../auth/queries.ts'
import { listEvidence } from '../evidence/queries.ts'
import { EvidencePage, EvidencePaging } from '../evidence/schemas.ts'
import { findEnrollment, locateEnrollment, listEnrollments } from './queries.ts'
import { EnrollmentDetail, EnrollmentFilter, EnrollmentPage } from './schemas.ts'

const tag = 'Enrollments'

export const endpoints = [
  endpoint({
    operation: 'employees_list_enrollments',
    sdk: 'enrollments.list',
    method: 'GET',
    path: '/v1/employees/{employee_id}/enrollments',
    tag,
    summary: 'List the enrollments of an employee',
    description: 'One per benefit, plan year and time of being eligible, newest first.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { employee_id: 'empl' },
    locate: locateEmployee,
    query: EnrollmentFilter,
    returns: { 200: EnrollmentPage },
    handle: (ctx, { params, query }) => listEnrollments(ctx, params.employee_id, query),
  }),
  endpoint({
    operation: 'enrollments_get',
    method: 'GET',
    path: '/v1/enrollments/{enrollment_id}',
    tag,
    summary: 'Get an enrollment',
    description: 'With the plans that can be elected and what they cost per month.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { enrollment_id: 'enrl' },
    locate: locateEnrollment,
    returns: { 200: dataOf(EnrollmentDetail) },
    handle: async (ctx, { params }) => data(await findEnrollment(ctx, params.enrollment_id)),
  }),
  endpoint({
    operation: 'enrollments_get_history',
    method: 'GET',
    path: '/v1/enrollments/{enrollment_id}/history',
    tag,
    summary: 'Read the history of an enrollment',
    description:
      'Everything that was done to it, in the order in which it was: each grant, answer, correction and end, ' +
      'with who did it, why, in which window, and what it cost then.',
    allows: [...partner, 'employer_token', 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    organization: 'path',
    params: { enrollment_id: 'enrl' },
    locate: locateEnrollment,
    query: EvidencePaging,
    returns: { 200: EvidencePage },
    handle: (ctx, { params, query }) => listEvidence(ctx, params.enrollment_id, query),
  }),
]
