import type { Ctx, DailyProgress, ReadCtx, WriteScope } from '../../../runtime/ctx.ts'
import { inReach, ofCaller } from '../../../database/sql/reach.ts'
import { easternDay, type Day } from '../../../kernel/days.ts'
import type { Db } from '../../../database/query/database.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { IdentityProvider } from '../../../integrations/identity/provider.ts'
import { jobsOf } from '../../../jobs/enqueue.ts'
import { offsetOf, type Page } from '../../../kernel/pages.ts'
import type { Role } from '../../../runtime/permissions.ts'

const calendarDay = (ctx: ReadCtx): Day => easternDay(Date.parse(ctx.real_now))

/** SQL: the fields of an Organization. */
const organizationFields = `
  organization.id, organization.name, organization.type, organization.idp_org_id, organization.idp_provider,
  organization.super_in`

const organization_found = statement(
  'organizations.findOrganization',
  `select row_to_json(shown)::text
     from (select ${organizationFields} from organizations as organization where id = :organization_id) as shown`,
)

/** The Organization as JSON, ready to be sent. */
export const findOrganization = (ctx: Ctx, organization_id: string) => organization_found.json(ctx, { organization_id })

const organizations_listed = read(
  'organizations.listOrganizations',
  `with mine as materialized (
     select organization_id, role, row_number() over (order by created_at, organization_id) as position
       from memberships
      where ${ofCaller('user_id')} and organization_id = any(:caller_organization_ids::text[]) and ended_at is null
   ), listed as (
     select mine.position, (select row_to_json(shown) from (select ${organizationFields}, mine.role) as shown) as item
       from mine join organizations as organization on organization.id = mine.organization_id
      order by mine.position limit :limit::bigint offset :offset::bigint
   )
   select '{"organizations":[' || coalesce((select string_agg(item::text, ',' order by position) from listed), '')
       || '],"total":' || (select count(*) from mine) || '}' as json`,
)

/**
 * The organizations of which the caller is an active member and to which its key is open, oldest membership first; all
 * of them without a page.
 */
export const listOrganizations = (ctx: ReadCtx, page: Page | undefined) =>
  organizations_listed.json(ctx, { limit: page?.limit ?? null, offset: page ? offsetOf(page) : null })

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

/** Adds an organization, for which nothing that was before today is to be run. */
export const insertOrganization = (ctx: Ctx, organization: OrganizationRow) =>
  organization_inserted.rows(ctx, { ...organization, daily_run_on: calendarDay(ctx) })

const unmirrored = statement(
  'organizations.findUnmirrored',
  `select id, name from organizations
    where id = :organization_id and idp_provider = 'external_idp' and idp_org_id is null`,
)

/** An organization that the outside identity provider has not confirmed yet; undefined when it has. */
export const findUnmirrored = (ctx: Ctx, organization_id: string) =>
  unmirrored.row<{ id: string; name: string }>(ctx, { organization_id })

const idp_org_id_saved = statement(
  'organizations.saveIdpOrgId',
  `update organizations set idp_org_id = :idp_org_id, updated_at = :now
    where id = :organization_id and idp_org_id is null`,
)

export const saveIdpOrgId = (ctx: Ctx, organization_id: string, idp_org_id: string) =>
  idp_org_id_saved.rows(ctx, { organization_id, idp_org_id })

const branding_saved = statement(
  'organizations.saveBranding',
  'update organizations set accent_color = :accent_color, updated_at = :now where id = :organization_id',
)

export const saveBranding = (ctx: Ctx, organization_id: string, accent_color: string | null) =>
  branding_saved.rows(ctx, { organization_id, accent_color })

const user_inserted = statement(
  'organizations.insertUser',
  'insert into users (id, name, email, created_at) values (:id, :name, :email, :now)',
)

export const insertUser = (ctx: WriteScope, user: { id: string; name: string; email: string | null }) =>
  user_inserted.rows(ctx, user)

const user_found = statement(
  'organizations.findUser',
  `select row_to_json(shown)::text
     from (select id, name, email, iso(created_at) as created_at from users where id = :user_id) as shown`,
)

/** The User as JSON, ready to be sent. */
export const findUser = (ctx: Ctx, user_id: string) => user_found.json(ctx, { user_id })

const user_locked = statement('organizations.lockUser', 'select id from users where id = :user_id for no key update')

/** Locks a user, so that one writer at a time decides about their memberships; undefined when there is none. */
export const lockUser = (ctx: Ctx, user_id: string) => user_locked.row<{ id: string }>(ctx, { user_id })

const organizations_of_user = statement(
  'organizations.listOrganizationsOf',
  'select organization_id from memberships where user_id = :user_id and ended_at is null',
)

/** The organizations that a user is an active member of. Asked after the lock, to see what it waited for. */
export async function listOrganizationsOf(ctx: Ctx, user_id: string): Promise<string[]> {
  const rows = await organizations_of_user.rows<{ organization_id: string }>(ctx, { user_id })
  return rows.map(({ organization_id }) => organization_id)
}

export type Membership = { organization_id: string; user_id: string; role: Role }

const membership_inserted = statement(
  'organizations.insertMembership',
  `insert into memberships (organization_id, user_id, role, created_at, founded_by)
   values (:organization_id, :user_id, :role, :real_now, :founded_by)`,
)

/** Adds a membership; `founded_by`: the key by which the member made the organization, and which reaches it. */
export const insertMembership = (ctx: Ctx, membership: Membership & { founded_by?: string | null }) =>
  membership_inserted.rows(ctx, { founded_by: null, ...membership })

const membership_saved = statement(
  'organizations.saveMembership',
  `insert into memberships as membership (organization_id, user_id, role, created_at)
   values (:organization_id, :user_id, :role, :real_now)
   on conflict (organization_id, user_id) do update
     set role = excluded.role, created_at = excluded.created_at, ended_at = null, founded_by = null
   where membership.ended_at is not null
   returning organization_id, user_id, role`,
)

/** Makes a user a member, anew when an earlier membership ended; undefined when it is active already. */
export const saveMembership = (ctx: Ctx, membership: Membership) => membership_saved.row<Membership>(ctx, membership)

const unidentified_found = statement(
  'organizations.findUnidentified',
  `select membership.user_id from memberships as membership join users as account on account.id = membership.user_id
    where membership.organization_id = :organization_id and membership.ended_at is null
      and lower(account.email) = lower(:email)
      and not exists (select from user_identities as identity where identity.user_id = membership.user_id)
    order by membership.created_at, membership.user_id limit 1`,
)

/** A member with this address who never signed in with a provider. */
export const findUnidentifiedMember = async (
  ctx: Ctx,
  organization_id: string,
  email: string,
): Promise<string | undefined> =>
  (await unidentified_found.row<{ user_id: string }>(ctx, { organization_id, email }))?.user_id

const membership_ended = statement(
  'organizations.saveMembershipEnd',
  `update memberships set ended_at = :real_now
    where organization_id = :organization_id and user_id = :user_id and ended_at is null
   returning organization_id, user_id, role`,
)

/** Ends a membership; undefined when there is no active one. */
export const saveMembershipEnd = (ctx: Ctx, organization_id: string, user_id: string) =>
  membership_ended.row<Membership>(ctx, { organization_id, user_id })

const member_found = statement(
  'organizations.isMember',
  `select 1 as found from memberships
    where organization_id = :organization_id and user_id = :user_id and ended_at is null`,
)

/** Whether a user is an active member of an organization. */
export async function isMember(ctx: Ctx, organization_id: string, user_id: string): Promise<boolean> {
  return (await member_found.row(ctx, { organization_id, user_id })) !== undefined
}

/**
 * What is decided by: `clock_offset_days` ahead of the calendar; `daily_run_on`, the last day that was run, null: none;
 * `daily_run_progress`, how far the day after it is.
 */
export type OrganizationState = {
  id: string
  sandbox: boolean
  clock_offset_days: number
  daily_run_on: Day | null
  daily_run_progress: DailyProgress | null
}

const state_found = statement(
  'organizations.findOrganizationState',
  `select id, sandbox, clock_offset_days, daily_run_on, daily_run_progress
     from organizations where id = :organization_id`,
)

/** How an organization stands, which is locked by then where that is to hold; undefined when there is none. */
export const findOrganizationState = (ctx: Ctx, organization_id: string) =>
  state_found.row<OrganizationState>(ctx, { organization_id })

const employer_counted = statement(
  'organizations.addToEmployerCount',
  'update organizations set employer_count = employer_count + 1 where id = :organization_id',
)

/** Counts an employer added to an organization's book. */
export const addToEmployerCount = (ctx: Ctx, organization_id: string) => employer_counted.rows(ctx, { organization_id })

const members_counted = statement(
  'organizations.addToMemberCount',
  'update organizations set member_count = member_count + :added where id = :organization_id',
)

/** Counts people whom an organization has come to know. */
export const addToMemberCount = (ctx: Ctx, organization_id: string, added: number) =>
  members_counted.rows(ctx, { organization_id, added })

const organization_located = read(
  'organizations.locateOrganization',
  `select id as organization_id from organizations where id = :organization_id and ${inReach('id')}`,
)

/** An organization within reach. */
export const locateOrganization = (ctx: ReadCtx, { organization_id }: { organization_id: string }) =>
  organization_located.row<{ organization_id: string }>(ctx, { organization_id })

const clock_found = read(
  'organizations.findOrganizationClock',
  `select row_to_json(shown)::text
     from (select id as organization_id, :calendar_day::date + clock_offset_days as today, clock_offset_days,
                  exists (${jobsOf(':organization_id')}) as has_work
             from organizations where id = :organization_id and ${inReach('id')}) as shown`,
)

/** The clock of an organization as JSON, ready to be sent. */
export const findOrganizationClock = (ctx: ReadCtx, organization_id: string) =>
  clock_found.json(ctx, { organization_id, calendar_day: calendarDay(ctx) })

/** How many organizations are taken up at once to run their days. */
const batch = 1000

const to_run = statement(
  'organizations.listToRun',
  `with due as materialized (
     select id from organizations where daily_run_on < :calendar_day::date
      union select id from organizations where daily_run_on is null
      union select id from organizations
             where clock_offset_days > 0 and daily_run_on < :calendar_day::date + clock_offset_days)
   select id from due where id > :after order by id limit ${batch}`,
)

/**
 * The next organizations, by id, whose last day that was run is before their own today. Found by their runs and their
 * clocks before they are put in order: else the index of ids offers its order, and all organizations are read.
 */
export async function listToRun(db: Db, today: Day, after: string): Promise<string[]> {
  const rows = await to_run.rows<{ id: string }>({ db }, { calendar_day: today, after })
  return rows.map((row) => row.id)
}

/** SQL: the present day of a row `organization`, when it is `:calendar_day` by the calendar. */
const present_day = '(:calendar_day::date + organization.clock_offset_days)'

const days_passed = statement(
  'organizations.savePassedDays',
  'update organizations set daily_run_on = daily_run_on + 1 where id = any(:organization_ids::text[])',
)

/**
 * Notes the next day of locked organizations as run that have reached it and to which it brings nothing; returns
 * those.
 */
export type SavePassed = (ctx: Ctx, organization_ids: string[]) => Promise<string[]>

/** That for what brings something by `hasDailyRun`, an SQL condition. Whoever knows all modules declares it, once. */
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
  const asked = statement(
    'organizations.passesDay',
    `select 1 as passes from organizations as organization
       cross join lateral (select organization.daily_run_on + 1 as day) as daily_run
      where organization.id = :organization_id and ${passes.replaceAll(/\borganization\.id\b/g, ':organization_id')}`,
  )
  return async (ctx, organization_ids) => {
    const calendar_day = calendarDay(ctx)
    if (!ctx.db.divided) {
      const rows = await passed.rows<{ id: string }>(ctx, { organization_ids, calendar_day })
      return rows.map(({ id }) => id)
    }
    const passing: string[] = []
    for (const organization_id of organization_ids)
      if (await asked.row(ctx, { organization_id, calendar_day })) passing.push(organization_id)
    if (passing.length > 0) await days_passed.rows(ctx, { organization_ids: passing })
    return passing
  }
}

const behind = statement(
  'organizations.listBehind',
  `select id from organizations as organization
    where id = any(:organization_ids::text[]) and coalesce(daily_run_on < ${present_day}, true) order by id`,
)

/** Those of these organizations whose last day that was run is before their own today. */
export async function listBehind(ctx: Ctx, organization_ids: string[]): Promise<string[]> {
  const rows = await behind.rows<{ id: string }>(ctx, { organization_ids, calendar_day: calendarDay(ctx) })
  return rows.map(({ id }) => id)
}

/** SQL: whether the outside identity provider is to be asked again for an organization. */
export const hasMirrorToRequest = `(organization.idp_provider = 'external_idp' and organization.idp_org_id is null)`

const progress_saved = statement(
  'organizations.saveDailyRunProgress',
  `update organizations set daily_run_on = greatest(daily_run_on, :day::date - 1), daily_run_progress = :progress
    where id = :organization_id`,
)

/** Notes how far a daily run is for an organization. */
export const saveDailyRunProgress = (ctx: Ctx, organization_id: string, day: Day, progress: DailyProgress) =>
  progress_saved.rows(ctx, { organization_id, day, progress: JSON.stringify(progress) })

const daily_run_saved = statement(
  'organizations.saveDailyRun',
  `update organizations
      set daily_run_on = greatest(daily_run_on, :daily_run_on::date), daily_run_progress = null,
          clock_offset_days = :clock_offset_days
    where id = :organization_id`,
)

/** Notes up to which day an organization was run, and how many days ahead it lives. */
export const saveDailyRun = (ctx: Ctx, organization_id: string, daily_run_on: Day, clock_offset_days: number) =>
  daily_run_saved.rows(ctx, { organization_id, daily_run_on, clock_offset_days })
