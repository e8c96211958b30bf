import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear, theEmployee, theEmployer } from '../../../test/fixtures.ts'
import { anomalies, derivedState, linked, runsDayByDay } from '../../../test/models/coverage-checks.ts'
import { differencesFrom } from '../../../test/models/coverage-model.ts'
import { useApi } from '../../../test/harness.ts'
import { attempt, does, elect, enrollmentsOf, history, Facts, type Person } from '../../../test/models/random-lives.ts'
import { WindowModel } from '../../../test/models/window-model.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { runWholeDay } from '../../access/organizations/actions.ts'
import { createPolicy } from '../eligibility/actions.ts'
import { hireEmployee, terminateEmployee } from '../../roster/employees/actions.ts'
import { administerEmployer, endSubscription, grantSubscription } from '../../directory/employers/actions.ts'
import { NewEmployee } from '../../roster/employees/schemas.ts'
import { copyPlanYear } from '../plan-years/actions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { recalculate } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * Simulates hundreds of employees of four employers for a year and a half, with about ten actions each, in random order
 * and with retroactive corrections. Afterwards, the state that the engine derived step by step must equal a derivation
 * from scratch and the results of simpler models.
 */
const first_day = '2026-01-05'
const api = useApi({ begins_on: first_day })
const people = caseCount(100, 15)
/** Another seed simulates other histories. */
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const last_day = '2027-06-30'

const policies = fc.record({
  classification: fc.constantFrom('full_time', 'part_time', 'all'),
  waiting_period: fc.constantFrom('none', 'first_of_following_month', '30_days', '60_days'),
  service_credit_weeks: fc.constantFrom(13, 13, 4, 0),
})

const published = new Facts()

/** The policies that cover all classes, so that many employees are granted the second year. */
const policies_for_all = [20, 25]
/**
 * The second employer returns in time, so no coverage ends. The fourth employer returns too late, and everything begins
 * again.
 */
const absences = [
  { employer: 1, leaves: 18, ended_on: '2026-07-04', resumes: 22, started_on: '2026-08-13' },
  { employer: 3, leaves: 24, ended_on: '2026-09-01', resumes: 32, started_on: '2026-11-21' },
]
/** Another administrator served the first employer before this day, which only affects deductions and invoices. */
const taken_over = { step: 15, administered_from: '2026-05-15' }

/** The changes of employers in a step. */
async function administer(ctx: Ctx, employer_ids: string[], step: number): Promise<void> {
  for (const { employer, ...absence } of absences) {
    const key = await theEmployer(ctx, employer_ids[employer]!)
    if (step === absence.leaves) await endSubscription(ctx, key, absence.ended_on)
    if (step === absence.resumes) await grantSubscription(ctx, key, absence.started_on)
  }
  const { step: taken_over_at, administered_from } = taken_over
  if (step !== taken_over_at) return
  const key = await theEmployer(ctx, employer_ids[0]!)
  await administerEmployer({ ...ctx, caller: serviceCaller(key.organization_id) }, key, { administered_from })
}

/**
 * These employees are hired in November and elect immediately. In January, a last day is reported that can be before
 * their coverage.
 */
const isLate = (number: number) => number % 10 === 9
const hired_late = '2026-12-01'
const reported_late = '2027-01-10'
/** The first day of the open enrollment of the second year. */
const open_enrollment = '2026-12-01'

const hire = async (ctx: Ctx, employer_ids: string[], person: Person, number: number) => {
  const { id } = await hireEmployee(
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
  )
  person.ids.push(id)
}

/** The enrollments that were resumed for returning employees. */
const resumed = new Set<string>()

/**
 * Removes resumed choices from the model if they are unanswered again, because the absence turned out to be too long.
 */
async function forgetUnanswered(id: string): Promise<void> {
  const row = await api.database.reads.row<{ answer: string | null }>('select answer from enrollments where id = $1', [
    id,
  ])
  if (row?.answer !== null) return
  published.choices.waive(id)
  resumed.delete(id)
  withdrawn.add(id)
}
/** The resumed enrollments that lost their answer. */
const withdrawn = new Set<string>()

/** Adds resumed choices to the model. */
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
  for (const { id, former_id, last_day } of rows.filter((row) => !published.choices.has(row.id))) {
    published.choices.resume(id, former_id, last_day)
    resumed.add(id)
  }
}

/**
 * The second employer offers its medical benefit starting in July, the third in two states only, the fourth with two
 * plans.
 */
const offeredBy = (at: number, { mec, mvp, dental }: Awaited<ReturnType<typeof importCatalog>>) =>
  [
    {},
    { benefits: [{ benefit_id: mec.benefit_id, starts_on: '2026-07-01' }, { benefit_id: dental.benefit_id }] },
    { offered_states: ['NY', 'NV'] },
    { benefits: [{ benefit_id: mvp.benefit_id }, { benefit_id: dental.benefit_id }] },
  ][at]!

type Granted = { id: string; anchored_on: Day; run: string; move: string; window_ends_on: Day; opened_on: Day | null }

/** The enrollments granted today, with the first day of the current open enrollment. */
const grantedToday = (ctx: Ctx) =>
  ctx.db.rows<Granted>(
    `select enrollment.id, enrollment.anchored_on,
            enrollment.employee_id || ' ' || enrollment.anchored_on as run,
            enrollment.employee_id || ' ' || $1::date as move, enrollment.window_ends_on,
            case when $1 between open_enrollment_start and open_enrollment_end then open_enrollment_start end
              as opened_on
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where enrollment.granted_on = $1`,
    [ctx.today],
  )

/** The periods of eligibility known today. */
const knownRuns = async (ctx: Ctx): Promise<Set<string>> => {
  const rows = await ctx.db.rows<{ run: string }>(
    `select employee_id || ' ' || anchored_on as run from employee_eligibilities`,
  )
  return new Set(rows.map(({ run }) => run))
}

describe('random histories', () => {
  it('end in the same state step by step and at once', { timeout: 900_000 }, async () => {
    const catalog = await importCatalog(api)
    const employer_ids = [1, 2, 3, 4].map(() => createEmployer(api))
    const employers = await Promise.all(employer_ids)
    const [histories, rules] = [
      fc.sample(history, { seed, numRuns: people }),
      fc.sample(policies, { seed, numRuns: 40 }).map((rule, at) => ({
        ...rule,
        ...(policies_for_all.includes(at) && { classification: 'all' }),
        start_alignment: at % 4 === 3 ? 'first_of_month' : 'exact',
      })),
    ]
    const years: string[] = []
    for (const [at, employer_id] of employers.entries())
      years.push(await openPlanYear(api, employer_id, catalog, offeredBy(at, catalog)))

    const story: Person[] = histories.map((one) => ({ ids: [], history: one }))
    let done = 0
    let day = first_day
    /** For each enrollment, the first day of the period for which it was granted, at the time of the grant. */
    const granted_for = new Map<string, Day>()
    const windows = new WindowModel()
    const wrong_windows: Granted[] = []
    let known = new Set<string>()
    let in_open_enrollment = 0
    /**
     * Employees with a known period when open enrollment began, and without a move, have the window of the plan year.
     * All others have 30 days.
     */
    const judgeWindows = async (ctx: Ctx) => {
      await windows.check(ctx)
      for (const one of (await grantedToday(ctx)).filter(({ id }) => !granted_for.has(id))) {
        granted_for.set(one.id, one.anchored_on)
        if (one.opened_on) in_open_enrollment++
        const theirs = one.opened_on && known.has(one.run) && !published.moves.has(one.move)
        if (one.window_ends_on !== (theirs ? ctx.today : addDays(ctx.today, 30))) wrong_windows.push(one)
      }
    }
    for (let step = 0; day < last_day; step++, day = addDays(day, 10)) {
      api.moveTo(day)
      await api.runDays()
      await api.act(async (ctx) => {
        if (day <= open_enrollment) known = await knownRuns(ctx)
        await judgeWindows(ctx)
        await administer(ctx, employers, step)
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
            for (const one of await enrollmentsOf(ctx, person))
              if (await attempt(ctx, () => elect(ctx, one, 0, published))) done++
          }
          if (isLate(number) && day <= reported_late) {
            const last = addDays('2026-11-11', person.history.hired_before % 30)
            const left = async () =>
              terminateEmployee(ctx, await theEmployee(ctx, person.ids[0]!), {
                termination_date: last,
                reason: undefined,
              })
            if (day === reported_late && (await attempt(ctx, left))) done++
            continue
          }
          const next = (number * 7 + step) % 3 === 0 ? person.history.actions.shift() : undefined
          if (next && (await attempt(ctx, () => does[next.kind](ctx, person, next, published)))) done++
        }
        await judgeWindows(ctx)
      })
      await api.work()
      await api.act(judgeWindows)
      await resumeChoices()
    }
    await api.runDays()
    await api.act(judgeWindows)
    expect(done).toBeGreaterThan(9 * people)
    expect(wrong_windows).toEqual([])
    expect(windows.wrong).toEqual([])
    expect(windows.reopened).toBeGreaterThan(0.3 * people)
    expect(in_open_enrollment).toBeGreaterThan(0.3 * people)
    // Too rare to occur in small runs.
    if (people >= 200) expect(resumed.size).toBeGreaterThan(0)
    if (people >= 300) expect(withdrawn.size).toBeGreaterThan(0)

    const before = await derivedState(api.database.reads)
    const again = (work: (ctx: Ctx) => Promise<unknown>) => api.act(work)
    const all_people = story.flatMap(({ ids }) => ids)
    await again((ctx) => recalculate(ctx, api.story.organization_id, all_people))
    expect(await derivedState(api.database.reads), 'recalculating everything changes nothing').toEqual(before)
    await again((ctx) => runWholeDay(ctx, api.story.organization_id))
    expect(await derivedState(api.database.reads), 'running the daily run again changes nothing').toEqual(before)
    await again(async (ctx) => {
      await ctx.db.rows('delete from employee_eligibilities')
      await recalculate(ctx, api.story.organization_id, all_people)
    })
    expect(await derivedState(api.database.reads), 'deriving every period from scratch gives the same result').toEqual(
      before,
    )

    const stored = await api.database.reads.rows<{ employee_id: string; anchored_on: Day; lost_on: Day | null }>(
      'select employee_id, anchored_on, lost_on from employee_eligibilities order by employee_id, anchored_on',
    )
    // Late enough to include the last days that were already reported.
    const far = addDays(last_day, 90)
    const { employer, ended_on, started_on } = absences[1]!
    const away = { employer_id: employers[employer]!, from: ended_on, to: started_on }
    const by_day = await runsDayByDay(api.database.reads, far, away)
    const horizon = addDays(far, 2)
    const capped = (end: Day | null) => (end === null || end > horizon ? horizon : end)
    expect(stored.map((run) => [run.employee_id, run.anchored_on, capped(run.lost_on)])).toEqual(
      by_day.map(([id, from, to]) => [id, from, capped(to)]),
    )
    const today = api.runtime.clock()
    const now = new Date(today).toISOString().slice(0, 10)
    for (const [rule, text] of Object.entries(anomalies))
      expect(await api.database.reads.row(text, [now]), rule).toEqual({ found: 0 })

    const employed = story.map(({ ids, history: { employer: at } }) => ({ ids, employer_id: employers[at]! }))
    const runs = linked(by_day, employed, horizon, away)
    const known_of_choices = { choices: published.choices, granted_for }
    const { compared, differences } = await differencesFrom(api.database, runs, known_of_choices, now)
    expect(differences).toEqual([])
    expect(compared.starts).toBeGreaterThan(0.3 * people)
    expect(compared.ends).toBeGreaterThan(0.5 * people)
    expect(compared.days).toBeGreaterThan(30 * people)
    expect(compared.withdrawn).toBeGreaterThan(0.1 * people)
  })
})
