import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { changesBy, correctedEnrollment } from '../enrollments/change-actions.ts'
import { findEnrollment, locateEnrollment } from '../enrollments/queries.ts'
import { CorrectedEnrollment, EnrollmentDetail } from '../enrollments/schemas.ts'
import { correctEnrollment, electEnrollment, waiveEnrollment } from './actions.ts'
import { refusals } from './rules.ts'
import { Election, EnrollmentCorrection, Waiver } from './schemas.ts'

const answering = {
  tag: 'Enrollments',
  method: 'POST',
  allows: [...partner, 'employee_token'],
  organization: 'path',
  params: { enrollment_id: 'enrl' },
  locate: locateEnrollment,
  locks: 'employer',
  returns: { 200: dataOf(EnrollmentDetail) },
} as const

export const endpoints = [
  endpoint({
    ...answering,
    operation: 'enrollments_elect',
    roles: enrolling,
    scopes: ['write', 'people'],
    path: '/v1/enrollments/{enrollment_id}/elect',
    summary: 'Elect a plan',
    description:
      'While a window is open: 30 days from the grant, open enrollment, or 30 days after a qualifying life event is approved. ' +
      'Before coverage begins it replaces what was elected; after that it holds from the first of the next month, but who is ' +
      'added after a birth, adoption or placement is covered from that day. Until then nobody leaves and no plan changes.',
    body: Election,
    refuses: [
      refusals.employee_is_not_employed,
      refusals.enrollment_is_inactive,
      refusals.enrollment_window_closed,
      refusals.change_not_consistent,
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
    roles: enrolling,
    scopes: ['write', 'people'],
    path: '/v1/enrollments/{enrollment_id}/waive',
    summary: 'Waive a benefit',
    description: 'While a window is open, and before coverage begins. Waiving again is the last answer.',
    body: Waiver,
    refuses: [
      refusals.employee_is_not_employed,
      refusals.enrollment_is_inactive,
      refusals.enrollment_window_closed,
      refusals.change_not_consistent,
      refusals.coverage_has_started,
    ],
    example: { reason: 'Covered by a spouse' },
    handle: async (ctx, { located, body }) => {
      await waiveEnrollment(ctx, located, body)
      return data(await findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'operator_correct_enrollment',
    roles: roles_to.administer,
    path: '/operator/v1/enrollments/{enrollment_id}/corrections',
    summary: 'Set an enrollment right',
    description:
      'Elects or waives outside of the windows, or sets the first or last day of coverage; the engine leaves such days alone. ' +
      'The reason is kept. Nothing leaves inactive: of an inactive enrollment only days in the past may be set right. ' +
      'With `dry_run` nothing changes, and the answer, 200, tells what would.',
    allows: ['operator'],
    organization: 'none',
    body: EnrollmentCorrection,
    returns: { 200: CorrectedEnrollment, 201: CorrectedEnrollment },
    refuses: [
      refusals.enrollment_is_inactive,
      refusals.plan_not_offered,
      refusals.individual_plan_does_not_fit,
      refusals.dependents_do_not_fit_tier,
      refusals.dependent_not_coverable,
    ],
    example: { reason: 'The form was lost in the mail', waive: true },
    handle: async (ctx, { located, body: { dry_run, ...correction } }) => {
      const changed = await changesBy(ctx, located.employee_id, () => correctEnrollment(ctx, located, correction))
      const body = await correctedEnrollment(ctx, located.enrollment_id, changed)
      return body && { status: dry_run ? 200 : 201, body }
    },
  }),
]
