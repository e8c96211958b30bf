import { z } from 'zod'
import { DayAnswer, DayText, Email, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { lookup, pageQuery, Pagination } from '../../../kernel/pages.ts'
import { key_terms } from '../../access/api-keys/schemas.ts'
import { ApiKeyMode } from '../../access/auth/schemas.ts'
import { flag } from '../../../http/endpoint.ts'
import { operator_roles } from '../../../runtime/caller.ts'
import { Organization, OrganizationType, Role } from '../../access/organizations/schemas.ts'

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

const membership_facts = {
  created_at: Timestamp.meta({ description: 'Since when.' }),
  ended_at: Timestamp.nullable().meta({ description: 'When it ended.', on_null: 'null: it has not.' }),
}

export const MembershipPage = z
  .object({
    data: z.array(
      Membership.extend({ name: z.string(), email: z.string().nullable(), ...membership_facts }).meta({
        id: 'MembershipOfUser',
      }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'MembershipPage' })

export const OperatedUser = User.extend({
  operator_role: z
    .enum(operator_roles)
    .nullable()
    .meta({ description: 'As what they operate the installation.', on_null: 'null: they do not.' }),
  memberships: z
    .array(
      z.object({
        organization_id: Id('org'),
        organization_name: z.string().meta({ description: 'Its name.' }),
        role: Role,
        ...membership_facts,
      }),
    )
    .meta({ description: 'Where they belong or belonged, the first first.' }),
}).meta({ id: 'OperatedUser', description: 'A user, with where they belong.' })

export const OperatedUserPage = z
  .object({ data: z.array(OperatedUser), pagination: Pagination })
  .meta({ id: 'OperatedUserPage' })

export const UserFilter = z.object({
  search: lookup('How a name begins, or in full an id or e-mail address').optional(),
  ...pageQuery,
})

export const OperatedOrganization = Organization.extend({
  sandbox: z.boolean().meta({ description: 'Whether it is a sandbox.' }),
  employer_count: z.int().meta({ description: 'How many employers it has.' }),
  member_count: z.int().meta({ description: 'How many people it knows.' }),
  today: DayAnswer.meta({ description: 'Its present day.' }),
  last_day_run_on: DayAnswer.nullable().meta({
    description: 'The last day that was run for it.',
    on_null: 'null: none yet.',
  }),
  late: z.boolean().meta({ description: 'Whether a day has come that is not run yet; from midnight until it is.' }),
  created_at: Timestamp,
}).meta({ id: 'OperatedOrganization', description: 'An organization, and how it stands.' })

export const OperatedOrganizationPage = z
  .object({ data: z.array(OperatedOrganization), pagination: Pagination })
  .meta({ id: 'OperatedOrganizationPage' })

export const OrganizationFilter = z.object({
  search: lookup('How a name begins, or in full an id').optional(),
  late: flag.meta({ description: 'Only those whose daily run is late. Not beside `search`, which finds all.' }),
  ...pageQuery,
})

export const Paging = z.object(pageQuery)

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

export const SubscriptionPage = z
  .object({ data: z.array(Subscription), pagination: Pagination })
  .meta({ id: 'SubscriptionPage' })
