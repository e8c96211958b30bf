// March to June 2026: the plan year is opened, shown and elected.
import { expect, it } from 'vitest'
import { aPerson } from '../../fixtures.ts'
import { first, pick, sure } from '../../pick.ts'
import { dollars, done, EmployerClient } from '../employer-client.ts'
import { useApi } from '../../harness.ts'

/**
 * Lantern Studio gives its people in four states an allowance for individual plans, from July 2026 to the renewal in
 * July 2027. It pays twice a month. Premiums are easy to calculate: each year of age costs 10.00 a month in Texas,
 * 11.00 in its county of Travis, 12.00 in Los Angeles and 9.00 in Florida, and ages below 15 count as 14. New York has
 * one premium for all ages. The allowance is 450.00, or 300.00 below forty, 150.00 for part-time employees, and 900.00
 * for a family.
 *
 * Omar lives in Travis County. Priya, with a large family, and Viktor, who waives, live elsewhere in Texas. Quinn lives
 * in New York, Rosa and Sven in Los Angeles, and Tomas and Una in Florida. Una works part time.
 */
export const studio = new EmployerClient(useApi())

const plan = { carrier: 'Silverline', product_code: 'ICHRA', benefit: 'Own Choice', plan: 'Silver' }
const bought = { carrier: 'Anybody', product_code: 'ICHRA_REIMBURSEMENT_ONLY', benefit: 'Bought', plan: 'Bought' }

/** The premiums of an area as cents per year of age: 0-14, each age to 63, and 64 and over. */
export const area = (where: object, cents_a_year: number, effective_on = '2026-01-01') =>
  Array.from({ length: 51 }, (_, at) => ({
    ...plan,
    ...where,
    age: at === 0 ? '0-14' : at === 50 ? '64 and over' : 14 + at,
    premium_in_cents: cents_a_year * (14 + at),
    effective_on,
  }))

const new_york = [60_000, 120_000, 102_000, 171_000].map((premium_in_cents, at) => ({
  ...plan,
  state: 'NY',
  coverage_tier: ['EE', 'ES', 'EC', 'EF'][at],
  premium_in_cents,
  effective_on: '2026-01-01',
}))

const catalog = [
  ...area({ state: 'TX' }, 1_000),
  ...area({ state: 'TX', county: 'Travis' }, 1_100),
  ...area({ state: 'CA', county: 'Los Angeles' }, 1_200),
  ...area({ state: 'FL' }, 900),
  ...new_york,
  { ...bought, allowance_in_cents: 30_000 },
]

const allowances = [
  { name: 'Part time', employee_class: 'Part Time', allowance_in_cents: 15_000 },
  { name: 'Families', coverage_tier: 'EF', allowance_in_cents: 90_000 },
  { name: 'Below forty', max_age: 39, allowance_in_cents: 30_000 },
  { name: 'From forty on', allowance_in_cents: 45_000 },
]

/** The addresses of people. */
export const living = {
  travis: { city: 'Austin', state: 'TX', county: 'Travis', zipcode: '78701' },
  texas: { city: 'Lubbock', state: 'TX', zipcode: '79401' },
  newYork: { city: 'Buffalo', state: 'NY', zipcode: '14202' },
  losAngeles: { city: 'Pasadena', state: 'CA', county: 'Los Angeles', zipcode: '91101' },
  florida: { city: 'Tampa', state: 'FL', zipcode: '33602' },
}

export const artist = (first_name: string, date_of_birth: string, where: keyof typeof living, input: object = {}) => ({
  ...aPerson(),
  first_name,
  last_name: 'Lantern',
  email: `${first_name.toLowerCase()}@lantern-studio.example`,
  reference_id: `LS-${first_name}`,
  date_of_birth,
  start_date: '2024-02-05',
  employee_class: 'Full Time',
  address: { address_line_1: '7 Wick St', ...living[where] },
  ...input,
})

/** The cost that a person's enrollment shows before the election: the premium of each tier, and the deduction. */
async function shown(studio: EmployerClient, name: string): Promise<Record<string, string>> {
  const { id } = await studio.enrollment(name, 'Silver')
  const { plans } = done(await studio.api.get(`/v1/enrollments/${id}`)).data
  const print = (cents: number | null) => (cents === null ? 'unknown' : dollars(cents))
  const tiers = first(plans).tiers.map((tier) => [
    tier.coverage_tier,
    `${print(tier.premium_in_cents)}, of it ${print(tier.employee_deduction_in_cents)}`,
  ])
  return Object.fromEntries(tiers)
}

/** Whether the allowance is affordable, according to the enrollments of a plan year. */
export async function affordable(studio: EmployerClient, called: string): Promise<Record<string, string | null>> {
  const year = `/v1/employers/${studio.employer_id}/benefit-plan-years/${sure(studio.years.get(called))}` as const
  const { data } = done(await studio.api.get(`${year}/enrollments?limit=100`))
  const theirs = data.filter((row) => row.benefit_name === 'Own Choice')
  return Object.fromEntries(theirs.map((row) => [row.member_first_name, row.affordability]))
}

it('is opened in March for July, in time for the notice', async () => {
  // Pay periods begin on the 1st and the 16th.
  await studio.begin('2026-03-16', (day) => day.endsWith('-16'))
  await studio.stock(catalog)
  await studio.joins(
    { name: 'Lantern Studio', legal_name: 'Lantern Studio Inc.' },
    { pay_frequency: 'semi_monthly', deduction_method: 'per_month' },
  )
  await studio.adopts({ classification: 'all', waiting_period: 'first_of_following_month' })
  const outcome = await studio.census([
    artist('Omar', '1971-02-10', 'travis'),
    artist('Priya', '1988-09-15', 'texas'),
    artist('Quinn', '1964-01-30', 'newYork'),
    artist('Rosa', '2000-08-08', 'losAngeles'),
    artist('Sven', '1990-02-02', 'losAngeles'),
    artist('Tomas', '1963-03-01', 'florida'),
    artist('Una', '1999-06-30', 'florida', { employee_class: 'Part Time' }),
    artist('Viktor', '1995-10-01', 'texas'),
  ])
  expect(outcome).toMatchObject({ counts: { created: 8, failed: 0 } })
  const id = await studio.offers('2026', {
    coverage_start: '2026-07-01',
    open_enrollment_start: '2026-05-01',
    open_enrollment_end: '2026-05-31',
    benefits: [
      { benefit_id: sure(studio.plans.get('Silver')).benefit_id, ichra_contribution_classes: allowances },
      { benefit_id: sure(studio.plans.get('Bought')).benefit_id },
    ],
  })
  const years = done(await studio.api.get(`/v1/employers/${studio.employer_id}/benefit-plan-years`)).data
  // Ninety days before July 1.
  expect(pick(years, (year) => year.id === id)).toMatchObject({
    notice_due_on: '2026-04-02',
    status: 'upcoming',
    employee_contribution: null,
    employer_contribution: { min_cents: 15_000, max_cents: 90_000 },
  })
})

it('shows each employee in May the cost of a plan at their age and location and with their family', async () => {
  await studio.until('2026-05-04')
  // Omar is 55 on July 1: 55 × 11.00, less 450.00.
  expect(await shown(studio, 'Omar')).toMatchObject({ EE: '605.00, of it 155.00', EF: 'unknown, of it unknown' })
  expect(await shown(studio, 'Quinn')).toEqual({
    EE: '600.00, of it 150.00',
    ES: '1200.00, of it 750.00',
    EC: '1020.00, of it 570.00',
    EF: '1710.00, of it 810.00',
  })
  // 25 × 12.00 equals the studio's allowance. 27 × 9.00 exceeds the allowance for part-time employees by 93.00.
  expect(await shown(studio, 'Rosa')).toMatchObject({ EE: '300.00, of it 0.00' })
  expect(await shown(studio, 'Una')).toMatchObject({ EE: '243.00, of it 93.00' })
  await studio.brings(
    'Priya',
    ['spouse', 'Ravi', '1987-03-03'],
    ['child', 'Vik', '2003-01-20'],
    ['child', 'Tara', '2005-12-01'],
    ['child', 'Ursula', '2009-04-04'],
    ['child', 'Nila', '2012-02-02'],
    ['child', 'Asha', '2015-05-05'],
  )
  // 37 + 39 + 23, and the three oldest children below 21: 20 + 17 + 14. That is 150 years at 10.00.
  expect(await shown(studio, 'Priya')).toMatchObject({ EE: '370.00, of it 70.00', EF: '1500.00, of it 600.00' })
})

it('determines affordability from the lowest-cost silver plan, the poverty line, and a reported wage', async () => {
  const silver = [
    { state: 'TX', premium_in_cents: 45_000 },
    { state: 'TX', county: 'Travis', premium_in_cents: 70_000 },
    { state: 'NY', premium_in_cents: 58_000 },
    { state: 'CA', premium_in_cents: 50_000 },
    { state: 'FL', premium_in_cents: 55_000 },
  ].flatMap((row) => ['0-63', '64+'].map((age) => ({ ...row, age, effective_on: '2026-07-01' })))
  done(await studio.operate('lowest-cost-silver-premiums/import', { rows: silver }))
  // A twelfth of 15,960.00 at 9.96% is 132.46. Quinn would pay 130.00 and Tomas 100.00. All others would pay more than
  // that.
  expect(await affordable(studio, '2026')).toEqual({
    Omar: 'Not Affordable',
    Priya: 'Not Affordable',
    Quinn: 'Affordable',
    Rosa: 'Not Affordable',
    Sven: 'Not Affordable',
    Tomas: 'Affordable',
    Una: 'Not Affordable',
    Viktor: 'Not Affordable',
  })
  // 9.96% of 3,200.00 is 318.72.
  const wage = { monthly_wage_in_cents: 320_000, effective_on: '2026-01-01' }
  done(await studio.api.put(`/v1/employees/${studio.idOf('Omar')}/wage`, wage))
  expect(await affordable(studio, '2026')).toMatchObject({ Omar: 'Affordable', Priya: 'Not Affordable' })
})

it("records six elections, Sven's individual plan bought elsewhere, and Viktor's waiver", async () => {
  await studio.until('2026-05-20')
  for (const [name, tier] of [
    ['Omar', 'EE'],
    ['Priya', 'EF'],
    ['Quinn', 'EE'],
    ['Rosa', 'EE'],
    ['Una', 'EE'],
  ] as const)
    await studio.elects(name, 'Silver', tier)
  const from_exchange = { bought_on_exchange: true }
  expect(await studio.elects('Tomas', 'Silver', 'EE', from_exchange)).toMatchObject({
    premium_in_cents: 56_700,
    employer_contribution_in_cents: 45_000,
    employee_deduction_in_cents: 11_700,
  })
  const individual_plan = { name: 'Pacific Silver', premium_in_cents: 41_000 }
  expect(await studio.elects('Sven', 'Bought', 'EE', { individual_plan, ...from_exchange })).toMatchObject({
    individual_plan_name: 'Pacific Silver',
    premium_in_cents: 41_000,
    employer_contribution_in_cents: 30_000,
    employee_deduction_in_cents: 0,
  })
  await studio.waives('Viktor', 'Silver')
  expect(await studio.status('Priya')).toContain('Own Choice 2026, enrolled, Silver, EF, from 2026-07-01')
})
