import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../runtime/ctx.ts'
import { findEnrollment, listEnrollments } from './queries.ts'
import type { AnyEnrollment } from './schemas.ts'

/** One page for all enrollments of an employee. */
const all = { limit: 1000, page: 1 }

async function enrollmentsOf(ctx: Ctx, employee_id: string): Promise<AnyEnrollment[]> {
  const page = await listEnrollments(ctx, employee_id, all)
  return page === undefined ? [] : JSON.parse(page).data
}

/**
 * Runs an action and returns each enrollment of the employee that it changed, before and after. The organization must
 * be locked.
 */
export async function changesBy<Outcome>(ctx: Ctx, employee_id: string, action: () => Promise<Outcome>) {
  const before = new Map((await enrollmentsOf(ctx, employee_id)).map((one) => [one.id, one]))
  const outcome = await action()
  const after = await enrollmentsOf(ctx, employee_id)
  const enrollments = after
    .filter((one) => !isDeepStrictEqual(one, before.get(one.id)))
    .map((one) => ({ before: before.get(one.id) ?? null, after: one }))
  return { outcome, enrollments }
}

/** The whole response to an action on an enrollment: the enrollment and the changes. */
export async function correctedEnrollment(ctx: Ctx, enrollment_id: string, { enrollments }: { enrollments: object[] }) {
  const enrollment = await findEnrollment(ctx, enrollment_id)
  return enrollment && `{"data":${enrollment},"enrollments":${JSON.stringify(enrollments)}}`
}
