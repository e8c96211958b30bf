import { beforeAll, describe, expect, it } from 'vitest'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  boundToken,
  addPolicy,
} from '../../../test/fixtures.ts'
import type { ApiResponse } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first } from '../../../test/pick.ts'
import { windowOfCopy, type PlanYear } from './rules.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })
const reported = ({ status, error }: ApiResponse) => [status, error.code, error.details.map(({ field }) => field)]
const unknown = 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz'

let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

/** An employer with the plan year 2026 and a medical benefit with only the Silver plan. */
async function employerWithYear() {
  const { mvp, dental } = catalog
  const employer_id = await createEmployer(api)
  const plan_year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [{ benefit_id: mvp.benefit_id, plan_ids: [mvp.plan_id] }, { benefit_id: dental.benefit_id }],
  })
  return { employer_id, plan_year_id }
}

const copy = (plan_year_id: string, body: object = {}) =>
  api.post(`/operator/v1/benefit-plan-years/${plan_year_id}/copy`, body, asOperator())
const change = (plan_year_id: string, body: object) =>
  api.patch(`/operator/v1/benefit-plan-years/${plan_year_id}`, body, asOperator())
const open = (employer_id: string, body: object) =>
  api.post(`/operator/v1/employers/${employer_id}/benefit-plan-years`, body, asOperator())

describe('the renewal terms of a plan year', () => {
  it('are active by default for a new plan year, and passive for a copy', async () => {
    const { employer_id, plan_year_id } = await employerWithYear()
    const path = `/v1/employers/${employer_id}/benefit-plan-years` as const
    expect((await api.get(`${path}/${plan_year_id}`)).body.data).toMatchObject({
      renewal: 'active',
      plan_successors: {},
    })
    const copied = await copy(plan_year_id)
    expect(copied.body.data).toMatchObject({ renewal: 'passive', plan_successors: {} })
    expect((await copy(copied.body.data.id, { renewal: 'active' })).body.data.renewal).toBe('active')
    const rows = (await api.get(path)).body.data
    expect(rows.map(({ renewal }) => renewal)).toEqual(['active', 'passive', 'active'])
  })

  it('can change after the plan year has started, without other changes', async () => {
    const { plan_year_id } = await employerWithYear()
    expect((await change(plan_year_id, { renewal: 'passive' })).body.data.renewal).toBe('passive')
    expect(reported(await change(plan_year_id, { renewal: 'passive', year: 2030 }))[1]).toBe('plan_year_has_started')
  })

  it.each([
    ['renewal', { renewal: 'sometimes' }],
    ['plan_successors', { plan_successors: [] }],
    ['plan_successors.x', { plan_successors: { x: unknown } }],
    [`plan_successors.${unknown}`, { plan_successors: { [unknown]: 'x' } }],
  ])('are refused if %s is malformed', async (field, body) => {
    const { plan_year_id } = await employerWithYear()
    for (const answer of [await copy(plan_year_id, body), await change(plan_year_id, body)])
      expect(reported(answer)).toEqual([400, 'invalid_request', [field]])
  })
})

describe('plan_successors', () => {
  it('replace plans that are no longer offered', async () => {
    const { plan_year_id } = await employerWithYear()
    const { mvp } = catalog
    const successors = { [mvp.plan_id]: mvp.other_plan_id }
    const answer = await copy(plan_year_id, { plan_successors: successors })
    expect(answer.body.data.plan_successors).toEqual(successors)
    const rates = await api.database.reads.rows(
      'select distinct plan_id from plan_year_rates where plan_year_id = $1 and benefit_id = $2',
      [answer.body.data.id, mvp.benefit_id],
    )
    expect(rates).toEqual([{ plan_id: mvp.other_plan_id }])
  })

  it('must refer to an offered plan of the same benefit, and to a former plan that is no longer offered', async () => {
    const { employer_id, plan_year_id } = await employerWithYear()
    const { mvp, dental } = catalog
    const refused = async (plan_successors: Record<string, string>) => {
      const [status, code, fields] = reported(await copy(plan_year_id, { plan_successors }))
      expect([status, code]).toEqual([422, 'invalid_plan_successors'])
      expect(fields).toEqual([`plan_successors.${Object.keys(plan_successors)[0]}`])
    }
    await refused({ [mvp.plan_id]: dental.plan_id })
    await refused({ [mvp.plan_id]: mvp.plan_id })
    await refused({ [mvp.plan_id]: unknown })
    await refused({ [unknown]: mvp.plan_id })
    await refused({ [mvp.other_plan_id]: mvp.plan_id })
    expect((await api.get(`/v1/employers/${employer_id}/benefit-plan-years`)).body.data).toHaveLength(1)
  })

  it('can be sent with a new or changed plan year', async () => {
    const { employer_id } = await employerWithYear()
    const { mvp } = catalog
    const plan_successors = { [mvp.plan_id]: mvp.other_plan_id }
    const year = { coverage_start: '2027-01-01', renewal: 'passive', plan_successors }
    const again = await open(employer_id, { ...year, benefits: [{ benefit_id: mvp.benefit_id }] })
    expect(reported(again)).toEqual([422, 'invalid_plan_successors', [`plan_successors.${mvp.plan_id}`]])
    const opened = await open(employer_id, {
      ...year,
      benefits: [{ benefit_id: mvp.benefit_id, plan_ids: [mvp.other_plan_id] }],
    })
    expect(opened.body.data.plan_successors).toEqual(plan_successors)
    expect(reported(await change(opened.body.data.id, { benefits: [{ benefit_id: mvp.benefit_id }] }))[1]).toBe(
      'invalid_plan_successors',
    )
    expect((await change(opened.body.data.id, { plan_successors: {} })).body.data.plan_successors).toEqual({})
  })
})

describe('elected_by', () => {
  it('shows the source of elections and waivers', async () => {
    const { employer_id } = await employerWithYear()
    await addPolicy(api, employer_id)
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-10' })
    const one = first((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    expect(one.elected_by).toBeNull()
    const token = await boundToken(api, 'employee', id)
    const waive = (key: string) => api.post(`/v1/enrollments/${one.id}/waive`, {}, { key })
    expect((await waive(token)).body.data.elected_by).toBe('employee')
    expect((await waive(api.story.api_key)).body.data.elected_by).toBe('partner')
    const plan = first((await api.get(`/v1/enrollments/${one.id}`)).body.data.plans)
    const corrected = await api.post(
      `/operator/v1/enrollments/${one.id}/corrections`,
      { reason: 'By phone', election: { plan_id: plan.id, coverage_tier: 'EE' } },
      asOperator(),
    )
    expect(corrected.body.data).toMatchObject({ status: 'enrolled', elected_by: 'operator' })
  })
})

describe('a copy', () => {
  const year = (coverage_start: string, opens: string | null, closes: string | null) =>
    ({ coverage_start, open_enrollment_start: opens, open_enrollment_end: closes }) as PlanYear
  it.each([
    ['a year later', year('2027-01-01', '2026-11-01', '2026-11-15'), '2028-01-01', ['2027-11-01', '2027-11-15']],
    ['a leap year later', year('2028-03-01', '2028-02-01', '2028-02-29'), '2029-03-01', ['2029-02-01', '2029-03-01']],
    ['two years later', year('2027-01-01', '2026-11-01', '2026-11-15'), '2029-01-01', ['2028-11-01', '2028-11-15']],
    [
      'moved by days after a short year',
      year('2027-04-01', '2027-03-01', '2027-03-20'),
      '2027-12-31',
      ['2027-11-30', '2027-12-19'],
    ],
    ['unless it would end before today', year('2026-07-01', '2026-05-01', '2026-06-01'), '2027-07-01', [null, null]],
    [
      'even if today is its last day',
      year('2026-07-01', '2026-05-01', '2026-06-02'),
      '2027-07-01',
      ['2027-05-01', '2027-06-02'],
    ],
    ['unless it has no dates', year('2027-01-01', null, null), '2028-01-01', [null, null]],
  ])('has the open enrollment of the previous plan year, %s', (_, former, start, [opens, closes]) =>
    expect(windowOfCopy(former, start as string, '2027-06-02')).toEqual({
      open_enrollment_start: opens,
      open_enrollment_end: closes,
    }),
  )
})
