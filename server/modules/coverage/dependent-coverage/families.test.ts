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
  addPolicy,
} from '../../../test/fixtures.ts'
import { derivedState } from '../../../test/models/coverage-checks.ts'
import { useApi } from '../../../test/harness.ts'
import { attempt, does, Facts, type Person } from '../../../test/models/random-lives.ts'
import { amendPlanYear } from '../amendments/actions.ts'
import {
  addDependent,
  approveDisability,
  changeDependent,
  endDependent,
  reinstateDependent,
  withdrawDisability,
} from '../dependents/actions.ts'
import { locateDependent } from '../dependents/queries.ts'
import { electEnrollment } from '../elections/actions.ts'
import { hireEmployee } from '../../roster/employees/actions.ts'
import { NewEmployee } from '../../roster/employees/schemas.ts'
import { recalculate } from '../enrollments/actions.ts'
import { approveLifeEvent, reportLifeEvent } from '../life-events/actions.ts'
import { locateLifeEvent } from '../life-events/queries.ts'
import { runWholeDay } from '../../access/organizations/actions.ts'
import { copyPlanYear } from '../plan-years/actions.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { endDependentCoverage } from './actions.ts'
import { caseCount } from '../../../test/case-count.ts'

/**
 * Simulates families for a year and a third. Children exceed the age limit, are approved as disabled later, or get
 * another date of birth. Spouses are added and end. Employees elect, leave, return and are renewed, and prices are
 * amended. After each step and for each past day, all elected dependents must be covered as long as possible, with the
 * coverage level that fits them, at its price.
 */
const first_day = '2026-01-05'
const last_day = '2027-04-30'
const api = useApi({ begins_on: first_day })
/** `FAMILIES_SEED=7` sets another seed. */
const families = caseCount(8)
const seed = Number(process.env.FAMILIES_SEED ?? 20260310)

const of_employees = ['class', 'terminate', 'terminate', 'reinstate', 'reinstate', 'rehire', 'start'] as const
const of_families = ['child', 'child', 'spouse', 'end', 'back', 'born', 'born', 'disabled', 'disabled', 'able'] as const
const action = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...of_families) },
    { weight: 3, arbitrary: fc.constantFrom('choose', 'choose', 'baby') },
    { weight: 2, arbitrary: fc.constantFrom(...of_employees) },
  ),
  days: fc.integer({ min: 0, max: 60 }),
  choice: fc.nat(1000),
})
type FamilyAction = typeof action extends fc.Arbitrary<infer T> ? T : never
const life = fc.array(action, { minLength: 60, maxLength: 60 })

const reported = new Facts()
/** Children born on these days reach the age limit during the simulation or soon after. */
const births = [
  '2000-02-29',
  '2000-04-10',
  '2000-07-31',
  '2000-11-20',
  '2000-12-31',
  '2001-01-15',
  '2001-03-03',
  '2015-01-01',
]
const bornOn = (choice: number): Day => births[choice % births.length]!

type Kin = { id: string; relationship: string; ended_on: Day | null; covered_until: Day | null }
const kinOf = (ctx: Pick<Ctx, 'db'>, employee_id: string) =>
  ctx.db.rows<Kin>(
    `select dependent.id, dependent.relationship, dependent.ended_on,
            dependent_covered_until(relationship, dependent.date_of_birth, ended_on, disabled_until) as covered_until
       from dependents as dependent join employees as employee on employee.member_id = dependent.member_id
      where employee.id = $1 order by dependent.id`,
    [employee_id],
  )

let names = 0
const letter = (number: number) => String.fromCharCode(65 + (number % 26))
const add = async (ctx: Ctx, employee_id: string, relationship: 'child' | 'spouse', date_of_birth: Day) =>
  addDependent(ctx, await theEmployee(ctx, employee_id), {
    relationship,
    first_name: `Kin ${letter(names)}${letter(Math.floor(names++ / 26))}`,
    last_name: 'Byron',
    suffix: undefined,
    date_of_birth,
    gender: undefined,
  })

async function event(ctx: Ctx, employee_id: string, type: 'birth' | 'change_of_employment', occurred_on: Day) {
  const input = { type, occurred_on, description: undefined }
  const life_event_id = await reportLifeEvent(ctx, await theEmployee(ctx, employee_id), input)
  await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!, 'Random')
}

/** Elects some of the dependents for the newest enrollment, or for the one before it. */
async function choose(ctx: Ctx, employee_id: string, choice: number): Promise<void> {
  const rows = await ctx.db.rows<{ id: string }>(
    'select id from enrollments where employee_id = $1 order by created_at desc, id desc limit 2',
    [employee_id],
  )
  const one = rows[choice % Math.max(rows.length, 1)]
  if (!one) return
  const people = (await kinOf(ctx, employee_id)).filter((_, at) => (choice >> at) % 4 > 0)
  const spouse = people.find(({ relationship, ended_on }) => relationship === 'spouse' && !ended_on)
  const children = people.filter(
    ({ relationship, ended_on, covered_until }) =>
      relationship === 'child' && !ended_on && (covered_until ?? '9') > ctx.today,
  )
  const coverage_tier = spouse ? (children.length > 0 ? 'EF' : 'ES') : children.length > 0 ? 'EC' : 'EE'
  const dependent_ids = [...(spouse ? [spouse] : []), ...children].map(({ id }) => id)
  await electEnrollment(ctx, await theEnrollment(ctx, one.id), { plan_id, coverage_tier, dependent_ids })
  // The clock is at noon, so only elections of earlier days precede the current one.
  const before = chosen.get(one.id)?.filter(({ elected_at }) => !elected_at.startsWith(ctx.today)) ?? []
  chosen.set(one.id, before)
}
let plan_id = ''

const pickOf = async (ctx: Ctx, employee_id: string, choice: number) => {
  const kin = await kinOf(ctx, employee_id)
  const one = kin[choice % Math.max(kin.length, 1)]
  return one && (await locateDependent(ctx, { dependent_id: one.id }))
}

async function live(ctx: Ctx, ids: string[], { kind, days, choice }: FamilyAction): Promise<unknown> {
  const employee_id = ids.at(-1)!
  if (kind === 'child') return add(ctx, employee_id, 'child', bornOn(choice))
  if (kind === 'spouse') return add(ctx, employee_id, 'spouse', '1990-01-01')
  if (kind === 'choose') {
    await event(ctx, employee_id, 'change_of_employment', addDays(ctx.today, -(choice % 25)))
    return choose(ctx, employee_id, choice)
  }
  if (kind === 'baby') {
    const born = addDays(ctx.today, -(choice % 25))
    await event(ctx, employee_id, 'birth', born)
    await add(ctx, employee_id, 'child', born)
    return choose(ctx, employee_id, choice)
  }
  if (of_employees.some((one) => one === kind))
    return does[kind as (typeof of_employees)[number]](
      ctx,
      { ids } as Person,
      { kind, days, choice } as never,
      reported,
    )
  const one = await pickOf(ctx, employee_id, choice >> 3)
  if (!one) throw new Error('nobody')
  if (kind === 'end') return endDependent(ctx, one)
  if (kind === 'back') return reinstateDependent(ctx, one)
  if (kind === 'born') return changeDependent(ctx, one, { date_of_birth: bornOn(choice) })
  return kind === 'disabled' ? approveDisability(ctx, one, 'R') : withdrawDisability(ctx, one)
}

/** The elections of an enrollment in order of their first days. The first applies from the start of coverage. */
type Chosen = { effective_on: Day; ids: string[]; elected_at: string }
const chosen = new Map<string, Chosen[]>()

type Row = {
  id: string
  employee_id: string
  year: string
  elected_by: string | null
  coverage_start: Day
  last_day: Day
  elections: (Chosen & { coverage_tier: string; deduction: number; follows: boolean })[]
  former_id: string | null
  former_last_day: Day | null
}

const readRows = () =>
  api.database.reads.rows<Row>(
    `select enrollment.id, enrollment.employee_id, year.coverage_start::text as year, enrollment.elected_by,
            enrollment.coverage_start, coalesce(enrollment.coverage_end, year.coverage_end) as last_day,
            (select json_agg(json_build_object(
               'effective_on', effective_on::text, 'elected_at', elected_at::text, 'coverage_tier', coverage_tier,
               'deduction', employee_deduction_in_cents, 'follows', follows,
               'ids', array(select dependent_id from covered_dependents as covered
                             where covered.enrollment_id = enrollment.id
                               and covered.effective_on = election.effective_on order by 1)) order by effective_on)
               from elections as election where enrollment_id = enrollment.id) as elections,
            before.former_id, before.last_day as former_last_day
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
       join employees as employee on employee.id = enrollment.employee_id
       left join lateral (
         select former.id as former_id, coalesce(former.coverage_end, own.coverage_end) as last_day
           from enrollments as former join employees as other on other.id = former.employee_id
           join benefit_plan_years as own on own.id = former.plan_year_id
          where other.member_id = employee.member_id and former.answer = 'enrolled' and former.id <> enrollment.id
            and former.coverage_start <= coalesce(former.coverage_end, own.coverage_end)
            and former.coverage_start < enrollment.coverage_start
          order by last_day desc, former.id desc limit 1) as before on true
      where enrollment.answer = 'enrolled' order by enrollment.coverage_start, enrollment.id`,
  )

/** Records new elections in the model. For carried elections, records the last one without ended dependents. */
function note(rows: Row[], kin: Map<string, Kin>): void {
  for (const row of rows) {
    const known = chosen.get(row.id)
    const made = row.elections.filter(({ follows }) => !follows)
    chosen.set(
      row.id,
      made.map(({ effective_on, ids, elected_at }) => {
        const same = known?.find((one) => one.effective_on === effective_on && one.elected_at === elected_at)
        if (same) return same
        const is_carried = !known && (row.elected_by === 'renewal' || row.elected_by === 'return')
        const former = is_carried && row.former_id ? chosen.get(row.former_id) : undefined
        const before = former?.findLast((one) => one.effective_on <= row.former_last_day!)?.ids
        return {
          effective_on,
          elected_at,
          ids: before?.filter((id) => !kin.get(id)!.ended_on || ids.includes(id)) ?? ids,
        }
      }),
    )
  }
}

const later = (a: Day, b: Day) => (a > b ? a : b)
const contributed = (tier: string, day: Day) =>
  tier === 'EE' ? 0 : day < '2026-07-01' || day >= '2027-01-01' ? 50 : 60
const premiums: Record<string, number> = { EE: 8_900, ES: 17_500, EC: 16_500, EF: 24_900 }

/**
 * Returns the differences on past days between the covered dependents and the elected dependents with possible
 * coverage.
 */
function differences(rows: Row[], kin: Map<string, Kin>, today: Day) {
  const found: unknown[] = []
  let days = 0
  for (const row of rows) {
    const until = row.last_day < today ? row.last_day : today
    for (let day = row.coverage_start; day <= until; day = addDays(day, 1)) {
      days++
      const input = chosen.get(row.id)!.findLast(({ effective_on }) => effective_on <= day)!
      const can = input.ids.filter((id) => (kin.get(id)!.covered_until ?? '9') >= day).sort()
      const holds = row.elections.findLast(({ effective_on }) => effective_on <= day)!
      const of = (kind: string) => can.some((id) => (kin.get(id)!.relationship === 'child') === (kind === 'child'))
      const tier = of('spouse') ? (of('child') ? 'EF' : 'ES') : of('child') ? 'EC' : 'EE'
      const first = later(holds.effective_on, row.coverage_start)
      const percent = contributed(tier, day)
      const cents = premiums[tier]! - Math.round((premiums[tier]! * (tier === 'EE' ? 100 : 100 - percent)) / 100)
      const is = [holds.ids.join(), holds.coverage_tier, row.year < '2027' ? holds.deduction : 0]
      const be = [can.join(), tier, row.year < '2027' ? cents : 0]
      if (is.join('|') === be.join('|')) continue
      found.push({ day, first, is, be, row: JSON.stringify(row), input, kin: input.ids.map((id) => kin.get(id)) })
      break
    }
  }
  return { found, days }
}

const kinById = async () => {
  const rows = await api.database.reads.rows<Kin>(
    `select id, relationship, ended_on,
            dependent_covered_until(relationship, date_of_birth, ended_on, disabled_until) as covered_until
       from dependents`,
  )
  return new Map(rows.map((one) => [one.id, one]))
}

async function seedRows() {
  const catalog = await importCatalog(api)
  plan_id = catalog.mec.plan_id
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id, { classification: 'full_time' })
  const terms = (percentage: number) => [
    { coverage_tier: 'EE', method: 'percentage', percentage: 100 },
    { coverage_tier: null, method: 'percentage', percentage },
  ]
  const { benefit_id } = catalog.mec
  const year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [{ benefit_id, contribution_tiers: terms(50) }],
  })
  await api.work()
  const amendment = {
    effective_on: '2026-07-01',
    reason: 'R',
    contributions: [{ benefit_id, contribution_tiers: terms(40) }],
  }
  return { employer_id, year_id, amendment }
}

it('random families are covered as they elected, for as long as the rules allow', { timeout: 3_600_000 }, async () => {
  const { employer_id, year_id, amendment } = await seedRows()
  const story = fc.sample(life, { seed, numRuns: families }).map((actions): [string[], FamilyAction[]] => [[], actions])
  let [done, days] = [0, 0]
  for (let step = 0, day: Day = first_day; day < last_day; step++, day = addDays(day, 8)) {
    api.moveTo(day)
    await api.runDays()
    await api.work()
    note(await readRows(), await kinById())
    await api.act(async (ctx) => {
      const year = (await locatePlanYear(ctx, { benefit_plan_year_id: year_id }))!
      if (step === 16) await amendPlanYear(ctx, year, amendment as never)
      if (step === 38)
        await copyPlanYear(ctx, year, {
          open_enrollment_start: addDays(day, 5),
          open_enrollment_end: addDays(day, 20),
          renewal: 'passive',
        } as never)
      for (const [number, [ids, actions]] of story.entries()) {
        if (ids.length === 0) {
          if (step !== number % 4) continue
          const employer = await theEmployer(ctx, employer_id)
          const input = { first_name: `A${number}`, last_name: `B${number}`, email: `p${number}@example.com` }
          const { id } = await hireEmployee(
            ctx,
            employer,
            NewEmployee.parse({ ...input, date_of_birth: '1970-05-05', start_date: addDays(day, -(number % 20)) }),
          )
          ids.push(id)
          continue
        }
        const next = actions.shift()
        if (next && (await attempt(ctx, () => live(ctx, ids, next).catch(no_one)))) done++
      }
    })
    await api.work()
    const [rows, kin] = [await readRows(), await kinById()]
    note(rows, kin)
    const seen = differences(rows, kin, day)
    expect(seen.found, day).toEqual([])
    days += seen.days
  }
  expect(done).toBeGreaterThan(15 * families)
  expect(days).toBeGreaterThan(1000 * families)
  const before = await derivedState(api.database.reads)
  const all_people = story.flatMap(([ids]) => ids)
  await api.act((ctx) => recalculate(ctx, api.story.organization_id, all_people))
  await api.work()
  await api.act((ctx) => runWholeDay(ctx, api.story.organization_id))
  expect(await derivedState(api.database.reads), 'doing everything again changes nothing').toEqual(before)
  await api.act(async (ctx) => endDependentCoverage(ctx, api.story.organization_id, [...(await kinById()).keys()]))
  const events = (await derivedState(api.database.reads)).at(-1)
  expect(events, 'following all of them publishes nothing').toEqual(before.at(-1))
  const [rows, kin] = [await readRows(), await kinById()]
  expect(differences(rows, kin, last_day).found, 'following all of them creates no differences').toEqual([])
})

const no_one = (error: Error) => {
  if (error.message !== 'nobody') throw error
}
