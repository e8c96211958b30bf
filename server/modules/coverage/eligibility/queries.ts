import { type EmployerKey, target_employer } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { sqlFile } from '../../../database/sql/sql-file.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { EligibilityFacts, JudgedBenefits } from './rules.ts'

const inReachOfPolicy = inReach('policy.organization_id', 'policy.employer_id')

export const locatePolicy = read(
  'eligibility.locatePolicy',
  `select policy.id as policy_id, policy.employer_id, policy.organization_id
     from benefit_eligibility_policies as policy
    where policy.id = :policy_id and ${inReachOfPolicy}`,
).row<EmployerKey & { policy_id: string }>

const policyJson = `
  (select row_to_json(shown) from (
     select policy.id, policy.archived_at is null as active, policy.employer_id, policy.classification,
            policy.employee_classes, policy.compensation_types, policy.waiting_period, policy.start_alignment,
            policy.service_credit_weeks, policy.benefit_ids, policy.eligibility_basis,
            iso(policy.created_at) as created_at, iso(policy.updated_at) as updated_at) as shown)`

export const findPolicy = read(
  'eligibility.findPolicy',
  `select ${policyJson}::text as json
     from benefit_eligibility_policies as policy
    where policy.id = :policy_id and ${inReachOfPolicy}`,
).json

/** A page of the policies of an employer, including archived ones, newest first. */
export const listPolicies = targetList('eligibility.listPolicies', {
  target: target_employer,
  from: `benefit_eligibility_policies as policy
          where policy.employer_id = target.id and policy.organization_id = target.organization_id`,
  row: 'policy',
  order: 'policy.created_at desc, policy.id desc',
  item: policyJson,
})

const judged_benefits = statement(
  'eligibility.findBenefitsOfPolicies',
  `select array(select benefit_id from unnest(:benefit_ids::text[]) as benefit_id
                 where not exists (select from benefit_products as product
                                    where product.id = benefit_id and product.organization_id = :organization_id))
            as unknown,
          array(select distinct benefit_id from benefit_eligibility_policies as policy
                 cross join unnest(policy.benefit_ids) as benefit_id
                 where policy.employer_id = :employer_id and policy.organization_id = :organization_id
                   and policy.archived_at is null and policy.benefit_ids && :benefit_ids::text[]
                   and not policy.benefit_ids <@ :benefit_ids::text[] and benefit_id = any (:benefit_ids::text[]))
            as taken`,
)

/**
 * Returns which of these benefits are missing in the catalog, and which have an active policy that also applies to
 * other benefits.
 */
export const findBenefitsOfPolicies = async (
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  benefit_ids: string[],
): Promise<JudgedBenefits> =>
  (await judged_benefits.row<JudgedBenefits>(ctx, { organization_id, employer_id, benefit_ids }))!

/**
 * Whether the employer has ever had a policy. Without one, it has no eligible or enrolled employees, past or present.
 */
export const hasPolicies = statement(
  'eligibility.hasPolicies',
  `select 1 as found from benefit_eligibility_policies
    where employer_id = :employer_id and organization_id = :organization_id limit 1`,
).exists

/**
 * Archives the active policies that a policy for these benefits replaces. Today is the first day on which they no
 * longer apply.
 */
export const archivePolicies = statement(
  'eligibility.archivePolicies',
  `update benefit_eligibility_policies
      set archived_at = :now, archived_on = greatest(:today::date, effective_on), updated_at = :now
    where employer_id = :employer_id and organization_id = :organization_id and archived_at is null
      and (:benefit_ids::text[] = '{}') = (benefit_ids = '{}') and benefit_ids <@ :benefit_ids::text[]`,
).rows

export const insertPolicy = statement(
  'eligibility.insertPolicy',
  `insert into benefit_eligibility_policies
     (id, organization_id, employer_id, classification, employee_classes, compensation_types, waiting_period,
      start_alignment, service_credit_weeks, benefit_ids, eligibility_basis, effective_on, created_at, updated_at)
   values
     (:id, :organization_id, :employer_id, :classification, :employee_classes, :compensation_types, :waiting_period,
      :start_alignment, :service_credit_weeks, :benefit_ids, :eligibility_basis, :today, :now, :now)`,
).rows

const judged_periods = sqlFile(new URL('judge-eligibilities.sql', import.meta.url))
const judged_statuses = sqlFile(new URL('judge-eligibility-statuses.sql', import.meta.url))

/** Writes the periods of eligibility of employees that differ from the stored ones. */
export const saveEligibilities = statement(
  'eligibility.saveEligibilities',
  sqlFile(new URL('save-eligibilities.sql', import.meta.url), { judged: judged_periods }),
).rows

/**
 * Saves which of these employees are eligible today according to their periods. Returns the changes. If daily runs are
 * behind, also records that these employees are settled as of today, so that the runs for earlier days skip them.
 */
export const saveEligibilityStatuses = statement(
  'eligibility.saveEligibilityStatuses',
  sqlFile(new URL('save-eligibility-statuses.sql', import.meta.url), { judged: judged_statuses }),
).rows<{ employee_id: string; eligible: boolean }>

/** Lists the employees for which `settleEligibility` would write something. */
export const listUnsettledEligibility = statement(
  'eligibility.listUnsettledEligibility',
  `select coalesce(employee_id, stored_of) as id from (${judged_periods}) as period
    union
   select id from (${judged_statuses}) as status
    where (eligible, due_on) is distinct from (coalesce(former, false), former_due_on)
       or exists (select from organizations where id = :organization_id and daily_run_on < :today::date - 1)
    order by id`,
).column

const employees_after = statement(
  'eligibility.listEmployeesAfter',
  `select one.id
     from (select coalesce((select roster_number from employees
                             where id = :after and organization_id = :organization_id), 0) as number offset 0) as last
    cross join lateral (
      select id, roster_number from employees
       where employer_id = :employer_id and organization_id = :organization_id and roster_number > last.number
       order by roster_number limit :count) as one
    order by one.roster_number`,
)

/**
 * Lists the next past and present employees of an employer after `after`, in roster order. Employees added in the
 * meantime are last.
 */
export const listEmployeesAfter = (ctx: Ctx, employer: EmployerKey, after: string | undefined, count: number) =>
  employees_after.column(ctx, { ...employer, after: after ?? '', count })

/**
 * Locks employees for a transaction that shares the lock of their employer. Throws error 55P03 of PostgreSQL
 * (`lock_not_available`) if another transaction has locked one of them. Waiting here would block every other
 * transaction of the employer.
 */
export const lockEmployees = statement(
  'eligibility.lockEmployees',
  `select id from employees
    where id = any(:employee_ids::text[]) and organization_id = :organization_id for no key update nowait`,
).rows

/**
 * Lists all employments of people with several employments at the same employer, if one of them is in `employee_ids`.
 * Service counts across these employments.
 */
export const listMultipleEmployments = statement(
  'eligibility.listMultipleEmployments',
  `with requested as materialized (
     select member_id, employer_id from employees
      where id = any(:employee_ids::text[]) and organization_id = :organization_id)
   select unnest(array_agg(theirs.id) filter (where theirs.id is not null)) as id
     from (select null as id, member_id, employer_id from requested
            union all
           select id, member_id, employer_id from employees
            where member_id = any(array(select member_id from requested))
            and organization_id = :organization_id) as theirs
    group by theirs.member_id, theirs.employer_id
   having count(*) filter (where theirs.id is not null) > 1 and count(*) > count(theirs.id)
    order by id`,
).column

/** SQL: the policy of a row `employee`'s employer that is in force on a day, or else the next one. */
const policyInForce = (condition: string, preferred: string) => `
  select id, classification, employee_classes, compensation_types, waiting_period, start_alignment,
         service_credit_weeks, benefit_ids, eligibility_basis
    from benefit_eligibility_policies
   where employer_id = employee.employer_id and organization_id = employee.organization_id and ${condition}
     and (archived_on is null or archived_on > effective_on and archived_on > :as_of::date)
   order by effective_on > :as_of::date, case when effective_on <= :as_of::date then not (${preferred}) end,
            effective_on
   limit 1`

/** SQL: the last period of a row `employee` that begins until a day, with the policy that sets its waiting period. */
const lastPeriod = (condition: string) => `
  select period.*, waited.start_alignment,
         case when status.starts_on is null then waited.waiting_period else 'none' end as waiting_period,
         status.starts_on as stable_on
    from (select * from employee_eligibilities
           where employee_id = employee.id and organization_id = employee.organization_id
             and anchored_on <= :as_of::date and ${condition}) as period
    join benefit_eligibility_policies as waited
      on waited.id = period.policy_id and waited.organization_id = employee.organization_id
    left join measured_statuses as status
      on status.employee_id = period.employee_id and status.organization_id = employee.organization_id
     and waited.eligibility_basis = 'measured' and status.is_full_time
     and coalesce(status.decided_on, status.starts_on) = period.anchored_on and status.reason <> 'expected_full_time'
   order by period.scope <> '', period.anchored_on desc limit 1`

/** SQL: a row of `lastPeriod` as JSON, or null if there is no such row. */
const runJson = (period: string) => `
  case when ${period}.anchored_on is not null then json_build_object(
    'anchor', ${period}.anchored_on, 'rule', ${period}.waiting_period, 'start_alignment', ${period}.start_alignment,
    'policy_id', ${period}.policy_id,
    'raw_day', coalesce(${period}.stable_on, waited_on(${period}.anchored_on, ${period}.waiting_period)),
    'aligned_day', coalesce(${period}.stable_on,
                            waiting_ends_on(${period}.anchored_on, ${period}.waiting_period, '-infinity',
                                            ${period}.start_alignment)),
    'waited_on', ${period}.waited_on, 'service_from', ${period}.service_from,
    'lost_on', ${period}.lost_on, 'covered_until', ${period}.covered_until,
    'cap', coverage_starts_on(${period}.anchored_on, 'infinity', '-infinity', '-infinity', true)) end`

/** SQL: the benefits that a plan year offers to an employee, each with its period and the first day of coverage. */
const offeredBenefits = `
  select coalesce(json_agg(json_build_object(
           'benefit', json_build_object('id', product.id, 'category', product.category, 'name', product.name,
                                        'product_code', product.product_code),
           'benefit_plan_year_id', year.id, 'plan_year_start', year.coverage_start,
           'plan_year_end', year.coverage_end, 'starts_on', benefit.starts_on,
           'state', member.state, 'employer_state', employer.state,
           'offered_in_state', is_offered_in(year.offered_states, coalesce(member.state, employer.state)),
           'run', ${runJson('own')},
           'eligibility_policy', (select row_to_json(shown) from (
              ${policyInForce("(benefit_ids = '{}' or product.id = any (benefit_ids))", "benefit_ids <> '{}'")}
             ) as shown),
           'coverage_start',
             coverage_starts_on(own.anchored_on, own.waited_on, benefit.starts_on, year.coverage_start,
                                product.category = 'Medical'),
           'enrollment',
             (select json_build_object('id', enrollment.id, 'coverage_start', enrollment.coverage_start,
                                       'coverage_end', enrollment.coverage_end)
                from (select * from enrollments
                       where employee_id = employee.id and organization_id = employee.organization_id
                      offset 0) as enrollment
               where enrollment.plan_year_id = year.id and enrollment.benefit_id = product.id
                 and enrollment.anchored_on = own.anchored_on
               order by enrollment.created_at desc limit 1))
           order by year.coverage_start, year.id, benefit.position), '[]')
    from benefit_plan_years as year
    join plan_year_benefits as benefit
      on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
     and benefit.withdrawn_at is null
    join benefit_products as product
      on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
   cross join lateral scope_of(employee.employer_id, employee.organization_id, product.id) as target
    left join lateral (${lastPeriod('scope = target.scope')}) as own on true
   where year.employer_id = employee.employer_id and year.organization_id = employee.organization_id
     and year.coverage_end >= :as_of::date`

/** SQL: the entry in the history of a row `employee` that applies on a day. */
const entryOn = (table: string, column: string) => `
  select history.${column} from ${table} as history
   where history.employee_id = employee.id and history.organization_id = employee.organization_id
     and history.effective_on <= :as_of::date
   order by history.effective_on desc limit 1`

/**
 * SQL: the classes of a row `employee` with their first days, oldest first. The first class of an employment has no day
 * of its own, and starts with the employment. Repeated reports of one class are one entry.
 */
const classHistory = `
  select coalesce(json_agg(json_build_object('employee_class', employee_class, 'effective_on', starts_on)
                           order by starts_on), '[]')
    from (select starts_on, employee_class, lag(employee_class) over (order by starts_on) as former
            from (select distinct on (starts_on) starts_on, history.employee_class
                    from employee_classifications as history
                   cross join lateral (
                     select greatest(
                       history.effective_on,
                       coalesce(employee.hired_on, (employee.known_at at time zone 'America/New_York')::date)
                     ) as starts_on) as day
                   where history.employee_id = employee.id and history.organization_id = employee.organization_id
                   order by starts_on, history.effective_on desc) as entry) as change
   where employee_class is distinct from former`

/**
 * Returns the facts that explain the eligibility of an employee on a day. Undefined if the employee is out of reach.
 */
export const findEligibilityFacts = read(
  'eligibility.findEligibilityFacts',
  `select employee.id as employee_id, employee.employer_id, employee.hired_on, employee.terminated_on,
          (${entryOn('employee_classifications', 'employee_class')}) as employee_class,
          (${entryOn('employee_compensations', 'compensation_type')}) as compensation_type,
          (${classHistory}) as class_history,
          (select row_to_json(shown) from (${policyInForce('true', "benefit_ids = '{}'")}) as shown)
            as eligibility_policy,
          ${runJson('period')} as run,
          (${offeredBenefits}) as offers
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
     join employers as employer
       on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
     left join lateral (${lastPeriod('true')}) as period on true
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
).row<EligibilityFacts>
