import { z } from 'zod'
import { chunksOf } from '../../kernel/chunks.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { inOrganization, type Runtime } from '../../platform/runtime.ts'
import { recalculate } from '../enrollments/actions.ts'
import { recordEvidence } from '../evidence/queries.ts'
import { electReturned } from './actions.ts'
import { costOn } from './price-rules.ts'
import { findEnrollmentFacts, listPrices } from './queries.ts'
import { listReturns, type Return } from './return-queries.ts'
import { returnedElection } from './return-rules.ts'

/** Enrollments in one transaction: each is priced by itself. */
const chunk_size = 100

/**
 * Elects for people who came back in time what they had elected in the plan year when they left, where that is still
 * offered to them; who has answered by then keeps their answer. Run again it changes nothing. The organization is
 * locked.
 */
export async function resumeElections(ctx: Ctx, organization_id: string, enrollment_ids: string[]): Promise<void> {
  const resumed: string[] = []
  for (const returned of await listReturns(ctx, organization_id, enrollment_ids)) {
    const employee_id = await resume(ctx, returned)
    if (employee_id) resumed.push(employee_id)
  }
  await recalculate(ctx, organization_id, [...new Set(resumed)])
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
  const resumed = { enrollment_id, deed: 'resumed', by: 'rule' } as const
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
