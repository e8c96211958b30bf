import type { Ctx, DailyProgress } from '../../platform/ctx.ts'
import { easternDay, type Day } from '../../kernel/days.ts'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityProvider } from '../../integrations/identity/provider.ts'
import { offsetOf, type Page } from '../../kernel/pages.ts'
import type { Role } from './schemas.ts'

/** SQL: the fields of an Organization. */
const organizationFields = `
  organization.id, organization.name, organization.type, organization.idp_org_id, organization.idp_provider, organization.super_in`

/** The Organization as JSON, ready to be sent. */
export const findOrganization = (ctx: Ctx, organization_id: string) =>
  ctx.db.json(
    `select row_to_json(shown)::text from (select ${organizationFields} from organizations as organization where id = $1) as shown`,
    [organization_id],
  )

/** The organizations of which a user is an active member, oldest membership first; all of them without a page. */
export const listOrganizations = (ctx: Ctx, user_id: string | null, page: Page | undefined) =>
  ctx.db.json(
    `with mine as materialized (
       select organization_id, role, row_number() over (order by created_at, organization_id) as position
         from memberships where user_id = $1 and ended_at is null
     ), listed as (
       select mine.position, (select row_to_json(shown) from (select ${organizationFields}, mine.role) as shown) as item
         from mine join organizations as organization on organization.id = mine.organization_id
        order by mine.position limit $2::bigint offset $3::bigint
     )
     select '{"organizations":[' || coalesce((select string_agg(item::text, ',' order by position) from listed), '')
         || '],"total":' || (select count(*) from mine) || '}'`,
    [user_id, page?.limit ?? null, page ? offsetOf(page) : null],
  )

export type OrganizationRow = {
  id: string
  name: string
  type: string | null
  idp_provider: IdentityProvider['name']
  idp_org_id: string | null
  super_in: boolean
  sandbox: boolean
}

/** Adds an organization, for which nothing that was before today is to be turned. */
export const insertOrganization = (ctx: Ctx, organization: OrganizationRow) =>
  ctx.db.rows(
    `insert into organizations (id, name, type, idp_provider, idp_org_id, super_in, sandbox, created_at, updated_at, turned_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [
      organization.id,
      organization.name,
      organization.type,
      organization.idp_provider,
      organization.idp_org_id,
      organization.super_in,
      organization.sandbox,
      ctx.now,
      easternDay(Date.parse(ctx.real_now)),
    ],
  )

/** An organization that the outside identity provider has not confirmed yet; undefined when it has. */
export const findUnmirrored = (ctx: Ctx, organization_id: string) =>
  ctx.db.row<{ id: string; name: string }>(
    `select id, name from organizations where id = $1 and idp_provider = 'external_idp' and idp_org_id is null`,
    [organization_id],
  )

export const saveIdpOrgId = (ctx: Ctx, organization_id: string, idp_org_id: string) =>
  ctx.db.rows('update organizations set idp_org_id = $2, updated_at = $3 where id = $1 and idp_org_id is null', [
    organization_id,
    idp_org_id,
    ctx.now,
  ])

export const insertUser = (ctx: Ctx, user: { id: string; name: string; email: string | null }) =>
  ctx.db.rows('insert into users (id, name, email, created_at) values ($1, $2, $3, $4)', [
    user.id,
    user.name,
    user.email,
    ctx.now,
  ])

/** The User as JSON, ready to be sent. */
export const findUser = (ctx: Ctx, user_id: string) =>
  ctx.db.json(
    `select row_to_json(shown)::text
       from (select id, name, email, iso(created_at) as created_at from users where id = $1) as shown`,
    [user_id],
  )

/** Locks a user, so that one writer at a time decides about their memberships; undefined when there is none. */
export const lockUser = (ctx: Ctx, user_id: string) =>
  ctx.db.row<{ id: string }>('select id from users where id = $1 for no key update', [user_id])

/** How many organizations a user is an active member of. Asked after the lock, to see what it waited for. */
export async function countOrganizations(ctx: Ctx, user_id: string): Promise<number> {
  const row = await ctx.db.row<{ count: number }>(
    'select count(*) as count from memberships where user_id = $1 and ended_at is null',
    [user_id],
  )
  return row!.count
}

export type Membership = { organization_id: string; user_id: string; role: Role }

export const insertMembership = (ctx: Ctx, membership: Membership) =>
  ctx.db.rows('insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)', [
    membership.organization_id,
    membership.user_id,
    membership.role,
    ctx.real_now,
  ])

/** Makes a user a member, anew when an earlier membership ended; undefined when it is active already. */
export const saveMembership = (ctx: Ctx, membership: Membership) =>
  ctx.db.row<Membership>(
    `insert into memberships as membership (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (organization_id, user_id) do update
       set role = excluded.role, created_at = excluded.created_at, ended_at = null
     where membership.ended_at is not null
     returning organization_id, user_id, role`,
    [membership.organization_id, membership.user_id, membership.role, ctx.real_now],
  )

/** Ends a membership; undefined when there is no active one. */
export const saveMembershipEnd = (ctx: Ctx, organization_id: string, user_id: string) =>
  ctx.db.row<Membership>(
    `update memberships set ended_at = $3 where organization_id = $1 and user_id = $2 and ended_at is null
     returning organization_id, user_id, role`,
    [organization_id, user_id, ctx.real_now],
  )

/** Whether a user is an active member of an organization. */
export async function isMember(ctx: Ctx, organization_id: string, user_id: string): Promise<boolean> {
  const row = await ctx.db.row(
    'select 1 as found from memberships where organization_id = $1 and user_id = $2 and ended_at is null',
    [organization_id, user_id],
  )
  return row !== undefined
}

/**
 * What is decided by: `clock_offset_days` ahead of the calendar, and turned up to a day, null: never; `turning`: how far
 * the day after it is.
 */
export type OrganizationState = {
  id: string
  sandbox: boolean
  clock_offset_days: number
  turned_on: Day | null
  turning: DailyProgress | null
}

/** How an organization stands, which is locked by then where that is to hold; undefined when there is none. */
export const findOrganizationState = (ctx: Ctx, organization_id: string) =>
  ctx.db.row<OrganizationState>(
    'select id, sandbox, clock_offset_days, turned_on, turning from organizations where id = $1',
    [organization_id],
  )

/** Counts an employer added to an organization's book. */
export const addToEmployerCount = (ctx: Ctx, organization_id: string) =>
  ctx.db.rows('update organizations set employer_count = employer_count + 1 where id = $1', [organization_id])

/** An organization as a place, when there is one. */
export const locateOrganization = (ctx: Ctx, { organization_id }: { organization_id: string }) =>
  ctx.db.row<{ organization_id: string }>('select id as organization_id from organizations where id = $1', [
    organization_id,
  ])

/** The clock of an organization as JSON, ready to be sent. */
export const findOrganizationClock = (ctx: Ctx, organization_id: string) =>
  ctx.db.json(
    `select row_to_json(shown)::text
       from (select id as organization_id, $2::date + clock_offset_days as today, clock_offset_days
               from organizations where id = $1) as shown`,
    [organization_id, easternDay(Date.parse(ctx.real_now))],
  )

/** How many organizations are taken up at once to turn their days. */
const batch = 1000

/**
 * The next organizations, by id, whose last turned day is before their own today. Found by their turns and their
 * clocks before they are put in order: else the index of ids offers its order, and all organizations are read.
 */
export async function listToTurn(db: Db, today: Day, after: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    `with due as materialized (
       select id from organizations where turned_on < $1::date
        union select id from organizations where turned_on is null
        union select id from organizations where clock_offset_days > 0 and turned_on < $1::date + clock_offset_days)
     select id from due where id > $2 order by id limit ${batch}`,
    [today, after],
  )
  return rows.map((row) => row.id)
}

/** SQL: the present day of a row `organization`, when it is $2 by the calendar. */
const present_day = '($2::date + organization.clock_offset_days)'

const calendarDay = (ctx: Ctx): Day => easternDay(Date.parse(ctx.real_now))

/** Locks those of these organizations that nobody else holds. */
export async function lockOrganizations(ctx: Ctx, organization_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    'select id from organizations where id = any($1::text[]) order by id for no key update skip locked',
    [organization_ids],
  )
  return rows.map(({ id }) => id)
}

/** Notes the next day of locked organizations as turned that have reached it and to which it brings nothing; returns those. */
export async function savePassed(ctx: Ctx, organization_ids: string[], hasDailyRun: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `update organizations as organization set turned_on = turning.day
       from (select id, turned_on + 1 as day from organizations where id = any($1::text[])) as turning
      where organization.id = turning.id and turning.day <= ${present_day} and organization.turning is null and not (${hasDailyRun})
     returning organization.id`,
    [organization_ids, calendarDay(ctx)],
  )
  return rows.map(({ id }) => id)
}

/** Those of these organizations whose last turned day is before their own today. */
export async function listBehind(ctx: Ctx, organization_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `select id from organizations as organization
      where id = any($1::text[]) and coalesce(turned_on < ${present_day}, true) order by id`,
    [organization_ids, calendarDay(ctx)],
  )
  return rows.map(({ id }) => id)
}

/** SQL: whether the outside identity provider is to be asked again for an organization. */
export const hasMirrorToRequest = `(organization.idp_provider = 'external_idp' and organization.idp_org_id is null)`

/** Notes how far a daily run is for an organization. */
export const saveTurnProgress = (ctx: Ctx, organization_id: string, day: Day, progress: DailyProgress) =>
  ctx.db.rows('update organizations set turned_on = greatest(turned_on, $2::date - 1), turning = $3 where id = $1', [
    organization_id,
    day,
    JSON.stringify(progress),
  ])

/** Notes how far an organization is turned, and how many days ahead it lives. */
export const saveTurn = (ctx: Ctx, organization_id: string, turned_on: Day, clock_offset_days: number) =>
  ctx.db.rows(
    'update organizations set turned_on = greatest(turned_on, $2::date), turning = null, clock_offset_days = $3 where id = $1',
    [organization_id, turned_on, clock_offset_days],
  )
