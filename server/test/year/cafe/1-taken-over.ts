// May and June 2026: the café is taken over in the middle of its plan year.
import { expect, it } from 'vitest'
import { daysBetween } from '../../../kernel/days.ts'
import { aPerson } from '../../fixtures.ts'
import { sure } from '../../pick.ts'
import { useApi } from '../../harness.ts'
import { EmployerClient } from '../employer-client.ts'

/**
 * The Copper Kettle, a café of twelve with minimum essential coverage, from its start here in the middle of 2026 to its
 * return in the spring of 2027. It pays every other Friday. Its people:
 *
 * Agnes, the owner, has a family. Bo, Clara, Hana, Ivo and Kei are covered alone at first. Elsa has a son of 25, Femi a
 * wife. Nora has the larger plan. Dov is covered elsewhere, Jun never submits anything, and Gil works part time.
 */
export const cafe = new EmployerClient(useApi())

/** The premiums of a plan for EE, ES, EC and EF, effective from a day. */
const priced = (plan: object, effective_on: string, premiums: number[]) =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => ({
    ...plan,
    coverage_tier,
    premium_in_cents: premiums[at],
    effective_on,
  }))

const care = { carrier: 'Evergreen Health', product_code: 'MEC', benefit: 'Care' }
const teeth = { carrier: 'Brightside', product_code: 'VD', benefit: 'Teeth', plan: 'Teeth' }
const catalog = [
  ...priced({ ...care, plan: 'Base' }, '2026-01-01', [8_900, 17_500, 16_500, 24_900]),
  ...priced({ ...care, plan: 'Plus' }, '2026-01-01', [12_900, 25_000, 23_500, 35_000]),
  ...priced({ ...care, plan: 'Base' }, '2027-01-01', [9_300, 18_300, 17_200, 26_000]),
  ...priced(teeth, '2026-01-01', [3_200, 6_400, 7_100, 10_300]),
]

/** The café pays 62.5% for employees who enroll alone, and half for families. */
export const contributions = [
  { coverage_tier: 'EE', method: 'percentage', percentage: 62.5 },
  { coverage_tier: null, method: 'percentage', percentage: 50 },
]

/** A row of the café's roster. Only employees hired before this year have a reference. */
export const staff = (first_name: string, date_of_birth: string, input: object = {}) => ({
  ...aPerson(),
  first_name,
  last_name: 'Kettle',
  email: `${first_name.toLowerCase()}@copper-kettle.example`,
  reference_id: `CK-${first_name}`,
  date_of_birth,
  start_date: '2022-04-04',
  employee_class: 'Full Time',
  ...input,
})

/** The twelve employees, as in every roster. */
export const roster = [
  staff('Agnes', '1984-03-02'),
  staff('Bo', '1996-07-30'),
  staff('Clara', '1999-01-12'),
  staff('Dov', '1990-10-10'),
  staff('Elsa', '1975-05-21'),
  staff('Femi', '1988-12-01'),
  staff('Gil', '2002-02-20', { employee_class: 'Part Time' }),
  staff('Hana', '1994-06-06'),
  staff('Ivo', '1998-08-18'),
  staff('Jun', '2001-11-03'),
  staff('Kei', '1993-09-09'),
  staff('Nora', '1980-04-14'),
]

it('creates the café on May 11 with twelve employees whose coverage began in January elsewhere', async () => {
  // The café pays on Friday, June 5, and every other Friday. A pay period begins on Saturday, May 23.
  await cafe.begin('2026-05-11', (day) => daysBetween('2026-05-23', day) % 14 === 0)
  await cafe.stock(catalog)
  await cafe.joins(
    { name: 'Copper Kettle', legal_name: 'Copper Kettle LLC' },
    { pay_frequency: 'bi_weekly', first_pay_date: '2026-06-05', census_mode: 'replace', arrears_limit_percent: 50 },
  )
  await cafe.administer({ administered_from: '2026-06-01' })
  const policy = { classification: 'full_time', waiting_period: '30_days', start_alignment: 'first_of_month' }
  await cafe.adopts(policy)
  await cafe.offers('2026', {
    coverage_start: '2026-01-01',
    benefits: [{ benefit_id: sure(cafe.plans.get('Base')).benefit_id, contribution_tiers: contributions }],
  })
  const outcome = await cafe.census(roster)
  expect(outcome).toMatchObject({ state: 'completed', counts: { created: 12, failed: 0 }, warnings: [] })
  // Gil works part time and is not eligible.
  expect(await cafe.counts()).toMatchObject({
    'employee.created': 12,
    'employee.eligibility_granted': 11,
    'enrollment.granted': 11,
    'enrollment.started': 11,
    'census_sync.completed': 1,
  })
})

it('records the elections that employees had made with the previous administrator, on May 12', async () => {
  await cafe.until('2026-05-12')
  await cafe.brings(
    'Agnes',
    ['spouse', 'Bruno', '1983-01-19'],
    ['child', 'Carl', '2014-06-01'],
    ['child', 'Dora', '2017-02-03'],
  )
  await cafe.brings('Elsa', ['child', 'Finn', '2000-09-14'])
  await cafe.brings('Femi', ['spouse', 'Grace', '1989-04-04'])
  for (const [name, plan, tier] of [
    ['Agnes', 'Base', 'EF'],
    ['Bo', 'Base', 'EE'],
    ['Clara', 'Base', 'EE'],
    ['Elsa', 'Base', 'EC'],
    ['Femi', 'Base', 'ES'],
    ['Hana', 'Base', 'EE'],
    ['Ivo', 'Base', 'EE'],
    ['Kei', 'Base', 'EE'],
    ['Nora', 'Plus', 'EE'],
  ] as const)
    await cafe.elects(name, plan, tier)
  await cafe.waives('Dov', 'Base')
  expect(await cafe.status('Agnes')).toEqual(['Care 2026, enrolled, Base, EF, from 2026-01-01'])
  expect(await cafe.status('Dov')).toEqual(['Care 2026, waived, from 2026-01-01'])
  expect(await cafe.status('Jun')).toEqual(['Care 2026, pending, from 2026-01-01'])
  expect(await cafe.status('Gil')).toEqual([])
  expect(await cafe.counts()).toEqual({
    'enrollment.elected': 9,
    'enrollment.accepted': 9,
    'enrollment.waived': 1,
  })
})

it('deducts first on June 5, and nothing for the months before the café was taken over', async () => {
  await cafe.until('2026-06-01')
  // Seven months starting in June are spread over the fifteen paydays from June 5 to December 18. An employee who is
  // covered alone pays 89.00 − 55.63 (62.5%, half up) = 33.37 a month. That is 233.59, of which a fifteenth is 15.57.
  // Nora pays 48.37 of 129.00.
  expect(await cafe.paycheck('2026-06-05')).toEqual({
    Agnes: 'Care 58.10',
    Bo: 'Care 15.57',
    Clara: 'Care 15.57',
    Elsa: 'Care 38.50',
    Femi: 'Care 40.83',
    Hana: 'Care 15.57',
    Ivo: 'Care 15.57',
    Kei: 'Care 15.57',
    Nora: 'Care 22.57',
  })
})

it('bills June and no earlier month', async () => {
  expect(await cafe.bill('2026-06')).toEqual({
    // Employees pay 124.50 + 82.50 + 87.50 + 48.37 + 5 × 33.37.
    total: '1163.00, of it employees 509.72',
    Agnes: 'Care EF 249.00',
    Bo: 'Care EE 89.00',
    Clara: 'Care EE 89.00',
    Elsa: 'Care EC 165.00',
    Femi: 'Care ES 175.00',
    Hana: 'Care EE 89.00',
    Ivo: 'Care EE 89.00',
    Kei: 'Care EE 89.00',
    Nora: 'Care EE 129.00',
  })
  expect(await cafe.invoice('2026-06')).toMatchObject({ status: 'draft', drafted_on: '2026-06-01', due_on: null })
  await cafe.until('2026-06-04')
  expect(await cafe.invoice('2026-06')).toMatchObject({
    status: 'open',
    issued_on: '2026-06-04',
    due_on: '2026-07-04',
  })
  expect(await cafe.reconciles('2026-06')).toBe(true)
})

it('offers dental coverage starting in July in a separate plan year, with open enrollment until June 19', async () => {
  await cafe.until('2026-06-08')
  await cafe.news()
  await cafe.offers('', {
    coverage_start: '2026-07-01',
    open_enrollment_start: '2026-06-08',
    open_enrollment_end: '2026-06-19',
    benefits: [
      {
        benefit_id: sure(cafe.plans.get('Teeth')).benefit_id,
        contribution_tiers: [{ coverage_tier: null, method: 'fixed', amount_in_cents: 2_000 }],
      },
    ],
  })
  await cafe.until('2026-06-10')
  await cafe.elects('Agnes', 'Teeth', 'EF')
  await cafe.elects('Bo', 'Teeth', 'EE')
  expect(await cafe.counts()).toEqual({
    'enrollment.granted': 11,
    'enrollment.started': 11,
    'enrollment.elected': 2,
    'enrollment.accepted': 2,
  })
  await cafe.until('2026-06-20')
  await cafe.settles('2026-06', 'pay')
  expect(await cafe.invoice('2026-06')).toMatchObject({ status: 'paid', paid_on: '2026-06-20' })
  expect(await cafe.status('Bo')).toEqual([
    'Care 2026, enrolled, Base, EE, from 2026-01-01',
    'Teeth, enrolled, Teeth, EE, from 2026-07-01',
  ])
})
