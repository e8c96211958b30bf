import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx, DailyChunk } from '../../../runtime/ctx.ts'
import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { inForce } from '../../../database/sql/in-force.ts'
import { isSaid, withSaid } from '../../../database/sql/input-rows.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { affordabilityFacts, electionDay, personalFacts } from '../../directory/ichra/queries.ts'
import { noticeDueOn } from '../../directory/ichra/rules.ts'
import { coveredNow, electionInForce } from '../plan-years/enrollment-queries.ts'
import type { WaiverReason } from '../../directory/evidence/schemas.ts'
import type { ElectedBy, EnrollmentFilter } from './schemas.ts'
import { affordabilityFor, missingFiguresFor, type PersonalAffordability } from '../plan-years/affordability-rules.ts'
import { changes_rows } from './life-event-rules.ts'
import { withPersonalPrices, type PersonalFacts } from './rules.ts'

const inReachOfEnrollment = inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')

const located = read(
  'enrollments.locateEnrollment',
  `select enrollment.id as enrollment_id, enrollment.organization_id, enrollment.employer_id, enrollment.employee_id
     from enrollments as enrollment
    where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`,
)

/** An enrollment, and of whom. */
export type EnrollmentKey = EmployerKey & { enrollment_id: string; employee_id: string }

/** An enrollment within reach. */
export const locateEnrollment = (ctx: ReadCtx, { enrollment_id }: { enrollment_id: string }) =>
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

/** SQL: which changes an answer may make today; null without a window. */
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
  coalesce(election.domestic_partner_share_in_cents, 0) as domestic_partner_share_in_cents,
  iso(enrollment.answered_at) as answered_at, enrollment.elected_by, iso(enrollment.terminated_at) as terminated_at,
  iso(enrollment.created_at) as created_at, iso(enrollment.updated_at) as updated_at,
  enrollment.plan_year_id as benefit_plan_year_id, year.coverage_start as plan_year_start,
  year.coverage_end as plan_year_end,
  ${planJson('election')} as plan, nullif(election.effective_on, '-infinity') as elected_from,
  election.coverage_tier, election.premium_in_cents, election.individual_plan_name, election.bought_on_exchange,
  coalesce((select json_agg(covered.dependent_id order by covered.dependent_id) from covered_dependents as covered
             where covered.enrollment_id = enrollment.id and covered.organization_id = enrollment.organization_id
               and covered.effective_on = election.effective_on
               and ${coveredNow}), '[]') as dependent_ids,
  (${upcomingElection}) as upcoming_election, (${openWindow}) as "window",
  (${allowedChanges}) as allowed_changes`

/** SQL: what an enrollment can elect, at the prices of its plan year, as far as they don't depend on the person. */
export const electable = `
  coalesce((select json_agg(offer order by offer.name) from (
    select plan.id, plan.name, carrier.name as carrier, plan.network_names, plan.spd_file_url, plan.facts,
           json_agg(json_build_object(
             'coverage_tier', rate.coverage_tier, 'premium_in_cents', rate.premium_in_cents,
             'employer_contribution_in_cents', rate.least_contribution_in_cents,
             'employee_deduction_in_cents', rate.premium_in_cents - rate.least_contribution_in_cents)
             order by array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier)) as tiers
      from plan_year_rates as rate
      join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
      join carriers as carrier on carrier.id = plan.carrier_id and carrier.organization_id = plan.organization_id
     where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
       and rate.organization_id = enrollment.organization_id and ${inForce('rate', electionDay)}
     group by plan.id, plan.organization_id, plan.name, plan.network_names, plan.spd_file_url, plan.facts,
              carrier.name) as offer), '[]') as plans`

/** SQL: what these fields are taken from besides a row `enrollment`. */
export const enrollmentSources = `
  join benefit_plan_years as year on year.id = enrollment.plan_year_id
   and year.organization_id = enrollment.organization_id
  join benefit_products as product on product.id = enrollment.benefit_id
   and product.organization_id = enrollment.organization_id
  left join lateral (${electionInForce}) as election on true`

const found = read(
  'enrollments.findEnrollment',
  `select (select row_to_json(shown) from (
            select ${enrollmentFields}, ${electable}, null as affordability, null as missing_figures,
                   null as notice_due_on
          ) as shown)::text as json,
          case when product.family = 'ichra' then (${affordabilityFacts}) end as affordability,
          case when product.family = 'ichra' then (${personalFacts}) end as personal
     from enrollments as enrollment ${enrollmentSources}
    where enrollment.id = :enrollment_id and ${inReachOfEnrollment}`,
  { together: 8 },
)

/** An Enrollment as JSON, and, of ICHRA, what the rest of it follows from. */
type FoundEnrollment = { json: string; personal: PersonalFacts | null; affordability: PersonalAffordability | null }

/** One Enrollment with what it can elect, as JSON; undefined out of reach. */
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

const listed = read(
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

/**
 * A page of an employee's enrollments, newest first, each as it is on a day, as the whole answer; undefined out of
 * reach.
 */
export const listEnrollments = (ctx: ReadCtx, employee_id: string, { as_of, ...page }: EnrollmentFilter) =>
  listed.json({ ...ctx, today: as_of ?? ctx.today }, { employee_id, ...pageValues(page) })

/** SQL: the plan years of an organization that open their enrollment, begin, or were over yesterday, by a day. */
const yearsWithBoundary = (organization: string, day: string) => `
  from benefit_plan_years as year
 where year.organization_id = ${organization}
   and (year.open_enrollment_start = ${day} or year.coverage_start = ${day} or year.coverage_end = ${day}::date - 1)`

const due_today = statement(
  'enrollments.listDueToday',
  `select id
     from (select id
             from (select employee.id
                     from (select distinct year.employer_id ${yearsWithBoundary(':organization_id', ':today')}) as year
                    cross join lateral (
                      select id from employees
                       where employer_id = year.employer_id and organization_id = :organization_id and id > :after
                      offset 0) as employee
                    union
                   select employee_id from eligibility_standings
                    where organization_id = :organization_id and due_on <= :today and employee_id > :after
                    union
                   select employee_id from enrollments
                    where organization_id = :organization_id and inactive_on = :today and employee_id > :after) as due
            order by id offset 0) as daily_run
    where not exists (select from eligibility_standings as standing
                       where standing.employee_id = daily_run.id and standing.organization_id = :organization_id
                         and standing.settled_by > :today offset 0)
    order by id limit :most`,
)

/**
 * The next employees for whom today alone may change something: those of employers whose plan years open their
 * enrollment, begin or end, those whose eligibility begins or ends, and those of whom enrollments become inactive. Not
 * who was settled by a later day already, when somebody wrote while this one was being caught up with: asked in their
 * order, so that a chunk asks of as many as it takes.
 */
export async function listDueToday(ctx: Ctx, organization_id: string, { after, most }: DailyChunk): Promise<string[]> {
  const rows = await due_today.rows<{ id: string }>(ctx, { organization_id, after: after ?? '', most })
  return rows.map((row) => row.id)
}

/** SQL: whether there may be such employees, or windows that open. */
export const hasDailyEnrollments = `
  (exists (select ${yearsWithBoundary('organization.id', 'daily_run.day')})
   or exists (select from eligibility_standings as standing
               where standing.organization_id = organization.id and standing.due_on <= daily_run.day)
   or exists (select from enrollments as enrollment
               where enrollment.organization_id = organization.id and enrollment.inactive_on = daily_run.day))`

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
    where employee_id = any(:employee_ids) and organization_id = :organization_id
      and coalesce(inactive_on > :today, true) order by id`,
)

/** The enrollments of employees that are not inactive. */
export const listLiveEnrollments = async (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  (await live.rows<{ id: string }>(ctx, { organization_id, employee_ids })).map(({ id }) => id)

export type Answer = {
  answer: 'enrolled' | 'waived'
  elected_by: ElectedBy | null
  waiver_reason: string | null
  waiver_code: WaiverReason | null
  coverage_start: string
  coverage_start_fixed: boolean
  /** which choice in its group it is; null: as before */
  choice: number | null
}

const saved_answers = statement(
  'enrollments.saveAnswers',
  `${withSaid(`jsonb_to_recordset(:answers::jsonb) as said (
            enrollment_id text, answer text, elected_by text, waiver_reason text, waiver_code text, coverage_start date,
            coverage_start_fixed boolean, choice int)`)}
   update enrollments as stored
      set answer = said.answer, answered_at = :now, elected_by = said.elected_by, waiver_reason = said.waiver_reason,
          waiver_code = said.waiver_code, coverage_start = said.coverage_start,
          updated_at = :now, choice = coalesce(said.choice, stored.choice),
          coverage_start_fixed = stored.coverage_start_fixed or said.coverage_start_fixed
     from said where ${isSaid('stored', 'enrollment_id')}`,
)

/** Saves answers of employees, of many enrollments at once, and the day that coverage begins with each. */
export const saveAnswers = (ctx: Ctx, organization_id: string, answers: (Answer & { enrollment_id: string })[]) =>
  saved_answers.rows(ctx, { organization_id, answers: JSON.stringify(answers) })

/** Saves the answer of an employee and the day that coverage begins with it. */
export const saveAnswer = (ctx: Ctx, organization_id: string, enrollment_id: string, said: Answer) =>
  saveAnswers(ctx, organization_id, [{ ...said, enrollment_id }])

const saved_renewals = statement(
  'enrollments.saveRenewedAnswers',
  `${withSaid(`
     jsonb_to_recordset(:answers::jsonb) as said (
       enrollment_id text, answer text, waiver_reason text, waiver_code text)`)}
   update enrollments as stored
      set answer = said.answer, answered_at = :now, elected_by = 'renewal', waiver_reason = said.waiver_reason,
          waiver_code = said.waiver_code, updated_at = :now
     from said where ${isSaid('stored', 'enrollment_id')} and stored.answer is null
   returning stored.id`,
)

/** Saves the answers that a renewal gives where there are none, and returns the enrollments that got one. */
export async function saveRenewedAnswers(
  ctx: Ctx,
  organization_id: string,
  answers: (Pick<Answer, 'answer' | 'waiver_reason' | 'waiver_code'> & { enrollment_id: string })[],
): Promise<string[]> {
  const rows = await saved_renewals.rows<{ id: string }>(ctx, { organization_id, answers: JSON.stringify(answers) })
  return rows.map(({ id }) => id)
}
