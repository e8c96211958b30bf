import { type EmployerKey, target_employee } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { inForce } from '../../../database/sql/fragments.ts'
import { read } from '../../../database/sql/statement.ts'
import { affordabilityFacts, electionDay, personalFacts } from '../../directory/ichra/queries.ts'
import { noticeDueOn } from '../../directory/ichra/rules.ts'
import type { EnrollmentFilter } from './schemas.ts'
import { affordabilityFor, missingFiguresFor, type PersonalAffordability } from '../plan-years/contribution-rules.ts'
import { changes_rows, withPersonalPrices, type PersonalFacts } from './rules.ts'

const inReachOfEnrollment = inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')

export const locateEnrollment = read(
  'enrollments.locateEnrollment',
  `select enrollment.id as enrollment_id, enrollment.organization_id, enrollment.employer_id, enrollment.employee_id
     from enrollments as enrollment
    where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`,
).row<EnrollmentKey>

export type EnrollmentKey = EmployerKey & { enrollment_id: string; employee_id: string }

export const enrollmentStatus = ($day: string) =>
  `case when enrollment.inactive_on <= ${$day}::date then 'inactive' else coalesce(enrollment.answer, 'pending') end`

/**
 * SQL: the election status of a row `enrollment` in a row `year` of plan years. Pending while a window is open or in
 * the future: of the grant, of open enrollment, or of a life event.
 */
export const electionStatusBy = (
  year: string,
  has_window: string,
  print = (status: string) => `'${status}'`,
): string => `
  case enrollment.answer when 'enrolled' then ${print('Enrolled')} when 'waived' then ${print('Waived')}
  else case when coalesce(enrollment.inactive_on > :today::date, true)
             and (enrollment.window_ends_on >= :today or ${year}.open_enrollment_end >= :today or ${has_window})
            then ${print('Pending')} else ${print('Expired')} end end`

/** SQL: whether a life event gives the employee of a row `enrollment` a window that is open or in the future. */
export const hasLifeEventWindow = `exists (
  select from qualifying_life_events as event
   where event.employee_id = enrollment.employee_id and event.organization_id = enrollment.organization_id
     and event.decision = 'approved' and event.window_end >= :today)`

/**
 * SQL: the election of a row `enrollment` that is in force today. For ended coverage, the one on its last day; for
 * future coverage, the first one.
 */
export const electionInForce = `
  select * from elections
   where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
     and effective_on <= least(:today::date, enrollment.coverage_end)
   order by effective_on desc limit 1`

/** SQL: whether the dependent of a row `covered` of the election in force is covered on that day or later. */
export const isCoveredNow = `
  coalesce(covered.covered_until >= greatest(least(:today::date, enrollment.coverage_end), enrollment.coverage_start),
           true)`

/** SQL: the plan of an election. Null if there is no election. */
const planJson = (election: string) => `(
  select json_build_object('id', plan.id, 'name', plan.name, 'carrier', carrier.name)
    from plans as plan
    join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
   where plan.id = ${election}.plan_id and plan.organization_id = enrollment.organization_id)`

/** SQL: the open window that ends last: of the grant, of the plan year, or of a life event. */
export const openWindow = `
  select json_build_object('start', period.first_day, 'end', period.last_day)
    from (values (enrollment.granted_on, enrollment.window_ends_on),
                 (year.open_enrollment_start, year.open_enrollment_end)
          union all
          select event.window_start, event.window_end from qualifying_life_events as event
           where event.employee_id = enrollment.employee_id and event.organization_id = enrollment.organization_id
             and event.decision = 'approved') as period (first_day, last_day)
   where :today::date between period.first_day and period.last_day
     and coalesce(enrollment.inactive_on > :today::date, true)
   order by period.last_day desc limit 1`

/** SQL: the changes that an answer can make today. Null if no window is open. */
const allowedChanges = `
  select case when allowed.events > 0 then json_build_object(
           'add', allowed.add, 'change_plan', allowed.change_plan, 'waive', allowed.waive,
           'drop', array_remove(array[case when drop_partner then 'spouse' end,
                                      case when drop_partner then 'domestic_partner' end,
                                      case when drop_child then 'child' end], null)) end
    from (select count(*) as events, bool_or(is_any or changes.add) as add,
                 bool_or(is_any or changes.drop_partner) as drop_partner,
                 bool_or(is_any or changes.drop_child) as drop_child,
                 bool_or(is_any or changes.change_plan) as change_plan, bool_or(is_any or changes.waive) as waive
            from (values (enrollment.granted_on, enrollment.window_ends_on, 'other', true),
                         (year.open_enrollment_start, year.open_enrollment_end, 'other', true)
                  union all
                  select event.window_start, event.window_end, event.type, event.decision_reason is not null
                    from qualifying_life_events as event
                   where event.employee_id = enrollment.employee_id
                     and event.organization_id = enrollment.organization_id and event.decision = 'approved')
                   as period (first_day, last_day, type, is_any)
            join ${changes_rows} on changes.type = period.type
           where :today::date between period.first_day and period.last_day
             and coalesce(enrollment.inactive_on > :today::date, true)) as allowed`

/** SQL: the next election after the one in force. Excludes elections after the end of coverage. */
const upcomingElection = `
  select json_build_object(
           'effective_on', next.effective_on, 'plan', ${planJson('next')},
           'coverage_tier', next.coverage_tier, 'premium_in_cents', next.premium_in_cents,
           'employer_contribution_in_cents', next.employer_contribution_in_cents,
           'employee_deduction_in_cents', next.employee_deduction_in_cents,
           'dependent_ids', (select coalesce(json_agg(covered.dependent_id order by covered.dependent_id), '[]')
                               from covered_dependents as covered
                              where covered.enrollment_id = next.enrollment_id
                                and covered.organization_id = next.organization_id
                                and covered.effective_on = next.effective_on))
    from elections as next
   where next.enrollment_id = enrollment.id and next.organization_id = enrollment.organization_id
     and next.effective_on > :today::date and coalesce(next.effective_on <= enrollment.coverage_end, true)
   order by next.effective_on limit 1`

export const enrollmentFields = `
  enrollment.id, enrollment.employee_id, enrollment.employer_id,
  json_build_object('id', product.id, 'category', product.category, 'name', product.name,
                    'product_code', product.product_code) as benefit,
  product.required_dependent_fields,
  ${enrollmentStatus(':today')} as status, ${electionStatusBy('year', hasLifeEventWindow)} as election_status,
  enrollment.coverage_start, enrollment.coverage_end,
  coalesce(election.employee_deduction_in_cents, 0) as employee_deduction_in_cents,
  coalesce(election.employer_contribution_in_cents, 0) as employer_contribution_in_cents,
  coalesce(election.domestic_partner_share_in_cents, 0) as domestic_partner_share_in_cents,
  iso(enrollment.answered_at) as answered_at, enrollment.elected_by, iso(enrollment.terminated_at) as terminated_at,
  iso(enrollment.created_at) as created_at, iso(enrollment.updated_at) as updated_at,
  enrollment.plan_year_id as benefit_plan_year_id,
  (select offered.choice_group from plan_year_benefits as offered
    where offered.plan_year_id = enrollment.plan_year_id and offered.benefit_id = enrollment.benefit_id
      and offered.organization_id = enrollment.organization_id) as choice_group,
  year.coverage_start as plan_year_start,
  year.coverage_end as plan_year_end,
  ${planJson('election')} as plan, nullif(election.effective_on, '-infinity') as elected_from,
  election.coverage_tier, election.premium_in_cents, election.individual_plan_name, election.bought_on_exchange,
  coalesce((select json_agg(covered.dependent_id order by covered.dependent_id) from covered_dependents as covered
             where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
               and covered.effective_on = election.effective_on
               and ${isCoveredNow}), '[]') as dependent_ids,
  (${upcomingElection}) as upcoming_election, (${openWindow}) as "window",
  (${allowedChanges}) as allowed_changes`

/** SQL: the plans that an enrollment can elect, at the prices of its plan year that apply to every person. */
export const electablePlans = `
  coalesce((select json_agg(offer order by offer.name) from (
    select plan.id, plan.name, carrier.name as carrier, plan.network_names, plan.spd_file_url, plan.facts,
           json_agg(json_build_object(
             'coverage_tier', rate.coverage_tier, 'premium_in_cents', rate.premium_in_cents,
             'employer_contribution_in_cents', rate.min_contribution_in_cents,
             'employee_deduction_in_cents', rate.premium_in_cents - rate.min_contribution_in_cents)
             order by array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier)) as tiers
      from plan_year_rates as rate
      join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
      join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
     where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
       and rate.organization_id = enrollment.organization_id and ${inForce('rate', electionDay)}
     group by plan.id, plan.organization_id, plan.name, plan.network_names, plan.spd_file_url, plan.facts,
              carrier.name) as offer), '[]') as plans`

/** SQL: the joins for these fields, besides a row `enrollment`. */
export const enrollmentSources = `
  join benefit_plan_years as year on year.id = enrollment.plan_year_id
   and year.organization_id = enrollment.organization_id
  join benefit_products as product on product.id = enrollment.benefit_id
   and product.organization_id = enrollment.organization_id
  left join lateral (${electionInForce}) as election on true`

const enrollmentWith = (more = '') => `
  select (select row_to_json(shown) from (
           select ${enrollmentFields}, ${electablePlans}, null as affordability, null as missing_figures,
                  null as notice_due_on
         ) as shown)::text as json ${more}
    from enrollments as enrollment ${enrollmentSources}
   where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`

const found = read(
  'enrollments.findEnrollment',
  enrollmentWith(`,
         case when product.family = 'ichra' then (${affordabilityFacts()}) end as affordability,
         case when product.family = 'ichra' then (${personalFacts}) end as personal`),
  { batch: 8 },
)

/** One `Enrollment` in a benefit that is not an ICHRA, as JSON. Takes two thirds of the time of `findEnrollment`. */
export const findTieredEnrollment = read('enrollments.findTieredEnrollment', enrollmentWith()).json

/** An `Enrollment` as JSON. For ICHRA, also the facts for its personal prices and affordability. */
type FoundEnrollment = { json: string; personal: PersonalFacts | null; affordability: PersonalAffordability | null }

/** One `Enrollment` with its electable plans as JSON. Undefined if it is out of reach. */
export async function findEnrollment(ctx: ReadCtx, enrollment_id: string): Promise<string | undefined> {
  const row = await found.row<FoundEnrollment>(ctx, { enrollment_id })
  if (!row?.personal || !row.affordability) return row?.json
  const { plans, ...enrollment } = JSON.parse(row.json)
  const { plan_year_start, coverage_start } = row.affordability
  return JSON.stringify({
    ...enrollment,
    plans: withPersonalPrices(plans, row.personal, ctx.today),
    affordability: affordabilityFor(row.affordability),
    missing_figures: missingFiguresFor(row.affordability),
    notice_due_on: noticeDueOn(plan_year_start, coverage_start),
  })
}

const listed = targetList('enrollments.listEnrollments', {
  target: target_employee,
  from: `enrollments as enrollment
          where enrollment.employee_id = target.id and enrollment.organization_id = target.organization_id`,
  row: 'enrollment',
  order: 'enrollment.created_at desc, enrollment.id desc',
  item: `(select row_to_json(shown) from (select ${enrollmentFields}) as shown)`,
  sources: enrollmentSources,
})

/**
 * A page of the enrollments of an employee on a day as the whole response, newest first. Undefined if the employee is
 * out of reach.
 */
export const listEnrollments = (ctx: ReadCtx, employee_id: string, { as_of, ...page }: EnrollmentFilter) =>
  listed({ ...ctx, today: as_of ?? ctx.today }, { employee_id }, page)
