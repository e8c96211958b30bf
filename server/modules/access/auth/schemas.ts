import { z } from 'zod'
import { DayAnswer, Id, Timestamp } from '../../../kernel/fields.ts'
import { key_modes, scopes } from '../../../runtime/permissions.ts'
import { Role } from '../organizations/schemas.ts'

export const ApiKeyMode = z
  .enum(key_modes)
  .meta({ id: 'ApiKeyMode', description: '`test` keys reach sandbox organizations, `live` keys the others.' })

export const ApiKeyScope = z.enum(scopes).meta({ id: 'ApiKeyScope' })

const BoundEntityType = z.enum(['employee', 'employer']).meta({ id: 'BoundEntityType' })

export const BoundEntity = z
  .object({ type: BoundEntityType, id: z.string() })
  .refine(({ type, id }) => id.startsWith(type === 'employer' ? 'empr_' : 'empl_'), {
    path: ['id'],
    message: 'must be the id of an entity of this type: empr_… for an employer, empl_… for an employee',
  })
  .meta({ id: 'BoundEntity', description: 'The one employer or employee that a token is bound to.' })

export type BoundEntity = z.output<typeof BoundEntity>

export const AccessTokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    bound_entity: BoundEntity.nullish().transform((value) => value ?? null),
  })
  .meta({ id: 'AccessTokenRequest' })

export type AccessTokenRequest = z.output<typeof AccessTokenRequest>

export const AccessToken = z
  .object({
    access_token: z.string().meta({ description: 'To be sent as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'In how many seconds it ends.' }),
    bound_entity: z.object({ type: BoundEntityType, id: z.string() }).nullable(),
  })
  .meta({ id: 'AccessToken' })

const Organization = z.object({
  id: Id('org'),
  name: z.string(),
  sandbox: z.boolean().meta({ description: 'Whether it is a sandbox.' }),
  accent_color: z.string().nullable().meta({ description: 'Color of its widgets.', on_null: 'null: not set.' }),
})

const today = DayAnswer.meta({
  description: 'Today at the organization that the credential acts as, else in New York.',
})

const KeyCredential = z
  .object({
    kind: z.enum(['api_key', 'session_token', 'access_token']).meta({
      id: 'KeyCredentialKind',
      description: 'An API key, a token of a session, or an unbound access token.',
    }),
    api_key: z
      .object({
        id: Id('key'),
        name: z.string().nullable().meta({ description: 'What it is for.', on_null: 'null: it has no name.' }),
        last_four: z
          .string()
          .nullable()
          .meta({ description: 'The last four characters of its secret.', on_null: 'null: not known yet.' }),
      })
      .nullable()
      .meta({ description: 'The key, or the key that issued the token.', on_null: 'null: a session.' }),
    user: z
      .object({ id: Id('usr'), name: z.string(), email: z.string().nullable() })
      .meta({ description: 'The owner of the key or session.' }),
    organization: Organization.nullable().meta({
      description: 'The organization acted as.',
      on_null: 'null: it reaches none, or several; name one.',
    }),
    bound_entity: z.null().meta({ description: 'null: it is bound to nothing.' }),
    roles: z
      .array(z.object({ organization_id: Id('org'), role: Role }))
      .meta({ description: "The owner's role in each organization that the credential is open to." }),
    super_in: z.boolean().meta({ description: 'Whether it reads across every organization.' }),
    scopes: z.array(ApiKeyScope).meta({ description: 'What it is for.' }),
    mode: ApiKeyMode.nullable().meta({ on_null: 'null: made before modes counted; it reaches both.' }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'When its owner signed in with a browser.',
      on_null: 'null: it is of no session.',
    }),
    expires_at: Timestamp.nullable().meta({
      description: 'From this instant on it opens nothing.',
      on_null: 'null: it has no end.',
    }),
    today,
  })
  .meta({ id: 'KeyCredential' })

/** A bound token is in the browser of a person who has nothing to do with the owner of the key. */
const BoundCredential = z
  .object({
    kind: z.enum(['employer_token', 'employee_token']).meta({
      id: 'BoundCredentialKind',
      description: 'Whether the token is bound to an employer or an employee.',
    }),
    bound_entity: z.object({ type: BoundEntityType, id: z.string() }).meta({
      description: 'The employer or employee that the token is bound to.',
    }),
    organization: Organization.meta({ description: 'The organization of the entity, with its branding.' }),
    expires_at: Timestamp.meta({ description: 'From this instant on the token opens nothing.' }),
    today,
  })
  .meta({ id: 'BoundCredential' })

export const Credential = z.discriminatedUnion('kind', [KeyCredential, BoundCredential]).meta({
  id: 'Credential',
  description: 'What a credential is. A bound token has neither an owner nor roles nor scopes.',
})
