import { coverage_ending_notice_days, type EventName } from '../../../runtime/event-types.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveCorrectedDays, saveRequestedEnd, saveAnswer, type Answer } from '../enrollments/answer-queries.ts'
import { findEnrollment, findTieredEnrollment, type EnrollmentKey } from '../enrollments/queries.ts'
import { hasResumed } from '../enrollments/recalculation-queries.ts'
import { listMultipleEmployments } from '../eligibility/queries.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import {
  electionDaysAmongRivals,
  replacedChoices,
  isFirstDayFixed,
  nextChoice,
  whyNotExtendOverRival,
  withoutSuccessor,
  type ReplacedChoices,
  type Rival,
} from './choice-rules.ts'
import { listRivals, deleteElections, findEnrollmentFacts, insertCorrection, insertElections } from './queries.ts'
import {
  type ElectionRecord,
  price,
  priceOf,
  whyNotBoughtPlan,
  type Price,
  isAmended,
  isIchra,
  pricedElections,
  type PricedElection,
} from './price-rules.ts'
import { listPlanYearPrices, listPrices, listPricesOf } from './price-queries.ts'
import {
  whyNotConsistent,
  whyNotAnswer,
  whyNotFrom,
  whyNotWaive,
  electionDays,
  type ElectionDays,
  firstElectionDay,
  stepsOf,
} from './window-rules.ts'
import { repriceElections } from './price-actions.ts'
import {
  type Choice,
  electorOf,
  type EnrollmentFacts,
  isInactive,
  isElectionChanged,
  refusals,
  type Step,
  selectDependents,
  whyIncomplete,
  whyNotBySelf,
  whyNotCorrect,
} from './rules.ts'
import type { Election, EnrollmentCorrection, Waiver } from './schemas.ts'

/** An election that was checked but not written yet. It contains everything that the write depends on. */
export type PlannedElection = {
  enrollment: EnrollmentFacts
  rivals: Rival[]
  prices: Price[]
  election: Election
  steps: Step[]
  /** Coverage continues after the day on which it was ended on request. */
  is_reissued?: boolean
}

/**
 * Checks an election and writes nothing. Refused with 409 outside of the windows and if coverage can no longer begin;
 * with 422 if the plan is not offered, or if dependents can't be covered or don't fit the coverage level.
 */
export async function planElection(ctx: Ctx, key: EnrollmentKey, election: Election): Promise<PlannedElection> {
  const { enrollment_id: id, organization_id } = key
  const [found, others, listed] = await Promise.all([
    findEnrollmentFacts(ctx, { enrollment_id: id }),
    listRivals(ctx, { id, organization_id }),
    listPlanYearPrices(ctx, organization_id, [id]),
  ])
  const facts = found!
  const prices = (await listPricesOf(ctx, organization_id, [facts], listed)).get(id)!
  // If coverage has ended with its plan year, a change only adds people to it, and the other benefits of the group
  // stay.
  const rivals = isInactive(facts, ctx.today) ? [] : others
  return decideElection(ctx, { facts, rivals, prices }, election)
}

/** Decides an election by the facts of its enrollment. Refuses like `planElection`. */
export function decideElection(
  ctx: Ctx,
  { facts, rivals, prices }: { facts: EnrollmentFacts; rivals: Rival[]; prices: Price[] },
  election: Election,
): PlannedElection {
  refuse(whyNotBySelf(facts, ctx))
  const enrollment = withoutSuccessor(facts, rivals)
  refuse(whyNotAnswer(enrollment, ctx.today))
  const days = electionDaysAmongRivals(enrollment, rivals, electionDays(enrollment, ctx.today), ctx.today)
  refuse(whyNotFrom(enrollment, firstElectionDay(days)))
  const steps = electionSteps(enrollment, prices, election, days)
  refuse(whyNotFrom(enrollment, steps[0]!.day))
  refuse(whyNotConsistent(enrollment, steps.at(-1)!, ctx.today))
  const covered = enrollment.dependents.filter(({ id }) => steps.some((step) => step.dependent_ids.includes(id)))
  refuse(whyIncomplete(covered, enrollment))
  return { enrollment, rivals, prices, election, steps, is_reissued: !!facts.ended_on && !enrollment.ended_on }
}

/**
 * Elects a plan and coverage level, or changes the election. Refuses like `planElection`. In this order:
 * 1. The election is checked, its first day is calculated (`window-rules.ts`), and it is priced
 * (`price-rules.ts`).
 * 2. It is saved with its covered dependents. The open tasks of the enrollment close. Evidence and the events
 * `enrollment.elected` and `enrollment.accepted` are recorded.
 * 3. The other benefits of the choice group are waived, or end on the day before (`choice-rules.ts`).
 * 4. A job handles the covered dependents with an upcoming end of coverage (`dependent-coverage/actions.ts`).
 * 5. `recalculate` (`enrollments/actions.ts`) updates days and counts. Statements and invoices follow from those.
 *
 * Returns the enrollment as JSON. It is read in the same round trip, after the statements that update its days.
 */
export async function electEnrollment(ctx: Ctx, key: EnrollmentKey, election: Election): Promise<string | undefined> {
  const { enrollment_id, organization_id, employee_id } = key
  const [planned, multiple_ids, has_resumed] = await Promise.all([
    planElection(ctx, key, election),
    listMultipleEmployments(ctx, { organization_id, employee_ids: [employee_id] }),
    hasResumed(ctx, { organization_id, employee_id }),
  ])
  const { enrollment, steps } = planned
  if (planned.is_reissued) await withdrawEnd(ctx, key)
  await saveElections(ctx, planned)
  await ctx.db.send([recordEvidence(ctx, organization_id, [{ enrollment_id: enrollment.id, action: 'elected' }])])
  await publishElection(ctx, planned, steps[0]!.day)
  const options = { multiple_ids, keeps_eligibility: true, has_resumed: has_resumed || multiple_ids.length > 0 }
  const [, json] = await Promise.all([
    recalculate(ctx, organization_id, [employee_id], options),
    isIchra(enrollment.product_code)
      ? findEnrollment(ctx, enrollment_id)
      : findTieredEnrollment(ctx, { enrollment_id }),
  ])
  return json
}

/** Publishes an election, and waives or ends the other benefits of the choice group as of a day. */
async function publishElection(ctx: Ctx, { enrollment, rivals, steps }: PlannedElection, from: Day): Promise<void> {
  await publishAnswer(ctx, enrollment, ['enrollment.elected', 'enrollment.accepted'])
  await replaceChoices(ctx, replacedChoices(enrollment, rivals, from, ctx.today), from)
  await requestDependentEnds(ctx, enrollment, steps)
}

/** Withdraws the requested end of coverage that is elected again. */
async function withdrawEnd(ctx: Ctx, key: EnrollmentKey): Promise<void> {
  const { enrollment_id, organization_id } = key
  await saveRequestedEnd(ctx, { ...key, day: null })
  await recordEvidence(ctx, organization_id, [
    { enrollment_id, action: 'reissued', reason: 'Coverage was elected again' },
  ])
  await publish(ctx, { id: enrollment_id, organization_id }, ['enrollment.reissued'])
}

/**
 * The steps of an election, each with its first day. Refused with 422 for a plan, coverage level or dependents that
 * can't be elected.
 */
function electionSteps(enrollment: EnrollmentFacts, prices: Price[], election: Election, days: ElectionDays): Step[] {
  const { plan_id, coverage_tier, dependent_ids } = election
  const wanted = priceOf(prices, election, days.day)
  if (!wanted)
    throw new Refusal(refusals.plan_not_offered, [
      { field: 'plan_id', message: 'is not offered with this coverage level' },
    ])
  refuse(whyNotBoughtPlan(wanted, enrollment.product_code, election))
  const on = days.day < enrollment.plan_year_end ? days.day : enrollment.plan_year_end
  const born_by = [...days.arrivals, on, days.next_month ?? on].sort().at(-1)
  const covered = selectDependents(enrollment.dependents, coverage_tier, dependent_ids, on, born_by)
  if (covered instanceof Refusal) throw covered
  return stepsOf(enrollment, { plan_id, covered }, days)
}

/**
 * The elections that result from a planned election, each with its first day and its price, and the first day of
 * coverage.
 */
export function pricedSteps({ enrollment, prices, election, steps }: PlannedElection) {
  const start = enrollment.answer === 'enrolled' ? enrollment.coverage_start : steps[0]!.day
  const elections = steps
    .filter(({ day }) => day <= enrollment.plan_year_end)
    .map((step) => price(enrollment, prices, election, step, start))
  return { start, elections }
}

/** Adds the steps for prices that begin later to these elections. */
export const addPriceSteps = (
  { enrollment, prices }: PlannedElection,
  { start, elections }: ReturnType<typeof pricedSteps>,
): PricedElection[] =>
  isAmended(prices) ? pricedElections({ ...enrollment, coverage_start: start, elections }, prices) : elections

/** Saves the election and those of its steps that change something, each with its price. */
async function saveElections(ctx: Ctx, planned: PlannedElection): Promise<void> {
  const { enrollment, prices } = planned
  const { answer, elections } = electedRows(ctx, planned)
  const former = enrollment.elections.findLast(({ effective_on }) => effective_on < elections[0]!.effective_on)
  const is_known = former && !former.follows && !isElectionChanged(elections[0]!, former)
  const replaces = enrollment.elections.some(({ effective_on }) => effective_on >= elections[0]!.effective_on)
  await ctx.db.send([
    replaces && deleteElections(ctx, enrollment, elections[0]!.effective_on),
    insertElections(ctx, enrollment, is_known ? elections.slice(1) : elections, answer.elected_by),
    saveAnswer(ctx, enrollment.organization_id, enrollment.id, answer),
  ])
  if (isAmended(prices)) await repriceElections(ctx, enrollment.organization_id, [enrollment.id])
}

/** The rows that an election stores: the answer, and each step that differs from the previous one. */
export function electedRows(ctx: Ctx, planned: PlannedElection): { answer: Answer; elections: ElectionRecord[] } {
  const { enrollment, rivals } = planned
  const { start, elections } = pricedSteps(planned)
  const joins = enrollment.answer !== 'enrolled'
  const moves_start = start !== enrollment.coverage_start || isFirstDayFixed(enrollment, rivals, ctx.today)
  return {
    answer: {
      answer: 'enrolled',
      elected_by: electorOf(ctx.caller.kind),
      waiver_reason: null,
      waiver_code: null,
      coverage_start: start,
      coverage_start_fixed: joins && moves_start,
      choice: joins && rivals.length > 0 ? nextChoice(rivals) : null,
    },
    elections: elections.filter((election, index) => isElectionChanged(election, elections[index - 1])),
  }
}

export const waiverAnswer = (ctx: Ctx, coverage_start: Day, { reason, reason_code }: Waiver): Answer => ({
  answer: 'waived',
  elected_by: electorOf(ctx.caller.kind),
  waiver_reason: reason ?? null,
  waiver_code: reason_code ?? null,
  coverage_start,
  coverage_start_fixed: false,
  choice: null,
})

/** Waives the other benefits of a choice group, and ends those that the employee holds alongside an elected one. */
export async function replaceChoices(ctx: Ctx, { waived, ended }: ReplacedChoices, from: Day): Promise<void> {
  for (const rival of waived) {
    const reason = `${rival.instead} was elected instead`
    await saveWaiver(ctx, rival, { reason })
    await recordEvidence(ctx, rival.organization_id, [{ enrollment_id: rival.id, action: 'waived', reason }])
  }
  for (const { id, organization_id, instead } of ended) {
    const reason = `${instead} was elected instead`
    await saveRequestedEnd(ctx, { enrollment_id: id, organization_id, day: addDays(from, -1) })
    await recordEvidence(ctx, organization_id, [{ enrollment_id: id, action: 'terminated', reason }])
    await publish(ctx, { id, organization_id }, ['enrollment.termination_rescheduled'])
  }
}

/** Enqueues the follow-up of covered dependents with a near or past end of coverage. */
export async function requestDependentEnds(
  ctx: Ctx,
  { organization_id, dependents }: EnrollmentFacts,
  steps: Choice[],
) {
  const near = addDays(ctx.today, coverage_ending_notice_days)
  const dependent_ids = dependents
    .filter(({ id, covered_until }) => covered_until !== null && covered_until <= near && isListed(steps, id))
    .map(({ id }) => id)
  if (dependent_ids.length > 0) await ctx.enqueue('follow_dependents', { organization_id, dependent_ids })
}

const isListed = (steps: Choice[], id: string) => steps.some(({ dependent_ids }) => dependent_ids.includes(id))

/** Checks a waiver and writes nothing. Refused with 409 outside of the windows and once coverage has begun. */
export async function planWaiver(ctx: Ctx, key: EnrollmentKey): Promise<EnrollmentFacts> {
  const enrollment = (await findEnrollmentFacts(ctx, key))!
  refuse(whyNotBySelf(enrollment, ctx))
  refuse(whyNotWaive(enrollment, ctx.today))
  return enrollment
}

/** Waives a benefit, possibly again. Refuses like `planWaiver`. */
export async function waiveEnrollment(ctx: Ctx, key: EnrollmentKey, waiver: Waiver): Promise<void> {
  const { reason } = waiver
  const enrollment = await planWaiver(ctx, key)
  await saveWaiver(ctx, enrollment, waiver)
  const waived = { enrollment_id: enrollment.id, action: 'waived', reason } as const
  await recordEvidence(ctx, enrollment.organization_id, [waived])
  await recalculate(ctx, enrollment.organization_id, [enrollment.employee_id], { keeps_eligibility: true })
}

/** The fields of an enrollment that a waiver needs. */
type Waived = Pick<EnrollmentFacts, 'id' | 'organization_id' | 'coverage_start'>

async function saveWaiver(ctx: Ctx, enrollment: Waived, waiver: Waiver): Promise<void> {
  const { id, organization_id, coverage_start } = enrollment
  await ctx.db.send([
    deleteElections(ctx, enrollment, '-infinity'),
    saveAnswer(ctx, organization_id, id, waiverAnswer(ctx, coverage_start, waiver)),
  ])
  await publishAnswer(ctx, enrollment, ['enrollment.waived'])
}

type Published = Pick<EnrollmentFacts, 'id' | 'organization_id'>

/** The kinds of tasks that wait for an election or waiver. */
export const kinds_awaiting_answer = ['enrollment_lapsing', 'enrollment_superseded'] as const

/** Publishes an election or waiver, and closes the tasks that wait for one. */
export async function publishAnswer(ctx: Ctx, enrollment: Published, names: EventName[]): Promise<void> {
  const { id, organization_id } = enrollment
  await ctx.db.send([closeTasks(ctx, { organization_id, kinds: kinds_awaiting_answer }, [id])])
  await publish(ctx, enrollment, names)
}

const publish = (ctx: Ctx, { id, organization_id }: Published, names: EventName[]) =>
  recordEvents(
    ctx,
    names.map((event_name) => ({ event_name, organization_id, resource_id: id })),
  )

/**
 * Corrects an enrollment for the operator, outside of the windows. The reason is stored. No recalculation changes the
 * days that the operator sets. Null removes the correction of a day.
 */
export async function correctEnrollment(ctx: Ctx, key: EnrollmentKey, correction: EnrollmentCorrection): Promise<void> {
  const enrollment = (await findEnrollmentFacts(ctx, key))!
  const { organization_id, employee_id, plan_year_end } = enrollment
  const { election, waive, coverage_start, coverage_end, reason } = correction
  refuse(whyNotCorrect(enrollment, correction, ctx.today))
  const rivals = await listRivals(ctx, enrollment)
  refuse(whyNotExtendOverRival(enrollment, correction, rivals))
  if (election) {
    const start = coverage_start ?? enrollment.coverage_start
    const prices = await listPrices(ctx, enrollment)
    const steps = electionSteps(enrollment, prices, election, { arrivals: [], day: start })
    const planned = { enrollment: { ...enrollment, coverage_start: start }, rivals, prices, election, steps }
    await saveElections(ctx, planned)
    await publishElection(ctx, planned, start)
  }
  if (waive && enrollment.answer !== 'waived') await saveWaiver(ctx, enrollment, { reason })
  if (coverage_start !== undefined || coverage_end !== undefined) {
    await saveCorrectedDays(ctx, organization_id, enrollment.id, { coverage_start, coverage_end })
    await publish(ctx, enrollment, eventsOfEnd(enrollment, coverage_end))
    await requestDependentEnds(ctx, enrollment, enrollment.elections)
  }
  await insertCorrection(ctx, enrollment, correction)
  await recordEvidence(ctx, organization_id, [{ enrollment_id: enrollment.id, action: 'corrected', reason }])
  await recalculate(ctx, organization_id, [employee_id], { since: plan_year_end })
}

/**
 * The event for an end that is set or moved. The recalculation publishes the end when it takes effect or is withdrawn.
 */
const eventsOfEnd = (enrollment: EnrollmentFacts, coverage_end: Day | null | undefined): EventName[] =>
  coverage_end && coverage_end !== enrollment.coverage_end ? ['enrollment.termination_rescheduled'] : []
