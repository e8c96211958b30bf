import { inReach, isOfCaller } from '../../../database/sql/reach.ts'
import type { OperatorRole } from '../../../runtime/caller.ts'
import type { OperatorCredential } from '../operators/rules.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Db } from '../../../database/query/database.ts'
import { rowPageJson, objectJson, pageList, pageValues } from '../../../database/sql/pages.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import type { ProviderIdentity } from '../../../integrations/sign-in/openid.ts'
import { isSessionAlive, listed_days, type GrantedRoles, type SessionTimes } from './rules.ts'
import type { SessionFilter } from './schemas.ts'

export type NewSession = {
  id: string
  secret_hash: Buffer
  user_id: string
  signed_in_with: 'openid' | 'sandbox'
  signed_in_at: string
  user_agent: string | null
  expires_at: string
}

export const insertSession = statement(
  'sessions.insertSession',
  `insert into sessions
     (id, secret_hash, user_id, signed_in_with, signed_in_at, user_agent, created_at, last_used_at, expires_at)
   values
     (:id, :secret_hash, :user_id, :signed_in_with, :signed_in_at, :user_agent, :real_now, :real_now, :expires_at)`,
).rows

const times = `
  iso(session.last_used_at) as last_used_at, iso(session.expires_at) as expires_at,
  iso(session.revoked_at) as revoked_at`

/** The session of a cookie, even if it has ended. */
export const findBySecret = statement(
  'sessions.findBySecret',
  `select session.id, session.user_id, ${times} from sessions as session where session.secret_hash = :secret_hash`,
).row<SessionRow>

export type SessionRow = SessionTimes & { id: string; user_id: string }

export const noteUse = statement(
  'sessions.noteUse',
  'update sessions set last_used_at = :real_now where id = :session_id and last_used_at < :real_now',
).rows

const operator_found = statement(
  'sessions.findOperatorOf',
  `select session.id as key_id, session.user_id, operator.role, iso(session.signed_in_at) as signed_in_at, ${times}
     from sessions as session join operators as operator on operator.user_id = session.user_id
    where session.id = :session_id and operator.ended_at is null`,
)

type OperatorSession = SessionTimes & OperatorCredential

/** The operator behind a session. Undefined if the session is not alive. */
export async function findOperatorOf(db: Db, session_id: string, now: string): Promise<OperatorSession | undefined> {
  const session = await operator_found.row<OperatorSession>({ db }, { session_id })
  return session && isSessionAlive(session, now) ? session : undefined
}

const reach_found = statement(
  'sessions.findReach',
  `select ${times},
          array(select operator.role from operators as operator
                 where operator.user_id = session.user_id and operator.ended_at is null
                 union all
                select membership.role from memberships as membership
                 where membership.user_id = session.user_id and membership.organization_id = :organization_id
                   and membership.ended_at is null) as roles
     from sessions as session where session.id = :session_id`,
)

type SessionReach = SessionTimes & { roles: string[] }

/** The roles in which the user of a live session reaches an organization. */
export async function findReach(
  db: Db,
  session_id: string,
  organization_id: string,
  now: string,
): Promise<SessionReach | undefined> {
  const session = await reach_found.row<SessionReach>({ db }, { session_id, organization_id })
  return session && isSessionAlive(session, now) ? session : undefined
}

const granted_roles_found = statement(
  'sessions.findGrantedRoles',
  `select json_build_object('id', account.id, 'name', account.name) as user, operator.role as operator_role,
          coalesce((
            select json_agg(json_build_object('id', organization.id, 'name', organization.name,
                                              'role', membership.role,
                                              'today', :today::date + organization.clock_offset_days)
                            order by membership.created_at, organization.id)
              from memberships as membership join organizations as organization
                   on organization.id = membership.organization_id
             where membership.user_id = account.id and membership.ended_at is null), '[]') as organizations,
          :today::date as today,
          case when operator.user_id is not null then :today::date + coalesce(
            (select max(clock_offset_days) from organizations where clock_offset_days > 0), 0) end as latest_today
     from users as account left join operators as operator
          on operator.user_id = account.id and operator.ended_at is null
    where account.id = :user_id`,
)

export const findGrantedRoles = async (ctx: Ctx, user_id: string): Promise<GrantedRoles> =>
  (await granted_roles_found.row<GrantedRoles>(ctx, { user_id }))!

const session_fields = `
  session.id, session.user_id, account.name as user_name, session.signed_in_with, session.user_agent,
  case when session.revoked_at is not null then 'revoked'
       when session.expires_at <= :real_now::timestamptz
         or session.last_used_at <= :real_now::timestamptz - interval '1 hour' then 'ended'
       else 'active' end as status,
  iso(session.created_at) as created_at, ${times}`

const pageOf = (tenant: string) =>
  rowPageJson({
    from: `sessions as session
      where session.created_at > :real_now::timestamptz - interval '${listed_days} days' and ${tenant}`,
    row: 'session',
    order: 'session.created_at desc, session.id desc',
    item: objectJson(session_fields),
    sources: 'join users as account on account.id = session.user_id',
  })

/** A page of the caller's own sessions, newest first. */
export const listOwnSessions = pageList('sessions.listOwn', pageOf(isOfCaller('session.user_id')))

const all_listed = readVariants('sessions.listAll', { of_user: [false, true] }, ({ of_user }) =>
  pageOf(`${of_user ? 'session.user_id = :user_id and ' : ''}${inReach('null::text')}`),
)

/** A page of all sessions, or of one user's sessions, newest first. */
export const listSessions = (ctx: ReadCtx, { user_id, ...page }: SessionFilter) =>
  all_listed({ of_user: user_id !== undefined }).json(ctx, { user_id: user_id ?? '', ...pageValues(page) })

const located = (condition: string) => `
  select session.id as session_id, session.user_id, null::text as organization_id,
         (operator.user_id is not null) as is_operators
    from sessions as session left join operators as operator
         on operator.user_id = session.user_id and operator.ended_at is null
   where session.id = :session_id and session.revoked_at is null and ${condition}`

/** Locates a session of the caller that is not revoked. */
export const locateOwnSession = read('sessions.locateOwn', located(isOfCaller('session.user_id'))).row<SessionPath>
/** Locates a session of any user that is not revoked. */
export const locateSession = read('sessions.locateSession', located(inReach('null::text'))).row<SessionPath>

export type SessionPath = { session_id: string; user_id: string; organization_id: null; is_operators: boolean }

/** Revokes a session. Undefined if it was already revoked. */
export const saveSessionRevocation = statement(
  'sessions.saveRevocation',
  'update sessions set revoked_at = :real_now where id = :session_id and revoked_at is null returning id',
).row

/** Ends the session of a cookie that the browser is about to replace, if there is one. */
export const saveFormerEnd = statement(
  'sessions.saveFormerEnd',
  `update sessions set revoked_at = :real_now
    where secret_hash = :secret_hash and revoked_at is null and expires_at > :real_now::timestamptz`,
).rows

export const findSession = statement(
  'sessions.findSession',
  `select row_to_json(shown)::text from (
     select ${session_fields} from sessions as session join users as account on account.id = session.user_id
      where session.id = :session_id) as shown`,
).json

const identity_found = statement(
  'sessions.findUserOfIdentity',
  'select user_id from user_identities where issuer = :issuer and subject = :subject',
)

export const findUserOfIdentity = async (
  ctx: Ctx,
  { issuer, subject }: ProviderIdentity,
): Promise<string | undefined> => (await identity_found.row<{ user_id: string }>(ctx, { issuer, subject }))?.user_id

export const insertIdentity = statement(
  'sessions.insertIdentity',
  `insert into user_identities (issuer, subject, user_id, created_at)
   values (:issuer, :subject, :user_id, :real_now)`,
).rows

/** The maximum number of users of a sandbox on the sign-in page. */
export const max_people = 30

/** The first users of a sandbox whose names contain a string. Without one, the first of all users. */
export const listPeople = statement(
  'sessions.listPeople',
  `select account.id, account.name, operator.role as operator_role,
          (select string_agg(organization.name || ', ' || lower(replace(membership.role, '_', ' ')), ' · '
                              order by membership.created_at)
             from memberships as membership join organizations as organization
                  on organization.id = membership.organization_id
            where membership.user_id = account.id and membership.ended_at is null) as memberships
     from users as account left join operators as operator
          on operator.user_id = account.id and operator.ended_at is null
    where account.id > '' and coalesce(position(lower(:search) in lower(account.name)) > 0, true)
    order by account.id limit ${max_people}`,
).rows<DemoPerson>

export const findUser = statement('sessions.findUser', 'select id from users where id = :user_id').row<{ id: string }>

export type DemoPerson = { id: string; name: string; operator_role: OperatorRole | null; memberships: string | null }

const forgotten = statement(
  'sessions.purgeSessions',
  `delete from sessions where id = any(array(
     select id from sessions where expires_at < :real_now::timestamptz - interval '${listed_days} days'
      order by expires_at limit 1000))
   returning id`,
)

/** Deletes a batch of sessions that ended long ago. Returns whether more may remain. */
export const purgeSessions = async (ctx: Ctx): Promise<boolean> => (await forgotten.rows(ctx)).length === 1000
