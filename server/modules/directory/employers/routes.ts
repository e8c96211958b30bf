import { Paging } from '../../../kernel/pages.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import {
  alsoForOperators,
  data,
  dataOf,
  endpoint,
  made,
  partner,
  for_operators,
  changed,
} from '../../../http/endpoint.ts'
import { everyone, operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { addAdmin, administerEmployer, createEmployer, updateEmployer, updateEmployerSettings } from './actions.ts'
import { countEmployers, findEmployers, listEmployers } from './book-queries.ts'
import { findAdmin, listAdmins, locateAdmin, saveAdminEnd } from './admin-queries.ts'
import { findEmployer, findEmployerSettings } from './queries.ts'
import { collisionRefusals, refusals } from './rules.ts'
import {
  Employer,
  EmployerAdmin,
  EmployerAdministration,
  EmployerAdminPage,
  EmployerChanges,
  EmployerCountFilter,
  EmployerCounts,
  EmployerFilter,
  EmployerPage,
  EmployerSettings,
  EmployerSettingsChanges,
  NewEmployer,
  NewEmployerAdmin,
  OperatorEmployerFilter,
} from './schemas.ts'

const tag = 'Employers'

/** The common parts of operations on one employer. */
const ofEmployer = { tag, organization: 'header', locate: locateEmployer } as const

const ofAdmins = { tag, allows: partner, roles: operating } as const

export const endpoints = [
  endpoint({
    operation: 'employers_list',
    method: 'GET',
    path: '/v1/employers',
    tag,
    summary: 'List the employer book',
    description:
      'Returns the employers of your organization with their computed columns, newest first. Cancelled employers ' +
      'are hidden unless `include_cancelled` is true or you filter by their stage.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'header',
    query: EmployerFilter,
    returns: { 200: EmployerPage },
    handle: (ctx, { query }) => listEmployers(ctx, query),
  }),
  endpoint({
    operation: 'employers_count',
    method: 'GET',
    path: '/v1/employers/counts',
    tag,
    summary: 'Count employers by filter',
    description:
      'Returns the number of employers that each value of a filter would match, in addition to the search and the ' +
      'other filters of the request.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'needed',
    query: EmployerCountFilter,
    returns: { 200: dataOf(EmployerCounts) },
    handle: (ctx, { query }) => {
      onlyOrganization(ctx.caller)
      return countEmployers(ctx, query)
    },
  }),
  endpoint({
    operation: 'employers_create',
    method: 'POST',
    locks: 'nothing',
    path: '/v1/employers',
    tag,
    summary: 'Create an employer',
    description:
      'EIN, name, legal name, email address and phone number are each unique within the organization. The email ' +
      "address becomes the first admin of the employer. In a sandbox, the employer's subscription starts immediately.",
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
      made(await createEmployer(ctx, actingOrganization(ctx.caller), body), (id) =>
        findEmployer(ctx, { employer_id: id }),
      ),
  }),
  ...alsoForOperators(
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
      handle: async (ctx, { params }) => data(await findEmployer(ctx, params)),
    }),
    { operation: 'operator_get_employer', ...for_operators.read },
  ),
  endpoint({
    ...ofEmployer,
    operation: 'employers_update',
    method: 'PUT',
    path: '/v1/employers/{employer_id}',
    summary: 'Update an employer',
    description:
      'Only the fields you send change, all or none. Null clears `reference_id` and `phone_number`. The address ' +
      'is replaced as a whole. The EIN cannot change.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    body: EmployerChanges,
    returns: { 200: dataOf(Employer) },
    refuses: [...collisionRefusals, refusals.po_box_not_allowed],
    example: { reference_id: 'crm-20419', active: true },
    handle: (ctx, { located, body }) => changed(updateEmployer(ctx, located, body), () => findEmployer(ctx, located)),
  }),
  ...alsoForOperators(
    endpoint({
      ...ofEmployer,
      operation: 'employers_get_settings',
      organization: 'path',
      method: 'GET',
      path: '/v1/employers/{employer_id}/settings',
      summary: 'Get the settings of an employer',
      description: 'Returns all settings, including those that only the operator can change.',
      allows: partner,
      roles: operating,
      scopes: ['read'],
      returns: { 200: dataOf(EmployerSettings) },
      handle: async (ctx, { params }) => data(await findEmployerSettings(ctx, params)),
    }),
    {
      operation: 'operator_get_employer_settings',
      description: undefined,
      ...for_operators.read,
    },
  ),
  endpoint({
    ...ofEmployer,
    operation: 'employers_update_settings',
    method: 'PUT',
    path: '/v1/employers/{employer_id}/settings',
    summary: 'Update the settings of an employer',
    description: 'Only the fields you send change. The response contains all settings.',
    allows: partner,
    roles: operating,
    scopes: ['write'],
    body: EmployerSettingsChanges,
    returns: { 200: dataOf(EmployerSettings) },
    example: { pay_frequency: 'semi_monthly', first_pay_date: '2026-01-15' },
    handle: (ctx, { located, body }) =>
      changed(updateEmployerSettings(ctx, located, body), () => findEmployerSettings(ctx, located)),
  }),
  endpoint({
    tag,
    operation: 'operator_list_employers',
    ...for_operators.read,
    path: '/operator/v1/employers',
    summary: 'List or find employers',
    description:
      'Returns employers of all organizations or of one, newest first, including cancelled ones. Each has the ' +
      'columns of the employer book.',
    query: OperatorEmployerFilter,
    returns: { 200: EmployerPage },
    handle: (ctx, { query }) => findEmployers(ctx, query),
  }),
  ...alsoForOperators(
    endpoint({
      ...ofAdmins,
      locate: locateEmployer,
      operation: 'employers_list_admins',
      method: 'GET',
      path: '/v1/employers/{employer_id}/admins',
      summary: 'List the admins of an employer',
      description: 'Returns the current admins, oldest first.',
      scopes: ['read'],
      query: Paging,
      returns: { 200: EmployerAdminPage },
      handle: (ctx, { params, query }) => listAdmins(ctx, params, query),
    }),
    { operation: 'operator_list_employer_admins', ...for_operators.read },
  ),
  ...alsoForOperators(
    endpoint({
      ...ofAdmins,
      locate: locateEmployer,
      operation: 'employers_add_admin',
      method: 'POST',
      path: '/v1/employers/{employer_id}/admins',
      summary: 'Add an admin to an employer',
      description:
        'The employer can be found by the email address of an admin. An admin has no access to the service. The ' +
        'first admin has no name until you send one with the same email address.',
      scopes: ['write'],
      body: NewEmployerAdmin,
      returns: { 201: dataOf(EmployerAdmin) },
      refuses: [refusals.employer_admin_already_exists],
      example: { email: 'ada@blueheron.example', name: 'Ada Lindgren', phone: '4155550123' },
      handle: async (ctx, { located, body }) =>
        made(await addAdmin(ctx, located, body), (id) =>
          findAdmin(ctx, { id, organization_id: located.organization_id }),
        ),
    }),
    { operation: 'operator_add_employer_admin', ...for_operators.administer },
  ),
  ...alsoForOperators(
    endpoint({
      ...ofAdmins,
      locate: locateAdmin,
      operation: 'employers_remove_admin',
      method: 'DELETE',
      path: '/v1/employers/{employer_id}/admins/{employer_admin_id}',
      summary: 'Remove an admin from an employer',
      description: 'The employer can no longer be found by this email address. You can add the admin again.',
      scopes: ['write'],
      returns: { 200: dataOf(EmployerAdmin) },
      handle: (ctx, { located }) =>
        changed(saveAdminEnd(ctx, located), () =>
          findAdmin(ctx, { id: located.employer_admin_id, organization_id: located.organization_id }),
        ),
    }),
    { operation: 'operator_remove_employer_admin', ...for_operators.administer },
  ),
  endpoint({
    tag,
    locate: locateEmployer,
    operation: 'operator_administer_employer',
    ...for_operators.administer,
    method: 'PATCH',
    path: '/operator/v1/employers/{employer_id}/administration',
    summary: 'Update the administration of an employer',
    description:
      'Sets the go-live day and the correction window of an employer. Use it to take over an employer in the middle ' +
      'of a plan year: deductions and invoices start with the go-live day. ' +
      'Only the fields you send change. The response contains all settings of the employer.',
    body: EmployerAdministration,
    returns: { 200: dataOf(EmployerSettings) },
    refuses: [refusals.months_adjusted_manually],
    example: { administered_from: '2026-01-01' },
    handle: (ctx, { located, body }) =>
      changed(administerEmployer(ctx, located, body), () => findEmployerSettings(ctx, located)),
  }),
]
