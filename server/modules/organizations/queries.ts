import type { Ctx } from '../../platform/ctx.ts'

export type NewOrganization = {
  id: string
  name: string
  type: string | null
  idp_provider: 'service' | 'external_idp'
  idp_org_id: string | null
  super_in: boolean
  sandbox: boolean
}

export const insertOrganization = (ctx: Ctx, organization: NewOrganization) =>
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

export const insertUser = (ctx: Ctx, user: { id: string; name: string; email: string | null }) =>
  ctx.db.rows('insert into users (id, name, email, created_at) values ($1, $2, $3, $4)', [user.id, user.name, user.email, ctx.now])

export type Role = 'ADMIN' | 'OPERATIONS' | 'SALES' | 'ENROLLMENT_AGENT'

export const insertMembership = (ctx: Ctx, membership: { organization_id: string; user_id: string; role: Role }) =>
  ctx.db.rows('insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, $3, $4)', [
    membership.organization_id,
    membership.user_id,
    membership.role,
    ctx.now,
  ])

/** Locks an organization, so that one writer at a time decides about its employers and people; undefined when there is none. */
export const lockOrganization = (ctx: Ctx, organization_id: string) =>
  ctx.db.row<{ id: string; sandbox: boolean }>('select id, sandbox from organizations where id = $1 for no key update', [organization_id])
