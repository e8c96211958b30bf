import { days_to_reinstate } from '../elections/rules.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { offsetOf, type Page } from '../../../kernel/pages.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { inForce } from '../../../database/sql/fragments.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { areaRatesOfPlan } from '../../directory/ichra/queries.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { withPrice, type RenewalJudgement, type RenewingYear, type StoredElection } from './rules.ts'

/** SQL: whether the end of earlier coverage, or of the granted enrollment, was moved or withdrawn since the renewal. */
const rolledBack = (choice: string, year: string) => `
  exists (select from enrollment_evidence as reported
           where reported.enrollment_id in (${choice}.former_id, ${choice}.enrollment_id)
             and reported.organization_id = ${year}.organization_id and reported.action in ('reinstated', 'end_changed')
             and (reported.recorded_at at time zone 'America/New_York')::date >= ${year}.renewed_on)`

/**
 * SQL: whether the employer offers or offered another benefit of a choice group. Without one, no other choice is
 * possible.
 */
const hasRivals = (offer: string, year: string) => `
  exists (select from benefit_plan_years as theirs
            join plan_year_benefits as rival on rival.plan_year_id = theirs.id
             and rival.organization_id = theirs.organization_id
           where theirs.employer_id = ${year}.employer_id and theirs.organization_id = ${year}.organization_id
             and rival.choice_group = ${offer}.choice_group and rival.benefit_id <> ${offer}.benefit_id)`

/**
 * SQL: whether the employee will have another benefit of the choice group when the plan year begins. Of two benefits
 * held at the same time, the one chosen later is carried over, or else the one offered first.
 */
const otherHeldBenefits = (choice: string, year: string) => `
  exists (select from (select * from enrollments where employee_id = ${choice}.employee_id
                          and organization_id = ${year}.organization_id offset 0) as rival
            join benefit_plan_years as theirs on theirs.id = rival.plan_year_id
             and theirs.organization_id = ${year}.organization_id
            join plan_year_benefits as other on other.plan_year_id = rival.plan_year_id
             and other.organization_id = ${year}.organization_id and other.benefit_id = rival.benefit_id
            left join plan_year_benefits as again on again.plan_year_id = ${year}.id
             and again.organization_id = ${year}.organization_id and again.benefit_id = rival.benefit_id
             and again.withdrawn_at is null
           where rival.benefit_id <> ${choice}.benefit_id and rival.answer = 'enrolled'
             and (other.choice_group = ${choice}.choice_group
                    and ${choice}.coverage_start between rival.coverage_start
                                                     and coalesce(rival.coverage_end, theirs.coverage_end)
                  or again.choice_group = ${choice}.choice_group and theirs.coverage_end + 1 = ${year}.coverage_start
                    and rival.coverage_start <= theirs.coverage_end
                    and coalesce(rival.coverage_end >= theirs.coverage_end, true)
                    and (rival.choice, -again.position) > (${choice}.former_choice, -${choice}.position)))`

/** SQL: the employer contribution to an offer of a plan year on its first day. */
const contributed = (offer: string, year: string) => `(
  select contribution.contribution_strategy from plan_year_contributions as contribution
   where contribution.plan_year_id = ${offer}.plan_year_id and contribution.organization_id = ${offer}.organization_id
     and contribution.benefit_id = ${offer}.benefit_id and ${inForce('contribution', `${year}.coverage_start`)})`

/** SQL: the price of the elected plan without the domestic partner. Null for coverage levels without one. */
const priceWithoutPartner = (choice: string, year: string) => `(
  select row_to_json(alone) from plan_year_rates as alone
   where alone.plan_year_id = ${year}.id and alone.organization_id = ${year}.organization_id
     and alone.plan_id = ${choice}.plan_id and ${inForce('alone', `${year}.coverage_start`)}
     and alone.coverage_tier = case ${choice}.coverage_tier when 'EF' then 'EC' when 'ES' then 'EE' end)`

/** SQL: the renewal decision for the employees in `requested`. */
const renewalDecision = (scope_sql: string) =>
  sqlFile(new URL('judge-renewal.sql', import.meta.url), {
    requested: scope_sql,
    renewed_company: sqlFile(new URL('renewed-company.sql', import.meta.url), {
      days_to_reinstate: String(days_to_reinstate),
    }),
    renewing_year: sqlFile(new URL('renewing-year.sql', import.meta.url), { in_reach: inReach }),
    has_rivals: hasRivals,
    held_beside: otherHeldBenefits,
    area_rates: areaRatesOfPlan,
    taken_back: rolledBack,
    in_force: inForce,
    contributed,
    price_without_partner: priceWithoutPartner,
  })

const judged = statement(
  'renewals.decideRenewals',
  renewalDecision(`
    select wanted.id as employee_id, benefits.benefit_id, null::bigint as total
      from unnest(:employee_ids::text[]) as wanted (id) cross join benefits
     where exists (select from target)`),
)

/** Returns the renewal decision for employees in a plan year: one row for each benefit that was offered before. */
export async function decideRenewals(
  ctx: Ctx,
  { id, employer_id }: RenewingYear,
  employee_ids: string[],
): Promise<RenewalJudgement[]> {
  const rows = await judged.rows<RenewalJudgement & { plan_year_id: string; total: number }>(ctx, {
    plan_year_id: id,
    employer_id,
    employee_ids,
  })
  const known = rows.filter(({ employee_id, enrollment_id, former_enrollment_id }) =>
    Boolean(employee_id && (enrollment_id ?? former_enrollment_id)),
  )
  return known.map(withPrice)
}

const yearFields = `
  year.id, year.organization_id, year.employer_id, year.coverage_start,
  year.renewal_due_on as due_on, year.renewal, year.renewed_on,
  is_grantable(true, year.open_enrollment_start, year.coverage_start, year.coverage_end, :today) as grants`

export const findRenewingYear = statement(
  'renewals.findRenewingYear',
  `select ${yearFields} from benefit_plan_years as year
    where year.id = :plan_year_id and year.organization_id = :organization_id`,
).row<RenewingYear>

/**
 * SQL: the plan years of an organization that begin on a day, that open their enrollment, or that are due for renewal.
 */
const yearsToRenew = (organization: string, day: string) => `
  from benefit_plan_years as year
 where year.organization_id = ${organization}
   and (year.open_enrollment_start = ${day} or year.coverage_start = ${day}
        or year.renewal = 'passive' and year.renewed_on is null
           and year.renewal_due_on <= ${day})`

/** Returns the next plan year for today's renewals, starting with `from` and excluding `done`. */
export const findDueYear = statement(
  'renewals.findDueYear',
  `select ${yearFields} ${yearsToRenew(':organization_id', ':today')} and year.id >= :from and year.id <> :done
    order by year.id limit 1`,
).row<RenewingYear>

/** SQL: whether such plan years exist. */
export const hasDailyRenewals = `exists (select ${yearsToRenew('organization.id', 'daily_run.day')})`

const roster = statement(
  'renewals.listRoster',
  `select id from employees
    where employer_id = :employer_id and organization_id = :organization_id
      and roster_number < case when :id::text is null then 9223372036854775807
                               else (select roster_number from employees
                                      where id = :id and organization_id = :organization_id) end
    order by roster_number desc limit :most`,
)

/** The last employee of a chunk of the roster. */
export type RosterKey = { id: string }

/** Lists the next employees of an employer, newest first. */
export const listRoster = (
  ctx: Ctx,
  { organization_id, employer_id }: RenewingYear,
  after: RosterKey | null,
  most: number,
) =>
  roster.rows<RosterKey>(ctx, {
    organization_id,
    employer_id,
    id: after?.id ?? null,
    most,
  })

const listed = read(
  'renewals.listRenewal',
  `select judged.*, product.name as benefit_name, employee.member_id, employee.reference_id, member.first_name,
          member.last_name, former_plan.name as former_plan, stored.elected as stored,
          (select json_build_object('id', plan.id, 'name', plan.name, 'carrier', carrier.name)
             from plans as plan
             join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
            where plan.id = coalesce(stored.elected ->> 'plan_id', judged.plan_id)
              and plan.organization_id = year.organization_id) as plan
     from (${renewalDecision(`
       with known as materialized (
         select enrollment.employee_id, enrollment.benefit_id
           from target cross join benefits
           join enrollments as enrollment on enrollment.plan_year_id = benefits.former_year_id
            and enrollment.organization_id = target.organization_id
          where enrollment.benefit_id = benefits.benefit_id and enrollment.answer is not null
          union
         select enrollment.employee_id, enrollment.benefit_id
           from target
           join enrollments as enrollment on enrollment.plan_year_id = target.id
            and enrollment.organization_id = target.organization_id
          where enrollment.benefit_id in (select benefit_id from benefits))
       select page.*, totals.total from (select count(*) as total from known) as totals
         left join lateral (
           select * from known order by employee_id, benefit_id
            limit :limit::int offset :offset::bigint) as page on true`)}
     ) as judged
     left join benefit_plan_years as year on year.id = judged.plan_year_id
      and ${inReach('year.organization_id', 'year.employer_id')}
     left join benefit_products as product on product.id = judged.benefit_id
      and product.organization_id = year.organization_id
     left join employees as employee on employee.id = judged.employee_id
      and employee.organization_id = year.organization_id
     left join members as member on member.id = employee.member_id and member.organization_id = year.organization_id
     left join plans as former_plan on former_plan.id = judged.former_plan_id
      and former_plan.organization_id = year.organization_id
     left join lateral (
       select json_build_object(
                'plan_id', election.plan_id, 'coverage_tier', election.coverage_tier,
                'premium_in_cents', election.premium_in_cents,
                'employer_contribution_in_cents', election.employer_contribution_in_cents,
                'employee_deduction_in_cents', election.employee_deduction_in_cents,
                'dependent_ids', array(select covered.dependent_id from covered_dependents as covered
                                        where covered.enrollment_id = election.enrollment_id
                                          and covered.organization_id = election.organization_id
                                          and covered.effective_on = election.effective_on
                                        order by covered.dependent_id)) as elected
         from elections as election
        where election.enrollment_id = judged.enrollment_id and election.organization_id = year.organization_id
        order by election.effective_on limit 1) as stored on true
    order by judged.employee_id, judged.benefit_id`,
)

/** A renewal decision with the additional fields of the report. */
export type ReportedRenewal = RenewalJudgement & {
  plan_year_id: string | null
  total: number
  benefit_name: string
  member_id: string
  reference_id: string | null
  first_name: string
  last_name: string
  former_plan: string | null
  plan: { id: string; name: string; carrier: string } | null
  stored: StoredElection | null
}

/**
 * A page of the renewal decisions for a plan year, by employee and benefit. If the page is past the end, one row
 * without an employee. `plan_year_id` is null if the plan year is out of reach.
 */
export const listJudgements = (
  ctx: ReadCtx,
  scope: { employer_id: string; benefit_plan_year_id: string },
  page: Page,
) =>
  listed.rows<ReportedRenewal>(ctx, {
    employer_id: scope.employer_id,
    plan_year_id: scope.benefit_plan_year_id,
    limit: page.limit,
    offset: offsetOf(page),
  })
