import { z } from 'zod'
import { ResponseDay, DayText, Email, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, searchParameter, pageQuery } from '../../../kernel/pages.ts'
import { key_terms } from '../../access/api-keys/schemas.ts'
import { ApiKeyMode } from '../../access/auth/schemas.ts'
import { flag } from '../../../http/endpoint.ts'
import { operator_roles } from '../../../runtime/caller.ts'
import { Organization, OrganizationType, Role } from '../../access/organizations/schemas.ts'

/** Makes an absent field and null both mean this value. */
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
      description: 'Whether its members can read all organizations. Default: false.',
    }),
    sandbox: z
      .boolean()
      .nullish()
      .meta({ description: 'Whether it is a sandbox. Default: the setting of the installation.' }),
    admin_user_id: otherwise(Id('usr'), null).meta({ description: 'The user who becomes its ADMIN, if any.' }),
  })
  .meta({ id: 'OrganizationSetup' })

export const NewMembership = z.object({ user_id: Id('usr'), role: Role }).meta({ id: 'NewMembership' })

export const Membership = z
  .object({ organization_id: Id('org'), user_id: Id('usr'), role: Role })
  .meta({ id: 'Membership' })

const membership_facts = {
  created_at: Timestamp.meta({ description: 'The time of creation.' }),
  ended_at: Timestamp.nullable().meta({ description: 'The time at which it ended. Null if it has not ended.' }),
}

export const MembershipPage = pageOf(
  'MembershipPage',
  Membership.extend({ name: z.string(), email: z.string().nullable(), ...membership_facts }).meta({
    id: 'MembershipOfUser',
  }),
)

export const OperatedUser = User.extend({
  operator_role: z
    .enum(operator_roles)
    .nullable()
    .meta({ description: 'The operator role of the user. Null if the user is not an operator.' }),
  memberships: z
    .array(
      z.object({
        organization_id: Id('org'),
        organization_name: z.string().meta({ description: 'The name of the organization.' }),
        role: Role,
        ...membership_facts,
      }),
    )
    .meta({ description: 'Present and former organizations, oldest first.' }),
}).meta({ id: 'OperatedUser', description: 'A user, with their organizations.' })

export const OperatedUserPage = pageOf('OperatedUserPage', OperatedUser)

export const UserFilter = z.object({
  search: searchParameter('The beginning of a name, or a full id or email address').optional(),
  ...pageQuery,
})

export const OperatedOrganization = Organization.extend({
  sandbox: z.boolean().meta({ description: 'Whether it is a sandbox.' }),
  employer_count: z.int().meta({ description: 'The number of employers.' }),
  member_count: z.int().meta({ description: 'The number of people.' }),
  today: ResponseDay.meta({ description: 'The current day of the organization.' }),
  last_day_run_on: ResponseDay.nullable().meta({
    description: 'The last day whose daily run is complete. Null before the first run.',
  }),
  late: z
    .boolean()
    .meta({ description: 'Whether a daily run is due and not complete. True from midnight until it completes.' }),
  created_at: Timestamp,
}).meta({ id: 'OperatedOrganization', description: 'An organization, with the state of its daily run.' })

export const OperatedOrganizationPage = pageOf('OperatedOrganizationPage', OperatedOrganization)

export const OrganizationFilter = z.object({
  search: searchParameter('The beginning of a name, or a full id').optional(),
  late: flag.meta({
    description: 'Only organizations whose daily run is late. Ignored with `search`, which finds all.',
  }),
  ...pageQuery,
})

export const NewUserApiKey = z
  .object({
    user_id: Id('usr').meta({ description: "The owner of the key. The key has the user's role in each organization." }),
    organization_id: otherwise(Id('org'), null).meta({
      description: "The organization to which the key is bound. Null: the user's current organizations.",
    }),
    follows_memberships: otherwise(z.boolean(), false).meta({
      description: 'For a key that is not bound: whether it is also valid for organizations that the user joins later.',
    }),
    mode: ApiKeyMode,
    name: optional(text()).meta({
      description: 'A name that describes the use of the key.',
      example: 'Nightly payroll',
    }),
    ...key_terms,
  })
  .meta({ id: 'NewApiKey' })

export const ApiKeyFilter = z.object({
  organization_id: Id('org').optional().meta({ description: 'Only keys bound to this organization.' }),
  user_id: Id('usr').optional().meta({ description: 'Only keys of this user.' }),
  ...pageQuery,
})

export const NewSubscription = z.object({ started_on: DayText }).meta({ id: 'NewSubscription' })

export const SubscriptionEnd = z
  .object({ ended_on: DayText.meta({ description: 'The day after the last day of the subscription.' }) })
  .meta({ id: 'SubscriptionEnd' })

export const Subscription = z
  .object({
    id: Id('sub'),
    employer_id: Id('empr'),
    started_on: ResponseDay,
    ended_on: ResponseDay.nullable().meta({ description: 'The day after the last day of the subscription.' }),
  })
  .meta({ id: 'Subscription' })

export const SubscriptionPage = pageOf('SubscriptionPage', Subscription)
