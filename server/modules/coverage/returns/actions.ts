import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { recalculate } from '../enrollments/actions.ts'
import { withdrawResumptions, saveAnswer } from '../enrollments/answer-queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { replaceChoices, publishAnswer, requestDependentEnds } from '../elections/actions.ts'
import { listRivals, deleteElections, findEnrollmentFacts, insertElections } from '../elections/queries.ts'
import { replacedChoices, nextChoice } from '../elections/choice-rules.ts'
import { repriceElections } from '../elections/price-actions.ts'
import { costOn, price, isAmended } from '../elections/price-rules.ts'
import { listPrices } from '../elections/price-queries.ts'
import { listLostReturns, listReturns, type Return } from './queries.ts'
import { returnedElection } from './rules.ts'

/** The number of enrollments in one transaction. Each is priced separately. */
const chunk_size = 100

/**
 * Resumes elections after a return within the service credit: those of the same plan year at the time of leaving, if
 * still offered. Existing answers stay. If an election was resumed, but the absence turns out to be too long, it is
 * withdrawn. A second run changes nothing. The organization must be locked.
 */
async function resumeElections(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  const changed = await withdrawResumed(ctx, organization_id, enrollment_ids)
  for (const returned of await listReturns(ctx, { organization_id, enrollment_ids })) {
    const employee_id = await resume(ctx, returned)
    if (employee_id) changed.push(employee_id)
  }
  await recalculate(ctx, organization_id, [...new Set(changed)])
}

/** Withdraws elections that should not have been resumed. Returns their employees. */
async function withdrawResumed(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<string[]> {
  const lost = await listLostReturns(ctx, { organization_id, enrollment_ids })
  if (lost.length === 0) return []
  for (const enrollment of lost) await deleteElections(ctx, enrollment, '-infinity')
  const ids = lost.map(({ id }) => id)
  const unanswered = await withdrawResumptions(ctx, { organization_id, enrollment_ids: ids })
  const evidence = unanswered.map(
    ({ id }) => ({ enrollment_id: id, action: 'resumption_withdrawn', by: 'rule' }) as const,
  )
  await recordEvidence(ctx, organization_id, evidence)
  const namesOf = ({ is_live }: { is_live: boolean }): EventName[] =>
    is_live ? ['enrollment.resumption_withdrawn', 'enrollment.started'] : ['enrollment.resumption_withdrawn']
  const facts = unanswered.flatMap((enrollment) =>
    namesOf(enrollment).map((event_name) => ({ event_name, organization_id, resource_id: enrollment.id })),
  )
  await recordEvents(ctx, facts)
  return lost.map(({ employee_id }) => employee_id)
}

/**
 * Elects the earlier plan again and waives the other benefits of the choice group. Returns the employee, or undefined
 * if the plan year no longer offers that election.
 */
async function resume(ctx: Ctx, { enrollment_id, former_id, last_day }: Return): Promise<string | undefined> {
  const enrollment = (await findEnrollmentFacts(ctx, { enrollment_id }))!
  const former = (await findEnrollmentFacts(ctx, { enrollment_id: former_id }))!
  const { organization_id, employee_id, coverage_start } = enrollment
  const returned = returnedElection(former.elections, enrollment.dependents, last_day, coverage_start)
  const prices = await listPrices(ctx, enrollment)
  if (!returned || !costOn(enrollment, prices, returned.reported, returned.step, coverage_start)) return undefined
  const { step, reported, removed_dependent_ids } = returned
  const rivals = await listRivals(ctx, enrollment)
  const election = price(enrollment, prices, reported, step, coverage_start)
  await insertElections(ctx, enrollment, [{ ...election, removed_dependent_ids }], 'return')
  await saveAnswer(ctx, organization_id, enrollment_id, {
    answer: 'enrolled',
    elected_by: 'return',
    waiver_reason: null,
    waiver_code: null,
    coverage_start,
    coverage_start_fixed: false,
    choice: rivals.length > 0 ? nextChoice(rivals) : null,
  })
  if (isAmended(prices)) await repriceElections(ctx, organization_id, [enrollment_id])
  await publishAnswer(ctx, enrollment, ['enrollment.resumed'])
  await replaceChoices(ctx, replacedChoices(enrollment, rivals, coverage_start, ctx.today), coverage_start)
  await requestDependentEnds(ctx, enrollment, [step])
  await recordEvidence(ctx, organization_id, [{ enrollment_id, action: 'resumed', by: 'rule' }])
  return employee_id
}

const ReturnsJob = z.object({ organization_id: z.string(), enrollment_ids: z.array(z.string()) })

/** The job that resumes elections of returning people. */
async function resumeSoon(
  runtime: Runtime,
  { organization_id, enrollment_ids }: z.output<typeof ReturnsJob>,
): Promise<void> {
  for (const chunk of chunksOf(enrollment_ids, chunk_size))
    await inOrganization(runtime, organization_id, (ctx) => resumeElections(ctx, organization_id, chunk))
}

export const tasks = { resume_elections: task(ReturnsJob, resumeSoon) }
