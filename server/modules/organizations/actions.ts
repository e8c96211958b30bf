import { serviceCaller } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { newId } from '../../platform/ids.ts'
import { generic, Refusal, refuse } from '../../platform/refusal.ts'
import { contextOf, inTransaction, type World } from '../../platform/world.ts'
import {
  countOrganizations,
  findOrganization,
  findUnmirrored,
  findUser,
  insertMembership,
  insertOrganization,
  insertUser,
  listUnmirrored,
  lockUser,
  saveIdpOrgId,
  saveMembership,
  saveMembershipEnd,
  type Membership,
} from './queries.ts'
import { membership_already_exists, unknownUser, whyNotCreate } from './rules.ts'
import type { NewOrganization } from './schemas.ts'

/**
 * Creates an organization whose creator becomes its ADMIN, and answers it as JSON. 409
 * `organization_already_exists` when the creator belongs to one, however many requests come at once.
 */
export async function createOrganization(
  ctx: Ctx,
  user_id: string,
  organization: NewOrganization,
): Promise<string | undefined> {
  await lockUser(ctx, user_id)
  refuse(whyNotCreate({ organization_count: await countOrganizations(ctx, user_id) }))
  return establishOrganization(ctx, {
    ...organization,
    super_in: false,
    sandbox: ctx.settings.sandbox,
    admin_user_id: user_id,
  })
}

export type Establishment = NewOrganization & { super_in: boolean; sandbox: boolean; admin_user_id: string | null }

/**
 * Makes an organization as the operator wants it, without asking where else its admin belongs, and answers it
 * as JSON. An outside identity provider hears of it later, in a job: its outage neither loses nor blocks anything.
 */
export async function establishOrganization(ctx: Ctx, wanted: Establishment): Promise<string | undefined> {
  const { admin_user_id, ...organization } = wanted
  if (admin_user_id !== null && !(await lockUser(ctx, admin_user_id))) throw unknownUser('admin_user_id')
  const id = newId('org')
  const mirrored = ctx.idp_provider === 'service'
  await insertOrganization(ctx, {
    ...organization,
    id,
    idp_provider: ctx.idp_provider,
    idp_org_id: mirrored ? id : null,
  })
  if (admin_user_id !== null)
    await insertMembership(ctx, { organization_id: id, user_id: admin_user_id, role: 'ADMIN' })
  if (!mirrored) await requestMirror(ctx, id)
  return findOrganization(ctx, id)
}

const requestMirror = (ctx: Ctx, organization_id: string) =>
  ctx.enqueue('mirror_organization', { organization_id }, { key: `mirror_organization:${organization_id}` })

/** Asks again for every organization that is still unconfirmed: a job gives up after some days, an organization does not. */
export async function requestMissingMirrors(ctx: Ctx): Promise<void> {
  if (ctx.idp_provider === 'service') return
  for (const { id } of await listUnmirrored(ctx)) await requestMirror(ctx, id)
}

/** Has the outside identity provider create the organization, or find it there, and keeps its id. Bears repetition. */
export async function mirrorOrganization(world: World, organization_id: string): Promise<void> {
  if (world.identity_provider.name === 'service') return
  const caller = serviceCaller(organization_id)
  const organization = await findUnmirrored(contextOf(world, caller, world.database.reads), organization_id)
  if (!organization) return
  const idp_org_id = await world.identity_provider.mirror(organization)
  await inTransaction(world, caller, (ctx) => saveIdpOrgId(ctx, organization_id, idp_org_id))
}

/** Creates a user, who belongs to no organization yet, and answers it as JSON. */
export async function createUser(ctx: Ctx, user: { name: string; email: string | null }): Promise<string | undefined> {
  const id = newId('usr')
  await insertUser(ctx, { id, ...user })
  return findUser(ctx, id)
}

/** Makes a user a member of an organization; 400 for an unknown user, 409 for a member. */
export async function grantMembership(ctx: Ctx, membership: Membership): Promise<Membership> {
  if (!(await lockUser(ctx, membership.user_id))) throw unknownUser('user_id')
  const granted = await saveMembership(ctx, membership)
  if (!granted) throw new Refusal(membership_already_exists)
  return granted
}

/** Ends a membership, and with it the reach of the user's keys there; 404 when there is no active one. */
export async function endMembership(ctx: Ctx, organization_id: string, user_id: string): Promise<Membership> {
  const ended = await saveMembershipEnd(ctx, organization_id, user_id)
  if (!ended) throw new Refusal(generic.not_found)
  return ended
}
