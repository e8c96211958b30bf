import { describe, expect, it, beforeAll } from 'vitest'
import {
  electionDaysAmongRivals,
  replacedChoices,
  isFirstDayFixed,
  nextChoice,
  whyNotExtendOverRival,
  withoutSuccessor,
  type Rival,
} from './choice-rules.ts'
import type { EnrollmentFacts } from './rules.ts'
import fc from 'fast-check'
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
import { changeEmployee } from '../../roster/employees/change-actions.ts'
import { EmployeeChanges } from '../../roster/employees/schemas.ts'
import { recalculate } from '../enrollments/actions.ts'
import { approveLifeEvent, reportLifeEvent } from '../life-events/actions.ts'
import { locateLifeEvent } from '../life-events/queries.ts'
import { runWholeDay } from '../../access/organizations/actions.ts'
import { electEnrollment, waiveEnrollment } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/** Major Medical, granted with the year 2026. The other benefit of its group is Essential Care. */
const granted: EnrollmentFacts = {
  id: 'enrl_1',
  organization_id: 'org_1',
  employee_id: 'empl_1',
  answer: null,
  granted_on: '2026-03-01',
  window_ends_on: '2026-03-31',
  coverage_start: '2026-01-01',
  coverage_end: null,
  inactive_on: null,
  terminated_at: null,
  open_enrollment_start: null,
  open_enrollment_end: null,
  plan_year_start: '2026-01-01',
  plan_year_end: '2026-12-31',
  product_code: 'MVP',
  contributions: [],
  elections: [],
  life_events: [],
  dependents: [],
  classes: [],
  date_of_birth: '1990-01-01',
  state: 'NY',
}
const covering: Rival = {
  id: 'enrl_2',
  organization_id: 'org_1',
  answer: 'enrolled',
  elected_by: 'employee',
  choice: 1,
  own_choice: 0,
  coverage_start: '2026-01-01',
  coverage_end: null,
  plan_year_end: '2026-12-31',
  inactive_on: null,
  instead: 'Major Medical',
}
const today = '2026-03-10'
const from_start = { arrivals: [], day: '2026-01-01' }

describe('an election alongside another benefit of the group takes effect', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, string]>([
    ['next month if the other covers now', {}, {}, '2026-04-01'],
    ['at the start if the other was not elected', { answer: null }, {}, '2026-01-01'],
    ['at the start if the other was waived', { answer: 'waived' }, {}, '2026-01-01'],
    ['at the start if the other has not begun', { coverage_start: '2026-03-11' }, {}, '2026-01-01'],
    ['at the start if the other never covered', { coverage_end: '2025-12-31' }, {}, '2026-01-01'],
    ['after the other if that has ended', { coverage_end: '2026-02-28' }, {}, '2026-03-01'],
    ['after the other if that ends within the month', { coverage_end: '2026-03-15' }, {}, '2026-03-16'],
    ['at its own start if that is later', {}, { coverage_start: '2026-07-01' }, '2026-07-01'],
    ['at the start if the other was only carried over', { elected_by: 'renewal' }, {}, '2026-01-01'],
    [
      'next month if the other was carried over and the window is closed',
      { elected_by: 'renewal' },
      { window_ends_on: '2026-03-09' },
      '2026-04-01',
    ],
    ['as usual if it is already elected', {}, { answer: 'enrolled' }, '2026-01-01'],
  ])('%s', (_, rival, facts, day) => {
    const enrollment = { ...granted, ...facts }
    const alone = { ...from_start, day: enrollment.coverage_start }
    expect(electionDaysAmongRivals(enrollment, [{ ...covering, ...rival }], alone, today).day).toBe(day)
  })

  it('covers no added dependents before it begins', () => {
    const days = { arrivals: ['2026-03-05', '2026-04-02'], day: '2026-04-01' }
    expect(electionDaysAmongRivals(granted, [covering], days, today)).toEqual({
      arrivals: ['2026-04-02'],
      day: '2026-04-01',
    })
  })
})

describe('the first day of coverage', () => {
  it.each<[string, Partial<Rival>, boolean]>([
    ['is kept alongside a benefit that covers now', {}, true],
    ['is kept alongside a benefit that covered in the plan year', { coverage_end: '2026-01-31' }, true],
    [
      'follows the rules alongside a benefit that ended before the plan year',
      { coverage_start: '2025-01-01', coverage_end: '2025-12-31' },
      false,
    ],
    ['follows the rules alongside a benefit that has not begun', { coverage_start: '2026-04-01' }, false],
    ['follows the rules alongside a waived benefit', { answer: 'waived' }, false],
  ])('%s', (_, rival, kept) => expect(isFirstDayFixed(granted, [{ ...covering, ...rival }], today)).toBe(kept))
})

describe('another benefit of the group, at an election from April,', () => {
  it.each<[string, Partial<Rival>, Partial<EnrollmentFacts>, 'waived' | 'ended' | 'neither']>([
    ['is waived if it is pending', { answer: null }, {}, 'waived'],
    ['is waived if it would begin then', { coverage_start: '2026-04-01' }, {}, 'waived'],
    ['is waived if it was carried over and the window is open', { elected_by: 'renewal' }, {}, 'waived'],
    ['does not change if it was waived', { answer: 'waived' }, {}, 'neither'],
    ['does not change if it is inactive', { inactive_on: '2026-03-01' }, {}, 'neither'],
    ['does not change if it has begun, because its end follows from the choice', {}, {}, 'neither'],
    ['does not change if it ends before', { coverage_end: '2026-03-31' }, {}, 'neither'],
    ['does not change in the next plan year', { answer: null, coverage_start: '2027-01-01' }, {}, 'neither'],
    ['does not change in the previous plan year', { answer: null, plan_year_end: '2026-03-31' }, {}, 'neither'],
    ['is ended if both are held', { choice: 0 }, { answer: 'enrolled' }, 'ended'],
  ])('%s', (_, rival, facts, becomes) => {
    const { waived, ended } = replacedChoices(
      { ...granted, ...facts },
      [{ ...covering, ...rival }],
      '2026-04-01',
      today,
    )
    expect(waived.length > 0 ? 'waived' : ended.length > 0 ? 'ended' : 'neither').toBe(becomes)
  })
})

describe('choices', () => {
  it('get a higher number than other elected benefits', () => {
    expect(nextChoice([])).toBe(1)
    expect(nextChoice([covering, { ...covering, choice: 3 }])).toBe(4)
    expect(nextChoice([covering, { ...covering, choice: 3, answer: 'waived' }])).toBe(2)
    expect(nextChoice([{ ...covering, own_choice: 3 }])).toBe(3)
  })

  it('that are made again ignore the end that a later choice had caused', () => {
    const ending = { ...granted, answer: 'enrolled' as const, coverage_end: '2026-03-31' }
    const next = { ...covering, coverage_start: '2026-04-01' }
    expect(withoutSuccessor(ending, [next]).coverage_end).toBeNull()
    expect(withoutSuccessor(ending, [{ ...next, answer: 'waived' }]).coverage_end).toBe('2026-03-31')
    expect(withoutSuccessor(ending, [{ ...next, coverage_start: '2026-05-01' }]).coverage_end).toBe('2026-03-31')
  })
})

describe('a last day that the operator sets', () => {
  const next = { ...covering, choice: 2, coverage_start: '2026-04-01' }
  const correction = { reason: 'R', election: undefined, waive: undefined, coverage_start: undefined }
  it.each<[string, string | null, Partial<Rival>, boolean]>([
    ['can be before another choice begins', '2026-03-31', {}, false],
    ["can't be after another choice begins", '2026-04-01', {}, true],
    ['can be after another benefit that was rolled over', '2026-04-01', { choice: 0 }, false],
    ['can be after another benefit that was waived', '2026-04-01', { answer: 'waived' }, false],
    ['can be returned to the rules', null, {}, false],
    ['can be before the first day if coverage never began', '2025-12-31', {}, false],
  ])('%s', (_, coverage_end, rival, refused) => {
    const why = whyNotExtendOverRival(granted, { ...correction, coverage_end }, [{ ...next, ...rival }])
    expect(why?.details.map(({ field }) => field)).toEqual(refused ? ['coverage_end'] : undefined)
  })
})

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
