import { actingOrganization } from '../../../runtime/caller.ts'
import { data, dataOf, endpoint, partner, roles_to } from '../../../http/endpoint.ts'
import { administering, everyone } from '../../../runtime/permissions.ts'
import { createOrganization, moveClock } from './actions.ts'
import {
  findOrganization,
  findOrganizationClock,
  listOrganizations,
  locateOrganization,
  saveBranding,
} from './queries.ts'
import { refusals } from './rules.ts'
import {
  Branding,
  ClockMove,
  MovedClock,
  MyOrganizations,
  MyOrganizationsPage,
  NewOrganization,
  Organization,
  OrganizationClock,
} from './schemas.ts'

const clock = {
  path: '/operator/v1/organizations/{organization_id}/clock',
  tag: 'Sandbox',
  allows: ['operator'],
  organization: 'none',
  params: { organization_id: 'org' },
  locate: locateOrganization,
} as const

export const endpoints = [
  endpoint({
    operation: 'list_organizations',
    sdk: 'organizations.list',
    method: 'GET',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'List my organizations',
    description:
      "Lists the organizations that the key's owner is an active member of, oldest membership first, with the " +
      "owner's role in each: of those that the key is open to, one where it is bound. The list is whole unless " +
      '`limit` or `page` is sent. It is empty for a user who belongs to none.',
    allows: partner,
    roles: everyone,
    scopes: [],
    organization: 'none',
    query: MyOrganizationsPage,
    returns: { 200: MyOrganizations },
    handle: (ctx, { query: { limit, page } }) =>
      listOrganizations(
        ctx,
        limit === undefined && page === undefined ? undefined : { limit: limit ?? 20, page: page ?? 1 },
      ),
  }),
  endpoint({
    operation: 'create_organization',
    sdk: 'organizations.create',
    method: 'POST',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description:
      "Creates an organization and makes the key's owner its ADMIN. With an external identity provider, " +
      '`idp_org_id` stays null until the provider has confirmed the tenant. One organization per user.',
    allows: partner,
    roles: everyone,
    scopes: ['write'],
    organization: 'none',
    body: NewOrganization,
    returns: { 201: Organization },
    refuses: [refusals.organization_already_exists],
    example: { name: 'Northwind Benefits', type: 'BROKERAGE' },
    handle: async (ctx, { body }) => {
      const id = await createOrganization(ctx, ctx.caller.user_id!, body)
      return { resource_id: id, body: (await findOrganization(ctx, id))! }
    },
  }),
  endpoint({
    operation: 'set_branding',
    sdk: 'organizations.setBranding',
    method: 'PUT',
    path: '/v1/organization-branding',
    tag: 'Organizations',
    summary: 'Set how widgets look',
    description: 'Unless a page says otherwise.',
    allows: partner,
    roles: administering,
    scopes: ['write'],
    organization: 'needed',
    body: Branding,
    returns: { 200: dataOf(Branding) },
    example: { accent_color: '#7a1f5c' },
    handle: async (ctx, { body }) => {
      const organization_id = actingOrganization(ctx.caller)
      await saveBranding(ctx, organization_id, body.accent_color)
      return { resource_id: organization_id, body: data(JSON.stringify(body))! }
    },
  }),
  endpoint({
    ...clock,
    operation: 'operator_get_clock',
    roles: roles_to.read,
    method: 'GET',
    summary: 'Read the clock of an organization',
    description: 'The day on which an organization is: that of the calendar in New York, unless its clock was moved.',
    returns: { 200: dataOf(OrganizationClock) },
    handle: async (ctx, { params }) => data(await findOrganizationClock(ctx, params.organization_id)),
  }),
  endpoint({
    ...clock,
    operation: 'operator_move_clock',
    roles: roles_to.administer,
    method: 'PUT',
    summary: 'Move the clock of a sandbox organization',
    description:
      'Takes a sandbox organization to a later day, to see what time alone brings. Every day on the way is run ' +
      'in order, as it would have been in its time, before the answer is sent. The clock then goes on from ' +
      'there and never back, by at most 731 days in one request; the present day is accepted and changes ' +
      'nothing. While work about its employers waits it is refused: try again in a moment. Other ' +
      'organizations, credentials and their limits stay on the calendar. Other processes write on the new day ' +
      'at once, and read on it within 5 seconds.',
    body: ClockMove,
    returns: { 200: dataOf(MovedClock) },
    refuses: [
      refusals.organization_is_not_a_sandbox,
      refusals.clock_moves_forward_only,
      refusals.work_is_waiting,
      refusals.clock_moves_too_far,
    ],
    changes_reach: true,
    example: { today: '2027-07-01' },
    handle: async (ctx, { located, body }) =>
      data(JSON.stringify(await moveClock(ctx, located.organization_id, body.today))),
  }),
]
