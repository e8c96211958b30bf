import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { addDays } from '../../../kernel/days.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** After a return within service_credit_weeks, the waiting period continues, and elections are resumed. */
const api = useApi()
type Kind = 'mec' | 'mvp' | 'dental'

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]

async function employer(policy: object = {}, kinds: Kind[] = ['mec', 'mvp', 'dental']): Promise<string> {
  api.moveTo('2026-03-10')
  const employer_id = await createEmployer(api)
  const input = { classification: 'full_time', waiting_period: '60_days', ...policy }
  const made = await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, input)
  expect(made.status, made.text).toBe(201)
  const benefits = kinds.map((kind) => ({ benefit_id: catalog[kind].benefit_id, contribution_tiers: half }))
  await openPlanYear(api, employer_id, catalog, { benefits })
  await api.work()
  return employer_id
}

async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const listOf = async (employee_id: string) => (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
const of = async (employee_id: string, kind: Kind) =>
  pick(await listOf(employee_id), ({ benefit }) => benefit.id === catalog[kind].benefit_id)
const read = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
const explained = async (id: string) => (await api.get(`/v1/employees/${id}/eligibility`)).body.data

async function elect(employee_id: string, kind: Kind, coverage_tier = 'EE'): Promise<string> {
  const { id } = await of(employee_id, kind)
  const answer = await api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog[kind].plan_id, coverage_tier })
  expect(answer.status, answer.text).toBe(200)
  return id
}

const relative = async (employee_id: string, relationship: string, date_of_birth: string) =>
  (
    await api.post(`/v1/employees/${employee_id}/dependents`, {
      relationship,
      first_name: relationship,
      last_name: 'Lima',
      date_of_birth,
    })
  ).body.data.id

async function terminate(employee_id: string, termination_date: string): Promise<void> {
  const answer = await api.post(`/v1/employees/${employee_id}/terminate`, { termination_date })
  expect(answer.status, answer.text).toBe(200)
}
async function rehire(employee_id: string, start_date: string): Promise<string> {
  const answer = await api.post(`/v1/employees/${employee_id}/rehire`, { start_date })
  expect(answer.status, answer.text).toBe(201)
  await api.work()
  return answer.body.data.id
}

/** An employee whose MVP coverage lasts until the end of April after a termination on the 15th. */
async function leaver(employer_id: string, coverage_tier = 'EE') {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
  const spouse = coverage_tier === 'EE' ? '' : await relative(id, 'spouse', '1990-01-01')
  if (coverage_tier === 'EF') await relative(id, 'child', '2000-05-05')
  const mvp = await elect(id, 'mvp', coverage_tier)
  await goOn('2026-04-15')
  await terminate(id, '2026-04-15')
  return { id, mvp, spouse }
}

describe('a rehire in time', () => {
  it('is covered by the earlier election from the first of the next month, with an event', async () => {
    const employer_id = await employer()
    const { id: former, mvp } = await leaver(employer_id)
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    const again = await of(id, 'mvp')
    expect(again).toMatchObject({
      status: 'enrolled',
      elected_by: 'return',
      coverage_start: '2026-07-01',
      plan: { id: catalog.mvp.plan_id },
      coverage_tier: 'EE',
      employee_deduction_in_cents: 21_000,
    })
    expect(await api.events(again.id)).toEqual(['enrollment.granted', 'enrollment.started', 'enrollment.resumed'])
    const history = (await api.get(`/v1/enrollments/${again.id}/history`)).body.data
    expect(history.at(-1)).toMatchObject({ action: 'resumed', actor: { kind: 'rule' }, answer: 'enrolled' })
    expect(await of(id, 'mec')).toMatchObject({ status: 'waived' })
    expect(await of(id, 'dental')).toMatchObject({ status: 'pending', coverage_start: '2026-07-01' })
    expect(await read(mvp)).toMatchObject({ coverage_end: '2026-04-30' })
    const { benefits, eligible_on } = await explained(id)
    expect(eligible_on).toBe('2026-07-01')
    expect(benefits[0]).toMatchObject({
      anchor: '2026-06-10',
      raw_day: '2026-08-09',
      service_from: '2026-01-05',
      coverage_start: '2026-07-01',
      warnings: [],
    })
  })

  it('is covered with the coverage level that the current dependents require', async () => {
    const employer_id = await employer()
    const { id: former, mvp, spouse } = await leaver(employer_id, 'EF')
    expect(await read(mvp)).toMatchObject({ coverage_tier: 'EF' })
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    expect(await of(id, 'mvp')).toMatchObject({
      status: 'enrolled',
      coverage_tier: 'ES',
      dependent_ids: [spouse],
      employee_deduction_in_cents: 42_000,
    })
  })

  it('can still elect while the window of the grant is open', async () => {
    const employer_id = await employer()
    const { id: former } = await leaver(employer_id)
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    await elect(id, 'mec')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'waived' })
    expect(await of(id, 'mec')).toMatchObject({
      status: 'enrolled',
      elected_by: 'partner',
      coverage_start: '2026-07-01',
    })
  })

  it.each([
    ['13 weeks', '2026-07-16', '2026-08-01', 'enrolled'],
    ['13 weeks and one day later', '2026-07-17', '2026-09-15', 'pending'],
  ])('counts within 13 weeks: %s', async (_, start_date, coverage_start, status) => {
    const employer_id = await employer()
    const { id: former } = await leaver(employer_id)
    await goOn(start_date)
    const id = await rehire(former, start_date)
    expect(await of(id, 'mvp')).toMatchObject({ coverage_start, status })
  })

  it('is covered immediately without a waiting period', async () => {
    const employer_id = await employer({ waiting_period: 'none' })
    const { id: former } = await leaver(employer_id)
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'enrolled', coverage_start: '2026-06-10' })
  })

  it('within the month continues where the former coverage ends', async () => {
    const employer_id = await employer({ waiting_period: 'none' })
    const { id: former } = await leaver(employer_id)
    await goOn('2026-04-20')
    const id = await rehire(former, '2026-04-20')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'enrolled', coverage_start: '2026-05-01' })
    expect(await of(id, 'mec')).toMatchObject({ status: 'waived' })
  })

  it('waits for the remaining days of the waiting period', async () => {
    const employer_id = await employer()
    const { id: former } = await createEmployee(api, employer_id, { start_date: '2026-03-05' })
    await goOn('2026-03-20')
    await terminate(former, '2026-03-20')
    await goOn('2026-04-02')
    const id = await rehire(former, '2026-04-02')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'pending', coverage_start: '2026-05-04' })
  })

  it('starts over if the policy credits no service', async () => {
    const employer_id = await employer({ service_credit_weeks: 0 })
    const { id: former } = await leaver(employer_id)
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'pending', coverage_start: '2026-08-09' })
    expect((await explained(id)).benefits[0]).toMatchObject({ service_from: null })
  })

  it.each([
    ['2026-06-10', '2026-07-01', 'enrolled'],
    ['2026-06-11', '2026-08-09', 'pending'],
  ])('counts starting with the upgrade for existing policies: on %s', async (upgraded_on, start, status) => {
    const employer_id = await employer()
    const { id: former } = await leaver(employer_id)
    await api.database.reads.rows(
      'update benefit_eligibility_policies set service_credit_from = $1 where employer_id = $2',
      [upgraded_on, employer_id],
    )
    await goOn('2026-06-10')
    const id = await rehire(former, '2026-06-10')
    expect(await of(id, 'mvp')).toMatchObject({ coverage_start: start, status })
  })

  it('is the same with a census', async () => {
    const employer_id = await employer()
    const { id: former } = await leaver(employer_id)
    await goOn('2026-06-10')
    const { data } = (await api.get(`/v1/employees/${former}`)).body
    const row = { ...aPerson({}), first_name: data.first_name, last_name: data.last_name, email: data.email }
    const rows = [{ ...row, date_of_birth: data.date_of_birth, start_date: '2026-06-10', employee_class: 'Full Time' }]
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: rows })
    await api.work()
    const roster = (await api.get(`/v1/employers/${employer_id}/employees?employment_status=active`)).body.data
    const id = pick(roster, ({ member_id }) => member_id === data.member_id).id
    expect(id).not.toBe(former)
    expect(await of(id, 'mvp')).toMatchObject({
      status: 'enrolled',
      elected_by: 'return',
      coverage_start: '2026-07-01',
    })
  })

  it('follows late reports about the former employment', async () => {
    const employer_id = await employer()
    const { id: former } = await leaver(employer_id)
    await goOn('2026-07-10')
    const id = await rehire(former, '2026-07-10')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'enrolled', coverage_start: '2026-08-01' })
    const set = async (employee_class: string) => {
      const path = `/operator/v1/employees/${former}/corrections` as const
      const input = { employee_class, effective_date: '2026-03-20', reason: 'Wrong column' }
      const answer = await api.post(path, input, { key: api.operator_key })
      expect(answer.status, answer.text).toBeLessThan(300)
      await api.work()
    }
    // Had they not returned in time, nothing would have been elected or waived for them. They can elect now.
    const { id: mvp, window } = await of(id, 'mvp')
    const waived = await of(id, 'mec')
    const days = async () => [(await of(id, 'mvp')).coverage_start, (await of(id, 'mec')).status]
    const was = [await read(mvp), await read(waived.id)].map(({ updated_at: _, answered_at: __, ...row }) => row)
    await goOn('2026-07-20')
    await set('Part Time')
    expect(await read(mvp)).toMatchObject({
      status: 'pending',
      coverage_start: '2026-09-08',
      answered_at: null,
      elected_by: null,
      plan: null,
      window: { start: '2026-07-10', end: '2026-08-19' },
      employee_deduction_in_cents: 0,
    })
    expect(await read(waived.id)).toMatchObject({ status: 'pending', answered_at: null })
    expect((await api.events(mvp)).slice(-2)).toEqual(['enrollment.resumption_withdrawn', 'enrollment.started'])
    const history = (await api.get(`/v1/enrollments/${mvp}/history`)).body.data
    expect(history.at(-1)).toMatchObject({ action: 'resumption_withdrawn', answer: null, actor: { kind: 'rule' } })
    // A report that is withdrawn leaves no trace, except for the days in which the employee can elect.
    await set('Full Time')
    expect(await days()).toEqual(['2026-08-01', 'waived'])
    const is = [await read(mvp), await read(waived.id)].map(({ updated_at: _, answered_at: __, ...row }) => row)
    const withoutWindows = (rows: typeof was) => rows.map(({ window: ___, ...row }) => row)
    expect(withoutWindows(is)).toEqual(withoutWindows(was))
    expect(window).toEqual({ start: '2026-07-10', end: '2026-08-09' })
  })

  it('does not change later elections of the employee', async () => {
    const employer_id = await employer({ waiting_period: 'none' })
    const { id: former } = await leaver(employer_id)
    await goOn('2026-07-10')
    const id = await rehire(former, '2026-07-10')
    const mvp = await elect(id, 'mvp', 'EE')
    const path = `/operator/v1/employees/${former}/corrections` as const
    const input = { employee_class: 'Part Time', effective_date: '2026-03-20', reason: 'Wrong column' }
    expect((await api.post(path, input, { key: api.operator_key })).status).toBe(200)
    await api.work()
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', elected_by: 'partner', coverage_start: '2026-07-10' })
  })
})

describe('a return to an eligible class in time', () => {
  it('has completed the waiting period, and the election is resumed', async () => {
    const employer_id = await employer()
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mvp = await elect(id, 'mvp')
    const change = async (effective_date: string, employee_class: string) => {
      expect((await api.patch(`/v1/employees/${id}`, { effective_date, employee_class })).status).toBe(200)
      await api.work()
    }
    await goOn('2026-04-15')
    await change('2026-04-15', 'Part Time')
    await goOn('2026-06-10')
    await change('2026-06-10', 'Full Time')
    const again = await of(id, 'mvp')
    expect(again).toMatchObject({ status: 'enrolled', elected_by: 'return', coverage_start: '2026-07-01' })
    expect(await read(mvp)).toMatchObject({ status: 'inactive', coverage_end: '2026-04-30' })

    await change('2026-04-15', 'Full Time')
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_end: null, elected_by: 'partner' })
    expect(await read(again.id)).toMatchObject({ status: 'inactive' })
    const lasting = (await listOf(id)).filter(({ status }) => status === 'enrolled')
    expect(lasting.map((row) => row.id)).toEqual([mvp])
  })
})

describe('an election that was made before the loss was withdrawn', () => {
  it('opens a task for the operator if it differs from the continued election', async () => {
    const employer_id = await employer()
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    await relative(id, 'spouse', '1990-01-01')
    const former = await elect(id, 'mvp')
    const change = async (effective_date: string, employee_class: string) => {
      expect((await api.patch(`/v1/employees/${id}`, { effective_date, employee_class })).status).toBe(200)
      await api.work()
    }
    const tasks = async () =>
      (
        await api.get(`/operator/v1/tasks?employer_id=${employer_id}&kind=enrollment_superseded`, {
          key: api.operator_key,
        })
      ).body.data
    await goOn('2026-04-15')
    await change('2026-04-15', 'Part Time')
    await goOn('2026-05-10')
    await change('2026-05-10', 'Full Time')
    const later = await elect(id, 'mvp', 'ES')
    await change('2026-04-15', 'Full Time')
    expect(await read(former)).toMatchObject({ status: 'enrolled', coverage_tier: 'EE', coverage_end: null })
    expect(await read(later)).toMatchObject({ status: 'inactive', coverage_tier: 'ES' })
    expect(await tasks()).toMatchObject([
      {
        kind: 'enrollment_superseded',
        resource_id: former,
        details: { superseded_enrollment_id: later, employee_id: id },
        action: { operation: 'operator_correct_enrollment' },
      },
    ])
    // The loss applies again, so both enrollments are valid and no task is open.
    await change('2026-04-15', 'Part Time')
    await change('2026-05-10', 'Full Time')
    expect(await tasks()).toEqual([])
    await change('2026-04-15', 'Full Time')
    const { action } = only(await tasks())
    const election = { plan_id: catalog.mvp.plan_id, coverage_tier: 'ES' }
    const input = { reason: 'As they elected in May', election, coverage_start: '2026-03-06' }
    const answer = await api.call('POST', action.path as '/operator/v1/enrollments/{enrollment_id}/corrections', {
      key: api.operator_key,
      body: input,
    })
    expect(answer.status, answer.text).toBe(201)
    expect(await read(former)).toMatchObject({ status: 'enrolled', coverage_tier: 'ES' })
    expect(await tasks()).toEqual([])
  })
})

describe('service_credit_weeks', () => {
  it('is 13 by default, and shown', async () => {
    const employer_id = await createEmployer(api)
    const create = (input: object) =>
      api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
        classification: 'all',
        waiting_period: 'none',
        ...input,
      })
    expect((await create({})).body.data.service_credit_weeks).toBe(13)
    const { data } = (await create({ service_credit_weeks: 26 })).body
    expect(data.service_credit_weeks).toBe(26)
    expect((await api.get(`/v1/benefit-eligibility-policies/${data.id}`)).body.data.service_credit_weeks).toBe(26)
    for (const service_credit_weeks of [-1, 53, 1.5, '13'])
      expect((await create({ service_credit_weeks })).error.details[0]?.field).toBe('service_credit_weeks')
  })
})
