import type { EmployerKey } from '../auth/queries.ts'
import { inReach } from '../../platform/caller.ts'
import type { Ctx, ReadCtx } from '../../platform/ctx.ts'
import { sqlFile } from '../../platform/database/sql-file.ts'
import { read, statement } from '../../platform/database/statement.ts'
import type { Day } from '../../kernel/days.ts'
import type { EligibilityFacts } from './rules.ts'
import type { NewBenefitEligibilityPolicy } from './schemas.ts'

const inReachOfPolicy = inReach('policy.organization_id', 'policy.employer_id')

const located = read(
  'eligibility.locatePolicy',
  `select policy.id as policy_id, policy.employer_id, policy.organization_id
     from benefit_eligibility_policies as policy
    where policy.id = :policy_id and ${inReachOfPolicy}`,
)

/** A policy within reach. */
export const locatePolicy = (ctx: ReadCtx, { policy_id }: { policy_id: string }) =>
  located.row<EmployerKey & { policy_id: string }>(ctx, { policy_id })

const one_policy = read(
  'eligibility.findPolicy',
  `select (select row_to_json(shown) from (
             select policy.id, policy.archived_at is null as active, policy.classification, policy.employer_id,
                    policy.waiting_period, iso(policy.created_at) as created_at,
                    iso(policy.updated_at) as updated_at) as shown)::text as json
     from benefit_eligibility_policies as policy
    where policy.id = :policy_id and ${inReachOfPolicy}`,
)

/** The BenefitEligibilityPolicy as JSON; undefined out of reach. */
export const findPolicy = (ctx: ReadCtx, policy_id: string) => one_policy.json(ctx, { policy_id })

const archived = statement(
  'eligibility.archiveActivePolicy',
  `update benefit_eligibility_policies
      set archived_at = :now, archived_on = greatest(:today::date, effective_on), updated_at = :now
    where employer_id = :employer_id and organization_id = :organization_id and archived_at is null`,
)

/** Archives the active policy of an employer, if it has one; today is the first day without it. */
export const archiveActivePolicy = (ctx: Ctx, organization_id: string, employer_id: string) =>
  archived.rows(ctx, { organization_id, employer_id })

export type PolicyRecord = { id: string; organization_id: string; employer_id: string } & NewBenefitEligibilityPolicy

const inserted = statement(
  'eligibility.insertPolicy',
  `insert into benefit_eligibility_policies
     (id, organization_id, employer_id, classification, waiting_period, effective_on, created_at, updated_at)
   values
     (:id, :organization_id, :employer_id, :classification, :waiting_period, :today, :now, :now)`,
)

export const insertPolicy = (ctx: Ctx, policy: PolicyRecord) => inserted.rows(ctx, policy)

const saved_periods = statement(
  'eligibility.saveEligibilities',
  sqlFile(new URL('save-eligibilities.sql', import.meta.url)),
)

/** Writes the periods of eligibility of employees, where they differ from what is stored. */
export const saveEligibilities = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  saved_periods.rows(ctx, { organization_id, employee_ids })

const settled = statement('eligibility.saveStandings', sqlFile(new URL('save-standings.sql', import.meta.url)))

/**
 * Settles who of these employees is eligible today, by their periods; returns those for whom that changed. While days
 * before today are not run yet, it is noted that today has brought them all that those days would.
 */
export const saveStandings = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  settled.rows<{ employee_id: string; eligible: boolean }>(ctx, { organization_id, employee_ids })

const employees_of_employer = statement(
  'eligibility.listEmployeeIds',
  `select id from employees where organization_id = :organization_id and employer_id = :employer_id
    order by created_at, id`,
)

/** Everybody who is or was employed by an employer. */
export async function listEmployeeIds(ctx: Ctx, employer: EmployerKey): Promise<string[]> {
  const rows = await employees_of_employer.rows<{ id: string }>(ctx, employer)
  return rows.map((row) => row.id)
}

const policyJson = (row: string) =>
  `json_build_object('id', ${row}.id, 'classification', ${row}.classification, 'waiting_period', ${row}.waiting_period)`

/** SQL: what a plan year offers an employee in a period, and the first day of coverage that follows. */
const offeredBenefits = `
  select coalesce(json_agg(json_build_object(
           'benefit', json_build_object('id', product.id, 'category', product.category, 'name', product.name,
                                        'product_code', product.product_code),
           'benefit_plan_year_id', year.id, 'plan_year_start', year.coverage_start,
           'plan_year_end', year.coverage_end, 'starts_on', benefit.starts_on,
           'offered_in_state', is_offered_in(year.offered_states, coalesce(member.state, employer.state)),
           'coverage_start',
             coverage_starts_on(period.anchored_on, period.waited_on, benefit.starts_on, year.coverage_start,
                                product.category = 'Medical'),
           'enrollment',
             (select json_build_object('id', enrollment.id, 'coverage_start', enrollment.coverage_start,
                                       'coverage_end', enrollment.coverage_end)
                from (select * from enrollments
                       where employee_id = employee.id and organization_id = employee.organization_id
                      offset 0) as enrollment
               where enrollment.plan_year_id = year.id and enrollment.benefit_id = product.id
                 and enrollment.anchored_on = period.anchored_on
               order by enrollment.created_at desc limit 1))
           order by year.coverage_start, year.id, benefit.position), '[]')
    from benefit_plan_years as year
    join plan_year_benefits as benefit
      on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
     and benefit.withdrawn_at is null
    join benefit_products as product
      on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
   where year.employer_id = employee.employer_id and year.organization_id = employee.organization_id
     and year.coverage_end >= :as_of::date`

const facts = read(
  'eligibility.findEligibilityFacts',
  `select employee.id as employee_id, employee.employer_id, employee.hired_on, employee.terminated_on,
          class.employee_class,
          case when policy.id is not null then ${policyJson('policy')} end as eligibility_policy,
          case when period.anchored_on is not null then json_build_object(
            'anchor', period.anchored_on, 'rule', waited.waiting_period,
            'raw_day', waited_on(period.anchored_on, waited.waiting_period), 'waited_on', period.waited_on,
            'lost_on', period.lost_on, 'covered_until', period.covered_until,
            'cap', period.anchored_on + 90) end as run,
          case when period.anchored_on is null then '[]' else (${offeredBenefits}) end as offers
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     left join lateral (
       select history.employee_class from employee_classifications as history
        where history.employee_id = employee.id and history.organization_id = employee.organization_id
          and history.effective_on <= :as_of::date
        order by history.effective_on desc limit 1) as class on true
     left join lateral (
       select * from benefit_eligibility_policies
        where employer_id = employee.employer_id and organization_id = employee.organization_id
          and (archived_on is null or archived_on > effective_on and archived_on > :as_of::date)
        order by effective_on limit 1) as policy on true
     left join lateral (
       select * from employee_eligibilities
        where employee_id = employee.id and organization_id = employee.organization_id
          and anchored_on <= :as_of::date
        order by anchored_on desc limit 1) as period on true
     left join benefit_eligibility_policies as waited
       on waited.id = period.policy_id and waited.organization_id = employee.organization_id
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
)

/** What the explanation of an employee's eligibility on a day rests on; undefined out of reach. */
export const findEligibilityFacts = (ctx: ReadCtx, employee_id: string, as_of: Day) =>
  facts.row<EligibilityFacts>(ctx, { employee_id, as_of })
