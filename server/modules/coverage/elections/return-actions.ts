import { z } from 'zod'
import { chunksOf } from '../../../kernel/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EventName } from '../../../runtime/event-types.ts'
import { recordEvents } from '../../../runtime/events.ts'
import { inOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { recalculate } from '../enrollments/actions.ts'
import { withdrawResumptions } from '../enrollments/unanswered-queries.ts'
import { recordEvidence } from '../../directory/evidence/queries.ts'
import { electReturned } from './actions.ts'
import { costOn } from './price-rules.ts'
import { deleteElections, findEnrollmentFacts, listPrices } from './queries.ts'
import { listLostReturns, listReturns, type Return } from './return-queries.ts'
import { returnedElection } from './return-rules.ts'

/** Enrollments in one transaction: each is priced by itself. */
const chunk_size = 100

/**
 * Elects for people who came back in time what they had elected in the plan year when they left, where that is still
 * offered to them; who has answered by then keeps their answer. Where it was elected, and they were away for too long
 * by what is known now, it is taken away. Run again it changes nothing. The organization is locked.
 */
export async function resumeElections(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  const changed = await takeAway(ctx, organization_id, enrollment_ids)
  for (const returned of await listReturns(ctx, organization_id, enrollment_ids)) {
    const employee_id = await resume(ctx, returned)
    if (employee_id) changed.push(employee_id)
  }
  await recalculate(ctx, organization_id, [...new Set(changed)])
}

/** Takes elections away that should not have been resumed; returns whose they were. */
async function takeAway(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<string[]> {
  const lost = await listLostReturns(ctx, organization_id, enrollment_ids)
  if (lost.length === 0) return []
  for (const enrollment of lost) await deleteElections(ctx, enrollment, '-infinity')
  const ids = lost.map(({ id }) => id)
  const unanswered = await withdrawResumptions(ctx, organization_id, ids)
  const evidence = unanswered.map(
    ({ id }) => ({ enrollment_id: id, action: 'resumption_withdrawn', by: 'rule' }) as const,
  )
  await recordEvidence(ctx, organization_id, evidence)
  const namesOf = ({ is_live }: { is_live: boolean }): EventName[] =>
    is_live ? ['enrollment.resumption_withdrawn', 'enrollment.started'] : ['enrollment.resumption_withdrawn']
  const facts = unanswered.flatMap((one) =>
    namesOf(one).map((event_name) => ({ event_name, organization_id, resource_id: one.id })),
  )
  await recordEvents(ctx, facts)
  return lost.map(({ employee_id }) => employee_id)
}

/** Returns whose election holds again; undefined where it can't be had any more. */
async function resume(ctx: Ctx, { enrollment_id, former_id, last_day }: Return): Promise<string | undefined> {
  const enrollment = (await findEnrollmentFacts(ctx, enrollment_id))!
  const former = (await findEnrollmentFacts(ctx, former_id))!
  const start = enrollment.coverage_start
  const returned = returnedElection(former.elections, enrollment.dependents, last_day, start)
  const prices = await listPrices(ctx, enrollment)
  if (!returned || !costOn(enrollment, prices, returned.told, returned.step, start)) return undefined
  await electReturned(ctx, enrollment, prices, returned)
  const resumed = { enrollment_id, action: 'resumed', by: 'rule' } as const
  await recordEvidence(ctx, enrollment.organization_id, [resumed])
  return enrollment.employee_id
}

export const ReturnsJob = z.object({ organization_id: z.string(), enrollment_ids: z.array(z.string()) })

/** The elections of people who came back. */
export async function resumeSoon(
  runtime: Runtime,
  { organization_id, enrollment_ids }: z.output<typeof ReturnsJob>,
): Promise<void> {
  for (const chunk of chunksOf(enrollment_ids, chunk_size))
    await inOrganization(runtime, organization_id, (ctx) => resumeElections(ctx, organization_id, chunk))
}
