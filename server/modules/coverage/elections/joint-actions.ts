import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveAnswers, type Answer } from '../enrollments/queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import { chosen, pricedSteps, requestFollowing } from './actions.ts'
import { whyNotConsistent } from './consistency-rules.ts'
import { followAmendedPrices } from './amended-actions.ts'
import { listEnrollmentFacts, listGrouped, listPlanYearPrices } from './amended-queries.ts'
import { insertElectionsOf, type ElectionRecord } from './queries.ts'
import {
  electorOf,
  isNews,
  whyNotAnswer,
  whyNotBySelf,
  whyNotFrom,
  whyNotWaive,
  type EnrollmentFacts,
  type Step,
} from './rules.ts'
import { electionDays, firstOf } from './step-rules.ts'
import type { Price } from './price-rules.ts'
import type { Election, Waiver } from './schemas.ts'

/** The first answer to an enrollment: what is elected, or that the benefit is waived. */
export type FirstAnswer = { enrollment_id: string } & ({ elect: Election } | { waive: Waiver })

type PlannedAnswer = { enrollment: EnrollmentFacts; answer: Answer; elections: ElectionRecord[]; steps: Step[] }

/**
 * Gives the first answers of many people at once, as when an open enrollment was held elsewhere: each as if it were
 * elected or waived by itself, and refused as that is, in as many statements as it takes for one. None of the benefits
 * may be one of a choice group, whose others give way one by one. The organization is locked.
 */
export async function answerTogether(ctx: Ctx, organization_id: string, said: FirstAnswer[]): Promise<void> {
  if (said.length === 0) return
  const planned = await planTogether(ctx, organization_id, said)
  const ids = planned.map(({ enrollment }) => enrollment.id)
  await insertElectionsOf(
    ctx,
    organization_id,
    planned.flatMap(({ enrollment, elections }) => elections.map((one) => ({ ...one, enrollment_id: enrollment.id }))),
    electorOf(ctx.caller.kind),
  )
  await saveAnswers(
    ctx,
    organization_id,
    planned.map(({ enrollment, answer }) => ({ ...answer, enrollment_id: enrollment.id })),
  )
  await followAmendedPrices(ctx, organization_id, ids)
  await recordEvidence(
    ctx,
    organization_id,
    planned.map(({ enrollment, answer }) => ({
      enrollment_id: enrollment.id,
      action: answer.answer === 'enrolled' ? 'elected' : 'waived',
      reason: answer.waiver_reason,
    })),
  )
  for (const kind of ['enrollment_lapsing', 'enrollment_superseded'] as const)
    await closeTasks(ctx, { organization_id, kind }, ids)
  await recordEvents(
    ctx,
    planned.flatMap(({ enrollment, answer }) =>
      told[answer.answer].map((event_name) => ({ event_name, organization_id, resource_id: enrollment.id })),
    ),
  )
  for (const { enrollment, steps } of planned) await requestFollowing(ctx, enrollment, steps)
  await recalculate(ctx, organization_id, [...new Set(planned.map(({ enrollment }) => enrollment.employee_id))])
}

const told: Record<Answer['answer'], EventName[]> = {
  enrolled: ['enrollment.elected', 'enrollment.accepted'],
  waived: ['enrollment.waived'],
}

/** Looks at answers and writes nothing; refuses as one by itself is refused. */
async function planTogether(ctx: Ctx, organization_id: string, said: FirstAnswer[]): Promise<PlannedAnswer[]> {
  const ids = said.map(({ enrollment_id }) => enrollment_id)
  const enrollments = await listEnrollmentFacts(ctx, organization_id, ids)
  const grouped = await listGrouped(ctx, organization_id, ids)
  if (enrollments.length < ids.length || grouped.length > 0 || enrollments.some(({ answer }) => answer !== null))
    throw new Error('These are no first answers of benefits that stand for themselves.')
  const years = [...new Set(enrollments.map(({ plan_year_id }) => plan_year_id))]
  const listed = await listPlanYearPrices(ctx, organization_id, years)
  const keyOf = ({ plan_year_id, benefit_id }: { plan_year_id: string; benefit_id: string }) =>
    `${plan_year_id} ${benefit_id}`
  const prices = Map.groupBy(listed, keyOf)
  const answers = new Map(said.map((one) => [one.enrollment_id, one]))
  return enrollments.map((enrollment) => {
    refuse(whyNotBySelf(enrollment, ctx))
    const answer = answers.get(enrollment.id)!
    return 'elect' in answer
      ? planOne(ctx, enrollment, prices.get(keyOf(enrollment)) ?? [], answer.elect)
      : planWaived(ctx, enrollment, answer.waive)
  })
}

function planOne(ctx: Ctx, enrollment: EnrollmentFacts, prices: Price[], election: Election): PlannedAnswer {
  refuse(whyNotAnswer(enrollment, ctx.today))
  const days = electionDays(enrollment, ctx.today)
  refuse(whyNotFrom(enrollment, firstOf(days)))
  const steps = chosen(enrollment, prices, election, days)
  refuse(whyNotFrom(enrollment, steps[0]!.day))
  refuse(whyNotConsistent(enrollment, steps.at(-1)!, ctx.today))
  const { start, elections } = pricedSteps({ enrollment, rivals: [], prices, election, steps })
  const answer = {
    answer: 'enrolled',
    elected_by: electorOf(ctx.caller.kind),
    waiver_reason: null,
    waiver_code: null,
    coverage_start: start,
    coverage_start_fixed: start !== enrollment.coverage_start,
    choice: null,
  } as const
  return { enrollment, answer, steps, elections: elections.filter((one, at) => isNews(one, elections[at - 1])) }
}

function planWaived(ctx: Ctx, enrollment: EnrollmentFacts, { reason, reason_code }: Waiver): PlannedAnswer {
  refuse(whyNotWaive(enrollment, ctx.today))
  const answer = {
    answer: 'waived',
    elected_by: electorOf(ctx.caller.kind),
    waiver_reason: reason ?? null,
    waiver_code: reason_code ?? null,
    coverage_start: enrollment.coverage_start,
    coverage_start_fixed: false,
    choice: null,
  } as const
  return { enrollment, answer, steps: [], elections: [] }
}
