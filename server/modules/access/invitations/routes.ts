import { actingOrganization } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { data, dataOf, endpoint, in_person, partner, roles_to } from '../../../http/endpoint.ts'
import { administering, scopes } from '../../../runtime/permissions.ts'
import { locateOrganization } from '../organizations/queries.ts'
import {
  inviteColleague,
  inviteMember,
  inviteOperator,
  withdrawMemberInvitation,
  withdrawOperatorInvitation,
  type HandedInvitation,
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
  InvitationPage,
  MemberInvitation,
  MemberInvitationList,
  NewMemberInvitation,
  NewOperatorInvitation,
  OperatorInvitation,
  OperatorInvitationList,
  ShownMemberInvitation,
  ShownOperatorInvitation,
} from './schemas.ts'

const to_operate = { tag: 'Operators', allows: ['operator'], organization: 'none' } as const
const to_join = {
  tag: 'People',
  allows: ['operator'],
  organization: 'none',
  path: '/operator/v1/organizations/{organization_id}/invitations',
  params: { organization_id: 'org' },
  locate: locateOrganization,
} as const
const own = { tag: 'Organizations', allows: partner, roles: administering, organization: 'needed' } as const

const handed = (invitation: string | undefined, { id, url }: HandedInvitation) => ({
  resource_id: id,
  body: data(JSON.stringify({ ...JSON.parse(invitation!), url }))!,
})

const joined = async (ctx: Ctx, organization_id: string, invitation: HandedInvitation) =>
  handed(await findMemberInvitation(ctx, organization_id, invitation.id), invitation)

const how =
  'The answer has a link, which is shown this once and good for 7 days. Whoever opens it signs in with the provider ' +
  'of the installation, with the very address that was invited.'

export const endpoints = [
  endpoint({
    ...to_operate,
    operation: 'operator_list_operator_invitations',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/operator-invitations',
    summary: 'List the invitations of operators',
    description: 'The newest first, with what became of them.',
    query: InvitationPage,
    returns: { 200: OperatorInvitationList },
    handle: (ctx, { query }) => listOperatorInvitations(ctx, query),
  }),
  endpoint({
    ...to_operate,
    operation: 'operator_invite_operator',
    hands_out: true,
    roles: roles_to.own,
    method: 'POST',
    path: '/operator/v1/operator-invitations',
    summary: 'Invite somebody to operate',
    description: `${how} An operator with that address who has only keys signs in as themselves from then on.`,
    body: NewOperatorInvitation,
    returns: { 201: dataOf(ShownOperatorInvitation) },
    repeats: 'briefly',
    example: { name: 'Pia Lund', email: 'pia@example.com', role: 'support' },
    handle: async (ctx, { body }) => {
      const invitation = await inviteOperator(ctx, body)
      return handed(await findOperatorInvitation(ctx, invitation.id), invitation)
    },
  }),
  endpoint({
    ...to_operate,
    operation: 'operator_withdraw_operator_invitation',
    roles: roles_to.own,
    method: 'DELETE',
    path: '/operator/v1/operator-invitations/{operator_invitation_id}',
    summary: 'Take back the invitation of an operator',
    params: { operator_invitation_id: 'inv' },
    locate: locateOperatorInvitation,
    returns: { 200: dataOf(OperatorInvitation) },
    handle: async (ctx, { located }) => {
      await withdrawOperatorInvitation(ctx, located)
      return data(await findOperatorInvitation(ctx, located.invitation_id))
    },
  }),
  endpoint({
    ...to_join,
    operation: 'operator_list_invitations',
    sdk: 'invitations.list',
    roles: roles_to.read,
    method: 'GET',
    summary: 'List the invitations to an organization',
    description: 'The newest first, with what became of them.',
    query: InvitationPage,
    returns: { 200: MemberInvitationList },
    handle: (ctx, { params, query }) => listMemberInvitations(ctx, params.organization_id, query),
  }),
  endpoint({
    ...to_join,
    operation: 'operator_invite_member',
    sdk: 'invitations.create',
    hands_out: true,
    roles: roles_to.administer,
    method: 'POST',
    summary: 'Invite somebody to an organization',
    description: `${how} A member with that address who has only keys signs in as themselves from then on.`,
    body: NewMemberInvitation,
    returns: { 201: dataOf(ShownMemberInvitation) },
    refuses: [refusals.too_many_invitations],
    repeats: 'briefly',
    example: { name: 'Ada Lindgren', email: 'ada@example.com', role: 'ADMIN' },
    handle: async (ctx, { located: { organization_id }, body }) =>
      joined(ctx, organization_id, await inviteMember(ctx, organization_id, body)),
  }),
  endpoint({
    ...to_join,
    operation: 'operator_withdraw_invitation',
    sdk: 'invitations.withdraw',
    roles: roles_to.administer,
    method: 'DELETE',
    path: '/operator/v1/invitations/{invitation_id}',
    summary: 'Take back an invitation to an organization',
    params: { invitation_id: 'inv' },
    locate: locateMemberInvitation,
    returns: { 200: dataOf(MemberInvitation) },
    handle: async (ctx, { located }) => {
      await withdrawMemberInvitation(ctx, located)
      return data(await findMemberInvitation(ctx, located.organization_id, located.invitation_id))
    },
  }),
  endpoint({
    ...own,
    operation: 'invitations_list',
    scopes: ['read', 'keys'],
    method: 'GET',
    path: '/v1/invitations',
    summary: 'List invitations',
    description: 'Those to the organization, the newest first, with what became of them.',
    query: InvitationPage,
    returns: { 200: MemberInvitationList },
    handle: (ctx, { query }) => listMemberInvitations(ctx, actingOrganization(ctx.caller), query),
  }),
  endpoint({
    ...own,
    operation: 'invitations_create',
    allows: in_person,
    hands_out: true,
    // Who is invited does what their role allows, whatever the key was for.
    scopes,
    method: 'POST',
    path: '/v1/invitations',
    summary: 'Invite somebody to the organization',
    description: how,
    body: NewMemberInvitation,
    returns: { 201: dataOf(ShownMemberInvitation) },
    refuses: [refusals.too_many_invitations],
    repeats: 'briefly',
    example: { name: 'Ada Lindgren', email: 'ada@example.com', role: 'ENROLLMENT_AGENT' },
    handle: async (ctx, { body }) => joined(ctx, actingOrganization(ctx.caller), await inviteColleague(ctx, body)),
  }),
  endpoint({
    ...own,
    organization: 'path',
    operation: 'invitations_withdraw',
    scopes: ['write', 'keys'],
    method: 'DELETE',
    path: '/v1/invitations/{invitation_id}',
    summary: 'Take back an invitation',
    params: { invitation_id: 'inv' },
    locate: locateMemberInvitation,
    returns: { 200: dataOf(MemberInvitation) },
    handle: async (ctx, { located }) => {
      await withdrawMemberInvitation(ctx, located)
      return data(await findMemberInvitation(ctx, located.organization_id, located.invitation_id))
    },
  }),
]
