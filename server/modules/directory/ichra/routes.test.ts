import { beforeAll, describe, expect, it } from 'vitest'
import { aMemberKey, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { blockOf } from '../../../test/guides/code-blocks.ts'
import { first, pick, sure } from '../../../test/pick.ts'

/**
 * An employer with employees in Texas (with separate premiums for Travis County), New York (tier rating) and Nevada (no
 * premiums).
 */
const api = useApi()
let employer_id: string
let year_id: string
let own: { benefit_id: string; plan_id: string }
let bought: { benefit_id: string; plan_id: string }

const operator = () => ({ key: api.operator_key })
const catalogPath = () => `/operator/v1/organizations/${api.story.organization_id}/catalog` as const
const put = (rows: object[]) => api.post(`${catalogPath()}/import`, { rows }, operator())

const plan = { carrier: 'Lone Star', product_code: 'ICHRA', benefit: 'Your Own', plan: 'Lone Star Silver' }
const purchase = {
  carrier: 'Anybody',
  product_code: 'ICHRA_REIMBURSEMENT_ONLY',
  benefit: 'Bought Yourself',
  plan: 'Reimbursement',
}
const allowances = [
  { coverage_tier: 'EF', allowance_in_cents: 90_000 },
  { max_age: 39, allowance_in_cents: 30_000 },
  { allowance_in_cents: 45_000 },
]
const on = { effective_on: '2026-01-01' }
/** Premiums for 0-14, each age to 63, and 64+. They rise by this many cents for each year of age from 14 on. */
const curve = (area: object, by_year: number) =>
  Array.from({ length: 51 }, (_, at) => ({
    ...plan,
    ...area,
    ...on,
    age: at === 0 ? '0-14' : at === 50 ? '64 and over' : 14 + at,
    premium_in_cents: by_year * (14 + at),
  }))
const tiers = ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => ({
  ...plan,
  ...on,
  state: 'NY',
  coverage_tier,
  premium_in_cents: 60_000 + 10_000 * at,
}))

const living = (state: string, county?: string) => ({
  address: { address_line_1: '1 Main St', city: 'X', state, zipcode: '78701', county },
})
async function hired(input: Record<string, unknown>) {
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-09', ...input })
  const rows = (await api.get(`/v1/employees/${id}/enrollments`)).body.data
  const of = (benefit_id: string) => pick(rows, (row) => row.benefit.id === benefit_id).id
  return { id, own: of(own.benefit_id), bought: of(bought.benefit_id) }
}
const shown = async (id: string) => (await api.get(`/v1/enrollments/${id}`)).body.data
/** For each tier: the premium, the employer contribution, and the employee deduction. */
const prices = async (id: string) =>
  Object.fromEntries(
    ((await shown(id)).plans[0]?.tiers ?? []).map((tier) => [
      tier.coverage_tier,
      [tier.premium_in_cents, tier.employer_contribution_in_cents, tier.employee_deduction_in_cents],
    ]),
  )
const elect = (id: string, input: object = {}) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: own.plan_id, coverage_tier: 'EE', ...input })
const costs = ({ body }: Awaited<ReturnType<typeof elect>>) => [
  body.data.premium_in_cents,
  body.data.employer_contribution_in_cents,
  body.data.employee_deduction_in_cents,
]
const add = (employee_id: string, relationship: string, date_of_birth: string) =>
  api.post(`/v1/employees/${employee_id}/dependents`, {
    relationship,
    first_name: 'Pat',
    last_name: 'Costa',
    date_of_birth,
  })

beforeAll(async () => {
  const catalog = await importCatalog(api)
  await put([
    ...curve({ state: 'TX' }, 1_000),
    ...curve({ state: 'tx', county: 'Travis County' }, 1_100),
    ...tiers,
    ...allowances.map((input) => ({ ...plan, ...input })),
    ...allowances.map((input) => ({ ...purchase, ...input })),
  ])
  const { benefits } = (await api.get(catalogPath(), operator())).body.data
  const idsOf = ({ benefit }: { benefit: string }) => {
    const found = pick(benefits, ({ name }) => name === benefit)
    return { benefit_id: found.id, plan_id: first(found.plans).id }
  }
  own = idsOf(plan)
  bought = idsOf(purchase)
  employer_id = await createEmployer(api)
  await api.put(`/v1/employers/${employer_id}/settings`, { pay_frequency: 'monthly' })
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, {
    classification: 'all',
    waiting_period: 'first_of_following_month',
  })
  year_id = await openPlanYear(api, employer_id, catalog, {
    benefits: [{ benefit_id: own.benefit_id }, { benefit_id: bought.benefit_id }],
  })
  await api.work()
})

describe('the catalog', () => {
  const newest = async () => {
    const { benefits } = (await api.get(catalogPath(), operator())).body.data
    return sure(pick(benefits, ({ name }) => name === plan.benefit).plans.at(-1))
  }

  it('counts each premium', async () => {
    const other = tiers.map((row) => ({ ...row, plan: 'Another' }))
    expect((await put(other)).body.data.rates).toEqual({ created: 4, updated: 0, unchanged: 0 })
  })

  it('shows premiums by area, and changes nothing if they are imported again', async () => {
    const { area_rates, tier_rates } = await newest()
    expect(tier_rates).toEqual([])
    expect(area_rates.map(({ state, county, rates }) => [state, county, rates.length])).toEqual([
      ['NY', null, 4],
      ['TX', null, 51],
      ['TX', 'Travis', 51],
    ])
    expect(area_rates[2]?.rates[50]).toEqual({
      coverage_tier: null,
      min_age: 64,
      max_age: null,
      premium_in_cents: 70_400,
    })
    const again = await put([...tiers, ...curve({ state: 'TX', county: 'TRAVIS' }, 1_100)])
    expect(again.body.data.rates).toEqual({ created: 0, updated: 0, unchanged: 55 })
    expect((await newest()).area_rates).toEqual(area_rates)
  })

  it('accepts ten thousand premiums, and counts them as unchanged if they are imported again', async () => {
    const rows = Array.from({ length: 20 }, (_, at) =>
      ['AL', 'AZ', 'CO', 'FL', 'GA', 'IA', 'ID', 'IL', 'IN', 'KS'].flatMap((state) =>
        curve({ state, benefit: 'Many', plan: `Plan ${at}` }, 900 + at).slice(1),
      ),
    ).flat()
    expect((await put(rows)).body.data.rates).toEqual({ created: 10_000, updated: 0, unchanged: 0 })
    const [first_row, ...others] = rows
    const again = await put([{ ...first_row!, premium_in_cents: 1 }, ...others])
    expect(again.body.data.rates).toEqual({ created: 0, updated: 1, unchanged: 9_999 })
  })

  it('accepts premiums from a spreadsheet', async () => {
    const raw = [
      'carrier,product_code,benefit,plan,state,county,age,premium_in_cents,effective_on',
      'Lone Star,ICHRA,Your Own,Lone Star Gold,CA,Los Angeles,0-14,20000,2027-01-01',
      'Lone Star,ICHRA,Your Own,Lone Star Gold,CA,Los Angeles,64+,90000,2027-01-01',
    ].join('\n')
    const answer = await api.post(`${catalogPath()}/import`, undefined, {
      ...operator(),
      raw,
      headers: { 'content-type': 'text/csv' },
    })
    expect(answer.body.data?.rates, answer.text).toEqual({ created: 2, updated: 0, unchanged: 0 })
  })

  it.each([
    ['an age without a state', { age: 21, premium_in_cents: 1, ...on }, 'rows[0].state'],
    ['an age and a tier', { state: 'TX', age: 21, coverage_tier: 'EE', premium_in_cents: 1, ...on }, 'rows[0].age'],
    ['an age without a premium', { state: 'TX', age: 21 }, 'rows[0].age'],
    [
      'an area for MEC',
      { product_code: 'MEC', state: 'TX', age: 1, premium_in_cents: 1, ...on },
      'rows[0].premium_in_cents',
    ],
    ['an age that already has a premium', { state: 'TX', age: '21-22', premium_in_cents: 1, ...on }, 'rows[0].age'],
    ['an invalid age', { state: 'TX', age: 'old', premium_in_cents: 1, ...on }, 'rows[0].age'],
  ])('refuses %s', async (_, input, field) => {
    const before = await newest()
    const answer = await put([{ ...plan, ...input }])
    expect(answer.status).toBe(400)
    expect(answer.error.details.map((one) => one.field)).toContain(field)
    expect(await newest()).toEqual(before)
  })
})

describe('an enrollment', () => {
  it('shows the price for this person before and after an election', async () => {
    const young = await hired({ date_of_birth: '2002-02-02', ...living('TX') })
    const old = await hired({ date_of_birth: '1963-06-06', ...living('TX', 'travis county') })
    expect(await prices(young.own)).toEqual({
      EE: [24_000, 24_000, 0],
      ES: [null, 30_000, null],
      EC: [null, 30_000, null],
      EF: [null, 90_000, null],
    })
    expect((await prices(old.own)).EE).toEqual([62 * 1_100, 45_000, 62 * 1_100 - 45_000])
    expect(costs(await elect(old.own))).toEqual((await prices(old.own)).EE)
    expect((await shown(old.own)).bought_on_exchange).toBe(false)
  })

  it('adds up a family, with at most three children', async () => {
    const { id, own: enrollment } = await hired({ date_of_birth: '1986-04-02', ...living('TX') })
    await add(id, 'spouse', '1990-02-03')
    for (const born of ['2004-01-01', '2008-01-01', '2010-01-01', '2012-01-01', '2015-01-01'])
      await add(id, 'child', born)
    // 39, 36, 22, and the three oldest of 18, 16, 14 and 11. In thousands.
    const premium = (39 + 36 + 22 + 18 + 16 + 14) * 1_000
    expect((await prices(enrollment)).EF).toEqual([premium, 90_000, premium - 90_000])
    expect(costs(await elect(enrollment, { coverage_tier: 'EF' }))).toEqual([premium, 90_000, premium - 90_000])
  })

  it('uses the premium of the tier in areas with tier rating', async () => {
    const { own: enrollment } = await hired({ date_of_birth: '1963-06-06', ...living('NY') })
    expect(await prices(enrollment)).toMatchObject({ EE: [60_000, 45_000, 15_000], EF: [90_000, 90_000, 0] })
    expect(costs(await elect(enrollment))).toEqual([60_000, 45_000, 15_000])
  })

  it('hides and refuses a plan without a premium', async () => {
    const { own: enrollment } = await hired(living('NV'))
    expect((await shown(enrollment)).plans).toEqual([])
    expect(refusalOf(await elect(enrollment))).toEqual([422, 'plan_not_offered', 'plan_id'])
  })

  it("uses the employer's state without a known address, and the reported county", async () => {
    const { id, own: enrollment } = await hired({ date_of_birth: '2002-02-02' })
    expect((await prices(enrollment)).EE).toEqual([60_000, 30_000, 30_000])
    const move = (input: object) => api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', ...input })
    expect((await move(living('TX', 'Travis'))).body.data.address?.county).toBe('Travis')
    expect((await prices(enrollment)).EE?.[0]).toBe(26_400)
    await move(living('TX'))
    expect((await prices(enrollment)).EE?.[0]).toBe(26_400)
    const { address } = living('TX')
    expect((await move({ address: { ...address, zipcode: '75001' } })).body.data.address?.county).toBeNull()
    expect((await prices(enrollment)).EE?.[0]).toBe(24_000)
  })

  it('keeps the prices with which its plan year was opened', async () => {
    const { own: enrollment } = await hired({ date_of_birth: '2002-02-02', ...living('TX') })
    expect((await put([{ ...plan, ...on, state: 'TX', age: 24, premium_in_cents: 99_999 }])).body.data.rates).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
    })
    expect((await prices(enrollment)).EE?.[0]).toBe(24_000)
    expect(costs(await elect(enrollment))[0]).toBe(24_000)
  })
})

describe('a plan that the employee bought', () => {
  const { plan_id: _, ...reported } = JSON.parse(blockOf('docs/integrating/enrollments.md', '{ "plan_id": "pln_…"'))
  const { individual_plan } = reported
  const reimbursed = (id: string, input: object) => elect(id, { plan_id: bought.plan_id, ...input })

  it('is reimbursed up to the allowance, without deductions or invoices', async () => {
    const { bought: enrollment } = await hired({ date_of_birth: '2002-02-02', ...living('NV') })
    expect((await prices(enrollment)).EE).toEqual([null, 30_000, 0])
    const answer = await reimbursed(enrollment, { individual_plan, bought_on_exchange: true })
    expect(answer.status, answer.text).toBe(200)
    expect(costs(answer)).toEqual([41_000, 30_000, 0])
    expect(await shown(enrollment)).toMatchObject({
      plan: { id: bought.plan_id },
      individual_plan_name: 'Blue Silver 3',
      bought_on_exchange: true,
    })
    const cheaper = { ...individual_plan, premium_in_cents: 20_000 }
    const again = await reimbursed(enrollment, { individual_plan: cheaper, bought_on_exchange: false })
    expect(costs(again)).toEqual([20_000, 20_000, 0])
    expect(costs(await reimbursed(enrollment, reported))).toEqual([41_000, 30_000, 0])
  })

  it.each([
    ['without the plan', 'bought', { bought_on_exchange: false }, 'individual_plan'],
    ['without the place of purchase', 'bought', { individual_plan }, 'bought_on_exchange'],
    ['for another benefit', 'own', { individual_plan }, 'individual_plan'],
  ] as const)('is refused %s', async (_, benefit, input, field) => {
    const person = await hired(living('TX'))
    const plan_id = benefit === 'own' ? own.plan_id : bought.plan_id
    expect(refusalOf(await elect(person[benefit], { plan_id, ...input }))).toEqual([
      422,
      'individual_plan_does_not_fit',
      field,
    ])
  })
})

describe('affordability', () => {
  const silver = '/operator/v1/lowest-cost-silver-premiums'
  const row = { state: 'TX', age: '0-63', effective_on: '2026-01-01', premium_in_cents: 42_989 }
  const wage = (id: string, input: object = {}, key = api.story.api_key) =>
    api.put(
      `/v1/employees/${id}/wage`,
      { monthly_wage_in_cents: 500_000, effective_on: '2026-01-01', ...input },
      { key },
    )
  const rows = async () =>
    (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${year_id}/enrollments?limit=100`)).body.data

  it('follows from the lowest-cost silver premium, the allowance, and the poverty line or the wage', async () => {
    const young = await hired({ date_of_birth: '2002-02-02', ...living('TX') })
    const travis = await hired({ date_of_birth: '2002-02-02', ...living('TX', 'Travis') })
    const verdict = async (employee_id: string) => {
      const found = (await rows()).filter((one) => one.employee_id === employee_id)
      return found.map((one) => one.affordability)
    }
    expect(await verdict(young.id)).toEqual([null, null])
    const outcome = await api.post(
      `${silver}/import`,
      { rows: [row, { ...row, county: 'Travis', premium_in_cents: 60_000 }, { ...row, age: '64+' }] },
      operator(),
    )
    expect(outcome.body.data, outcome.text).toEqual({ row_count: 3, changed_count: 3 })
    const again = await api.post(`${silver}/import`, { rows: [row] }, operator())
    expect(again.body.data).toEqual({ row_count: 1, changed_count: 0 })
    expect(await verdict(young.id)).toEqual(['Affordable', 'Affordable'])
    expect(await verdict(travis.id)).toEqual(['Not Affordable', 'Not Affordable'])
    expect((await wage(travis.id)).body.data).toEqual({ monthly_wage_in_cents: 500_000, effective_on: '2026-01-01' })
    expect(await verdict(travis.id)).toEqual(['Affordable', 'Affordable'])
    await wage(travis.id, { monthly_wage_in_cents: 450_000, effective_on: '2025-07-01' })
    const reported = await api.get(`/v1/employees/${travis.id}/wage`)
    expect(reported.body).toEqual({
      data: [
        { monthly_wage_in_cents: 500_000, effective_on: '2026-01-01' },
        { monthly_wage_in_cents: 450_000, effective_on: '2025-07-01' },
      ],
      pagination: { limit: 20, page: 1, total: 2, total_pages: 1 },
    })
    expect(await shown(travis.own)).toMatchObject({ affordability: 'Affordable', notice_due_on: '2026-04-01' })
    const listed = (await api.get(`${silver}?state=tx&county=Travis`, operator())).body.data
    expect(listed.map((one) => [one.county, one.min_age, one.max_age, one.premium_in_cents])).toEqual([
      [null, 0, 63, 42_989],
      [null, 64, null, 42_989],
      ['Travis', 0, 63, 60_000],
    ])
  })

  it('refuses premiums from other days than the first of a month, and duplicates', async () => {
    const refused = async (...sent: object[]) =>
      refusalOf(await api.post(`${silver}/import`, { rows: sent }, operator()))
    expect(await refused({ ...row, effective_on: '2026-01-02' })).toEqual([
      400,
      'invalid_request',
      'rows[0].effective_on',
    ])
    expect(await refused(row, row)).toEqual([400, 'invalid_request', 'rows[1]'])
  })

  it('hides the employees of others', async () => {
    const { id } = await hired(living('TX'))
    expect(refusalOf(await wage(id, {}, api.story.rival_api_key))).toEqual([404, 'not_found', undefined])
    const path = `/v1/employees/${id}/wage` as const
    expect(refusalOf(await api.get(path, { key: api.story.rival_api_key }))).toEqual([404, 'not_found', undefined])
    const agent = await aMemberKey(api, api.story.organization_id, 'ENROLLMENT_AGENT')
    expect(refusalOf(await api.get(path, { key: agent }))[0]).toBe(403)
  })
})

describe('a plan year', () => {
  it('shows when its notice is due, and price ranges that do not depend on the person', async () => {
    const [row] = (await api.get(`/v1/employers/${employer_id}/benefit-plan-years`)).body.data
    expect(row).toMatchObject({
      notice_due_on: '2025-10-03',
      carrier: 'Lone Star',
      premium_in_cents: 18_000,
      employee_contribution: null,
      employer_contribution: { min_cents: 30_000, max_cents: 90_000 },
    })
  })
})

describe('a statement', () => {
  it('deducts nothing from employees who pay the carrier, and taxes plans bought on an exchange', async () => {
    const person = await hired({ date_of_birth: '1963-06-06', ...living('TX') })
    await elect(person.own, { bought_on_exchange: true })
    const other = await hired({ date_of_birth: '1963-06-06', ...living('TX') })
    await elect(other.bought, {
      plan_id: bought.plan_id,
      individual_plan: { name: 'Blue', premium_in_cents: 80_000 },
      bought_on_exchange: true,
    })
    api.moveTo('2026-04-02')
    await api.runDays()
    await api.work()
    const { deductions } = (await api.get(`/v1/employees/${person.id}`)).body.data
    expect(deductions.map((one) => [one.benefit_name, one.deduction_amount_in_cents, one.tax_classification])).toEqual([
      ['Your Own', 17_000, 'Post-tax'],
    ])
    expect((await api.get(`/v1/employees/${other.id}`)).body.data.deductions).toEqual([])
    const billed = 'select from invoice_lines where employee_id = $1'
    expect(await api.database.reads.rows(billed, [other.id])).toEqual([])
    const path = `/v1/employers/${employer_id}/payroll-deduction-statements` as const
    const claim = { employee_id: other.id, enrollment_id: other.bought, taken_in_cents: -25_000 }
    const [statement] = (await api.get(path)).body.data
    expect((await api.post(`${path}/${statement!.id}/actuals`, { actuals: [claim] })).body.data.recorded_count).toBe(1)
    const proof = (await api.get(`/v1/employees/${other.id}/deductions/proof?year=2026`)).body.data
    expect(proof).toMatchObject({ taken_in_cents: -25_000, outstanding_in_cents: 0 })
  })
})
