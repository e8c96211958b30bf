import fc from 'fast-check'
import { expect, it } from 'vitest'
import { monthEnd, type Day } from '../../kernel/days.ts'
import { repriceElections } from '../../modules/coverage/elections/price-actions.ts'
import { electEnrollment } from '../../modules/coverage/elections/actions.ts'
import { administerEmployer } from '../../modules/directory/employers/actions.ts'
import { recalculate } from '../../modules/coverage/enrollments/actions.ts'
import { tasks } from '../../worker-tasks.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import { runWaitingJobs } from '../service/waiting-jobs.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  theEmployer,
  theEnrollment,
  addPolicy,
} from '../fixtures.ts'
import { useApi } from '../harness.ts'
import { pick } from '../pick.ts'
import { differsFromModel, doubled, differsFromInvoices, currentStateOf, unsettled } from './model-comparison.ts'
import { daysAfter, Pair, pair_history } from './random-pairs.ts'
import {
  answerable,
  benefit_ids,
  capital,
  contributed,
  counts,
  first_day,
  kinds,
  months,
  opened_at,
  people,
  Position,
  plan_ids,
  rows,
  type History,
} from './random-years.ts'
import { benefits, type Plan } from './year-model.ts'
import { caseCount } from '../case-count.ts'

/**
 * Simulates pairs of employers for sixteen months, each with four people and about thirty random actions: amendments
 * and their withdrawal, submissions, terminations and reinstatements, takeover, cancellation and return, manual
 * adjustments, and the renewal. One employer of each pair also receives facts that are withdrawn soon after, and some
 * facts in another order. After each step, the cost of every month equals the model, both employers are in the same
 * state, and deductions equal invoices. In the end, the billed and deducted totals equal the sum of the months.
 */
const api = useApi({ begins_on: first_day })
const pair_count = caseCount(1)
/** Another seed gives other histories. */
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const pairs: Pair[] = []
const positions = () => pairs.flatMap((pair) => pair.positions)

/** Skips rendering invoices: thousands of PDFs would take longer than everything else. */
const work = () => runWaitingJobs(api.runtime, { ...tasks, render_invoice: async () => undefined })

/** The cost of the months up to one according to the model: for the employees, and in total. */
function due({ model, keys }: Position, until: Day) {
  const sum = { total: model.booked_in_cents, employees: model.booked_in_cents }
  for (const year of model.years)
    for (const [person, benefit] of keys())
      for (const month of months.filter((day) => day <= until && model.isCharged(day))) {
        const charge = model.charge(year, person, benefit, month) ?? ''
        const [, premium = 0, , employee = 0] = charge.split(' ').map(Number)
        sum.total += premium
        sum.employees += employee
      }
  return sum
}

async function seedLocation(history: History, catalog: Awaited<ReturnType<typeof importCatalog>>): Promise<Position> {
  const employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly', deduction_method: 'per_month' })
  await addPolicy(api, employer_id, { classification: 'full_time' })
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: benefits.map((benefit) => ({
      benefit_id: benefit_ids[benefit],
      plan_ids: benefit === 'medical' ? [plan_ids.silver, plan_ids.bronze] : [plan_ids.ppo],
      contribution_tiers: contributed(opened_at[benefit]),
    })),
  })
  const position = new Position(history, employer_id, plan_year_id)
  for (const person of people)
    position.ids.set(person, (await createEmployee(api, employer_id, { start_date: '2025-03-03' })).id)
  return position
}

async function seedRows(): Promise<void> {
  const catalog = await importCatalog(api, rows)
  const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
  const { benefits: stored } = (await api.get(path, { key: api.operator_key })).body.data
  for (const benefit of benefits) {
    const { id, plans: all } = pick(stored, ({ name }) => name === `Year ${capital(benefit)}`)
    benefit_ids[benefit] = id
    for (const { id: plan_id, name } of all) plan_ids[name.slice(5).toLowerCase() as Plan] = plan_id
  }
  for (const one of fc.sample(pair_history, { seed, numRuns: pair_count })) {
    const spared = await seedLocation(one.history, catalog)
    pairs.push(new Pair(one, spared, await seedLocation(one.history, catalog)))
  }
  await work()
  await api.act(async (ctx) => {
    for (const position of positions()) {
      const { window_months: correction_reach_months, dental, elected } = position.history
      const employer = await theEmployer(ctx, position.employer_id)
      const at_one = { ...ctx, caller: serviceCaller(employer.organization_id) }
      await administerEmployer(at_one, employer, { correction_reach_months })
      for (const [at, person] of people.entries())
        for (const one of await answerable(ctx, position.ids.get(person)!)) {
          const is_dental = one.benefit_id === benefit_ids.dental
          const plan = is_dental ? (dental[at] ? 'ppo' : null) : elected[at]!
          if (plan === null) continue
          const election = { plan_id: plan_ids[plan], coverage_tier: 'EE', dependent_ids: undefined }
          await electEnrollment(ctx, await theEnrollment(ctx, one.id), election as never)
          position.model.years[0]!.answer(`${person} ${is_dental ? 'dental' : 'medical'}`, one.id, plan)
        }
      position.moved()
    }
  })
}

/** Performs a renewal that became due since the last step, using the facts known when it became due. */
function renewDue(today: Day): void {
  for (const position of positions())
    if (position.due_on && position.due_on <= today && !position.is_renewed) {
      position.is_renewed = true
      position.moved()
      position.renew(
        position.keys().map((key) => key.join(' ')),
        position.due_on,
      )
    }
}

/** The differences within each pair. Pairs in which one employer has facts that are yet to be withdrawn are skipped. */
async function pairDifferences(): Promise<unknown[]> {
  const present = await currentStateOf(api, positions())
  return pairs.flatMap((pair, number) => {
    const [spared, changed] = [present.get(pair.spared)!, present.get(pair.changed)!]
    if (pair.isApart || spared.join() === changed.join()) return []
    const without = (some: string[], others: string[]) => some.filter((one) => !others.includes(one))
    return [{ number, spared: without(spared, changed), changed: without(changed, spared) }]
  })
}

it(
  'gives every month the cost in the model, both step by step and recalculated at once',
  { timeout: 3_600_000 },
  async () => {
    await seedRows()
    let [compared, former] = [0, first_day]
    for (const [step, day] of daysAfter(first_day).entries()) {
      api.moveTo(day)
      await api.runDays()
      await work()
      renewDue(day)
      if (day.slice(0, 7) > former.slice(0, 7)) expect(await differsFromInvoices(api), `until ${day}`).toEqual([])
      former = day
      await api.act(async (ctx) => {
        for (const [number, pair] of pairs.entries()) await pair.live(ctx, step, (number + step) % 3 !== 0)
      })
      await work()
      for (const position of positions().filter(({ is_renewed }) => is_renewed)) position.renew(position.moved(), day)
      const now = await differsFromModel(api, positions())
      expect(now.differences, `on ${day}`).toEqual([])
      compared += now.compared
      expect(await pairDifferences(), `on ${day}`).toEqual([])
      expect(await doubled(api), `on ${day}`).toEqual([])
    }
    expect(compared).toBeGreaterThan(500 * pair_count)
    // The default number of histories is too small to include every action.
    if (pair_count >= 12)
      for (const kind of [...kinds, 'copy', 'changed: reclassify', 'changed: leave', 'changed: take_over'])
        expect(counts.get(kind), kind).toBeGreaterThan(0)
    await changesNothing()
    await addsUp()
  },
)

/** Everything that the engine derives, without timestamps. */
const derived = () =>
  Promise.all(
    [
      'select * from enrollments order by id',
      'select * from elections order by enrollment_id, effective_on',
      'select id, eligible_count, enrolled_count from benefit_plan_years order by id',
      'select count(*) from webhook_events',
    ].map((text) => api.database.reads.rows(text)),
  )

async function changesNothing(): Promise<void> {
  const before = await derived()
  const all_people = positions().flatMap(({ ids }) => [...ids.values()])
  await api.act((ctx) => recalculate(ctx, api.story.organization_id, all_people, { since: '2026-01-01' }))
  const enrolled = `select id from enrollments where answer = 'enrolled'`
  const elected = (await api.database.reads.rows<{ id: string }>(enrolled)).map(({ id }) => id)
  expect(await api.act((ctx) => repriceElections(ctx, api.story.organization_id, elected))).toEqual([])
  expect(await derived(), 'recalculating everything changes nothing').toEqual(before)
}

/**
 * Runs the last corrections with the next invoice and statement, and then checks that billed and deducted totals equal
 * the amounts due.
 */
async function addsUp(): Promise<void> {
  const today = '2027-06-01'
  for (const day of ['2027-05-01', today]) {
    api.moveTo(day)
    await api.runDays()
    await work()
  }
  expect(await differsFromInvoices(api, true), `until ${today}`).toEqual([])
  for (const [number, { spared, changed }] of pairs.entries()) {
    if (spared.history.window_months < 12) continue
    const billed = await Promise.all([spared, changed].map((position) => billedTo(position)))
    expect({ number, ...billed[0] }).toEqual({ number, ...due(spared, monthEnd(today)) })
    expect({ number, ...billed[1] }, 'reported and withdrawn').toEqual({ number, ...billed[0] })
  }
  expect(await unsettled(api, positions()), 'missed deductions are outstanding').toEqual([])
}

const billedTo = async ({ employer_id }: Position) =>
  (await api.database.reads.row<{ total: number; employees: number }>(
    `select coalesce(sum(total_in_cents), 0)::int as total,
            coalesce(sum(employee_deduction_in_cents), 0)::int as employees
       from invoices where employer_id = $1 and voided_at is null`,
    [employer_id],
  ))!
