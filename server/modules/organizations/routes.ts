import { endpoint, partner } from '../../platform/endpoint.ts'
import { createOrganization } from './actions.ts'
import { listOrganizations } from './queries.ts'
import { organization_already_exists } from './rules.ts'
import { MyOrganizations, MyOrganizationsPage, NewOrganization, Organization } from './schemas.ts'

export const endpoints = [
  endpoint({
    operation: 'list_organizations',
    method: 'GET',
    path: '/v1/organizations',
    tag: 'Organizations',
    summary: 'List my organizations',
    description:
      "Lists the organizations that the key's owner is an active member of, oldest membership first, with the owner's role " +
      'in each. The list is whole unless `limit` or `page` is sent. It is empty for a user who belongs to none.',
    allows: partner,
    organization: 'none',
    query: MyOrganizationsPage,
    returns: { 200: MyOrganizations },
    handle: (ctx, { query: { limit, page } }) =>
      listOrganizations(
        ctx,
        ctx.caller.user_id,
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
      "Creates an organization and makes the key's owner its ADMIN. With an external identity provider, `idp_org_id` stays null " +
      'until the provider has confirmed the tenant. One organization per user.',
    allows: partner,
    organization: 'none',
    body: NewOrganization,
    returns: { 201: Organization },
    refuses: [organization_already_exists],
    example: { name: 'Northwind Benefits', type: 'BROKERAGE' },
    handle: (ctx, { body }) => createOrganization(ctx, ctx.caller.user_id!, body),
  }),
]
