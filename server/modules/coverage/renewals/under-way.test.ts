import { expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { renewPlanYear } from './actions.ts'

const api = useApi()
const asOperator = () => ({ key: api.operator_key })

/** A plan year is renewed in chunks of 1,000, newest employees first. */
const chunk_size = 1000

const enrollmentIn = async (employee_id: string, plan_year_id: string) => {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const theirs = data.filter((row) => row.benefit_plan_year_id === plan_year_id)
  return pick(theirs, (row) => row.benefit.category === 'Medical')
}

it(
  'terms that change during a renewal also apply to the employees whom it had already passed',
  { timeout: 120_000 },
  async () => {
    const catalog = await importCatalog(api)
    const employer_id = await createEmployer(api)
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
    const year = await openPlanYear(api, employer_id, catalog)
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
  },
)
