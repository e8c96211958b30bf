import { Paging } from '../../../kernel/pages.ts'
import { actingOrganization } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import {
  alsoForOperators,
  data,
  dataOf,
  endpoint,
  keys_and_sessions,
  partner,
  for_operators,
  changed,
} from '../../../http/endpoint.ts'
import { administering, scopes } from '../../../runtime/permissions.ts'
import { locateOrganization } from '../organizations/queries.ts'
import {
  inviteColleague,
  inviteMember,
  inviteOperator,
  withdrawMemberInvitation,
  withdrawOperatorInvitation,
  type CreatedInvitation,
} from './actions.ts'
import {
  findMemberInvitation,
  findOperatorInvitation,
  listMemberInvitations,
  listOperatorInvitations,
  locateMemberInvitation,
  locateOperatorInvitation,
} from './queries.ts'
import { refusals } from './rules.ts'
import {
  MemberInvitation,
  MemberInvitationList,
  NewMemberInvitation,
  NewOperatorInvitation,
  OperatorInvitation,
  OperatorInvitationList,
  ShownMemberInvitation,
  ShownOperatorInvitation,
} from './schemas.ts'

const to_join = {
  tag: 'People',
  path: '/operator/v1/organizations/{organization_id}/invitations',
  locate: locateOrganization,
} as const
const own = { tag: 'Organizations', allows: partner, roles: administering, organization: 'needed' } as const

const invitationWithLink = (invitation: string | undefined, { id, url }: CreatedInvitation) => ({
  resource_id: id,
  body: data({ ...JSON.parse(invitation!), url }),
})

const joined = async (ctx: Ctx, organization_id: string, invitation: CreatedInvitation) =>
  invitationWithLink(await findMemberInvitation(ctx, { organization_id, invitation_id: invitation.id }), invitation)

const method =
  'The response includes a link, which is shown once and expires after 7 days. The invited person opens it and ' +
  'signs in at the identity provider of the installation with the invited email address.'

export const endpoints = [
  endpoint({
    tag: 'Operators',
    operation: 'operator_list_operator_invitations',
    ...for_operators.read,
    path: '/operator/v1/operator-invitations',
    summary: 'List operator invitations',
    description: 'Returns the invitations of operators with their status, newest first.',
    query: Paging,
    returns: { 200: OperatorInvitationList },
    handle: (ctx, { query }) => listOperatorInvitations(ctx, {}, query),
  }),
  endpoint({
    tag: 'Operators',
    operation: 'operator_invite_operator',
    issues_credential: true,
    ...for_operators.own,
    method: 'POST',
    path: '/operator/v1/operator-invitations',
    summary: 'Invite an operator',
    description: `${method} An existing operator with that address who only has keys can sign in from then on.`,
    body: NewOperatorInvitation,
    returns: { 201: dataOf(ShownOperatorInvitation) },
    repeats: 'briefly',
    example: { name: 'Pia Lund', email: 'pia@example.com', role: 'support' },
    handle: async (ctx, { body }) => {
      const invitation = await inviteOperator(ctx, body)
      return invitationWithLink(await findOperatorInvitation(ctx, { invitation_id: invitation.id }), invitation)
    },
  }),
  endpoint({
    tag: 'Operators',
    operation: 'operator_withdraw_operator_invitation',
    ...for_operators.own,
    method: 'DELETE',
    path: '/operator/v1/operator-invitations/{operator_invitation_id}',
    summary: 'Withdraw an operator invitation',
    locate: locateOperatorInvitation,
    returns: { 200: dataOf(OperatorInvitation) },
    handle: (ctx, { located }) =>
      changed(withdrawOperatorInvitation(ctx, located), () => findOperatorInvitation(ctx, located)),
  }),
  endpoint({
    ...to_join,
    operation: 'operator_list_invitations',
    sdk: 'invitations.list',
    ...for_operators.read,
    summary: 'List the invitations to an organization',
    description: 'Returns the invitations with their status, newest first.',
    query: Paging,
    returns: { 200: MemberInvitationList },
    handle: (ctx, { params, query }) => listMemberInvitations(ctx, params, query),
  }),
  endpoint({
    ...to_join,
    operation: 'operator_invite_member',
    sdk: 'invitations.create',
    issues_credential: true,
    ...for_operators.administer,
    method: 'POST',
    summary: 'Invite a person to an organization',
    description: `${method} An existing member with that address who only has keys can sign in from then on.`,
    body: NewMemberInvitation,
    returns: { 201: dataOf(ShownMemberInvitation) },
    refuses: [refusals.too_many_invitations],
    repeats: 'briefly',
    example: { name: 'Ada Lindgren', email: 'ada@example.com', role: 'ADMIN' },
    handle: async (ctx, { located: { organization_id }, body }) =>
      joined(ctx, organization_id, await inviteMember(ctx, organization_id, body)),
  }),
  endpoint({
    ...own,
    operation: 'invitations_list',
    scopes: ['read', 'keys'],
    method: 'GET',
    path: '/v1/invitations',
    summary: 'List invitations',
    description: 'Returns the invitations to your organization with their status, newest first.',
    query: Paging,
    returns: { 200: MemberInvitationList },
    handle: (ctx, { query }) => listMemberInvitations(ctx, { organization_id: actingOrganization(ctx.caller) }, query),
  }),
  endpoint({
    ...own,
    operation: 'invitations_create',
    allows: keys_and_sessions,
    issues_credential: true,
    // An invitation grants a role, which no scope can narrow, so it requires all scopes.
    scopes,
    method: 'POST',
    path: '/v1/invitations',
    summary: 'Invite a person to your organization',
    description: method,
    body: NewMemberInvitation,
    returns: { 201: dataOf(ShownMemberInvitation) },
    refuses: [refusals.too_many_invitations],
    repeats: 'briefly',
    example: { name: 'Ada Lindgren', email: 'ada@example.com', role: 'ENROLLMENT_AGENT' },
    handle: async (ctx, { body }) => joined(ctx, actingOrganization(ctx.caller), await inviteColleague(ctx, body)),
  }),
  ...alsoForOperators(
    endpoint({
      ...own,
      operation: 'invitations_withdraw',
      organization: 'path',
      scopes: ['write', 'keys'],
      method: 'DELETE',
      path: '/v1/invitations/{invitation_id}',
      summary: 'Withdraw an invitation',
      locate: locateMemberInvitation,
      returns: { 200: dataOf(MemberInvitation) },
      handle: (ctx, { located }) =>
        changed(withdrawMemberInvitation(ctx, located), () =>
          findMemberInvitation(ctx, {
            organization_id: located.organization_id,
            invitation_id: located.invitation_id,
          }),
        ),
    }),
    {
      operation: 'operator_withdraw_invitation',
      tag: 'People',
      sdk: 'invitations.withdraw',
      summary: 'Withdraw an invitation to an organization',
      ...for_operators.administer,
    },
  ),
]
