import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays, monthEnd, type Day } from '../../kernel/days.ts'
import { followPrices } from '../../modules/elections/amended-actions.ts'
import { electEnrollment } from '../../modules/elections/actions.ts'
import { administerEmployer } from '../../modules/employers/actions.ts'
import { recalculate } from '../../modules/enrollments/actions.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, theEmployer, theEnrollment } from '../cast.ts'
import { useApi } from '../harness.ts'
import { pick } from '../pick.ts'
import {
  answerable,
  attempt,
  benefit_ids,
  capital,
  contributed,
  copy,
  counts,
  does,
  first_day,
  history,
  kinds,
  months,
  opened_at,
  people,
  Place,
  plan_ids,
  rows,
} from './random-years.ts'
import { benefits, type Plan } from './year-model.ts'

/**
 * Employers live through a year and a third, each with four people and some thirty random deeds: what it offers is
 * amended and that is withdrawn, people answer, leave and are taken back, the employer leaves and comes back, and the
 * plan year is renewed. After each step everybody's months cost what the model says, and in the end what was billed and
 * deducted is the sum of these.
 */
const api = useApi()
/** `HISTORIES=1000` tells of a thousand people. */
const employers = Math.ceil(Number(process.env.HISTORIES ?? 8) / people.length)
/** Another seed tells other histories. */
const seed = Number(process.env.HISTORIES_SEED ?? 20260310)
const last_day = '2027-04-20'
const places: Place[] = []

/** What each month costs by the rows of the engine: employer, person, benefit and month, and the same of the model. */
async function differences(): Promise<{ compared: number; differences: unknown[] }> {
  const found = await api.database.reads.rows<{
    employee_id: string
    plan_year_id: string
    benefit_id: string
    coverage_start: Day
    last: Day
    elections: [Day, string, number, number, number][]
  }>(
    `select enrollment.employee_id, enrollment.plan_year_id, enrollment.benefit_id, enrollment.coverage_start,
            least(enrollment.coverage_end, year.coverage_end) as last,
            (select json_agg(json_build_array(effective_on, plan_id, premium_in_cents, employer_contribution_in_cents,
                                              employee_deduction_in_cents) order by effective_on)
               from elections where enrollment_id = enrollment.id) as elections
       from enrollments as enrollment join benefit_plan_years as year on year.id = enrollment.plan_year_id
      where enrollment.answer = 'enrolled'`,
  )
  const names = new Map((Object.keys(plan_ids) as Plan[]).map((plan) => [plan_ids[plan], plan]))
  const is = new Map<string, string>()
  for (const { employee_id, plan_year_id, benefit_id, coverage_start, last, elections } of found)
    for (const month of months.filter((day) => coverage_start <= day && day <= last)) {
      const [, plan = '', ...cents] = elections.findLast(([day]) => day === '-infinity' || day <= month)!
      const key = `${employee_id} ${plan_year_id} ${benefit_id} ${month}`
      is.set(key, [...(is.has(key) ? [is.get(key)] : []), names.get(plan), ...cents].join(' '))
    }
  const wrong: unknown[] = []
  let compared = 0
  for (const [number, place] of places.entries())
    for (const [at, year] of place.model.years.entries())
      for (const [person, benefit] of place.keys())
        for (const month of months) {
          const key = `${place.ids.get(person)} ${place.year_ids[at]} ${benefit_ids[benefit]} ${month}`
          const expected = place.model.charge(year, person, benefit, month) ?? undefined
          if (expected) compared++
          if (is.get(key) !== expected) wrong.push({ number, at, person, benefit, month, expected, is: is.get(key) })
        }
  return { compared, differences: wrong }
}

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

/** What the months up to one cost the employees of a place by the model, and in all. */
function due(place: Place, until: Day) {
  const sum = { total: 0, employees: 0 }
  for (const year of place.model.years)
    for (const [person, benefit] of place.keys())
      for (const month of months.filter((day) => day <= until)) {
        const [, premium = 0, , employee = 0] = (place.model.charge(year, person, benefit, month) ?? '')
          .split(' ')
          .map(Number)
        sum.total += premium
        sum.employees += employee
      }
  return sum
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
  for (const one of fc.sample(history, { seed, numRuns: employers })) {
    const employer_id = await createEmployer(api)
    await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly', deduction_method: 'per_month' })
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
    const plan_year_id = await openPlanYear(api, employer_id, catalog, {
      benefits: benefits.map((benefit) => ({
        benefit_id: benefit_ids[benefit],
        plan_ids: benefit === 'medical' ? [plan_ids.silver, plan_ids.bronze] : [plan_ids.ppo],
        contribution_tiers: contributed(opened_at[benefit]),
      })),
    })
    const place = new Place(one, employer_id, plan_year_id)
    for (const person of people)
      place.ids.set(person, (await createEmployee(api, employer_id, { start_date: '2025-03-03' })).id)
    places.push(place)
  }
  await api.work()
  await api.act(async (ctx) => {
    for (const place of places) {
      await administerEmployer(ctx, await theEmployer(ctx, place.employer_id), { correction_reach_months: 12 })
      for (const [at, person] of people.entries())
        for (const one of await answerable(ctx, place.ids.get(person)!)) {
          const is_dental = one.benefit_id === benefit_ids.dental
          const plan = is_dental ? (place.history.dental[at] ? 'ppo' : null) : place.history.elected[at]!
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
  for (const place of places)
    if (place.due_on && place.due_on <= today && !place.is_renewed) {
      place.is_renewed = true
      place.moved()
      place.renew(place.keys().map((key) => key.join(' ')))
    }
}

it('cost every month what the model says, step by step and at once', { timeout: 1_800_000 }, async () => {
  api.moveTo(first_day)
  await plant()
  let compared = 0
  let day = addDays(first_day, 10)
  for (let step = 0; day <= last_day; step++, day = addDays(day, 10)) {
    api.moveTo(day)
    await api.runDays()
    await api.work()
    renewDue(day)
    await api.act(async (ctx) => {
      for (const [number, place] of places.entries()) {
        if (place.year_ids.length === 1 && day >= place.history.renews_on) await copy(ctx, place)
        const next = (number + step) % 2 === 0 ? place.history.deeds.shift() : undefined
        if (next) await attempt(ctx, next.kind, () => does[next.kind](ctx, place, next))
      }
    })
    await api.work()
    for (const place of places.filter(({ is_renewed }) => is_renewed)) place.renew(place.moved())
    const now = await differences()
    expect(now.differences, `on ${day}`).toEqual([])
    compared += now.compared
  }
  expect(compared).toBeGreaterThan(300 * employers)
  // So few as usual need not do everything.
  if (employers >= 12)
    for (const kind of new Set([...kinds, 'copy', 'answer', 'terminate', 'reinstate', 'leave', 'resume']))
      expect(counts.get(kind), kind).toBeGreaterThan(0)

  const before = await derived()
  const everybody = places.flatMap(({ ids }) => [...ids.values()])
  await api.act((ctx) => recalculate(ctx, api.story.organization_id, everybody, '2026-01-01'))
  const elected = (
    await api.database.reads.rows<{ id: string }>(`select id from enrollments where answer = 'enrolled'`)
  ).map(({ id }) => id)
  expect(await api.act((ctx) => followPrices(ctx, api.story.organization_id, elected))).toEqual([])
  expect(await derived(), 'recalculating everything changes nothing').toEqual(before)

  // The last months are corrected by the next invoice, which those have who have not left.
  api.moveTo('2027-05-01')
  await api.runDays()
  await api.work()
  for (const [number, place] of places.entries()) {
    if (place.model.subscriptions.at(-1)!.ended_on !== null) continue
    const billed = (await api.database.reads.row<{ total: number; employees: number }>(
      `select coalesce(sum(total_in_cents), 0)::int as total,
              coalesce(sum(employee_deduction_in_cents), 0)::int as employees
         from invoices where employer_id = $1 and voided_at is null`,
      [place.employer_id],
    ))!
    expect({ number, ...billed }).toEqual({ number, ...due(place, monthEnd('2027-05-01')) })
  }
})
