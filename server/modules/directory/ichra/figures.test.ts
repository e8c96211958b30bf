import { expect, it } from 'vitest'
import { refusalOf } from '../../../test/response.ts'
import {
  createEmployee,
  createEmployer,
  importCatalog,
  openPlanYear,
  addPolicy,
  createOfferingEmployer,
} from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure } from '../../../test/pick.ts'

const api = useApi()
const operator = () => ({ key: api.operator_key })
const path = '/operator/v1/affordability-figures' as const
const report = (input: object) => api.post(path, input, operator())
const living = (state: string) => ({ address_line_1: '1 Main St', city: 'Lander', state, zipcode: '82520' })
const of = async (year: number) => (await api.get(path, operator())).body.data.find((one) => one.year === year)

it('uses figures that the operator saves before a release has them', async () => {
  const poverty_guidelines = { contiguous: 16_300, alaska: 20_400, hawaii: 18_800 }
  expect(await of(2026)).toMatchObject({ required_contribution_percentage: 9.96 })
  expect(await of(2027)).toMatchObject({ required_contribution_percentage: 10.22, poverty_guidelines: null })
  expect(await of(2026)).toMatchObject({ assessable_payments: { no_offer: 3_340, unaffordable_offer: 5_010 } })
  expect(await of(2027)).toMatchObject({ assessable_payments: { no_offer: 3_780, unaffordable_offer: 5_670 } })
  expect(await of(2028)).toBeUndefined()
  expect((await report({ year: 2028, required_contribution_percentage: 10.02 })).status).toBe(200)
  expect(await of(2028)).toMatchObject({ required_contribution_percentage: 10.02, poverty_guidelines: null })
  const answer = await report({ year: 2028, poverty_guidelines })
  const saved = { year: 2028, required_contribution_percentage: 10.02, poverty_guidelines }
  expect(first(answer.body.data)).toEqual({ ...saved, assessable_payments: null })
  const assessable_payments = { no_offer: 4_000, unaffordable_offer: 6_000 }
  expect(first((await report({ year: 2028, assessable_payments })).body.data)).toEqual({
    ...saved,
    assessable_payments,
  })
  for (const wrong of [{ year: 2019 }, { year: 2027, required_contribution_percentage: 9.961 }, {}])
    expect(refusalOf(await report(wrong))[1]).toBe('invalid_request')
  expect((await api.get(path)).status).toBe(401)
})

it('prefers saved figures over those in the release', async () => {
  const catalog = await importCatalog(api)
  const { employer_id, plan_year_id: year } = await createOfferingEmployer(api, catalog, {
    benefits: [{ benefit_id: catalog.ichra.benefit_id }],
  })
  await createEmployee(api, employer_id, { start_date: '2026-01-05', date_of_birth: '2002-02-02' })
  await api.work()
  // The allowance is $300.00. The premium is up to $129.89 higher, which is affordable at 9.96% of the poverty line but
  // not at 4.98%.
  const silver = { state: 'NY', age: '0-63', effective_on: '2026-01-01', premium_in_cents: 42_989 }
  await api.post('/operator/v1/lowest-cost-silver-premiums/import', { rows: [silver] }, operator())
  const rows = `/v1/employers/${employer_id}/benefit-plan-years/${year}/enrollments` as const
  const verdict = async () => only((await api.get(rows)).body.data).affordability
  expect(await verdict()).toBe('Affordable')
  await report({ year: 2026, required_contribution_percentage: 4.98 })
  expect(await verdict()).toBe('Not Affordable')
  await report({ year: 2026, required_contribution_percentage: 9.96 })
  expect(await verdict()).toBe('Affordable')
})

it('reports missing figures of a plan year to partners and in the preview', async () => {
  const catalog = await importCatalog(api)
  const employer_id = await createEmployer(api)
  await addPolicy(api, employer_id)
  const benefits = [{ benefit_id: catalog.ichra.benefit_id }]
  const of_2045 = { coverage_start: '2045-08-01', coverage_end: '2046-07-31', benefits }
  const year = await openPlanYear(api, employer_id, catalog, { benefits })
  await createEmployee(api, employer_id, { start_date: '2026-01-05', address: living('WY') })
  await api.work()
  const rows = `/v1/employers/${employer_id}/benefit-plan-years/${year}/enrollments` as const
  const row = only((await api.get(rows)).body.data)
  const no_premium = [{ figure: 'lowest_cost_silver_premium', year: 2026 }]
  expect(row).toMatchObject({ affordability: null, missing_figures: no_premium })
  const detail = (await api.get(`/v1/enrollments/${row.enrollment_id}`)).body.data
  expect(detail).toMatchObject({ affordability: null, missing_figures: no_premium })

  const path = `/operator/v1/employers/${employer_id}/benefit-plan-years` as const
  const preview = await api.post(path, { ...of_2045, dry_run: true }, operator())
  expect(only(sure(preview.body.preview).data)).toMatchObject({
    affordability: null,
    missing_figures: [
      { figure: 'lowest_cost_silver_premium', year: 2045 },
      { figure: 'required_contribution_percentage', year: 2045 },
      { figure: 'poverty_guidelines', year: 2045 },
    ],
  })
})

it('opens a task 120 days before the first plan year that needs a missing figure', async () => {
  const tasks = async (query = '') => {
    const path = `/operator/v1/tasks?kind=affordability_figure_missing${query}` as const
    const rows = (await api.get(path, operator())).body.data.map(({ resource_id, details, action }) => [
      resource_id,
      details.figure,
      details.needed_on,
      action.path,
    ])
    return rows.toSorted((a, b) => (a.join() < b.join() ? -1 : 1))
  }
  const guidelines = ['2029', 'poverty_guidelines', '2029-07-01', path]
  const percentage = ['2030', 'required_contribution_percentage', '2030-01-01', path]
  const payments = ['2030', 'assessable_payments', '2030-01-01', path]
  const assessable_payments = { no_offer: 4_000, unaffordable_offer: 6_000 }
  await report({ year: 2029, required_contribution_percentage: 9.9, assessable_payments })
  api.moveTo('2029-03-02')
  expect(await tasks()).toEqual([])
  api.moveTo('2029-03-03')
  expect(await tasks()).toEqual([guidelines])
  api.moveTo('2029-09-03')
  expect(await tasks()).toEqual([guidelines, payments, percentage])
  expect(await tasks(`&organization_id=${api.story.organization_id}`)).toEqual([])
  await report({ year: 2029, poverty_guidelines: { contiguous: 17_000, alaska: 21_000, hawaii: 19_000 } })
  expect(await tasks()).toEqual([payments, percentage])
  await report({ year: 2030, required_contribution_percentage: 9.8 })
  expect(await tasks()).toEqual([payments])
  await report({ year: 2030, assessable_payments })
  expect(await tasks()).toEqual([])
})
