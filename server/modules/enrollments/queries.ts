import type { EmployerKey } from '../auth/queries.ts'
import { inReach } from '../../platform/caller.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import type { Page } from '../../kernel/pages.ts'
import { pageJson, pageValues } from '../../platform/database/pages.ts'
import { statement } from '../../platform/database/statement.ts'
import type { ElectedBy } from './schemas.ts'
import { coveredNow, electionInForce, type CountChange } from '../plan-years/queries.ts'

const inReachOfEnrollment = inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')

const located = statement(
  'enrollments.locateEnrollment',
  `select enrollment.id as enrollment_id, enrollment.organization_id, enrollment.employer_id, enrollment.employee_id
     from enrollments as enrollment
    where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`,
)

/** An enrollment, and of whom. */
export type EnrollmentKey = EmployerKey & { enrollment_id: string; employee_id: string }

/** An enrollment within reach. */
export const locateEnrollment = (ctx: Ctx, { enrollment_id }: { enrollment_id: string }) =>
  located.row<EnrollmentKey>(ctx, { enrollment_id })

/** SQL: the status of a row `enrollment` on a day. */
export const enrollmentStatus = ($day: string) =>
  `case when enrollment.inactive_on <= ${$day}::date then 'inactive' else coalesce(enrollment.answer, 'pending') end`

/** SQL: the plan of an election; null without one. */
const planJson = (election: string) => `(
  select json_build_object('id', plan.id, 'name', plan.name, 'carrier', carrier.name)
    from plans as plan
    join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
   where plan.id = ${election}.plan_id and plan.organization_id = enrollment.organization_id)`

/** SQL: the open window that lasts longest: of the grant, of the plan year, or of a life event. */
const openWindow = `
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

/** SQL: the next election after the one in force, which is not a later one of coverage that ends before. */
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

/** SQL: the fields of the Enrollment of the interface, from a row `enrollment`. */
export const enrollmentFields = `
  enrollment.id, enrollment.employee_id, enrollment.employer_id,
  json_build_object('id', product.id, 'category', product.category, 'name', product.name,
                    'product_code', product.product_code) as benefit,
  ${enrollmentStatus(':today')} as status,
  enrollment.coverage_start, enrollment.coverage_end,
  coalesce(election.employee_deduction_in_cents, 0) as employee_deduction_in_cents,
  coalesce(election.employer_contribution_in_cents, 0) as employer_contribution_in_cents,
  iso(enrollment.answered_at) as answered_at, enrollment.elected_by, iso(enrollment.terminated_at) as terminated_at,
  iso(enrollment.created_at) as created_at, iso(enrollment.updated_at) as updated_at,
  enrollment.plan_year_id as benefit_plan_year_id,
  ${planJson('election')} as plan,
  election.coverage_tier, election.premium_in_cents,
  coalesce((select json_agg(covered.dependent_id order by covered.dependent_id) from covered_dependents as covered
             where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
               and covered.effective_on = election.effective_on
               and ${coveredNow}), '[]') as dependent_ids,
  (${upcomingElection}) as upcoming_election, (${openWindow}) as "window"`

/** SQL: what an enrollment can elect, at the prices of its plan year. */
const electable = `
  coalesce((select json_agg(offer order by offer.name) from (
    select plan.id, plan.name, carrier.name as carrier, plan.network_names, plan.spd_file_url,
           json_agg(json_build_object(
             'coverage_tier', rate.coverage_tier, 'premium_in_cents', rate.premium_in_cents,
             'employer_contribution_in_cents',
               case when product.family <> 'ichra' then rate.least_contribution_in_cents end,
             'employee_deduction_in_cents',
               case when product.family <> 'ichra' then rate.premium_in_cents - rate.least_contribution_in_cents end)
             order by array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier)) as tiers
      from plan_year_rates as rate
      join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
      join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
     where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
       and rate.organization_id = enrollment.organization_id
     group by plan.id, plan.name, carrier.name, plan.network_names, plan.spd_file_url) as offer), '[]') as plans`

/** SQL: what these fields are taken from besides a row `enrollment`. */
export const enrollmentSources = `
  join benefit_plan_years as year on year.id = enrollment.plan_year_id
   and year.organization_id = enrollment.organization_id
  join benefit_products as product on product.id = enrollment.benefit_id
   and product.organization_id = enrollment.organization_id
  left join lateral (${electionInForce}) as election on true`

const found = statement(
  'enrollments.findEnrollment',
  `select (select row_to_json(shown) from (select ${enrollmentFields}, ${electable}) as shown)::text as json
     from enrollments as enrollment ${enrollmentSources}
    where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`,
)

/** One Enrollment with what it can elect, as JSON; undefined out of reach. */
export const findEnrollment = (ctx: Ctx, enrollment_id: string) => found.json(ctx, { enrollment_id })

const listed = statement(
  'enrollments.listEnrollments',
  `with place as materialized (
     select employee.id, employee.organization_id from employees as employee
      where employee.id = :employee_id
        and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')})
   ${pageJson(
     `select (select row_to_json(shown) from (select ${enrollmentFields}) as shown) as item,
             row_number() over (order by enrollment.created_at desc, enrollment.id desc) as position
        from place cross join lateral (
          select * from enrollments where employee_id = place.id and organization_id = place.organization_id
           order by created_at desc, id desc limit :limit::int offset :offset::bigint) as enrollment
        ${enrollmentSources}`,
     `(select (select count(*) from enrollments
                where employee_id = place.id and organization_id = place.organization_id) from place)`,
   )}`,
)

/** A page of an employee's enrollments, newest first, as the whole answer; undefined out of reach. */
export const listEnrollments = (ctx: Ctx, employee_id: string, page: Page) =>
  listed.json(ctx, { employee_id, ...pageValues(page) })

// What follows from eligibility. What is written is found by the organization in the row that it follows from, not by
// :organization_id: for a table that was young when it was planned, all of the organization would be read, for each
// row.

/**
 * SQL: what plan years offer the employees: their benefits, those that ended lately too, since corrections reach back.
 */
const offers = `
  select wanted.id as employee_id, employee.organization_id, employee.employer_id, employee.formers,
         offer.offered_states <> '{}' and coalesce(member.moved_on = :today::date, false) as moved_today,
         offer.plan_year_id, offer.benefit_id, offer.starts_on, offer.medical,
         offer.coverage_start as year_start, offer.coverage_end as year_end,
         offer.open_enrollment_start, offer.open_enrollment_end,
         offer.withdrawn_at is null
           and (offer.offered_states = '{}'
                or coalesce(member.state, employer.state) = any(offer.offered_states)) as offered
    from unnest(:employee_ids::text[]) as wanted (id)
   cross join lateral (
     select self.organization_id, self.employer_id, self.member_id, array(
              select other.id
                from (select * from employees
                       where member_id = self.member_id and organization_id = :organization_id offset 0) as other
               where other.employer_id = self.employer_id and other.id <> self.id
                 and other.terminated_on < self.hired_on) as formers
       from (select * from employees
              where id = wanted.id and organization_id = :organization_id offset 0) as self) as employee
   cross join lateral (
     select state, moved_on from members
      where id = employee.member_id and organization_id = :organization_id offset 0) as member
   cross join lateral (
     select state from employers
      where id = employee.employer_id and organization_id = :organization_id offset 0) as employer
   cross join lateral (
     select year.id as plan_year_id, year.coverage_start, year.coverage_end,
            year.open_enrollment_start, year.open_enrollment_end, year.offered_states,
            benefit.benefit_id, benefit.starts_on, benefit.withdrawn_at, product.category = 'Medical' as medical
       from benefit_plan_years as year
       join plan_year_benefits as benefit on benefit.plan_year_id = year.id
        and benefit.organization_id = year.organization_id
       join benefit_products as product on product.id = benefit.benefit_id
        and product.organization_id = benefit.organization_id
      where year.employer_id = employee.employer_id and year.organization_id = :organization_id
        and year.coverage_end >= :today::date - 92
     offset 0) as offer`

/**
 * SQL: the enrollments there are, each with its run: the one that holds its anchor, or else the next, since a
 * correction may have moved it. Unsettled: not inactive, or its end has not been told yet.
 */
const present = `
  select offer.*, enrollment.id, enrollment.anchored_on as former_anchor, enrollment.granted_on,
         enrollment.coverage_start, enrollment.coverage_end, enrollment.coverage_start_fixed,
         enrollment.coverage_end_fixed, enrollment.answer, enrollment.inactive_on, enrollment.terminated_at,
         enrollment.terminated_at is null or coalesce(enrollment.inactive_on > :today::date, true) as unsettled,
         run.anchored_on, run.waited_on, run.lost_on, run.covered_until, run.known_on
    from offers as offer
   cross join lateral (
     select * from (select * from enrollments
                     where employee_id = offer.employee_id and organization_id = :organization_id offset 0) as theirs
      where plan_year_id = offer.plan_year_id and benefit_id = offer.benefit_id) as enrollment
    left join lateral (
     select * from employee_eligibilities
      where employee_id = offer.employee_id and organization_id = :organization_id
        and coalesce(lost_on > enrollment.anchored_on, true)
      order by anchored_on limit 1) as run on true`

/** SQL: what may be granted: what is offered in today's run, from open enrollment or the first day on. */
const grantable = `
  select offer.*, null::text as id, null::date as former_anchor, null::date as granted_on, null::date as coverage_start,
         null::date as coverage_end, false as coverage_start_fixed, false as coverage_end_fixed, null::text as answer,
         null::date as inactive_on, null::timestamptz as terminated_at, true as unsettled,
         run.anchored_on, run.waited_on, run.lost_on, run.covered_until, run.known_on
    from offers as offer
   cross join lateral (
     select * from employee_eligibilities
      where employee_id = offer.employee_id and organization_id = :organization_id
        and anchored_on <= :today and coalesce(lost_on > :today, true)
      offset 0) as run
   where offer.offered and offer.year_end >= :today
     and (offer.open_enrollment_start is null or least(offer.open_enrollment_start, offer.year_start) <= :today)`

/**
 * SQL: what there is and what is missing, and from when to when each would be covered by its run alone. An end is only
 * known once the run has one within the plan year, or the plan year is over.
 */
const spans = `
  select *,
         case when coverage_start_fixed or anchored_on is null or not unsettled then coverage_start
              else coverage_starts_on(anchored_on, waited_on, starts_on, year_start, medical) end as span_start,
         case when lost_on <= year_end + 1 then least(covered_until, year_end)
              when year_end < :today then year_end end as span_end,
         case when lost_on <= year_end + 1 then lost_on when year_end < :today then year_end + 1 end as ending_on,
         case when formers <> '{}' then (
           select max(former.coverage_end)
             from (select * from enrollments
                    where employee_id = any(formers) and organization_id = :organization_id offset 0) as former
            where former.plan_year_id = candidate.plan_year_id and former.benefit_id = candidate.benefit_id
              and former.answer = 'enrolled' and former.coverage_end >= former.coverage_start) end as covered_before,
         row_number() over (partition by employee_id, plan_year_id, benefit_id, anchored_on, unsettled
                            order by answer = 'enrolled' desc nulls last, coverage_start, granted_on, id) > 1 as doubled
    from (select *, bool_or(id is not null and (unsettled or coverage_end_fixed)) over (
                      partition by employee_id, plan_year_id, benefit_id, anchored_on) as granted_already
            from (select * from present union all select * from grantable) as each) as candidate
   where id is not null or not granted_already`

/**
 * SQL: the last day covered of what the operator set or what is settled. A loss that is told after that still moves it
 * back, to the same day as if it had been told before.
 */
const keptEnd = `
  case when coverage_end_fixed then coverage_end
       else least(coverage_end, case when ending_on <= coverage_start then coverage_start - 1 else span_end end) end`

/**
 * SQL: never covered twice: the next begins after what an earlier one covered, also in a former employment here. Who
 * moves into an offered state is not granted the time before.
 */
const starts = `
  select *,
         case when coverage_start_fixed or not unsettled then span_start
              else greatest(
                span_start, covered_before + 1, case when id is null and moved_today then :today end,
                1 + max(case
                  when coalesce(answer <> 'enrolled', true) or doubled then null
                  when unsettled and not coverage_end_fixed then case when ending_on > span_start then span_end end
                  when ${keptEnd} >= coverage_start then ${keptEnd} end) over (
                    partition by employee_id, plan_year_id, benefit_id order by anchored_on, granted_on nulls last, id
                    rows between unbounded preceding and 1 preceding)) end as new_start
    from spans`

/**
 * SQL: how each is to be. `void`: there is no run for it any more, it is not offered to somebody who has not
 * enrolled, or could only begin after the plan year. Nothing leaves inactive: of those only the end may still move.
 */
const targets = `
  select *, case when unsettled then coalesce(anchored_on, former_anchor) else former_anchor end as new_anchor,
         case when coverage_end_fixed or not unsettled then ${keptEnd}
              when void or ending_on <= :today and coalesce(answer <> 'enrolled', true) then new_start - 1
              when coalesce(answer <> 'enrolled', true) then null
              when ending_on <= new_start then new_start - 1
              else span_end end as new_end,
         case when coverage_end_fixed or not unsettled then inactive_on
              when void then :today::date
              when answer = 'enrolled' and ending_on > new_start then span_end + 1
              else ending_on end as new_inactive_on,
         case when not unsettled then terminated_at
              when coverage_end_fixed then
                case when inactive_on <= :today then coalesce(terminated_at, :now::timestamptz) end
              when void or ending_on <= :today then coalesce(terminated_at, :now) end as new_terminated_at
    from (select *, unsettled and (anchored_on is null or doubled or new_start > year_end
                                   or not offered and coalesce(answer <> 'enrolled', true)) as void
            from starts) as judged`

/** SQL: what the counts of a plan year hold of an enrollment today, or on the year's last day once that is past. */
const counts = (inactive_on: string, answer: string, year_end: string) =>
  `case when ${inactive_on} <= least(:today::date, ${year_end}) then null
        when ${answer} = 'enrolled' then 'enrolled' else 'eligible' end`

/**
 * SQL: the last day of the window of a grant. Who is granted something by open enrollment, since they could have been
 * before it began, has the plan year's window, wherever that moves, and none of their own; who was only told of, or
 * moved, while it is open has 30 days like any newcomer.
 */
const windowEnd = `
  case when :today between open_enrollment_start and open_enrollment_end
            and greatest(anchored_on, known_on) < open_enrollment_start
            and not moved_today then :today else :today + 30 end`

/** What is written bears its note for the counts at once, so that no row is written twice. */
const settled = statement(
  'enrollments.settleEnrollments',
  `with offers as materialized (${offers}), present as (${present}), grantable as (${grantable}), spans as (${spans}),
   starts as (${starts}), targets as materialized (${targets}),
   granted as (
     insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id,
                              anchored_on, granted_on, window_ends_on, coverage_start, coverage_start_fixed,
                              inactive_on, counted, created_at, updated_at)
     select new_id('enrl'), :organization_id, employer_id, employee_id, plan_year_id, benefit_id,
            anchored_on, :today, ${windowEnd}, new_start, moved_today and new_start > span_start,
            new_inactive_on, ${counts('new_inactive_on', 'answer', 'year_end')}, :now, :now
       from targets
      where id is null and not void and coalesce(ending_on > new_start, true)
     returning id, plan_year_id),
   changed as (
     update enrollments as stored
        set anchored_on = target.new_anchor, coverage_start = target.new_start, coverage_end = target.new_end,
            inactive_on = target.new_inactive_on, terminated_at = target.new_terminated_at,
            counted = ${counts('target.new_inactive_on', 'target.answer', 'target.year_end')}, updated_at = :now
       from targets as target
      where stored.id = target.id and stored.organization_id = target.organization_id
        and (target.new_anchor, target.new_start, target.new_end, target.new_inactive_on, target.new_terminated_at)
            is distinct from (target.former_anchor, target.coverage_start, target.coverage_end, target.inactive_on,
                              target.terminated_at)
     returning new.id, new.plan_year_id, old.counted as former,
               case when old.terminated_at is null and new.terminated_at is not null then 'terminated'
                    when old.coverage_end is distinct from new.coverage_end then 'termination_rescheduled' end as told)
   select id, plan_year_id, null as former, 'granted' as told from granted
   union all
   select id, plan_year_id, former, told from changed
    order by told, id`,
)

/** An enrollment that was written, what the counts held of it before, and what is to be told of it. */
export type Settled = {
  id: string
  plan_year_id: string
  former: 'enrolled' | 'eligible' | null
  told: 'granted' | 'terminated' | 'termination_rescheduled' | null
}

/**
 * Brings the enrollments of employees into step with their runs of eligibility and what is offered: grants what is
 * missing, moves starts, schedules and withdraws ends. Run again it changes nothing.
 */
export const settleEnrollments = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  settled.rows<Settled>(ctx, { organization_id, employee_ids })

const saved_counted = statement(
  'enrollments.saveCounted',
  `with present as materialized (
     select enrollment.id, enrollment.organization_id, enrollment.employee_id, enrollment.plan_year_id,
            enrollment.benefit_id, enrollment.counted as noted,
            case when :formers::jsonb ? enrollment.id then :formers ->> enrollment.id
                 else enrollment.counted end as counted,
            ${counts('enrollment.inactive_on', 'enrollment.answer', 'year.coverage_end')} as counts
       from unnest(:employee_ids::text[]) as wanted (id)
      cross join lateral (
        select * from enrollments
         where employee_id = wanted.id and organization_id = :organization_id offset 0) as enrollment
       join benefit_plan_years as year on year.id = enrollment.plan_year_id
        and year.organization_id = enrollment.organization_id
   ), noted as (
     update enrollments as stored set counted = present.counts from present
      where present.noted is distinct from present.counts
        and stored.id = present.id and stored.organization_id = present.organization_id
   ), heads as (
     select plan_year_id, case when grouping(benefit_id) = 0 then benefit_id end as benefit_id,
            bool_or(counts is not null)::int - bool_or(counted is not null)::int as eligible,
            coalesce(bool_or(counts = 'enrolled'), false)::int
              - coalesce(bool_or(counted = 'enrolled'), false)::int as enrolled
       from present group by grouping sets ((employee_id, plan_year_id), (employee_id, plan_year_id, benefit_id)))
   select plan_year_id, benefit_id, sum(eligible)::int as eligible, sum(enrolled)::int as enrolled
     from heads group by plan_year_id, benefit_id having sum(abs(eligible)) + sum(abs(enrolled)) > 0`,
)

/**
 * Notes at the enrollments of employees what the counts of their plan years are to hold of them, and returns by how
 * much those change: of each benefit, and of the plan year, where an employee counts once. `written`: those that bear
 * their note already.
 */
export function saveCounted(
  ctx: Ctx,
  organization_id: string,
  employee_ids: string[],
  written: Settled[],
): Promise<CountChange[]> {
  const formers = Object.fromEntries(written.map(({ id, former }) => [id, former]))
  return saved_counted.rows<CountChange>(ctx, { organization_id, employee_ids, formers: JSON.stringify(formers) })
}

/** SQL: the plan years of an organization that open their enrollment, begin, or were over yesterday, by a day. */
const turningYears = (organization: string, day: string) => `
  from benefit_plan_years as year
 where year.organization_id = ${organization}
   and (year.open_enrollment_start = ${day} or year.coverage_start = ${day} or year.coverage_end = ${day}::date - 1)`

const turning = statement(
  'enrollments.listTurning',
  `select id
     from (select employee.id
             from (select distinct year.employer_id ${turningYears(':organization_id', ':today')}) as year
            cross join lateral (
              select id from employees
               where employer_id = year.employer_id and organization_id = :organization_id offset 0) as employee
            union
           select employee_id from eligibility_standings
            where organization_id = :organization_id and due_on <= :today
            union
           select employee_id from enrollments
            where organization_id = :organization_id and inactive_on = :today) as turning
    where id > :after
      and not exists (select from eligibility_standings as standing
                       where standing.employee_id = turning.id and standing.organization_id = :organization_id
                         and standing.settled_by > :today offset 0)
    order by id limit :most`,
)

/**
 * The next employees for whom today alone may change something: those of employers whose plan years turn, those whose
 * eligibility begins or ends, and those of whom enrollments become inactive. Not who was settled by a later day
 * already, when somebody wrote while this one was being caught up with.
 */
export async function listTurning(ctx: Ctx, organization_id: string, { after, most }: DailyChunk): Promise<string[]> {
  const rows = await turning.rows<{ id: string }>(ctx, { organization_id, after: after ?? '', most })
  return rows.map((row) => row.id)
}

/** SQL: whether there may be such employees, or windows that open. */
export const hasDailyEnrollments = `
  (exists (select ${turningYears('organization.id', 'turning.day')})
   or exists (select from eligibility_standings as standing
               where standing.organization_id = organization.id and standing.due_on <= turning.day)
   or exists (select from enrollments as enrollment
               where enrollment.organization_id = organization.id and enrollment.inactive_on = turning.day))`

/** SQL: the enrollments, granted before today, to which plan years open a window. */
const openedBy = (years: string) => `
  select enrollment.id from benefit_plan_years as year
    join enrollments as enrollment on enrollment.plan_year_id = year.id
     and enrollment.organization_id = year.organization_id
   where year.organization_id = :organization_id and ${years}
     and enrollment.granted_on < :today and coalesce(enrollment.inactive_on > :today, true)`

const opening = statement(
  'enrollments.listOpening',
  `${openedBy('year.open_enrollment_start = :today')} and enrollment.id > :after order by enrollment.id limit :most`,
)

/** The next enrollments, granted before today, to which an open enrollment that begins today opens a window. */
export async function listOpening(ctx: Ctx, organization_id: string, { after, most }: DailyChunk): Promise<string[]> {
  const rows = await opening.rows<{ id: string }>(ctx, { organization_id, after: after ?? '', most })
  return rows.map((row) => row.id)
}

const opening_in = statement(
  'enrollments.listOpeningIn',
  `${openedBy('year.id = :plan_year_id')} order by enrollment.id`,
)

/** The enrollments of a plan year, granted before today. */
export async function listOpeningIn(ctx: Ctx, organization_id: string, plan_year_id: string): Promise<string[]> {
  const rows = await opening_in.rows<{ id: string }>(ctx, { organization_id, plan_year_id })
  return rows.map((row) => row.id)
}

const live = statement(
  'enrollments.listLiveEnrollments',
  `select id from enrollments
    where employee_id = :employee_id and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
)

/** The enrollments of an employee that are not inactive. */
export async function listLiveEnrollments(ctx: Ctx, organization_id: string, employee_id: string): Promise<string[]> {
  const rows = await live.rows<{ id: string }>(ctx, { organization_id, employee_id })
  return rows.map((row) => row.id)
}

export type Answer = {
  answer: 'enrolled' | 'waived'
  elected_by: ElectedBy | null
  waiver_reason: string | null
  coverage_start: string
  coverage_start_fixed: boolean
}

const saved_answer = statement(
  'enrollments.saveAnswer',
  `update enrollments
      set answer = :answer, answered_at = :now, elected_by = :elected_by, waiver_reason = :waiver_reason,
          coverage_start = :coverage_start, updated_at = :now, coverage_start_fixed = coverage_start_fixed or :coverage_start_fixed
    where id = :enrollment_id and organization_id = :organization_id`,
)

/** Saves the answer of an employee and the day that coverage begins with it. */
export const saveAnswer = (ctx: Ctx, organization_id: string, enrollment_id: string, said: Answer) =>
  saved_answer.rows(ctx, { ...said, organization_id, enrollment_id })

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
