import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { recalculate } from '../enrollments/actions.ts'
import { saveAnswers, type Answer } from '../enrollments/answer-queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { closeTasks } from '../../directory/tasks/actions.ts'
import { decideElection, electedRows, kinds_awaiting_answer, requestDependentEnds, waiverAnswer } from './actions.ts'
import { repriceAmendedElections } from './price-actions.ts'
import { listEnrollmentFacts, listGrouped, listPlanYearPrices, listPricesOf } from './price-queries.ts'
import { insertElectionsOf } from './queries.ts'
import type { ElectionRecord } from './price-rules.ts'
import { electorOf, whyNotBySelf, type EnrollmentFacts, type Step } from './rules.ts'
import type { Election, Waiver } from './schemas.ts'
import { whyNotWaive } from './window-rules.ts'

export type FirstAnswer = { enrollment_id: string } & ({ elect: Election } | { waive: Waiver })

type PlannedAnswer = { enrollment: EnrollmentFacts; answer: Answer; elections: ElectionRecord[]; steps: Step[] }

/**
 * Saves the first answers (elections and waivers) of many people, for example after an open enrollment on another
 * platform. Each is checked and saved as a single one would be, with a constant number of statements in total. None of
 * the benefits can belong to a choice group, because replacing its other benefits requires separate steps. The
 * organization must be locked.
 */
export async function saveFirstAnswers(ctx: Ctx, organization_id: string, answers: FirstAnswer[]): Promise<void> {
  if (answers.length === 0) return
  const planned = await planFirstAnswers(ctx, organization_id, answers)
  const ids = planned.map(({ enrollment }) => enrollment.id)
  await insertElectionsOf(
    ctx,
    organization_id,
    planned.flatMap(({ enrollment, elections }) =>
      elections.map((election) => ({ ...election, enrollment_id: enrollment.id })),
    ),
    electorOf(ctx.caller.kind),
  )
  await saveAnswers(
    ctx,
    organization_id,
    planned.map(({ enrollment, answer }) => ({ ...answer, enrollment_id: enrollment.id })),
  )
  await repriceAmendedElections(ctx, organization_id, ids)
  await recordEvidence(
    ctx,
    organization_id,
    planned.map(({ enrollment, answer }) => ({
      enrollment_id: enrollment.id,
      action: answer.answer === 'enrolled' ? 'elected' : 'waived',
      reason: answer.waiver_reason,
    })),
  )
  await closeTasks(ctx, { organization_id, kinds: kinds_awaiting_answer }, ids)
  await recordEvents(
    ctx,
    planned.flatMap(({ enrollment, answer }) =>
      bought[answer.answer].map((event_name) => ({ event_name, organization_id, resource_id: enrollment.id })),
    ),
  )
  for (const { enrollment, steps } of planned) await requestDependentEnds(ctx, enrollment, steps)
  const employee_ids = [...new Set(planned.map(({ enrollment }) => enrollment.employee_id))]
  await recalculate(ctx, organization_id, employee_ids, { keeps_eligibility: true })
}

const bought: Record<Answer['answer'], EventName[]> = {
  enrolled: ['enrollment.elected', 'enrollment.accepted'],
  waived: ['enrollment.waived'],
}

/** Checks answers and writes nothing. Refuses each as a single one would be refused. */
async function planFirstAnswers(ctx: Ctx, organization_id: string, input: FirstAnswer[]): Promise<PlannedAnswer[]> {
  const ids = input.map(({ enrollment_id }) => enrollment_id)
  const enrollments = await listEnrollmentFacts(ctx, { organization_id, enrollment_ids: ids })
  const grouped = await listGrouped(ctx, { organization_id, enrollment_ids: ids })
  if (enrollments.length < ids.length || grouped.length > 0 || enrollments.some(({ answer }) => answer !== null))
    throw new Error('A batch accepts only first elections or waivers of benefits without a choice group.')
  const listed = await listPlanYearPrices(ctx, organization_id, ids)
  const prices = await listPricesOf(ctx, organization_id, enrollments, listed)
  const answers = new Map(input.map((answer) => [answer.enrollment_id, answer]))
  return enrollments.map((facts) => {
    const answer = answers.get(facts.id)!
    if ('waive' in answer) {
      refuse(whyNotBySelf(facts, ctx))
      refuse(whyNotWaive(facts, ctx.today))
      const waived = waiverAnswer(ctx, facts.coverage_start, answer.waive)
      return { enrollment: facts, answer: waived, elections: [], steps: [] }
    }
    const planned = decideElection(ctx, { facts, rivals: [], prices: prices.get(facts.id)! }, answer.elect)
    return { enrollment: facts, steps: planned.steps, ...electedRows(ctx, planned) }
  })
}
