import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import { whyNotEmployed } from '../elections/rules.ts'

/** The number of days after the event in which it can be reported. */
export const days_to_report = 60

/** The number of days after the approval in which the employee can elect. */
const window_days = 30

export const refusals = declareRefusals({
  life_event_already_decided: [
    409,
    'This life event was already approved or declined.',
    'Read the life event for its decision.',
  ],
  life_event_already_reported: [
    409,
    'This life event was already reported and is in review.',
    'Use the life event that `details` names. Its window allows elections for all new dependents.',
  ],
  life_event_too_old: [
    422,
    `A life event must be reported within ${days_to_report} days of the day on which it happened.`,
    'Contact the operator, who can correct the enrollment.',
    'occurred_on',
  ],
})

/**
 * Returns why a life event can't be reported for an employment: it is in the future (400), the employment has ended
 * (409), or the event is too old (422).
 */
export function whyNotReport(
  occurred_on: Day,
  employment: { terminated_on: Day | null },
  today: Day,
): Refusal | RefusalKind | undefined {
  if (occurred_on > today) {
    return invalid({ field: 'occurred_on', message: 'must not be after today' })
  }
  const ended = whyNotEmployed(employment, today)
  if (ended) return ended
  return occurred_on < addDays(today, -days_to_report) ? refusals.life_event_too_old : undefined
}

/** Returns why a life event can't be reported again: one of the same type and day is in review. */
export const whyNotRepeat = (same: { id: string } | undefined): Refusal | undefined =>
  same && new Refusal(refusals.life_event_already_reported, [{ field: 'type', message: `was reported as ${same.id}` }])

/** The window that an approval opens: first and last day. */
export const windowFrom = (today: Day): { window_start: Day; window_end: Day } => ({
  window_start: today,
  window_end: addDays(today, window_days),
})

const max_attachments = 5

const enough = new Refusal(generic.conflict, [
  { field: '', message: `a life event can have at most ${max_attachments} attachments` },
])

/** The facts that decide whether a document can be attached to a life event or removed from it. */
export type Attachable = { decision: string | null; attachment_count: number; terminated_on: Day | null }

const whyDecided = ({ decision }: Pick<Attachable, 'decision'>): RefusalKind | undefined =>
  decision === null ? undefined : refusals.life_event_already_decided

/**
 * Returns why a document can't be attached: the employment has ended, the life event is decided, or the limit of
 * attachments is reached. Each returns 409.
 */
export function whyNotAttach(
  { decision, attachment_count, terminated_on }: Attachable,
  today: Day,
): Refusal | RefusalKind | undefined {
  const ended = whyNotEmployed({ terminated_on }, today)
  if (ended) return ended
  return whyDecided({ decision }) ?? (attachment_count >= max_attachments ? enough : undefined)
}

/**
 * Returns why a document can't be removed. Employees can remove it until the decision, while they are employed. Their
 * organization always can, for example to fulfill a deletion request.
 */
export const whyNotDetach = (about: Attachable, is_own: boolean, today: Day): RefusalKind | undefined =>
  is_own ? (whyNotEmployed(about, today) ?? whyDecided(about)) : undefined
