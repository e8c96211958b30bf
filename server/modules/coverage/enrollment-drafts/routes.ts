import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { replaceDraft, showDraft } from './actions.ts'
import { deleteDraft } from './queries.ts'
import { refusals } from './rules.ts'
import { EnrollmentDraft, EnrollmentDraftInput } from './schemas.ts'

const of_employee = {
  path: '/v1/employees/{employee_id}/enrollment-draft',
  tag: 'Enrollments',
  allows: [...partner, 'employee_token'],
  roles: enrolling,
  locate: locateEmployee,
  returns: { 200: dataOf(EnrollmentDraft) },
} as const

export const endpoints = [
  endpoint({
    ...of_employee,
    operation: 'employees_get_enrollment_draft',
    sdk: 'enrollments.getDraft',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'Get the unfinished election of an employee',
    description:
      'Returns the choices that the employee has made on any device but not submitted. Choices whose enrollment, ' +
      'plan or dependent is gone are left out. Without a draft, `saved_at` is null and the lists are empty.',
    handle: async (ctx, { params }) => data(await showDraft(ctx, params.employee_id)),
  }),
  endpoint({
    ...of_employee,
    operation: 'employees_save_enrollment_draft',
    sdk: 'enrollments.saveDraft',
    scopes: ['write', 'people'],
    method: 'PUT',
    summary: 'Save the unfinished election of an employee',
    description:
      'Replaces the draft of the employee. The choices may be incomplete, but must refer to open enrollments, ' +
      'offered plans and active dependents. Nothing is elected. Submitting `enrollment-answers` discards the draft, ' +
      'and so do a save without any choice and the end of the window.',
    locks: 'employer',
    body: EnrollmentDraftInput,
    refuses: [
      elections_refusals.enrollment_window_closed,
      refusals.draft_has_changed,
      refusals.enrollment_not_open,
      elections_refusals.plan_not_offered,
      elections_refusals.dependent_not_coverable,
    ],
    example: { dependent_ids: [], answers: [] },
    handle: (ctx, { located, body }) =>
      changed(replaceDraft(ctx, located, body), () => showDraft(ctx, located.employee_id)),
  }),
  endpoint({
    ...of_employee,
    operation: 'employees_discard_enrollment_draft',
    sdk: 'enrollments.discardDraft',
    scopes: ['write', 'people'],
    method: 'DELETE',
    summary: 'Discard the unfinished election of an employee',
    description: 'Deletes the draft and returns an empty one. Elections and waivers that were submitted stay.',
    locks: 'employer',
    handle: (ctx, { located: { employee_id, organization_id } }) =>
      changed(deleteDraft(ctx, { employee_id, organization_id }), () => showDraft(ctx, employee_id)),
  }),
]
