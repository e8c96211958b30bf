import { identity_provider } from '../../../integrations/identity/provider.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { lockIdle, withClock } from '../../../runtime/clock.ts'
import type { Ctx, DailyProgress, WriteScope } from '../../../runtime/ctx.ts'
import { daysBetween, easternDay, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { chunksOf } from '../../../kernel/chunks.ts'
import { hasJobs } from '../../../jobs/enqueue.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { contextOf, inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import {
  findUnmirrored,
  insertMembership,
  insertOrganization,
  insertUser,
  listBehind,
  listOrganizationsOf,
  listToRun,
  findOrganizationState,
  lockUser,
  saveIdpOrgId,
  saveMembership,
  saveMembershipEnd,
  saveDailyRun,
  saveDailyRunProgress,
  type Membership,
  type SavePassed,
} from './queries.ts'
import { daysToRun, refusals, unknownUser, whyNotCreate, whyNotMoveClock } from './rules.ts'
import type { NewOrganization } from './schemas.ts'

/**
 * Creates an organization whose creator becomes its ADMIN, and returns its id. 409
 * `organization_already_exists` when the creator belongs to one, however many requests come at once.
 */
export async function createOrganization(ctx: Ctx, user_id: string, organization: NewOrganization): Promise<string> {
  await lockUser(ctx, user_id)
  refuse(whyNotCreate(await listOrganizationsOf(ctx, user_id), ctx.caller.reach.organization_ids))
  return establishOrganization(ctx, {
    ...organization,
    super_in: false,
    // Of the kind that its founder's key reaches.
    sandbox: ctx.caller.mode === null ? ctx.settings.sandbox : ctx.caller.mode === 'test',
    admin_user_id: user_id,
    // A session reaches what its user belongs to in any case.
    founded_by: ctx.caller.signed_in_at === null ? ctx.caller.key_id : null,
  })
}

export type Establishment = NewOrganization & {
  super_in: boolean
  sandbox: boolean
  admin_user_id: string | null
  /** the admin's key that reaches it, whatever else that is open to */
  founded_by?: string | null
}

/**
 * Makes an organization as the operator wants it, without asking where else its admin belongs, and returns its id. An
 * outside identity provider hears of it later, in a job: its outage neither loses nor blocks anything.
 */
export async function establishOrganization(ctx: Ctx, wanted: Establishment): Promise<string> {
  const { admin_user_id, founded_by = null, ...organization } = wanted
  if (admin_user_id !== null && !(await lockUser(ctx, admin_user_id))) throw unknownUser('admin_user_id')
  const id = newId('org')
  const mirrored = integrationOf(ctx, identity_provider).name === 'service'
  await insertOrganization(ctx, {
    ...organization,
    id,
    idp_provider: integrationOf(ctx, identity_provider).name,
    idp_org_id: mirrored ? id : null,
  })
  if (admin_user_id !== null)
    await insertMembership(ctx, { organization_id: id, user_id: admin_user_id, role: 'ADMIN', founded_by })
  if (!mirrored) await requestMirror(ctx, id)
  return id
}

const requestMirror = (ctx: Ctx, organization_id: string) =>
  ctx.enqueue('mirror_organization', { organization_id }, { key: `mirror_organization:${organization_id}` })

/** The daily run: asks again while an organization is unconfirmed. A job gives up after some days, we don't. */
export async function requestMissingMirror(ctx: Ctx, organization_id: string): Promise<null> {
  if (integrationOf(ctx, identity_provider).name !== 'service' && (await findUnmirrored(ctx, organization_id)))
    await requestMirror(ctx, organization_id)
  return null
}

/** Has the outside identity provider create the organization, or find it there, and keeps its id. Bears repetition. */
export async function mirrorOrganization(runtime: Runtime, organization_id: string): Promise<void> {
  if (integrationOf(runtime, identity_provider).name === 'service') return
  const caller = serviceCaller(organization_id)
  const organization = await findUnmirrored(
    contextOf(runtime, caller, runtime.database.reads([organization_id])),
    organization_id,
  )
  if (!organization) return
  const idp_org_id = await integrationOf(runtime, identity_provider).mirror(organization)
  await inTransaction(runtime, caller, (ctx) => saveIdpOrgId(ctx, organization_id, idp_org_id))
}

/** Creates a user, who belongs to no organization yet, and returns its id. */
export async function createUser(ctx: WriteScope, user: { name: string; email: string | null }): Promise<string> {
  const id = newId('usr')
  await insertUser(ctx, { id, ...user })
  return id
}

/** Makes a user a member of an organization; 400 for an unknown user, 409 for a member. */
export async function grantMembership(ctx: Ctx, membership: Membership): Promise<Membership> {
  if (!(await lockUser(ctx, membership.user_id))) throw unknownUser('user_id')
  const granted = await saveMembership(ctx, membership)
  if (!granted) throw new Refusal(refusals.membership_already_exists)
  return granted
}

/** Ends a membership, and with it the reach of the user's keys there; 404 when there is no active one. */
export async function endMembership(ctx: Ctx, organization_id: string, user_id: string): Promise<Membership> {
  const ended = await saveMembershipEnd(ctx, organization_id, user_id)
  if (!ended) throw new Refusal(generic.not_found)
  return ended
}

/** Daily runs wait for what people ask for. */
const behind_others = 10

/** How many organizations are locked while each is asked by itself, where no statement asks the servers of all. */
const locked_while_asked = 20

const requestDay = (organization_id: string) => ({
  payload: { organization_id },
  key: `run_day:${organization_id}`,
})

/**
 * Has the days run that have come for each organization since its last one. Those to which a day brings nothing pass
 * it many at once, by `savePassed`; for each other one a job runs it.
 */
export async function requestDailyRuns(runtime: Runtime, savePassed: SavePassed): Promise<void> {
  const caller = serviceCaller(null)
  for (let after = ''; ;) {
    const due = await listToRun(runtime.database.reads(every_organization), easternDay(runtime.clock()), after)
    if (due.length === 0) return
    for (const some of chunksOf(due, runtime.database.divided ? locked_while_asked : due.length))
      await inTransaction(runtime, caller, async (ctx) => {
        for (let idle = await lockIdle(ctx.db, some); idle.length > 0;) idle = await savePassed(ctx, idle)
        const jobs = (await listBehind(ctx, some)).map(requestDay)
        if (jobs.length > 0) await ctx.enqueueEach('run_day', jobs, behind_others)
      })
    after = due.at(-1)!
  }
}

/** Has the days run that have come for an organization, before what waits: also one of which a job was given up. */
export const requestRun = (ctx: Ctx, organization_id: string): Promise<void> =>
  ctx.enqueueEach('run_day', [requestDay(organization_id)])

/**
 * Runs the next chunk of the earliest day that has come for an organization, in one transaction together with the note
 * how far it is, under the organization's lock; and has the one after it run. So each day happens exactly once and
 * in order, whoever calls this, however often, and wherever it was killed.
 */
export const runOrganizationDay = (runtime: Runtime, organization_id: string): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    if (await runNextChunk(ctx, organization_id))
      await ctx.enqueueEach('run_day', [requestDay(organization_id)], behind_others)
  })

/** Tells whether there is more to run. */
async function runNextChunk(ctx: Ctx, organization_id: string): Promise<boolean> {
  const organization = await findOrganizationState(ctx, organization_id)
  const [day, ...later] = organization ? daysToRun(organization.daily_run_on, ctx.today, ctx.today) : []
  if (!organization || day === undefined) return false
  const progress = await ctx.runDay({ ...ctx, today: day }, organization_id, organization.daily_run_progress)
  if (progress) await saveDailyRunProgress(ctx, organization_id, day, progress)
  else await saveDailyRun(ctx, organization_id, day, organization.clock_offset_days)
  return progress !== null || later.length > 0
}

/** Runs what is left of a day for an organization within the transaction at hand. */
export async function runWholeDay(
  ctx: Ctx,
  organization_id: string,
  progress: DailyProgress | null = null,
): Promise<void> {
  do progress = await ctx.runDay(ctx, organization_id, progress)
  while (progress)
}

/**
 * Moves the clock of a sandbox organization to a later day, running each day on the way as it would have been run in
 * its time. Refuses others, earlier days and work that waits (409), then what is too far (422); its present day changes
 * nothing.
 */
export async function moveClock(ctx: Ctx, organization_id: string, day: Day) {
  const {
    sandbox,
    daily_run_on,
    daily_run_progress,
    clock_offset_days: offset,
  } = (await findOrganizationState(ctx, organization_id))!
  const { today } = withClock(ctx, offset)
  refuse(whyNotMoveClock({ sandbox, today, has_work: await hasJobs(ctx.db, organization_id) }, day))
  const clock_offset_days = offset + daysBetween(today, day)
  const days = day === today ? [] : daysToRun(daily_run_on, today, day)
  for (const [index, each] of days.entries()) {
    // What was missed before today happens now, as it does when the worker catches up.
    const at = withClock(ctx, offset + Math.max(0, daysBetween(today, each)))
    const then = { ...at, caller: serviceCaller(organization_id), today: each }
    await runWholeDay(then, organization_id, index === 0 ? daily_run_progress : null)
  }
  if (day !== today) await saveDailyRun(ctx, organization_id, day, clock_offset_days)
  return { organization_id, today: day, clock_offset_days, days_turned: days.length }
}
