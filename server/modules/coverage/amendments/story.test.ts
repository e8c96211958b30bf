import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { repriceElections } from '../elections/price-actions.ts'
import { recalculate } from '../enrollments/actions.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

/** Silver gets more expensive in July according to the catalog. Gold is not offered to any employee yet. */
const evergreen = { carrier: 'Evergreen Health', product_code: 'MVP', benefit: 'Major Medical' }
const july = (plan: string, premiums: number[], effective_on = '2026-07-01') =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => {
    return { ...evergreen, plan, coverage_tier, premium_in_cents: premiums[at], effective_on }
  })

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api, july('Major Medical Silver', [44_000, 88_000, 81_400, 127_600]))
})

const timeout = { timeout: 240_000 }
const onDay = async (day: string) => {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]

/** An employer that pays half of Silver, Bronze and dental in 2026. All employees are covered immediately. */
async function anEmployerWithYear() {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [
      { benefit_id: catalog.mvp.benefit_id, contribution_tiers: half },
      { benefit_id: catalog.dental.benefit_id, contribution_tiers: half },
    ],
  })
  await api.work()
  return { employer_id, plan_year_id }
}

const enrollmentsOf = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}/enrollments?limit=100`)).body.data
const medicalOf = async (employee_id: string) =>
  (await enrollmentsOf(employee_id)).filter((row) => row.benefit.category === 'Medical')

const elect = async (enrollment_id: string, body: object) => {
  const answer = await api.post(`/v1/enrollments/${enrollment_id}/elect`, body)
  expect(answer.status, answer.text).toBe(200)
}

/** An employee with employee-only medical coverage, hired on March 10, 2026 by default. */
async function a_person(employer_id: string, plan_id: string, start_date = '2026-03-10'): Promise<string> {
  const { id } = await createEmployee(api, employer_id, { start_date })
  const enrollment = only(await medicalOf(id))
  await elect(enrollment.id, { plan_id, coverage_tier: 'EE' })
  return id
}

const pathOf = (plan_year_id: string) => `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const
async function amend(plan_year_id: string, body: object) {
  const answer = await api.post(
    pathOf(plan_year_id),
    { reason: 'The carrier corrected its rates', ...body },
    asOperator(),
  )
  expect(answer.status, answer.text).toBe(201)
  await api.work()
  return (await api.get(pathOf(plan_year_id), asOperator())).body.data[0]!
}
async function preview(plan_year_id: string, body: object) {
  const reported = { reason: 'Preview', ...body, dry_run: true }
  const answer = await api.post(pathOf(plan_year_id), reported, asOperator())
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
async function withdraw(plan_year_id: string, amendment_id: string) {
  const path = `${pathOf(plan_year_id)}/${amendment_id}/withdraw` as const
  const answer = await api.post(path, { reason: 'Made by mistake' }, asOperator())
  expect(answer.status, answer.text).toBe(200)
  await api.work()
}

/** All stored rows about the coverage of an employer's employees, and about its plan year. */
async function kept(employer_id: string, plan_year_id: string) {
  const rows = (sql: string, values: string[]) => api.database.reads.rows<Record<string, unknown>>(sql, values)
  return {
    enrollments: await rows(
      `select id, coverage_start, coverage_end, inactive_on, answer, ended_by, terminated_at is null as live
         from enrollments where employer_id = $1 and answer is not null order by id`,
      [employer_id],
    ),
    elections: await rows(
      `select election.enrollment_id, election.effective_on::text, plan_id, coverage_tier, tier_id, premium_in_cents,
              employer_contribution_in_cents, employee_deduction_in_cents, follows, amendment_id, as_elected, elected_at
         from elections as election join enrollments as enrollment on enrollment.id = election.enrollment_id
        where enrollment.employer_id = $1 order by 1, 2`,
      [employer_id],
    ),
    rates: await rows(
      `select benefit_id, plan_id, coverage_tier, premium_in_cents, min_contribution_in_cents, effective_on::text,
              until::text, amendment_id from plan_year_rates where plan_year_id = $1 order by 1, 2, 3, 6`,
      [plan_year_id],
    ),
    contributions: await rows(
      `select benefit_id, effective_on::text, until::text, contribution_strategy
         from plan_year_contributions where plan_year_id = $1 order by 1, 2`,
      [plan_year_id],
    ),
    offers: await rows(
      `select benefit_id, starts_on, ends_on, closed_plans, during::text from plan_year_benefits
        where plan_year_id = $1 and withdrawn_at is null order by 1`,
      [plan_year_id],
    ),
    year: await rows('select coverage_end, as_opened from benefit_plan_years where id = $1', [plan_year_id]),
  }
}

const costOf = (row: {
  premium_in_cents: number | null
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}) => [row.premium_in_cents, row.employer_contribution_in_cents, row.employee_deduction_in_cents]

describe('rates and contributions', () => {
  let position: Awaited<ReturnType<typeof anEmployerWithYear>>
  let ana: string
  let ben: string
  beforeAll(async () => {
    position = await anEmployerWithYear()
    ana = await a_person(position.employer_id, catalog.mvp.plan_id)
    ben = await a_person(position.employer_id, catalog.mvp.other_plan_id)
  })

  it('previews the cost of each employee, and changes nothing', timeout, async () => {
    const before = await kept(position.employer_id, position.plan_year_id)
    const input = { effective_on: '2026-07-01', repriced_plan_ids: [catalog.mvp.plan_id] }
    const { data, totals, pagination } = await preview(position.plan_year_id, { ...input, limit: 1, page: 1 })
    expect(pagination).toEqual({ limit: 1, page: 1, total: 2, total_pages: 2 })
    const sums = (premium_in_cents: number) => {
      const half = premium_in_cents / 2
      return { premium_in_cents, employer_contribution_in_cents: half, employee_deduction_in_cents: half }
    }
    // The totals of all pages contain only the changes of Silver from July to December.
    const reported = { before: sums(6 * 42_000), after: sums(6 * 44_000) }
    const counts = { changed_employee_count: 1, losing_employee_count: 0, electing_employee_count: 0 }
    expect(totals).toEqual({ employee_count: 2, ...counts, ...reported })
    data.push(...(await preview(position.plan_year_id, { ...input, limit: 1, page: 2 })).data)
    const hers = pick(data, (row) => row.employee_id === ana)
    expect(hers).toMatchObject({ loses_coverage_on: null, can_elect_again: false, ...reported })
    expect(hers.months.map(({ month }) => month)).toEqual([
      '2026-07',
      '2026-08',
      '2026-09',
      '2026-10',
      '2026-11',
      '2026-12',
    ])
    expect(hers.months[0]).toMatchObject({
      before: { premium_in_cents: 42_000, employer_contribution_in_cents: 21_000, employee_deduction_in_cents: 21_000 },
      after: { premium_in_cents: 44_000, employer_contribution_in_cents: 22_000, employee_deduction_in_cents: 22_000 },
      is_corrected: true,
    })
    expect(pick(data, (row) => row.employee_id === ben).months).toEqual([])
    expect(await kept(position.employer_id, position.plan_year_id)).toEqual(before)
  })

  it('reprices elections starting on its day, with an event and evidence, and can be withdrawn', timeout, async () => {
    const before = await kept(position.employer_id, position.plan_year_id)
    const input = { effective_on: '2026-07-01', repriced_plan_ids: [catalog.mvp.plan_id] }
    const { id } = await amend(position.plan_year_id, input)
    const hers = only(await medicalOf(ana))
    expect(costOf(hers)).toEqual([42_000, 21_000, 21_000])
    expect(hers.upcoming_election).toMatchObject({ effective_on: '2026-07-01', premium_in_cents: 44_000 })
    expect(only(await medicalOf(ben)).upcoming_election).toBeNull()
    const { data: evidence } = (await api.get(`/v1/enrollments/${hers.id}/history`)).body
    expect(evidence.at(-1)).toMatchObject({
      action: 'amended',
      reason: 'The carrier corrected its rates',
      actor: { kind: 'rule' },
    })
    expect(evidence.at(-1)!.elections!.map((one) => one.premium_in_cents)).toEqual([42_000, 44_000])
    const events = (await api.get('/v1/webhook-events?event_name=benefit_plan_year.amended,enrollment.amended')).body
      .data
    expect(events.map((event) => event.resource_id).toSorted()).toEqual([position.plan_year_id, hers.id].toSorted())

    const once = await kept(position.employer_id, position.plan_year_id)
    const all_people = [ana, ben]
    await api.act(async (ctx) => {
      await recalculate(ctx, api.story.organization_id, all_people)
      expect(await repriceElections(ctx, api.story.organization_id, [hers.id])).toEqual([])
    })
    expect(await kept(position.employer_id, position.plan_year_id)).toEqual(once)

    await withdraw(position.plan_year_id, id)
    expect(await kept(position.employer_id, position.plan_year_id)).toEqual(before)
    const { data: listed } = (await api.get(pathOf(position.plan_year_id), asOperator())).body
    expect(only(listed)).toMatchObject({ id, withdrawal_reason: 'Made by mistake', ...input })
  })

  it('corrects a contribution retroactively, and its withdrawal reverses that', timeout, async () => {
    const before = await kept(position.employer_id, position.plan_year_id)
    const all = [{ coverage_tier: null, method: 'percentage', percentage: 100 }]
    const { id } = await amend(position.plan_year_id, {
      effective_on: '2026-01-01',
      contributions: [{ benefit_id: catalog.mvp.benefit_id, contribution_tiers: all }],
    })
    expect(costOf(only(await medicalOf(ana)))).toEqual([42_000, 42_000, 0])
    const again = await amend(position.plan_year_id, {
      effective_on: '2026-07-01',
      repriced_plan_ids: [catalog.mvp.plan_id],
    })
    expect(only(await medicalOf(ana)).upcoming_election).toMatchObject({ employer_contribution_in_cents: 44_000 })
    const path = `${pathOf(position.plan_year_id)}/${id}/withdraw` as const
    const refused = await api.post(path, { reason: 'Not the last' }, asOperator())
    expect(refused.error?.code).toBe('amendment_is_not_last')
    await withdraw(position.plan_year_id, again.id)
    await withdraw(position.plan_year_id, id)
    expect(await kept(position.employer_id, position.plan_year_id)).toEqual(before)
  })
})

describe('plans and benefits', () => {
  it('closes a plan, and its employees can elect another without a gap', timeout, async () => {
    const position = await anEmployerWithYear()
    const ana = await a_person(position.employer_id, catalog.mvp.plan_id)
    const before = await kept(position.employer_id, position.plan_year_id)
    const input = { effective_on: '2026-06-01', closed_plan_ids: [catalog.mvp.plan_id] }
    const { data, totals } = await preview(position.plan_year_id, input)
    expect(only(data)).toMatchObject({ employee_id: ana, loses_coverage_on: '2026-06-01', can_elect_again: true })
    expect(totals).toMatchObject({
      losing_employee_count: 1,
      electing_employee_count: 1,
      before: { premium_in_cents: 7 * 42_000 },
      after: { premium_in_cents: 0, employee_deduction_in_cents: 0 },
    })
    expect(only(data).months.every(({ after }) => after === null)).toBe(true)

    const { id } = await amend(position.plan_year_id, input)
    const both = await medicalOf(ana)
    expect(both.map((row) => [row.status, row.coverage_start, row.coverage_end]).toSorted()).toEqual([
      ['enrolled', '2026-03-10', '2026-05-31'],
      ['pending', '2026-06-01', null],
    ])
    const renewed = pick(both, (row) => row.status === 'pending')
    expect(renewed.window).toEqual({ start: '2026-03-10', end: '2026-04-09' })
    const whole = (await api.get(`/v1/enrollments/${renewed.id}`)).body.data
    expect(whole.plans.map((plan) => plan.name)).toEqual(['Major Medical Bronze'])
    await elect(renewed.id, { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE' })
    expect((await medicalOf(ana)).map((row) => row.coverage_start).toSorted()).toEqual(['2026-03-10', '2026-06-01'])

    await withdraw(position.plan_year_id, id)
    const after = await kept(position.employer_id, position.plan_year_id)
    expect({
      ...after,
      enrollments: after.enrollments.filter((row) => row.id !== renewed.id),
      elections: after.elections.filter((row) => row.enrollment_id !== renewed.id),
    }).toEqual(before)
    expect((await medicalOf(ana)).find((row) => row.id === renewed.id)?.status).toBe('inactive')

    // If the plan of the second enrollment is closed too, that enrollment does not return alongside the first one.
    const other = { effective_on: '2026-05-01', closed_plan_ids: [catalog.mvp.other_plan_id] }
    await amend(position.plan_year_id, other)
    const once = (await medicalOf(ana)).map((row) => [row.id === renewed.id, row.status, row.coverage_start])
    expect(once.toSorted()).toEqual([
      [false, 'enrolled', '2026-03-10'],
      [true, 'inactive', '2026-06-01'],
    ])
  })

  it('withdraws a benefit, adds another one and a plan, and reverses everything', timeout, async () => {
    const position = await anEmployerWithYear()
    const ana = await a_person(position.employer_id, catalog.mvp.plan_id)
    const dental = pick(await enrollmentsOf(ana), (row) => row.benefit.category === 'Dental')
    await elect(dental.id, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
    const before = await kept(position.employer_id, position.plan_year_id)
    const { id } = await amend(position.plan_year_id, {
      effective_on: '2026-06-01',
      withdrawn_benefit_ids: [catalog.dental.benefit_id],
      added_benefits: [{ benefit_id: catalog.vision.benefit_id, contribution_tiers: half }],
    })
    const mine = await enrollmentsOf(ana)
    expect(pick(mine, (row) => row.id === dental.id).coverage_end).toBe('2026-05-31')
    const vision = pick(mine, (row) => row.benefit.category === 'Vision')
    expect([vision.status, vision.coverage_start]).toEqual(['pending', '2026-06-01'])
    await elect(vision.id, { plan_id: catalog.vision.plan_id, coverage_tier: 'EE' })
    await withdraw(position.plan_year_id, id)
    const after = await kept(position.employer_id, position.plan_year_id)
    expect({
      ...after,
      enrollments: after.enrollments.filter((row) => row.id !== vision.id),
      elections: after.elections.filter((row) => row.enrollment_id !== vision.id),
    }).toEqual(before)
    const gone = pick(await enrollmentsOf(ana), (row) => row.id === vision.id)
    expect([gone.coverage_start, gone.coverage_end]).toEqual(['2026-06-01', '2026-05-31'])
  })

  it('ends the plan year earlier, and then later again', timeout, async () => {
    const position = await anEmployerWithYear()
    const ana = await a_person(position.employer_id, catalog.mvp.plan_id)
    const before = await kept(position.employer_id, position.plan_year_id)
    const { data, totals } = await preview(position.plan_year_id, {
      effective_on: '2026-04-01',
      coverage_end: '2026-09-30',
    })
    expect(only(data)).toMatchObject({ loses_coverage_on: '2026-10-01', can_elect_again: false })
    expect(totals).toMatchObject({ losing_employee_count: 1, electing_employee_count: 0 })
    expect(only(data).months.map(({ month }) => month)).toEqual(['2026-10', '2026-11', '2026-12'])
    const { id } = await amend(position.plan_year_id, { effective_on: '2026-04-01', coverage_end: '2026-09-30' })
    const year = (await api.get(`/v1/employers/${position.employer_id}/benefit-plan-years`)).body.data
    expect(only(year).coverage_end).toBe('2026-09-30')
    await withdraw(position.plan_year_id, id)
    expect(await kept(position.employer_id, position.plan_year_id)).toEqual(before)
    expect(only(await medicalOf(ana)).coverage_end).toBeNull()
  })
})

describe('money', () => {
  it('corrects invoices and statements to the cent, and its withdrawal reverses that', timeout, async () => {
    await onDay('2026-03-10')
    const position = await anEmployerWithYear()
    const settings = { pay_frequency: 'monthly', deduction_method: 'per_month' }
    await api.put(`/v1/employers/${position.employer_id}/settings`, settings)
    await a_person(position.employer_id, catalog.mvp.plan_id)
    await onDay('2026-08-03')
    const invoices = async () =>
      (await api.get(`/v1/employers/${position.employer_id}/invoices?limit=100&include_drafts=true`)).body.data
        .map((row) => [row.period, row.total_in_cents])
        .toSorted()
    expect((await invoices()).at(-1)).toEqual(['2026-08', 42_000])
    const { id } = await amend(position.plan_year_id, {
      effective_on: '2026-07-01',
      repriced_plan_ids: [catalog.mvp.plan_id],
    })
    await onDay('2026-09-03')
    // September at the new price, plus $20.00 each for July and August.
    expect((await invoices()).at(-1)).toEqual(['2026-09', 44_000 + 2 * 2_000])
    await withdraw(position.plan_year_id, id)
    await onDay('2026-10-03')
    expect((await invoices()).at(-1)).toEqual(['2026-10', 42_000 - 3 * 2_000])
  })
})

describe('a closed plan', () => {
  it('is offered again, but only to employees with an open window', timeout, async () => {
    const position = await anEmployerWithYear()
    const ana = await a_person(position.employer_id, catalog.mvp.plan_id)
    await amend(position.plan_year_id, { effective_on: '2026-06-01', closed_plan_ids: [catalog.mvp.plan_id] })
    const renewed = pick(await medicalOf(ana), (row) => row.status === 'pending')
    await elect(renewed.id, { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE' })
    const closed = await kept(position.employer_id, position.plan_year_id)

    const again = { effective_on: '2026-09-01', added_plan_ids: [catalog.mvp.plan_id] }
    const { data } = await preview(position.plan_year_id, again)
    expect(data.flatMap(({ months }) => months)).toEqual([])
    const { id } = await amend(position.plan_year_id, again)
    const { rates: _, offers: __, ...reopened } = await kept(position.employer_id, position.plan_year_id)
    expect(closed).toMatchObject(reopened)

    const zoe = await a_person(position.employer_id, catalog.mvp.plan_id, '2026-09-15')
    const hers = only(await medicalOf(zoe))
    expect([hers.coverage_start, ...costOf(hers)]).toEqual(['2026-09-15', 44_000, 22_000, 22_000])
    await withdraw(position.plan_year_id, id)
    const { offers, ...without } = await kept(position.employer_id, position.plan_year_id)
    expect({
      offers,
      ...without,
      enrollments: without.enrollments.filter((row) => row.id !== hers.id),
    }).toMatchObject({
      offers: closed.offers,
      enrollments: closed.enrollments,
    })
    const both = (await medicalOf(zoe)).map((row) => [row.coverage_start, row.coverage_end, row.id === hers.id])
    expect(both.toSorted()).toEqual([
      ['2026-09-15', null, false],
      ['2026-09-15', '2026-09-14', true],
    ])
  })

  it('opens a window for employees who lose it, and another one if it is closed again', timeout, async () => {
    const position = await anEmployerWithYear()
    const ana = await a_person(position.employer_id, catalog.mvp.plan_id, '2026-03-10')
    const input = { effective_on: '2026-12-01', closed_plan_ids: [catalog.mvp.plan_id] }
    const { id } = await amend(position.plan_year_id, input)
    const renewed = pick(await medicalOf(ana), (row) => row.status === 'pending')
    await withdraw(position.plan_year_id, id)
    await onDay('2026-11-20')
    await amend(position.plan_year_id, input)
    const events = (await api.events(renewed.id)).map((name) => name.replace('enrollment.', ''))
    expect(events).toEqual(['granted', 'started', 'terminated', 'reinstated', 'started'])
    await elect(renewed.id, { plan_id: catalog.mvp.other_plan_id, coverage_tier: 'EE' })
    expect(await medicalOf(ana)).toMatchObject([{ coverage_start: '2026-12-01' }, { coverage_end: '2026-11-30' }])
  })
})
