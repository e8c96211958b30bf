import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { openWindow } from '../enrollments/queries.ts'
import type { DraftFacts, SavedDraft } from './rules.ts'

/** SQL: the enrollments of an employee that can be elected or waived today, with their plan year and window. */
const open = (employee_id: string, organization_id: string): string => `
    from enrollments as enrollment
    join benefit_plan_years as year
      on year.id = enrollment.plan_year_id and year.organization_id = enrollment.organization_id
   cross join lateral (${openWindow}) as open_window (period)
   where enrollment.employee_id = ${employee_id} and enrollment.organization_id = ${organization_id}`

/** SQL: the open enrollments of a row `employee`, with the plans on offer. */
const openEnrollments = `
  select json_build_object(
           'enrollment_id', enrollment.id, 'plan_year_id', enrollment.plan_year_id,
           'window_ends_on', open_window.period ->> 'end',
           'plan_ids', array(select distinct rate.plan_id from plan_year_rates as rate
                              where rate.plan_year_id = enrollment.plan_year_id
                                and rate.benefit_id = enrollment.benefit_id
                                and rate.organization_id = enrollment.organization_id)) as item
  ${open('employee.id', 'employee.organization_id')}`

/** The saved draft of an employee within reach, with the facts that it refers to. Undefined if out of reach. */
export const findDraft = read(
  'enrollment-drafts.findDraft',
  `select employee.id as employee_id,
          (select json_build_object('dependent_ids', draft.dependent_ids, 'answers', draft.answers,
                                    'saved_at', iso(draft.saved_at),
                                    'version', md5(draft.dependent_ids::text || draft.answers::text))
             from enrollment_drafts as draft
            where draft.employee_id = employee.id and draft.organization_id = employee.organization_id) as saved,
          coalesce((select json_agg(found.item) from (${openEnrollments}) as found), '[]') as open,
          array(select dependent.id from dependents as dependent
                 where dependent.member_id = employee.member_id
                   and dependent.organization_id = employee.organization_id
                   and dependent.ended_on is null) as dependent_ids
     from employees as employee
    where employee.id = :employee_id and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<DraftFacts & { employee_id: string; saved: SavedDraft | null }>

/** Saves the draft of an employee in place of an earlier one. */
export const saveDraft = statement(
  'enrollment-drafts.saveDraft',
  `insert into enrollment_drafts
     (organization_id, employee_id, plan_year_ids, window_ends_on, dependent_ids, answers, saved_at)
   values
     (:organization_id, :employee_id, :plan_year_ids, :window_ends_on, :dependent_ids, :answers, :now)
   on conflict (employee_id, organization_id) do update
     set plan_year_ids = excluded.plan_year_ids, window_ends_on = excluded.window_ends_on,
         dependent_ids = excluded.dependent_ids, answers = excluded.answers, saved_at = excluded.saved_at`,
).rows

export const deleteDraft = statement(
  'enrollment-drafts.deleteDraft',
  'delete from enrollment_drafts where employee_id = :employee_id and organization_id = :organization_id',
).rows

/** SQL: whether an organization has drafts with a past last day. Their windows may have been extended since. */
export const hasClosedDrafts = `
  exists (select from enrollment_drafts as draft
           where draft.organization_id = organization.id and draft.window_ends_on < daily_run.day)`

/**
 * Deletes the next drafts of windows that have closed. Drafts of a window that was extended are kept, with its new last
 * day. Returns the employees of all these drafts.
 */
export const closeDrafts = statement(
  'enrollment-drafts.closeDrafts',
  `with due as materialized (
     select draft.employee_id,
            (select max(open_window.period ->> 'end')::date ${open('draft.employee_id', ':organization_id')}
                and enrollment.plan_year_id = any(draft.plan_year_ids)) as window_ends_on
       from enrollment_drafts as draft
      where draft.organization_id = :organization_id and draft.window_ends_on < :today::date
        and draft.employee_id > :after
      order by draft.employee_id limit :most
   ), extended as (
     update enrollment_drafts as draft set window_ends_on = due.window_ends_on from due
      where draft.employee_id = due.employee_id and draft.organization_id = :organization_id
        and due.window_ends_on is not null
   ), closed as (
     delete from enrollment_drafts as draft using due
      where draft.employee_id = due.employee_id and draft.organization_id = :organization_id
        and due.window_ends_on is null)
   select employee_id as id from due order by id`,
).column
