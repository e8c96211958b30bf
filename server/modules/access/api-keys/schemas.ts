import { z } from 'zod'
import { Id, Instant, isOrigin, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { flag } from '../../../http/endpoint.ts'
import { pageQuery, Pagination } from '../../../kernel/pages.ts'
import { scopes } from '../../../runtime/permissions.ts'
import { ApiKeyMode, ApiKeyScope } from '../auth/schemas.ts'

const scopes_meaning =
  'What the key is for: `read` and `write`, and beside employers, plan years and the catalog the areas `people`, ' +
  '`money`, `webhooks` and `keys`. An operation needs each that it names.'

const Scopes = z
  .array(ApiKeyScope)
  .min(1, 'must hold at least one scope')
  .max(scopes.length)
  .overwrite((given) => scopes.filter((scope) => given.includes(scope)))

const Origin = text()
  .refine((value) => isOrigin(value) && /^https?:/.test(value), {
    message: 'must be an origin such as https://app.example.com, without a wildcard, a path or a slash at the end',
  })
  .meta({ example: 'https://app.example.com' })

const Origins = z
  .array(Origin)
  .max(50, 'must hold at most 50')
  .overwrite((given) => [...new Set(given)])

const origins_meaning =
  'From which pages bound tokens of the key may be sent; empty: none. null: those that the operator set for keys ' +
  'that say nothing.'

/** What may be said of a new key, whoever makes it. */
export const key_terms = {
  scopes: optional(Scopes).meta({
    description: `${scopes_meaning} All of the maker’s unless said.`,
    example: ['read'],
  }),
  expires_at: optional(Instant).meta({
    description: 'When the key ends, and its tokens with it; without an end unless said.',
    example: undefined,
  }),
  allowed_origins: optional(Origins).meta({ description: origins_meaning }),
}

const Name = text().meta({ description: 'What the key is for, to know it again.', example: 'Nightly payroll' })

export const NewApiKey = z
  .object({
    name: Name,
    user_id: optional(Id('usr')).meta({
      description: 'The member whose key it is, and whose role it has; the caller unless said.',
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
      .meta({ description: `${origins_meaning} Absent: left as it is.` }),
  })
  .meta({ id: 'ApiKeyChanges' })
export type ApiKeyChanges = z.output<typeof ApiKeyChanges>

export const Rotation = z
  .object({
    overlap_hours: z.int().min(0).max(168).default(24).meta({
      description: 'For how many hours the former secret opens as well; 0 to 168, 24 unless said.',
      example: 24,
    }),
  })
  .meta({ id: 'Rotation' })
export type Rotation = z.output<typeof Rotation>

export const LeakReport = z
  .object({ api_key: z.string().max(100).meta({ description: 'The key that was found, whole.' }) })
  .meta({ id: 'LeakReport' })

export const ApiKey = z
  .object({
    id: Id('key'),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What it is for.', on_null: 'null: made before keys had names, or not told.' }),
    user_id: Id('usr').meta({ description: 'Whose key it is: it has the role of that member.' }),
    organization_id: Id('org')
      .nullable()
      .meta({ description: 'The organization that it is bound to.', on_null: 'null: it is open to several.' }),
    mode: ApiKeyMode.nullable().meta({ on_null: 'null: made before modes counted; it reaches both.' }),
    last_four: z
      .string()
      .nullable()
      .meta({ description: 'The last four characters of its secret.', on_null: 'null: not known until its next use.' }),
    scopes: z.array(ApiKeyScope).meta({ description: scopes_meaning }),
    allowed_origins: z.array(z.string()).nullable().meta({ description: origins_meaning }),
    status: z.enum(['active', 'expired', 'revoked']).meta({ id: 'ApiKeyStatus' }),
    created_at: Timestamp,
    created_by: Id('usr').nullable().meta({
      description: 'The user who made it, a member or an operator.',
      on_null: 'null: made before this was written down.',
    }),
    last_used_at: Timestamp.nullable().meta({
      description: 'When it or one of its tokens was used last, at most a minute behind.',
      on_null: 'null: not yet.',
    }),
    expires_at: Timestamp.nullable().meta({ description: 'When it ends.', on_null: 'null: it has no end.' }),
    rotated_at: Timestamp.nullable().meta({
      description: 'When its secret was made anew.',
      on_null: 'null: never.',
    }),
    former_secret_expires_at: Timestamp.nullable().meta({
      description: 'Until when the secret before the last rotation opens as well.',
      on_null: 'null: there is none.',
    }),
    revoked_at: Timestamp.nullable().meta({ description: 'When it was revoked.', on_null: 'null: it is not.' }),
    revoked_because: z
      .enum(['requested', 'leaked'])
      .nullable()
      .meta({ description: '`leaked`: somebody who had it reported it.', on_null: 'null: it is not revoked.' }),
  })
  .meta({ id: 'ApiKey' })

export const IssuedApiKey = ApiKey.extend({
  api_key: z.string().meta({ description: 'The key itself, shown this once.' }),
}).meta({ id: 'IssuedApiKey' })

export const ApiKeyPaging = z.object({
  unbound: flag.meta({
    description:
      'Instead of the keys of the organization those that its members have for several organizations, and that reach ' +
      'it: who made them and when they were used last. Their names and origins are not told, and they are not ' +
      'changed here.',
  }),
  ...pageQuery,
})
export const ApiKeyPage = z.object({ data: z.array(ApiKey), pagination: Pagination }).meta({ id: 'ApiKeyPage' })

export const RevokedApiKey = z
  .object({ id: Id('key'), revoked_at: Timestamp.meta({ description: 'When it was revoked.' }) })
  .meta({ id: 'RevokedApiKey' })
