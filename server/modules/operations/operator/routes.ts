import { Paging } from '../../../kernel/pages.ts'
import { data, dataOf, endpoint, made, for_operators, changed } from '../../../http/endpoint.ts'
import { issueApiKey, revokeApiKey, issuedKeyJson } from '../../access/api-keys/actions.ts'
import { listApiKeys, locateLiveApiKey } from '../../access/api-keys/queries.ts'
import { refusals as key_refusals } from '../../access/api-keys/rules.ts'
import { ApiKeyPage, IssuedApiKey, RevokedApiKey } from '../../access/api-keys/schemas.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { endSubscription, grantSubscription } from '../../directory/employers/actions.ts'
import { listSubscriptions } from '../../directory/employers/admin-queries.ts'
import { refusals as employers_refusals } from '../../directory/employers/rules.ts'
import {
  createUser,
  endMembership,
  setUpOrganization,
  grantMembership,
  requestRun,
} from '../../access/organizations/actions.ts'
import {
  findOperatedOrganization,
  findOperatedUser,
  listMemberships,
  listOperatedOrganizations,
  listOperatedUsers,
  locateUser,
} from '../../access/organizations/directory-queries.ts'
import { findOrganization, findUser, locateOrganization } from '../../access/organizations/queries.ts'
import { refusals as organizations_refusals } from '../../access/organizations/rules.ts'
import { Organization } from '../../access/organizations/schemas.ts'
import {
  ApiKeyFilter,
  NewUserApiKey,
  Membership,
  MembershipPage,
  NewMembership,
  NewSubscription,
  NewUser,
  OperatedOrganization,
  OperatedOrganizationPage,
  OperatedUser,
  OperatedUserPage,
  OrganizationFilter,
  OrganizationSetup,
  Subscription,
  SubscriptionEnd,
  SubscriptionPage,
  User,
  UserFilter,
} from './schemas.ts'

const subscriptions = { tag: 'Subscriptions', locate: locateEmployer } as const

/** Like `made`, for a resource that is not in the path. */
const about = (id: string, resource: object) => made(id, async () => JSON.stringify(resource))

export const endpoints = [
  endpoint({
    tag: 'People',
    operation: 'operator_list_users',
    sdk: 'users.list',
    ...for_operators.read,
    path: '/operator/v1/users',
    summary: 'List or find users',
    description: 'Returns members and operators, newest first, each with their organizations.',
    query: UserFilter,
    returns: { 200: OperatedUserPage },
    handle: (ctx, { query }) => listOperatedUsers(ctx, query),
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_get_user',
    sdk: 'users.get',
    ...for_operators.read,
    path: '/operator/v1/users/{user_id}',
    summary: 'Get a user',
    locate: locateUser,
    returns: { 200: dataOf(OperatedUser) },
    handle: async (ctx, { params }) => data(await findOperatedUser(ctx, params)),
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_list_organizations',
    sdk: 'organizations.list',
    ...for_operators.read,
    path: '/operator/v1/organizations',
    summary: 'List or find organizations',
    description: 'Returns organizations, newest first, each with the state of its daily run.',
    query: OrganizationFilter,
    returns: { 200: OperatedOrganizationPage },
    handle: (ctx, { query }) => listOperatedOrganizations(ctx, query),
  }),
  endpoint({
    tag: 'People',
    locate: locateOrganization,
    operation: 'operator_get_organization',
    sdk: 'organizations.get',
    ...for_operators.read,
    path: '/operator/v1/organizations/{organization_id}',
    summary: 'Get an organization',
    returns: { 200: dataOf(OperatedOrganization) },
    handle: async (ctx, { params }) => data(await findOperatedOrganization(ctx, params.organization_id)),
  }),
  endpoint({
    tag: 'People',
    locate: locateOrganization,
    operation: 'operator_run_day',
    sdk: 'organizations.runDay',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/organizations/{organization_id}/daily-run',
    summary: 'Run the day of an organization now',
    description:
      'Runs the daily jobs of all days that are due, before other work. `last_day_run_on` shows the progress. ' +
      'Repeating the request runs no day twice.',
    returns: { 202: dataOf(OperatedOrganization) },
    handle: (ctx, { located }) =>
      changed(requestRun(ctx, located.organization_id), () => findOperatedOrganization(ctx, located.organization_id)),
  }),
  endpoint({
    tag: 'People',
    locate: locateOrganization,
    operation: 'operator_list_memberships',
    sdk: 'memberships.list',
    ...for_operators.read,
    path: '/operator/v1/organizations/{organization_id}/members',
    summary: 'List the members of an organization',
    description: 'Returns the members, oldest first, including former ones.',
    query: Paging,
    returns: { 200: MembershipPage },
    handle: (ctx, { params, query }) => listMemberships(ctx, params, query),
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_create_user',
    sdk: 'users.create',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/users',
    summary: 'Create a user',
    description: 'A user owns API keys and belongs to organizations. A new user belongs to none.',
    body: NewUser,
    returns: { 201: dataOf(User) },
    example: { name: 'Ada Lindgren', email: 'ada@example.com' },
    handle: async (ctx, { body }) => made(await createUser(ctx, body), (id) => findUser(ctx, { user_id: id })),
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_create_organization',
    sdk: 'organizations.create',
    issues_credential: true,
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/organizations',
    summary: 'Create an organization',
    description:
      'Operators can create any number of organizations, even for a user who already has one. ' +
      'With `super_in`, the members can read all organizations.',
    body: OrganizationSetup,
    returns: { 201: dataOf(Organization) },
    changes_reach: true,
    example: { name: 'Northwind Benefits', type: 'BROKERAGE' },
    handle: async (ctx, { body }) => {
      const sandbox = body.sandbox ?? ctx.settings.sandbox
      return made(await setUpOrganization(ctx, { ...body, sandbox }), (id) =>
        findOrganization(ctx, { organization_id: id }),
      )
    },
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_grant_membership',
    sdk: 'memberships.grant',
    issues_credential: true,
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/organizations/{organization_id}/members',
    summary: 'Make a user a member of an organization',
    description:
      'The keys of the user that are not bound to another organization reach it within 5 seconds. To change a ' +
      'role, end the membership first.',
    locate: locateOrganization,
    body: NewMembership,
    returns: { 201: dataOf(Membership) },
    changes_reach: true,
    refuses: [organizations_refusals.membership_already_exists],
    example: { user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz', role: 'OPERATIONS' },
    handle: async (ctx, { located, body }) => data(await grantMembership(ctx, { ...located, ...body })),
  }),
  endpoint({
    tag: 'People',
    operation: 'operator_end_membership',
    sdk: 'memberships.end',
    ...for_operators.administer,
    method: 'DELETE',
    path: '/operator/v1/organizations/{organization_id}/members/{user_id}',
    summary: 'End a membership',
    description: "The user's keys and their tokens lose the organization within 5 seconds.",
    locate: locateOrganization,
    returns: { 200: dataOf(Membership) },
    changes_reach: true,
    handle: async (ctx, { located, params }) => data(await endMembership(ctx, located.organization_id, params.user_id)),
  }),
  endpoint({
    tag: 'Credentials',
    operation: 'operator_create_api_key',
    sdk: 'apiKeys.create',
    issues_credential: true,
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/api-keys',
    summary: 'Create an API key',
    description: 'The key is in this response and cannot be retrieved again. Use a secure channel to pass it on.',
    body: NewUserApiKey,
    returns: { 201: dataOf(IssuedApiKey) },
    refuses: [key_refusals.user_is_not_a_member, key_refusals.key_of_other_mode],
    repeats: 'briefly',
    example: { user_id: 'usr_01kdq7b4w8e9rs2mh3n5t6v7xz', mode: 'live' },
    handle: async (ctx, { body }) => {
      const key = await issueApiKey(ctx, body)
      return made(key.id, () => issuedKeyJson(ctx, key), body.organization_id)
    },
  }),
  endpoint({
    tag: 'Credentials',
    operation: 'operator_list_api_keys',
    sdk: 'apiKeys.list',
    ...for_operators.read,
    path: '/operator/v1/api-keys',
    summary: 'List API keys',
    description: 'Returns the keys of all organizations and users, newest first, including expired and revoked ones.',
    query: ApiKeyFilter,
    returns: { 200: ApiKeyPage },
    handle: (ctx, { query }) => listApiKeys(ctx, query),
  }),
  endpoint({
    tag: 'Credentials',
    operation: 'operator_revoke_api_key',
    sdk: 'apiKeys.revoke',
    ...for_operators.administer,
    method: 'DELETE',
    path: '/operator/v1/api-keys/{api_key_id}',
    summary: 'Revoke an API key',
    description: 'Ends the key and all tokens issued from it, within 5 seconds in every process.',
    locate: locateLiveApiKey,
    returns: { 200: dataOf(RevokedApiKey) },
    changes_reach: true,
    handle: async (ctx, { located }) => {
      await revokeApiKey(ctx, located)
      return data({ id: located.api_key_id, revoked_at: ctx.real_now })
    },
  }),
  endpoint({
    ...subscriptions,
    operation: 'operator_list_subscriptions',
    ...for_operators.read,
    path: '/operator/v1/employers/{employer_id}/subscriptions',
    summary: "List an employer's subscriptions",
    description: 'Returns the current and former subscriptions, newest first.',
    query: Paging,
    returns: { 200: SubscriptionPage },
    handle: (ctx, { params, query }) => listSubscriptions(ctx, params, query),
  }),
  endpoint({
    ...subscriptions,
    operation: 'operator_grant_subscription',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/subscriptions',
    summary: 'Grant a subscription to an employer',
    description: 'An employer needs an active subscription to create employees.',
    body: NewSubscription,
    returns: { 201: dataOf(Subscription) },
    refuses: [employers_refusals.employer_has_active_subscription],
    example: { started_on: '2026-01-01' },
    handle: async (ctx, { located, body }) => {
      const subscription = await grantSubscription(ctx, located, body.started_on)
      return about(subscription.id, subscription)
    },
  }),
  endpoint({
    ...subscriptions,
    operation: 'operator_end_subscription',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/employers/{employer_id}/subscriptions/end',
    summary: "End an employer's subscription",
    description: 'Ends the latest subscription on a day. A day in the future can be changed by another request.',
    body: SubscriptionEnd,
    returns: { 200: dataOf(Subscription) },
    refuses: [
      employers_refusals.employer_has_no_active_subscription,
      employers_refusals.subscription_ends_before_it_starts,
    ],
    example: { ended_on: '2026-12-31' },
    handle: async (ctx, { located, body }) => {
      const subscription = await endSubscription(ctx, located, body.ended_on)
      return about(subscription.id, subscription)
    },
  }),
]
