import { inReach, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../platform/days.ts'
import { offsetOf, pageJson, type Page } from '../../platform/pages.ts'

const inReachOfEnrollment = inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')

/** The organization of an enrollment within reach. */
export const findEnrollmentPlace = (ctx: Ctx, { enrollment_id }: { enrollment_id: string }) =>
  ctx.db.row<{ organization_id: string; employer_id: string; employee_id: string }>(
    `select enrollment.organization_id, enrollment.employer_id, enrollment.employee_id from enrollments as enrollment
      where enrollment.id = $4 and ${inReachOfEnrollment}`,
    [...reachOf(ctx.caller), enrollment_id],
  )

/** SQL: the status of a row `enrollment` on a day. */
export const enrollmentStatus = ($day: string) =>
  `case when enrollment.inactive_on <= ${$day}::date then 'inactive' else coalesce(enrollment.answer, 'pending') end`

/** SQL: the election of an enrollment in force on a day, else its first, which holds from the first day of coverage. */
const electionOn = ($day: string) => `
  select election.* from elections as election
   where election.enrollment_id = enrollment.id and election.organization_id = enrollment.organization_id
   order by election.effective_on <= ${$day}::date desc,
            case when election.effective_on <= ${$day}::date then election.effective_on end desc, election.effective_on
   limit 1`

const inForce = electionOn('$5')

/** SQL: the open window that lasts longest: of the grant, of the plan year, or of a life event. */
const openWindow = `
  select json_build_object('start', period.first_day, 'end', period.last_day)
    from (values (enrollment.granted_on, enrollment.window_ends_on), (year.open_enrollment_start, year.open_enrollment_end)
          union all
          select event.window_start, event.window_end from qualifying_life_events as event
           where event.employee_id = enrollment.employee_id and event.organization_id = enrollment.organization_id
             and event.decision = 'approved') as period (first_day, last_day)
   where $5::date between period.first_day and period.last_day and coalesce(enrollment.inactive_on > $5::date, true)
   order by period.last_day desc limit 1`

/** SQL: the fields of the Enrollment of the interface, from a row `enrollment`; $5 is today. */
const enrollmentFields = `
  enrollment.id, enrollment.employee_id, enrollment.employer_id,
  json_build_object('id', product.id, 'category', product.category, 'name', product.name, 'product_code', product.product_code) as benefit,
  ${enrollmentStatus('$5')} as status,
  enrollment.coverage_start, enrollment.coverage_end,
  coalesce(election.employee_deduction_in_cents, 0) as employee_deduction_in_cents,
  coalesce(election.employer_contribution_in_cents, 0) as employer_contribution_in_cents,
  iso(enrollment.answered_at) as answered_at, iso(enrollment.terminated_at) as terminated_at,
  iso(enrollment.created_at) as created_at, iso(enrollment.updated_at) as updated_at,
  enrollment.plan_year_id as benefit_plan_year_id,
  case when election.plan_id is not null then (
    select json_build_object('id', plan.id, 'name', plan.name, 'carrier', carrier.name)
      from plans as plan join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
     where plan.id = election.plan_id and plan.organization_id = enrollment.organization_id) end as plan,
  election.coverage_tier, election.premium_in_cents,
  coalesce((select json_agg(covered.dependent_id order by covered.dependent_id) from covered_dependents as covered
             where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
               and covered.effective_on = election.effective_on
               and coalesce(covered.covered_until >= greatest($5::date, enrollment.coverage_start), true)), '[]') as dependent_ids,
  (${openWindow}) as "window"`

/** SQL: what an enrollment can elect, at the prices of its plan year. */
const electable = `
  coalesce((select json_agg(offer order by offer.name) from (
    select plan.id, plan.name, carrier.name as carrier, plan.network_names, plan.spd_file_url,
           json_agg(json_build_object(
             'coverage_tier', rate.coverage_tier, 'premium_in_cents', rate.premium_in_cents,
             'employer_contribution_in_cents', case when product.family <> 'ichra' then rate.least_contribution_in_cents end,
             'employee_deduction_in_cents', case when product.family <> 'ichra' then rate.premium_in_cents - rate.least_contribution_in_cents end)
             order by array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier)) as tiers
      from plan_year_rates as rate
      join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
      join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
     where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
       and rate.organization_id = enrollment.organization_id
     group by plan.id, plan.name, carrier.name, plan.network_names, plan.spd_file_url) as offer), '[]') as plans`

const joined = `
  join benefit_plan_years as year on year.id = enrollment.plan_year_id and year.organization_id = enrollment.organization_id
  join benefit_products as product on product.id = enrollment.benefit_id and product.organization_id = enrollment.organization_id
  left join lateral (${inForce}) as election on true`

const detailText = `
  select (select row_to_json(shown) from (select ${enrollmentFields}, ${electable}) as shown)::text as json
    from enrollments as enrollment ${joined}
   where enrollment.id = $4 and ${inReachOfEnrollment}`

/** One Enrollment with what it can elect, as JSON; undefined out of reach. */
export const findEnrollment = (ctx: Ctx, enrollment_id: string) =>
  ctx.db.json(detailText, [...reachOf(ctx.caller), enrollment_id, ctx.today])

const listText = `
  with place as materialized (
    select employee.id, employee.organization_id from employees as employee
     where employee.id = $4 and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})
  ${pageJson(
    `select (select row_to_json(shown) from (select ${enrollmentFields}) as shown) as item,
            row_number() over (order by enrollment.created_at desc, enrollment.id desc) as position
       from place cross join lateral (
         select * from enrollments where employee_id = place.id and organization_id = place.organization_id
          order by created_at desc, id desc limit $6::int offset $8::bigint) as enrollment ${joined}`,
    `(select (select count(*) from enrollments where employee_id = place.id and organization_id = place.organization_id) from place)`,
    '$6',
    '$7',
  )}`

/** A page of an employee's enrollments, newest first, as the whole answer; undefined out of reach. */
export const listEnrollments = (ctx: Ctx, employee_id: string, page: Page) =>
  ctx.db.json(listText, [...reachOf(ctx.caller), employee_id, ctx.today, page.limit, page.page, offsetOf(page)])

// What follows from eligibility ------------------------------------------------------------------
// $1 the organization, $2 employees, $3 today, $4 now.

/** SQL: what plan years offer the employees: their benefits, those that ended lately too, since corrections reach back. */
const offers = `
  select wanted.id as employee_id, employee.employer_id, offer.plan_year_id, offer.benefit_id, offer.starts_on, offer.medical,
         offer.coverage_start as year_start, offer.coverage_end as year_end, offer.open_enrollment_start, offer.open_enrollment_end,
         offer.withdrawn_at is null
           and (offer.offered_states = '{}' or coalesce(member.state, employer.state) = any(offer.offered_states)) as offered
    from unnest($2::text[]) as wanted (id)
   cross join lateral (
     select employer_id, member_id from employees where id = wanted.id and organization_id = $1 offset 0) as employee
   cross join lateral (
     select state from members where id = employee.member_id and organization_id = $1 offset 0) as member
   cross join lateral (
     select state from employers where id = employee.employer_id and organization_id = $1 offset 0) as employer
   cross join lateral (
     select year.id as plan_year_id, year.coverage_start, year.coverage_end, year.open_enrollment_start, year.open_enrollment_end,
            year.offered_states, benefit.benefit_id, benefit.starts_on, benefit.withdrawn_at, product.category = 'Medical' as medical
       from benefit_plan_years as year
       join plan_year_benefits as benefit on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
       join benefit_products as product on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
      where year.employer_id = employee.employer_id and year.organization_id = $1 and year.coverage_end >= $3::date - 92
     offset 0) as offer`

/**
 * SQL: the enrollments there are, each with its run: the one that holds its anchor, or else the next, since a
 * correction may have moved it. Live: not inactive, or its end has not been told yet.
 */
const present = `
  select offer.*, enrollment.id, enrollment.anchored_on as former_anchor, enrollment.granted_on, enrollment.coverage_start,
         enrollment.coverage_end, enrollment.coverage_start_fixed, enrollment.coverage_end_fixed, enrollment.answer,
         enrollment.inactive_on, enrollment.terminated_at,
         enrollment.terminated_at is null or coalesce(enrollment.inactive_on > $3::date, true) as live,
         run.anchored_on, run.waited_on, run.lost_on, run.covered_until
    from offers as offer
   cross join lateral (
     select * from (select * from enrollments where employee_id = offer.employee_id and organization_id = $1 offset 0) as theirs
      where plan_year_id = offer.plan_year_id and benefit_id = offer.benefit_id) as enrollment
    left join lateral (
     select * from employee_eligibilities
      where employee_id = offer.employee_id and organization_id = $1 and coalesce(lost_on > enrollment.anchored_on, true)
      order by anchored_on limit 1) as run on true`

/** SQL: what may be granted: what is offered in today's run, from open enrollment or the first day on. */
const grantable = `
  select offer.*, null::text as id, null::date as former_anchor, null::date as granted_on, null::date as coverage_start,
         null::date as coverage_end, false as coverage_start_fixed, false as coverage_end_fixed, null::text as answer,
         null::date as inactive_on, null::timestamptz as terminated_at, true as live,
         run.anchored_on, run.waited_on, run.lost_on, run.covered_until
    from offers as offer
   cross join lateral (
     select * from employee_eligibilities
      where employee_id = offer.employee_id and organization_id = $1 and anchored_on <= $3 and coalesce(lost_on > $3, true)
      offset 0) as run
   where offer.offered and offer.year_end >= $3
     and (offer.open_enrollment_start is null or least(offer.open_enrollment_start, offer.year_start) <= $3)`

/**
 * SQL: what there is and what is missing, and from when to when each would be covered by its run alone. An end is only known once the run has one within
 * the plan year, or the plan year is over.
 */
const spans = `
  select *,
         case when coverage_start_fixed or anchored_on is null or not live then coverage_start
              else coverage_starts_on(anchored_on, waited_on, starts_on, year_start, medical) end as span_start,
         case when lost_on <= year_end then least(covered_until, year_end) when year_end < $3 then year_end end as span_end,
         case when lost_on <= year_end then lost_on when year_end < $3 then year_end + 1 end as ending_on,
         row_number() over (partition by employee_id, plan_year_id, benefit_id, anchored_on, live
                            order by answer = 'enrolled' desc nulls last, coverage_start, granted_on, id) > 1 as doubled
    from (select *, bool_or(id is not null and (live or coverage_end_fixed)) over (
                      partition by employee_id, plan_year_id, benefit_id, anchored_on) as there
            from (select * from present union all select * from grantable) as each) as candidate
   where id is not null or not there`

/** SQL: never covered twice: the next begins after what an earlier one covered. */
const parted = `
  select *,
         case when coverage_start_fixed or not live then span_start else greatest(span_start, 1 + max(case
           when coalesce(answer <> 'enrolled', true) or doubled then null
           when live and not coverage_end_fixed then case when span_end >= span_start then span_end end
           when coverage_end >= coverage_start then coverage_end end) over (
               partition by employee_id, plan_year_id, benefit_id order by anchored_on, granted_on nulls last, id
               rows between unbounded preceding and 1 preceding)) end as new_start
    from spans`

/**
 * SQL: how each is to be. `void`: there is no run for it any more, it is not offered to somebody who has not
 * enrolled, or could only begin after the plan year. Nothing leaves inactive: of those only the end may still move.
 */
const targets = `
  select *, case when live then coalesce(anchored_on, former_anchor) else former_anchor end as new_anchor,
         case when coverage_end_fixed or coalesce(answer <> 'enrolled', true) then coverage_end
              when void then new_start - 1
              when not live then case when span_end < coverage_end then greatest(span_end, coverage_start - 1) else coverage_end end
              when span_end < new_start then new_start - 1
              else span_end end as new_end,
         case when coverage_end_fixed or not live then inactive_on
              when void then $3::date
              when answer = 'enrolled' and span_end >= new_start then span_end + 1
              else ending_on end as new_inactive_on,
         case when coverage_end_fixed or not live then terminated_at
              when void or ending_on <= $3 then coalesce(terminated_at, $4::timestamptz) end as new_terminated_at
    from (select *, live and (anchored_on is null or doubled or new_start > year_end
                              or not offered and coalesce(answer <> 'enrolled', true)) as void
            from parted) as judged`

const settled = `
  with offers as materialized (${offers}), present as (${present}), grantable as (${grantable}), spans as (${spans}), parted as (${parted}),
  targets as materialized (${targets}),
  granted as (
    insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on, granted_on,
                             window_ends_on, coverage_start, inactive_on, created_at, updated_at)
    select new_id('enrl'), $1, employer_id, employee_id, plan_year_id, benefit_id, anchored_on, $3,
           case when $3 between open_enrollment_start and open_enrollment_end and anchored_on < open_enrollment_start
                then open_enrollment_end else $3 + 30 end,
           new_start, new_inactive_on, $4, $4
      from targets
     where id is null and not void and coalesce(span_end >= new_start, true)
    returning id, plan_year_id),
  changed as (
    update enrollments as stored
       set anchored_on = target.new_anchor, coverage_start = target.new_start, coverage_end = target.new_end,
           inactive_on = target.new_inactive_on, terminated_at = target.new_terminated_at, updated_at = $4
      from targets as target
     where stored.id = target.id and stored.organization_id = $1
       and (target.new_anchor, target.new_start, target.new_end, target.new_inactive_on, target.new_terminated_at)
           is distinct from (target.former_anchor, target.coverage_start, target.coverage_end, target.inactive_on, target.terminated_at)
    returning new.id, new.plan_year_id,
              case when old.terminated_at is null and new.terminated_at is not null then 'terminated'
                   when old.coverage_end is distinct from new.coverage_end then 'termination_rescheduled' end as told)
  select id, plan_year_id, 'granted' as told from granted
  union all
  select id, plan_year_id, told from changed where told is not null
   order by told, id`

/** What is to be told of an enrollment. */
export type Settled = { id: string; plan_year_id: string; told: 'granted' | 'terminated' | 'termination_rescheduled' }

/**
 * Brings the enrollments of employees into step with their runs of eligibility and what is offered: grants what is
 * missing, moves starts, schedules and withdraws ends. Run again it changes nothing.
 */
export const settleEnrollments = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  ctx.db.rows<Settled>(settled, [organization_id, employee_ids, ctx.today, ctx.now])

/** By how much the counts of a plan year, or of one of its benefits, change. */
export type CountChange = { plan_year_id: string; benefit_id: string | null; eligible: number; enrolled: number }

/**
 * Notes at the enrollments of employees what the counts of their plan years are to hold of them, and returns by how
 * much those change: of each benefit, and of the plan year, where an employee counts once.
 */
export const saveCounted = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  ctx.db.rows<CountChange>(
    `with present as materialized (
       select enrollment.id, enrollment.employee_id, enrollment.plan_year_id, enrollment.benefit_id, enrollment.counted,
              case when enrollment.inactive_on <= $3::date then null when enrollment.answer = 'enrolled' then 'enrolled' else 'eligible' end as counts
         from unnest($2::text[]) as wanted (id)
        cross join lateral (
          select * from enrollments where employee_id = wanted.id and organization_id = $1 offset 0) as enrollment
     ), noted as (
       update enrollments as stored set counted = present.counts from present
        where stored.id = present.id and stored.organization_id = $1 and stored.counted is distinct from present.counts
     ), heads as (
       select plan_year_id, case when grouping(benefit_id) = 0 then benefit_id end as benefit_id,
              bool_or(counts is not null)::int - bool_or(counted is not null)::int as eligible,
              coalesce(bool_or(counts = 'enrolled'), false)::int - coalesce(bool_or(counted = 'enrolled'), false)::int as enrolled
         from present group by grouping sets ((employee_id, plan_year_id), (employee_id, plan_year_id, benefit_id)))
     select plan_year_id, benefit_id, sum(eligible)::int as eligible, sum(enrolled)::int as enrolled
       from heads group by plan_year_id, benefit_id having sum(abs(eligible)) + sum(abs(enrolled)) > 0`,
    [organization_id, employee_ids, ctx.today],
  )

/** The employees with enrollments that have become inactive and still count. */
export async function listUncounted(ctx: Ctx, organization_id: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ employee_id: string }>(
    `select distinct employee_id from enrollments
      where organization_id = $1 and inactive_on <= $2 and counted is not null order by employee_id`,
    [organization_id, ctx.today],
  )
  return rows.map((row) => row.employee_id)
}

/** The employers of an organization with a plan year that opens its enrollment, begins, or was over yesterday. */
export const listTurningEmployers = (ctx: Ctx, organization_id: string) =>
  ctx.db.rows<{ organization_id: string; employer_id: string }>(
    `select distinct organization_id, employer_id from benefit_plan_years
      where organization_id = $1 and (open_enrollment_start = $2 or coverage_start = $2 or coverage_end = $2::date - 1)
      order by employer_id`,
    [organization_id, ctx.today],
  )

/** The enrollments, granted before today, to which the open enrollment of today opens a window. */
export const listOpening = (ctx: Ctx, organization_id: string) =>
  ctx.db.rows<{ id: string }>(
    `select enrollment.id from benefit_plan_years as year
       join enrollments as enrollment on enrollment.plan_year_id = year.id and enrollment.organization_id = year.organization_id
      where year.organization_id = $1 and year.open_enrollment_start = $2
        and enrollment.granted_on < $2 and coalesce(enrollment.inactive_on > $2, true)
      order by enrollment.id`,
    [organization_id, ctx.today],
  )

/** The enrollments of an employee that are not inactive. */
export const listLiveEnrollments = (ctx: Ctx, organization_id: string, employee_id: string) =>
  ctx.db.rows<{ id: string }>(
    `select id from enrollments
      where employee_id = $2 and organization_id = $1 and coalesce(inactive_on > $3, true) order by id`,
    [organization_id, employee_id, ctx.today],
  )

export type Answer = {
  answer: 'enrolled' | 'waived'
  waiver_reason: string | null
  coverage_start: string
  coverage_start_fixed: boolean
}

/** Saves the answer of an employee and the day that coverage begins with it. */
export const saveAnswer = (ctx: Ctx, organization_id: string, enrollment_id: string, said: Answer) =>
  ctx.db.rows(
    `update enrollments
        set answer = $3, answered_at = $4, waiver_reason = $5, coverage_start = $6, updated_at = $4,
            coverage_start_fixed = coverage_start_fixed or $7
      where id = $1 and organization_id = $2`,
    [
      enrollment_id,
      organization_id,
      said.answer,
      ctx.now,
      said.waiver_reason,
      said.coverage_start,
      said.coverage_start_fixed,
    ],
  )

/** Saves days that the operator set: fixed, so that the engine leaves them alone; an end of null becomes the engine's again. */
export const saveCorrectedDays = (
  ctx: Ctx,
  organization_id: string,
  enrollment_id: string,
  days: { coverage_start?: Day | undefined; coverage_end?: Day | null | undefined },
) =>
  ctx.db.rows(
    `update enrollments
        set coverage_start = coalesce($3::date, coverage_start), coverage_start_fixed = coverage_start_fixed or $3::date is not null,
            coverage_end = coalesce($4::date, coverage_end),
            coverage_end_fixed = case when $5 then false else coverage_end_fixed or $4::date is not null end,
            inactive_on = case when inactive_on <= $7::date or $4::date is null then inactive_on
                               when $4::date >= coalesce($3::date, coverage_start) then $4::date + 1
                               else $7::date end,
            terminated_at = case when $4::date is null then terminated_at else coalesce(terminated_at, $6) end,
            updated_at = $6
      where id = $1 and organization_id = $2`,
    [
      enrollment_id,
      organization_id,
      days.coverage_start ?? null,
      days.coverage_end ?? null,
      days.coverage_end === null,
      ctx.now,
      ctx.today,
    ],
  )
