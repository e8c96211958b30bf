import { columnsOf } from '../../../database/sql/fragments.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Page } from '../../../kernel/pages.ts'
import type { Db } from '../../../database/query/database.ts'
import { rowPageJson, objectJson, pageList, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { KeyMode, KeyScope } from '../../../runtime/permissions.ts'
import type { KeyTerms } from './rules.ts'

/**
 * SQL: the fields of an ApiKey, from a row `key`. `own_fields` are the fields that only the key's own organization may
 * see.
 */
const fieldsOf = (own_fields: string) => `
  key.id, ${own_fields}, key.user_id, key.organization_id, key.mode, key.last_four, key.scopes,
  case when key.revoked_at is not null then 'revoked'
       when key.expires_at <= :real_now then 'expired' else 'active' end as status,
  iso(key.created_at) as created_at, key.created_by, iso(key.last_used_at) as last_used_at,
  iso(key.expires_at) as expires_at, iso(key.rotated_at) as rotated_at,
  iso(case when key.former_secret_expires_at > :real_now then key.former_secret_expires_at end)
    as former_secret_expires_at,
  iso(key.revoked_at) as revoked_at, key.revoked_because`
const keyFields = fieldsOf('key.name, key.allowed_origins')

/** One ApiKey as JSON. Undefined if its organization is out of reach. */
export const findApiKey = read(
  'api-keys.findApiKey',
  `select row_to_json(shown)::text from (
     select ${keyFields} from api_keys as key
      where key.id = :api_key_id and ${inReach('key.organization_id')}) as shown`,
).json

const in_order = { row: 'key', order: 'key.created_at desc, key.id desc' }

const keys_listed = readVariants(
  'api-keys.listApiKeys',
  { organization_id: [false, true], user_id: [false, true] },
  ({ organization_id, user_id }) => {
    const conditions = [
      inReach('key.organization_id'),
      ...(organization_id ? ['key.organization_id = :organization_id'] : []),
      ...(user_id ? ['key.user_id = :user_id'] : []),
    ].join(' and ')
    return rowPageJson({ ...in_order, from: `api_keys as key where ${conditions}`, item: objectJson(keyFields) })
  },
)

export type KeyFilter = { organization_id?: string | undefined; user_id?: string | undefined }

/** A page of the keys bound to an organization within reach, newest first. The operator sees all keys. */
export const listApiKeys = (ctx: ReadCtx, { organization_id, user_id, ...page }: KeyFilter & Page) =>
  keys_listed({ organization_id: organization_id !== undefined, user_id: user_id !== undefined }).json(ctx, {
    organization_id: organization_id ?? null,
    user_id: user_id ?? null,
    ...pageValues(page),
  })

/** SQL: unbound keys of members that reach this organization through a row `membership`. */
const unbound_keys = `
  memberships as membership
  join organizations as target on target.id = membership.organization_id
  join api_keys as key on key.user_id = membership.user_id and key.organization_id is null
   and (key.mode is null or target.sandbox = (key.mode = 'test'))
   and (key.open_to is null or membership.organization_id = any(key.open_to) or membership.founded_by = key.id)
 where membership.organization_id = :organization_id and membership.ended_at is null
   and ${inReach('membership.organization_id')}`

/** A page of the unbound keys that reach an organization. The rows reveal nothing about other organizations. */
export const listUnboundApiKeys = pageList(
  'api-keys.listUnboundApiKeys',
  rowPageJson({
    ...in_order,
    from: unbound_keys,
    item: objectJson(fieldsOf('null::text as name, null::text[] as allowed_origins')),
  }),
)

export type ApiKeyRow = {
  id: string
  name: string | null
  user_id: string
  organization_id: string | null
  mode: KeyMode
  secret_hash: Buffer
  last_four: string
  scopes: readonly KeyScope[]
  expires_at: string | null
  allowed_origins: readonly string[] | null
  rate_limited: boolean
}

const inserted = statement(
  'api-keys.insertApiKey',
  `insert into api_keys
     (id, name, user_id, organization_id, mode, secret_hash, last_four, scopes, expires_at, allowed_origins, created_by,
      created_at, rate_limited, open_to)
   values
     (:id, :name, :user_id, :organization_id, :mode, :secret_hash, :last_four, :scopes, :expires_at, :allowed_origins,
      :created_by, :real_now, :rate_limited,
      case when :organization_id::text is null and not :follows_memberships::boolean
           then array(select organization_id::text from memberships as membership
                       where membership.user_id = :user_id and membership.ended_at is null) end)`,
)

/** Adds a key. An unbound key reaches the current memberships of its owner, or also later ones. */
export const insertApiKey = (ctx: Ctx, key: ApiKeyRow, follows_memberships: boolean) =>
  inserted.rows(ctx, {
    ...key,
    scopes: [...key.scopes],
    allowed_origins: key.allowed_origins && [...key.allowed_origins],
    created_by: ctx.caller.user_id,
    follows_memberships,
  })

/** Locates a key. `organization_id` is null for an unbound key. */
export const locateApiKey = read(
  'api-keys.locateApiKey',
  `select key.id as api_key_id, key.organization_id from api_keys as key
    where key.id = :api_key_id and ${inReach('key.organization_id')}`,
).row<ApiKeyKey>

export type ApiKeyKey = { api_key_id: string; organization_id: string | null }

/** Locates a key that is not revoked. */
export const locateLiveApiKey = read(
  'api-keys.locateLiveApiKey',
  `select key.id as api_key_id, key.organization_id from api_keys as key
    where key.id = :api_key_id and key.revoked_at is null and ${inReach('key.organization_id')}`,
).row<ApiKeyKey>

/** The unrevoked key with this current or previous secret, and its owner. Undefined if not found. */
export const findBySecret = statement(
  'api-keys.findBySecret',
  `select id as api_key_id, organization_id, user_id from api_keys
    where (secret_hash = :secret_hash or former_secret_hash = :secret_hash) and revoked_at is null`,
).row<ApiKeyKey & { user_id: string }>

/** Revokes a key. Undefined if it was already revoked. */
export const saveRevocation = statement(
  'api-keys.saveRevocation',
  `update api_keys set revoked_at = :real_now, revoked_because = :revoked_because
    where id = :api_key_id and organization_id is not distinct from :organization_id and revoked_at is null
   returning id`,
).row<{ id: string }>

/** Gives a bound key a new secret. Undefined if the key is revoked. */
export const saveRotation = statement(
  'api-keys.saveRotation',
  `update api_keys
      set former_secret_hash = case when :former_secret_expires_at::timestamptz is not null then secret_hash end,
          former_secret_expires_at = :former_secret_expires_at, secret_hash = :secret_hash, last_four = :last_four,
          rotated_at = :real_now
    where id = :api_key_id and organization_id = :organization_id and revoked_at is null
   returning id`,
).row<{ id: string }>

/** Changes a bound key. Undefined if the key is revoked. */
export const saveChanges = statement(
  'api-keys.saveChanges',
  `update api_keys
      set name = coalesce(:name, name),
          allowed_origins = case when :changes_origins::boolean then :allowed_origins else allowed_origins end
    where id = :api_key_id and organization_id = :organization_id and revoked_at is null
   returning id`,
).row<{ id: string }>

/** The mode, scopes and expiry of a bound key. */
export const findTerms = statement(
  'api-keys.findTerms',
  `select mode, scopes, iso(expires_at) as expires_at from api_keys
    where id = :api_key_id and organization_id = :organization_id`,
).row<KeyTerms & { mode: KeyMode }>

/** Counts the unrevoked keys that are bound to an organization. */
export const countUnrevoked = statement(
  'api-keys.countUnrevoked',
  'select count(*) as count from api_keys where organization_id = :organization_id and revoked_at is null',
).value

const uses_saved = statement(
  'api-keys.saveUses',
  `with used as materialized (
     select key.id, use.used_at
       from unnest(:key_id::text[], :used_at::timestamptz[]) as use (id, used_at)
       join api_keys as key on key.id = use.id
      order by key.id for no key update of key skip locked)
   update api_keys as key
      set last_used_at = greatest(key.last_used_at, used.used_at)
     from used where key.id = used.id`,
)

export type KeyUse = { key_id: string; used_at: string }

export const saveUses = (db: Db, uses: KeyUse[]) => uses_saved.rows({ db }, columnsOf(uses, ['key_id', 'used_at']))

export const listOrigins = statement(
  'api-keys.listOrigins',
  `select distinct unnest(allowed_origins) as origin from api_keys
    where allowed_origins is not null and revoked_at is null`,
).column
