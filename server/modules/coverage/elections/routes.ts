import { changed, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { whyNotElectBeforeReading } from '../../directory/documents/actions.ts'
import { refusals as documents_refusals } from '../../directory/documents/rules.ts'
import { changesBy, correctedEnrollment } from '../enrollments/actions.ts'
import { findEnrollment, locateEnrollment, type EnrollmentKey } from '../enrollments/queries.ts'
import { CorrectedEnrollment, EnrollmentDetail } from '../enrollments/schemas.ts'
import { correctEnrollment, electEnrollment, waiveEnrollment } from './actions.ts'
import { refusals } from './rules.ts'
import { Election, EnrollmentCorrection, Waiver } from './schemas.ts'

const answering = {
  tag: 'Enrollments',
  method: 'POST',
  allows: [...partner, 'employee_token'],
  locate: locateEnrollment,
  locks: 'employer',
  returns: { 200: dataOf(EnrollmentDetail) },
} as const

/** Refuses an answer by an employee who has not opened a required document. */
async function requireReading(ctx: Ctx, employee: EnrollmentKey, plan_ids: string[]): Promise<void> {
  if (ctx.caller.kind !== 'employee_token') return
  refuse(await whyNotElectBeforeReading(ctx, employee, { enrollment_ids: [employee.enrollment_id], plan_ids }))
}

export const endpoints = [
  endpoint({
    ...answering,
    operation: 'enrollments_elect',
    roles: enrolling,
    scopes: ['write', 'people'],
    path: '/v1/enrollments/{enrollment_id}/elect',
    summary: 'Elect a plan',
    description:
      'Elects a plan while a window is open: 30 days from the grant, open enrollment, or 30 days after a ' +
      'qualifying life event is approved. Before coverage begins, the election replaces the earlier one. After ' +
      'that, it takes effect on the first of the next month; until then, no dependents are dropped and the plan ' +
      'does not change. People who are added after a birth, adoption or placement are covered from that day.',
    body: Election,
    refuses: [
      refusals.employee_is_not_employed,
      refusals.enrollment_is_inactive,
      refusals.enrollment_window_closed,
      refusals.change_not_consistent,
      refusals.coverage_ends_first,
      documents_refusals.required_document_not_opened,
      refusals.plan_not_offered,
      refusals.individual_plan_does_not_fit,
      refusals.dependents_do_not_fit_tier,
      refusals.dependent_not_coverable,
      refusals.dependent_data_missing,
    ],
    example: { plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz', coverage_tier: 'EE' },
    handle: async (ctx, { located, body }) => {
      await requireReading(ctx, located, [body.plan_id])
      return data(await electEnrollment(ctx, located, body))
    },
  }),
  endpoint({
    ...answering,
    operation: 'enrollments_waive',
    roles: enrolling,
    scopes: ['write', 'people'],
    path: '/v1/enrollments/{enrollment_id}/waive',
    summary: 'Waive a benefit',
    description:
      'Waives the benefit while a window is open and before coverage begins. You can waive again, for example to ' +
      'change the reason.',
    body: Waiver,
    refuses: [
      refusals.employee_is_not_employed,
      refusals.enrollment_is_inactive,
      refusals.enrollment_window_closed,
      refusals.change_not_consistent,
      refusals.coverage_has_started,
      documents_refusals.required_document_not_opened,
    ],
    example: { reason: 'Covered by a spouse' },
    handle: async (ctx, { located, body }) => {
      await requireReading(ctx, located, [])
      return changed(waiveEnrollment(ctx, located, body), () => findEnrollment(ctx, located.enrollment_id))
    },
  }),
  endpoint({
    ...answering,
    operation: 'operator_correct_enrollment',
    ...for_operators.administer,
    path: '/operator/v1/enrollments/{enrollment_id}/corrections',
    summary: 'Correct an enrollment',
    description:
      'Elects or waives outside of the windows, or sets the first or last day of coverage. Later calculations keep ' +
      'the days that you set. The reason is stored. An inactive enrollment stays inactive; you can only correct its ' +
      'past days. With `dry_run`, nothing changes, and the 200 response shows the effects.',
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
