import { z } from 'zod'
import { ResponseDay, Id, Timestamp } from '../../../kernel/fields.ts'
import { key_modes, scopes } from '../../../runtime/permissions.ts'
import { Role } from '../organizations/schemas.ts'
import { DisplayName } from '../organizations/schemas.ts'

export const ApiKeyMode = z
  .enum(key_modes)
  .meta({ id: 'ApiKeyMode', description: '`test` keys reach sandbox organizations, and `live` keys reach all others.' })

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
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the token expires.' }),
    bound_entity: z.object({ type: BoundEntityType, id: z.string() }).nullable(),
  })
  .meta({ id: 'AccessToken' })

const Organization = z.object({
  id: Id('org'),
  name: z.string(),
  sandbox: z.boolean().meta({ description: 'Whether the organization is a sandbox.' }),
  accent_color: z.string().nullable().meta({ description: 'The brand color of its widgets. Null if it is not set.' }),
  display_names: z.array(DisplayName).meta({ description: 'The names of benefits that employees see.' }),
})

const today = ResponseDay.meta({
  description:
    'Today at the organization that the credential acts as, by its clock if it is a sandbox. Else today in New York.',
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
        name: z.string().nullable().meta({ description: 'The name of the key. Null if it has no name.' }),
        last_four: z.string().meta({ description: 'The last four characters of the secret.' }),
      })
      .nullable()
      .meta({ description: 'The key, or the key that issued the token. Null for a session.' }),
    user: z
      .object({ id: Id('usr'), name: z.string(), email: z.string().nullable() })
      .meta({ description: 'The owner of the key or session.' }),
    organization: Organization.nullable().meta({
      description:
        'The organization that the credential acts as. Null if the credential reaches none or several. Specify ' +
        'one with the request.',
    }),
    bound_entity: z.null().meta({ description: 'Always null, because the credential is not bound.' }),
    roles: z
      .array(z.object({ organization_id: Id('org'), role: Role }))
      .meta({ description: "The owner's role in each organization that the credential reaches." }),
    super_in: z.boolean().meta({ description: 'Whether the credential can read across every organization.' }),
    scopes: z.array(ApiKeyScope).meta({ description: 'The scopes of the key.' }),
    mode: ApiKeyMode.nullable().meta({ on_null: 'Null for a session, which reaches both modes.' }),
    signed_in_at: Timestamp.nullable().meta({
      description: 'When the owner signed in with a browser. Null if it is not a session.',
    }),
    expires_at: Timestamp.nullable().meta({ description: 'When the credential expires. Null if it does not expire.' }),
    today,
  })
  .meta({ id: 'KeyCredential' })

/** A bound token is used in the browser of an end user, who must not learn anything about the owner of the key. */
const BoundCredential = z
  .object({
    kind: z.enum(['employer_token', 'employee_token']).meta({
      id: 'BoundCredentialKind',
      description: 'Whether the token is bound to an employer or an employee.',
    }),
    bound_entity: z.object({ type: BoundEntityType, id: z.string() }).meta({
      description: 'The employer or employee that the token is bound to.',
    }),
    organization: Organization.meta({ description: 'The organization of the bound entity, with its branding.' }),
    expires_at: Timestamp.meta({ description: 'When the token expires.' }),
    today,
  })
  .meta({ id: 'BoundCredential' })

export const Credential = z.discriminatedUnion('kind', [KeyCredential, BoundCredential]).meta({
  id: 'Credential',
  description: 'A credential. A bound token has no owner, roles or scopes.',
})
