import { chunksOf, inLanes, lastOf } from '../../../kernel/chunks.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { EventName, Fact } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inEmployer, inEmployerBeside, inOrganization, readingIn, type Runtime } from '../../../runtime/runtime.ts'
import { recordEvidence, type NewEvidence } from '../../directory/evidence/queries.ts'
import { settleEligibility } from '../eligibility/actions.ts'
import {
  listEmployeesAfter,
  listSeveralEmployments,
  listUnsettledEligibility,
  lockEmployees,
} from '../eligibility/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { addToEnrollmentCounts, addToPlanYearCounts, type CountChange } from '../plan-years/queries.ts'
import { waiveForChoices } from './choice-queries.ts'
import { listLiveEnrollments, listOpening, listOpeningIn, listDueToday } from './queries.ts'
import { listUnsettledEnrollments, saveCounted, settleEnrollments, type Settled } from './settled-queries.ts'
import { listSuperseded } from './superseded-queries.ts'
import { listDependentsEnding, listFollowing, listUnansweredAgain } from './unanswered-queries.ts'

/** What became of employees, before it is told and counted. */
type Settlement = { employee_ids: string[]; facts: Fact[]; settled: Settled[]; changes: CountChange[] }

/**
 * Recalculates who of these employees is eligible, what they are granted, and when their coverage begins and ends;
 * tells what changed, the end of eligibility before the ends of enrollments. Whatever else they were told before, run
 * again it changes nothing. `since`: a day before 92 days ago to which what was told reaches back. The organization is
 * locked. Their other employments at the same employer are recalculated with them, since service counts across those.
 */
export async function recalculate(
  ctx: Ctx,
  organization_id: string,
  asked_ids: string[],
  since: Day | null = null,
): Promise<void> {
  if (asked_ids.length > 0) await tell(ctx, organization_id, await settle(ctx, organization_id, asked_ids, since))
}

/** The first half of it, which writes nothing but rows of these people: others may be settled beside them. */
export async function settle(
  ctx: Ctx,
  organization_id: string,
  asked_ids: string[],
  since: Day | null = null,
): Promise<Settlement> {
  const several_ids = await listSeveralEmployments(ctx, organization_id, asked_ids)
  const employee_ids = several_ids.length === 0 ? asked_ids : [...new Set([...asked_ids, ...several_ids])]
  // Each statement is sent behind the one from which it follows.
  const [facts, settled] = await Promise.all([
    settleEligibility(ctx, organization_id, employee_ids),
    settleEnrollments(ctx, organization_id, { employee_ids, several_ids, since }),
  ])
  const changes = await saveCounted(ctx, organization_id, employee_ids, settled)
  return { employee_ids, facts, settled, changes }
}

/** The other half: what it comes to for the employer, for who is told of it, and for what follows. */
async function tell(
  ctx: Ctx,
  organization_id: string,
  { employee_ids, facts, settled, changes }: Settlement,
): Promise<void> {
  // What is told is put together while it is counted.
  const counted = Promise.all([
    countGranted(ctx, organization_id, settled),
    addToPlanYearCounts(ctx, organization_id, changes),
  ])
  const told = [...facts, ...settled.flatMap((one) => factsOf(organization_id, one))]
  await counted
  const ended = settled.filter(({ told }) => told === 'terminated').map(({ id }) => id)
  await closeTasks(ctx, { organization_id, kind: 'enrollment_lapsing' }, ended)
  await tellSuperseded(ctx, organization_id, settled)
  await recordEvidence(ctx, organization_id, settled.flatMap(evidenceOf))
  await recordEvents(ctx, told)
  await waiveBeside(
    ctx,
    organization_id,
    settled.filter(({ opens_window, beside_choices }) => opens_window && beside_choices).map(({ id }) => id),
  )
  await requestRenewals(ctx, organization_id, settled)
  await requestDependentsEnds(ctx, organization_id, settled)
  await follow(ctx, organization_id, employee_ids, settled)
}

/**
 * Waives those of enrollments without an answer whose employee holds another benefit of the choice group. The
 * organization is locked.
 */
export async function waiveBeside(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  if (enrollment_ids.length === 0) return
  const waived = await waiveForChoices(ctx, organization_id, enrollment_ids)
  await recordEvidence(
    ctx,
    organization_id,
    waived.map(({ id, reason }) => ({ enrollment_id: id, action: 'waived', reason, by: 'rule' })),
  )
  await recordEvents(
    ctx,
    waived.map(({ id }) => ({ event_name: 'enrollment.waived', organization_id, resource_id: id })),
  )
}

/**
 * Of two elections for what turned out to be one period the earlier enrollment goes on: where the later one says
 * something else, the operator is told, until that is told no more or somebody has answered in the one that goes on.
 */
async function tellSuperseded(ctx: Ctx, organization_id: string, settled: Settled[]): Promise<void> {
  const ids = settled.filter(({ told }) => told === 'terminated' || told === 'reinstated').map(({ id }) => id)
  if (ids.length === 0) return
  const pairs = await listSuperseded(ctx, organization_id, ids)
  const [open, settled_pairs] = [pairs.filter(({ differs }) => differs), pairs.filter(({ differs }) => !differs)]
  const kind = 'enrollment_superseded'
  await openTasks(
    ctx,
    open.map(({ id, employer_id, employee_id, benefit_id, superseded_enrollment_id }) => {
      const details = { employee_id, benefit_id, superseded_enrollment_id }
      return { kind, organization_id, employer_id, resource_id: id, details }
    }),
  )
  const opened = new Set(open.map(({ id }) => id))
  const closed = settled_pairs.map(({ id }) => id).filter((id) => !opened.has(id))
  await closeTasks(ctx, { organization_id, kind }, closed)
}

/** Has those renewed again, who were passed over for an end that is taken back: it may have been their only chance. */
async function requestRenewals(ctx: Ctx, organization_id: string, settled: Settled[]): Promise<void> {
  const moved = settled.filter(({ told }) => told === 'reinstated' || told === 'termination_rescheduled')
  if (moved.length === 0) return
  const ids = moved.map(({ id }) => id)
  for (const { plan_year_id, employee_ids } of await listUnansweredAgain(ctx, organization_id, ids))
    await ctx.enqueue('renew_employees', { organization_id, plan_year_id, employee_ids })
}

/** So many dependents in one job. */
const dependents_of_job = 100

/**
 * Has what follows from the ends of dependents done where coverage was moved: it may reach over an end again that was
 * followed, or was not when it came, since nobody was covered then.
 */
async function requestDependentsEnds(ctx: Ctx, organization_id: string, settled: Settled[]): Promise<void> {
  const moved = settled.filter(
    ({ told, restarted }) => restarted || told === 'reinstated' || told === 'termination_rescheduled',
  )
  if (moved.length === 0) return
  const ids = moved.map(({ id }) => id)
  for (const dependent_ids of chunksOf(await listDependentsEnding(ctx, organization_id, ids), dependents_of_job))
    await ctx.enqueue('follow_dependents', { organization_id, dependent_ids })
}

/**
 * Closes what is open of those who held two benefits of a choice group, once they hold one. Has what was elected before
 * a return elected again, within seconds, and taken away where it should not have been.
 */
async function follow(ctx: Ctx, organization_id: string, employee_ids: string[], settled: Settled[]): Promise<void> {
  const enrollment_ids = settled.filter(({ is_returned }) => is_returned).map(({ id }) => id)
  const asked = { employee_ids, enrollment_ids }
  const { decided, returned } = await listFollowing(ctx, organization_id, asked)
  await closeTasks(ctx, { organization_id, kind: 'choice_group_doubled' }, decided)
  if (returned.length > 0) await ctx.enqueue('resume_elections', { organization_id, enrollment_ids: returned })
}

/** What the rules did to an enrollment that is to be kept; a grant stands in the enrollment for good. */
function evidenceOf({ id, told, by_choice }: Settled): NewEvidence[] {
  if (told === null || told === 'granted') return []
  const reason = by_choice ? 'Another benefit of the choice group was elected' : null
  return [{ enrollment_id: id, action: actions[told], reason, by: 'rule' }]
}

const actions = { terminated: 'ended', termination_rescheduled: 'end_changed', reinstated: 'reinstated' } as const

/** The events of an enrollment: its action, and the opening of its window. */
function factsOf(organization_id: string, { id, told, opens_window }: Settled): Fact[] {
  const names: EventName[] = [
    ...(told === null ? [] : [`enrollment.${told}` as const]),
    ...(opens_window ? ['enrollment.started' as const] : []),
  ]
  return names.map((event_name) => ({ event_name, organization_id, resource_id: id }))
}

async function countGranted(ctx: Ctx, organization_id: string, settled: Settled[]): Promise<void> {
  const granted = settled.filter(({ told }) => told === 'granted').map(({ plan_year_id }) => plan_year_id)
  if (granted.length > 0) await addToEnrollmentCounts(ctx, organization_id, granted)
}

export type EmployerJob = { organization_id: string; employer_id: string }

/** How many of an employer are looked at by one statement, over two sessions beside each other. */
const looked_at_once = 5000

/** How many are settled and told in one transaction: each has others of the organization wait while it is told. */
const settled_at_once = 1250

/** How many are recalculated until both sessions have ended: whoever else comes to the employer gets in then. */
const recalculated_at_once = 5000

/**
 * Recalculates everybody of an employer, after a change of its policy or of what it offers. Who differs is looked for
 * first, without a lock: whoever changes anything about a person meanwhile recalculates that person (decision 212).
 * Where most differ, the rest are settled without a look. Killed, it begins anew.
 */
export async function recalculateEmployer(runtime: Runtime, employer: EmployerJob): Promise<void> {
  let most_differ = false
  let some: string[] = []
  do {
    some = await readingIn(runtime, employer.organization_id, (ctx) =>
      listEmployeesAfter(ctx, employer, some.at(-1), 2 * looked_at_once),
    )
    const differing: string[] = most_differ
      ? some
      : (await Promise.all(chunksOf(some, looked_at_once).map((half) => lookFor(runtime, employer, half)))).flat()
    for (const those of chunksOf(differing, recalculated_at_once)) await recalculateSome(runtime, employer, those)
    most_differ ||= differing.length > some.length / 2
  } while (some.length === 2 * looked_at_once)
}

/**
 * Recalculates some of an employer over two sessions: while what became of one chunk is told, the next is settled
 * (decision 247). The people of a chunk are locked, since another recalculation of the employer may have come beside
 * this one: throws PostgreSQL's 55P03 where it has them, and the job is tried again soon. Who has several employments
 * there comes last, one chunk after the other, since those are recalculated together.
 */
async function recalculateSome(runtime: Runtime, employer: EmployerJob, employee_ids: string[]): Promise<void> {
  const { organization_id } = employer
  const several = new Set(
    await readingIn(runtime, organization_id, (ctx) => listSeveralEmployments(ctx, organization_id, employee_ids)),
  )
  const beside = employee_ids.filter((id) => !several.has(id))
  await inLanes(2, chunksOf(beside, settled_at_once), (chunk, isIn) =>
    inEmployerBeside(
      runtime,
      employer,
      async (ctx) => {
        await lockEmployees(ctx, organization_id, chunk)
        isIn()
        return settle(ctx, organization_id, chunk)
      },
      (ctx, settlement) => tell(ctx, organization_id, settlement),
    ),
  )
  for (const chunk of chunksOf([...several], settled_at_once))
    await inEmployer(runtime, employer, (ctx) => recalculate(ctx, organization_id, chunk))
}

/** Those of these employees of whom a recalculation would write something. */
const lookFor = (runtime: Runtime, { organization_id }: EmployerJob, employee_ids: string[]): Promise<string[]> =>
  readingIn(runtime, organization_id, async (ctx) => {
    const several_ids = await listSeveralEmployments(ctx, organization_id, employee_ids)
    const [eligibility, enrollments, { decided, returned }] = await Promise.all([
      listUnsettledEligibility(ctx, organization_id, employee_ids),
      listUnsettledEnrollments(ctx, organization_id, { employee_ids, several_ids }),
      listFollowing(ctx, organization_id, { employee_ids, enrollment_ids: [] }),
    ])
    return returned.length > 0 ? employee_ids : [...new Set([...eligibility, ...enrollments, ...decided])]
  })

/** The daily run: windows open. */
export async function openWindows(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const opening = await listOpening(ctx, organization_id, chunk)
  await publishOpenWindows(ctx, organization_id, opening)
  return lastOf(opening, chunk)
}

/**
 * What else only time does to the enrollments of an organization: waiting periods end, plan years begin, coverage ends.
 */
export async function dailyEnrollments(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employee_ids = await listDueToday(ctx, organization_id, chunk)
  await recalculate(ctx, organization_id, employee_ids)
  return lastOf(employee_ids, chunk)
}

/** Tells that the open enrollment of a plan year was set so that it is open today. */
export const announceOpenEnrollment = (
  runtime: Runtime,
  { organization_id, plan_year_id }: { organization_id: string; plan_year_id: string },
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) =>
    publishOpenWindows(ctx, organization_id, await listOpeningIn(ctx, organization_id, plan_year_id)),
  )

const publishOpenWindows = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  recordEvents(
    ctx,
    enrollment_ids.map((resource_id) => ({ event_name: 'enrollment.started', organization_id, resource_id })),
  )

/**
 * Tells that a window has opened to every enrollment of an employee that is not inactive. The organization is locked.
 */
export async function announceWindow(
  ctx: Ctx,
  { organization_id, employee_ids }: { organization_id: string; employee_ids: string[] },
): Promise<void> {
  await publishOpenWindows(ctx, organization_id, await listLiveEnrollments(ctx, organization_id, employee_ids))
}
