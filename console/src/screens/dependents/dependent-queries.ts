import type { Day, Enrollment, EnrollmentDetail } from 'openbenefits'
import { ob } from '../../api.ts'
import { resourceQuery, page_size } from '../../queries.ts'

/**
 * An enrollment that names a dependent as of a day, the current enrollment in the same benefit, and the plan's cost by
 * tier.
 */
export type CoveringEnrollment = {
  named: Enrollment
  now: Enrollment
  tiers: EnrollmentDetail['plans'][number]['tiers']
}

/** The enrollments that cover a dependent on a day. */
export const coveringEnrollmentsQuery = (employee_id: string, dependent_id: string, day: Day) =>
  resourceQuery(
    ['employees', employee_id, 'enrollments', 'naming', dependent_id, day],
    async (options): Promise<CoveringEnrollment[]> => {
      const [{ data: all }, { data: now }] = await Promise.all([
        ob.enrollments.list(employee_id, { as_of: day, limit: page_size }, options),
        ob.enrollments.list(employee_id, { limit: page_size }, options),
      ])
      const naming = all.filter((one) => one.status === 'enrolled' && one.dependent_ids.includes(dependent_id))
      return Promise.all(
        naming.map(async (one) => {
          const { plans } = await ob.enrollments.get(one.id, options)
          const later = now.find((each) => each.status === 'enrolled' && each.benefit.id === one.benefit.id)
          return {
            named: one,
            now: later ?? now.find(({ id }) => id === one.id)!,
            tiers: plans.find(({ id }) => id === one.plan?.id)?.tiers ?? [],
          }
        }),
      )
    },
  )

/** The search without a dependent to correct, end, reinstate, verify or reject. */
export const no_action = {
  correcting: undefined,
  ending: undefined,
  reinstating: undefined,
  verifying: undefined,
  rejecting: undefined,
}

/** The documents that prove the relationship of a dependent. */
export const dependentDocumentsQuery = (dependent_id: string) =>
  resourceQuery(['employees', 'dependents', dependent_id, 'documents'], (options) =>
    ob.dependents.listAttachments(dependent_id, options),
  )
