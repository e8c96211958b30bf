import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { refusals as documents_refusals } from '../../directory/documents/rules.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { refusals as agreements_refusals } from '../enrollment-agreements/rules.ts'
import { submitAnswers } from './actions.ts'
import { refusals } from './rules.ts'
import { EnrollmentQuote, ConfirmationQuery, EnrollmentAnswers, EnrollmentConfirmationList } from './schemas.ts'
import { showConfirmations } from './confirmation-actions.ts'

export const endpoints = [
  endpoint({
    operation: 'employees_answer_enrollments',
    sdk: 'enrollments.answer',
    method: 'POST',
    path: '/v1/employees/{employee_id}/enrollment-answers',
    tag: 'Enrollments',
    summary: 'Elect and waive several benefits at once',
    description:
      'Saves all elections and waivers or none. Each is checked like a single one. Returns the cost per month ' +
      'and per paycheck. With `dry_run`, nothing changes and you only get the cost.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['write', 'people'],
    locate: locateEmployee,
    locks: 'employer',
    body: EnrollmentAnswers,
    returns: { 200: dataOf(EnrollmentQuote) },
    refuses: [
      elections_refusals.employee_is_not_employed,
      elections_refusals.enrollment_is_inactive,
      elections_refusals.enrollment_window_closed,
      elections_refusals.change_not_consistent,
      elections_refusals.coverage_ends_first,
      elections_refusals.coverage_has_started,
      agreements_refusals.agreement_has_changed,
      documents_refusals.required_document_not_opened,
      refusals.enrollment_of_other_employee,
      refusals.choice_group_conflict,
      elections_refusals.plan_not_offered,
      elections_refusals.individual_plan_does_not_fit,
      elections_refusals.dependents_do_not_fit_tier,
      elections_refusals.dependent_not_coverable,
      elections_refusals.dependent_data_missing,
    ],
    example: {
      answers: [{ enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v7xz', waive: { reason: 'Covered by a spouse' } }],
      dry_run: true,
    },
    handle: async (ctx, { located, body }) => data(await submitAnswers(ctx, located, body)),
  }),
  endpoint({
    operation: 'employees_get_confirmation',
    sdk: 'enrollments.getConfirmation',
    method: 'GET',
    path: '/v1/employees/{employee_id}/enrollment-answers/pdf',
    tag: 'Enrollments',
    summary: "Get a link to the PDF of an employee's elections",
    description:
      'Returns a link to a PDF of the current elections and waivers, grouped by plan year. It covers the plan years ' +
      'of the latest submission and shows the first paychecks with deductions.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    query: ConfirmationQuery,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params: { employee_id: id }, query: { language } }) => {
      const employee = await locateEmployee(ctx, { employee_id: id })
      if (!employee) return undefined
      const { organization_id } = employee
      return data(await downloadLink(ctx, { kind: `confirmation_${language}`, organization_id, id }))
    },
  }),
  endpoint({
    operation: 'employees_list_confirmations',
    sdk: 'enrollments.listConfirmations',
    method: 'GET',
    path: '/v1/employees/{employee_id}/enrollment-confirmations',
    tag: 'Enrollments',
    summary: 'List the stored confirmations of an employee',
    description:
      'Each request to `enrollment-answers` that is not a dry run stores a PDF of the elections and waivers, in the ' +
      'language of the signature. The PDF is encrypted and never changes. Lists the last 100, latest first. The ' +
      'history of an enrollment names them.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    returns: { 200: EnrollmentConfirmationList },
    handle: async (ctx, { params }) => data(await showConfirmations(ctx, params.employee_id)),
  }),
]
