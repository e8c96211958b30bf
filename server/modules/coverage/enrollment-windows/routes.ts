import { endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { listEnrollmentWindows, listWindowPeople } from './queries.ts'
import { EnrollmentWindowFilter, EnrollmentWindowList, EnrollmentWindowPersonPage } from './schemas.ts'

const reads = {
  tag: 'Enrollment windows',
  method: 'GET',
  allows: [...partner, 'employer_token'],
  roles: enrolling,
  scopes: ['read', 'people'],
} as const

export const endpoints = [
  endpoint({
    ...reads,
    locate: locateEmployer,
    operation: 'employers_list_enrollment_windows',
    sdk: 'enrollmentWindows.list',
    path: '/v1/employers/{employer_id}/enrollment-windows',
    summary: 'List the enrollment windows of an employer',
    description:
      'Lists the plan years in which employees can still elect or waive, latest first: open enrollment is open or in ' +
      'the ' +
      'future, or a new hire has pending benefits. The counts are of employees, by benefit and by class.',
    returns: { 200: EnrollmentWindowList },
    handle: (ctx, { params }) => listEnrollmentWindows(ctx, params),
  }),
  endpoint({
    ...reads,
    locate: locatePlanYear,
    operation: 'employers_list_enrollment_window_people',
    sdk: 'enrollmentWindows.listPeople',
    path: '/v1/employers/{employer_id}/enrollment-windows/{benefit_plan_year_id}/people',
    summary: 'List the people of an enrollment window',
    description: 'Lists each employee once, in the order of their names, with the progress of enrollment.',
    query: EnrollmentWindowFilter,
    returns: { 200: EnrollmentWindowPersonPage },
    handle: (ctx, { params, query }) => listWindowPeople(ctx, params, query),
  }),
]
