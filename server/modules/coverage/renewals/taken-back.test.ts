import { describe, beforeAll, expect, it } from 'vitest'
import { addDays } from '../../../kernel/days.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  aPerson,
  addPolicy,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { renewPlanYear } from './actions.ts'
import { pick } from '../../../test/pick.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

const onDay = async (day: string) => {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** Jumps to a day and runs only its jobs. */
async function jumpTo(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  await onDay(day)
}

/** Performs the daily runs of many days, even on slow machines. */
const timeout = { timeout: 400_000 }

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
const april = { open_enrollment_start: '2026-04-01', open_enrollment_end: '2026-04-20' }

type Copy = { renewal?: 'active'; open_enrollment_start: string; open_enrollment_end: string }

type Kind = 'dental' | 'mvp'

/** An employer that pays half of the premium, with a plan year until the end of May. The default is dental. */
async function anEmployer(kind: Kind = 'dental') {
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const former = await openPlanYear(api, employer_id, catalog, {
    coverage_end: '2026-05-31',
    benefits: [{ benefit_id: catalog[kind].benefit_id, contribution_tiers: half }],
  })
  await api.work()
  return { employer_id, former }
}

const enrollmentIn = async (employee_id: string, plan_year_id: string) => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  return data.find((row) => row.benefit_plan_year_id === plan_year_id)!
}

async function elect(employee_id: string, plan_year_id: string, kind: Kind): Promise<void> {
  const { id } = await enrollmentIn(employee_id, plan_year_id)
  const election = { plan_id: catalog[kind].plan_id, coverage_tier: 'EE' }
  const answer = await api.post(`/v1/enrollments/${id}/elect`, election)
  expect(answer.status, answer.text).toBe(200)
}

/** An employee with coverage until the end of May. */
async function covered(scope: { employer_id: string; former: string }, kind: Kind = 'dental'): Promise<string> {
  const { id } = await createEmployee(api, scope.employer_id, { start_date: '2025-06-02' })
  await elect(id, scope.former, kind)
  return id
}

const copy = async (plan_year_id: string, body: Copy): Promise<string> => {
  const answer = await api.post(`/operator/v1/benefit-plan-years/${plan_year_id}/copy`, body, asOperator())
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}

const amend = async (plan_year_id: string, input: object): Promise<string> => {
  const path = `/operator/v1/benefit-plan-years/${plan_year_id}/amendments` as const
  const answer = await api.post(path, { reason: 'Reported late', ...input }, asOperator())
  expect(answer.status, answer.text).toBe(201)
  await api.work()
  return (await api.get(path, asOperator())).body.data[0]!.id
}

const terminate = async (employee_id: string, termination_date: string) => {
  const answer = await api.post(`/v1/employees/${employee_id}/terminate`, { termination_date })
  expect(answer.status, answer.text).toBe(200)
}
const reinstate = async (employee_id: string) => {
  const answer = await api.post(`/v1/employees/${employee_id}/reinstate`, {})
  expect(answer.status, answer.text).toBe(200)
}
const report = async (employer_id: string, plan_year_id: string, employee_id: string) => {
  const { data } = (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/renewal`)).body
  const { outcome, reason, answer } = data.find((row) => row.employee_id === employee_id)!
  return { outcome, reason, answer }
}
const tasks = async (employer_id: string) =>
  (await api.get(`/operator/v1/tasks?employer_id=${employer_id}&kind=enrollment_lapsing`, asOperator())).body.data.map(
    ({ kind, details }) => ({ kind, employee_id: details.employee_id, reason: details.reason }),
  )
const statusOf = async (employee_id: string, plan_year_id: string) => {
  const { status, elected_by } = await enrollmentIn(employee_id, plan_year_id)
  return { status, elected_by }
}

it(
  'carries over only the employees who were skipped because of a termination that is now withdrawn',
  timeout,
  async () => {
    const passive = await anEmployer()
    const active = await anEmployer()
    const gone = await covered(passive)
    const leaving = await covered(passive)
    const unknown = await covered(passive)
    const chooser = await covered(passive)
    const away = await covered(passive)
    const silent = await createEmployee(api, passive.employer_id, { start_date: '2025-06-02' })
    const lapsing = await covered(active)
    const next = await copy(passive.former, april)
    const next_active = await copy(active.former, { ...april, renewal: 'active' })
    await api.work()
    await onDay('2026-03-30')
    await terminate(unknown, '2026-03-29')
    await onDay('2026-04-16')
    const chosen = await enrollmentIn(chooser, next)
    expect((await api.post(`/v1/enrollments/${chosen.id}/waive`, {})).status).toBe(200)
    for (const one of [gone, chooser, away, silent.id, lapsing]) await terminate(one, '2026-04-15')
    await terminate(leaving, '2026-04-30')

    await onDay('2026-04-22')
    expect(await tasks(active.employer_id)).toEqual([])
    for (const one of [gone, leaving, unknown, chooser, silent.id, lapsing]) await reinstate(one)
    const carried = { outcome: 'carried', reason: null, answer: 'enrolled' }
    for (const one of [gone, leaving, unknown]) {
      expect(await report(passive.employer_id, next, one), 'the preview').toEqual(carried)
      expect(await statusOf(one, next)).toEqual({ status: 'pending', elected_by: null })
    }
    await api.work()
    for (const one of [gone, leaving, unknown]) {
      expect(await report(passive.employer_id, next, one)).toEqual(carried)
      expect(await statusOf(one, next)).toEqual({ status: 'enrolled', elected_by: 'renewal' })
    }
    expect(await statusOf(chooser, next)).toEqual({ status: 'waived', elected_by: 'partner' })
    expect(await statusOf(away, next)).toMatchObject({ status: 'inactive' })
    expect(await statusOf(silent.id, next)).toEqual({ status: 'pending', elected_by: null })
    expect(await tasks(passive.employer_id)).toEqual([])
    expect(await tasks(active.employer_id), 'a task opens for an employee who can’t be carried over').toEqual([
      { kind: 'enrollment_lapsing', employee_id: lapsing, reason: 'active_renewal' },
    ])

    const { id } = await enrollmentIn(gone, next)
    const reported = await api.events(id)
    expect(reported.filter((name) => name === 'enrollment.renewed')).toHaveLength(1)
    const { organization_id } = api.story
    const again = { organization_id, plan_year_id: next, employee_ids: [gone, leaving, unknown, chooser, away] }
    await api.act((ctx) => ctx.enqueue('renew_employees', again))
    await api.work()
    expect(await api.events(id), 'once').toEqual(reported)
    await onDay('2026-06-02')
    expect(await enrollmentIn(gone, next)).toMatchObject({ status: 'enrolled', coverage_start: '2026-06-01' })
    expect(await statusOf(lapsing, next_active)).toMatchObject({ status: 'pending' })
  },
)

it(
  'grants enrollments before it opens tasks for coverage that will lapse, if a plan year opens during its open ' +
    'enrollment',
  timeout,
  async () => {
    await api.database.reads.rows(`update organizations set daily_run_on = '2026-03-09'`, [])
    api.moveTo('2026-03-10')
    const scope = await anEmployer()
    const lapsing = await covered(scope)
    const march = { open_enrollment_start: '2026-03-01', open_enrollment_end: '2026-03-31' }
    const plan_year_id = await copy(scope.former, { ...march, renewal: 'active' })
    // This also covers running before the requested recalculation. The workers can run the two jobs in any order.
    await renewPlanYear(api.runtime, { organization_id: api.story.organization_id, plan_year_id, after: null })
    const reported = [{ kind: 'enrollment_lapsing', employee_id: lapsing, reason: 'active_renewal' }]
    expect(await tasks(scope.employer_id)).toEqual(reported)
    await api.work()
    expect(await tasks(scope.employer_id)).toEqual(reported)
  },
)

it(
  'carries each employee over once: not again after the loss of the plan, and not after a return past the end ' +
    'of the year',
  timeout,
  async () => {
    const scope = await anEmployer('mvp')
    const one = await covered(scope, 'mvp')
    const away = await covered(scope, 'mvp')
    await terminate(away, '2026-05-20')
    const next = await copy(scope.former, april)
    await api.work()
    await jumpTo('2026-04-21')
    expect(await statusOf(one, next)).toEqual({ status: 'enrolled', elected_by: 'renewal' })
    await terminate(one, '2026-04-20')
    await reinstate(one)
    await amend(next, { effective_on: '2026-08-01', closed_plan_ids: [catalog.mvp.plan_id] })
    const { data } = (await api.get(`/v1/employees/${one}/enrollments`)).body
    const in_next = data.filter((row) => row.benefit_plan_year_id === next)
    expect(in_next.map((row) => [row.status, row.coverage_start, row.coverage_end])).toEqual([
      ['pending', '2026-08-01', null],
      ['enrolled', '2026-06-01', '2026-07-31'],
    ])
    expect(await api.events(in_next[0]!.id)).toEqual(['enrollment.granted', 'enrollment.started'])

    // A last day in the last month of the plan year does not shorten coverage, and is withdrawn as well.
    for (const day of ['2026-06-01', '2026-06-10']) await jumpTo(day)
    expect((await enrollmentIn(away, scope.former)).coverage_end).toBe('2026-05-31')
    await reinstate(away)
    await api.work()
    const theirs = (await api.get(`/v1/employees/${away}/enrollments`)).body.data
    expect(theirs.find((row) => row.coverage_start === '2026-06-01')).toMatchObject({ elected_by: 'renewal' })
    api.moveTo('2026-03-10')
  },
)

it('bills nothing for months that a later end had added, even if that end is withdrawn late', timeout, async () => {
  const { employer_id, former } = await anEmployer()
  await covered({ employer_id, former })
  await jumpTo('2026-06-10')
  const id = await amend(former, { effective_on: '2026-05-01', coverage_end: '2026-07-31' })
  for (const day of ['2026-07-01', '2026-08-20']) await jumpTo(day)
  const path = `/operator/v1/benefit-plan-years/${former}/amendments/${id}/withdraw` as const
  expect((await api.post(path, { reason: 'Another employer' }, asOperator())).status).toBe(200)
  await jumpTo('2026-09-01')
  const invoices = (await api.get(`/v1/employers/${employer_id}/invoices?limit=100&include_drafts=true`)).body.data
  expect(invoices.map(({ period, total_in_cents }) => [period, total_in_cents])).toEqual([
    ['2026-09', -2 * 3_200],
    ['2026-07', 2 * 3_200],
    ['2026-06', 3 * 3_200],
  ])
  const { invoice_id } = invoices[0]!
  const proof = (await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`)).body.data
  expect(proof.difference_count).toBe(0)
})

describe('a renewal in progress', () => {
  /** A plan year is renewed in chunks of 1,000, newest employees first. */
  const chunk_size = 1000

  const enrollmentIn = async (employee_id: string, plan_year_id: string) => {
    const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
    const theirs = data.filter((row) => row.benefit_plan_year_id === plan_year_id)
    return pick(theirs, (row) => row.benefit.category === 'Medical')
  }

  it('terms that change during a renewal also apply to the employees whom it had already passed', async () => {
    const catalog = await importCatalog(api)
    const { employer_id, plan_year_id: year } = await createOfferingEmployer(api, catalog)
    const roster = { employees: Array.from({ length: chunk_size }, () => aPerson()) }
    await api.post(`/v1/employers/${employer_id}/census-sync`, roster)
    await api.work()
    const { id: newest } = await createEmployee(api, employer_id)
    const { plan_id } = catalog.mec
    const { id: enrollment_id } = await enrollmentIn(newest, year)
    await api.post(`/v1/enrollments/${enrollment_id}/elect`, { plan_id, coverage_tier: 'EE' })
    const input = { renewal: 'active', open_enrollment_start: '2026-03-01', open_enrollment_end: '2026-03-09' }
    const copied = await api.post(`/operator/v1/benefit-plan-years/${year}/copy`, input, asOperator())
    const next = copied.body.data.id
    await api.work()
    expect((await enrollmentIn(newest, next)).status).toBe('pending')

    // The job after the first chunk is running when the operator changes the renewal to passive.
    const path = `/operator/v1/benefit-plan-years/${next}` as const
    expect((await api.patch(path, { renewal: 'passive' }, asOperator())).status).toBe(200)
    await renewPlanYear(api.runtime, {
      organization_id: api.story.organization_id,
      plan_year_id: next,
      after: { id: newest },
    })
    await api.work()
    expect(await enrollmentIn(newest, next)).toMatchObject({ status: 'enrolled', elected_by: 'renewal' })
  })
})
