import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { identity_provider } from '../../../integrations/identity/provider.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { every_organization } from '../../../database/query/rows-of.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { withClock } from '../../../runtime/clock.ts'
import { lockIdleOrganizations } from '../../../runtime/locks.ts'
import type { Ctx, DailyProgress, WriteScope } from '../../../runtime/ctx.ts'
import { addDays, daysBetween, easternDay, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { background_priority, hasJobs } from '../../../jobs/enqueue.ts'
import { generic, Refusal, refuse } from '../../../kernel/refusal.ts'
import { contextOf, inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import {
  findUnmirrored,
  insertMembership,
  insertOrganization,
  insertUser,
  listOverdue,
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
 * Creates an organization with its creator as ADMIN, and returns its id. 409 `organization_already_exists` if the
 * creator belongs to one; the lock enforces this for concurrent requests too.
 */
export async function createOrganization(ctx: Ctx, user_id: string, organization: NewOrganization): Promise<string> {
  await lockUser(ctx, { user_id })
  refuse(whyNotCreate(await listOrganizationsOf(ctx, { user_id }), ctx.caller.reach.organization_ids))
  return setUpOrganization(ctx, {
    ...organization,
    super_in: false,
    sandbox: ctx.caller.mode === null ? ctx.settings.sandbox : ctx.caller.mode === 'test',
    admin_user_id: user_id,
    // Records the key that creates the organization, because the key must reach it. A session reaches all organizations
    // of its user anyway.
    founded_by: ctx.caller.signed_in_at === null ? ctx.caller.key_id : null,
  })
}

export type OrganizationWithAdmin = NewOrganization & {
  super_in: boolean
  sandbox: boolean
  admin_user_id: string | null
  /** the key that created the organization and therefore reaches it */
  founded_by?: string | null
}

/**
 * Creates an organization for the operator, regardless of the other organizations of its admin, and returns its id. A
 * job mirrors it to an external identity provider later, so an outage there blocks nothing.
 */
export async function setUpOrganization(ctx: Ctx, wanted: OrganizationWithAdmin): Promise<string> {
  const { admin_user_id, founded_by = null, ...organization } = wanted
  if (admin_user_id !== null && !(await lockUser(ctx, { user_id: admin_user_id }))) throw unknownUser('admin_user_id')
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

/** The daily run: requests the mirror again while it is unconfirmed, since a job stops retrying after some days. */
export async function requestMissingMirror(ctx: Ctx, organization_id: string): Promise<null> {
  if (integrationOf(ctx, identity_provider).name !== 'service' && (await findUnmirrored(ctx, { organization_id })))
    await requestMirror(ctx, organization_id)
  return null
}

/** Creates the organization at the external identity provider, or finds it there, and stores its id. Idempotent. */
export async function mirrorOrganization(runtime: Runtime, organization_id: string): Promise<void> {
  if (integrationOf(runtime, identity_provider).name === 'service') return
  const caller = serviceCaller(organization_id)
  const organization = await findUnmirrored(contextOf(runtime, caller, runtime.database.reads([organization_id])), {
    organization_id,
  })
  if (!organization) return
  const idp_org_id = await integrationOf(runtime, identity_provider).mirror(organization)
  await inTransaction(runtime, caller, (ctx) => saveIdpOrgId(ctx, { organization_id, idp_org_id }))
}

/** Creates a user, who belongs to no organization yet, and returns its id. */
export async function createUser(ctx: WriteScope, user: { name: string; email: string | null }): Promise<string> {
  const id = newId('usr')
  await insertUser(ctx, { id, ...user })
  return id
}

/** Adds a user to an organization. Refuses with 400 for an unknown user, and with 409 for a current member. */
export async function grantMembership(ctx: Ctx, membership: Membership): Promise<Membership> {
  if (!(await lockUser(ctx, { user_id: membership.user_id }))) throw unknownUser('user_id')
  const granted = await saveMembership(ctx, membership)
  if (!granted) throw new Refusal(refusals.membership_already_exists)
  return granted
}

/** Ends a membership, so the user's keys lose access to the organization. 404 if none is active. */
export async function endMembership(ctx: Ctx, organization_id: string, user_id: string): Promise<Membership> {
  const ended = await saveMembershipEnd(ctx, { organization_id, user_id })
  if (!ended) throw new Refusal(generic.not_found)
  return ended
}

/** A sharded database checks organizations one by one, so it locks fewer of them at a time. */
const organizations_per_lock = 20

const requestDay = (organization_id: string) => ({
  payload: { organization_id },
  key: `run_day:${organization_id}`,
})

/**
 * Requests the due daily runs of every organization. `savePassed` marks days without work as run, for many
 * organizations in one statement. Each organization with work gets a job.
 */
export async function requestDailyRuns(runtime: Runtime, savePassed: SavePassed): Promise<void> {
  const caller = serviceCaller(null)
  for (let after = ''; ;) {
    const due = await listToRun(
      { db: runtime.database.reads(every_organization) },
      { calendar_day: easternDay(runtime.clock()), after },
    )
    if (due.length === 0) return
    for (const some_organizations of chunksOf(due, runtime.database.distribution ? organizations_per_lock : due.length))
      await inTransaction(runtime, caller, async (ctx) => {
        for (let idle = await lockIdleOrganizations(ctx, { organization_ids: some_organizations }); idle.length > 0;)
          idle = await savePassed(ctx, idle)
        const jobs = (await listOverdue(ctx, some_organizations)).map(requestDay)
        if (jobs.length > 0) await ctx.enqueueEach('run_day', jobs, background_priority)
      })
    after = due.at(-1)!
  }
}

/**
 * Requests the due daily runs of one organization, ahead of other jobs. Also restarts a day whose job failed
 * permanently.
 */
export const requestRun = (ctx: Ctx, organization_id: string): Promise<void> =>
  ctx.enqueueEach('run_day', [requestDay(organization_id)])

/** Milliseconds after which a job lets other organizations run their days. */
const turn_ms = 100

/**
 * Runs the due days of an organization in chunks. After some time, it enqueues the remaining ones. Each chunk commits
 * together with its progress under the lock of the organization, so each day runs exactly once and in order.
 */
export async function runOrganizationDays(runtime: Runtime, organization_id: string): Promise<void> {
  const until = performance.now() + turn_ms
  const runChunk = async (ctx: Ctx) => {
    if (!(await runNextChunk(ctx, organization_id))) return false
    if (performance.now() < until) return true
    await ctx.enqueueEach('run_day', [requestDay(organization_id)], background_priority)
    return false
  }
  while (await inOrganization(runtime, organization_id, runChunk));
}

/** Also passes the days without work after the chunk. Returns whether another chunk remains. */
async function runNextChunk(ctx: Ctx, organization_id: string): Promise<boolean> {
  const organization = await findOrganizationState(ctx, { organization_id })
  if (!organization) return false
  const { daily_run_on } = organization
  const day = daily_run_on === null ? ctx.today : addDays(daily_run_on, 1)
  if (day > ctx.today) return false
  const progress = await ctx.runDay({ ...ctx, today: day }, organization_id, organization.daily_run_progress)
  if (progress) {
    await saveDailyRunProgress(ctx, organization_id, day, progress)
    return true
  }
  let next = addDays(day, 1)
  while (next <= ctx.today && !(await ctx.hasDailyWork({ ...ctx, today: next }, organization_id)))
    next = addDays(next, 1)
  await saveDailyRun(ctx, {
    organization_id,
    daily_run_on: addDays(next, -1),
    clock_offset_days: organization.clock_offset_days,
  })
  return next <= ctx.today
}

/** Runs the rest of a day within the current transaction. */
export async function runWholeDay(
  ctx: Ctx,
  organization_id: string,
  progress: DailyProgress | null = null,
): Promise<void> {
  do progress = await ctx.runDay(ctx, organization_id, progress)
  while (progress)
}

/**
 * Moves the clock of a sandbox organization to a later day, and runs every day in between that has work. 409 for other
 * organizations, earlier days and waiting jobs; 422 for a day too far ahead. A move to its current day changes nothing.
 */
export async function moveClock(ctx: Ctx, organization_id: string, day: Day) {
  const {
    sandbox,
    daily_run_on,
    daily_run_progress,
    clock_offset_days: offset,
  } = (await findOrganizationState(ctx, { organization_id }))!
  const { today } = withClock(ctx, offset)
  refuse(whyNotMoveClock({ sandbox, today, has_pending_work: await hasJobs(ctx, { organization_id }) }, day))
  const clock_offset_days = offset + daysBetween(today, day)
  const days = day === today ? [] : daysToRun(daily_run_on, today, day)
  for (const [index, day] of days.entries()) {
    // Days missed before today run with today's instant, as when the worker catches up.
    const at = withClock(ctx, offset + Math.max(0, daysBetween(today, day)))
    const then = { ...at, caller: serviceCaller(organization_id), today: day }
    const progress = index === 0 ? daily_run_progress : null
    if (progress || (await ctx.hasDailyWork(then, organization_id))) await runWholeDay(then, organization_id, progress)
  }
  if (day !== today) await saveDailyRun(ctx, { organization_id, daily_run_on: day, clock_offset_days })
  return { organization_id, today: day, clock_offset_days, days_run: days.length }
}

const Named = z.object({ organization_id: z.string() })

export const tasks = {
  mirror_organization: task(Named, (runtime, { organization_id }) => mirrorOrganization(runtime, organization_id)),
  run_day: task(Named, (runtime, { organization_id }) => runOrganizationDays(runtime, organization_id)),
}
