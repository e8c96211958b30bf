import { z } from 'zod'
import { roles } from '../../../runtime/permissions.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { ResponseDay, DayText, Id, text, Language } from '../../../kernel/fields.ts'
import { contrastWithWhite } from './rules.ts'

export const OrganizationType = z
  .enum(['BROKERAGE', 'TPA', 'GENERAL_AGENT', 'CHANNEL_PARTNER', 'CONSULTING_FIRM', 'API_PLATFORM'])
  .meta({ id: 'OrganizationType' })

export const Role = z.enum(roles).meta({
  id: 'MembershipRole',
  description:
    'ADMIN: everything. OPERATIONS: everything except members, keys and webhooks. ENROLLMENT_AGENT: people and ' +
    'their enrollments. SALES: employers and plan years, but no people.',
})

export const NewOrganization = z
  .object({
    name: text(),
    type: OrganizationType.nullish().transform((value) => value ?? null),
  })
  .meta({ id: 'NewOrganization' })

export type NewOrganization = z.output<typeof NewOrganization>

export const Organization = z
  .object({
    id: Id('org'),
    name: z.string().meta({ description: 'The name of the organization.' }),
    type: OrganizationType.nullable().meta({ description: 'The type of the organization. Null if not provided.' }),
    idp_org_id: z.string().nullable().meta({
      description: 'The id of the tenant at the identity provider. Null until the provider has confirmed it.',
    }),
    idp_provider: z.enum(['service', 'external_idp']).meta({
      id: 'IdpProvider',
      description: 'service: this service. external_idp: an identity provider in which the organization has a tenant.',
    }),
    super_in: z.boolean().meta({ description: 'Whether its members can read across every organization.' }),
  })
  .meta({ id: 'Organization' })

const MyOrganization = Organization.extend({
  role: Role.meta({ description: "The key owner's role in this organization." }),
}).meta({ id: 'MyOrganization' })

export const MyOrganizations = z
  .object({ organizations: z.array(MyOrganization), total: z.int() })
  .meta({ id: 'MyOrganizations' })

/** Without `limit` and `page`, the list is complete. With only one of them, the other has its usual default. */
export const MyOrganizationsPage = z.object({
  limit: pageQuery.limit
    .unwrap()
    .optional()
    .meta({ description: 'Items per page, from 1 to 100. Defaults to 20 if only `page` is sent.', example: 20 }),
  page: pageQuery.page.unwrap().optional().meta({ description: 'Page number, from 1.', example: 1 }),
})

const AccentColor = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be a color such as #2748b3')
  .refine((color) => contrastWithWhite(color) >= 4.5, 'must have a contrast of at least 4.5 to 1 with white')

export const Branding = z
  .object({
    accent_color: AccentColor.nullable().meta({
      description:
        'A color such as `#2748b3`, with a contrast of at least 4.5 to 1 with white. Null for the OpenBenefits ' +
        'default.',
    }),
  })
  .meta({ id: 'Branding' })

export const DisplayName = z
  .object({
    language: Language.meta({ description: 'The language in which employees see the name.' }),
    name: text().meta({ description: 'The name of a benefit in the catalog, or of a category.', example: 'Dental' }),
    display_name: text().meta({ description: 'The name that employees see.' }),
  })
  .meta({ id: 'DisplayName' })

export const DisplayNames = z
  .object({
    display_names: z
      .array(DisplayName)
      .max(200)
      .refine((names) => new Set(names.map(({ language, name }) => `${language} ${name}`)).size === names.length, {
        message: 'must name each benefit or category once per language',
      })
      .meta({ description: 'All names, which replace the earlier ones.' }),
  })
  .meta({ id: 'DisplayNames' })

export const OrganizationMemberPage = pageOf(
  'OrganizationMemberPage',
  z
    .object({
      user_id: Id('usr'),
      name: z.string().meta({ description: 'The name of the member.' }),
      email: z.string().nullable().meta({ description: 'The email address of the member. Null if it is unknown.' }),
      role: Role,
    })
    .meta({ id: 'OrganizationMember' }),
)

export const ClockMove = z
  .object({
    today: DayText.meta({ description: 'The new current day of the organization: today or a later day.' }),
  })
  .meta({ id: 'ClockMove' })

const stands = {
  organization_id: Id('org'),
  today: ResponseDay.meta({ description: 'The current day of the organization.' }),
  clock_offset_days: z.int().meta({ description: 'How many days its clock is ahead of the calendar in New York.' }),
}

export const OrganizationClock = z
  .object({
    ...stands,
    has_pending_work: z.boolean().meta({
      description:
        'Whether jobs about its employers are waiting. Until they have run, results are incomplete and the clock ' +
        'cannot move.',
    }),
  })
  .meta({ id: 'OrganizationClock' })

export const MovedClock = z
  .object({ ...stands, days_run: z.int().meta({ description: 'The number of days for which daily jobs ran.' }) })
  .meta({ id: 'MovedClock' })
