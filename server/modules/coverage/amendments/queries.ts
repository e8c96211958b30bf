import { rowsWith } from '../../../database/sql/fragments.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { Day } from '../../../kernel/days.ts'
import { type Page, offsetOf } from '../../../kernel/pages.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Previewed, StoredAmendment } from './rules.ts'
import { partialMonthRules } from '../../directory/catalog/queries.ts'
import { first_open_month } from '../../money/deductions/statement-queries.ts'
import { lapsesJson } from '../../directory/employers/queries.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import type { Overlap, PlanYear } from '../plan-years/rules.ts'
import type { AmendmentTerms, AsOpened } from './terms-rules.ts'

/** Finds an amendment of a plan year within reach. */
export const locateAmendment = read(
  'amendments.locateAmendment',
  `select amendment.id as amendment_id, year.id as benefit_plan_year_id, year.organization_id, year.employer_id
     from plan_year_amendments as amendment
     join benefit_plan_years as year on year.id = amendment.plan_year_id
      and year.organization_id = amendment.organization_id
    where amendment.id = :amendment_id and amendment.plan_year_id = :benefit_plan_year_id
      and ${inReach('year.organization_id', 'year.employer_id')}`,
).row<AmendmentKey>

export type AmendmentKey = PlanYearKey & { amendment_id: string }

const shown = `
  select json_build_object(
           'id', amendment.id, 'benefit_plan_year_id', amendment.plan_year_id,
           'effective_on', amendment.effective_on, 'reason', amendment.reason,
           'repriced_plan_ids', coalesce(amendment.input -> 'repriced_plan_ids', '[]'),
           'contributions', coalesce(amendment.input -> 'contributions', '[]'),
           'added_plan_ids', coalesce(amendment.input -> 'added_plan_ids', '[]'),
           'closed_plan_ids', coalesce(amendment.input -> 'closed_plan_ids', '[]'),
           'added_benefits', coalesce(amendment.input -> 'added_benefits', '[]'),
           'withdrawn_benefit_ids', coalesce(amendment.input -> 'withdrawn_benefit_ids', '[]'),
           'coverage_end', amendment.input -> 'coverage_end',
           'reported_at', iso(amendment.reported_at), 'withdrawn_at', iso(amendment.withdrawn_at),
           'withdrawal_reason', amendment.withdrawal_reason)`

const listed = targetList('amendments.listAmendments', {
  target: `select year.id, year.organization_id from benefit_plan_years as year
            where year.id = :plan_year_id and (:employer_id::text is null or year.employer_id = :employer_id)
              and ${inReach('year.organization_id', 'year.employer_id')}`,
  from: `plan_year_amendments as amendment
          where amendment.plan_year_id = target.id and amendment.organization_id = target.organization_id`,
  row: 'amendment',
  order: 'amendment.position desc',
  item: `(${shown})`,
})

/**
 * A page of the amendments of a plan year as the whole response, newest first. Undefined if the plan year is out of
 * reach.
 */
export const listAmendments = (ctx: ReadCtx, plan_year_id: string, page: Page, employer_id: string | null = null) =>
  listed(ctx, { plan_year_id, employer_id }, page)

export const findAmendment = read(
  'amendments.findAmendment',
  `select (${shown})::text as json from plan_year_amendments as amendment
     join benefit_plan_years as year on year.id = amendment.plan_year_id
      and year.organization_id = amendment.organization_id
    where amendment.id = :amendment_id and ${inReach('year.organization_id', 'year.employer_id')}`,
).json

// The following statements return facts for the rules. The organization must be locked, and the plan year must be in
// reach.

/** Returns the facts about a plan year that amendments need, with all its amendments. */
export const findAmendedYear = statement(
  'amendments.findAmendedYear',
  `select year.employer_id, year.year, year.coverage_start, year.coverage_end, year.open_enrollment_start,
          year.open_enrollment_end, year.offered_states, year.as_opened,
          (select coalesce(json_agg(json_build_object(
                             'id', amendment.id, 'withdrawn', amendment.withdrawn_at is not null,
                             'terms', case when amendment.withdrawn_at is null then amendment.terms end)
                             order by amendment.position), '[]')
             from plan_year_amendments as amendment
            where amendment.plan_year_id = year.id and amendment.organization_id = year.organization_id) as amendments
     from benefit_plan_years as year where year.id = :plan_year_id and year.organization_id = :organization_id`,
).row<AmendedYear>

export type AmendedYear = PlanYear & { employer_id: string; as_opened: AsOpened | null; amendments: StoredAmendment[] }

const overlaps = statement(
  'amendments.listAmendedOverlaps',
  `select benefit.benefit_id, year.id as plan_year_id, year.coverage_start, year.coverage_end
     from jsonb_to_recordset(:benefits::jsonb) as input (benefit_id text, ends_on date)
     join plan_year_benefits as benefit on benefit.benefit_id = input.benefit_id
      and benefit.organization_id = :organization_id
     join benefit_plan_years as year on year.id = benefit.plan_year_id and year.organization_id = :organization_id
    where year.employer_id = :employer_id and year.id <> :plan_year_id and benefit.withdrawn_at is null
      and benefit.during && daterange(:coverage_start, least(:coverage_end, input.ends_on) + 1)
    order by benefit.benefit_id, year.coverage_start`,
)

/**
 * Returns which of these benefits other plan years of the employer offer on overlapping days. A benefit that ends
 * before the plan year overlaps only until its end.
 */
export const listAmendedOverlaps = (
  ctx: Ctx,
  { organization_id, employer_id, benefit_plan_year_id: plan_year_id }: PlanYearKey,
  { coverage_start, coverage_end }: Pick<PlanYear, 'coverage_start' | 'coverage_end'>,
  benefits: { benefit_id: string; ends_on: Day | null }[],
) =>
  overlaps.rows<Overlap>(ctx, {
    organization_id,
    employer_id,
    plan_year_id,
    coverage_start,
    coverage_end,
    benefits: JSON.stringify(benefits),
  })

const inserted = statement(
  'amendments.insertAmendment',
  `insert into plan_year_amendments (id, organization_id, plan_year_id, position, effective_on, reason, input, terms,
                                     reported_at)
   select :id, :organization_id, :plan_year_id, count(*) + 1, :effective_on, :reason, :input::jsonb, :terms::jsonb, :now
     from plan_year_amendments where plan_year_id = :plan_year_id and organization_id = :organization_id`,
)

/** Saves an amendment as sent. */
export const insertAmendment = (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id: plan_year_id }: PlanYearKey,
  { terms, input, reason }: { terms: AmendmentTerms; input: object; reason: string },
) =>
  inserted.rows(ctx, {
    organization_id,
    plan_year_id,
    id: terms.id,
    effective_on: terms.effective_on,
    reason,
    input: JSON.stringify(input),
    terms: JSON.stringify(terms),
  })

export const saveWithdrawal = statement(
  'amendments.saveWithdrawal',
  `update plan_year_amendments set withdrawn_at = :now, withdrawal_reason = :reason
    where id = :amendment_id and organization_id = :organization_id`,
).rows

/** Lists the elected enrollments of a plan year. */
export const listElected = statement(
  'amendments.listElected',
  `select enrollment.id from ${rowsWith('employee_ids', 'enrollments', 'enrollment', 'employee_id')}
    where enrollment.plan_year_id = :plan_year_id and enrollment.answer = 'enrolled'`,
).column

/** SQL: the enrollments that an amendment can affect. */
const touched = `
  from enrollments as enrollment
 where enrollment.plan_year_id = :plan_year_id and enrollment.organization_id = :organization_id
   and enrollment.answer = 'enrolled'
   and (:benefit_ids::text[] is null or enrollment.benefit_id = any(:benefit_ids))`

const previewed = statement(
  'amendments.listAffectedEnrollments',
  `select enrollment.id, member.first_name, member.last_name
     from (select * ${touched} order by created_at desc, id desc limit :limit offset :offset) as enrollment
     join employees as employee on employee.id = enrollment.employee_id
      and employee.organization_id = enrollment.organization_id
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    where enrollment.organization_id = :organization_id
    order by enrollment.created_at desc, enrollment.id desc`,
)

const position_found = statement(
  'amendments.findPreviewFacts',
  `select ${first_open_month} as first_open_month,
          ${lapsesJson(':employer_id', ':organization_id')} as lapses,
          ${partialMonthRules(':organization_id')} as partial_month_rules,
          (select count(*)::int ${touched}) as total
     from employers as employer where employer.id = :employer_id and employer.organization_id = :organization_id`,
)

/** The facts for a preview besides the enrollments. `total` is the number of enrollments. */
export type PreviewFacts = Pick<Previewed, 'first_open_month' | 'lapses' | 'partial_month_rules'> & { total: number }

/** The benefits of a plan year that an amendment affects. Null for all benefits. */
export type AffectedBenefits = PlanYearKey & { benefit_ids: string[] | null }

/** Returns the months that statements and invoices correct automatically, and the number of affected enrollments. */
export const findPreviewFacts = async (
  ctx: Ctx,
  { organization_id, employer_id, benefit_plan_year_id: plan_year_id, benefit_ids }: AffectedBenefits,
): Promise<PreviewFacts> =>
  (await position_found.row<PreviewFacts>(ctx, { organization_id, plan_year_id, benefit_ids, employer_id }))!

export type AffectedEnrollment = { id: string; first_name: string; last_name: string }

/** A page of the enrollments that an amendment affects, newest first, with their employees. */
export const listAffectedEnrollments = (
  ctx: Ctx,
  { organization_id, benefit_plan_year_id: plan_year_id, benefit_ids }: AffectedBenefits,
  { limit, page }: Page,
): Promise<AffectedEnrollment[]> =>
  previewed.rows<AffectedEnrollment>(ctx, {
    organization_id,
    plan_year_id,
    benefit_ids,
    limit,
    offset: offsetOf({ limit, page }),
  })
