import { readFileSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/cast.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { addDays } from '../../../kernel/days.ts'

/** Who held two benefits of a choice group when there came to be groups keeps both until somebody decides. */
const api = useApi()
const asOperator = () => ({ key: api.operator_key })
type Kind = 'mec' | 'mvp'

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})
beforeEach(() => api.moveTo('2026-03-10'))

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
const benefits = () =>
  (['mec', 'mvp'] as const).map((kind) => ({ benefit_id: catalog[kind].benefit_id, contribution_tiers: half }))

/** What the migration does of itself, on the day of the test. */
async function upgrade(plan_year_id: string): Promise<void> {
  const text = readFileSync(new URL('../../../migrations/0034_choice_groups.sql', import.meta.url), 'utf8')
  const opening = text
    .slice(text.indexOf('insert into open_matters'))
    .replace('open_matters', 'tasks')
    .replaceAll('now()', `timestamptz '2026-03-10T16:00Z'`)
  const { reads } = api.database
  await reads.rows(`update plan_year_benefits set choice_group = 'medical' where plan_year_id = $1`, [plan_year_id])
  await reads.rows('update enrollments set choice = 0 where plan_year_id = $1', [plan_year_id])
  await reads.rows(opening)
}

const of = async (employee_id: string, kind: Kind, plan_year_id?: string) =>
  pick(
    (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data,
    (row) =>
      row.benefit.id === catalog[kind].benefit_id && (!plan_year_id || row.benefit_plan_year_id === plan_year_id),
  )
const elect = (id: string, plan_id: string) => api.post(`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier: 'EE' })
const read = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data

/** Somebody who holds both since January, after the upgrade. */
async function doubled() {
  const employer_id = await createEmployer(api)
  const everybody = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, everybody)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, { benefits: benefits(), choice_groups: [] })
  await api.work()
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-01-05' })
  const [mec, mvp] = [(await of(id, 'mec')).id, (await of(id, 'mvp')).id]
  expect((await elect(mec, catalog.mec.plan_id)).status).toBe(200)
  expect((await elect(mvp, catalog.mvp.plan_id)).status).toBe(200)
  await upgrade(plan_year_id)
  return { employer_id, plan_year_id, id, mec, mvp }
}

const tasks = async (employer_id: string) =>
  (await api.get(`/operator/v1/tasks?employer_id=${employer_id}&kind=choice_group_doubled`, asOperator())).body.data

async function goOn(day: string): Promise<void> {
  await api.database.reads.rows('update organizations set daily_run_on = $1', [addDays(day, -1)])
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

describe('somebody who held both', () => {
  it('keeps both, which is a task until one is ended', async () => {
    const { employer_id, id, mec, mvp } = await doubled()
    const [task, ...others] = await tasks(employer_id)
    expect(others).toEqual([])
    expect(task).toMatchObject({
      resource_id: id,
      action: { operation: 'operator_correct_enrollment' },
      details: { choice_group: 'medical', from: '2026-01-05' },
    })
    expect([mec, mvp].toSorted()).toEqual(
      [task!.details.enrollment_id, task!.details.other_enrollment_id].map(String).toSorted(),
    )
    await goOn('2026-03-12')
    for (const enrollment_id of [mec, mvp])
      expect(await read(enrollment_id)).toMatchObject({ status: 'enrolled', coverage_end: null })
    expect(await tasks(employer_id)).toHaveLength(1)

    const path = `/operator/v1/enrollments/${mec}/corrections` as const
    const corrected = await api.post(path, { reason: 'Chose MVP', coverage_end: '2026-03-31' }, asOperator())
    expect(corrected.status, corrected.text).toBe(201)
    expect(await tasks(employer_id)).toHaveLength(1)
    await goOn('2026-04-01')
    expect(await tasks(employer_id)).toEqual([])
    expect(await read(mec)).toMatchObject({ status: 'inactive', coverage_end: '2026-03-31' })
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_end: null })
  })

  it('has one once they elect again, from the day on which that holds', async () => {
    const { employer_id, mec, mvp } = await doubled()
    expect((await elect(mvp, catalog.mvp.other_plan_id)).status).toBe(200)
    expect(await read(mec)).toMatchObject({ status: 'enrolled', coverage_end: '2026-03-31' })
    expect(await read(mvp)).toMatchObject({ status: 'enrolled', coverage_start: '2026-01-05', coverage_end: null })
    const history = (await api.get(`/v1/enrollments/${mec}/history`)).body.data
    expect(pick(history, ({ action }) => action === 'terminated').reason).toBe('Major Medical was elected instead')
    await goOn('2026-04-01')
    expect(await tasks(employer_id)).toEqual([])
  })

  it('is carried by a renewal with one, and waives the other', async () => {
    const { employer_id, plan_year_id, id, mec } = await doubled()
    const days = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
    const copied = await api.post(`/operator/v1/benefit-plan-years/${plan_year_id}/copy`, days, asOperator())
    const next = copied.body.data.id
    await api.work()
    const report = async () =>
      (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${next}/renewal`)).body.data.map(
        ({ benefit_name, outcome, reason, answer }) => [benefit_name, outcome, reason, answer],
      )
    await goOn('2026-11-01')
    expect((await report()).toSorted()).toEqual([
      ['Essential Care', 'carried', null, 'enrolled'],
      ['Major Medical', 'not_carried', 'choice_group', null],
    ])
    await goOn('2026-11-21')
    expect(await of(id, 'mec', next)).toMatchObject({ status: 'enrolled', elected_by: 'renewal' })
    const other = await of(id, 'mvp', next)
    expect(other).toMatchObject({ status: 'waived', elected_by: 'renewal' })
    expect(await api.events(other.id)).toContain('enrollment.waived')
    expect(await read(mec)).toMatchObject({ status: 'enrolled' })
    await goOn('2027-01-01')
    expect(await tasks(employer_id)).toEqual([])
  })
})
