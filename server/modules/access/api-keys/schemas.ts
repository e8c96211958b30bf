import { z } from 'zod'
import { Id, Instant, isOrigin, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { flag } from '../../../http/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { scopes } from '../../../runtime/permissions.ts'
import { ApiKeyMode, ApiKeyScope } from '../auth/schemas.ts'

const scopes_meaning =
  'Scopes of the key: `read`, `write`, and the areas `people`, `money`, `webhooks`, `keys` and `tax`. Employers, ' +
  'plan years and the catalog need no area. Each operation lists the scopes it requires, and a key needs all of them.'

const Scopes = z
  .array(ApiKeyScope)
  .min(1, 'must contain at least one scope')
  .max(scopes.length)
  .overwrite((given) => scopes.filter((scope) => given.includes(scope)))

const Origin = text()
  .refine((value) => isOrigin(value) && /^https?:/.test(value), {
    message: 'must be an origin such as https://app.example.com, without a wildcard, a path or a slash at the end',
  })
  .meta({ example: 'https://app.example.com' })

const Origins = z
  .array(Origin)
  .max(50, 'must contain at most 50')
  .overwrite((given) => [...new Set(given)])

const origins_meaning =
  'The pages whose browsers may send bound tokens of the key. An empty list allows none. Null applies the origins ' +
  'that the operator configured as the default.'

/** The terms that any creator of a key can specify. */
export const key_terms = {
  scopes: optional(Scopes).meta({
    description: `${scopes_meaning} Default: all scopes of the caller.`,
    example: ['read'],
  }),
  expires_at: optional(Instant).meta({
    description: 'When the key and its tokens expire. Default: never.',
    example: undefined,
  }),
  allowed_origins: optional(Origins).meta({ description: origins_meaning }),
}

const Name = text().meta({ description: 'A name that describes the purpose of the key.', example: 'Nightly payroll' })

export const NewApiKey = z
  .object({
    name: Name,
    user_id: optional(Id('usr')).meta({
      description: 'The member who owns the key, whose role it has. Default: the caller.',
      example: undefined,
    }),
    ...key_terms,
  })
  .meta({ id: 'NewApiKey' })
export type NewApiKey = z.output<typeof NewApiKey>

export const ApiKeyChanges = z
  .object({
    name: optional(Name),
    allowed_origins: Origins.nullable()
      .optional()
      .meta({ description: `${origins_meaning} If absent, the origins do not change.` }),
  })
  .meta({ id: 'ApiKeyChanges' })
export type ApiKeyChanges = z.output<typeof ApiKeyChanges>

export const Rotation = z
  .object({
    overlap_hours: z.int().min(0).max(168).default(24).meta({
      description: 'How many hours the previous secret stays valid, from 0 to 168.',
      example: 24,
    }),
  })
  .meta({ id: 'Rotation' })
export type Rotation = z.output<typeof Rotation>

export const LeakReport = z
  .object({ api_key: z.string().max(100).meta({ description: 'The complete key that was found.' }) })
  .meta({ id: 'LeakReport' })

const RevokedBecause = z.enum(['requested', 'leaked']).meta({
  id: 'RevokedBecause',
  description: 'requested: an admin or the operator revoked the key. leaked: someone who found it reported it.',
})

export const ApiKey = z
  .object({
    id: Id('key'),
    name: z.string().nullable().meta({ description: 'The purpose of the key. Null if the key has no name.' }),
    user_id: Id('usr').meta({ description: 'The member who owns the key, whose role it has.' }),
    organization_id: Id('org')
      .nullable()
      .meta({ description: 'The organization that the key is bound to. Null if the key is unbound.' }),
    mode: ApiKeyMode,
    last_four: z.string().meta({ description: 'The last four characters of the secret.' }),
    scopes: z.array(ApiKeyScope).meta({ description: scopes_meaning }),
    allowed_origins: z.array(z.string()).nullable().meta({ description: origins_meaning }),
    status: z.enum(['active', 'expired', 'revoked']).meta({
      id: 'ApiKeyStatus',
      description:
        'active: accepted. expired: past `expires_at`. revoked: no longer accepted, by request or because it leaked.',
    }),
    created_at: Timestamp,
    created_by: Id('usr').nullable().meta({
      description: 'The member or operator who created the key. Null if the installation created it.',
    }),
    last_used_at: Timestamp.nullable().meta({
      description: 'When the key or one of its tokens was last used. Up to a minute behind. Null if it was never used.',
    }),
    expires_at: Timestamp.nullable().meta({ description: 'When the key expires. Null if it does not expire.' }),
    rotated_at: Timestamp.nullable().meta({
      description: 'When the secret was last rotated. Null if it was never rotated.',
    }),
    former_secret_expires_at: Timestamp.nullable().meta({
      description: 'When the previous secret expires. Null if there is no valid previous secret.',
    }),
    revoked_at: Timestamp.nullable().meta({ description: 'When the key was revoked. Null if it is not revoked.' }),
    revoked_because: RevokedBecause.nullable().meta({
      description: 'Why the key was revoked. `leaked` means that it was reported as found. Null if it is not revoked.',
    }),
  })
  .meta({ id: 'ApiKey' })

export const IssuedApiKey = ApiKey.extend({
  api_key: z.string().meta({ description: 'The secret of the key. Only this response shows it.' }),
}).meta({ id: 'IssuedApiKey' })

export const ApiKeyPaging = z.object({
  unbound: flag.meta({
    description:
      'Returns the unbound keys of members that reach your organization, instead of the keys bound to it. Their ' +
      'names and origins are omitted, and they cannot be changed here.',
  }),
  ...pageQuery,
})
export const ApiKeyPage = pageOf('ApiKeyPage', ApiKey)

export const RevokedApiKey = z
  .object({ id: Id('key'), revoked_at: Timestamp.meta({ description: 'When the key was revoked.' }) })
  .meta({ id: 'RevokedApiKey' })
