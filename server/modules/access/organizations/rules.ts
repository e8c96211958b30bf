import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'

/** Days: two years, of which one may be a leap year. */
const longest_move = 731

export const refusals = declareRefusals({
  organization_already_exists: [
    409,
    'This user belongs to an organization already; one user creates one.',
    'Use the one that `GET /v1/organizations` lists.',
  ],
  membership_already_exists: [409, 'This user is a member of this organization already.', 'There is nothing to do.'],
  organization_is_not_a_sandbox: [
    409,
    'Only the clock of a sandbox organization can be moved; this one lives by the calendar.',
    "Use a sandbox: the clock of real people's benefits is the calendar.",
  ],
  clock_moves_forward_only: [
    409,
    'The clock of an organization moves forward only, and this day is before its present one.',
    'Name the present day or a later one; for an earlier one begin a new sandbox.',
  ],
  work_is_waiting: [
    409,
    'Jobs of this organization are still to run on its present day: try again in a moment.',
    'Wait a few seconds, then send it again.',
  ],
  clock_moves_too_far: [
    422,
    `One request moves the clock of an organization by at most ${longest_move} days: go there in several.`,
    'Go there in several steps.',
  ],
})

/** Why a user who belongs to some organizations may not create one, if so; one that the caller reaches is named. */
export function whyNotCreate(belongs_to: string[], reached: readonly string[] | null): Refusal | undefined {
  if (belongs_to.length === 0) return undefined
  const named = belongs_to.find((id) => reached?.includes(id) ?? true)
  return new Refusal(
    refusals.organization_already_exists,
    named === undefined ? [] : [{ field: 'organization_id', message: `is ${named}` }],
  )
}

/** Why the clock of an organization, whose present day is `today`, may not be moved to a day, if so. */
export function whyNotMoveClock(
  { sandbox, today, has_work }: { sandbox: boolean; today: Day; has_work: boolean },
  day: Day,
): RefusalKind | Refusal | undefined {
  const no_sandbox = { field: 'organization_id', message: 'is no sandbox' }
  if (!sandbox) return new Refusal(refusals.organization_is_not_a_sandbox, [no_sandbox])
  if (day < today) return refusals.clock_moves_forward_only
  if (day > today && has_work) return refusals.work_is_waiting
  if (day > addDays(today, longest_move)) return refusals.clock_moves_too_far
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

/** How bright a part of a color is, 0 to 1 (WCAG 2.2, relative luminance). */
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** The contrast of a color, `#2748b3`, with white: 1 to 21, by WCAG 2.2. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05)
}
