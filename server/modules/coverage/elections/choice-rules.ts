import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { generic, Refusal } from '../../../kernel/refusal.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import { isCarried, isInactive, isRegular, type EnrollmentFacts } from './rules.ts'
import { type ElectionDays } from './step-rules.ts'
import type { EnrollmentCorrection } from './schemas.ts'

/** Another enrollment of somebody, of another benefit of the choice group: of the two one may be held at a time. */
export type Rival = Pick<
  EnrollmentFacts,
  'id' | 'organization_id' | 'answer' | 'coverage_start' | 'coverage_end' | 'plan_year_end' | 'inactive_on'
> & {
  elected_by: ElectedBy | null
  /** which of the choices in the group it was elected by; 0: before there were groups, or by a renewal */
  choice: number
  /** the name of the benefit that takes its place when the other is elected */
  instead: string
  /** the last of the choices by which the benefit that is answered was elected before, as until a leave; 0: none */
  own_choice: number
}

const lastDay = ({ coverage_end, plan_year_end }: Pick<Rival, 'coverage_end' | 'plan_year_end'>): Day =>
  coverage_end ?? plan_year_end

/** Whether it covered somebody by today. */
const hasBegun = (rival: Rival, today: Day): boolean =>
  rival.answer === 'enrolled' && rival.coverage_start <= today && rival.coverage_start <= lastDay(rival)

/** Whether it was carried over, in a window in which that is as if it had not been. */
const isCarriedOnly = (rival: Rival, enrollment: EnrollmentFacts, today: Day): boolean =>
  isCarried(rival) && isRegular(enrollment, today)

/** What covered somebody beside an enrollment, and keeps the days that it covered. */
const keeping = (enrollment: EnrollmentFacts, rivals: Rival[], today: Day): Rival[] =>
  rivals.filter((rival) => hasBegun(rival, today) && !isCarriedOnly(rival, enrollment, today))

/**
 * Whether the first day of coverage stays where an election puts it, whatever else is told: another benefit has covered
 * time of the plan year, and keeps it.
 */
export const isStartKept = (enrollment: EnrollmentFacts, rivals: Rival[], today: Day): boolean =>
  keeping(enrollment, rivals, today).some((rival) => lastDay(rival) >= enrollment.plan_year_start)

/**
 * When an election made today holds beside what somebody has of the choice group: a change to another benefit that
 * covers by now begins with the next month, or after the other has ended, if that is before. Nobody joins before that.
 */
export function daysBeside(enrollment: EnrollmentFacts, rivals: Rival[], days: ElectionDays, today: Day): ElectionDays {
  const { arrivals, day } = days
  if (enrollment.answer === 'enrolled') return days
  const next_month = addDays(monthEnd(today), 1)
  const free_from = keeping(enrollment, rivals, today)
    .map((rival) => addDays(lastDay(rival), 1))
    .map((after) => (after < next_month ? after : next_month))
    .sort()
    .at(-1)
  if (!free_from) return days
  return { ...days, arrivals: arrivals.filter((on) => on >= free_from), day: day > free_from ? day : free_from }
}

/**
 * The number of a choice that takes the place of all there were of other benefits of the group. It is not before one of
 * the benefit itself, or what that covered, as until a leave, would stand in its way.
 */
export const nextChoice = (rivals: Rival[]): number =>
  Math.max(
    1,
    ...rivals.map(({ own_choice }) => own_choice),
    ...rivals.filter(({ answer }) => answer === 'enrolled').map(({ choice }) => choice + 1),
  )

/** What becomes of the others of a group: waived, or ended with the day before. */
export type GivingWay = { waived: Rival[]; ended: Rival[] }

/**
 * Which others give way to coverage that begins, or changes, with `from`: what has not begun by then, and shares time
 * with the plan year, is waived; of what has begun, that which was held beside it since before there were groups is
 * ended. Of the rest the end follows by itself, from its choice being an earlier one.
 */
export function givingWay(enrollment: EnrollmentFacts, rivals: Rival[], from: Day, today: Day): GivingWay {
  const sharing = rivals.filter(
    (rival) =>
      !isInactive(rival, today) &&
      rival.coverage_start <= enrollment.plan_year_end &&
      (rival.answer === 'enrolled' ? lastDay(rival) : rival.plan_year_end) >= from,
  )
  const begins_later = (rival: Rival) => rival.coverage_start >= from || isCarriedOnly(rival, enrollment, today)
  return {
    waived: sharing.filter((rival) => rival.answer === null || (rival.answer === 'enrolled' && begins_later(rival))),
    ended: sharing.filter(
      (rival) => rival.answer === 'enrolled' && !begins_later(rival) && enrollment.answer === 'enrolled',
    ),
  }
}

/**
 * An enrollment as it is answered again while another benefit of its group is about to take its place: its end is that
 * one's beginning, which gives way. An end on request that made room for the other goes with it; a later one stays.
 */
export function withoutSuccessor<Facts extends EnrollmentFacts>(enrollment: Facts, rivals: Rival[]): Facts {
  const { answer, coverage_end, ended_on = null } = enrollment
  const gives_way = (rival: Rival) => rival.answer === 'enrolled' && addDays(rival.coverage_start, -1) === coverage_end
  if (answer !== 'enrolled' || !rivals.some(gives_way)) return enrollment
  const last_day = ended_on === coverage_end ? null : ended_on
  return { ...enrollment, coverage_end: last_day, ended_on: last_day }
}

/** Whether another benefit of the group covers a day. */
export const isHeldBeside = (rivals: Rival[], day: Day): boolean =>
  rivals.some((rival) => rival.answer === 'enrolled' && rival.coverage_start <= day && day <= lastDay(rival))

/** Why the operator can't set a last day: another benefit of the group, which was chosen later, covers by then. */
export function whyNotBeside(
  enrollment: EnrollmentFacts,
  { coverage_end }: EnrollmentCorrection,
  rivals: Rival[],
): Refusal | undefined {
  if (!coverage_end || coverage_end < enrollment.coverage_start) return undefined
  const takes_over = rivals.some(
    (rival) =>
      rival.answer === 'enrolled' &&
      rival.choice > 0 &&
      enrollment.coverage_start < rival.coverage_start &&
      rival.coverage_start <= coverage_end &&
      rival.coverage_start <= lastDay(rival),
  )
  if (!takes_over) return undefined
  const message = 'another benefit of the choice group covers by then'
  return new Refusal(generic.invalid_request, [{ field: 'coverage_end', message }])
}
