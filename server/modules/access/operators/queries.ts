import { inReach, isOfCaller } from '../../../database/sql/reach.ts'
import type { OperatorRole } from '../../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { rowPageJson, objectJson, pageList, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { OperatorCredential } from './rules.ts'
import type { OperatorFilter } from './schemas.ts'

// Operators belong to no organization, so only callers that reach every organization can read them.
const in_reach = inReach('null::text')

const credential = `
  select key.id as key_id, key.user_id, operator.role, iso(key.expires_at) as expires_at, null::text as signed_in_at
    from operator_keys as key join operators as operator on operator.user_id = key.user_id
   where operator.ended_at is null and key.revoked_at is null`

/**
 * The operator key with this hash, even if expired. Undefined if it is revoked or its holder is no longer an operator.
 */
export const findByKeyHash = statement('operators.findByKeyHash', `${credential} and key.secret_hash = :secret_hash`)
  .row<OperatorCredential>

export const findByKeyId = statement('operators.findByKeyId', `${credential} and key.id = :key_id`)
  .row<OperatorCredential>

/** Whether the installation has an owner. The last owner cannot be removed. */
export const hasOwner = statement(
  'operators.findAnyOwner',
  `select 1 as found from operators where role = 'owner' limit 1`,
).exists

/** Serializes the creation of the first owner. */
export const lockBootstrap = statement(
  'operators.lockBootstrap',
  `select pg_advisory_xact_lock(hashtext('the first owner'))::text as locked`,
).rows

const operator_fields = `
  account.id, account.name, account.email, operator.role, iso(operator.created_at) as created_at,
  iso(operator.ended_at) as ended_at`

const operators_listed = readVariants('operators.listOperators', { ended: [false, true] }, ({ ended }) => {
  return rowPageJson({
    from: `operators as operator where ${ended ? 'true' : 'operator.ended_at is null'} and ${in_reach}`,
    row: 'operator',
    order: 'operator.created_at, operator.user_id',
    item: objectJson(operator_fields),
    sources: 'join users as account on account.id = operator.user_id',
  })
})

/** A page of operators, oldest first. */
export const listOperators = (ctx: ReadCtx, { include_ended, ...page }: OperatorFilter) =>
  operators_listed({ ended: include_ended }).json(ctx, pageValues(page))

export const findOperator = statement(
  'operators.findOperator',
  `select row_to_json(shown)::text from (
     select ${operator_fields} from operators as operator join users as account on account.id = operator.user_id
      where operator.user_id = :operator_id) as shown`,
).json

export const locateOperator = read(
  'operators.locateOperator',
  `select operator.user_id as operator_id, null::text as organization_id, operator.role from operators as operator
    where operator.user_id = :operator_id and operator.ended_at is null and ${in_reach}`,
).row<OperatorPath>

export type OperatorPath = { operator_id: string; organization_id: null; role: OperatorRole }

export const insertOperator = statement(
  'operators.insertOperator',
  'insert into operators (user_id, role, created_at) values (:operator_id, :role, :real_now)',
).rows

/** Makes a user an operator. An existing operator keeps the current role. */
export const saveOperatorRole = statement(
  'operators.saveOperatorRole',
  `insert into operators as operator (user_id, role, created_at) values (:operator_id, :role, :real_now)
   on conflict (user_id) do update set role = excluded.role, created_at = excluded.created_at, ended_at = null
    where operator.ended_at is not null`,
).rows

const unidentified_found = statement(
  'operators.findUnidentified',
  `select operator.user_id from operators as operator join users as account on account.id = operator.user_id
    where operator.ended_at is null and lower(account.email) = lower(:email)
      and not exists (select from user_identities as identity where identity.user_id = operator.user_id)
    order by operator.created_at, operator.user_id limit 1`,
)

/** An operator with this email address who never signed in at the identity provider. */
export const findUnidentifiedOperator = async (ctx: Ctx, email: string): Promise<string | undefined> =>
  (await unidentified_found.row<{ user_id: string }>(ctx, { email }))?.user_id

/** Locks and returns the owners, so that only one transaction at a time can remove an owner. */
export const lockOwners = statement(
  'operators.lockOwners',
  `select user_id from operators where role = 'owner' and ended_at is null order by user_id for no key update`,
).column

/** Changes the role of an operator. Undefined if the user is no longer an operator. */
export const saveRole = statement(
  'operators.saveRole',
  'update operators set role = :role where user_id = :operator_id and ended_at is null returning user_id',
).row

/** Ends the role of an operator. Undefined if the user was not an operator. */
export const saveEnd = statement(
  'operators.saveEnd',
  `update operators set ended_at = :real_now where user_id = :operator_id and ended_at is null returning user_id`,
).row

export const revokeKeys = statement(
  'operators.revokeKeys',
  'update operator_keys set revoked_at = :real_now where user_id = :operator_id and revoked_at is null',
).rows

const key_fields = `
  key.id, key.user_id as operator_id, key.name, key.last_four, key.created_by, iso(key.created_at) as created_at,
  iso(key.last_used_at) as last_used_at, iso(key.expires_at) as expires_at, iso(key.revoked_at) as revoked_at`

/** A page of the keys of an operator, newest first. */
export const listOperatorKeys = pageList(
  'operators.listOperatorKeys',
  rowPageJson({
    from: `operator_keys as key where key.user_id = :operator_id and ${in_reach}`,
    row: 'key',
    order: 'key.created_at desc, key.id desc',
    item: objectJson(key_fields),
  }),
)

/** Locates an operator key that is not revoked. */
export const locateOperatorKey = read(
  'operators.locateOperatorKey',
  `select key.id as operator_key_id, key.user_id as operator_id, null::text as organization_id
     from operator_keys as key
    where key.id = :operator_key_id and key.user_id = :operator_id and key.revoked_at is null and ${in_reach}`,
).row<OperatorKeyPath>

export type OperatorKeyPath = { operator_key_id: string; operator_id: string; organization_id: null }

export const insertOperatorKey = statement(
  'operators.insertOperatorKey',
  `insert into operator_keys (id, user_id, name, secret_hash, last_four, created_by, created_at, expires_at)
   values (:id, :user_id, :name, :secret_hash, :last_four, :created_by, :real_now, :expires_at)`,
).rows

/** Revokes a key. Undefined if it was already revoked. */
export const saveKeyRevocation = statement(
  'operators.saveKeyRevocation',
  `update operator_keys set revoked_at = :real_now where id = :operator_key_id and revoked_at is null returning id`,
).row

const uses_saved = statement(
  'operators.saveKeyUses',
  `with used as materialized (
     select key.id, use.used_at from unnest(:key_ids::text[], :used_at::timestamptz[]) as use (id, used_at)
       join operator_keys as key on key.id = use.id
      order by key.id for no key update of key skip locked)
   update operator_keys as key set last_used_at = greatest(key.last_used_at, used.used_at)
     from used where key.id = used.id`,
)

export const saveKeyUses = (db: Db, uses: { key_id: string; used_at: string }[]) =>
  uses_saved.rows({ db }, { key_ids: uses.map(({ key_id }) => key_id), used_at: uses.map(({ used_at }) => used_at) })

const self_found = read(
  'operators.findSelf',
  `select row_to_json(shown)::text from (
     select json_build_object('id', account.id, 'name', account.name, 'email', account.email) as user, operator.role,
            (select row_to_json(used) from (select key.id, key.name, key.last_four) as used where key.id is not null)
              as operator_key,
            iso(:signed_in_at::timestamptz) as signed_in_at, iso(:expires_at::timestamptz) as expires_at
       from operators as operator join users as account on account.id = operator.user_id
       left join operator_keys as key on key.id = :key_id and key.user_id = operator.user_id
      where ${isOfCaller('operator.user_id')}) as shown`,
)

/** The OperatorCredential of the caller as JSON. */
export const findOperatorSelf = (ctx: ReadCtx) => {
  const { key_id, signed_in_at, expires_at } = ctx.caller
  return self_found.json(ctx, { key_id, signed_in_at, expires_at })
}

export const findOperatorKey = statement(
  'operators.findOperatorKey',
  `select row_to_json(shown)::text
     from (select ${key_fields} from operator_keys as key where key.id = :operator_key_id) as shown`,
).json
