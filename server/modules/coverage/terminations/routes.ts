import { changed, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { refusals as electing } from '../elections/rules.ts'
import { changesBy, correctedEnrollment } from '../enrollments/actions.ts'
import { findEnrollment, locateEnrollment } from '../enrollments/queries.ts'
import { CorrectedEnrollment, EnrollmentDetail } from '../enrollments/schemas.ts'
import { reissueEnrollment, terminateEnrollment } from './actions.ts'
import { days_to_reissue, refusals } from './rules.ts'
import { EnrollmentReissue, EnrollmentTermination, OperatorReissue } from './schemas.ts'

const an_enrollment = {
  tag: 'Enrollments',
  method: 'POST',
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
      'Ends elected coverage that has already begun, while the window of an approved life event is open. The last ' +
      'day is the end of this month, or of a later month of the plan year. It does not extend coverage that ends ' +
      'earlier for another reason. To reverse the end, reissue the enrollment.',
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
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
    handle: (ctx, { located, body }) =>
      changed(terminateEnrollment(ctx, located, body), () => findEnrollment(ctx, located.enrollment_id)),
  }),
  endpoint({
    ...an_enrollment,
    operation: 'enrollments_reissue',
    path: '/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Reissue coverage that was ended on request',
    description:
      'Reverses a requested end of coverage, without a gap. The earlier election applies again, and corrections ' +
      'deduct and bill the missed amounts. Possible while the window of an approved life event is open, up to ' +
      `${days_to_reissue} days after the last day of coverage.`,
    allows: partner,
    roles: enrolling,
    scopes: ['write', 'people'],
    body: EnrollmentReissue,
    refuses: [
      refusals.enrollment_is_not_ended,
      refusals.choice_group_taken,
      refusals.coverage_ended_long_ago,
      electing.enrollment_window_closed,
    ],
    example: { reason: 'The new coverage fell through' },
    handle: (ctx, { located, body }) =>
      changed(reissueEnrollment(ctx, located, body), () => findEnrollment(ctx, located.enrollment_id)),
  }),
  endpoint({
    ...an_enrollment,
    operation: 'operator_reissue_enrollment',
    ...for_operators.administer,
    path: '/operator/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Reissue coverage that was ended on request',
    description:
      'Works like the partner endpoint, but without a window or a time limit. The reason is stored. With `dry_run`, ' +
      'nothing changes, and the response shows the effects.',
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
