import type { Ctx } from '../../../runtime/ctx.ts'
import { isInputRow, withInputRows, rowsWith } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import type { ElectedBy } from './schemas.ts'
import type { Day } from '../../../kernel/days.ts'

export type Answer = {
  answer: 'enrolled' | 'waived'
  elected_by: ElectedBy | null
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  coverage_start: string
  coverage_start_fixed: boolean
  /** The number of this choice in its group. Null keeps the stored number. */
  choice: number | null
}

const saved_answers = statement(
  'enrollments.saveAnswers',
  `${withInputRows(`jsonb_to_recordset(:answers::jsonb) as input (
            enrollment_id text, answer text, elected_by text, waiver_reason text, waiver_code text, coverage_start date,
            coverage_start_fixed boolean, choice int)`)}
   update enrollments as stored
      set answer = input.answer, answered_at = :now, elected_by = input.elected_by, waiver_reason = input.waiver_reason,
          waiver_code = input.waiver_code, coverage_start = input.coverage_start,
          updated_at = :now, choice = coalesce(input.choice, stored.choice),
          coverage_start_fixed = stored.coverage_start_fixed or input.coverage_start_fixed
     from input where ${isInputRow('stored', 'enrollment_id')}`,
)

/** Saves the answers of employees to many enrollments, each with the first day of coverage. */
export const saveAnswers = (ctx: Ctx, organization_id: string, answers: (Answer & { enrollment_id: string })[]) =>
  saved_answers.rows(ctx, { organization_id, answers: JSON.stringify(answers) })

/** Saves the answer of an employee with the first day of coverage. */
export const saveAnswer = (ctx: Ctx, organization_id: string, enrollment_id: string, input: Answer) =>
  saveAnswers(ctx, organization_id, [{ ...input, enrollment_id }])

const saved_renewals = statement(
  'enrollments.saveRenewedAnswers',
  `${withInputRows(`
     jsonb_to_recordset(:answers::jsonb) as input (
       enrollment_id text, answer text, waiver_reason text, waiver_code text)`)}
   update enrollments as stored
      set answer = input.answer, answered_at = :now, elected_by = 'renewal', waiver_reason = input.waiver_reason,
          waiver_code = input.waiver_code, updated_at = :now
     from input where ${isInputRow('stored', 'enrollment_id')} and stored.answer is null
   returning stored.id`,
)

/** Saves renewed answers for enrollments that have no answer. Returns the enrollments that it changed. */
export const saveRenewedAnswers = (
  ctx: Ctx,
  organization_id: string,
  answers: (Pick<Answer, 'answer' | 'waiver_reason' | 'waiver_code'> & { enrollment_id: string })[],
) => saved_renewals.column(ctx, { organization_id, answers: JSON.stringify(answers) })

/**
 * Deletes resumed answers. Also deletes the waivers in the same choice groups that were saved at the same time or later
 * by the rules. Enrollments that are not inactive get a window of 30 days for a new answer.
 */
export const withdrawResumptions = statement(
  'enrollments.withdrawResumptions',
  `with returned as materialized (
     select theirs.id, theirs.organization_id, theirs.employee_id, theirs.answered_at
       from ${rowsWith('enrollment_ids', 'enrollments', 'theirs')}
   ), beside as materialized (
     select returned.id, returned.organization_id from returned
      union
     select rival.id, rival.organization_id from returned
      cross join lateral (
        select * from enrollments
         where employee_id = returned.employee_id and organization_id = :organization_id offset 0) as rival
      where rival.answer = 'waived' and (rival.answered_at = returned.answered_at or rival.elected_by = 'return'))
   update enrollments as stored
      set answer = null, answered_at = null, elected_by = null, waiver_reason = null, waiver_code = null, choice = 0,
          resumption_withdrawn_on = case when stored.answer = 'enrolled' then :today::date
                                         else stored.resumption_withdrawn_on end,
          window_ends_on = case when coalesce(stored.inactive_on > :today, true)
                                then greatest(stored.window_ends_on, :today::date + 30)
                                else stored.window_ends_on end,
          updated_at = :now
     from beside
    where stored.id = beside.id and stored.organization_id = beside.organization_id
   returning stored.id, coalesce(stored.inactive_on > :today, true) as is_live`,
).rows<{ id: string; is_live: boolean }>

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

/** Saves days that the operator set. A recalculation does not change them. Null removes the correction of a day. */
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

/** Saves a requested end of coverage. Null withdraws it, and the next settlement then calculates the end. */
export const saveRequestedEnd = statement(
  'enrollments.saveRequestedEnd',
  `update enrollments
      set ended_on = :day::date, coverage_end = :day, inactive_on = :day::date + 1, updated_at = :now,
          terminated_at = case when :day::date is not null then terminated_at end
    where id = :enrollment_id and organization_id = :organization_id`,
).rows

/**
 * Waives enrollments without a known end, if their employee elected another benefit of the choice group in a concurrent
 * plan year. Returns each with the reason.
 */
export const waiveForChoices = statement(
  'enrollments.saveWaivedForChoices',
  `update enrollments as stored
      set answer = 'waived', answered_at = :now, elected_by = held.elected_by, waiver_reason = held.reason,
          updated_at = :now
     from ${rowsWith('enrollment_ids', 'enrollments', 'granted')}
     join plan_year_benefits as theirs on theirs.plan_year_id = granted.plan_year_id
      and theirs.organization_id = :organization_id and theirs.benefit_id = granted.benefit_id
     join benefit_plan_years as their_year on their_year.id = granted.plan_year_id
      and their_year.organization_id = :organization_id
    cross join lateral (
      select rival.elected_by, product.name || ' was elected instead' as reason
        from (select * from enrollments
               where employee_id = granted.employee_id and organization_id = :organization_id offset 0) as rival
        join plan_year_benefits as other on other.plan_year_id = rival.plan_year_id
         and other.organization_id = :organization_id and other.benefit_id = rival.benefit_id
         and other.choice_group = theirs.choice_group
        join benefit_plan_years as year on year.id = rival.plan_year_id and year.organization_id = :organization_id
        join benefit_products as product on product.id = rival.benefit_id
         and product.organization_id = :organization_id
       where rival.benefit_id <> granted.benefit_id and rival.answer = 'enrolled'
         and rival.coverage_start <= granted.coverage_start and year.coverage_end >= granted.coverage_start
         and coalesce(rival.coverage_end >= least(year.coverage_end, their_year.coverage_end), true)
       order by rival.id limit 1) as held
    where stored.id = granted.id and stored.organization_id = :organization_id and stored.answer is null
   returning stored.id, stored.waiver_reason as reason`,
).rows<{ id: string; reason: string }>
