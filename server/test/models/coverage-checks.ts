import type { Db } from '../../database/query/database.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import type { ModelRun } from './coverage-model.ts'

/** Invariants of coverage after any history, for tests with random histories. */

/** Everything that the engine derives, without timestamps. */
export const derivedState = async (db: Db): Promise<unknown[]> =>
  Promise.all(
    [
      `select employee_id, anchored_on, waited_on, policy_id, lost_on, covered_until from employee_eligibilities
        order by 1, 2`,
      'select employee_id, eligible, due_on from eligibility_statuses order by 1',
      'select * from enrollments order by id',
      'select * from elections order by enrollment_id, effective_on',
      'select id, eligible_count, enrolled_count from benefit_plan_years order by id',
      'select plan_year_id, benefit_id, eligible_count, enrolled_count from plan_year_benefits order by 1, 2',
      'select * from employer_benefits order by employer_id',
      'select count(*) from webhook_events',
    ].map((text) => db.rows(text)),
  )

type Runs = [string, Day, Day | null][]

/** An employer without a subscription on the days [from, to), too long to resume coverage. */
type Away = { employer_id: string; from: Day; to: Day }

/**
 * The runs of every employee, calculated separately for each day: whether the policy includes the class of the day, and
 * whether the employer has a subscription.
 */
export async function runsDayByDay(db: Db, until: Day, away: Away): Promise<Runs> {
  const days = await db.rows<{ employee_id: string; day: Day }>(
    `select employee.id as employee_id, day::date as day
       from employees as employee
      cross join lateral generate_series(employee.hired_on::timestamp, $1::date + 1, '1 day') as day
      cross join lateral (
        select coalesce((select employee_class from employee_classifications
                          where employee_id = employee.id and effective_on <= day
                          order by effective_on desc limit 1), 'Full Time') as employee_class) as class
       left join lateral (
        select classification from benefit_eligibility_policies as policy
         where policy.employer_id = employee.employer_id
           and (archived_on is null or archived_on > effective_on and archived_on > day)
         order by effective_on limit 1) as policy on true
      where day::date <= coalesce(employee.terminated_on, 'infinity')
        and (classification = 'all' or classification = 'full_time' and employee_class = 'Full Time'
             or classification = 'part_time' and employee_class = 'Part Time')
        and not (employee.employer_id = $2 and $3 <= day::date and day::date < $4)
      order by employee.id, day`,
    [until, away.employer_id, away.from, away.to],
  )
  const runs: Runs = []
  let former: { employee_id: string; day: Day } | undefined
  for (const { employee_id, day } of days) {
    const continues = former?.employee_id === employee_id && addDays(former.day, 1) === day
    if (!continues) runs.push([employee_id, day, null])
    runs.at(-1)![2] = addDays(day, 1)
    former = { employee_id, day }
  }
  return runs
}

/** The runs of each employee, each with the person's previous run, which may be in an earlier employment. */
export function linked(
  runs: Runs,
  story: { ids: string[]; employer_id: string }[],
  horizon: Day,
  away: Away,
): Map<string, ModelRun[]> {
  const by_employee = Map.groupBy(runs, ([id]) => id)
  const linked_runs = new Map<string, ModelRun[]>()
  for (const { ids, employer_id } of story) {
    let before: ModelRun | null = null
    const theirs = ids.flatMap((id) => by_employee.get(id) ?? []).sort(([, a], [, b]) => (a < b ? -1 : 1))
    for (const [id, anchor, to] of theirs) {
      const is_theirs = employer_id === away.employer_id
      const [begins_again, left] = [is_theirs && anchor === away.to, is_theirs && to === away.from]
      before = { anchor, lost: to! >= horizon ? null : to, before, begins_again, left }
      linked_runs.set(id, [...(linked_runs.get(id) ?? []), before])
    }
  }
  return linked_runs
}

/** Queries that must return no rows. $1 is the current day. */
export const anomalies: Record<string, string> = {
  'a person who returned in time lacks earlier coverage that they did not change and that is still available': `
    select count(*) as found from enrollments as one
      join employees as employee on employee.id = one.employee_id
      join employee_eligibilities as run on run.employee_id = one.employee_id and run.anchored_on = one.anchored_on
     where one.answer is null and coalesce(one.inactive_on > $1::date, true) and run.service_from is not null
       and exists (select from enrollments as former join employees as other on other.id = former.employee_id
                     join employee_eligibilities as earlier on earlier.employee_id = former.employee_id
                      and earlier.anchored_on = former.anchored_on
                    where other.member_id = employee.member_id and former.plan_year_id = one.plan_year_id
                      and former.benefit_id = one.benefit_id and former.answer = 'enrolled'
                      and former.coverage_start <= former.coverage_end and earlier.anchored_on >= run.service_from
                      and earlier.lost_on <= run.anchored_on and former.coverage_end >= earlier.lost_on - 1)`,
  'a person is covered twice by a benefit on a day, in one plan year or two': `
    select count(*) as found from employees as former
      join employees as latter using (member_id)
      join enrollments as one on one.employee_id = former.id
      join enrollments as other on other.employee_id = latter.id and other.benefit_id = one.benefit_id
      join benefit_plan_years as year on year.id = one.plan_year_id
      join benefit_plan_years as others on others.id = other.plan_year_id
     where $1::date is not null and one.id < other.id and one.answer = 'enrolled' and other.answer = 'enrolled'
       and not one.coverage_end_fixed and not other.coverage_end_fixed
       and not one.coverage_start_fixed and not other.coverage_start_fixed
       and one.coverage_start <= coalesce(one.coverage_end, year.coverage_end)
       and other.coverage_start <= coalesce(other.coverage_end, others.coverage_end)
       and daterange(one.coverage_start, coalesce(one.coverage_end, year.coverage_end), '[]')
           && daterange(other.coverage_start, coalesce(other.coverage_end, others.coverage_end), '[]')`,
  'coverage is outside the plan year': `
    select count(*) as found from enrollments as one join benefit_plan_years as year on year.id = one.plan_year_id
     where (one.inactive_on is null or one.inactive_on > $1::date)
       and (one.coverage_start not between year.coverage_start and year.coverage_end
            or one.coverage_end > year.coverage_end)`,
  'medical coverage starts more than 90 days after the anchor, not with the plan year, and not after other coverage': `
    select count(*) as found from enrollments as one join benefit_plan_years as year on year.id = one.plan_year_id
      join benefit_products as product on product.id = one.benefit_id
     where product.category = 'Medical' and not one.coverage_start_fixed
       and one.coverage_start > greatest(one.anchored_on + 90, year.coverage_start)
       and (one.inactive_on is null or one.inactive_on > $1::date)
       and not exists (select from enrollments as other
                        where other.employee_id = one.employee_id and other.benefit_id = one.benefit_id
                          and other.coverage_end = one.coverage_start - 1)`,
  'a person without a run has an active enrollment': `
    select count(*) as found from enrollments as one
     where one.coverage_end is null and (one.inactive_on is null or one.inactive_on > $1::date)
       and not exists (select from employee_eligibilities as run where run.employee_id = one.employee_id
                          and run.anchored_on <= $1 and coalesce(run.lost_on > $1, true))`,
  'a person in a run lacks an offered enrollment': `
    select count(*) as found from employee_eligibilities as run
      join employees as employee on employee.id = run.employee_id
      join members as member on member.id = employee.member_id
      join employers as employer on employer.id = run.employer_id
      join benefit_plan_years as year
        on year.employer_id = run.employer_id and $1 between year.coverage_start and year.coverage_end
      join plan_year_benefits as benefit on benefit.plan_year_id = year.id and benefit.withdrawn_at is null
      join benefit_products as product on product.id = benefit.benefit_id
     where run.anchored_on <= $1::date and run.lost_on is null
       and (year.offered_states = '{}' or coalesce(member.state, employer.state) = any(year.offered_states))
       and coverage_starts_on(run.anchored_on, run.waited_on, benefit.starts_on, year.coverage_start,
                              product.category = 'Medical') <= year.coverage_end
       and not exists (select from enrollments as one
                        where one.employee_id = run.employee_id and one.plan_year_id = year.id
                          and one.benefit_id = benefit.benefit_id
                          and (one.inactive_on is null or one.inactive_on > $1 or one.coverage_end_fixed
                               or one.answer = 'enrolled' and one.coverage_end = year.coverage_end))`,
  'elections exist without an enrollment, or the reverse': `
    select count(*) as found from enrollments as one
     where (one.answer = 'enrolled') is distinct from (exists (select from elections where enrollment_id = one.id))
       and (one.answer is not null or exists (select from elections where enrollment_id = one.id))
       and $1::date is not null`,
  'the counts of plan years differ from their enrollments': `
    select count(*) as found from benefit_plan_years as year
     where (enrollment_count, eligible_count, enrolled_count) <> (
       select (select count(*) from enrollments where plan_year_id = year.id),
              count(distinct employee_id), count(distinct employee_id) filter (where answer = 'enrolled')
         from enrollments
        where plan_year_id = year.id and (inactive_on is null or inactive_on > least($1::date, year.coverage_end)))`,
  'the counts of their benefits differ from their enrollments': `
    select count(*) as found from plan_year_benefits as benefit
      join benefit_plan_years as year on year.id = benefit.plan_year_id
     where (benefit.eligible_count, benefit.enrolled_count) <> (
       select count(distinct employee_id), count(distinct employee_id) filter (where answer = 'enrolled')
         from enrollments where plan_year_id = benefit.plan_year_id and benefit_id = benefit.benefit_id
            and (inactive_on is null or inactive_on > least($1::date, year.coverage_end)))`,
  "the employer's counter differs from its roster": `
    select count(*) as found from employers as employer
     where employee_count <> (select count(*) from employees where employer_id = employer.id) and $1::date is not null`,
  'terminations are counted by day': `
    select count(*) as found
      from (select employer_id, terminated_on, count(*) as employee_count from employees
             where terminated_on is not null group by employer_id, terminated_on) as counted
      full join (select * from roster_terminations where employee_count <> 0) as kept using (employer_id, terminated_on)
     where counted.employee_count is distinct from kept.employee_count and $1::date is not null`,
}
