import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { scopes } from '../../../runtime/permissions.ts'
import type { Credential, SelfRow } from './rules.ts'

/**
 * SQL: the clock offsets of these organizations in days, as JSON by id, without those at zero. Null covers all
 * organizations.
 */
const clocksOf = (organization_ids: string) => `
  case when ${organization_ids} is null
       then (select json_object_agg(ahead.id, ahead.clock_offset_days)
               from organizations as ahead where ahead.clock_offset_days > 0)
       else (select json_object_agg(ahead.id, ahead.clock_offset_days)
               from organizations as ahead
              where ahead.clock_offset_days > 0 and ahead.id = any(${organization_ids})) end`

/**
 * SQL: a credential. A key reaches its owner's active memberships that it is open to, in organizations of its mode,
 * with the owner's role in each. If the organization it is bound to has `super_in`, the key reaches every organization
 * of its mode, with the owner's role in its own.
 */
const credentialFrom = (keys: string, expires_at: string, condition: string, signed_in_at = 'null::text') => `
  select key.id as key_id, key.user_id, key.rate_limited, key.mode, key.scopes, key.allowed_origins,
         iso(${expires_at}) as expires_at, ${signed_in_at} as signed_in_at, held.roles,
         case when home.super_in then held.roles ->> home.id end as super_role,
         reached.organization_ids, coalesce(${clocksOf('reached.organization_ids')}, '{}') as clocks
    from ${keys} as key left join organizations as home on home.id = key.organization_id
   cross join lateral (
  select coalesce(json_object_agg(membership.organization_id, membership.role), '{}') as roles,
         array_agg(membership.organization_id::text order by membership.organization_id) as organization_ids
    from memberships as membership join organizations as target on target.id = membership.organization_id
   where membership.user_id = key.user_id and membership.ended_at is null
     and (membership.organization_id = key.organization_id
          or key.organization_id is null
             and (key.open_to is null or membership.organization_id = any(key.open_to)
                  or membership.founded_by = key.id))
     and (key.mode is null or target.sandbox = (key.mode = 'test')) offset 0) as held
   cross join lateral (
  select case when home.super_in and held.organization_ids is not null
              then case when exists (select from organizations as other where other.sandbox = (key.mode = 'live'))
                        then array(select of_mode.id::text from organizations as of_mode
                                    where of_mode.sandbox = (key.mode = 'test') order by of_mode.id) end
              else coalesce(held.organization_ids, '{}') end as organization_ids offset 0) as reached
   where key.revoked_at is null and ${condition}`

/** The credential of a secret. It is valid until `expires_at`. */
export const findCredentialByHash = statement(
  'auth.findCredentialByHash',
  credentialFrom(
    'api_keys',
    `case when key.secret_hash = :secret_hash then key.expires_at
          else least(key.expires_at, key.former_secret_expires_at) end`,
    '(key.secret_hash = :secret_hash or key.former_secret_hash = :secret_hash)',
  ),
).row<Credential>

export const findCredential = statement(
  'auth.findCredential',
  credentialFrom('api_keys', 'key.expires_at', 'key.id = :key_id'),
).row<Credential>

/** The member behind a session in an organization, if the session is alive and the member still has that role. */
export const findMemberOf = statement(
  'auth.findMemberOf',
  credentialFrom(
    `(
    select session.id, session.user_id, membership.organization_id, true as rate_limited, session.revoked_at,
           null::text as mode, '{${scopes.join(',')}}'::text[] as scopes, null::text[] as allowed_origins,
           null::text[] as open_to, session.expires_at, session.signed_in_at
      from sessions as session join memberships as membership on membership.user_id = session.user_id
     where session.id = :session_id and session.expires_at > :at::timestamptz
       and membership.organization_id = :organization_id and membership.role = :role
       and membership.ended_at is null)`,
    'key.expires_at',
    'true',
    'iso(key.signed_in_at)',
  ),
).row<Credential>

/** The clock of an organization. Undefined if the organization does not exist. */
export const findClock = statement(
  'auth.findClock',
  'select id, clock_offset_days from organizations where id = :organization_id',
).row<{ id: string; clock_offset_days: number }>

export const organizationExists = statement(
  'auth.organizationExists',
  'select 1 as found from organizations where id = :organization_id',
).exists

export type EmployerKey = { employer_id: string; organization_id: string }

const this_employer = `employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')}`

/** SQL: the `target` of a list: the employer of the path, within reach. */
export const target_employer = `
  select employer.id, employer.organization_id from employers as employer where ${this_employer}`

export const locateEmployer = read(
  'auth.locateEmployer',
  `select employer.id as employer_id, employer.organization_id from employers as employer where ${this_employer}`,
).row<EmployerKey>

const this_employee = `
  employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`

/** SQL: the `target` of a list: the employee of the path, within reach. */
export const target_employee = `
  select employee.id, employee.organization_id, employee.member_id from employees as employee where ${this_employee}`

export const locateEmployee = read(
  'auth.locateEmployee',
  `select employee.id as employee_id, employee.employer_id, employee.organization_id, employee.member_id
     from employees as employee where ${this_employee}`,
).row<EmployeeKey>

/** The ids of an employment: employee, employer, organization and member. */
export type EmployeeKey = EmployerKey & { employee_id: string; member_id: string }

const self_found = read(
  'auth.findSelf',
  `select key.name as key_name, key.last_four, owner.name as user_name, owner.email as user_email,
          target.name as organization_name, target.sandbox, target.accent_color, target.display_names
     from (select 1) as caller left join users as owner on owner.id = :caller_user_id
     left join api_keys as key on key.id = :key_id
     left join organizations as target
       on target.id = :organization_id and ${inReach('target.id', ':reach_employer_id', ':reach_employee_id')}`,
)

/** The names behind the caller's credential. */
export const findSelf = (ctx: ReadCtx, organization_id: string | null) =>
  self_found.row<SelfRow>(ctx, { key_id: ctx.caller.key_id, organization_id })
