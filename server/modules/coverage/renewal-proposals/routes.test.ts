import { extractText } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear, addPolicy } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { refusalOf } from '../../../test/response.ts'

const api = useApi()

const half = [{ coverage_tier: null, method: 'percentage', percentage: 50 }]
const twenty = [{ coverage_tier: null, method: 'fixed', amount_in_cents: 2_000 }]

let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string
let plan_year_id: string

/** Elects a plan in the category for an employee. */
async function elect(employee_id: string, category: string, plan_id: string, coverage_tier = 'EE') {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`)).body
  const { id } = pick(data, (row) => row.benefit.category === category)
  const answer = await api.post(`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier })
  expect(answer.status, answer.text).toBe(200)
}

/** Three employees: two with Silver, one of them with dental, and one with Bronze for a child. Silver rises in 2027. */
beforeAll(async () => {
  catalog = await importCatalog(api, [
    {
      carrier: 'Evergreen Health',
      product_code: 'MVP',
      benefit: 'Major Medical',
      plan: 'Major Medical Silver',
      coverage_tier: 'EE',
      premium_in_cents: 45_000,
      effective_on: '2027-01-01',
    },
  ])
  employer_id = await createEmployer(api, { name: 'Blue Heron Coffee' })
  await addPolicy(api, employer_id)
  plan_year_id = await openPlanYear(api, employer_id, catalog, {
    open_enrollment_start: '2025-11-01',
    open_enrollment_end: '2025-11-30',
    benefits: [
      { benefit_id: catalog.mvp.benefit_id, contribution_tiers: half },
      { benefit_id: catalog.dental.benefit_id, contribution_tiers: twenty },
    ],
  })
  await api.work()
  const [ann, bob, eve] = [
    await createEmployee(api, employer_id, { start_date: '2026-03-10' }),
    await createEmployee(api, employer_id, { start_date: '2026-03-10' }),
    await createEmployee(api, employer_id, { start_date: '2026-03-10' }),
  ]
  const child = { first_name: 'Kim', last_name: 'Costa', relationship: 'child', date_of_birth: '2020-05-01' }
  await api.post(`/v1/employees/${eve.id}/dependents`, child)
  await elect(ann.id, 'Medical', catalog.mvp.plan_id)
  await elect(ann.id, 'Dental', catalog.dental.plan_id)
  await elect(bob.id, 'Medical', catalog.mvp.plan_id)
  await elect(eve.id, 'Medical', catalog.mvp.other_plan_id, 'EC')
})

const pathOf = (id = employer_id, year = plan_year_id) =>
  `/v1/employers/${id}/benefit-plan-years/${year}/renewal-proposals` as const
const propose = (body: object, options = {}) => api.post(pathOf(), body, options)

const amounts = (premium: number, employer: number, employee: number) => ({
  premium_in_cents: premium,
  employer_contribution_in_cents: employer,
  employee_deduction_in_cents: employee,
})

describe('employers_propose_renewal', () => {
  it('compares the cost of the enrollments by scenario, per year, employee and coverage level', async () => {
    const { status, body } = await propose({
      scenarios: [
        { name: 'Catalog' },
        { name: 'As quoted', premium_change_percent: 7.25 },
        {
          name: 'Negotiated',
          rates: [{ benefit_plan_id: catalog.mvp.plan_id, coverage_tier: 'EE', premium_in_cents: 44_000 }],
          benefits: [
            {
              benefit_id: catalog.mvp.benefit_id,
              premium_change_percent: 10,
              contribution_tiers: [{ method: 'percentage', percentage: 80 }],
            },
          ],
        },
      ],
    })
    expect(status).toBe(201)
    const { current, scenarios, ...terms } = body.data
    expect(terms).toEqual({
      renewal_proposal_id: expect.stringMatching(/^prop_/),
      employer_id,
      benefit_plan_year_id: plan_year_id,
      coverage_start: '2027-01-01',
      coverage_end: '2027-12-31',
      open_enrollment_start: '2026-11-01',
      open_enrollment_end: '2026-11-30',
      renewal: 'passive',
      enrolled_employee_count: 3,
      created_at: expect.any(String),
    })
    const unchanged = { premium_change_percent: null, employer_change_percent: null, employee_change_percent: null }
    expect(current.per_year).toEqual({ ...amounts(1_746_000, 877_800, 868_200), ...unchanged })
    expect(current.per_head).toEqual(amounts(582_000, 292_600, 289_400))
    // Silver costs $450 starting in January, and the employer pays half.
    expect(scenarios[0]!.per_year).toEqual({
      ...amounts(1_818_000, 913_800, 904_200),
      premium_change_percent: 4.1,
      employer_change_percent: 4.1,
      employee_change_percent: 4.1,
    })
    // $450.00 + 7.25% is $482.63, and the half of it $241.32: each is rounded half up.
    expect(scenarios[1]!.per_year).toMatchObject(amounts(1_949_820, 978_336, 971_484))
    expect(scenarios[2]!.per_year).toEqual({
      ...amounts(1_863_960, 1_484_448, 379_512),
      premium_change_percent: 6.8,
      employer_change_percent: 69.1,
      employee_change_percent: -56.3,
    })
    expect(scenarios.map(({ per_year }) => per_year.premium_in_cents)).toEqual(
      scenarios.map(({ per_year }) => per_year.employer_contribution_in_cents + per_year.employee_deduction_in_cents),
    )
    expect(scenarios[2]!.tiers.map(({ coverage_tier, enrollment_count }) => [coverage_tier, enrollment_count])).toEqual(
      [
        ['EE', 3],
        ['EC', 1],
      ],
    )
    expect(scenarios[2]!.tiers[1]).toMatchObject({
      ...amounts(769_560, 615_648, 153_912),
      employee_change_percent: -56,
    })
    expect(
      scenarios[2]!.plans.map((plan) => [plan.benefit_plan_name, plan.coverage_tier, plan.premium_in_cents]),
    ).toEqual([
      ['Brightside PPO', 'EE', 3_200],
      ['Major Medical Bronze', 'EC', 64_130],
      ['Major Medical Silver', 'EE', 44_000],
    ])
  })

  it('calculates the same cost as the preview of the copy', async () => {
    const copy = await api.post(
      `/operator/v1/benefit-plan-years/${plan_year_id}/copy`,
      { dry_run: true },
      { key: api.operator_key },
    )
    const { before, after } = copy.body.preview!.totals!
    const { current, scenarios } = (await propose({ scenarios: [{ name: 'Catalog' }], dry_run: true })).body.data
    const yearly = ({
      premium_in_cents: a,
      employer_contribution_in_cents: b,
      employee_deduction_in_cents: c,
    }: typeof after) => amounts(a * 12, b * 12, c * 12)
    expect(current.per_year).toMatchObject(yearly(before))
    expect(scenarios[0]!.per_year).toMatchObject(yearly(after))
  })

  it('stores nothing in a dry run', async () => {
    const count = () =>
      api.database.reads.row<{ total: number }>('select count(*)::int as total from renewal_proposals', [])
    const before = await count()
    const { status, body } = await propose({ scenarios: [{ name: 'Catalog' }], dry_run: true })
    expect([status, body.data.renewal_proposal_id]).toEqual([200, null])
    expect(await count()).toEqual(before)
  })

  it.each([
    [{ scenarios: [] }, 'scenarios'],
    [{ scenarios: [{ name: 'A', premium_change_percent: 1.234 }] }, 'scenarios[0].premium_change_percent'],
    [{ scenarios: [{ name: 'A', premium_change_percent: -101 }] }, 'scenarios[0].premium_change_percent'],
    [{ scenarios: [{ name: ' ' }] }, 'scenarios[0].name'],
    [{ coverage_start: 'soon', scenarios: [{ name: 'A' }] }, 'coverage_start'],
  ])('refuses %j and names the field', async (body, field) => {
    const refused = await propose(body)
    expect([refused.status, refused.error.details[0]!.field]).toEqual([400, field])
  })

  it('refuses two rates for the same plan and coverage level', async () => {
    const rate = { benefit_plan_id: catalog.mvp.plan_id, coverage_tier: 'EE', premium_in_cents: 1 }
    const refused = await propose({ scenarios: [{ name: 'A', rates: [rate, rate] }] })
    expect([refused.status, refused.error.details[0]!.field]).toEqual([400, 'scenarios[0].rates[1]'])
  })

  it('refuses plans, benefits and contributions that do not fit the plan year', async () => {
    const refused = async (scenario: object) => {
      const answer = await propose({ scenarios: [{ name: 'A', ...scenario }] })
      return [answer.status, answer.error.code, answer.error.details[0]!.field]
    }
    const rate = { benefit_plan_id: catalog.vision.plan_id, coverage_tier: 'EE', premium_in_cents: 1 }
    expect(await refused({ rates: [rate] })).toEqual([422, 'unknown_plan', 'scenarios[0].rates[0].benefit_plan_id'])
    expect(await refused({ benefits: [{ benefit_id: catalog.vision.benefit_id }] })).toEqual([
      422,
      'unknown_benefit',
      'scenarios[0].benefits[0].benefit_id',
    ])
    const days = { coverage_start: '2027-01-01', open_enrollment_start: '2027-03-01' }
    expect(refusalOf(await propose({ ...days, scenarios: [{ name: 'A' }] }))).toEqual([
      422,
      'invalid_plan_year',
      'open_enrollment_end',
    ])
    // Another plan year cannot have the same benefits on the same days.
    expect(refusalOf(await propose({ coverage_start: '2026-12-31', scenarios: [{ name: 'A' }] }))).toEqual([
      422,
      'invalid_plan_year',
      'coverage_start',
    ])
  })

  it('hides plan years and proposals of other organizations and employers', async () => {
    const rival = { key: api.story.rival_api_key }
    expect((await propose({ scenarios: [{ name: 'A' }] }, rival)).status).toBe(404)
    const other = await createEmployer(api)
    expect((await api.post(pathOf(other), { scenarios: [{ name: 'A' }] })).status).toBe(404)
    const { renewal_proposal_id: id } = (await propose({ scenarios: [{ name: 'A' }] })).body.data
    expect((await api.get(`/v1/employers/${employer_id}/renewal-proposals/${id}/pdf`, rival)).status).toBe(404)
    expect((await api.get(`/v1/employers/${other}/renewal-proposals/${id}/pdf`)).status).toBe(404)
    expect((await api.get(`/v1/employers/${employer_id}/renewal-proposals/${newId('prop')}/pdf`)).status).toBe(404)
  })
})

it('lists the stored proposals of a plan year, newest first', async () => {
  const before = (await api.get(pathOf())).body.pagination.total
  await propose({ scenarios: [{ name: 'Not stored' }], dry_run: true })
  const first_id = (await propose({ scenarios: [{ name: 'As quoted', premium_change_percent: 10 }] })).body.data
  const { renewal_proposal_id } = (await propose({ scenarios: [{ name: 'A' }, { name: 'B' }] })).body.data
  const { data, pagination } = (await api.get(`${pathOf()}?limit=2`)).body
  expect(pagination.total).toBe(before + 2)
  expect(data.map((one) => one.renewal_proposal_id)).toEqual([renewal_proposal_id, first_id.renewal_proposal_id])
  expect(data[0]!.scenarios.map(({ name }) => name)).toEqual(['A', 'B'])
  expect(data[1]).toMatchObject({
    employer_id,
    benefit_plan_year_id: plan_year_id,
    coverage_start: '2027-01-01',
    scenarios: [{ name: 'As quoted', per_year: first_id.scenarios[0]!.per_year }],
  })
  expect((await api.get(pathOf(), { key: api.story.rival_api_key })).status).toBe(404)
  expect((await api.get(pathOf(await createEmployer(api)))).status).toBe(404)
})

it('shares a proposal as a PDF', async () => {
  const terms = { renewal: 'active', open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-20' }
  const scenarios = [
    { name: 'As quoted', premium_change_percent: 7.25 },
    { name: 'Negotiated', premium_change_percent: -2 },
  ]
  // In the evening, when the next day has begun in UTC.
  api.wait(9 * 3_600_000)
  const { renewal_proposal_id: id } = (await propose({ ...terms, scenarios })).body.data
  const { download_url } = (await api.get(`/v1/employers/${employer_id}/renewal-proposals/${id}/pdf`)).body.data
  const file = await fetch(download_url)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="renewal-2027-01-01.pdf"')
  const { text } = await extractText(new Uint8Array(await file.arrayBuffer()), { mergePages: true })
  const expected = [
    'Renewal proposal',
    'Blue Heron Coffee',
    'Jan 1, 2027 – Dec 31, 2027',
    'Nov 1, 2026 – Nov 20, 2026',
    'Active: each employee must elect',
    'Amounts per year are twelve months.',
    'As quoted',
    'Negotiated',
    '$17,460.00',
    '$19,498.20',
    '+11.7%',
    '$441.00',
    'Prepared on Mar 10, 2026',
    'Employee only, 3 enrollments',
  ]
  for (const one of expected) expect(text.replaceAll('\n', ' ')).toContain(one)
})
