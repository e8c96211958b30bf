import { data, dataOf, endpoint, partner } from '../../platform/endpoint.ts'
import { findEnrollment, locateEnrollment } from '../enrollments/queries.ts'
import { EnrollmentDetail } from '../enrollments/schemas.ts'
import {
  correctEnrollment,
  electEnrollment,
  reissueEnrollment,
  terminateEnrollment,
  waiveEnrollment,
} from './actions.ts'
import { refusals } from './rules.ts'
import {
  Election,
  EnrollmentCorrection,
  EnrollmentReissue,
  EnrollmentTermination,
  OperatorReissue,
  Waiver,
} from './schemas.ts'

const answering = {
  tag: 'Enrollments',
  method: 'POST',
  allows: [...partner, 'employee_token'],
  organization: 'path',
  params: { enrollment_id: 'enrl' },
  locate: locateEnrollment,
  returns: { 200: dataOf(EnrollmentDetail) },
} as const

export const endpoints = [
  endpoint({
    ...answering,
    operation: 'enrollments_elect',
    path: '/v1/enrollments/{enrollment_id}/elect',
    summary: 'Elect a plan',
    description:
      'While a window is open: 30 days from the grant, open enrollment, or 30 days after a qualifying life event is approved. ' +
      'Before coverage begins it replaces what was elected; after that it holds from the first of the next month, but who is ' +
      'added after a birth, adoption or placement is covered from that day. Until then nobody leaves and no plan changes.',
    body: Election,
    refuses: [
      refusals.enrollment_is_inactive,
      refusals.enrollment_window_closed,
      refusals.coverage_ends_first,
      refusals.plan_not_offered,
      refusals.individual_plan_does_not_fit,
      refusals.dependents_do_not_fit_tier,
      refusals.dependent_not_coverable,
    ],
    example: { plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz', coverage_tier: 'EE' },
    handle: async (ctx, { located, body }) => {
      await electEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'enrollments_waive',
    path: '/v1/enrollments/{enrollment_id}/waive',
    summary: 'Waive a benefit',
    description: 'While a window is open, and before coverage begins. Waiving again is the last answer.',
    body: Waiver,
    refuses: [refusals.enrollment_is_inactive, refusals.enrollment_window_closed, refusals.coverage_has_started],
    example: { reason: 'Covered by a spouse' },
    handle: async (ctx, { located, body }) => {
      await waiveEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'enrollments_terminate',
    path: '/v1/enrollments/{enrollment_id}/terminate',
    summary: 'End coverage after a life event',
    description:
      'Ends coverage that was elected and has begun with the end of this month, or of a later one of the plan year, while ' +
      'the window of an approved life event is open. Coverage that ends before for other reasons still does. It is ' +
      'taken back by opening it anew.',
    allows: partner,
    body: EnrollmentTermination,
    refuses: [
      refusals.enrollment_is_inactive,
      refusals.coverage_not_elected,
      refusals.enrollment_window_closed,
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
    ...answering,
    operation: 'enrollments_reissue',
    path: '/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Open anew what was ended on request',
    description:
      'Takes an end on request back as if it had not been, without a gap: what was elected holds as before, and what was ' +
      'not deducted and billed meanwhile follows as corrections. While the window of an approved life event is open, and ' +
      'up to 60 days after the last day of coverage.',
    allows: partner,
    body: EnrollmentReissue,
    refuses: [refusals.enrollment_is_not_ended, refusals.coverage_ended_long_ago, refusals.enrollment_window_closed],
    example: { reason: 'The new coverage fell through' },
    handle: async (ctx, { located, body }) => {
      await reissueEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'operator_reissue_enrollment',
    path: '/operator/v1/enrollments/{enrollment_id}/reissue',
    summary: 'Open anew what was ended on request',
    description: 'As partners do, without a window and however long ago it was. The reason is kept.',
    allows: ['operator'],
    organization: 'none',
    body: OperatorReissue,
    refuses: [refusals.enrollment_is_not_ended],
    example: { reason: 'Ended by mistake' },
    handle: async (ctx, { located, body }) => {
      await reissueEnrollment(ctx, located, body, 'operator')
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'operator_correct_enrollment',
    path: '/operator/v1/enrollments/{enrollment_id}/corrections',
    summary: 'Set an enrollment right',
    description:
      'Elects or waives outside of the windows, or sets the first or last day of coverage; the engine leaves such days alone. ' +
      'The reason is kept. Nothing leaves inactive: of an inactive enrollment only days in the past may be set right.',
    allows: ['operator'],
    organization: 'none',
    body: EnrollmentCorrection,
    returns: { 201: dataOf(EnrollmentDetail) },
    refuses: [
      refusals.enrollment_is_inactive,
      refusals.plan_not_offered,
      refusals.individual_plan_does_not_fit,
      refusals.dependents_do_not_fit_tier,
      refusals.dependent_not_coverable,
    ],
    example: { reason: 'The form was lost in the mail', waive: true },
    handle: async (ctx, { located, body }) => {
      await correctEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
]
