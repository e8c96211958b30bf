import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  addPolicy,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { addDays } from '../../../kernel/days.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** Stories of employees with changing choices in a choice group, of which they hold one benefit at a time. */
const api = useApi()
const asOperator = () => ({ key: api.operator_key })
type Kind = 'mec' | 'mvp' | 'dental'

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
const offering = (...kinds: Kind[]) =>
  kinds.map((kind) => ({ benefit_id: catalog[kind].benefit_id, contribution_tiers: half }))

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})
beforeEach(() => api.moveTo('2026-03-10'))

async function employer(...years: [object, ...Kind[]][]) {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const ids: string[] = []
  for (const [days, ...kinds] of years)
    ids.push(await openPlanYear(api, employer_id, catalog, { ...days, benefits: offering(...kinds) }))
  await api.work()
  return { employer_id, years: ids }
}

/** Moves to a day and runs its jobs. */
async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

const listOf = async (employee_id: string) => (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data
/** The latest enrollment of an employee in a benefit. */
const of = async (employee_id: string, kind: Kind) =>
  pick(await listOf(employee_id), ({ benefit }) => benefit.id === catalog[kind].benefit_id)
const read = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
const elect = (id: string, kind: Kind) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog[kind].plan_id, coverage_tier: 'EE' })
async function elected(employee_id: string, kind: Kind): Promise<string> {
  const { id } = await of(employee_id, kind)
  const answer = await elect(id, kind)
  expect(answer.status, answer.text).toBe(200)
  return id
}
const lastOfHistory = async (id: string) => (await api.get(`/v1/enrollments/${id}/history`)).body.data.at(-1)
const eventsOf = async (id: string) => (await api.events(id)).map((name) => name.slice('enrollment.'.length))

async function approved(employee_id: string, type = 'change_of_employment', occurred_on = '2026-03-01'): Promise<void> {
  const { body } = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  await api.post(`/operator/v1/qualifying-life-events/${body.data.id}/approve`, {}, asOperator())
}

describe('electing one benefit of a choice group', () => {
  it('waives the others with the reason, and publishes that', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp', 'dental'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    const mec = await of(id, 'mec')
    await elected(id, 'mvp')
    expect(await read(mec.id)).toMatchObject({ status: 'waived', elected_by: 'partner', coverage_start: '2026-03-10' })
    expect(await lastOfHistory(mec.id)).toMatchObject({
      action: 'waived',
      reason: 'Major Medical was elected instead',
      actor: { kind: 'partner' },
      answer: 'waived',
    })
    expect(await eventsOf(mec.id)).toEqual(['granted', 'started', 'waived'])
    expect((await of(id, 'dental')).status).toBe('pending')
  })

  it('replaces the other from its start, any number of times before it begins', async () => {
    const { employer_id } = await employer([{ coverage_start: '2026-04-01' }, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    const mec = await elected(id, 'mec')
    const mvp = await elected(id, 'mvp')
    expect(await read(mec)).toMatchObject({ status: 'waived', plan: null, coverage_end: null })
    await elected(id, 'mec')
    expect(await read(mvp)).toMatchObject({ status: 'waived', plan: null, employee_deduction_in_cents: 0 })
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_start: '2026-04-01', coverage_end: null })
    expect(await eventsOf(mvp)).toEqual(['granted', 'started', 'waived', 'elected', 'accepted', 'waived'])
  })

  it('keeps the days of each benefit, however often the employee switches back', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const held = [await elected(id, 'mec'), await elected(id, 'mvp')]
    const changes: [string, Kind][] = [
      ['2026-04-01', 'mec'],
      ['2026-05-01', 'mvp'],
      ['2026-06-01', 'mec'],
    ]
    for (const [day, kind] of changes) {
      await goOn(day)
      await approved(id, 'change_of_employment', addDays(day, -2))
      const live = pick(
        await listOf(id),
        ({ benefit, status }) => benefit.id === catalog[kind].benefit_id && status !== 'inactive',
      )
      expect((await elect(live.id, kind)).status, day).toBe(200)
      held.push(live.id)
    }
    await goOn('2026-07-01')
    const days = await Promise.all(held.map(read))
    expect(days.map(({ coverage_start, coverage_end }) => [coverage_start, coverage_end])).toEqual([
      ['2026-01-05', '2026-03-31'],
      ['2026-04-01', '2026-04-30'],
      ['2026-05-01', '2026-05-31'],
      ['2026-06-01', '2026-06-30'],
      ['2026-07-01', null],
    ])
  })

  it('leaves the replaced benefit ended, even when its plan year is over and eligibility is lost', async () => {
    const of_april = { coverage_start: '2026-04-01', coverage_end: '2027-03-31' }
    const { employer_id } = await employer([{}, 'mec'], [of_april, 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' })
    const mvp = await elected(id, 'mvp')
    await goOn('2026-05-12')
    await approved(id, 'change_of_employment', '2026-05-10')
    const mec = await elected(id, 'mec')
    await goOn('2027-01-01')
    await goOn('2027-04-20')
    const changes = { effective_date: '2027-04-20', employee_class: 'Part Time' }
    expect((await api.patch(`/v1/employees/${id}`, changes)).status).toBe(200)
    await api.work()
    const days = await Promise.all([mvp, mec].map(read))
    expect(days.map(({ coverage_start, coverage_end }) => [coverage_start, coverage_end])).toEqual([
      ['2026-04-01', '2026-05-31'],
      ['2026-06-01', '2026-12-31'],
    ])
  })

  it('ends a benefit that has begun on the day before the new one, and offers it again', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    const mvp = await elected(id, 'mvp')
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_end: '2026-03-31', terminated_at: null })
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_start: '2026-04-01' })
    const reason = 'Another benefit of the choice group was elected'
    expect(await lastOfHistory(mec)).toMatchObject({ action: 'end_changed', actor: { kind: 'rule' }, reason })

    await goOn('2026-04-01')
    expect(await read(mec)).toMatchObject({ status: 'inactive', coverage_end: '2026-03-31' })
    const bought = ['granted', 'started', 'elected', 'accepted', 'termination_rescheduled', 'terminated']
    expect(await eventsOf(mec)).toEqual(bought)
    const again = await of(id, 'mec')
    expect(again).toMatchObject({ status: 'waived', coverage_start: '2026-04-01' })
    expect(await eventsOf(again.id)).toEqual(['granted', 'started', 'waived'])
    expect(await lastOfHistory(again.id)).toMatchObject({ reason: 'Major Medical was elected instead' })
    expect(await listOf(id)).toHaveLength(3)

    await goOn('2026-05-20')
    expect(refusalOf(await elect(again.id, 'mec'))[1]).toBe('enrollment_window_closed')
    await approved(id, 'loss_of_coverage', '2026-05-10')
    await elected(id, 'mec')
    expect(await read(again.id)).toMatchObject({ status: 'enrolled', coverage_start: '2026-06-01' })
    expect(await read(mvp)).toMatchObject({ coverage_end: '2026-05-31' })
    await goOn('2026-06-01')
    expect(await of(id, 'mvp')).toMatchObject({ status: 'waived', coverage_start: '2026-06-01' })
  })

  it('returns to the current benefit while the other has not begun', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    const mvp = await elected(id, 'mvp')
    await elected(id, 'mec')
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_start: '2026-01-05', coverage_end: null })
    expect((await read(mvp)).status).toBe('waived')
    await elected(id, 'mvp')
    const waived = await api.post(`/v1/enrollments/${mvp}/waive`, {})
    expect(waived.body.data.status).toBe('waived')
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_end: null })
  })

  it('covers no added dependents in the other benefit before it begins', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    await elected(id, 'mec')
    const child = { relationship: 'child', first_name: 'Ann', last_name: 'X', date_of_birth: '2026-03-05' }
    await api.post(`/v1/employees/${id}/dependents`, child)
    await approved(id, 'birth', '2026-03-05')
    const mvp = await of(id, 'mvp')
    const answer = await api.post(`/v1/enrollments/${mvp.id}/elect`, {
      plan_id: catalog.mvp.plan_id,
      coverage_tier: 'EC',
    })
    expect(answer.body.data).toMatchObject({ coverage_start: '2026-04-01', coverage_tier: 'EC' })
  })
})

describe('the choice', () => {
  it('is one benefit for all concurrent plan years', async () => {
    const { employer_id } = await employer(
      [{}, 'mec'],
      [{ coverage_start: '2026-01-01', coverage_end: '2026-06-30' }, 'mvp'],
    )
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    expect((await of(id, 'mvp')).status).toBe('waived')
    await elected(id, 'mvp')
    expect(await read(mec)).toMatchObject({ coverage_end: '2026-03-31' })
    await goOn('2026-07-01')
    expect((await of(id, 'mvp')).status).toBe('inactive')
    expect(await of(id, 'mec')).toMatchObject({ status: 'waived', coverage_start: '2026-04-01' })
  })

  it('waives the others in a plan year that opens later, with a window for changes', async () => {
    const { employer_id } = await employer([{}, 'mec'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-05-01', benefits: offering('mvp') })
    await api.work()
    const mvp = await of(id, 'mvp')
    expect(mvp).toMatchObject({ status: 'waived', elected_by: 'partner', window: { end: '2026-04-09' } })
    await elected(id, 'mvp')
    expect(await read(mvp.id)).toMatchObject({ status: 'enrolled', coverage_start: '2026-05-01' })
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_end: '2026-04-30' })
  })

  it('can be several benefits if the operator corrects enrollments that way', async () => {
    const { employer_id } = await createOfferingEmployer(api, catalog, {
      benefits: offering('mec', 'mvp'),
      choice_groups: [],
    })
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    await elected(id, 'mvp')
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_end: null })
  })

  it('is charged once: each day has one benefit, in deductions and on invoices', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-01' })
    await elected(id, 'mec')
    await goOn('2026-03-20')
    await elected(id, 'mvp')
    await goOn('2026-04-02')
    await goOn('2026-05-02')
    const invoices = (await api.get(`/v1/employers/${employer_id}/invoices?include_drafts=true`)).body.data
    const lines = []
    for (const { invoice_id } of invoices)
      lines.push(...(await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/lines`)).body.data)
    expect(lines.map((line) => [line.month, line.benefit_name, line.premium_in_cents]).toSorted()).toEqual([
      ['2026-03', 'Essential Care', 8_900],
      ['2026-04', 'Major Medical', 42_000],
      ['2026-05', 'Major Medical', 42_000],
    ])
  })

  it('can be ended, and another benefit elected in the same window', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mvp = await elected(id, 'mvp')
    await goOn('2026-05-20')
    await approved(id, 'marriage', '2026-05-10')
    expect((await api.post(`/v1/enrollments/${mvp}/terminate`, {})).status).toBe(200)
    const mec = await elected(id, 'mec')
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_start: '2026-06-01' })
    expect(codeOf(await api.post(`/v1/enrollments/${mvp}/reissue`, {}))).toEqual([409, 'choice_group_taken'])
    const path = `/operator/v1/enrollments/${mvp}/reissue` as const
    expect(codeOf(await api.post(path, { reason: 'Both' }, asOperator()))).toEqual([409, 'choice_group_taken'])
    const again = { enrollment_id: mvp, elect: { plan_id: catalog.mvp.plan_id, coverage_tier: 'EE' } }
    const answers = { answers: [again], dry_run: true }
    const quote = (await api.post(`/v1/employees/${id}/enrollment-answers`, answers)).body.data
    expect(quote.replaced).toEqual([mec])

    // After a switch back, the employee has the earlier coverage, without the end that made room for the other benefit.
    await elected(id, 'mvp')
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_start: '2026-01-05', coverage_end: null })
    expect((await read(mec)).status).toBe('waived')
    expect((await eventsOf(mvp)).slice(-3)).toEqual(['reissued', 'elected', 'accepted'])
    const paychecks = (await api.get(`/v1/employees/${id}/paychecks?year=2026`)).body.data
    const regular = paychecks.at(-1)!.lines.filter(({ kind }) => kind === 'deduction')
    expect(quote.answers[0]!.per_paycheck_in_cents).toBe(only(regular).amount_in_cents)
    await goOn('2026-06-01')
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_end: null })
  })

  it('can be corrected by the operator starting on a day', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    const mvp = await of(id, 'mvp')
    const correct = (enrollment_id: string, body: object) =>
      api.post(`/operator/v1/enrollments/${enrollment_id}/corrections`, { reason: 'Wrong box', ...body }, asOperator())
    const election = { plan_id: catalog.mvp.plan_id, coverage_tier: 'EE' }
    await correct(mvp.id, { election, coverage_start: '2026-02-01' })
    expect(await read(mec)).toMatchObject({ status: 'inactive', coverage_end: '2026-01-31' })
    expect(await read(mvp.id)).toMatchObject({ status: 'enrolled', coverage_start: '2026-02-01' })
    const refused = [400, 'invalid_request', 'coverage_end']
    expect(refusalOf(await correct(mec, { coverage_end: '2026-02-28' }))).toEqual(refused)
    expect((await correct(mvp.id, { coverage_start: '2026-03-01' })).status).toBe(201)
    expect(await read(mec)).toMatchObject({ coverage_end: '2026-02-28' })
  })
})

describe('a loss that is withdrawn', () => {
  it('restores the benefit that was held until the next choice', async () => {
    const { employer_id } = await employer([{}, 'mec', 'mvp'])
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
    const mec = await elected(id, 'mec')
    await goOn('2026-04-10')
    const change = (body: object) => api.patch(`/v1/employees/${id}`, body)
    await addPolicy(api, employer_id, { classification: 'full_time' })
    await api.work()
    await goOn('2026-04-20')
    await change({ effective_date: '2026-04-15', employee_class: 'Part Time' })
    await goOn('2026-05-10')
    await change({ effective_date: '2026-05-05', employee_class: 'Full Time' })
    await api.work()
    const mvp = await elected(id, 'mvp')
    expect((await read(mvp)).coverage_start).toBe('2026-05-05')
    expect(await read(mec)).toMatchObject({ status: 'inactive', coverage_end: '2026-04-30' })

    await change({ effective_date: '2026-04-15', employee_class: 'Full Time' })
    await api.work()
    expect(await read(mec)).toMatchObject({ status: 'inactive', coverage_end: '2026-05-04' })
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_start: '2026-05-05', coverage_end: null })
    expect(only((await listOf(id)).filter(({ status }) => status === 'enrolled')).id).toBe(mvp)
  })
})
