import { z } from 'zod'
import { DayAnswer, DayText, Email, Id, optional, text, Timestamp } from '../../kernel/fields.ts'
import { pageQuery } from '../../kernel/pages.ts'
import { key_terms } from '../api-keys/schemas.ts'
import { ApiKeyMode } from '../auth/schemas.ts'
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

export const HandedOutApiKey = z
  .object({
    user_id: Id('usr').meta({ description: 'The user whose key it is, and whose role it has in each organization.' }),
    organization_id: otherwise(Id('org'), null).meta({
      description:
        'The organization that the key is bound to; without it the key is open to those that the user belongs to now.',
    }),
    follows_memberships: otherwise(z.boolean(), false).meta({
      description: 'Of a key that is bound to none: whether it is open to what the user comes to belong to later too.',
    }),
    mode: ApiKeyMode,
    name: optional(text()).meta({ description: 'What the key is for, to know it again.', example: 'Nightly payroll' }),
    ...key_terms,
  })
  .meta({ id: 'NewApiKey' })

export const ApiKeyFilter = z.object({
  organization_id: optional(Id('org')).meta({ description: 'The keys that are bound to this organization.' }),
  user_id: optional(Id('usr')).meta({ description: 'The keys of this user.' }),
  ...pageQuery,
})

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
