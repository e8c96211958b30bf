import { z } from 'zod'
import { chunksOf } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { recalculate, waiveBeside } from '../enrollments/actions.ts'
import { carryAnswers, type CarriedAnswer } from '../elections/actions.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { saveRenewedOn } from '../plan-years/queries.ts'
import { findDueYear, findYear, judgeEmployees, listRoster, type RosterKey } from './queries.ts'
import { isCarrying, isDue, isLapsing, renewedElection, type RenewalJudgement, type RenewingYear } from './rules.ts'

/** Employees in one transaction of a job. */
const chunk_size = 1000

const kind = 'enrollment_lapsing'

/**
 * Renews a plan year for employees: who can be carried is, when it is due; whose coverage is about to lapse is told to
 * the operator, and who is settled is told of no more. Run again it changes nothing. The organization is locked.
 */
async function renew(ctx: Ctx, year: RenewingYear, employee_ids: string[]): Promise<void> {
  const { organization_id, employer_id, coverage_start } = year
  const judged = await judgeEmployees(ctx, year, employee_ids)
  if (isCarrying(year, ctx.today)) {
    await carryAnswers(ctx, organization_id, judged.flatMap(carriedAnswer))
    const others = judged.filter(({ answer, outcome }) => answer === null && outcome !== 'carried')
    await waiveBeside(
      ctx,
      organization_id,
      others.flatMap(({ enrollment_id }) => enrollment_id ?? []),
    )
  }
  const lapsing = judged.filter((one) => isLapsing(one, year, ctx.today))
  const settled = judged.filter((one) => !lapsing.includes(one)).flatMap(({ enrollment_id }) => enrollment_id ?? [])
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
        coverage_ends_on: coverage_start,
      },
    })),
  )
  await closeTasks(ctx, { organization_id, kind }, settled)
}

/** What is written for who is carried and has no answer yet. */
function carriedAnswer(judged: RenewalJudgement): CarriedAnswer[] {
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
 * Renews a plan year for the next so many of its roster; returns where they end, null when that was all. `settles`:
 * whether what they are granted may not be there yet.
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
  if (isDue(year, ctx.today)) await saveRenewedOn(ctx, year.organization_id, year.id)
  return null
}

/** How far the daily run is: in which plan year, and after whom; without that the plan year is done. */
const Progress = z.object({
  plan_year_id: z.string(),
  after: z.object({ id: z.string() }).nullable(),
})

/** The daily run: plan years are renewed, and whose coverage is about to lapse is told when windows open. */
export async function dailyRenewals(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const progress = chunk.after === null ? null : Progress.parse(JSON.parse(chunk.after))
  const from = progress?.plan_year_id ?? ''
  const year = await findDueYear(ctx, organization_id, { from, done: progress?.after ? '' : from })
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
 * Renews a plan year that was opened or changed as far as it is due, a chunk of its roster in each job: the next is
 * asked for in the transaction of the one before. The recalculation that the change asked for may still wait: what is
 * granted by now is granted first, or nobody would be told of those who are about to lapse.
 */
export const renewPlanYear = (
  runtime: Runtime,
  { organization_id, plan_year_id, after }: z.output<typeof RenewalJob>,
): Promise<void> =>
  inOrganization(runtime, organization_id, async (ctx) => {
    const year = await findYear(ctx, organization_id, plan_year_id)
    if (!year) return
    const last = await renewNext(ctx, year, { after, most: chunk_size, settles: year.grants })
    if (!last) return
    // Of its own, or it would take the place of a request to begin anew, made since by who changed the terms.
    const key = `renew:${year.employer_id}:${plan_year_id}:${last.id}`
    await ctx.enqueue('renew_plan_year', { organization_id, plan_year_id, after: last }, { key })
  })

export const EmployeesJob = z.object({
  organization_id: z.string(),
  plan_year_id: z.string(),
  employee_ids: z.array(z.string()),
})

/** Renews a plan year for employees of whom an end was taken back; who has an answer keeps it. */
export async function renewEmployees(
  runtime: Runtime,
  { organization_id, plan_year_id, employee_ids }: z.output<typeof EmployeesJob>,
): Promise<void> {
  for (const chunk of chunksOf(employee_ids, chunk_size)) {
    await inOrganization(runtime, organization_id, async (ctx) => {
      const year = await findYear(ctx, organization_id, plan_year_id)
      if (year) await renew(ctx, year, chunk)
    })
  }
}
