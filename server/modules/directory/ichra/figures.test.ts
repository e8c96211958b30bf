import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  affordabilityOf,
  decideAffordability,
  agesOn,
  noticeDueOn,
  overlappingRate,
  premiumOf,
  withRates,
  type AreaRate,
  type FamilyAges,
} from './rules.ts'
import { figuresDue, missingFiguresOf } from './figure-rules.ts'
import { Ages } from './schemas.ts'
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

/** The federal default age curve, in thousandths of the premium at age 21: 0-14, then each age from 15 to 64+. */
const curve = [
  765, 833, 859, 885, 913, 941, 970, 1000, 1000, 1000, 1000, 1004, 1024, 1048, 1087, 1119, 1135, 1159, 1183, 1198, 1214,
  1222, 1230, 1238, 1246, 1262, 1278, 1302, 1325, 1357, 1397, 1444, 1500, 1563, 1635, 1706, 1786, 1865, 1952, 2040,
  2135, 2230, 2333, 2437, 2548, 2603, 2714, 2810, 2873, 2952, 3000,
]
/** The premium at age 21 in each area. */
const areas = { Harris: 31_244, Travis: 33_871, Dallas: 35_002, Tarrant: 29_999, Bexar: 27_450, 'rest of TX': 36_117 }

const listOf = (base: number): AreaRate[] =>
  curve.map((factor, at) => ({
    coverage_tier: null,
    min_age: at === 0 ? 0 : 14 + at,
    max_age: at === 0 ? 14 : at === 50 ? null : 14 + at,
    premium_in_cents: Math.round((base * factor) / 1000),
  }))
const byHand = (base: number, age: number) => Math.round((base * curve[Math.min(Math.max(age - 14, 0), 50)]!) / 1000)
const alone = (employee: number): FamilyAges => ({ employee, partner: null, children: [] })

describe.each(Object.entries(areas))('premiums of %s', (_, base) => {
  const list = listOf(base)

  it('follow the age curve for every age', () => {
    const ages = Array.from({ length: 121 }, (_, age) => age)
    expect(ages.map((age) => premiumOf(list, 'EE', alone(age)))).toEqual(ages.map((age) => byHand(base, age)))
  })

  it('are the sum over a family, with at most three children under 21', () => {
    const age = fc.integer({ min: 18, max: 99 })
    const family = fc.record({
      employee: age,
      partner: fc.option(age),
      children: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 8 }),
    })
    fc.assert(
      fc.property(family, (ages) => {
        const young = ages.children.filter((one) => one <= 20).toSorted((a, b) => a - b)
        const dropped = young.slice(0, Math.max(0, young.length - 3))
        const all = [ages.employee, ...(ages.partner === null ? [] : [ages.partner]), ...ages.children]
        const sum = (some: number[]) => some.reduce((total, one) => total + byHand(base, one), 0)
        expect(premiumOf(list, 'EF', ages)).toBe(sum(all) - sum(dropped))
      }),
    )
  })
})

describe('a premium', () => {
  it('is the premium of the tier in areas with tier rating', () => {
    const list = ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => ({
      coverage_tier,
      min_age: null,
      max_age: null,
      premium_in_cents: 70_000 + at,
    }))
    expect(premiumOf(list, 'EC', { employee: 24, partner: null, children: [1, 2, 3, 4] })).toBe(70_002)
  })

  it('is unknown if the list lacks one for any family member', () => {
    const list = listOf(30_000).filter(({ min_age }) => min_age !== 62)
    expect(premiumOf(list, 'ES', { employee: 62, partner: 61, children: [] })).toBeUndefined()
    expect(premiumOf(list, 'ES', { employee: 61, partner: 61, children: [] })).toBe(2 * byHand(30_000, 61))
  })

  it('depends on the ages on the first day of coverage', () => {
    const family = [
      { relationship: 'spouse', date_of_birth: '1964-01-02' },
      { relationship: 'child', date_of_birth: '2005-01-01' },
      { relationship: 'child', date_of_birth: '2026-05-05' },
    ]
    expect(agesOn('2026-01-01', '1984-02-29', family)).toEqual({ employee: 41, partner: 61, children: [21, 0] })
  })
})

describe('a premium list', () => {
  const rate = (min_age: number, max_age: number | null, premium_in_cents = 1): AreaRate => ({
    coverage_tier: null,
    min_age,
    max_age,
    premium_in_cents,
  })

  it('adds new and changed premiums, and keeps the rest', () =>
    expect(withRates([rate(21, 21), rate(22, 22)], [rate(22, 22, 5), rate(0, 14, 3)])).toEqual([
      rate(0, 14, 3),
      rate(21, 21),
      rate(22, 22, 5),
    ]))

  it.each([
    ['separate ages', [rate(0, 14), rate(15, 15), rate(64, null)], undefined],
    ['an age that occurs twice', [rate(14, 15), rate(15, 16)], rate(15, 16)],
    ['an age above an open-ended range', [rate(20, null), rate(30, 30)], rate(30, 30)],
  ] as const)('detects overlaps: %s', (_, list, overlapping) => expect(overlappingRate([...list])).toEqual(overlapping))

  it.each([
    ['21', [21, 21]],
    [21, [21, 21]],
    ['0-14', [0, 14]],
    [' 0 - 14 ', [0, 14]],
    ['64+', [64, null]],
    ['64 and over', [64, null]],
  ] as const)('accepts ages in the format %s', (input, ages) => expect(Ages.parse(input)).toEqual(ages))

  it.each(['', '14-0', '151', '-1', '1.5', 'old', 21.5, null, '64++'])('rejects ages in the format %s', (input) =>
    expect(Ages.safeParse(input).success).toBe(false),
  )
})

describe('the ICHRA notice', () => {
  it.each([
    ['90 days before the plan year', '2026-01-01', '2026-01-01', '2025-10-03'],
    ['90 days before a plan year in a leap year', '2028-07-01', '2028-07-01', '2028-04-02'],
    ['on the first day of coverage of a new employee', '2026-01-01', '2026-05-01', '2026-05-01'],
  ])('is due %s', (_, start, coverage_start, due) => expect(noticeDueOn(start, coverage_start)).toBe(due))
})

describe('affordability', () => {
  const part = { year: 2045, required_contribution: 1_000, poverty_guidelines: null, assessable_payments: null }
  const lines: [number, number, number] = [18_000, 20_000, 19_000]
  const line = { year: 2044, required_contribution: null, poverty_guidelines: lines, assessable_payments: null }
  const reported = { plan_year_start: '2045-01-01', figures: [part, line] }
  const facts = {
    plan_year_start: '2026-01-01',
    state: 'TX',
    lowest_silver_in_cents: 42_989,
    allowance_in_cents: 30_000,
    monthly_wage_in_cents: null,
  }
  it.each([
    // 9.96% of $15,650 per year is $129.89 per month.
    ['by the poverty line', {}, 'Affordable'],
    ['a cent above the poverty line', { lowest_silver_in_cents: 42_990 }, 'Not Affordable'],
    ['by the poverty line of Alaska', { state: 'AK', lowest_silver_in_cents: 46_226 }, 'Affordable'],
    ['a cent above the poverty line of Hawaii', { state: 'HI', lowest_silver_in_cents: 44_932 }, 'Not Affordable'],
    [
      'by the guidelines of the same year',
      { plan_year_start: '2026-07-01', lowest_silver_in_cents: 43_246 },
      'Affordable',
    ],
    ['by the wage', { lowest_silver_in_cents: 60_000, monthly_wage_in_cents: 301_205 }, 'Affordable'],
    ['by a wage that is too low', { lowest_silver_in_cents: 60_000, monthly_wage_in_cents: 301_204 }, 'Not Affordable'],
    ['by the poverty line if the wage is lower', { monthly_wage_in_cents: 1 }, 'Affordable'],
    ['with an allowance above the premium', { allowance_in_cents: 99_999 }, 'Affordable'],
    ['without a silver premium', { lowest_silver_in_cents: null }, null],
    ['in a year without figures', { plan_year_start: '2045-01-01' }, null],
    // 10.00% of $18,000 per year is $150.00 per month.
    ['in a year with saved figures', { ...reported, lowest_silver_in_cents: 45_000 }, 'Affordable'],
    ['a cent above the saved figures', { ...reported, lowest_silver_in_cents: 45_001 }, 'Not Affordable'],
    ['in a year with incomplete saved figures', { ...reported, figures: [part] }, null],
    ['by saved figures rather than those in the release', { figures: [{ ...part, year: 2026 }] }, 'Affordable'],
  ] as const)('%s', (_, input, expected) => expect(affordabilityOf({ ...facts, ...input })).toBe(expected))

  it.each([
    // 10.22% of $15,960 per year is $135.93 per month.
    ['2027-01-01', 43_592, 'Affordable'],
    ['2027-01-01', 43_593, 'Not Affordable'],
    ['2027-06-01', 43_592, 'Affordable'],
    ['2027-07-01', 30_000, null],
  ] as const)('of a plan year from %s with a silver premium of %d is %s', (plan_year_start, premium, expected) =>
    expect(affordabilityOf({ ...facts, plan_year_start, lowest_silver_in_cents: premium })).toBe(expected),
  )

  it.each([
    ['2026-01-01', []],
    ['2027-01-01', []],
    ['2027-07-01', ['poverty_guidelines 2027']],
    ['2028-01-01', ['required_contribution_percentage 2028', 'poverty_guidelines 2027']],
    ['2028-12-01', ['required_contribution_percentage 2028', 'poverty_guidelines 2028']],
  ])('lacks these figures for a plan year from %s: %j', (plan_year_start, missing) =>
    expect(missingFiguresOf(plan_year_start, []).map(({ figure, year }) => `${figure} ${year}`)).toEqual(missing),
  )

  it.each([
    ['2026-11-28', []],
    ['2027-03-02', []],
    ['2027-03-03', ['poverty_guidelines 2027']],
    ['2027-09-02', ['poverty_guidelines 2027']],
    ['2027-09-03', ['poverty_guidelines 2027', 'required_contribution_percentage 2028', 'assessable_payments 2028']],
  ])('has figures due on %s: %j', (today, due) =>
    expect(figuresDue(today).map(({ figure, year }) => `${figure} ${year}`)).toEqual(due),
  )

  const year = { plan_year_start: '2026-01-01', state: 'TX', monthly_wage_in_cents: 400_000 }
  it.each([
    ['a cost of zero uses the poverty line', 0, {}, 'federal_poverty_line'],
    [
      'a cost within the poverty line uses it, regardless of the wage',
      12_989,
      { monthly_wage_in_cents: 1 },
      'federal_poverty_line',
    ],
    ['a cent above the poverty line uses the wage', 12_990, {}, 'rate_of_pay'],
    // 9.96% of $4,000.
    ['the highest cost within the wage safe harbor uses it', 39_840, {}, 'rate_of_pay'],
    ['a cent above the wage safe harbor has none', 39_841, {}, null],
    ['a cost above the poverty line without a wage has none', 12_990, { monthly_wage_in_cents: null }, null],
  ] as const)('%s', (_, cost, input, safe_harbor) =>
    expect(decideAffordability(cost, { ...year, ...input })).toEqual({
      verdict: safe_harbor === null ? 'Not Affordable' : 'Affordable',
      safe_harbor,
    }),
  )
  it('is unknown in a year without figures', () =>
    expect(decideAffordability(0, { ...year, plan_year_start: '2045-01-01' })).toBeNull())
})

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
