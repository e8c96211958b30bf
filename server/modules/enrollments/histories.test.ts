import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployee,
  theEmployer,
  theEnrollment,
} from '../../test/cast.ts'
import { ChoicesByDay, differencesFrom, type ModelPerson, type ModelRun } from '../../test/coverage-model.ts'
import { useApi } from '../../test/harness.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { runWholeDay } from '../organizations/actions.ts'
import { correctEnrollment, electEnrollment, waiveEnrollment } from '../elections/actions.ts'
import type { EmployeeKey } from '../auth/queries.ts'
import { addDependent } from '../dependents/actions.ts'
import { createPolicy } from '../eligibility/actions.ts'
import { changeEmployee, hireEmployee, rehireEmployee, terminateEmployee } from '../employees/actions.ts'
import { EmployeeChanges, NewEmployee } from '../employees/schemas.ts'
import { approveLifeEvent, reportLifeEvent } from '../life-events/actions.ts'
import { locateLifeEvent } from '../life-events/queries.ts'
import { copyPlanYear } from '../plan-years/actions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { recalculate } from './actions.ts'

/**
 * Hundreds of employees of four employers live through a year and a half and some ten deeds each, in random order and
 * with corrections that reach back. Afterwards everything that the engine derived step by step must be what it is
 * when it is derived at once, and what other, simpler computations say.
 */
const api = useApi()
/** `HISTORIES=1000` tells a thousand. */
const people = Number(process.env.HISTORIES ?? 150)
const deeds_of_each = 22
/** Another seed tells other histories. */
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const first_day = '2026-01-05'
const last_day = '2027-06-30'

const classes = ['Full Time', 'Part Time', 'Seasonal'] as const
const policies = fc.record({
  classification: fc.constantFrom('full_time', 'part_time', 'all'),
  waiting_period: fc.constantFrom('none', 'first_of_following_month', '30_days', '60_days'),
  service_credit_weeks: fc.constantFrom(13, 13, 4, 0),
})

/** A deed: its kind, a number of days back or ahead, and a choice among what there is. */
const deed = fc.record({
  kind: fc.constantFrom(
    'class',
    'class',
    'start',
    'terminate',
    'rehire',
    'elect',
    'elect',
    'waive',
    'move',
    'event',
    'family',
    'correct',
  ),
  days: fc.integer({ min: 0, max: 70 }),
  choice: fc.nat(1000),
})
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never

const history = fc.record({
  employer: fc.nat(3),
  employee_class: fc.constantFrom(...classes),
  hired_before: fc.nat(120),
  deeds: fc.array(deed, { minLength: deeds_of_each - 1, maxLength: deeds_of_each - 1 }),
})

type Person = { ids: string[]; history: typeof history extends fc.Arbitrary<infer T> ? T : never }

/** Tries a deed: one that is refused leaves nothing behind. */
async function attempt(ctx: Ctx, work: () => Promise<unknown>): Promise<boolean> {
  await ctx.db.rows('savepoint deed')
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.db.rows('rollback to savepoint deed')
    return false
  } finally {
    await ctx.db.rows('release savepoint deed')
  }
}

type Known = {
  id: string
  employee_id: string
  plan_ids: string[]
  enrolled: boolean
  coverage_start: Day
  regular: boolean
}

const enrollmentsOf = async (ctx: Ctx, person: Person) =>
  ctx.db.rows<Known>(
    `select enrollment.id, enrollment.employee_id, enrollment.coverage_start, coalesce(enrollment.answer = 'enrolled', false) as enrolled,
            $2 between enrollment.granted_on and enrollment.window_ends_on
              or coalesce($2 between year.open_enrollment_start and year.open_enrollment_end, false) as regular,
            array(select distinct rate.plan_id from plan_year_rates as rate
                   where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id order by 1) as plan_ids
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where employee_id = any($1) order by enrollment.created_at desc, enrollment.id desc limit 4`,
    [person.ids, ctx.today],
  )

/** What was chosen, told day by day, and the births that were approved: of whom, on which day, when. */
const choices = new ChoicesByDay()
const births: { employee_id: string; occurred_on: Day; approved_on: Day }[] = []
/** Who moved on which day. */
const moves = new Set<string>()

/** Elects for one enrollment a plan and some of the family. */
async function elect(ctx: Ctx, { id, employee_id, plan_ids, ...was }: Known, choice: number): Promise<void> {
  const family = await ctx.db.rows<ModelPerson>(
    `select dependent.id, dependent.relationship, dependent.date_of_birth from dependents as dependent
       join employees as employee on employee.member_id = dependent.member_id where employee.id = $1 order by dependent.id`,
    [employee_id],
  )
  const people = family.filter((_, at) => (choice >> at) % 2 === 1)
  const [spouse, child] = ['spouse', 'child'].map((kind) => people.some(({ relationship }) => relationship === kind))
  const coverage_tier = spouse ? (child ? 'EF' : 'ES') : child ? 'EC' : 'EE'
  const plan_id = plan_ids[choice % plan_ids.length]!
  await electEnrollment(ctx, await theEnrollment(ctx, id), {
    plan_id,
    coverage_tier,
    dependent_ids: people.map((one) => one.id),
  })
  const arrivals = births
    .filter((one) => one.employee_id === employee_id && addDays(one.approved_on, 30) >= ctx.today)
    .map(({ occurred_on }) => occurred_on)
  choices.elect(id, { ...was, arrivals }, plan_id, people, ctx.today)
}

const addTo = (ctx: Ctx, employee: EmployeeKey, relationship: 'spouse' | 'child', date_of_birth: Day, name: number) =>
  addDependent(ctx, employee, {
    relationship,
    first_name: `Kid ${name}`,
    last_name: date_of_birth,
    suffix: undefined,
    date_of_birth,
    gender: undefined,
  })

/** The latest employment of a person. */
const present = (ctx: Ctx, { ids }: Person) => theEmployee(ctx, ids.at(-1)!)

const does: Record<Deed['kind'], (ctx: Ctx, person: Person, deed: Deed) => Promise<unknown>> = {
  class: async (ctx, person, { days, choice }) =>
    changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({
        effective_date: addDays(ctx.today, -days),
        employee_class: classes[choice % 3],
      }),
    ),
  start: async (ctx, person, { days }) =>
    changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({ effective_date: ctx.today, start_date: addDays(ctx.today, -days) }),
    ),
  terminate: async (ctx, person, { days, choice }) =>
    terminateEmployee(ctx, await present(ctx, person), {
      termination_date: addDays(ctx.today, choice % 2 ? days : -days),
      reason: undefined,
    }),
  rehire: async (ctx, person, { days }) => {
    const rehire = {
      start_date: addDays(ctx.today, -days),
      employee_class: undefined,
      compensation_type: undefined,
      reference_id: undefined,
    }
    person.ids.push(await rehireEmployee(ctx, await present(ctx, person), rehire))
  },
  elect: async (ctx, person, { choice }) => {
    const enrollments = await enrollmentsOf(ctx, person)
    const one = enrollments[choice % Math.max(enrollments.length, 1)]
    return one && elect(ctx, one, choice)
  },
  waive: async (ctx, person, { choice }) => {
    const enrollments = await enrollmentsOf(ctx, person)
    const one = enrollments[choice % Math.max(enrollments.length, 1)]
    if (!one) return
    await waiveEnrollment(ctx, await theEnrollment(ctx, one.id), { reason: undefined })
    choices.waive(one.id)
  },
  family: async (ctx, person, { choice }) => {
    const born = choice % 3 ? '2015-01-01' : '1990-01-01'
    return addTo(ctx, await present(ctx, person), choice % 3 ? 'child' : 'spouse', born, choice)
  },
  move: async (ctx, person, { choice }) => {
    moves.add(`${person.ids.at(-1)} ${ctx.today}`)
    return changeEmployee(
      ctx,
      await present(ctx, person),
      EmployeeChanges.parse({
        effective_date: ctx.today,
        address: { address_line_1: '1 Main St', city: 'X', state: ['NY', 'NV', 'TX'][choice % 3], zipcode: '12207' },
      }),
    )
  },
  event: async (ctx, person, { choice, days }) => {
    const employee = await present(ctx, person)
    const { employee_id } = employee
    const type = (['birth', 'marriage'] as const)[choice % 2]!
    const occurred_on = addDays(ctx.today, type === 'birth' ? -(days % 50) : 0)
    const life_event_id = await reportLifeEvent(ctx, employee, { type, occurred_on, description: undefined })
    await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!)
    if (type !== 'birth') return
    births.push({ employee_id, occurred_on, approved_on: ctx.today })
    await addTo(ctx, employee, 'child', occurred_on, choice)
    for (const [at, one] of (await enrollmentsOf(ctx, person)).entries())
      await attempt(ctx, () => elect(ctx, one, choice >> at))
  },
  correct: async (ctx, person, { choice, days }) => {
    const [one] = choice % 4 ? [] : await enrollmentsOf(ctx, person)
    const nothing = { election: undefined, waive: undefined, coverage_start: undefined }
    return (
      one &&
      correctEnrollment(ctx, await theEnrollment(ctx, one.id), {
        ...nothing,
        reason: 'R',
        coverage_end: choice % 8 ? addDays(ctx.today, days - 30) : null,
      })
    )
  },
}

/** Some are hired in November, choose at once, and in January a last day is told that may lie before their coverage. */
const isLate = (number: number) => number % 10 === 9
const hired_late = '2026-12-01'
const told_late = '2027-01-10'
/** The first day of the open enrollment of the second year. */
const open_enrollment = '2026-12-01'

const hire = async (ctx: Ctx, employer_ids: string[], person: Person, number: number) =>
  person.ids.push(
    await hireEmployee(
      ctx,
      await theEmployer(ctx, employer_ids[person.history.employer]!),
      NewEmployee.parse({
        first_name: `A${number}`,
        last_name: `B${number}`,
        email: `p${number}@example.com`,
        date_of_birth: '1990-05-05',
        start_date: addDays(ctx.today, -(isLate(number) ? 10 + (number % 16) : person.history.hired_before)),
        employee_class: person.history.employee_class,
      }),
    ),
  )

/** Everything that the engine derives, apart from when it was written. */
const derived = async (): Promise<unknown[]> =>
  Promise.all(
    [
      'select employee_id, anchored_on, waited_on, policy_id, lost_on, covered_until from employee_eligibilities order by 1, 2',
      'select employee_id, eligible, due_on from eligibility_standings order by 1',
      'select * from enrollments order by id',
      'select * from elections order by enrollment_id, effective_on',
      'select id, eligible_count, enrolled_count from benefit_plan_years order by id',
      'select plan_year_id, benefit_id, eligible_count, enrolled_count from plan_year_benefits order by 1, 2',
      'select * from employer_benefits order by employer_id',
      'select count(*) from webhook_events',
    ].map((text) => api.database.reads.rows(text)),
  )

type Runs = [string, Day, Day | null][]

/**
 * The runs of every employee by looking at each day of it alone, as the rules tell: is the class of the day covered by
 * its policy?
 */
async function runsDayByDay(until: Day): Promise<Runs> {
  const days = await api.database.reads.rows<{ employee_id: string; day: Day; left: boolean }>(
    `select employee.id as employee_id, day::date as day, day::date > coalesce(employee.terminated_on, 'infinity') as left
       from employees as employee
      cross join lateral generate_series(employee.hired_on::timestamp, $1::date + 1, '1 day') as day
      cross join lateral (
        select coalesce((select employee_class from employee_classifications where employee_id = employee.id and effective_on <= day
                          order by effective_on desc limit 1), 'Full Time') as employee_class) as class
       left join lateral (
        select classification from benefit_eligibility_policies as policy
         where policy.employer_id = employee.employer_id and (archived_on is null or archived_on > effective_on and archived_on > day)
         order by effective_on limit 1) as policy on true
      where day::date <= coalesce(employee.terminated_on, 'infinity')
        and (classification = 'all' or classification = 'full_time' and employee_class = 'Full Time'
             or classification = 'part_time' and employee_class = 'Part Time')
      order by employee.id, day`,
    [until],
  )
  const runs: Runs = []
  let former: { employee_id: string; day: Day } | undefined
  for (const { employee_id, day } of days) {
    const goes_on = former?.employee_id === employee_id && addDays(former.day, 1) === day
    if (!goes_on) runs.push([employee_id, day, null])
    runs.at(-1)![2] = addDays(day, 1)
    former = { employee_id, day }
  }
  return runs
}

/** The runs by employee and anchor, each with the one before it of the same person, also in an earlier employment. */
function linked(runs: Runs, story: Person[], horizon: Day): Map<string, ModelRun> {
  const by_run = new Map<string, ModelRun>()
  for (const { ids } of story) {
    let before: ModelRun | null = null
    for (const [id, anchor, to] of runs.filter(([id]) => ids.includes(id)).sort(([, a], [, b]) => (a < b ? -1 : 1))) {
      before = { anchor, lost: to! >= horizon ? null : to, before }
      by_run.set(`${id} ${anchor}`, before)
    }
  }
  return by_run
}

/** The enrollments in which something held again for people who came back. */
const resumed = new Set<string>()

/** What was resumed and is unanswered again, since somebody was away for too long after all, is chosen no more. */
async function forgetUnanswered(id: string): Promise<void> {
  const row = await api.database.reads.row<{ answer: string | null }>('select answer from enrollments where id = $1', [
    id,
  ])
  if (row?.answer !== null) return
  choices.waive(id)
  resumed.delete(id)
  withdrawn.add(id)
}
/** Those of which that became of. */
const withdrawn = new Set<string>()

/** Has the model know what did. */
async function resumeChoices(): Promise<void> {
  const rows = await api.database.reads.rows<{ id: string; former_id: string; last_day: Day }>(
    `select enrollment.id, before.id as former_id, before.coverage_end as last_day from enrollments as enrollment
       join employees as employee on employee.id = enrollment.employee_id
      cross join lateral (
        select former.* from enrollments as former join employees as other on other.id = former.employee_id
         where other.member_id = employee.member_id and former.plan_year_id = enrollment.plan_year_id
           and former.benefit_id = enrollment.benefit_id and former.id <> enrollment.id and former.answer = 'enrolled'
           and former.coverage_start <= former.coverage_end and former.anchored_on < enrollment.anchored_on
         order by former.coverage_end desc, former.id desc limit 1) as before
      where enrollment.elected_by = 'return' and enrollment.answer = 'enrolled' order by enrollment.id`,
  )
  for (const id of resumed) if (!rows.some((row) => row.id === id)) await forgetUnanswered(id)
  for (const { id, former_id, last_day } of rows.filter((row) => !choices.has(row.id))) {
    choices.resume(id, former_id, last_day)
    resumed.add(id)
  }
}

const anomalies: Record<string, string> = {
  'who came back in time has what they had, unless they answered or it can not be had any more': `
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
  'nobody is covered twice by a benefit on a day': `
    select count(*) as found from enrollments as one join enrollments as other using (benefit_id, plan_year_id)
      join employees as former on former.id = one.employee_id join employees as latter on latter.id = other.employee_id and latter.member_id = former.member_id
      join benefit_plan_years as year on year.id = one.plan_year_id
     where $1::date is not null and one.id < other.id and one.answer = 'enrolled' and other.answer = 'enrolled'
       and not one.coverage_end_fixed and not other.coverage_end_fixed and not one.coverage_start_fixed and not other.coverage_start_fixed
       and one.coverage_start <= coalesce(one.coverage_end, year.coverage_end) and other.coverage_start <= coalesce(other.coverage_end, year.coverage_end)
       and daterange(one.coverage_start, coalesce(one.coverage_end, year.coverage_end), '[]')
           && daterange(other.coverage_start, coalesce(other.coverage_end, year.coverage_end), '[]')`,
  'coverage lies within the plan year': `
    select count(*) as found from enrollments as one join benefit_plan_years as year on year.id = one.plan_year_id
     where (one.inactive_on is null or one.inactive_on > $1::date)
       and (one.coverage_start not between year.coverage_start and year.coverage_end or one.coverage_end > year.coverage_end)`,
  'medical coverage starts within 90 days of the anchor, or with the plan year, or after other coverage': `
    select count(*) as found from enrollments as one join benefit_plan_years as year on year.id = one.plan_year_id
      join benefit_products as product on product.id = one.benefit_id
     where product.category = 'Medical' and not one.coverage_start_fixed and one.coverage_start > greatest(one.anchored_on + 90, year.coverage_start)
       and (one.inactive_on is null or one.inactive_on > $1::date)
       and not exists (select from enrollments as other where other.employee_id = one.employee_id and other.benefit_id = one.benefit_id
                          and other.coverage_end = one.coverage_start - 1)`,
  'only who has a run has an enrollment that goes on': `
    select count(*) as found from enrollments as one
     where one.coverage_end is null and (one.inactive_on is null or one.inactive_on > $1::date)
       and not exists (select from employee_eligibilities as run where run.employee_id = one.employee_id
                          and run.anchored_on <= $1 and coalesce(run.lost_on > $1, true))`,
  'everybody in a run has what is offered': `
    select count(*) as found from employee_eligibilities as run
      join employees as employee on employee.id = run.employee_id join members as member on member.id = employee.member_id
      join employers as employer on employer.id = run.employer_id
      join benefit_plan_years as year on year.employer_id = run.employer_id and $1 between year.coverage_start and year.coverage_end
      join plan_year_benefits as benefit on benefit.plan_year_id = year.id and benefit.withdrawn_at is null
      join benefit_products as product on product.id = benefit.benefit_id
     where run.anchored_on <= $1::date and run.lost_on is null
       and (year.offered_states = '{}' or coalesce(member.state, employer.state) = any(year.offered_states))
       and coverage_starts_on(run.anchored_on, run.waited_on, benefit.starts_on, year.coverage_start, product.category = 'Medical') <= year.coverage_end
       and not exists (select from enrollments as one where one.employee_id = run.employee_id and one.plan_year_id = year.id and one.benefit_id = benefit.benefit_id
                          and (one.inactive_on is null or one.inactive_on > $1 or one.coverage_end_fixed
                               or one.answer = 'enrolled' and one.coverage_end = year.coverage_end))`,
  'who elected has an election, and nobody else': `
    select count(*) as found from enrollments as one
     where (one.answer = 'enrolled') is distinct from (exists (select from elections where enrollment_id = one.id))
       and (one.answer is not null or exists (select from elections where enrollment_id = one.id)) and $1::date is not null`,
  'the counts of plan years are those of their enrollments': `
    select count(*) as found from benefit_plan_years as year
     where (enrollment_count, eligible_count, enrolled_count) <> (
       select (select count(*) from enrollments where plan_year_id = year.id),
              count(distinct employee_id), count(distinct employee_id) filter (where answer = 'enrolled')
         from enrollments where plan_year_id = year.id and (inactive_on is null or inactive_on > least($1::date, year.coverage_end)))`,
  'and so are those of their benefits': `
    select count(*) as found from plan_year_benefits as benefit join benefit_plan_years as year on year.id = benefit.plan_year_id
     where (benefit.eligible_count, benefit.enrolled_count) <> (
       select count(distinct employee_id), count(distinct employee_id) filter (where answer = 'enrolled')
         from enrollments where plan_year_id = benefit.plan_year_id and benefit_id = benefit.benefit_id
            and (inactive_on is null or inactive_on > least($1::date, year.coverage_end)))`,
  'the book counts each roster': `
    select count(*) as found from employers as employer
     where employee_count <> (select count(*) from employees where employer_id = employer.id) and $1::date is not null`,
}

/** The second offers its medical benefit from July on, the third in two states alone, the fourth one with two plans. */
const offeredBy = (at: number, { mec, mvp, dental }: Awaited<ReturnType<typeof importCatalog>>) =>
  [
    {},
    { benefits: [{ benefit_id: mec.benefit_id, starts_on: '2026-07-01' }, { benefit_id: dental.benefit_id }] },
    { offered_states: ['NY', 'NV'] },
    { benefits: [{ benefit_id: mvp.benefit_id }, { benefit_id: dental.benefit_id }] },
  ][at]!

type Granted = { id: string; run: string; move: string; window_ends_on: Day; opened_on: Day | null }

/** What was granted today, with the first day of the open enrollment that is open. */
const grantedToday = (ctx: Ctx) =>
  ctx.db.rows<Granted>(
    `select enrollment.id, enrollment.employee_id || ' ' || enrollment.anchored_on as run, enrollment.employee_id || ' ' || $1::date as move,
            enrollment.window_ends_on, case when $1 between open_enrollment_start and open_enrollment_end then open_enrollment_start end as opened_on
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where enrollment.granted_on = $1`,
    [ctx.today],
  )

/** The runs that are known today. */
const knownRuns = async (ctx: Ctx): Promise<Set<string>> => {
  const rows = await ctx.db.rows<{ run: string }>(
    `select employee_id || ' ' || anchored_on as run from employee_eligibilities`,
  )
  return new Set(rows.map(({ run }) => run))
}

describe('random histories', () => {
  it('are the same step by step and at once', { timeout: 900_000 }, async () => {
    api.moveTo(first_day)
    const catalog = await importCatalog(api)
    const employer_ids = [1, 2, 3, 4].map(() => createEmployer(api))
    const employers = await Promise.all(employer_ids)
    const [histories, rules] = [
      fc.sample(history, { seed, numRuns: people }),
      fc
        .sample(policies, { seed, numRuns: 40 })
        .map((rule, at) => ({ ...rule, start_alignment: at % 4 === 3 ? 'first_of_month' : 'exact' })),
    ]
    const years: string[] = []
    for (const [at, employer_id] of employers.entries())
      years.push(await openPlanYear(api, employer_id, catalog, offeredBy(at, catalog)))

    const story: Person[] = histories.map((one) => ({ ids: [], history: one }))
    let done = 0
    let day = first_day
    const judged = new Set<string>()
    const wrong_windows: Granted[] = []
    let known = new Set<string>()
    let in_open_enrollment = 0
    /** Whose run was known when open enrollment began, and who did not move, has its window; everybody else 30 days. */
    const judgeWindows = async (ctx: Ctx) => {
      for (const one of (await grantedToday(ctx)).filter(({ id }) => !judged.has(id))) {
        judged.add(one.id)
        if (one.opened_on) in_open_enrollment++
        const theirs = one.opened_on && known.has(one.run) && !moves.has(one.move)
        if (one.window_ends_on !== (theirs ? ctx.today : addDays(ctx.today, 30))) wrong_windows.push(one)
      }
    }
    for (let step = 0; day < last_day; step++, day = addDays(day, 10)) {
      api.moveTo(day)
      await api.runDays()
      await api.act(async (ctx) => {
        if (day <= open_enrollment) known = await knownRuns(ctx)
        await judgeWindows(ctx)
        if (step % 5 === 0)
          await createPolicy(ctx, await theEmployer(ctx, employers[(step / 5) % 4]!), rules[step % 40]! as never)
        if (step < 4) await createPolicy(ctx, await theEmployer(ctx, employers[step]!), rules[step % 40]! as never)
        if (day > '2026-11-01' && years.length === 4)
          for (const year of years.slice(0, 4))
            years.push(
              await copyPlanYear(ctx, (await locatePlanYear(ctx, { benefit_plan_year_id: year }))!, {
                open_enrollment_start: addDays(day, 20),
                open_enrollment_end: addDays(day, 35),
                renewal: 'active',
              } as never),
            )
        for (const [number, person] of story.entries()) {
          if (person.ids.length === 0) {
            if (isLate(number) ? day !== hired_late : step < 10 && number % 10 !== step) continue
            if (await attempt(ctx, () => hire(ctx, employers, person, number))) done++
            if (!isLate(number)) continue
            for (const one of await enrollmentsOf(ctx, person)) if (await attempt(ctx, () => elect(ctx, one, 0))) done++
          }
          if (isLate(number) && day <= told_late) {
            const last = addDays('2026-11-11', person.history.hired_before % 30)
            const left = async () =>
              terminateEmployee(ctx, await theEmployee(ctx, person.ids[0]!), {
                termination_date: last,
                reason: undefined,
              })
            if (day === told_late && (await attempt(ctx, left))) done++
            continue
          }
          const next = (number * 7 + step) % 3 === 0 ? person.history.deeds.shift() : undefined
          if (next && (await attempt(ctx, () => does[next.kind](ctx, person, next)))) done++
        }
        await judgeWindows(ctx)
      })
      await api.work()
      await resumeChoices()
    }
    await api.runDays()
    expect(done).toBeGreaterThan(9 * people)
    expect(wrong_windows).toEqual([])
    expect(in_open_enrollment).toBeGreaterThan(0.8 * people)
    expect(resumed.size).toBeGreaterThan(0)
    if (people >= 300) expect(withdrawn.size).toBeGreaterThan(0)

    const before = await derived()
    const again = (work: (ctx: Ctx) => Promise<unknown>) => api.act(work)
    const everybody = story.flatMap(({ ids }) => ids)
    await again((ctx) => recalculate(ctx, api.story.organization_id, everybody))
    expect(await derived(), 'recalculating everything changes nothing').toEqual(before)
    await again((ctx) => runWholeDay(ctx, api.story.organization_id))
    expect(await derived(), 'running the day again changes nothing').toEqual(before)
    await again(async (ctx) => {
      await ctx.db.rows('delete from employee_eligibilities')
      await recalculate(ctx, api.story.organization_id, everybody)
    })
    expect(await derived(), 'deriving every run from nothing gives the same').toEqual(before)

    const stored = await api.database.reads.rows<{ employee_id: string; anchored_on: Day; lost_on: Day | null }>(
      'select employee_id, anchored_on, lost_on from employee_eligibilities order by employee_id, anchored_on',
    )
    // Far enough ahead to see the last days that were told already.
    const far = addDays(last_day, 90)
    const by_day = await runsDayByDay(far)
    const horizon = addDays(far, 2)
    const capped = (end: Day | null) => (end === null || end > horizon ? horizon : end)
    expect(stored.map((run) => [run.employee_id, run.anchored_on, capped(run.lost_on)])).toEqual(
      by_day.map(([id, from, to]) => [id, from, capped(to)]),
    )
    const today = api.runtime.clock()
    const now = new Date(today).toISOString().slice(0, 10)
    for (const [rule, text] of Object.entries(anomalies))
      expect(await api.database.reads.row(text, [now]), rule).toEqual({ found: 0 })

    const { compared, differences } = await differencesFrom(api.database, linked(by_day, story, horizon), choices, now)
    expect(differences).toEqual([])
    expect(compared.starts).toBeGreaterThan(0.3 * people)
    expect(compared.ends).toBeGreaterThan(0.5 * people)
    expect(compared.days).toBeGreaterThan(90 * people)
  })
})
