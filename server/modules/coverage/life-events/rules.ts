import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { whyNotEmployed } from '../elections/rules.ts'

/** How far back a life event may be reported, in days. */
const reach = 60

/** How long an approved life event lets the employee choose, in days after the first. */
const window = 30

export const refusals = declareRefusals({
  life_event_already_decided: [
    409,
    'This life event was approved or declined already.',
    'Read the life event: it says what was decided.',
  ],
  life_event_too_old: [
    422,
    `A life event is reported within ${reach} days of the day on which it happened.`,
    'Ask the operator to correct the enrollment.',
  ],
})

/**
 * Why a life event of a day can't be reported at an employment: it lies ahead (400), it has ended (409), it is too old
 * (422).
 */
export function whyNotReport(
  occurred_on: Day,
  employment: { terminated_on: Day | null },
  today: Day,
): Refusal | RefusalKind | undefined {
  if (occurred_on > today) {
    return new Refusal(generic.invalid_request, [{ field: 'occurred_on', message: 'must not be after today' }])
  }
  const ended = whyNotEmployed(employment, today)
  if (ended) return ended
  return occurred_on < addDays(today, -reach) ? refusals.life_event_too_old : undefined
}

/** The window that an approval opens: first and last day. */
export const windowFrom = (today: Day): { window_start: Day; window_end: Day } => ({
  window_start: today,
  window_end: addDays(today, window),
})
