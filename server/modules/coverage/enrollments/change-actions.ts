import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../../runtime/ctx.ts'
import { findEnrollment, listEnrollments } from './queries.ts'
import type { AnyEnrollment } from './schemas.ts'

/** More enrollments than anybody has. */
const all = { limit: 1000, page: 1 }

async function enrollmentsOf(ctx: Ctx, employee_id: string): Promise<AnyEnrollment[]> {
  const page = await listEnrollments(ctx, employee_id, all)
  return page === undefined ? [] : JSON.parse(page).data
}

/**
 * Does something and tells which enrollments of an employee it changed, each as it was and as it is. The organization
 * is locked.
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

/** The whole answer to an action about an enrollment: as it is, and what changed with it. */
export async function correctedEnrollment(ctx: Ctx, enrollment_id: string, { enrollments }: { enrollments: object[] }) {
  const enrollment = await findEnrollment(ctx, enrollment_id)
  return enrollment && `{"data":${enrollment},"enrollments":${JSON.stringify(enrollments)}}`
}
