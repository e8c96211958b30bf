import { addDays, type Day } from '../../kernel/days.ts'
import { generic, refusal, Refusal, type RefusalKind } from '../../kernel/refusal.ts'

export const organization_already_exists = refusal(
  409,
  'organization_already_exists',
  'This user belongs to an organization already; one user creates one.',
)

export const membership_already_exists = refusal(
  409,
  'membership_already_exists',
  'This user is a member of this organization already.',
)

/** Why a user may not create an organization, if so. */
export const whyNotCreate = (user: { organization_count: number }): RefusalKind | undefined =>
  user.organization_count > 0 ? organization_already_exists : undefined

export const organization_is_not_a_sandbox = refusal(
  409,
  'organization_is_not_a_sandbox',
  'Only the clock of a sandbox organization can be moved; this one lives by the calendar.',
)

export const clock_moves_forward_only = refusal(
  409,
  'clock_moves_forward_only',
  'The clock of an organization moves forward only, and this day is before its present one.',
)

export const work_is_waiting = refusal(
  409,
  'work_is_waiting',
  'Jobs of this organization are still to run on its present day: try again in a moment.',
)

/** Two years, of which one may be a leap year. */
const longest_move = 731

export const clock_moves_too_far = refusal(
  422,
  'clock_moves_too_far',
  `One request moves the clock of an organization by at most ${longest_move} days: go there in several.`,
)

/** Why the clock of an organization, whose present day is `today`, may not be moved to a day, if so. */
export function whyNotMoveClock(
  { sandbox, today, has_work }: { sandbox: boolean; today: Day; has_work: boolean },
  day: Day,
): RefusalKind | undefined {
  if (!sandbox) return organization_is_not_a_sandbox
  if (day < today) return clock_moves_forward_only
  if (day > today && has_work) return work_is_waiting
  if (day > addDays(today, longest_move)) return clock_moves_too_far
  return undefined
}

/** The days to run until one has come: those after the last one that was run; without one, from the present day on. */
export function daysToRun(daily_run_on: Day | null, today: Day, until: Day): Day[] {
  const days: Day[] = []
  for (let day = daily_run_on === null ? today : addDays(daily_run_on, 1); day <= until; day = addDays(day, 1))
    days.push(day)
  return days
}

/** The refusal of a body whose field names a user who does not exist. */
export const unknownUser = (field: string): Refusal =>
  new Refusal(generic.invalid_request, [{ field, message: 'there is no such user' }])
