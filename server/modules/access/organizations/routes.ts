import { Paging } from '../../../kernel/pages.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import { onlyOrganization } from '../../../http/authorize.ts'
import { data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { administering, everyone } from '../../../runtime/permissions.ts'
import { createOrganization, moveClock } from './actions.ts'
import {
  findOrganization,
  findOrganizationClock,
  listOrganizationMembers,
  listOrganizations,
  locateOrganization,
  saveBranding,
  saveDisplayNames,
} from './queries.ts'
import { refusals } from './rules.ts'
import {
  Branding,
  ClockMove,
  DisplayNames,
  MovedClock,
  MyOrganizations,
  MyOrganizationsPage,
  NewOrganization,
  Organization,
  OrganizationClock,
  OrganizationMemberPage,
} from './schemas.ts'

const clock = {
  path: '/operator/v1/organizations/{organization_id}/clock',
  tag: 'Sandbox',
  locate: locateOrganization,
} as const

export const endpoints = [
  endpoint({
    operation: 'list_organizations',
    method: 'GET',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'List my organizations',
    description:
      "Lists the organizations of which the key's owner is an active member and which the key reaches, with the " +
      "owner's role in each, oldest membership first. A bound key lists only its organization. The list is " +
      'complete unless you send `limit` or `page`. It is empty for a user without organizations.',
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
    method: 'POST',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description:
      "Creates an organization and makes the key's owner its ADMIN. With an external identity provider, " +
      '`idp_org_id` stays null until the provider has confirmed the tenant. Each user can create one ' +
      'organization.',
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
      return { resource_id: id, body: (await findOrganization(ctx, { organization_id: id }))! }
    },
  }),
  endpoint({
    operation: 'list_organization_members',
    method: 'GET',
    path: '/v1/organization-members',
    tag: 'Organizations',
    summary: 'List the members of your organization',
    description: 'Lists the current members by name. Notes can mention them.',
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'needed',
    query: Paging,
    returns: { 200: OrganizationMemberPage },
    handle: (ctx, { query }) => listOrganizationMembers(ctx, onlyOrganization(ctx.caller), query),
  }),
  endpoint({
    operation: 'set_branding',
    method: 'PUT',
    path: '/v1/organization-branding',
    tag: 'Organizations',
    summary: 'Update the branding of widgets',
    description: 'Sets the default branding. A page that embeds a widget can override it.',
    allows: partner,
    roles: administering,
    scopes: ['write'],
    organization: 'needed',
    body: Branding,
    returns: { 200: dataOf(Branding) },
    example: { accent_color: '#7a1f5c' },
    handle: async (ctx, { body }) => {
      const organization_id = actingOrganization(ctx.caller)
      await saveBranding(ctx, { organization_id, accent_color: body.accent_color })
      return { resource_id: organization_id, body: data(body) }
    },
  }),
  endpoint({
    operation: 'set_display_names',
    method: 'PUT',
    path: '/v1/organization-display-names',
    tag: 'Organizations',
    summary: 'Update the names of benefits that employees see',
    description:
      'Replaces the names of benefits and categories in widgets, confirmations and benefits statements, per ' +
      'language. Names in the catalog and on invoices do not change. `GET /v1/auth/token` returns the names.',
    allows: partner,
    roles: administering,
    scopes: ['write'],
    organization: 'needed',
    body: DisplayNames,
    returns: { 200: dataOf(DisplayNames) },
    example: { display_names: [{ language: 'es', name: 'Dental', display_name: 'Cuidado dental' }] },
    handle: async (ctx, { body }) => {
      const organization_id = actingOrganization(ctx.caller)
      await saveDisplayNames(ctx, { organization_id, display_names: JSON.stringify(body.display_names) })
      return { resource_id: organization_id, body: data(body) }
    },
  }),
  endpoint({
    ...clock,
    operation: 'operator_get_clock',
    ...for_operators.read,
    summary: 'Get the clock of an organization',
    description: "Returns today's date at the organization: today in New York, unless its clock was moved.",
    returns: { 200: dataOf(OrganizationClock) },
    handle: async (ctx, { params }) => data(await findOrganizationClock(ctx, params.organization_id)),
  }),
  endpoint({
    ...clock,
    operation: 'operator_move_clock',
    ...for_operators.administer,
    method: 'PUT',
    summary: 'Move the clock of a sandbox organization',
    description:
      'Moves a sandbox organization to a later day, so that you can test changes that depend on time. Every day ' +
      'in between runs in order before the response is sent. The clock continues from there and never moves back. ' +
      'One request can move it by at most 731 days; the current day is accepted and changes nothing. The request ' +
      'is refused while jobs about its employers are waiting, so retry it a moment later. Other organizations, ' +
      'credentials and their limits stay on the calendar. Writes of other processes use the new day immediately, and ' +
      'their reads use it within 5 seconds.',
    body: ClockMove,
    returns: { 200: dataOf(MovedClock) },
    refuses: [
      refusals.organization_is_not_a_sandbox,
      refusals.clock_moves_forward_only,
      refusals.work_is_pending,
      refusals.clock_moves_too_far,
    ],
    changes_reach: true,
    example: { today: '2027-07-01' },
    handle: async (ctx, { located, body }) => data(await moveClock(ctx, located.organization_id, body.today)),
  }),
]
