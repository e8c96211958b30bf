import type { Ctx } from '../../platform/ctx.ts'
import type { IdentityProvider } from '../../platform/identity-provider.ts'
import { offsetOf, type Page } from '../../platform/pages.ts'
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

export const insertOrganization = (ctx: Ctx, organization: OrganizationRow) =>
  ctx.db.rows(
    `insert into organizations (id, name, type, idp_provider, idp_org_id, super_in, sandbox, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      organization.id,
      organization.name,
      organization.type,
      organization.idp_provider,
      organization.idp_org_id,
      organization.super_in,
      organization.sandbox,
      ctx.now,
    ],
  )

/** An organization that the outside identity provider has not confirmed yet; undefined when it has. */
export const findUnmirrored = (ctx: Ctx, organization_id: string) =>
  ctx.db.row<{ id: string; name: string }>(
    `select id, name from organizations where id = $1 and idp_provider = 'external_idp' and idp_org_id is null`,
    [organization_id],
  )

/** All organizations that the outside identity provider has not confirmed yet. */
export const listUnmirrored = (ctx: Ctx) =>
  ctx.db.rows<{ id: string }>(
    `select id from organizations where idp_provider = 'external_idp' and idp_org_id is null order by id`,
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
    ctx.now,
  ])

/** Makes a user a member, anew when an earlier membership ended; undefined when it is active already. */
export const saveMembership = (ctx: Ctx, membership: Membership) =>
  ctx.db.row<Membership>(
    `insert into memberships as membership (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)
     on conflict (organization_id, user_id) do update
       set role = excluded.role, created_at = excluded.created_at, ended_at = null
     where membership.ended_at is not null
     returning organization_id, user_id, role`,
    [membership.organization_id, membership.user_id, membership.role, ctx.now],
  )

/** Ends a membership; undefined when there is no active one. */
export const saveMembershipEnd = (ctx: Ctx, organization_id: string, user_id: string) =>
  ctx.db.row<Membership>(
    `update memberships set ended_at = $3 where organization_id = $1 and user_id = $2 and ended_at is null
     returning organization_id, user_id, role`,
    [organization_id, user_id, ctx.now],
  )

/** Whether a user is an active member of an organization. */
export async function isMember(ctx: Ctx, organization_id: string, user_id: string): Promise<boolean> {
  const row = await ctx.db.row(
    'select 1 as found from memberships where organization_id = $1 and user_id = $2 and ended_at is null',
    [organization_id, user_id],
  )
  return row !== undefined
}

/** Locks an organization, so that one writer at a time decides about its employers and people; undefined when there is none. */
export const lockOrganization = (ctx: Ctx, organization_id: string) =>
  ctx.db.row<{ id: string; sandbox: boolean }>(
    'select id, sandbox from organizations where id = $1 for no key update',
    [organization_id],
  )

/** Counts an employer added to an organization's book. */
export const addToEmployerCount = (ctx: Ctx, organization_id: string) =>
  ctx.db.rows('update organizations set employer_count = employer_count + 1 where id = $1', [organization_id])
