import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, type Day } from '../../../kernel/days.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import {
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployee,
  theEmployer,
  theEnrollment,
} from '../../../test/fixtures.ts'
import { derivedState } from '../../../test/models/coverage-checks.ts'
import { useApi } from '../../../test/harness.ts'
import { attempt, does, enrollmentsOf, Facts, type Person } from '../../../test/models/random-lives.ts'
import { amendPlanYear, withdrawAmendment } from '../amendments/actions.ts'
import { hireEmployee } from '../../roster/employees/actions.ts'
import { changeEmployee } from '../../roster/employees/change-actions.ts'
import { EmployeeChanges, NewEmployee } from '../../roster/employees/schemas.ts'
import { recalculate } from '../enrollments/actions.ts'
import { approveLifeEvent, reportLifeEvent } from '../life-events/actions.ts'
import { locateLifeEvent } from '../life-events/queries.ts'
import { runWholeDay } from '../../access/organizations/actions.ts'
import { copyPlanYear } from '../plan-years/actions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { reissueEnrollment, terminateEnrollment } from '../terminations/actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * Employees with a choice group change their choice, leave, return and marry. Facts are reported late, plans close,
 * benefits are removed, and a plan year ends while another one continues. Past days of coverage never change, unless a
 * report concerns those days.
 */
const first_day = '2026-01-05'
const last_day = '2027-04-30'
const api = useApi({ begins_on: first_day })
/** `CHOICES_SEED=7` sets another seed. */
const people = caseCount(12)
const seed = Number(process.env.CHOICES_SEED ?? 20260310)

/** Reports about past days. Only they can remove coverage of past days. */
const backdated = ['class', 'start', 'terminate', 'reinstate', 'rehire', 'correct'] as const
const action = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('choose', 'choose', 'choose', 'elect', 'waive', 'end', 'reissue') },
    { weight: 3, arbitrary: fc.constantFrom('gain', 'gain', 'event', 'family', 'move', 'class_now') },
    { weight: 2, arbitrary: fc.constantFrom(...backdated, 'rehire', 'rehire') },
  ),
  days: fc.integer({ min: 0, max: 70 }),
  choice: fc.nat(1000),
})
type ChoiceAction = typeof action extends fc.Arbitrary<infer T> ? T : never
const life = fc.record({
  employer: fc.nat(2),
  employee_class: fc.constantFrom('Full Time', 'Full Time', 'Full Time', 'Part Time'),
  hired_before: fc.nat(60),
  actions: fc.array(action, { minLength: 60, maxLength: 60 }),
})
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

const bought = new Facts()
/** A person with these employments. The actions in `does` read nothing else. */
const personOf = (ids: string[]): Person => ({ ids }) as Person

async function gain(ctx: Ctx, person: Person, days: number): Promise<void> {
  const employee = await theEmployee(ctx, person.ids.at(-1)!)
  const input = {
    type: 'change_of_employment' as const,
    occurred_on: addDays(ctx.today, -days),
    description: undefined,
  }
  const life_event_id = await reportLifeEvent(ctx, employee, input)
  await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!)
}

async function live(ctx: Ctx, person: Person, next: ChoiceAction): Promise<unknown> {
  const { kind, choice, days } = next
  if (kind === 'choose') {
    await gain(ctx, person, choice % 25)
    return does.elect(ctx, person, { kind: 'elect', days, choice }, bought)
  }
  if (kind === 'gain') return gain(ctx, person, days % 50)
  if (kind === 'class_now') {
    const input = { effective_date: ctx.today, employee_class: choice % 2 ? 'Full Time' : 'Part Time' }
    return changeEmployee(ctx, await theEmployee(ctx, person.ids.at(-1)!), EmployeeChanges.parse(input))
  }
  if (kind !== 'end' && kind !== 'reissue') return does[kind](ctx, person, { kind, choice, days }, bought)
  const known = await enrollmentsOf(ctx, person)
  const one = known[choice % Math.max(known.length, 1)]
  if (!one) return undefined
  const key = await theEnrollment(ctx, one.id)
  return kind === 'end' ? terminateEnrollment(ctx, key, {}) : reissueEnrollment(ctx, key, { reason: undefined })
}

const of_benefits = 'enrollment.benefit_id'
const of_groups = 'coalesce(offer.choice_group, enrollment.benefit_id)'

/** The days before a day on which each person was covered, by benefit or by group. */
async function coveredBefore(day: Day, by: string): Promise<Map<string, string>> {
  const rows = await api.database.reads.rows<{ tenant: string; days: string }>(
    `select concat_ws(' ', employee.member_id, ${by}) as tenant,
            range_agg(daterange(enrollment.coverage_start,
                                least(enrollment.coverage_end, year.coverage_end, $1::date - 1), '[]'))::text as days
       from enrollments as enrollment
       join employees as employee on employee.id = enrollment.employee_id
       join benefit_plan_years as year on year.id = enrollment.plan_year_id
       join plan_year_benefits as offer
         on offer.plan_year_id = enrollment.plan_year_id and offer.benefit_id = enrollment.benefit_id
      where enrollment.answer = 'enrolled'
        and enrollment.coverage_start <= least(enrollment.coverage_end, year.coverage_end, $1::date - 1)
      group by 1`,
    [day],
  )
  return new Map(rows.map(({ tenant, days }) => [tenant, days]))
}

type Lost = { tenant: string; lost: string }

/** The days of coverage that are missing after a step. */
const lostOf = async (before: Map<string, string>, after: Map<string, string>): Promise<Lost[]> =>
  api.database.reads.rows<Lost>(
    `select * from (
       select tenant, (before::datemultirange - now::datemultirange)::text as lost
         from unnest($1::text[], $2::text[], $3::text[]) as each (tenant, before, now)) as each
      where lost <> '{}' order by tenant`,
    [[...before.keys()], [...before.values()], [...before.keys()].map((tenant) => after.get(tenant) ?? '{}')],
  )

/** People with coverage by two benefits of a group on the same day, unless the operator set the days. */
const doubled = () =>
  api.database.reads.rows(
    `with held as (
       select enrollment.id, enrollment.employee_id,
              daterange(enrollment.coverage_start, coalesce(enrollment.coverage_end, year.coverage_end), '[]') as days
         from enrollments as enrollment
         join plan_year_benefits as benefit using (plan_year_id, benefit_id)
         join benefit_plan_years as year on year.id = enrollment.plan_year_id
        where enrollment.answer = 'enrolled' and benefit.choice_group = 'medical' and not enrollment.coverage_end_fixed
          and enrollment.coverage_start <= coalesce(enrollment.coverage_end, year.coverage_end))
     select one.employee_id, one.id, one.days::text, other.id as other_id, other.days::text as other_days
       from held as one join held as other on other.employee_id = one.employee_id and other.id > one.id
        and other.days && one.days`,
  )

type Catalog = Awaited<ReturnType<typeof importCatalog>>

/** Three employers with their plan years. The second employer has another plan year that begins in April. */
async function seedRows(catalog: Catalog) {
  const { mec, mvp, ichra, dental, vision } = catalog
  const offering = (...benefits: { benefit_id: string }[]) => benefits.map(({ benefit_id }) => ({ benefit_id }))
  const of_april = { coverage_start: '2026-04-01', coverage_end: '2027-03-31', benefits: offering(ichra) }
  const employers: string[] = []
  const years: string[] = []
  for (const [at, other] of [dental, vision, dental].entries()) {
    const employer_id = await createEmployer(api)
    employers.push(employer_id)
    years.push(await openPlanYear(api, employer_id, catalog, { benefits: offering(mec, mvp, other) }))
    if (at === 1) years.push(await openPlanYear(api, employer_id, catalog, of_april))
    const waiting_period = at === 2 ? 'first_of_following_month' : 'none'
    const classification = at === 2 ? 'all' : 'full_time'
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, { classification, waiting_period })
  }
  await api.work()
  return { employers, years }
}

/**
 * The changes of plan years in a step: a plan closes and opens again, a benefit is removed, the next plan years open.
 */
async function amend(ctx: Ctx, years: string[], { mec, mvp }: Catalog, step: number, day: Day): Promise<void> {
  const locate = async (at: number) => (await locatePlanYear(ctx, { benefit_plan_year_id: years[at]! }))!
  const reason = 'Renegotiated'
  if (step === 8) {
    const input = { effective_on: '2026-05-01', reason, closed_plan_ids: [mvp.other_plan_id] }
    amendment_id = await amendPlanYear(ctx, await locate(0), input)
  }
  if (step === 18)
    await amendPlanYear(ctx, await locate(1), {
      effective_on: '2026-08-01',
      reason,
      withdrawn_benefit_ids: [mec.benefit_id],
    })
  if (step === 22) await withdrawAmendment(ctx, { ...(await locate(0)), amendment_id }, reason)
  if (step !== 38) return
  const window = { open_enrollment_start: addDays(day, 10), open_enrollment_end: addDays(day, 30) }
  for (const at of [0, 1, 3])
    await copyPlanYear(ctx, await locate(at), { ...window, renewal: at === 1 ? 'active' : 'passive' } as never)
}
let amendment_id = ''

const hire = async (ctx: Ctx, employer_id: string, { employee_class, hired_before }: Life, number: number) =>
  hireEmployee(
    ctx,
    await theEmployer(ctx, employer_id),
    NewEmployee.parse({
      first_name: `A${number}`,
      last_name: `B${number}`,
      email: `p${number}@example.com`,
      date_of_birth: '1990-05-05',
      start_date: addDays(ctx.today, -hired_before),
      employee_class,
    }),
  )

/** Runs the next action of each person. Returns the people with past days that it can change. */
async function liveOn(ctx: Ctx, story: [string[], Life][], employers: string[], step: number): Promise<string[]> {
  const spoken_of: string[] = []
  for (const [number, [ids, life_of]] of story.entries()) {
    if (ids.length === 0) {
      if (step === number % 6) ids.push((await hire(ctx, employers[life_of.employer]!, life_of, number)).id)
      continue
    }
    const next = life_of.actions.shift()
    if (!next || !(await attempt(ctx, () => live(ctx, personOf(ids), next)))) continue
    done++
    // Coverage that resumed after a return was not elected by the employee, so the employee can waive it from its first
    // day while the window is open.
    if ([...backdated, 'waive'].some((kind) => kind === next.kind)) spoken_of.push(ids.at(-1)!)
  }
  return spoken_of
}
let done = 0

it('never changes past days of coverage, whatever employees elect', { timeout: 3_600_000 }, async () => {
  const catalog = await importCatalog(api)
  const { employers, years } = await seedRows(catalog)
  const story = fc.sample(life, { seed, numRuns: people }).map((one): [string[], Life] => [[], one])
  let before = await coveredBefore(first_day, of_benefits)
  for (let step = 0, day: Day = first_day; day < last_day; step++, day = addDays(day, 8)) {
    api.moveTo(day)
    await api.runDays()
    await api.work()
    const began = await coveredBefore(day, of_benefits)
    expect(await lostOf(before, began), `time passed until ${day}`).toEqual([])
    const had = await coveredBefore(day, of_groups)
    const employee_ids = await api.act(async (ctx) => {
      await amend(ctx, years, catalog, step, day)
      return liveOn(ctx, story, employers, step)
    })
    await api.work()
    before = await coveredBefore(day, of_benefits)
    const lost = await lostOf(had, await coveredBefore(day, of_groups))
    const spoken_of = await membersOf(employee_ids)
    expect(
      lost.filter(({ tenant }) => !spoken_of.has(tenant.split(' ')[0]!)),
      `elected on ${day}`,
    ).toEqual([])
    expect(await doubled(), day).toEqual([])
    if (step % 12 === 0) await staysAsItIs(story.flatMap(([ids]) => ids))
  }
  expect(done).toBeGreaterThan(10 * people)
  await staysAsItIs(story.flatMap(([ids]) => ids))
})

const membersOf = async (employee_ids: string[]): Promise<Set<string>> => {
  const text = 'select member_id from employees where id = any($1)'
  const rows = await api.database.reads.rows<{ member_id: string }>(text, [employee_ids])
  return new Set(rows.map(({ member_id }) => member_id))
}

async function staysAsItIs(all_people: string[]): Promise<void> {
  const before = await derivedState(api.database.reads)
  const again = async (part: string, work: (ctx: Ctx) => Promise<unknown>) => {
    await api.act(work)
    expect(await derivedState(api.database.reads), `${part} changes nothing`).toEqual(before)
  }
  await again('recalculating everything', (ctx) => recalculate(ctx, api.story.organization_id, all_people))
  await again('running the daily run again', (ctx) => runWholeDay(ctx, api.story.organization_id))
  await again('deriving every period from scratch', async (ctx) => {
    await ctx.db.rows('delete from employee_eligibilities')
    await recalculate(ctx, api.story.organization_id, all_people)
  })
}
