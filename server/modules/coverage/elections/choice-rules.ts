import { addDays, monthEnd, type Day } from '../../../kernel/days.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import { isCarried, isInactive, type EnrollmentFacts } from './rules.ts'
import { isRegularWindowOpen, type ElectionDays } from './window-rules.ts'
import type { EnrollmentCorrection } from './schemas.ts'

/**
 * An enrollment of the same employee in another benefit of the choice group. Only one of the group can be held at a
 * time.
 */
export type Rival = Pick<
  EnrollmentFacts,
  'id' | 'organization_id' | 'answer' | 'coverage_start' | 'coverage_end' | 'plan_year_end' | 'inactive_on'
> & {
  elected_by: ElectedBy | null
  /** The number of the choice that elected it. 0 if a renewal elected it. */
  choice: number
  /** The name of the benefit that replaces it if the other one is elected. */
  instead: string
  /**
   * The number of the last earlier choice of the benefit that is answered, for example before a leave. 0 if it was
   * never chosen.
   */
  own_choice: number
}

const lastDay = ({ coverage_end, plan_year_end }: Pick<Rival, 'coverage_end' | 'plan_year_end'>): Day =>
  coverage_end ?? plan_year_end

/** Whether coverage by another benefit has begun by today. */
const hasBegun = (rival: Rival, today: Day): boolean =>
  rival.answer === 'enrolled' && rival.coverage_start <= today && rival.coverage_start <= lastDay(rival)

/** Whether it was only carried over, and an open window allows replacing it from its start. */
const isCarriedOnly = (rival: Rival, enrollment: EnrollmentFacts, today: Day): boolean =>
  isCarried(rival) && isRegularWindowOpen(enrollment, today)

/** The enrollments that have covered the employee so far and keep those days. */
const rivalsToKeep = (enrollment: EnrollmentFacts, rivals: Rival[], today: Day): Rival[] =>
  rivals.filter((rival) => hasBegun(rival, today) && !isCarriedOnly(rival, enrollment, today))

/**
 * Whether later changes leave the first day of coverage as an election set it. They do so if another benefit covered
 * days of the plan year and keeps them.
 */
export const isFirstDayFixed = (enrollment: EnrollmentFacts, rivals: Rival[], today: Day): boolean =>
  rivalsToKeep(enrollment, rivals, today).some((rival) => lastDay(rival) >= enrollment.plan_year_start)

/**
 * When an election made today takes effect alongside the other benefits of the choice group. A change from a benefit
 * that covers now takes effect next month, or after the other benefit has ended, if that is earlier. Added dependents
 * are not covered before that day either.
 */
export function electionDaysAmongRivals(
  enrollment: EnrollmentFacts,
  rivals: Rival[],
  days: ElectionDays,
  today: Day,
): ElectionDays {
  const { arrivals, day } = days
  if (enrollment.answer === 'enrolled') return days
  const next_month = addDays(monthEnd(today), 1)
  const free_from = rivalsToKeep(enrollment, rivals, today)
    .map((rival) => addDays(lastDay(rival), 1))
    .map((after) => (after < next_month ? after : next_month))
    .sort()
    .at(-1)
  if (!free_from) return days
  return { ...days, arrivals: arrivals.filter((on) => on >= free_from), day: day > free_from ? day : free_from }
}

/**
 * The number of a choice that replaces all choices of other benefits of the group. It is not lower than an earlier
 * choice of the same benefit, because the days that the earlier one covered, for example before a leave, would then
 * conflict with it.
 */
export const nextChoice = (rivals: Rival[]): number =>
  Math.max(
    1,
    ...rivals.map(({ own_choice }) => own_choice),
    ...rivals.filter(({ answer }) => answer === 'enrolled').map(({ choice }) => choice + 1),
  )

/** The other benefits of a group that are waived, or that end on the day before. */
export type ReplacedChoices = { waived: Rival[]; ended: Rival[] }

/**
 * Returns which other benefits give way to coverage that begins or changes on `from`. Those that have not begun by then
 * and overlap the plan year are waived. Those that have begun and are held alongside an elected enrollment are
 * ended. The end of all others follows from their lower choice number.
 */
export function replacedChoices(enrollment: EnrollmentFacts, rivals: Rival[], from: Day, today: Day): ReplacedChoices {
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
 * Returns an enrollment without the end that comes from a successor. If it is answered again while another benefit of
 * its group is about to replace it, that successor gives way. A requested end that made room for the successor is
 * removed too; a later one stays.
 */
export function withoutSuccessor<Facts extends EnrollmentFacts>(enrollment: Facts, rivals: Rival[]): Facts {
  const { answer, coverage_end, ended_on = null } = enrollment
  const replaced = (rival: Rival) => rival.answer === 'enrolled' && addDays(rival.coverage_start, -1) === coverage_end
  if (answer !== 'enrolled' || !rivals.some(replaced)) return enrollment
  const last_day = ended_on === coverage_end ? null : ended_on
  return { ...enrollment, coverage_end: last_day, ended_on: last_day }
}

/** Whether another benefit of the group covers a day. */
export const isCoveredByRival = (rivals: Rival[], day: Day): boolean =>
  rivals.some((rival) => rival.answer === 'enrolled' && rival.coverage_start <= day && day <= lastDay(rival))

/**
 * Returns why the operator can't set a last day: another benefit of the group, chosen later, begins to cover on or
 * before that day.
 */
export function whyNotExtendOverRival(
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
  const message = 'another benefit of the choice group covers the employee by then'
  return invalid({ field: 'coverage_end', message })
}
