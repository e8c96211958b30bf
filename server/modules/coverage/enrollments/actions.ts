import type { EmployerKey } from '../../access/auth/queries.ts'
import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { chunksOf, runInLanes, lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Day } from '../../../kernel/days.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import type { EventName, NewEvent } from '../../../runtime/event-types.ts'
import { sendAtCommit, recordEventOfEach, recordEvents } from '../../../runtime/events.ts'
import {
  inEmployer,
  inEmployerConcurrently,
  readInOrganization,
  type Runtime,
  inOrganization,
} from '../../../runtime/runtime.ts'
import { recordEvidence, type NewEvidence } from '../../directory/evidence/queries.ts'
import { settleEligibility } from '../eligibility/actions.ts'
import {
  listEmployeesAfter,
  listMultipleEmployments,
  listUnsettledEligibility,
  lockEmployees,
} from '../eligibility/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { addToPlanYearCounts, type CountChange } from '../plan-years/queries.ts'
import { waiveForChoices } from './answer-queries.ts'
import {
  listDueToday,
  listUnsettledEnrollments,
  settleEnrollments,
  type Settled,
  listLiveEnrollments,
  listOpening,
  listOpeningIn,
  listSuperseded,
  listDependentsEnding,
  listReturned,
  listUnansweredAgain,
} from './recalculation-queries.ts'
import { isDeepStrictEqual } from 'node:util'
import { findEnrollment, listEnrollments } from './queries.ts'
import type { AnyEnrollment } from './schemas.ts'

/** Changes of employees that are saved, but not yet counted and published. */
type Settlement = {
  employee_ids: string[]
  events: NewEvent[]
  settled: Settled[]
  changes: CountChange[]
  returned_ids: string[]
}

/**
 * Updates the coverage of employees after any change: a hire, a termination, an election, a life event, a new policy or
 * plan year. A second run changes nothing.
 *
 * The effects of a termination, in order:
 * 1. The periods of eligibility end (`eligibility/judge-eligibilities.sql`).
 * 2. Enrollments without a period end with the month, and missing ones are granted (`grants/judge-enrollments.sql`,
 * written by `settle-enrollments.sql`). The same statement resolves choice groups and duplicates.
 * 3. The counts of plan years are updated (`recalculation-queries.ts`), and tasks of ended enrollments close.
 * 4. Evidence and events are recorded: first `employee.eligibility_terminated`, then `enrollment.terminated`.
 * 5. Jobs follow up: renewals (`renewals/actions.ts`), dependents
 * (`dependent-coverage/actions.ts`) and elections of employees who returned (`returns/actions.ts`).
 *
 * Paychecks and invoices are not changed here. The next statement (`money/deductions/line-rules.ts`) and the next
 * invoice (`money/billing/rules.ts`) compare the new days of coverage with the charges so far and carry the correction.
 *
 * The organization must be locked. Other employments of the same people at the same employer are recalculated too,
 * because service counts across them.
 */
export async function recalculate(
  ctx: Ctx,
  organization_id: string,
  requested_ids: string[],
  options: RecalculationOptions = {},
): Promise<void> {
  if (requested_ids.length === 0) return
  await publishSettlement(ctx, organization_id, await settle(ctx, organization_id, requested_ids, options))
}

/**
 * `since`: the first day that changed, if that is more than 92 days ago. `multiple_ids`: the result of
 * `listMultipleEmployments`, if the caller knows it. `keeps_eligibility`: the change is an election or a waiver, which
 * eligibility does not depend on. `has_resumed`: false if these employees have no resumed elections.
 */
type RecalculationOptions = {
  since?: Day | null
  multiple_ids?: string[] | undefined
  keeps_eligibility?: boolean
  has_resumed?: boolean
}

/** First phase: writes only rows of these employees, so that others can be settled at the same time. */
export async function settle(
  ctx: Ctx,
  organization_id: string,
  requested_ids: string[],
  { since = null, multiple_ids: known_ids, keeps_eligibility = false, has_resumed = true }: RecalculationOptions = {},
): Promise<Settlement> {
  const multiple_ids =
    known_ids ?? (await listMultipleEmployments(ctx, { organization_id, employee_ids: requested_ids }))
  const employee_ids = multiple_ids.length === 0 ? requested_ids : [...new Set([...requested_ids, ...multiple_ids])]
  // The statements are sent in this order, and each reads the rows that the previous ones wrote.
  const [events, { settled, changes }, returned_ids] = await Promise.all([
    keeps_eligibility ? [] : settleEligibility(ctx, organization_id, employee_ids),
    settleEnrollments(ctx, { organization_id, employee_ids, multiple_ids, since }),
    has_resumed ? listReturned(ctx, { organization_id, employee_ids, enrollment_ids: [] }) : [],
  ])
  return { employee_ids, events, settled, changes, returned_ids }
}

/** Second phase: updates counters and tasks, publishes events and enqueues follow-up jobs. */
async function publishSettlement(
  ctx: Ctx,
  organization_id: string,
  { employee_ids, events, settled, changes, returned_ids }: Settlement,
): Promise<void> {
  const idsOf = (chosen: (enrollment: Settled) => boolean) => settled.filter(chosen).map(({ id }) => id)
  const ended = idsOf(({ change }) => change === 'terminated')
  const moved = idsOf(({ change }) => change === 'reinstated' || change === 'termination_rescheduled')
  const restarted = idsOf((enrollment) => enrollment.restarted)
  await sendAtCommit(ctx, () => addToPlanYearCounts(ctx, organization_id, changes))
  await ctx.db.send([
    closeTasks(ctx, { organization_id, kinds: ['enrollment_lapsing'] }, ended),
    recordEvidence(ctx, organization_id, settled.flatMap(evidenceOf)),
  ])
  await updateSupersededTasks(ctx, organization_id, settled)
  await recordEvents(ctx, [...events, ...settled.flatMap((enrollment) => eventsOf(organization_id, enrollment))])
  const beside_ids = idsOf(({ opens_window, beside_choices }) => opens_window && beside_choices)
  await waiveReplacedChoices(ctx, organization_id, beside_ids)
  await requestRenewals(ctx, organization_id, moved)
  await requestDependentsEnds(ctx, organization_id, [...new Set([...moved, ...restarted])])
  // An enrollment that was waived in the meantime does not resume its election.
  const of_returned = idsOf((enrollment) => enrollment.is_returned)
  const enrollment_ids =
    beside_ids.length === 0 && of_returned.length === 0
      ? returned_ids
      : await listReturned(ctx, { organization_id, employee_ids, enrollment_ids: of_returned })
  if (enrollment_ids.length > 0) await ctx.enqueue('resume_elections', { organization_id, enrollment_ids })
}

/** Waives unanswered enrollments of employees with an election of another benefit of the choice group. */
export async function waiveReplacedChoices(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  if (enrollment_ids.length === 0) return
  const waived = await waiveForChoices(ctx, { organization_id, enrollment_ids })
  await recordEvidence(
    ctx,
    organization_id,
    waived.map(({ id, reason }) => ({ enrollment_id: id, action: 'waived', reason, by: 'rule' })),
  )
  const waived_ids = waived.map(({ id }) => id)
  await recordEventOfEach(ctx, 'enrollment.waived', organization_id, waived_ids)
}

/**
 * If two elections turn out to be for one period, the earlier enrollment continues. A task is open for the operator
 * while the later election differs and the earlier enrollment has no new answer.
 */
async function updateSupersededTasks(ctx: Ctx, organization_id: string, settled: Settled[]): Promise<void> {
  const ids = settled.filter(({ change }) => change === 'terminated' || change === 'reinstated').map(({ id }) => id)
  if (ids.length === 0) return
  const pairs = await listSuperseded(ctx, { organization_id, enrollment_ids: ids })
  const open = pairs.filter(({ differs }) => differs)
  const kind = 'enrollment_superseded'
  await openTasks(
    ctx,
    open.map(({ id, employer_id, employee_id, benefit_id, superseded_enrollment_id }) => {
      const details = { employee_id, benefit_id, superseded_enrollment_id }
      return { kind, organization_id, employer_id, resource_id: id, details }
    }),
  )
  const opened = new Set(open.map(({ id }) => id))
  const closed = pairs.map(({ id }) => id).filter((id) => !opened.has(id))
  await closeTasks(ctx, { organization_id, kinds: [kind] }, closed)
}

/** Enqueues renewals that were skipped because coverage had ended, if that end has moved or was withdrawn. */
async function requestRenewals(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  if (enrollment_ids.length === 0) return
  for (const { plan_year_id, employee_ids } of await listUnansweredAgain(ctx, { organization_id, enrollment_ids }))
    await ctx.enqueue('renew_employees', { organization_id, plan_year_id, employee_ids })
}

const dependents_in_a_job = 100

/**
 * Enqueues a follow-up of dependents whose coverage ends, for enrollments with moved dates. The enrollment may now end
 * before the dependent's coverage does, or after it.
 */
async function requestDependentsEnds(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  if (enrollment_ids.length === 0) return
  const ending = await listDependentsEnding(ctx, { organization_id, enrollment_ids })
  for (const dependent_ids of chunksOf(ending, dependents_in_a_job))
    await ctx.enqueue('follow_dependents', { organization_id, dependent_ids })
}

/** The evidence of an enrollment that the rules changed. A grant needs none: the enrollment itself records it. */
function evidenceOf({ id, change, by_choice }: Settled): NewEvidence[] {
  if (change === null || change === 'granted') return []
  const reason = by_choice ? 'Another benefit of the choice group was elected' : null
  return [{ enrollment_id: id, action: actions[change], reason, by: 'rule' }]
}

const actions = { terminated: 'ended', termination_rescheduled: 'end_changed', reinstated: 'reinstated' } as const

/** The events of an enrollment: its action, and the opening of its window. */
function eventsOf(organization_id: string, { id, change, opens_window }: Settled): NewEvent[] {
  const names: EventName[] = [
    ...(change === null ? [] : [`enrollment.${change}` as const]),
    ...(opens_window ? ['enrollment.started' as const] : []),
  ]
  return names.map((event_name) => ({ event_name, organization_id, resource_id: id }))
}

/** Employees compared by one statement; two statements run at the same time. */
const compared_at_once = 5000

/** Employees settled and published in one transaction, which blocks others of the organization while it publishes. */
export const employees_per_settlement = 1250

/** Employees recalculated before both sessions end, so that other writers of the employer get their turn. */
const employees_per_recalculation = 5000

/**
 * Recalculates all employees of an employer after a change of its policy or of its plan years. Employees with
 * differences are found first, without a lock: any concurrent change of a person recalculates that person
 * (docs/design/service/jobs.md). Once most differ, the rest are settled without comparing. A killed job starts again.
 */
export async function recalculateEmployer(runtime: Runtime, employer: EmployerKey): Promise<void> {
  let most_differ = false
  let employee_ids: string[] = []
  do {
    employee_ids = await readInOrganization(runtime, employer.organization_id, (ctx) =>
      listEmployeesAfter(ctx, employer, employee_ids.at(-1), 2 * compared_at_once),
    )
    const differing: string[] = most_differ
      ? employee_ids
      : (
          await Promise.all(
            chunksOf(employee_ids, compared_at_once).map((half) => listDiffering(runtime, employer, half)),
          )
        ).flat()
    for (const chunk of chunksOf(differing, employees_per_recalculation))
      await recalculateInLanes(runtime, employer, chunk)
    most_differ ||= differing.length > employee_ids.length / 2
  } while (employee_ids.length === 2 * compared_at_once)
}

/**
 * Recalculates employees over two sessions: one chunk is published while the next is settled
 * (docs/design/service/jobs.md). The employees of a chunk are locked against another recalculation of the employer, and
 * the job retries on PostgreSQL's 55P03. People with several employments come last, one chunk at a time, because those
 * are recalculated together.
 */
async function recalculateInLanes(runtime: Runtime, employer: EmployerKey, employee_ids: string[]): Promise<void> {
  const { organization_id } = employer
  const multiple_ids = new Set(
    await readInOrganization(runtime, organization_id, (ctx) =>
      listMultipleEmployments(ctx, { organization_id, employee_ids }),
    ),
  )
  const others = employee_ids.filter((id) => !multiple_ids.has(id))
  await runInLanes(2, chunksOf(others, employees_per_settlement), (chunk, startNextLane) =>
    inEmployerConcurrently(
      runtime,
      employer,
      async (ctx) => {
        await lockEmployees(ctx, { organization_id, employee_ids: chunk })
        startNextLane()
        return settle(ctx, organization_id, chunk)
      },
      (ctx, settlement) => publishSettlement(ctx, organization_id, settlement),
    ),
  )
  for (const chunk of chunksOf([...multiple_ids], employees_per_settlement))
    await inEmployer(runtime, employer, (ctx) => recalculate(ctx, organization_id, chunk))
}

/** The employees with differences between stored and recalculated coverage. */
const listDiffering = (runtime: Runtime, { organization_id }: EmployerKey, employee_ids: string[]): Promise<string[]> =>
  readInOrganization(runtime, organization_id, async (ctx) => {
    const multiple_ids = await listMultipleEmployments(ctx, { organization_id, employee_ids })
    const [eligibility, enrollments, returned] = await Promise.all([
      listUnsettledEligibility(ctx, { organization_id, employee_ids }),
      listUnsettledEnrollments(ctx, organization_id, { employee_ids, multiple_ids }),
      listReturned(ctx, { organization_id, employee_ids, enrollment_ids: [] }),
    ])
    return returned.length > 0 ? employee_ids : [...new Set([...eligibility, ...enrollments])]
  })

/** The daily run: waiting periods end, plan years begin, coverage ends. */
export async function dailyEnrollments(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const employee_ids = await listDueToday(ctx, { organization_id, ...chunk })
  await recalculate(ctx, organization_id, employee_ids)
  return lastOf(employee_ids, chunk)
}

/** One page for all enrollments of an employee. */
const all = { limit: 1000, page: 1 }

async function enrollmentsOf(ctx: Ctx, employee_id: string): Promise<AnyEnrollment[]> {
  const page = await listEnrollments(ctx, employee_id, all)
  return page === undefined ? [] : JSON.parse(page).data
}

/**
 * Runs an action and returns each enrollment of the employee that it changed, before and after. The organization must
 * be locked.
 */
export async function changesBy<Outcome>(ctx: Ctx, employee_id: string, action: () => Promise<Outcome>) {
  const before = new Map((await enrollmentsOf(ctx, employee_id)).map((enrollment) => [enrollment.id, enrollment]))
  const outcome = await action()
  const after = await enrollmentsOf(ctx, employee_id)
  const enrollments = after
    .filter((enrollment) => !isDeepStrictEqual(enrollment, before.get(enrollment.id)))
    .map((enrollment) => ({ before: before.get(enrollment.id) ?? null, after: enrollment }))
  return { outcome, enrollments }
}

/** The whole response to an action on an enrollment: the enrollment and the changes. */
export async function correctedEnrollment(ctx: Ctx, enrollment_id: string, { enrollments }: { enrollments: object[] }) {
  const enrollment = await findEnrollment(ctx, enrollment_id)
  return enrollment && `{"data":${enrollment},"enrollments":${JSON.stringify(enrollments)}}`
}

/** The daily run: publishes the windows that open today. */
export async function openWindows(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const opening = await listOpening(ctx, { organization_id, ...chunk })
  await publishOpenWindows(ctx, organization_id, opening)
  return lastOf(opening, chunk)
}

/** Publishes events for the open enrollment of a plan year, after an update of its days that opened it today. */
const announceOpenEnrollment = (
  runtime: Runtime,
  { organization_id, plan_year_id }: { organization_id: string; plan_year_id: string },
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) =>
    publishOpenWindows(ctx, organization_id, await listOpeningIn(ctx, { organization_id, plan_year_id })),
  )

const publishOpenWindows = (ctx: Ctx, organization_id: string, enrollment_ids: string[]) =>
  recordEventOfEach(ctx, 'enrollment.started', organization_id, enrollment_ids)

/**
 * Publishes the opening of a window for every enrollment of an employee that is not inactive. The organization must be
 * locked.
 */
export async function announceWindow(
  ctx: Ctx,
  { organization_id, employee_ids }: { organization_id: string; employee_ids: string[] },
): Promise<void> {
  await publishOpenWindows(ctx, organization_id, await listLiveEnrollments(ctx, { organization_id, employee_ids }))
}

export const tasks = {
  recalculate_employer: task(z.object({ organization_id: z.string(), employer_id: z.string() }), recalculateEmployer),
  announce_open_enrollment: task(
    z.object({ organization_id: z.string(), plan_year_id: z.string() }),
    announceOpenEnrollment,
  ),
}
