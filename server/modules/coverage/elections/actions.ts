import type { Ctx } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse, Refusal } from '../../../kernel/refusal.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveCorrectedDays, saveRequestedEnd } from '../enrollments/day-queries.ts'
import { saveAnswer, saveRenewedAnswers, type EnrollmentKey } from '../enrollments/queries.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import {
  daysBeside,
  givingWay,
  isStartKept,
  nextChoice,
  whyNotBeside,
  withoutSuccessor,
  type GivingWay,
  type Rival,
} from './choice-rules.ts'
import { listRivals } from './choice-queries.ts'
import type { ReturnedElection } from './return-rules.ts'
import {
  deleteElections,
  findEnrollmentFacts,
  insertCorrection,
  insertElections,
  insertRenewals,
  listPrices,
  type RenewedElectionRecord,
} from './queries.ts'
import { whyNotConsistent } from './consistency-rules.ts'
import { followAmendedPrices, followPrices } from './amended-actions.ts'
import { isAmended, pricedElections, type PricedElection } from './amended-rules.ts'
import { price, priceOf, whyNotTold, type Price } from './price-rules.ts'
import {
  type Choice,
  days_of_notice,
  electorOf,
  type EnrollmentFacts,
  isInactive,
  isNews,
  refusals,
  type Step,
  whoIsCovered,
  whyNotAnswer,
  whyNotBySelf,
  whyNotCorrect,
  whyNotFrom,
  whyNotWaive,
} from './rules.ts'
import { electionDays, type ElectionDays, firstOf, stepsOf } from './step-rules.ts'
import type { Election, EnrollmentCorrection, Waiver } from './schemas.ts'

/** All that an answer depends on. */
const factsOf = async (ctx: Ctx, { enrollment_id }: EnrollmentKey): Promise<EnrollmentFacts> =>
  (await findEnrollmentFacts(ctx, enrollment_id))!

/** An election that was looked at and is not written yet: all that it would write follows from it. */
export type PlannedElection = {
  enrollment: EnrollmentFacts
  rivals: Rival[]
  prices: Price[]
  election: Election
  steps: Step[]
  /** it goes on after the day on which it was ended on request */
  is_reissued?: boolean
}

/**
 * Looks at an election and writes nothing: 409 outside of the windows and for what could not begin any more, 422 for
 * what is not offered and for dependents who can't be covered or don't fit the tier.
 */
export async function planElection(ctx: Ctx, key: EnrollmentKey, election: Election): Promise<PlannedElection> {
  const facts = await factsOf(ctx, key)
  refuse(whyNotBySelf(facts, ctx))
  // A person who joins coverage that ended with its plan year replaces no other choice.
  const rivals = isInactive(facts, ctx.today) ? [] : await listRivals(ctx, facts)
  const enrollment = withoutSuccessor(facts, rivals)
  refuse(whyNotAnswer(enrollment, ctx.today))
  const days = daysBeside(enrollment, rivals, electionDays(enrollment, ctx.today), ctx.today)
  refuse(whyNotFrom(enrollment, firstOf(days)))
  const prices = await listPrices(ctx, enrollment)
  const steps = chosen(enrollment, prices, election, days)
  refuse(whyNotFrom(enrollment, steps[0]!.day))
  refuse(whyNotConsistent(enrollment, steps.at(-1)!, ctx.today))
  return { enrollment, rivals, prices, election, steps, is_reissued: !!facts.ended_on && !enrollment.ended_on }
}

/**
 * Elects a plan and tier, or changes the election; refuses as `planElection` does. The others of its choice group are
 * waived, or end with the day before.
 */
export async function electEnrollment(ctx: Ctx, key: EnrollmentKey, election: Election): Promise<void> {
  const planned = await planElection(ctx, key, election)
  const { enrollment, rivals, steps } = planned
  if (planned.is_reissued) await takeEndBack(ctx, key)
  await saveElections(ctx, planned)
  await recordEvidence(ctx, enrollment.organization_id, [{ enrollment_id: enrollment.id, action: 'elected' }])
  await publishAnswer(ctx, enrollment, ['enrollment.elected', 'enrollment.accepted'])
  await giveWay(ctx, givingWay(enrollment, rivals, steps[0]!.day, ctx.today), steps[0]!.day)
  await requestFollowing(ctx, enrollment, steps)
  await recalculate(ctx, enrollment.organization_id, [enrollment.employee_id])
}

/** Takes back the end on request of what is elected again. */
async function takeEndBack(ctx: Ctx, key: EnrollmentKey): Promise<void> {
  const { enrollment_id, organization_id } = key
  await saveRequestedEnd(ctx, key, null)
  await recordEvidence(ctx, organization_id, [{ enrollment_id, action: 'reissued', reason: 'It was elected again' }])
  await publish(ctx, { id: enrollment_id, organization_id }, ['enrollment.reissued'])
}

/** What holds by an election from which day on; 422 for a plan, tier or dependents that can't be elected. */
export function chosen(enrollment: EnrollmentFacts, prices: Price[], election: Election, days: ElectionDays): Step[] {
  const { plan_id, coverage_tier, dependent_ids } = election
  const wanted = priceOf(prices, election, days.day)
  if (!wanted)
    throw new Refusal(refusals.plan_not_offered, [{ field: 'plan_id', message: 'is not offered in this tier' }])
  refuse(whyNotTold(wanted, enrollment.product_code, election))
  const on = days.day < enrollment.plan_year_end ? days.day : enrollment.plan_year_end
  const born_by = [...days.arrivals, on, days.next_month ?? on].sort().at(-1)
  const covered = whoIsCovered(enrollment.dependents, coverage_tier, dependent_ids, on, born_by)
  if (!Array.isArray(covered)) throw covered instanceof Refusal ? covered : new Refusal(covered)
  return stepsOf(enrollment, { plan_id, covered }, days)
}

/** What holds by a planned election from which day on, at its price, and the first day of coverage. */
export function pricedSteps({ enrollment, prices, election, steps }: PlannedElection) {
  const start = enrollment.answer === 'enrolled' ? enrollment.coverage_start : steps[0]!.day
  const elections = steps
    .filter(({ day }) => day <= enrollment.plan_year_end)
    .map((step) => price(enrollment, prices, election, step, start))
  return { start, elections }
}

/** The same with the steps by which it will go on at prices that begin later. */
export const followedSteps = (
  { enrollment, prices }: PlannedElection,
  { start, elections }: ReturnType<typeof pricedSteps>,
): PricedElection[] =>
  isAmended(prices) ? pricedElections({ ...enrollment, coverage_start: start, elections }, prices) : elections

/** Writes what holds by an election, each step that changes something at its price, and the answer. */
async function saveElections(ctx: Ctx, planned: PlannedElection): Promise<void> {
  const { enrollment, rivals, prices } = planned
  const { answer, coverage_start } = enrollment
  const elected_by = electorOf(ctx.caller.kind)
  const joins = answer !== 'enrolled'
  const { start, elections } = pricedSteps(planned)
  const from = elections[0]!.effective_on
  const former = enrollment.elections.findLast(({ effective_on }) => effective_on < from)
  const news = elections.filter((election, at) =>
    isNews(election, elections[at - 1] ?? (former?.follows ? undefined : former)),
  )
  await deleteElections(ctx, enrollment, from)
  await insertElections(ctx, enrollment, news, elected_by)
  await saveAnswer(ctx, enrollment.organization_id, enrollment.id, {
    answer: 'enrolled',
    elected_by,
    waiver_reason: null,
    waiver_code: null,
    coverage_start: start,
    coverage_start_fixed: joins && (start !== coverage_start || isStartKept(enrollment, rivals, ctx.today)),
    choice: joins && rivals.length > 0 ? nextChoice(rivals) : null,
  })
  if (isAmended(prices)) await followPrices(ctx, enrollment.organization_id, [enrollment.id])
}

/**
 * Elects what somebody had elected before they came back, and so the others of its choice group are waived. The caller
 * keeps the evidence, and recalculates. The organization is locked.
 */
export async function electReturned(
  ctx: Ctx,
  enrollment: EnrollmentFacts,
  prices: Price[],
  { step, told, left_dependent_ids }: ReturnedElection,
): Promise<void> {
  const { organization_id, id, coverage_start } = enrollment
  const rivals = await listRivals(ctx, enrollment)
  const election = price(enrollment, prices, told, step, coverage_start)
  await insertElections(ctx, enrollment, [{ ...election, left_dependent_ids }], 'return')
  await saveAnswer(ctx, organization_id, id, {
    answer: 'enrolled',
    elected_by: 'return',
    waiver_reason: null,
    waiver_code: null,
    coverage_start,
    coverage_start_fixed: false,
    choice: rivals.length > 0 ? nextChoice(rivals) : null,
  })
  if (isAmended(prices)) await followPrices(ctx, organization_id, [id])
  await publishAnswer(ctx, enrollment, ['enrollment.resumed'])
  await giveWay(ctx, givingWay(enrollment, rivals, coverage_start, ctx.today), coverage_start)
  await requestFollowing(ctx, enrollment, [step])
}

/** Waives the others of a choice group, and ends those that were held beside since before there were groups. */
async function giveWay(ctx: Ctx, { waived, ended }: GivingWay, from: Day): Promise<void> {
  for (const rival of waived) {
    const reason = `${rival.instead} was elected instead`
    await saveWaiver(ctx, rival, { reason })
    await recordEvidence(ctx, rival.organization_id, [{ enrollment_id: rival.id, action: 'waived', reason }])
  }
  for (const { id, organization_id, instead } of ended) {
    const reason = `${instead} was elected instead`
    await saveRequestedEnd(ctx, { enrollment_id: id, organization_id }, addDays(from, -1))
    await recordEvidence(ctx, organization_id, [{ enrollment_id: id, action: 'terminated', reason }])
    await publish(ctx, { id, organization_id }, ['enrollment.termination_rescheduled'])
  }
}

/** Has what follows from the ends of covered dependents done, within seconds, where one is near or past. */
export async function requestFollowing(ctx: Ctx, { organization_id, dependents }: EnrollmentFacts, steps: Choice[]) {
  const near = addDays(ctx.today, days_of_notice)
  const dependent_ids = dependents
    .filter(({ id, covered_until }) => covered_until !== null && covered_until <= near && isListed(steps, id))
    .map(({ id }) => id)
  if (dependent_ids.length > 0) await ctx.enqueue('follow_dependents', { organization_id, dependent_ids })
}

const isListed = (steps: Choice[], id: string) => steps.some(({ dependent_ids }) => dependent_ids.includes(id))

/** Looks at a waiver and writes nothing: 409 outside of the windows and once coverage has begun. */
export async function planWaiver(ctx: Ctx, key: EnrollmentKey): Promise<EnrollmentFacts> {
  const enrollment = await factsOf(ctx, key)
  refuse(whyNotBySelf(enrollment, ctx))
  refuse(whyNotWaive(enrollment, ctx.today))
  return enrollment
}

/** Waives a benefit, perhaps again; refuses as `planWaiver` does. */
export async function waiveEnrollment(ctx: Ctx, key: EnrollmentKey, waiver: Waiver): Promise<void> {
  const { reason } = waiver
  const enrollment = await planWaiver(ctx, key)
  await saveWaiver(ctx, enrollment, waiver)
  const waived = { enrollment_id: enrollment.id, action: 'waived', reason } as const
  await recordEvidence(ctx, enrollment.organization_id, [waived])
  await recalculate(ctx, enrollment.organization_id, [enrollment.employee_id])
}

/** What of an enrollment a waiver needs. */
type Waived = Pick<EnrollmentFacts, 'id' | 'organization_id' | 'coverage_start'>

async function saveWaiver(ctx: Ctx, enrollment: Waived, { reason, reason_code }: Waiver): Promise<void> {
  const { id, organization_id, coverage_start } = enrollment
  await deleteElections(ctx, enrollment, '-infinity')
  await saveAnswer(ctx, organization_id, id, {
    answer: 'waived',
    elected_by: electorOf(ctx.caller.kind),
    waiver_reason: reason ?? null,
    waiver_code: reason_code ?? null,
    coverage_start,
    coverage_start_fixed: false,
    choice: null,
  })
  await publishAnswer(ctx, enrollment, ['enrollment.waived'])
}

type Published = Pick<EnrollmentFacts, 'id' | 'organization_id'>

/** Tells of an answer; who waits for one, waits no more. */
async function publishAnswer(ctx: Ctx, enrollment: Published, names: EventName[]): Promise<void> {
  const { id, organization_id } = enrollment
  await closeTasks(ctx, { organization_id, kind: 'enrollment_lapsing' }, [id])
  await closeTasks(ctx, { organization_id, kind: 'enrollment_superseded' }, [id])
  await publish(ctx, enrollment, names)
}

const publish = (ctx: Ctx, { id, organization_id }: Published, names: EventName[]) =>
  recordEvents(
    ctx,
    names.map((event_name) => ({ event_name, organization_id, resource_id: id })),
  )

/** What a renewal answers for somebody who has not. */
export type CarriedAnswer = {
  enrollment_id: string
  employee_id: string
  answer: 'enrolled' | 'waived'
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  /** null for a waiver */
  election: Omit<RenewedElectionRecord, 'enrollment_id'> | null
}

/**
 * Answers for those who have not, as a renewal carries them over; who has answered by then keeps their answer. The
 * organization is locked.
 */
export async function carryAnswers(ctx: Ctx, organization_id: string, carried: CarriedAnswer[]): Promise<void> {
  if (carried.length === 0) return
  const saved = new Set(await saveRenewedAnswers(ctx, organization_id, carried))
  const renewed = carried.filter(({ enrollment_id }) => saved.has(enrollment_id))
  await insertRenewals(
    ctx,
    organization_id,
    renewed.flatMap(({ enrollment_id, election }) => (election ? [{ ...election, enrollment_id }] : [])),
  )
  await followAmendedPrices(ctx, organization_id, [...saved])
  const evidence = renewed.map(({ enrollment_id, waiver_reason }) => ({ enrollment_id, reason: waiver_reason }))
  await recordEvidence(
    ctx,
    organization_id,
    evidence.map((one) => ({ ...one, action: 'renewed', by: 'renewal' })),
  )
  await recordEvents(
    ctx,
    renewed.map((one) => ({ event_name: 'enrollment.renewed', organization_id, resource_id: one.enrollment_id })),
  )
  await recalculate(ctx, organization_id, [...new Set(renewed.map(({ employee_id }) => employee_id))])
}

/**
 * Sets an enrollment right for the operator, outside of the windows; the reason is kept. Days that are set stay as
 * they are whatever is recalculated; null gives one back to the rules.
 */
export async function correctEnrollment(ctx: Ctx, key: EnrollmentKey, correction: EnrollmentCorrection): Promise<void> {
  const enrollment = await factsOf(ctx, key)
  const { organization_id, employee_id, plan_year_end } = enrollment
  const { election, waive, coverage_start, coverage_end, reason } = correction
  refuse(whyNotCorrect(enrollment, correction, ctx.today))
  const rivals = await listRivals(ctx, enrollment)
  refuse(whyNotBeside(enrollment, correction, rivals))
  if (election) await electCorrected(ctx, { enrollment, rivals }, election, coverage_start ?? enrollment.coverage_start)
  if (waive && enrollment.answer !== 'waived') await saveWaiver(ctx, enrollment, { reason })
  if (coverage_start !== undefined || coverage_end !== undefined) {
    await saveCorrectedDays(ctx, organization_id, enrollment.id, { coverage_start, coverage_end })
    await publish(ctx, enrollment, eventsOfEnd(enrollment, coverage_end))
    await requestFollowing(ctx, enrollment, enrollment.elections)
  }
  await insertCorrection(ctx, enrollment, correction)
  await recordEvidence(ctx, organization_id, [{ enrollment_id: enrollment.id, action: 'corrected', reason }])
  await recalculate(ctx, organization_id, [employee_id], plan_year_end)
}

/** Elects for the operator from a day on. */
async function electCorrected(
  ctx: Ctx,
  { enrollment, rivals }: { enrollment: EnrollmentFacts; rivals: Rival[] },
  election: Election,
  start: Day,
): Promise<void> {
  const prices = await listPrices(ctx, enrollment)
  const steps = chosen(enrollment, prices, election, { arrivals: [], day: start })
  await saveElections(ctx, {
    enrollment: { ...enrollment, coverage_start: start },
    rivals,
    prices,
    election,
    steps,
  })
  await publishAnswer(ctx, enrollment, ['enrollment.elected', 'enrollment.accepted'])
  await giveWay(ctx, givingWay(enrollment, rivals, start, ctx.today), start)
  await requestFollowing(ctx, enrollment, steps)
}

/** An end that is set or moved; that it takes effect, or what becomes of one that is given back, the engine tells. */
const eventsOfEnd = (enrollment: EnrollmentFacts, coverage_end: Day | null | undefined): EventName[] =>
  coverage_end && coverage_end !== enrollment.coverage_end ? ['enrollment.termination_rescheduled'] : []
