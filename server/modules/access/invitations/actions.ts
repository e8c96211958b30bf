import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../runtime/ctx.ts'
import { newId } from '../../../kernel/ids.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { sha256 } from '../../../security/secrets.ts'
import { actingOrganization, type OperatorRole } from '../../../runtime/caller.ts'
import { findUnidentifiedOperator, saveOperatorRole } from '../operators/queries.ts'
import { createUser } from '../organizations/actions.ts'
import { findUnidentifiedMember, isMember, saveMembership } from '../organizations/queries.ts'
import type { Role } from '../../../runtime/permissions.ts'
import {
  countPending,
  insertMemberInvitation,
  insertOperatorInvitation,
  lockMemberInvitation,
  lockOperatorInvitation,
  revokeMemberInvitation,
  revokeOperatorInvitation,
  saveMemberAcceptance,
  saveOperatorAcceptance,
  type MemberInvitationPath,
  type OpenInvitation,
  type OperatorInvitationPath,
} from './queries.ts'
import {
  endOfInvitation,
  oldestInvitation,
  readInvitationToken,
  refusals,
  tokenText,
  whyNotAccept,
  whyNotInvite,
} from './rules.ts'
import type { NewMemberInvitation, NewOperatorInvitation } from './schemas.ts'

/** A new invitation with its link, which cannot be retrieved later. */
export type CreatedInvitation = { id: string; url: string }

function makeInvitation(ctx: Ctx, organization_id: string | null) {
  const secret = randomBytes(32).toString('base64url')
  const id = newId('inv')
  const row = {
    id,
    secret_hash: sha256(secret),
    invited_by: ctx.caller.user_id,
    expires_at: endOfInvitation(ctx.real_now),
  }
  const url = `${ctx.settings.public_url ?? ''}/invitations/${tokenText({ organization_id, secret })}`
  return { row, handed: { id, url } }
}

/** Invites a person to operate the installation. */
export async function inviteOperator(ctx: Ctx, invited: NewOperatorInvitation): Promise<CreatedInvitation> {
  const { row, handed } = makeInvitation(ctx, null)
  await insertOperatorInvitation(ctx, { ...row, ...invited })
  return handed
}

/** Invites a person to an organization. Refuses with 409 if too many invitations to it are pending. */
export async function inviteMember(
  ctx: Ctx,
  organization_id: string,
  invited: NewMemberInvitation,
): Promise<CreatedInvitation> {
  refuse(whyNotInvite(await countPending(ctx, { organization_id, created_after: oldestInvitation(ctx.real_now) })))
  const { row, handed } = makeInvitation(ctx, organization_id)
  await insertMemberInvitation(ctx, { ...row, ...invited, organization_id })
  return handed
}

/**
 * Invites a person on behalf of a member. Callers who reach the organization in another way could otherwise create
 * members who outlast that access.
 */
export async function inviteColleague(ctx: Ctx, invited: NewMemberInvitation): Promise<CreatedInvitation> {
  const organization_id = actingOrganization(ctx.caller)
  refuse((await isMember(ctx, { organization_id, user_id: ctx.caller.user_id! })) ? undefined : generic.forbidden)
  return inviteMember(ctx, organization_id, invited)
}

/** Withdraws the invitation of an operator. Refuses with 404 if it was accepted in the meantime. */
export async function withdrawOperatorInvitation(ctx: Ctx, path: OperatorInvitationPath): Promise<void> {
  if (!(await revokeOperatorInvitation(ctx, path))) throw new Refusal(generic.not_found)
}

/** Withdraws an invitation to an organization. Refuses with 404 if it was accepted in the meantime. */
export async function withdrawMemberInvitation(ctx: Ctx, path: MemberInvitationPath): Promise<void> {
  if (!(await revokeMemberInvitation(ctx, path))) throw new Refusal(generic.not_found)
}

/** Locks and returns the invitation of a link. Refuses with 404 if it cannot be accepted. */
export async function openInvitation(ctx: Ctx, text: string): Promise<OpenInvitation> {
  const token = readInvitationToken(text)
  const hash = sha256(token?.secret ?? '')
  const found =
    token &&
    (token.organization_id === null
      ? await lockOperatorInvitation(ctx, { secret_hash: hash })
      : await lockMemberInvitation(ctx, { organization_id: token.organization_id, secret_hash: hash }))
  if (!found) throw new Refusal(refusals.invitation_not_found)
  return found
}

/**
 * Accepts the invitation of a link for a person with a verified email address, and returns the user id. Uses the user
 * known by that identity; else the operator or member with that address who never signed in; else a new user. An
 * existing operator or member keeps the current role. Refuses with 403 if the invitation is for another address.
 */
export async function acceptInvitation(
  ctx: Ctx,
  text: string,
  email: string | null,
  known: string | undefined,
): Promise<string> {
  const invitation = await openInvitation(ctx, text)
  refuse(whyNotAccept(invitation, email))
  const { organization_id } = readInvitationToken(text)!
  const found =
    known ??
    (organization_id === null
      ? await findUnidentifiedOperator(ctx, invitation.email)
      : await findUnidentifiedMember(ctx, organization_id, invitation.email))
  const user_id = found ?? (await createUser(ctx, { name: invitation.name, email: invitation.email }))
  if (organization_id === null) {
    await saveOperatorRole(ctx, { operator_id: user_id, role: invitation.role as OperatorRole })
    await saveOperatorAcceptance(ctx, { invitation_id: invitation.id, user_id })
  } else {
    await saveMembership(ctx, { organization_id, user_id, role: invitation.role as Role })
    await saveMemberAcceptance(ctx, { organization_id, invitation_id: invitation.id, user_id })
  }
  return user_id
}
