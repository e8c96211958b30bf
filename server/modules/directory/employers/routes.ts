import { actingOrganization } from '../../../runtime/caller.ts'
import { data, dataOf, endpoint, made, partner, roles_to } from '../../../http/endpoint.ts'
import { everyone, operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { addAdmin, administerEmployer, createEmployer, updateEmployer, updateEmployerSettings } from './actions.ts'
import { findEmployers, listEmployers } from './book-queries.ts'
import { findAdmin, listAdmins, locateAdmin, saveAdminEnd } from './found-queries.ts'
import { findEmployer } from './queries.ts'
import { collisionRefusals, refusals } from './rules.ts'
import { findEmployerSettings } from './settings-queries.ts'
import {
  Employer,
  EmployerAdmin,
  EmployerAdministration,
  EmployerAdminPage,
  EmployerAdminPaging,
  EmployerChanges,
  EmployerFilter,
  EmployerPage,
  EmployerSettings,
  EmployerSettingsChanges,
  NewEmployer,
  NewEmployerAdmin,
  OperatorEmployerFilter,
} from './schemas.ts'

const tag = 'Employers'

/** What operations on one employer have in common. */
const ofEmployer = {
  tag,
  organization: 'header',
  params: { employer_id: 'empr' },
  locate: locateEmployer,
} as const

const operators = { tag, allows: ['operator'], organization: 'none' } as const
const operators_of_one = { ...operators, params: { employer_id: 'empr' }, locate: locateEmployer } as const

export const endpoints = [
  endpoint({
    operation: 'employers_list',
    method: 'GET',
    path: '/v1/employers',
    tag,
    summary: 'List the employer book',
    description:
      'The employers of your organization with their computed columns, newest first. Cancelled employers are hidden ' +
      'unless include_cancelled is true or their stage is asked for.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'header',
    query: EmployerFilter,
    returns: { 200: EmployerPage },
    handle: (ctx, { query }) => listEmployers(ctx, query),
  }),
  endpoint({
    operation: 'employers_create',
    method: 'POST',
    path: '/v1/employers',
    tag,
    summary: 'Create an employer',
    description:
      'EIN, name, legal name, e-mail address and phone number are each unique within the organization. The e-mail ' +
      'address becomes the first admin of the employer. In the sandbox the employer has a subscription at once.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    organization: 'header',
    body: NewEmployer,
    returns: { 201: dataOf(Employer) },
    refuses: [...collisionRefusals, refusals.po_box_not_allowed],
    example: {
      name: 'Blue Heron Coffee',
      legal_name: 'Blue Heron Coffee Roasters LLC',
      ein: '47-2915386',
      email: 'benefits@blueheron.example',
      phone_number: '4155550199',
      reference_id: 'crm-20418',
      address: {
        address_line_1: '18 Harbor St',
        address_line_2: 'Suite 4',
        city: 'San Francisco',
        state: 'CA',
        zipcode: '94105',
      },
    },
    handle: async (ctx, { body }) =>
      made(await createEmployer(ctx, actingOrganization(ctx.caller), body), (id) => findEmployer(ctx, id)),
  }),
  endpoint({
    ...ofEmployer,
    operation: 'employers_get',
    method: 'GET',
    path: '/v1/employers/{employer_id}',
    summary: 'Get an employer',
    allows: [...partner, 'employer_token'],
    roles: everyone,
    scopes: ['read'],
    returns: { 200: dataOf(Employer) },
    handle: async (ctx, { params }) => data(await findEmployer(ctx, params.employer_id)),
  }),
  endpoint({
    ...ofEmployer,
    operation: 'employers_update',
    method: 'PUT',
    path: '/v1/employers/{employer_id}',
    summary: 'Update an employer',
    description:
      'Only the fields that are sent change, all of them or none. null clears reference_id and phone_number; ' +
      'the address is replaced as a whole. The EIN can not be changed.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    body: EmployerChanges,
    returns: { 200: dataOf(Employer) },
    refuses: [...collisionRefusals, refusals.po_box_not_allowed],
    example: { reference_id: 'crm-20419', active: true },
    handle: async (ctx, { located, body }) => {
      await updateEmployer(ctx, located, body)
      return data(await findEmployer(ctx, located.employer_id))
    },
  }),
  endpoint({
    ...ofEmployer,
    operation: 'employers_get_settings',
    organization: 'path',
    method: 'GET',
    path: '/v1/employers/{employer_id}/settings',
    summary: 'Get the settings of an employer',
    description: 'Those that you set, and those that the operator does.',
    allows: partner,
    roles: operating,
    scopes: ['read'],
    returns: { 200: dataOf(EmployerSettings) },
    handle: async (ctx, { params }) => data(await findEmployerSettings(ctx, params.employer_id)),
  }),
  endpoint({
    ...ofEmployer,
    operation: 'employers_update_settings',
    method: 'PUT',
    path: '/v1/employers/{employer_id}/settings',
    summary: 'Update the settings of an employer',
    description: 'Only the fields that are sent change; the answer carries all settings.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    body: EmployerSettingsChanges,
    returns: { 200: dataOf(EmployerSettings) },
    example: { pay_frequency: 'semi_monthly', first_pay_date: '2026-01-15' },
    handle: async (ctx, { located, body }) => {
      await updateEmployerSettings(ctx, located, body)
      return data(await findEmployerSettings(ctx, located.employer_id))
    },
  }),
  endpoint({
    ...operators,
    operation: 'operator_list_employers',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers',
    summary: 'List or find employers',
    description:
      'Of every organization or of one, newest first, cancelled ones too, as partners see them in their book.',
    query: OperatorEmployerFilter,
    returns: { 200: EmployerPage },
    handle: (ctx, { query }) => findEmployers(ctx, query),
  }),
  endpoint({
    ...operators_of_one,
    operation: 'operator_get_employer',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}',
    summary: 'Get an employer',
    returns: { 200: dataOf(Employer) },
    handle: async (ctx, { params }) => data(await findEmployer(ctx, params.employer_id)),
  }),
  endpoint({
    ...operators_of_one,
    operation: 'operator_get_employer_settings',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/settings',
    summary: 'Get the settings of an employer',
    returns: { 200: dataOf(EmployerSettings) },
    handle: async (ctx, { params }) => data(await findEmployerSettings(ctx, params.employer_id)),
  }),
  endpoint({
    ...operators_of_one,
    operation: 'operator_list_employer_admins',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/employers/{employer_id}/admins',
    summary: 'List who looks after an employer',
    description: 'The first first; who was removed is left out.',
    query: EmployerAdminPaging,
    returns: { 200: EmployerAdminPage },
    handle: (ctx, { params, query }) => listAdmins(ctx, params.employer_id, query),
  }),
  endpoint({
    ...operators_of_one,
    operation: 'operator_add_employer_admin',
    roles: roles_to.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/admins',
    summary: 'Add who looks after an employer',
    description: 'Partners find the employer by the address. It opens nothing by itself.',
    body: NewEmployerAdmin,
    returns: { 201: dataOf(EmployerAdmin) },
    refuses: [refusals.employer_admin_already_exists],
    example: { email: 'ada@blueheron.example', name: 'Ada Lindgren', phone: '4155550123' },
    handle: async (ctx, { located, body }) =>
      made(await addAdmin(ctx, located, body), (id) => findAdmin(ctx, located.organization_id, id)),
  }),
  endpoint({
    ...operators,
    operation: 'operator_remove_employer_admin',
    roles: roles_to.administer,
    method: 'DELETE',
    path: '/operator/v1/employers/{employer_id}/admins/{employer_admin_id}',
    summary: 'Remove who looks after an employer',
    description: 'The employer is found by the address no more. Added again, they are there again.',
    params: { employer_id: 'empr', employer_admin_id: 'eadm' },
    locate: locateAdmin,
    returns: { 200: dataOf(EmployerAdmin) },
    handle: async (ctx, { located }) => {
      await saveAdminEnd(ctx, located)
      return data(await findAdmin(ctx, located.organization_id, located.employer_admin_id))
    },
  }),
  endpoint({
    ...operators_of_one,
    operation: 'operator_administer_employer',
    roles: roles_to.administer,
    method: 'PATCH',
    path: '/operator/v1/employers/{employer_id}/administration',
    summary: 'Set how an employer is administered',
    description:
      'Takes an employer over in mid-year: from its go-live day on everything is deducted and billed, and ' +
      'nothing before it. Only the fields that are sent change; the answer carries all settings of the ' +
      'employer.',
    body: EmployerAdministration,
    returns: { 200: dataOf(EmployerSettings) },
    refuses: [refusals.months_booked_by_hand],
    example: { administered_from: '2026-01-01' },
    handle: async (ctx, { located, body }) => {
      await administerEmployer(ctx, located, body)
      return data(await findEmployerSettings(ctx, located.employer_id))
    },
  }),
]
