import { type Day } from '../../../kernel/days.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { changesAllowedBy, mayDrop } from '../enrollments/life-event-rules.ts'
import { isRegular, openEvents, refusals, type Choice, type EnrollmentFacts } from './rules.ts'

const inconsistent = (field: string, message: string) =>
  new Refusal(refusals.change_not_consistent, [{ field, message }])

/**
 * Why a choice is not consistent with the life events whose windows are open today. In the window of the grant and in
 * open enrollment every choice is allowed. `chosen`: what will be covered when the whole choice is effective, on `day`.
 * A change that is scheduled and not effective yet can be taken back.
 */
export function whyNotConsistent(
  enrollment: EnrollmentFacts,
  { day, ...chosen }: Choice & { day: Day },
  today: Day,
): Refusal | undefined {
  if (isRegular(enrollment, today)) return undefined
  const events = openEvents(enrollment, today)
  const allowed = changesAllowedBy(events)
  const scheduled = enrollment.elections.at(-1)
  if (enrollment.answer !== 'enrolled' || !scheduled)
    return allowed.add ? undefined : inconsistent('plan_id', 'this life event does not allow anyone to join')
  const present = enrollment.elections.findLast(({ effective_on }) => effective_on <= today) ?? enrollment.elections[0]!
  const isKnown = (id: string) => present.dependent_ids.includes(id) || scheduled.dependent_ids.includes(id)
  if (!allowed.add && chosen.dependent_ids.some((id) => !isKnown(id)))
    return inconsistent('dependent_ids', 'this life event does not allow anyone to join')
  const dropped = enrollment.dependents.filter(
    ({ id, ended_on, covered_until }) =>
      present.dependent_ids.includes(id) &&
      scheduled.dependent_ids.includes(id) &&
      !chosen.dependent_ids.includes(id) &&
      ended_on === null &&
      (covered_until ?? day) >= day,
  )
  if (!mayDrop(dropped, events)) return inconsistent('dependent_ids', 'this life event does not let these people leave')
  return allowed.change_plan || [present.plan_id, scheduled.plan_id].includes(chosen.plan_id)
    ? undefined
    : inconsistent('plan_id', 'this life event does not let the plan change')
}
