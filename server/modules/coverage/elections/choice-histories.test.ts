import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployee,
  theEnrollment,
  addPolicy,
} from '../../../test/fixtures.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { useApi } from '../../../test/harness.ts'
import { changeEmployee } from '../../roster/employees/actions.ts'
import { EmployeeChanges } from '../../roster/employees/schemas.ts'
import { recalculate } from '../enrollments/actions.ts'
import { approveLifeEvent, reportLifeEvent } from '../life-events/actions.ts'
import { locateLifeEvent } from '../life-events/queries.ts'
import { runWholeDay } from '../../access/organizations/actions.ts'
import { electEnrollment, waiveEnrollment } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * Employees with two concurrent plan years and three benefits of a choice group elect, change, lose and regain
 * eligibility for a year, with late reports. They never hold two benefits of the group on the same day.
 */
const first_day = '2026-01-05'
const api = useApi({ begins_on: first_day })
const people = caseCount(16)
const seed = Number(process.env.CHOICES_SEED ?? 20260310)
const last_day = '2027-01-15'

const action = fc.record({
  kind: fc.constantFrom('elect', 'elect', 'elect', 'waive', 'event', 'class'),
  choice: fc.nat(1000),
  days: fc.integer({ min: 0, max: 50 }),
})
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

let employer_id: string
beforeAll(async () => {
  const { mec, mvp, ichra, dental } = await importCatalog(api)
  const catalog = { mec, dental }
  employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  const offering = (...benefits: { benefit_id: string }[]) => benefits.map(({ benefit_id }) => ({ benefit_id }))
  await openPlanYear(api, employer_id, catalog, { benefits: offering(mec, mvp, dental) })
  await openPlanYear(api, employer_id, catalog, {
    coverage_start: '2026-04-01',
    coverage_end: '2027-03-31',
    benefits: offering(ichra),
  })
  await api.work()
})

async function attempt(ctx: Ctx, work: () => Promise<unknown>): Promise<boolean> {
  await ctx.db.rows('savepoint action')
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.db.rows('rollback to savepoint action')
    return false
  } finally {
    await ctx.db.rows('release savepoint action')
  }
}

type Known = { id: string; plan_id: string }
const enrollmentsOf = (ctx: Ctx, employee_id: string) =>
  ctx.db.rows<Known>(
    `select enrollment.id, (select min(plan_id) from plan_year_rates as rate
                              where rate.plan_year_id = enrollment.plan_year_id
                                and rate.benefit_id = enrollment.benefit_id) as plan_id
       from enrollments as enrollment where employee_id = $1 and coalesce(inactive_on > $2, true) order by id`,
    [employee_id, ctx.today],
  )

async function act(ctx: Ctx, employee_id: string, { kind, choice, days }: Action): Promise<unknown> {
  const employee = await theEmployee(ctx, employee_id)
  const known = await enrollmentsOf(ctx, employee_id)
  const one = known[choice % Math.max(known.length, 1)]
  if (kind === 'event') {
    const input = { type: 'change_of_employment' as const, occurred_on: ctx.today, description: undefined }
    const life_event_id = await reportLifeEvent(ctx, employee, input)
    return approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!)
  }
  if (kind === 'class') {
    const effective_date = addDays(ctx.today, -days)
    const employee_class = choice % 3 ? 'Full Time' : 'Part Time'
    return changeEmployee(ctx, employee, EmployeeChanges.parse({ effective_date, employee_class }))
  }
  if (!one) return undefined
  if (kind === 'waive') return waiveEnrollment(ctx, await theEnrollment(ctx, one.id), { reason: undefined })
  return electEnrollment(ctx, await theEnrollment(ctx, one.id), {
    plan_id: one.plan_id,
    coverage_tier: 'EE',
    dependent_ids: undefined,
  })
}

const derived = () =>
  Promise.all(
    [
      'select * from enrollments order by id',
      'select * from elections order by enrollment_id, effective_on',
      'select count(*) from webhook_events',
      'select count(*) from enrollment_evidence',
    ].map((text) => api.database.reads.rows(text)),
  )

/** The employees with coverage by two benefits of a group on the same day. */
const doubled = () =>
  api.database.reads.rows(
    `with held as (
       select enrollment.*, daterange(enrollment.coverage_start,
                                      coalesce(enrollment.coverage_end, year.coverage_end), '[]') as days
         from enrollments as enrollment
         join plan_year_benefits as benefit using (plan_year_id, benefit_id)
         join benefit_plan_years as year on year.id = enrollment.plan_year_id
        where enrollment.answer = 'enrolled' and benefit.choice_group = 'medical'
          and enrollment.coverage_start <= coalesce(enrollment.coverage_end, year.coverage_end))
     select one.employee_id, one.id, one.days::text, other.id as other_id, other.days::text as other_days
       from held as one join held as other on other.employee_id = one.employee_id and other.id > one.id
        and other.days && one.days`,
  )

it(
  'employees never hold two benefits of a group on a day, whatever they elect and whatever is reported',
  { timeout: 600_000 },
  async () => {
    const stories = fc.sample(fc.array(action, { minLength: 40, maxLength: 40 }), { seed, numRuns: people })
    const employee_ids: string[] = []
    while (employee_ids.length < stories.length)
      employee_ids.push((await createEmployee(api, employer_id, { start_date: '2026-01-05' })).id)
    let done = 0
    for (let day: Day = first_day; day < last_day; day = addDays(day, 9)) {
      api.moveTo(day)
      await api.runDays()
      await api.act(async (ctx) => {
        for (const [at, employee_id] of employee_ids.entries()) {
          const next = stories[at]!.shift()
          if (next && (await attempt(ctx, () => act(ctx, employee_id, next)))) done++
        }
      })
      await api.work()
      expect(await doubled(), day).toEqual([])
    }
    expect(done).toBeGreaterThan(10 * people)
    const chosen = await api.database.reads.row<{ count: number }>(
      'select count(*)::int as count from enrollments where choice > 1',
    )
    expect(chosen!.count).toBeGreaterThan(people / 2)

    const before = await derived()
    await api.act((ctx) => recalculate(ctx, api.story.organization_id, employee_ids))
    expect(await derived(), 'recalculating everything changes nothing').toEqual(before)
    await api.act((ctx) => runWholeDay(ctx, api.story.organization_id))
    expect(await derived(), 'running the daily run again changes nothing').toEqual(before)
  },
)
