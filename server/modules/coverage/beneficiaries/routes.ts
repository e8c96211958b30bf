import { changed, data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { enrolling } from '../../../runtime/permissions.ts'
import { locateEmployee } from '../../access/auth/queries.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { designateBeneficiaries } from './actions.ts'
import { findBeneficiaries, listBeneficiaries, listDesignations, locateEmployeeOfBenefit } from './queries.ts'
import { refusals } from './rules.ts'
import { BeneficiariesInput, BeneficiaryHistory, BenefitBeneficiaries, BenefitBeneficiariesList } from './schemas.ts'

const of_employee = {
  path: '/v1/employees/{employee_id}/beneficiaries',
  tag: 'Beneficiaries',
  allows: [...partner, 'employee_token'],
  roles: enrolling,
  locate: locateEmployee,
} as const

export const endpoints = [
  endpoint({
    ...of_employee,
    operation: 'beneficiaries_list',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the beneficiaries of an employee',
    description:
      'Lists the benefits that take beneficiaries and that the employee has elected or can elect, by name, each with ' +
      'its current beneficiaries. They apply to all plan years of the benefit.',
    returns: { 200: BenefitBeneficiariesList },
    handle: async (ctx, { params: { employee_id } }) => data(await listBeneficiaries(ctx, { employee_id })),
  }),
  endpoint({
    ...of_employee,
    path: `${of_employee.path}/{benefit_id}`,
    operation: 'beneficiaries_designate',
    scopes: ['write', 'people'],
    method: 'PUT',
    summary: 'Designate the beneficiaries of a benefit',
    description:
      'Replaces the beneficiaries of the benefit, at any time during the employment. The shares of the primary ' +
      'beneficiaries add up to 100 percent, and so do those of the contingent ones. Earlier designations stay in ' +
      'the history.',
    locks: 'employer',
    locate: locateEmployeeOfBenefit,
    body: BeneficiariesInput,
    returns: { 200: dataOf(BenefitBeneficiaries) },
    refuses: [elections_refusals.employee_is_not_employed, refusals.benefit_takes_no_beneficiaries],
    example: {
      beneficiaries: [
        { level: 'primary', type: 'person', name: 'Sam Costa', relationship: 'spouse', share_percentage: 100 },
        { level: 'contingent', type: 'estate', share_percentage: 100 },
      ],
    },
    handle: (ctx, { located, params: { benefit_id }, body }) => {
      const { organization_id, employee_id } = located
      return changed(designateBeneficiaries(ctx, located, benefit_id, body), () =>
        findBeneficiaries(ctx, { organization_id, employee_id, benefit_id }),
      )
    },
  }),
  endpoint({
    ...of_employee,
    path: `${of_employee.path}/{benefit_id}/history`,
    operation: 'beneficiaries_list_history',
    scopes: ['read', 'people'],
    method: 'GET',
    summary: 'List the designations of beneficiaries for a benefit',
    description: 'Lists the last 100 designations, latest first. The first one applies.',
    returns: { 200: BeneficiaryHistory },
    handle: async (ctx, { params: { employee_id, benefit_id } }) =>
      data(await listDesignations(ctx, { employee_id, benefit_id })),
  }),
]
