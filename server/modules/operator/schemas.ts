import { z } from 'zod'
import { DayAnswer, DayText, Email, Id, text, Timestamp } from '../../kernel/fields.ts'
import { OrganizationType, Role } from '../organizations/schemas.ts'

/** Absent and null mean the same: this value. */
const otherwise = <Shape extends z.ZodType, Value>(shape: Shape, value: Value) =>
  shape.nullish().transform((given) => given ?? value)

export const NewUser = z
  .object({
    name: text(),
    email: otherwise(Email, null),
  })
  .meta({ id: 'NewUser' })

export const User = z
  .object({ id: Id('usr'), name: z.string(), email: z.string().nullable(), created_at: Timestamp })
  .meta({ id: 'User' })

export const OrganizationSetup = z
  .object({
    name: text(),
    type: otherwise(OrganizationType, null),
    super_in: otherwise(z.boolean(), false).meta({
      description: 'Whether its members read across every organization; false unless said.',
    }),
    sandbox: z
      .boolean()
      .nullish()
      .meta({ description: "Whether it is a sandbox; the installation's own setting unless said." }),
    admin_user_id: otherwise(Id('usr'), null).meta({ description: 'The user who becomes its ADMIN, if any.' }),
  })
  .meta({ id: 'OrganizationSetup' })

export const NewMembership = z.object({ user_id: Id('usr'), role: Role }).meta({ id: 'NewMembership' })

export const Membership = z
  .object({ organization_id: Id('org'), user_id: Id('usr'), role: Role })
  .meta({ id: 'Membership' })

const ApiKeyMode = z.enum(['live', 'test']).meta({ id: 'ApiKeyMode' })

export const NewApiKey = z
  .object({
    user_id: Id('usr'),
    organization_id: otherwise(Id('org'), null).meta({
      description:
        "The organization that the key is bound to; without it the key is open to all of the user's active " +
        'memberships.',
    }),
    mode: ApiKeyMode.meta({ description: 'Shows in the key: obk_live_… or obk_test_…' }),
  })
  .meta({ id: 'NewApiKey' })

export const ApiKey = z
  .object({
    id: Id('key'),
    api_key: z.string().meta({ description: 'The key itself, shown this once.' }),
    user_id: Id('usr'),
    organization_id: Id('org')
      .nullable()
      .meta({ description: 'The organization that it is bound to; null: all that its owner is a member of.' }),
    mode: ApiKeyMode,
  })
  .meta({ id: 'ApiKey' })

export const RevokedApiKey = z.object({ id: Id('key'), revoked_at: Timestamp }).meta({ id: 'RevokedApiKey' })

export const NewSubscription = z.object({ started_on: DayText }).meta({ id: 'NewSubscription' })

export const SubscriptionEnd = z
  .object({ ended_on: DayText.meta({ description: 'The first day without it.' }) })
  .meta({ id: 'SubscriptionEnd' })

export const Subscription = z
  .object({
    id: Id('sub'),
    employer_id: Id('empr'),
    started_on: DayAnswer,
    ended_on: DayAnswer.nullable().meta({ description: 'The first day without it.' }),
  })
  .meta({ id: 'Subscription' })
