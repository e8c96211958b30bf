import { z } from 'zod'
import { Email, Id, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf } from '../../../kernel/pages.ts'
import { OperatorRole } from '../operators/schemas.ts'
import { Role } from '../organizations/schemas.ts'

const people = {
  name: text().meta({ description: 'The name of the invited person.' }),
  email: Email.meta({
    description: 'The person must sign in with this email address.',
    example: 'ada@example.com',
  }),
}

export const NewOperatorInvitation = z.object({ ...people, role: OperatorRole }).meta({ id: 'NewOperatorInvitation' })

export type NewOperatorInvitation = z.output<typeof NewOperatorInvitation>

export const NewMemberInvitation = z.object({ ...people, role: Role }).meta({ id: 'NewMemberInvitation' })

export type NewMemberInvitation = z.output<typeof NewMemberInvitation>

const invitation_fields = {
  id: Id('inv').meta({ description: 'The id of the invitation.' }),
  name: z.string().meta({ description: 'The name of the invited person.' }),
  email: z.string(),
  status: z.enum(['pending', 'accepted', 'expired', 'revoked']).meta({
    id: 'InvitationStatus',
    description:
      'pending: can be accepted. accepted: used. expired: more than 7 days old. revoked: withdrawn, or its sender ' +
      'may no longer invite.',
  }),
  invited_by: Id('usr').nullable(),
  created_at: Timestamp,
  expires_at: Timestamp,
  accepted_at: Timestamp.nullable().meta({ description: 'When the user accepted the invitation. Null until then.' }),
  accepted_by: Id('usr').nullable(),
  revoked_at: Timestamp.nullable(),
}

const url = z.url().meta({ description: 'The invitation link, shown once. It can be used once within 7 days.' })

export const OperatorInvitation = z
  .object({ ...invitation_fields, role: OperatorRole })
  .meta({ id: 'OperatorInvitation' })
export const ShownOperatorInvitation = OperatorInvitation.extend({ url }).meta({ id: 'ShownOperatorInvitation' })
export const OperatorInvitationList = pageOf('OperatorInvitationList', OperatorInvitation)

export const MemberInvitation = z
  .object({ ...invitation_fields, organization_id: Id('org'), role: Role })
  .meta({ id: 'MemberInvitation' })
export const ShownMemberInvitation = MemberInvitation.extend({ url }).meta({ id: 'ShownMemberInvitation' })
export const MemberInvitationList = pageOf('MemberInvitationList', MemberInvitation)
