import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { refusals as electing } from '../elections/rules.ts'
import { changesBy, correctedEnrollment } from '../enrollments/change-actions.ts'
import { findEnrollment, locateEnrollment } from '../enrollments/queries.ts'
import { CorrectedEnrollment, EnrollmentDetail } from '../enrollments/schemas.ts'
import { reissueEnrollment, terminateEnrollment } from './actions.ts'
import { refusals } from './rules.ts'
import { EnrollmentReissue, EnrollmentTermination, OperatorReissue } from './schemas.ts'

const an_enrollment = {
  tag: 'Enrollments',
  method: 'POST',
  params: { enrollment_id: 'enrl' },
  locate: locateEnrollment,
  returns: { 200: dataOf(EnrollmentDetail) },
} as const

export const endpoints = [
  endpoint({
    ...an_enrollment,
    operation: 'enrollments_terminate',
    path: '/v1/enrollments/{enrollment_id}/terminate',
    summary: 'End coverage after a life event',
    description:
      'Ends coverage that was elected and has begun with the end of this month, or of a later one of the plan year, ' +
      'while the window of an approved life event is open. Coverage that ends before for other reasons still does. ' +
      'It is taken back by opening it anew.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'path',
    body: EnrollmentTermination,
    refuses: [
      electing.enrollment_is_inactive,
      refusals.coverage_not_elected,
      electing.enrollment_window_closed,
      electing.change_not_consistent,
      refusals.coverage_has_not_started,
      refusals.coverage_already_ends,
    ],
    example: { reason: 'Covered by the new spouse', coverage_end: '2026-03-31' },
    handle: async (ctx, { located, body }) => {
      await terminateEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...an_enrollment,
    operation: 'enrollments_reissue',
    path: '/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Open anew what was ended on request',
    description:
      'Takes an end on request back as if it had not been, without a gap: what was elected holds as before, and what ' +
      'was not deducted and billed meanwhile follows as corrections. While the window of an approved life event is ' +
      'open, and up to 60 days after the last day of coverage.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    organization: 'path',
    body: EnrollmentReissue,
    refuses: [
      refusals.enrollment_is_not_ended,
      refusals.choice_group_taken,
      refusals.coverage_ended_long_ago,
      electing.enrollment_window_closed,
    ],
    example: { reason: 'The new coverage fell through' },
    handle: async (ctx, { located, body }) => {
      await reissueEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...an_enrollment,
    operation: 'operator_reissue_enrollment',
    roles: roles_to.administer,
    path: '/operator/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Open anew what was ended on request',
    description:
      'As partners do, without a window and however long ago it was. The reason is kept. With `dry_run` nothing ' +
      'changes, and the answer tells what would.',
    allows: ['operator'],
    organization: 'none',
    body: OperatorReissue,
    returns: { 200: CorrectedEnrollment },
    refuses: [refusals.enrollment_is_not_ended, refusals.choice_group_taken],
    example: { reason: 'Ended by mistake' },
    handle: async (ctx, { located, body }) => {
      const reissue = () => reissueEnrollment(ctx, located, body, 'operator')
      return correctedEnrollment(ctx, located.enrollment_id, await changesBy(ctx, located.employee_id, reissue))
    },
  }),
]
