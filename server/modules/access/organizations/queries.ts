import type { Ctx, DailyProgress, HasDailyWork, ReadCtx } from '../../../runtime/ctx.ts'
import { inReach, isOfCaller } from '../../../database/sql/reach.ts'
import { easternDay, type Day } from '../../../kernel/days.ts'
import { counter_slot } from '../../../database/sql/fragments.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { IdentityProvider } from '../../../integrations/identity/provider.ts'
import { jobsOf } from '../../../jobs/enqueue.ts'
import { offsetOf, type Page } from '../../../kernel/pages.ts'
import type { Role } from '../../../runtime/permissions.ts'

const calendarDay = (ctx: ReadCtx): Day => easternDay(Date.parse(ctx.real_now))

const organizationFields = `
  organization.id, organization.name, organization.type, organization.idp_org_id, organization.idp_provider,
  organization.super_in`

export const findOrganization = statement(
  'organizations.findOrganization',
  `select row_to_json(shown)::text
     from (select ${organizationFields} from organizations as organization where id = :organization_id) as shown`,
).json

const organizations_listed = read(
  'organizations.listOrganizations',
  `with mine as materialized (
     select organization_id, role, row_number() over (order by created_at, organization_id) as position
       from memberships
      where ${isOfCaller('user_id')} and organization_id = any(:caller_organization_ids::text[]) and ended_at is null
   ), listed as (
     select mine.position, (select row_to_json(shown) from (select ${organizationFields}, mine.role) as shown) as item
       from mine join organizations as organization on organization.id = mine.organization_id
      order by mine.position limit :limit::bigint offset :offset::bigint
   )
   select '{"organizations":[' || coalesce((select string_agg(item::text, ',' order by position) from listed), '')
       || '],"total":' || (select count(*) from mine) || '}' as json`,
)

/**
 * The organizations of which the caller is an active member and which its key reaches, oldest membership first. Returns
 * all of them without a page.
 */
export const listOrganizations = (ctx: ReadCtx, page: Page | undefined) =>
  organizations_listed.json(ctx, { limit: page?.limit ?? null, offset: page ? offsetOf(page) : null })

const members_listed = targetList('organizations.listOrganizationMembers', {
  target: `select organization.id from organizations as organization
            where organization.id = :organization_id and ${inReach('organization.id')}`,
  from: `(select membership.user_id, membership.role, account.name, account.email
            from memberships as membership join users as account on account.id = membership.user_id
           where membership.organization_id = :organization_id and membership.ended_at is null) as member`,
  row: 'member',
  order: 'member.name, member.user_id',
  item: `json_build_object('user_id', member.user_id, 'name', member.name, 'email', member.email, 'role', member.role)`,
})

/** A page of the current members of an organization by name. */
export const listOrganizationMembers = (ctx: ReadCtx, organization_id: string, page: Page) =>
  members_listed(ctx, { organization_id }, page)

export type OrganizationRow = {
  id: string
  name: string
  type: string | null
  idp_provider: IdentityProvider['name']
  idp_org_id: string | null
  super_in: boolean
  sandbox: boolean
}

const organization_inserted = statement(
  'organizations.insertOrganization',
  `insert into organizations
     (id, name, type, idp_provider, idp_org_id, super_in, sandbox, created_at, updated_at, daily_run_on)
   values (:id, :name, :type, :idp_provider, :idp_org_id, :super_in, :sandbox, :now, :now, :daily_run_on)`,
)

/** Adds an organization. Its daily runs start today. */
export const insertOrganization = (ctx: Ctx, organization: OrganizationRow) =>
  organization_inserted.rows(ctx, { ...organization, daily_run_on: calendarDay(ctx) })

/** An organization that the external identity provider has not confirmed. Undefined if it is confirmed. */
export const findUnmirrored = statement(
  'organizations.findUnmirrored',
  `select id, name from organizations
    where id = :organization_id and idp_provider = 'external_idp' and idp_org_id is null`,
).row<{ id: string; name: string }>

export const saveIdpOrgId = statement(
  'organizations.saveIdpOrgId',
  `update organizations set idp_org_id = :idp_org_id, updated_at = :now
    where id = :organization_id and idp_org_id is null`,
).rows

export const saveDisplayNames = statement(
  'organizations.saveDisplayNames',
  'update organizations set display_names = :display_names, updated_at = :now where id = :organization_id',
).rows

export const saveBranding = statement(
  'organizations.saveBranding',
  'update organizations set accent_color = :accent_color, updated_at = :now where id = :organization_id',
).rows

export const insertUser = statement(
  'organizations.insertUser',
  'insert into users (id, name, email, created_at) values (:id, :name, :email, :now)',
).rows

export const findUser = statement(
  'organizations.findUser',
  `select row_to_json(shown)::text
     from (select id, name, email, iso(created_at) as created_at from users where id = :user_id) as shown`,
).json

/** Locks a user, to serialize decisions about the memberships. Undefined if the user does not exist. */
export const lockUser = statement(
  'organizations.lockUser',
  'select id from users where id = :user_id for no key update',
).row<{ id: string }>

/**
 * The organizations of which a user is an active member. Read after locking the user, to include concurrent changes.
 */
export const listOrganizationsOf = statement(
  'organizations.listOrganizationsOf',
  'select organization_id from memberships where user_id = :user_id and ended_at is null',
).column

export type Membership = { organization_id: string; user_id: string; role: Role }

const membership_inserted = statement(
  'organizations.insertMembership',
  `insert into memberships (organization_id, user_id, role, created_at, founded_by)
   values (:organization_id, :user_id, :role, :real_now, :founded_by)`,
)

/**
 * Adds a membership. `founded_by` is the key with which the member created the organization, and which therefore
 * reaches it.
 */
export const insertMembership = (ctx: Ctx, membership: Membership & { founded_by?: string | null }) =>
  membership_inserted.rows(ctx, { founded_by: null, ...membership })

/** Makes a user a member, again if an earlier membership ended. Undefined if the user is already a member. */
export const saveMembership = statement(
  'organizations.saveMembership',
  `insert into memberships as membership (organization_id, user_id, role, created_at)
   values (:organization_id, :user_id, :role, :real_now)
   on conflict (organization_id, user_id) do update
     set role = excluded.role, created_at = excluded.created_at, ended_at = null, founded_by = null
   where membership.ended_at is not null
   returning organization_id, user_id, role`,
).row<Membership>

const unidentified_found = statement(
  'organizations.findUnidentified',
  `select membership.user_id from memberships as membership join users as account on account.id = membership.user_id
    where membership.organization_id = :organization_id and membership.ended_at is null
      and lower(account.email) = lower(:email)
      and not exists (select from user_identities as identity where identity.user_id = membership.user_id)
    order by membership.created_at, membership.user_id limit 1`,
)

/** A member with this email address who never signed in at the identity provider. */
export const findUnidentifiedMember = async (
  ctx: Ctx,
  organization_id: string,
  email: string,
): Promise<string | undefined> =>
  (await unidentified_found.row<{ user_id: string }>(ctx, { organization_id, email }))?.user_id

/** Ends a membership. Undefined if there is no active one. */
export const saveMembershipEnd = statement(
  'organizations.saveMembershipEnd',
  `update memberships set ended_at = :real_now
    where organization_id = :organization_id and user_id = :user_id and ended_at is null
   returning organization_id, user_id, role`,
).row<Membership>

/** Whether a user is an active member of an organization. */
export const isMember = statement(
  'organizations.isMember',
  `select 1 as found from memberships
    where organization_id = :organization_id and user_id = :user_id and ended_at is null`,
).exists

/**
 * The clock and daily runs of an organization. `clock_offset_days`: days ahead of the calendar. `daily_run_on`: the
 * last completed day; null if none. `daily_run_progress`: progress of the day after it.
 */
export type OrganizationState = {
  id: string
  sandbox: boolean
  clock_offset_days: number
  daily_run_on: Day | null
  daily_run_progress: DailyProgress | null
}

/**
 * The state of an organization. Callers that depend on it lock the organization first. Undefined if it does not exist.
 */
export const findOrganizationState = statement(
  'organizations.findOrganizationState',
  `select id, sandbox, clock_offset_days, daily_run_on, daily_run_progress
     from organizations where id = :organization_id`,
).row<OrganizationState>

export const addToEmployerCount = statement(
  'organizations.addToEmployerCount',
  `insert into organization_counts as counted (organization_id, slot, employer_count)
   values (:organization_id, ${counter_slot}, 1)
   on conflict (organization_id, slot) do update set employer_count = counted.employer_count + 1`,
).rows

/** Adds new people to the member count of an organization. */
export const addToMemberCount = statement(
  'organizations.addToMemberCount',
  `insert into organization_counts as counted (organization_id, slot, member_count)
   values (:organization_id, ${counter_slot}, :added)
   on conflict (organization_id, slot) do update set member_count = counted.member_count + :added`,
).rows

export const locateOrganization = read(
  'organizations.locateOrganization',
  `select id as organization_id from organizations where id = :organization_id and ${inReach('id')}`,
).row<{ organization_id: string }>

const clock_found = read(
  'organizations.findOrganizationClock',
  `select row_to_json(shown)::text
     from (select id as organization_id, :calendar_day::date + clock_offset_days as today, clock_offset_days,
                  exists (${jobsOf(':organization_id')}) as has_pending_work
             from organizations where id = :organization_id and ${inReach('id')}) as shown`,
)

export const findOrganizationClock = (ctx: ReadCtx, organization_id: string) =>
  clock_found.json(ctx, { organization_id, calendar_day: calendarDay(ctx) })

/** How many organizations one query returns for daily runs. */
const batch = 1000

/**
 * The next organizations, by id, whose last completed day is before their today. The query finds them by their runs and
 * clocks before sorting; otherwise PostgreSQL would scan all organizations in the order of the id index.
 */
export const listToRun = statement(
  'organizations.listToRun',
  `with due as materialized (
     select id from organizations where daily_run_on < :calendar_day::date
      union select id from organizations where daily_run_on is null
      union select id from organizations
             where clock_offset_days > 0 and daily_run_on < :calendar_day::date + clock_offset_days)
   select id from due where id > :after order by id limit ${batch}`,
).column

/** SQL: today at a row `organization`, if it is `:calendar_day` by the calendar. */
const present_day = '(:calendar_day::date + organization.clock_offset_days)'

const days_passed = statement(
  'organizations.savePassedDays',
  'update organizations set daily_run_on = daily_run_on + 1 where id = any(:organization_ids::text[])',
)

/**
 * Marks the next day as run for these locked organizations, if they have reached it and have no work on it. Returns the
 * ids of the marked ones.
 */
export type SavePassed = (ctx: Ctx, organization_ids: string[]) => Promise<string[]>

/** SQL: a condition of a row `organization`, for the organization of a parameter. */
const ofParameter = (condition: string) => condition.replaceAll(/\borganization\.id\b/g, ':organization_id')

/** `hasDailyRun`: SQL, whether any module has work for a row `organization` on `daily_run.day`. */
export function savePassedBy(hasDailyRun: string): SavePassed {
  const passes = `daily_run.day <= ${present_day} and organization.daily_run_progress is null and not (${hasDailyRun})`
  const passed = statement(
    'organizations.savePassed',
    `update organizations as organization set daily_run_on = daily_run.day
       from (select id, daily_run_on + 1 as day
               from organizations where id = any(:organization_ids::text[])) as daily_run
      where organization.id = daily_run.id and ${passes}
     returning organization.id`,
  )
  const passed_saved = statement(
    'organizations.passesDay',
    `select 1 as passes from organizations as organization
       cross join lateral (select organization.daily_run_on + 1 as day) as daily_run
      where organization.id = :organization_id and ${ofParameter(passes)}`,
  )
  return async (ctx, organization_ids) => {
    const calendar_day = calendarDay(ctx)
    if (!ctx.db.distribution) {
      return passed.column(ctx, { organization_ids, calendar_day })
    }
    const passing: string[] = []
    for (const organization_id of organization_ids)
      if (await passed_saved.row(ctx, { organization_id, calendar_day })) passing.push(organization_id)
    if (passing.length > 0) await days_passed.rows(ctx, { organization_ids: passing })
    return passing
  }
}

/** `hasDailyRun`: see `savePassedBy`. Returns a query for whether an organization may have work on `ctx.today`. */
export function hasWorkBy(hasDailyRun: string): HasDailyWork {
  const work_found = statement(
    'organizations.hasDailyWork',
    `select 1 as found from organizations as organization
       cross join lateral (select :day::date as day) as daily_run
      where organization.id = :organization_id and (${ofParameter(hasDailyRun)})`,
  )
  return (ctx, organization_id) => work_found.exists(ctx, { organization_id, day: ctx.today })
}

const overdue = statement(
  'organizations.listOverdue',
  `select id from organizations as organization
    where id = any(:organization_ids::text[]) and coalesce(daily_run_on < ${present_day}, true) order by id`,
)

/** Those of these organizations whose last completed day is before their today. */
export const listOverdue = (ctx: Ctx, organization_ids: string[]): Promise<string[]> =>
  overdue.column(ctx, { organization_ids, calendar_day: calendarDay(ctx) })

/** SQL: whether to request the mirror of an organization at the external identity provider again. */
export const hasMirrorToRequest = `(organization.idp_provider = 'external_idp' and organization.idp_org_id is null)`

const progress_saved = statement(
  'organizations.saveDailyRunProgress',
  `update organizations set daily_run_on = greatest(daily_run_on, :day::date - 1), daily_run_progress = :progress
    where id = :organization_id`,
)

export const saveDailyRunProgress = (ctx: Ctx, organization_id: string, day: Day, progress: DailyProgress) =>
  progress_saved.rows(ctx, { organization_id, day, progress: JSON.stringify(progress) })

/** Saves the last completed day of an organization and its clock offset. */
export const saveDailyRun = statement(
  'organizations.saveDailyRun',
  `update organizations
      set daily_run_on = greatest(daily_run_on, :daily_run_on::date), daily_run_progress = null,
          clock_offset_days = :clock_offset_days
    where id = :organization_id`,
).rows
