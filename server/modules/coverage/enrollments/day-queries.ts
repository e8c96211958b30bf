import type { Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { EnrollmentKey } from './queries.ts'

const saved_days = statement(
  'enrollments.saveCorrectedDays',
  `update enrollments
      set coverage_start = coalesce(:coverage_start::date, coverage_start),
          coverage_start_fixed = not :frees_start and (coverage_start_fixed or :coverage_start::date is not null),
          coverage_end = coalesce(:coverage_end::date, coverage_end),
          coverage_end_fixed = not :frees_end and (coverage_end_fixed or :coverage_end::date is not null),
          inactive_on = case when inactive_on <= :today::date or :coverage_end::date is null then inactive_on
                             when :coverage_end::date >= coalesce(:coverage_start::date, coverage_start)
                             then :coverage_end::date + 1
                             else :today::date end,
          updated_at = :now
    where id = :enrollment_id and organization_id = :organization_id`,
)

/**
 * Saves days that the operator set: fixed, so that the engine leaves them alone; null gives a day back to the engine.
 */
export const saveCorrectedDays = (
  ctx: Ctx,
  organization_id: string,
  enrollment_id: string,
  { coverage_start, coverage_end }: { coverage_start?: Day | null | undefined; coverage_end?: Day | null | undefined },
) =>
  saved_days.rows(ctx, {
    organization_id,
    enrollment_id,
    coverage_start: coverage_start ?? null,
    frees_start: coverage_start === null,
    coverage_end: coverage_end ?? null,
    frees_end: coverage_end === null,
  })

const saved_requested_end = statement(
  'enrollments.saveRequestedEnd',
  `update enrollments
      set ended_on = :day::date, coverage_end = :day, inactive_on = :day::date + 1, updated_at = :now,
          terminated_at = case when :day::date is not null then terminated_at end
    where id = :enrollment_id and organization_id = :organization_id`,
)

/** Ends coverage with a day, on request; null takes that back, and what else ends it is found when it is settled. */
export const saveRequestedEnd = (
  ctx: Ctx,
  { enrollment_id, organization_id }: Pick<EnrollmentKey, 'enrollment_id' | 'organization_id'>,
  day: Day | null,
) => saved_requested_end.rows(ctx, { enrollment_id, organization_id, day })
