import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'

/** The limit in days: two years, one of which may be a leap year. */
const max_move_days = 731

export const refusals = declareRefusals({
  organization_already_exists: [
    409,
    'This user already belongs to an organization. Each user can create one organization.',
    'Use the organization that `GET /v1/organizations` lists.',
  ],
  membership_already_exists: [409, 'This user is already a member of this organization.', 'No action is needed.'],
  organization_is_not_a_sandbox: [
    409,
    'Only the clock of a sandbox organization can be moved.',
    'Use a sandbox organization.',
  ],
  clock_moves_forward_only: [
    409,
    'The clock of an organization only moves forward, and this day is before its current day.',
    'Send the current day or a later one. To test an earlier day, create a new sandbox.',
    'today',
  ],
  work_is_pending: [
    409,
    'Jobs of this organization are still waiting to run on its current day.',
    'Wait a few seconds, then retry the request.',
  ],
  clock_moves_too_far: [
    422,
    `One request can move the clock of an organization by at most ${max_move_days} days.`,
    'Move the clock in several requests.',
    'today',
  ],
})

/** Refuses to create an organization for a user who belongs to one. Names the organization if the caller reaches it. */
export function whyNotCreate(belongs_to: string[], reached: readonly string[] | null): Refusal | undefined {
  if (belongs_to.length === 0) return undefined
  const reachable = belongs_to.find((id) => reached?.includes(id) ?? true)
  return new Refusal(
    refusals.organization_already_exists,
    reachable === undefined ? [] : [{ field: 'organization_id', message: `is ${reachable}` }],
  )
}

/** Refuses to move the clock of an organization whose current day is `today`. */
export function whyNotMoveClock(
  { sandbox, today, has_pending_work }: { sandbox: boolean; today: Day; has_pending_work: boolean },
  day: Day,
): RefusalKind | Refusal | undefined {
  const not_a_sandbox = { field: 'organization_id', message: 'is not a sandbox' }
  if (!sandbox) return new Refusal(refusals.organization_is_not_a_sandbox, [not_a_sandbox])
  if (day < today) return refusals.clock_moves_forward_only
  if (day > today && has_pending_work) return refusals.work_is_pending
  if (day > addDays(today, max_move_days)) return refusals.clock_moves_too_far
  return undefined
}

/** The days to run up to and including `until`, starting after the last completed day, or at `today` without one. */
export function daysToRun(daily_run_on: Day | null, today: Day, until: Day): Day[] {
  const days: Day[] = []
  for (let day = daily_run_on === null ? today : addDays(daily_run_on, 1); day <= until; day = addDays(day, 1))
    days.push(day)
  return days
}

export const unknownUser = (field: string): Refusal => invalid({ field, message: 'this user does not exist' })

/** The linear value of a color channel from 0 to 1, for relative luminance (WCAG 2.2). */
const linearChannel = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

/** The contrast of a color such as `#2748b3` with white, from 1 to 21 (WCAG 2.2). */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linearChannel(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  return 1.05 / (0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05)
}

/** The name of a benefit or category that employees see in a language. */
export type DisplayName = { language: 'en' | 'es'; name: string; display_name: string }

/** Returns the name that employees see for a benefit: the partner's name in their language, or that of the catalog. */
export const displayNameIn =
  (language: DisplayName['language'], names: DisplayName[]) =>
  (name: string): string =>
    names.find((display_name) => display_name.language === language && display_name.name === name)?.display_name ?? name
