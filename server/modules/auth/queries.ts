import { inReach } from '../../platform/caller.ts'
import type { Ctx, ReadCtx } from '../../platform/ctx.ts'
import type { Db } from '../../platform/database/database.ts'
import { read, statement } from '../../platform/database/statement.ts'
import type { Credential } from './rules.ts'

/** SQL: which of these organizations live how many days ahead, as JSON; null: of all there are. */
const clocksOf = (organization_ids: string) => `
  case when ${organization_ids} is null
       then (select json_object_agg(ahead.id, ahead.clock_offset_days)
               from organizations as ahead where ahead.clock_offset_days > 0)
       else (select json_object_agg(ahead.id, ahead.clock_offset_days)
               from organizations as ahead
              where ahead.clock_offset_days > 0 and ahead.id = any(${organization_ids})) end`

/**
 * A key reaches its owner's active memberships, or the one it is bound to, in the owner's role of each; if that
 * organization has `super_in`, it reaches all, in the role of its owner there.
 */
const credentialOf = (keys: string) => `
  select key.id as key_id, key.user_id, key.rate_limited, held.roles,
         case when home.super_in then held.roles ->> home.id end as super_role,
         reached.organization_ids, coalesce(${clocksOf('reached.organization_ids')}, '{}') as clocks
    from ${keys} as key left join organizations as home on home.id = key.organization_id
   cross join lateral (
  select coalesce(json_object_agg(membership.organization_id, membership.role), '{}') as roles,
         array_agg(membership.organization_id::text order by membership.organization_id) as organization_ids
    from memberships as membership
   where membership.user_id = key.user_id and membership.ended_at is null
     and (key.organization_id is null or membership.organization_id = key.organization_id) offset 0) as held
   cross join lateral (
  select case when home.super_in and held.organization_ids is not null then null
              else coalesce(held.organization_ids, '{}') end as organization_ids offset 0) as reached
   where key.revoked_at is null`

const credential = credentialOf('api_keys')

const found_by_hash = statement('auth.findCredentialByHash', `${credential} and key.secret_hash = :secret_hash`)

export const findCredentialByHash = (db: Db, secret_hash: Buffer) =>
  found_by_hash.row<Credential>({ db }, { secret_hash })

const found = statement('auth.findCredential', `${credential} and key.id = :key_id`)

export const findCredential = (db: Db, key_id: string) => found.row<Credential>({ db }, { key_id })

const of_session_found = statement(
  'auth.findMemberOf',
  credentialOf(`(
    select session.id, session.user_id, membership.organization_id, true as rate_limited, session.revoked_at
      from sessions as session join memberships as membership on membership.user_id = session.user_id
     where session.id = :session_id and session.expires_at > :at::timestamptz
       and membership.organization_id = :organization_id and membership.role = :role
       and membership.ended_at is null)`),
)

/** The member of an organization that a session is of, while it is alive and they have that role there. */
export const findMemberOf = (db: Db, of: { session_id: string; organization_id: string; role: string; at: string }) =>
  of_session_found.row<Credential>({ db }, of)

const organization_found = statement(
  'auth.organizationExists',
  'select 1 as found from organizations where id = :organization_id',
)

export async function organizationExists(db: Db, organization_id: string): Promise<boolean> {
  return (await organization_found.row({ db }, { organization_id })) !== undefined
}

/** An employer and its organization. */
export type EmployerKey = { employer_id: string; organization_id: string }

const employer_located = read(
  'auth.locateEmployer',
  `select employer.id as employer_id, employer.organization_id from employers as employer
    where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`,
)

/** An employer within reach. */
export const locateEmployer = (ctx: ReadCtx, { employer_id }: { employer_id: string }) =>
  employer_located.row<EmployerKey>(ctx, { employer_id })

const employee_located = read(
  'auth.locateEmployee',
  `select employee.id as employee_id, employee.employer_id, employee.organization_id, employee.member_id
     from employees as employee
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
)

/** An employment: where it is, and whose. */
export type EmployeeKey = EmployerKey & { employee_id: string; member_id: string }

/** An employee within reach. */
export const locateEmployee = (ctx: ReadCtx, { employee_id }: { employee_id: string }) =>
  employee_located.row<EmployeeKey>(ctx, { employee_id })

export type NewApiKey = {
  id: string
  user_id: string
  organization_id: string | null
  secret_hash: Buffer
  rate_limited: boolean
}

const inserted = statement(
  'auth.insertApiKey',
  `insert into api_keys (id, user_id, organization_id, secret_hash, rate_limited, created_at)
   values (:id, :user_id, :organization_id, :secret_hash, :rate_limited, :real_now)`,
)

export const insertApiKey = (ctx: Ctx, key: NewApiKey) => inserted.rows(ctx, key)

const located = read(
  'auth.locateApiKey',
  `select key.id as api_key_id, key.organization_id from api_keys as key
    where key.id = :api_key_id and key.revoked_at is null and ${inReach('key.organization_id')}`,
)

export type ApiKeyKey = { api_key_id: string; organization_id: string | null }

/**
 * A key, with the organization that it is bound to, null for an unbound key; undefined when there is none or it is
 * revoked.
 */
export const locateApiKey = (ctx: ReadCtx, { api_key_id }: { api_key_id: string }) =>
  located.row<ApiKeyKey>(ctx, { api_key_id })

const revoked = statement(
  'auth.saveRevocation',
  'update api_keys set revoked_at = :real_now where id = :key_id and revoked_at is null returning id',
)

/** Revokes a key that is not revoked yet; undefined when there is none. */
export const saveRevocation = (ctx: Ctx, key_id: string) => revoked.row<{ id: string }>(ctx, { key_id })
