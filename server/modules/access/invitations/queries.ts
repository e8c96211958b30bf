import { inReach } from '../../../database/sql/reach.ts'
import type { OperatorRole } from '../../../runtime/caller.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { rowPageJson, objectJson, pageList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'

/**
 * SQL: whether the inviting operator still has one of these roles. Invitations created by a command have no inviter and
 * always pass.
 */
const invitedBy = (...roles: OperatorRole[]) => `(
  invitation.invited_by is null or exists (
    select from operators as inviter
     where inviter.user_id = invitation.invited_by and inviter.ended_at is null
       and inviter.role in ('${roles.join("', '")}')))`

/** SQL: whether the inviter may still invite. Invitations lapse when their inviter loses the required role. */
const by_owner = invitedBy('owner')
const by_admin = `(${invitedBy('owner', 'operations')} or exists (
    select from memberships as inviter
     where inviter.organization_id = invitation.organization_id and inviter.user_id = invitation.invited_by
       and inviter.ended_at is null and inviter.role = 'ADMIN'))`

const shownOf = (is_good: string) => `
  invitation.id, invitation.name, invitation.email, invitation.role,
  case when invitation.accepted_at is not null then 'accepted'
       when invitation.revoked_at is not null or not ${is_good} then 'revoked'
       when invitation.expires_at <= :real_now::timestamptz then 'expired' else 'pending' end as status,
  invitation.invited_by, iso(invitation.created_at) as created_at, iso(invitation.expires_at) as expires_at,
  iso(invitation.accepted_at) as accepted_at, invitation.accepted_by, iso(invitation.revoked_at) as revoked_at`

const shown_to_operate = shownOf(by_owner)
const shown_to_join = shownOf(by_admin)

/** SQL: whether an invitation can still be accepted. */
const isOpen = (is_good: string) => `
  invitation.accepted_at is null and invitation.revoked_at is null and invitation.expires_at > :real_now::timestamptz
  and ${is_good}`

export const insertOperatorInvitation = statement(
  'invitations.insertOperatorInvitation',
  `insert into operator_invitations (id, secret_hash, name, email, role, invited_by, created_at, expires_at)
   values (:id, :secret_hash, :name, :email, :role, :invited_by, :real_now, :expires_at)`,
).rows

export const insertMemberInvitation = statement(
  'invitations.insertMemberInvitation',
  `insert into member_invitations
     (id, organization_id, secret_hash, name, email, role, invited_by, created_at, expires_at)
   values (:id, :organization_id, :secret_hash, :name, :email, :role, :invited_by, :real_now, :expires_at)`,
).rows

/** Counts the invitations to an organization that can still be accepted. All of them are newer than `created_after`. */
export const countPending = statement(
  'invitations.countPending',
  `select count(*)::int as pending from member_invitations as invitation
    where invitation.organization_id = :organization_id and invitation.created_at > :created_after::timestamptz
      and ${isOpen(by_admin)}`,
).value

export const findOperatorInvitation = statement(
  'invitations.findOperatorInvitation',
  `select row_to_json(shown)::text
     from (select ${shown_to_operate} from operator_invitations as invitation
            where invitation.id = :invitation_id) as shown`,
).json

export const findMemberInvitation = statement(
  'invitations.findMemberInvitation',
  `select row_to_json(shown)::text
     from (select ${shown_to_join}, invitation.organization_id from member_invitations as invitation
            where invitation.id = :invitation_id and invitation.organization_id = :organization_id) as shown`,
).json

// Operators belong to no organization, so only callers that reach every organization can read them.
const of_installation = inReach('null::text')

const in_order = { row: 'invitation', order: 'invitation.created_at desc, invitation.id desc' }

/** A page of operator invitations, newest first. */
export const listOperatorInvitations = pageList(
  'invitations.listOperatorInvitations',
  rowPageJson({
    ...in_order,
    from: `operator_invitations as invitation where ${of_installation}`,
    item: objectJson(shown_to_operate),
  }),
)

/** A page of the invitations to an organization, newest first. */
export const listMemberInvitations = pageList(
  'invitations.listMemberInvitations',
  rowPageJson({
    ...in_order,
    from: `member_invitations as invitation
      where invitation.organization_id = :organization_id and ${inReach('invitation.organization_id')}`,
    item: objectJson(`${shown_to_join}, invitation.organization_id`),
  }),
)

const to_operate_located = read(
  'invitations.locateOperatorInvitation',
  `select invitation.id as invitation_id, null::text as organization_id from operator_invitations as invitation
    where invitation.id = :invitation_id and invitation.revoked_at is null and invitation.accepted_at is null
      and ${of_installation}`,
)

export type OperatorInvitationPath = { invitation_id: string; organization_id: null }

/** Locates an operator invitation that was neither accepted nor withdrawn. */
export const locateOperatorInvitation = (ctx: ReadCtx, path: { operator_invitation_id: string }) =>
  to_operate_located.row<OperatorInvitationPath>(ctx, { invitation_id: path.operator_invitation_id })

/** Locates an invitation to an organization within reach that was neither accepted nor withdrawn. */
export const locateMemberInvitation = read(
  'invitations.locateMemberInvitation',
  `select invitation.id as invitation_id, invitation.organization_id from member_invitations as invitation
    where invitation.id = :invitation_id and invitation.revoked_at is null and invitation.accepted_at is null
      and ${inReach('invitation.organization_id')}`,
).row<MemberInvitationPath>

export type MemberInvitationPath = { invitation_id: string; organization_id: string }

export const revokeOperatorInvitation = statement(
  'invitations.revokeOperatorInvitation',
  `update operator_invitations set revoked_at = :real_now
    where id = :invitation_id and revoked_at is null and accepted_at is null returning id`,
).row

export const revokeMemberInvitation = statement(
  'invitations.revokeMemberInvitation',
  `update member_invitations set revoked_at = :real_now
    where id = :invitation_id and organization_id = :organization_id and revoked_at is null and accepted_at is null
   returning id`,
).row

/**
 * An invitation that can be accepted. `organization` is its name, or null for an invitation to operate the
 * installation.
 */
export type OpenInvitation = {
  id: string
  name: string
  email: string
  role: string
  organization: string | null
}

/** Locks an acceptable operator invitation, so that it is accepted only once. */
export const lockOperatorInvitation = statement(
  'invitations.lockOperatorInvitation',
  `select invitation.id, invitation.name, invitation.email, invitation.role, null::text as organization
     from operator_invitations as invitation where invitation.secret_hash = :secret_hash and ${isOpen(by_owner)}
      for no key update`,
).row<OpenInvitation & { role: OperatorRole }>

/** Locks an acceptable invitation to an organization, so that it is accepted only once. */
export const lockMemberInvitation = statement(
  'invitations.lockMemberInvitation',
  `select invitation.id, invitation.name, invitation.email, invitation.role, organization.name as organization
     from member_invitations as invitation join organizations as organization
          on organization.id = invitation.organization_id
    where invitation.secret_hash = :secret_hash and invitation.organization_id = :organization_id
      and ${isOpen(by_admin)}
      for no key update of invitation`,
).row<OpenInvitation>

export const saveOperatorAcceptance = statement(
  'invitations.saveOperatorAcceptance',
  'update operator_invitations set accepted_at = :real_now, accepted_by = :user_id where id = :invitation_id',
).rows

export const saveMemberAcceptance = statement(
  'invitations.saveMemberAcceptance',
  `update member_invitations set accepted_at = :real_now, accepted_by = :user_id
    where id = :invitation_id and organization_id = :organization_id`,
).rows
