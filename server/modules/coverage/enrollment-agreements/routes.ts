import { data, dataOf, endpoint, made, partner } from '../../../http/endpoint.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import { administering, enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { agreementsOf, createAgreement, currentAgreements } from './actions.ts'
import { findAgreement } from './queries.ts'
import { EnrollmentAgreement, EnrollmentAgreementList, NewEnrollmentAgreement } from './schemas.ts'

const of_organization = {
  path: '/v1/enrollment-agreements',
  tag: 'Enrollments',
  allows: partner,
  roles: administering,
  organization: 'needed',
} as const

export const endpoints = [
  endpoint({
    ...of_organization,
    operation: 'list_enrollment_agreements',
    scopes: ['read'],
    method: 'GET',
    summary: 'List the agreements that employees sign',
    description:
      'Lists the last 100 versions, newest first, and the default text last. The latest text of a plan year applies ' +
      'to it, or else the latest text for all plan years.',
    returns: { 200: EnrollmentAgreementList },
    handle: async (ctx) => data(await agreementsOf(ctx, actingOrganization(ctx.caller))),
  }),
  endpoint({
    ...of_organization,
    operation: 'create_enrollment_agreement',
    scopes: ['write'],
    method: 'POST',
    summary: 'Create a version of the agreement that employees sign',
    description:
      'The new text applies immediately to signatures of the organization, or only of the plan year in ' +
      '`benefit_plan_year_id`. Earlier signatures keep the version that the employee read.',
    body: NewEnrollmentAgreement,
    returns: { 201: dataOf(EnrollmentAgreement) },
    example: {
      text_en: 'I authorize my employer to deduct my share of the cost from my paychecks.',
      text_es: 'Autorizo a mi empleador a descontar mi parte del costo de mis cheques de pago.',
    },
    handle: async (ctx, { body }) => {
      const organization_id = actingOrganization(ctx.caller)
      const id = await createAgreement(ctx, organization_id, body)
      return made(id, () => findAgreement(ctx, { id, organization_id }))
    },
  }),
  endpoint({
    operation: 'employees_list_enrollment_agreements',
    sdk: 'enrollments.listAgreementsToSign',
    method: 'GET',
    path: '/v1/employees/{employee_id}/enrollment-agreements',
    tag: 'Enrollments',
    summary: 'List the agreements that an employee signs',
    description:
      'Returns the current text of each plan year in which the employee is enrolled or can enroll, each text once. ' +
      'Send their ids with the `signature` of `enrollment-answers`.',
    allows: [...partner, 'employee_token'],
    roles: enrolling,
    scopes: ['read', 'people'],
    locate: locateEmployee,
    returns: { 200: EnrollmentAgreementList },
    handle: async (ctx, { params }) => data(await currentAgreements(ctx, params.employee_id)),
  }),
]
