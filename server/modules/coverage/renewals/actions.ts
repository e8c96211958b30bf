import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { addDays } from '../../../kernel/days.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { recordEventOfEach } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { repriceAmendedElections } from '../elections/price-actions.ts'
import { insertRenewals, type RenewedElectionRecord } from '../elections/queries.ts'
import { recalculate, waiveReplacedChoices } from '../enrollments/actions.ts'
import { saveRenewedAnswers } from '../enrollments/answer-queries.ts'
import { saveRenewedOn } from '../plan-years/queries.ts'
import { findDueYear, findRenewingYear, decideRenewals, listRoster, type RosterKey } from './queries.ts'
import { isRenewalOpen, isDue, isLapsing, renewedElection, type RenewalJudgement, type RenewingYear } from './rules.ts'

/** The number of employees in one transaction of a job. */
const chunk_size = 1000

const kind = 'enrollment_lapsing'

/**
 * Renews a plan year for employees. A second run changes nothing. The organization must be locked.
 *
 * 1. `judge-renewal.sql` decides for each employee and benefit: carried over, answered, lapses, or nothing to carry.
 * The preview of a renewal (`GET …/renewal`) uses the same statement.
 * 2. If a passive renewal is due, elections and waivers are carried over at the prices of the new plan year
 * (`renewedElection` in `rules.ts`), with evidence and the event `enrollment.renewed`, and `recalculate` follows.
 * 3. Other benefits of a choice group are waived.
 * 4. A task `enrollment_lapsing` opens for coverage that ends unless the employee answers, and closes once the employee
 * has answered.
 */
async function renew(ctx: Ctx, year: RenewingYear, employee_ids: string[]): Promise<void> {
  const { organization_id, employer_id, coverage_start } = year
  const judged = await decideRenewals(ctx, year, employee_ids)
  if (isRenewalOpen(year, ctx.today)) {
    await carryAnswers(ctx, organization_id, judged.flatMap(renewalAnswers))
    const others = judged.filter(({ answer, outcome }) => answer === null && outcome !== 'carried')
    await waiveReplacedChoices(
      ctx,
      organization_id,
      others.flatMap(({ enrollment_id }) => enrollment_id ?? []),
    )
  }
  const lapsing = judged.filter((judgement) => isLapsing(judgement, year, ctx.today))
  const settled = judged
    .filter((judgement) => !lapsing.includes(judgement))
    .flatMap(({ enrollment_id }) => enrollment_id ?? [])
  await openTasks(
    ctx,
    lapsing.map(({ enrollment_id, former_enrollment_id, employee_id, benefit_id, reason }) => ({
      kind,
      organization_id,
      employer_id,
      resource_id: enrollment_id!,
      details: {
        benefit_plan_year_id: year.id,
        employee_id,
        benefit_id,
        former_enrollment_id,
        reason,
        coverage_ends_on: addDays(coverage_start, -1),
      },
    })),
  )
  await closeTasks(ctx, { organization_id, kinds: [kind] }, settled)
}

/** The answer that a renewal saves for an employee without one. */
function renewalAnswers(judged: RenewalJudgement): CarriedAnswer[] {
  const { outcome, answer, carries, enrollment_id, employee_id, waiver_reason, waiver_code } = judged
  if (outcome !== 'carried' || answer !== null || enrollment_id === null) return []
  const election = renewedElection(judged)
  if (carries === 'enrolled' && !election) return []
  return [
    {
      enrollment_id,
      employee_id,
      answer: carries,
      waiver_reason: carries === 'waived' ? waiver_reason : null,
      waiver_code: carries === 'waived' ? waiver_code : null,
      election: election ?? null,
    },
  ]
}

/**
 * Renews a plan year for the next employees of the roster, at most `most`. Returns the last of them, or null if the
 * roster is complete. `settles`: the enrollments of these employees may not be granted yet.
 */
async function renewNext(
  ctx: Ctx,
  year: RenewingYear,
  { after, most, settles }: { after: RosterKey | null; most: number; settles: boolean },
): Promise<RosterKey | null> {
  const people = await listRoster(ctx, year, after, most)
  const employee_ids = people.map(({ id }) => id)
  if (settles) await recalculate(ctx, year.organization_id, employee_ids)
  if (people.length > 0) await renew(ctx, year, employee_ids)
  if (people.length === most) return people.at(-1)!
  if (isDue(year, ctx.today)) await saveRenewedOn(ctx, { organization_id: year.organization_id, plan_year_id: year.id })
  return null
}

/** The progress of the daily run: a plan year and the last employee. If `after` is null, the plan year is complete. */
const Progress = z.object({
  plan_year_id: z.string(),
  after: z.object({ id: z.string() }).nullable(),
})

/** The daily run: renews plan years, and opens tasks for coverage that will lapse when windows open. */
export async function dailyRenewals(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const progress = chunk.after === '' ? null : Progress.parse(JSON.parse(chunk.after))
  const from = progress?.plan_year_id ?? ''
  const year = await findDueYear(ctx, { organization_id, from, done: progress?.after ? '' : from })
  if (!year) return null
  const after = year.id === progress?.plan_year_id ? progress.after : null
  const settles = isDue(year, ctx.today)
  return JSON.stringify({
    plan_year_id: year.id,
    after: await renewNext(ctx, year, { after, most: chunk.most, settles }),
  })
}

export const RenewalJob = z.object({
  organization_id: z.string(),
  plan_year_id: z.string(),
  after: z.object({ id: z.string() }).nullable().default(null),
})

/**
 * Renews a plan year that was opened or changed, for the employees whose renewal is due. Each job handles one chunk of
 * the roster and enqueues the next chunk in its transaction. The recalculation after that change may not have run yet,
 * so the job grants missing enrollments first. Otherwise, tasks for coverage that will lapse would be missing.
 */
export const renewPlanYear = (
  runtime: Runtime,
  { organization_id, plan_year_id, after }: z.output<typeof RenewalJob>,
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    const year = await findRenewingYear(ctx, { organization_id, plan_year_id })
    if (!year) return
    const last = await renewNext(ctx, year, { after, most: chunk_size, settles: year.grants })
    if (!last) return
    // A separate key. With the key of the request, the next chunk would replace a newer request, which must start from
    // the first employee.
    const key = `renew:${year.employer_id}:${plan_year_id}:${last.id}`
    await ctx.enqueue('renew_plan_year', { organization_id, plan_year_id, after: last }, { key })
  })

const EmployeesJob = z.object({
  organization_id: z.string(),
  plan_year_id: z.string(),
  employee_ids: z.array(z.string()),
})

/** Renews a plan year for employees after the withdrawal of an end of coverage. Existing answers stay. */
async function renewEmployees(
  runtime: Runtime,
  { organization_id, plan_year_id, employee_ids }: z.output<typeof EmployeesJob>,
): Promise<void> {
  for (const chunk of chunksOf(employee_ids, chunk_size)) {
    await inOrganization(runtime, organization_id, async (ctx) => {
      const year = await findRenewingYear(ctx, { organization_id, plan_year_id })
      if (year) await renew(ctx, year, chunk)
    })
  }
}

/** An answer that a renewal saves for an employee without one. */
type CarriedAnswer = {
  enrollment_id: string
  employee_id: string
  answer: 'enrolled' | 'waived'
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  /** Null for a waiver. */
  election: Omit<RenewedElectionRecord, 'enrollment_id'> | null
}

/** Carries answers over into a plan year. Answers given in the meantime stay. */
async function carryAnswers(ctx: Ctx, organization_id: string, carried: CarriedAnswer[]): Promise<void> {
  if (carried.length === 0) return
  const saved = new Set(await saveRenewedAnswers(ctx, organization_id, carried))
  const renewed = carried.filter(({ enrollment_id }) => saved.has(enrollment_id))
  await insertRenewals(
    ctx,
    organization_id,
    renewed.flatMap(({ enrollment_id, election }) => (election ? [{ ...election, enrollment_id }] : [])),
  )
  await repriceAmendedElections(ctx, organization_id, [...saved])
  const entry = { action: 'renewed', by: 'renewal' } as const
  const evidence = renewed.map(({ enrollment_id, waiver_reason: reason }) => ({ enrollment_id, reason, ...entry }))
  await recordEvidence(ctx, organization_id, evidence)
  const renewed_ids = renewed.map(({ enrollment_id }) => enrollment_id)
  await recordEventOfEach(ctx, 'enrollment.renewed', organization_id, renewed_ids)
  await recalculate(ctx, organization_id, [...new Set(renewed.map(({ employee_id }) => employee_id))])
}

export const tasks = {
  renew_plan_year: task(RenewalJob, renewPlanYear),
  renew_employees: task(EmployeesJob, renewEmployees),
}
