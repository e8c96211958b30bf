import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../platform/days.ts'
import { recordEvents, type EventName } from '../../platform/events.ts'
import { generic, refuse, Refusal } from '../../platform/refusal.ts'
import { recalculate } from '../enrollments/actions.ts'
import { findEnrollmentPlace, saveAnswer, saveCorrectedDays } from '../enrollments/queries.ts'
import { lockOrganization } from '../organizations/queries.ts'
import { costOf } from '../plan-years/rules.ts'
import {
  deleteElections,
  findEnrollmentFacts,
  findRate,
  insertCorrection,
  insertCoveredDependents,
  insertElection,
} from './queries.ts'
import {
  electionDay,
  personOn,
  plan_not_offered,
  whoIsCovered,
  whyNotAnswer,
  whyNotCorrect,
  whyNotFrom,
  whyNotWaive,
  type EnrollmentFacts,
} from './rules.ts'
import type { Election, EnrollmentCorrection, Waiver } from './schemas.ts'

/** An enrollment within reach and all that an answer depends on, under the organization's lock. */
async function enterEnrollment(ctx: Ctx, enrollment_id: string): Promise<EnrollmentFacts> {
  const place = await findEnrollmentPlace(ctx, { enrollment_id })
  if (place) await lockOrganization(ctx, place.organization_id)
  const enrollment = await findEnrollmentFacts(ctx, enrollment_id)
  if (!enrollment) throw new Refusal(generic.not_found)
  return enrollment
}

/**
 * Elects a plan and tier, or changes the election: 409 outside of the windows, 422 for what is not offered and for
 * dependents who can't be covered or don't fit the tier.
 */
export async function electEnrollment(ctx: Ctx, enrollment_id: string, election: Election): Promise<void> {
  const enrollment = await enterEnrollment(ctx, enrollment_id)
  refuse(whyNotAnswer(enrollment, ctx.today))
  const day = electionDay(enrollment, ctx.today)
  refuse(whyNotFrom(enrollment, day))
  await saveElection(ctx, enrollment, election, day)
  await tell(ctx, enrollment, ['enrollment.elected', 'enrollment.accepted'])
  await recalculate(ctx, enrollment.organization_id, [enrollment.employee_id])
}

/** Prices an election by the plan year's list and writes it with those it covers. */
async function saveElection(ctx: Ctx, enrollment: EnrollmentFacts, election: Election, day: Day): Promise<void> {
  const { plan_id, coverage_tier, dependent_ids } = election
  const rate = await findRate(ctx, enrollment, plan_id, coverage_tier)
  if (!rate) return refuse(plan_not_offered, { field: 'plan_id', message: 'is not offered in this tier' })
  const covered = whoIsCovered(enrollment.dependents, coverage_tier, dependent_ids, day)
  if (!Array.isArray(covered)) return refuse(covered)

  const first = enrollment.answer !== 'enrolled'
  const whole = first || day <= enrollment.coverage_start
  await deleteElections(ctx, enrollment, whole ? null : day)
  const cost = costOf({ ...rate, coverage_tier }, enrollment.contribution_strategy, personOn(enrollment, day))
  const effective_on = whole ? '-infinity' : day
  await insertElection(ctx, enrollment, { ...cost, plan_id, coverage_tier, tier_id: rate.tier_id, effective_on })
  const rows = covered.map((one) => ({ dependent_id: one.id, covered_until: one.covered_until }))
  if (rows.length > 0) await insertCoveredDependents(ctx, enrollment, effective_on, rows)
  await saveAnswer(ctx, enrollment.organization_id, enrollment.id, {
    answer: 'enrolled',
    waiver_reason: null,
    coverage_start: first ? day : enrollment.coverage_start,
    coverage_start_fixed: first && day !== enrollment.coverage_start,
  })
}

/** Waives a benefit: 409 outside of the windows and once coverage has begun. Waiving what is waived changes nothing. */
export async function waiveEnrollment(ctx: Ctx, enrollment_id: string, { reason }: Waiver): Promise<void> {
  const enrollment = await enterEnrollment(ctx, enrollment_id)
  refuse(whyNotWaive(enrollment, ctx.today))
  if (enrollment.answer === 'waived') return
  await saveWaiver(ctx, enrollment, reason ?? null)
  await recalculate(ctx, enrollment.organization_id, [enrollment.employee_id])
}

async function saveWaiver(ctx: Ctx, enrollment: EnrollmentFacts, waiver_reason: string | null): Promise<void> {
  const { id, organization_id, coverage_start } = enrollment
  await deleteElections(ctx, enrollment, null)
  await saveAnswer(ctx, organization_id, id, {
    answer: 'waived',
    waiver_reason,
    coverage_start,
    coverage_start_fixed: false,
  })
  await tell(ctx, enrollment, ['enrollment.waived'])
}

const tell = (ctx: Ctx, { id, organization_id }: EnrollmentFacts, names: EventName[]) =>
  recordEvents(
    ctx,
    names.map((event_name) => ({ event_name, organization_id, resource_id: id })),
  )

/**
 * Sets an enrollment right for the operator, outside of the windows; the reason is kept. Days that are set stay as
 * they are whatever is recalculated; null gives one back to the rules.
 */
export async function correctEnrollment(
  ctx: Ctx,
  enrollment_id: string,
  correction: EnrollmentCorrection,
): Promise<void> {
  const enrollment = await enterEnrollment(ctx, enrollment_id)
  const { organization_id, employee_id } = enrollment
  const { election, waive, coverage_start, coverage_end, reason } = correction
  refuse(whyNotCorrect(enrollment, correction, ctx.today))
  if (election) {
    const start = coverage_start ?? enrollment.coverage_start
    await saveElection(ctx, { ...enrollment, coverage_start: start }, election, start)
    await tell(ctx, enrollment, ['enrollment.elected', 'enrollment.accepted'])
  }
  if (waive && enrollment.answer !== 'waived') await saveWaiver(ctx, enrollment, reason)
  if (coverage_start !== undefined || coverage_end !== undefined) {
    await saveCorrectedDays(ctx, organization_id, enrollment.id, { coverage_start, coverage_end })
    await tell(ctx, enrollment, endTold(enrollment, coverage_end))
  }
  await insertCorrection(ctx, enrollment, correction)
  await recalculate(ctx, organization_id, [employee_id])
}

/** An end that is set or moved; that it takes effect, or what becomes of one that is given back, the engine tells. */
const endTold = (enrollment: EnrollmentFacts, coverage_end: Day | null | undefined): EventName[] =>
  coverage_end && coverage_end !== enrollment.coverage_end ? ['enrollment.termination_rescheduled'] : []
