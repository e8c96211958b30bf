import fc from 'fast-check'
import { expect, it } from 'vitest'
import { monthEnd, type Day } from '../../kernel/days.ts'
import { followPrices } from '../../modules/coverage/elections/amended-actions.ts'
import { electEnrollment } from '../../modules/coverage/elections/actions.ts'
import { administerEmployer } from '../../modules/directory/employers/actions.ts'
import { recalculate } from '../../modules/coverage/enrollments/actions.ts'
import { tasks } from '../../modules.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import { workOff } from '../../jobs/worker.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, theEmployer, theEnrollment } from '../cast.ts'
import { useApi } from '../harness.ts'
import { pick } from '../pick.ts'
import { differsFromModel, doubled, paidApart, presentOf, unsettled } from './books-of-years.ts'
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
  Place,
  plan_ids,
  rows,
  type History,
} from './random-years.ts'
import { benefits, type Plan } from './year-model.ts'

/**
 * Pairs of employers live through a year and a third, each with four people and some thirty random actions: what it
 * offers is amended and that is withdrawn, people answer, leave and are taken back, the employer is taken over, leaves
 * and comes back, amounts are booked by hand, and the plan year is renewed. One of the two is told what is withdrawn
 * soon after, and some facts in another order. After each step everybody's months cost what the model says, nobody can
 * tell the two apart, and payroll asks for what invoices bill; in the end what was billed and deducted is the sum of
 * the months.
 */
const api = useApi({ begins_on: first_day })
/** `HISTORIES=1000` tells of a thousand people. */
const pair_count = Math.ceil(Number(process.env.HISTORIES ?? 8) / (2 * people.length))
/** Another seed tells other histories. */
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const pairs: Pair[] = []
const places = () => pairs.flatMap((pair) => pair.places)

/** Invoices are drawn nowhere here: thousands of PDFs would take longer than all else. */
const work = () => workOff(api.runtime, { ...tasks, render_invoice: async () => undefined })

/** What the months up to one cost the employees of a place by the model, and in all. */
function due({ model, keys }: Place, until: Day) {
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

async function plantPlace(history: History, catalog: Awaited<ReturnType<typeof importCatalog>>): Promise<Place> {
  const employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly', deduction_method: 'per_month' })
  const policy = { classification: 'full_time', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: benefits.map((benefit) => ({
      benefit_id: benefit_ids[benefit],
      plan_ids: benefit === 'medical' ? [plan_ids.silver, plan_ids.bronze] : [plan_ids.ppo],
      contribution_tiers: contributed(opened_at[benefit]),
    })),
  })
  const place = new Place(history, employer_id, plan_year_id)
  for (const person of people)
    place.ids.set(person, (await createEmployee(api, employer_id, { start_date: '2025-03-03' })).id)
  return place
}

async function plant(): Promise<void> {
  const catalog = await importCatalog(api, rows)
  const path = `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
  const { benefits: stored } = (await api.get(path, { key: api.operator_key })).body.data
  for (const benefit of benefits) {
    const { id, plans: all } = pick(stored, ({ name }) => name === `Year ${capital(benefit)}`)
    benefit_ids[benefit] = id
    for (const { id: plan_id, name } of all) plan_ids[name.slice(5).toLowerCase() as Plan] = plan_id
  }
  for (const one of fc.sample(pair_history, { seed, numRuns: pair_count })) {
    const spared = await plantPlace(one.history, catalog)
    pairs.push(new Pair(one, spared, await plantPlace(one.history, catalog)))
  }
  await work()
  await api.act(async (ctx) => {
    for (const place of places()) {
      const { reach_months: correction_reach_months, dental, elected } = place.history
      const employer = await theEmployer(ctx, place.employer_id)
      const at_one = { ...ctx, caller: serviceCaller(employer.organization_id) }
      await administerEmployer(at_one, employer, { correction_reach_months })
      for (const [at, person] of people.entries())
        for (const one of await answerable(ctx, place.ids.get(person)!)) {
          const is_dental = one.benefit_id === benefit_ids.dental
          const plan = is_dental ? (dental[at] ? 'ppo' : null) : elected[at]!
          if (plan === null) continue
          const election = { plan_id: plan_ids[plan], coverage_tier: 'EE', dependent_ids: undefined }
          await electEnrollment(ctx, await theEnrollment(ctx, one.id), election as never)
          place.model.years[0]!.answer(`${person} ${is_dental ? 'dental' : 'medical'}`, one.id, plan)
        }
      place.moved()
    }
  })
}

/** A renewal that came due since the last look, by what was told by then. */
function renewDue(today: Day): void {
  for (const place of places())
    if (place.due_on && place.due_on <= today && !place.is_renewed) {
      place.is_renewed = true
      place.moved()
      place.renew(
        place.keys().map((key) => key.join(' ')),
        place.due_on,
      )
    }
}

/** Where the two of a pair differ: nobody can tell them apart, but while one was told what is yet to be withdrawn. */
async function toldApart(): Promise<unknown[]> {
  const present = await presentOf(api, places())
  return pairs.flatMap((pair, number) => {
    const [spared, told] = [present.get(pair.spared)!, present.get(pair.told)!]
    if (pair.isApart || spared.join() === told.join()) return []
    const without = (some: string[], others: string[]) => some.filter((one) => !others.includes(one))
    return [{ number, spared: without(spared, told), told: without(told, spared) }]
  })
}

it('cost every month what the model says, step by step and at once', { timeout: 3_600_000 }, async () => {
  await plant()
  let [compared, former] = [0, first_day]
  for (const [step, day] of daysAfter(first_day).entries()) {
    api.moveTo(day)
    await api.runDays()
    await work()
    renewDue(day)
    if (day.slice(0, 7) > former.slice(0, 7)) expect(await paidApart(api), `until ${day}`).toEqual([])
    former = day
    await api.act(async (ctx) => {
      for (const [number, pair] of pairs.entries()) await pair.live(ctx, step, (number + step) % 3 !== 0)
    })
    await work()
    for (const place of places().filter(({ is_renewed }) => is_renewed)) place.renew(place.moved(), day)
    const now = await differsFromModel(api, places())
    expect(now.differences, `on ${day}`).toEqual([])
    compared += now.compared
    expect(await toldApart(), `on ${day}`).toEqual([])
    expect(await doubled(api), `on ${day}`).toEqual([])
  }
  expect(compared).toBeGreaterThan(500 * pair_count)
  // So few as usual need not do everything.
  if (pair_count >= 12)
    for (const kind of [...kinds, 'copy', 'told: reclassify', 'told: leave', 'told: take_over'])
      expect(counts.get(kind), kind).toBeGreaterThan(0)
  await changesNothing()
  await addsUp()
})

/** All that the engine derives, apart from when it was written. */
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
  const everybody = places().flatMap(({ ids }) => [...ids.values()])
  await api.act((ctx) => recalculate(ctx, api.story.organization_id, everybody, '2026-01-01'))
  const enrolled = `select id from enrollments where answer = 'enrolled'`
  const elected = (await api.database.reads.rows<{ id: string }>(enrolled)).map(({ id }) => id)
  expect(await api.act((ctx) => followPrices(ctx, api.story.organization_id, elected))).toEqual([])
  expect(await derived(), 'recalculating everything changes nothing').toEqual(before)
}

/** The last months are corrected by the next invoice and statement; then all was billed that was due, and deducted. */
async function addsUp(): Promise<void> {
  const today = '2027-06-01'
  for (const day of ['2027-05-01', today]) {
    api.moveTo(day)
    await api.runDays()
    await work()
  }
  expect(await paidApart(api, true), `until ${today}`).toEqual([])
  for (const [number, { spared, told }] of pairs.entries()) {
    if (spared.history.reach_months < 12) continue
    const billed = await Promise.all([spared, told].map((place) => billedTo(place)))
    expect({ number, ...billed[0] }).toEqual({ number, ...due(spared, monthEnd(today)) })
    expect({ number, ...billed[1] }, 'told and withdrawn').toEqual({ number, ...billed[0] })
  }
  expect(await unsettled(api, places()), 'what payroll did not take is outstanding').toEqual([])
}

const billedTo = async ({ employer_id }: Place) =>
  (await api.database.reads.row<{ total: number; employees: number }>(
    `select coalesce(sum(total_in_cents), 0)::int as total,
            coalesce(sum(employee_deduction_in_cents), 0)::int as employees
       from invoices where employer_id = $1 and voided_at is null`,
    [employer_id],
  ))!
