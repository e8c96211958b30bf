import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear, theEmployee, theEnrollment } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { electEnrollment, waiveEnrollment } from '../../coverage/elections/actions.ts'
import { hireEmployee } from '../employees/actions.ts'
import { NewEmployee } from '../employees/schemas.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { recalculate } from '../../coverage/enrollments/actions.ts'
import { correctEmployee, endLongAgo, reinstateEmployee } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * Two employees are identical. Losses of coverage are reported and reversed for one of them, in any order and after any
 * delay. In the end both must have the same enrollments.
 */
const api = useApi({ begins_on: '2026-01-02' })
const numRuns = caseCount(25)
const reason = 'A mistake'

let employer_id: string
let dental_id: string
let organization_id: string
let born = 0

beforeAll(async () => {
  const catalog = await importCatalog(api)
  organization_id = api.story.organization_id
  dental_id = catalog.dental.plan_id
  employer_id = await createEmployer(api)
  const policy = { classification: 'full_time', waiting_period: 'first_of_following_month' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog)
  await api.work()
})

type Rows = { id: string; dental: boolean }[]
const enrollmentsOf = (ctx: Ctx, employee_id: string) =>
  ctx.db.rows<Rows[number]>(
    `select enrollment.id, product.category = 'Dental' as dental from enrollments as enrollment
       join benefit_products as product on product.id = enrollment.benefit_id
      where enrollment.employee_id = $1 and coalesce(enrollment.inactive_on > $2, true)`,
    [employee_id, ctx.today],
  )

/** Hires an employee who elects dental, waives it, or submits nothing. */
async function hire(ctx: Ctx, start_date: Day, answer: 'elect' | 'waive' | 'none'): Promise<string> {
  const number = ++born
  const employer = (await locateEmployer(ctx, { employer_id }))!
  const input = { first_name: `Ann${number}`, last_name: `Twin${number}`, date_of_birth: '1990-01-01', start_date }
  const employee_id = await hireEmployee(
    ctx,
    employer,
    NewEmployee.parse({ ...input, email: `twin${number}@example.com` }),
  )
  for (const { id, dental } of await enrollmentsOf(ctx, employee_id)) {
    if (!dental || answer === 'none') continue
    const enrollment = await theEnrollment(ctx, id)
    if (answer === 'waive') await waiveEnrollment(ctx, enrollment, { reason })
    else await electEnrollment(ctx, enrollment, { plan_id: dental_id, coverage_tier: 'EE', dependent_ids: [] })
  }
  return employee_id
}

/** The present state of an employee's enrollments. */
const present = (employee_id: string) =>
  api.act((ctx) =>
    ctx.db.rows(
      `select product.name, enrollment.coverage_start, enrollment.coverage_end, enrollment.answer,
              enrollment.inactive_on, enrollment.terminated_at is not null as ended, enrollment.ended_by,
              enrollment.counted_as,
              (select json_agg(json_build_array(election.effective_on, election.premium_in_cents))
                 from elections as election where election.enrollment_id = enrollment.id) as elected
         from enrollments as enrollment join benefit_products as product on product.id = enrollment.benefit_id
        where enrollment.employee_id = $1
          and not (enrollment.ended_by is not distinct from 'duplicate' and enrollment.answer is null)
        order by product.name, enrollment.anchored_on, enrollment.coverage_start, enrollment.answer nulls last`,
      [employee_id],
    ),
  )

const moveStart = async (ctx: Ctx, id: string, start_date: Day) =>
  void (await correctEmployee(ctx, await theEmployee(ctx, id), { start_date, reason }))

/** How each kind of loss is reported and reversed. */
const losses = {
  termination: {
    report: async (ctx: Ctx, id: string, day: Day) =>
      void (await endLongAgo(ctx, await theEmployee(ctx, id), { termination_date: day, reason })),
    withdraw: async (ctx: Ctx, id: string) => reinstateEmployee(ctx, await theEmployee(ctx, id), { reason }, null),
  },
  hire_date: {
    report: (ctx: Ctx, id: string, day: Day) => moveStart(ctx, id, day),
    withdraw: (ctx: Ctx, id: string, _: Day, first_day: Day) => moveStart(ctx, id, first_day),
  },
  class: {
    report: async (ctx: Ctx, id: string, effective_date: Day) =>
      void (await correctEmployee(ctx, await theEmployee(ctx, id), {
        employee_class: 'Part Time',
        effective_date,
        reason,
      })),
    withdraw: async (ctx: Ctx, id: string, effective_date: Day) =>
      void (await correctEmployee(ctx, await theEmployee(ctx, id), {
        employee_class: 'Full Time',
        effective_date,
        reason,
      })),
  },
}

const story = fc.record({
  hired_before: fc.nat(90),
  answer: fc.constantFrom('elect', 'elect', 'waive', 'none'),
  /** The losses, how many days back they are reported, and the days between the actions. */
  kinds: fc.constantFrom<(keyof typeof losses)[]>(
    ['termination'],
    ['class'],
    ['class', 'termination'],
    ['hire_date'],
    ['hire_date', 'termination'],
  ),
  back: fc.integer({ min: 1, max: 50 }),
  pauses: fc.array(fc.nat(40), { minLength: 4, maxLength: 4 }),
  reversed: fc.boolean(),
})

it(
  'restores the enrollments of an employee when a reported loss of coverage is reversed',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ hired_before, answer, kinds, back, pauses, reversed }) => {
        let today = '2026-02-10'
        const pause = async (days: number) => {
          today = addDays(today, days)
          api.moveTo(today)
          await api.act((ctx) => recalculate(ctx, organization_id, [reported, spared]))
        }
        api.moveTo(today)
        const first_day = addDays(today, -hired_before)
        const reported = await api.act((ctx) => hire(ctx, first_day, answer))
        const spared = await api.act((ctx) => hire(ctx, first_day, answer))
        await pause(60)

        const days: Record<string, Day> = {}
        for (const [at, kind] of kinds.entries()) {
          await pause(pauses[at] ?? 0)
          const day = addDays(today, -back)
          days[kind] = day
          await api.act((ctx) => losses[kind].report(ctx, reported, day))
        }
        for (const [at, kind] of (reversed ? kinds.toReversed() : kinds).entries()) {
          await pause(pauses[2 + at] ?? 0)
          await api.act((ctx) => losses[kind].withdraw(ctx, reported, days[kind] as Day, first_day))
        }
        await pause(1)
        expect(await present(reported)).toEqual(await present(spared))
      }),
      { numRuns, seed: Number(process.env.TWINS_SEED ?? 20260310) },
    )
  },
)
