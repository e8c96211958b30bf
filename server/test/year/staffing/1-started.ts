// March to May 2026: three hundred people elect.
import { expect, it } from 'vitest'
import { daysBetween } from '../../../kernel/days.ts'
import { pick, sure } from '../../pick.ts'
import { done, EmployerClient } from '../employer-client.ts'
import { useApi } from '../../harness.ts'

/**
 * Harvest Staffing with three hundred hourly employees, from May 2026 to the renewal in May 2027. Minimum essential
 * coverage costs 89.00 a month, of which employees pay half, 44.50. For minimum value plans, the firm pays 70%:
 * employees pay 94.50 of 315.00 for Bronze and 126.00 of 420.00 for Silver. Payday is every Friday, without deductions
 * on a fifth Friday of a month.
 *
 * People have numbers. Those whose number ends in 1 to 4 elect minimum essential coverage, in 5 Bronze, and in 6
 * Silver. Those in 7 waive, and all others submit nothing.
 */
export const firm = new EmployerClient(useApi())

const priced = (plan: object, effective_on: string, premium_in_cents: number) => ({
  carrier: 'Evergreen Health',
  ...plan,
  coverage_tier: 'EE',
  premium_in_cents,
  effective_on,
})
const mec = { product_code: 'MEC', benefit: 'MEC', plan: 'Essential' }
const mvp = { product_code: 'MVP', benefit: 'MVP' }
const catalog = [
  priced(mec, '2026-01-01', 8_900),
  priced({ ...mvp, plan: 'Bronze' }, '2026-01-01', 31_500),
  priced({ ...mvp, plan: 'Silver' }, '2026-01-01', 42_000),
  priced(mec, '2027-05-01', 9_200),
  priced({ ...mvp, plan: 'Silver' }, '2027-05-01', 44_000),
  priced({ ...mvp, plan: 'Bronze Plus' }, '2027-05-01', 33_000),
]

/** The first name of a person by number: 1 is Baaa, 28 is Bbbb. */
export function called(number: number): string {
  const letters = [676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor((number - 1) / unit) % 26)))
  return `B${letters.join('')}`
}

/** The roster row of a person by number, hired last year unless `input` differs. */
export const worker = (number: number, input: object = {}) => ({
  first_name: called(number),
  last_name: 'Field',
  email: `worker${number}@harvest-staffing.example`,
  phone: `20255${String(50_000 + number)}`,
  date_of_birth: `19${60 + (number % 40)}-0${1 + (number % 9)}-1${number % 10}`,
  reference_id: `HS-${number}`,
  start_date: '2025-10-06',
  employee_class: 'Temporary',
  compensation_type: 'Hourly',
  ...input,
})

/** The numbers from `from` to `to`, inclusive. */
export const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

/** The numbers in `of` that end in one of these digits. */
export const ending = (digits: number[], of: number[]): number[] => of.filter((number) => digits.includes(number % 10))

/** The number of paychecks on a payday by their lines. */
export async function shapes(firm: EmployerClient, payday: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const input of Object.values(await firm.paycheck(payday))) counts[input] = (counts[input] ?? 0) + 1
  return counts
}

/** The ids of enrollments in a plan year, by person and benefit. */
async function enrollmentIds(firm: EmployerClient, year: string): Promise<Map<string, string>> {
  const path = `/v1/employers/${firm.employer_id}/benefit-plan-years/${sure(firm.years.get(year))}/enrollments` as const
  const ids = new Map<string, string>()
  for (let page = 1, total_pages = 1; page <= total_pages; page++) {
    const answer = done(await firm.api.get(`${path}?limit=100&page=${page}`))
    for (const row of answer.data) ids.set(`${row.member_first_name} ${row.benefit_name}`, row.enrollment_id)
    ;({ total_pages } = answer.pagination)
  }
  return ids
}

/** Elects a plan for many people, as the partner. */
export async function electAll(firm: EmployerClient, year: string, plan: string, who: number[]): Promise<void> {
  const ids = await enrollmentIds(firm, year)
  const { plan_id } = sure(firm.plans.get(plan))
  for (const number of who) {
    const id = sure(ids.get(`${called(number)} ${plan === 'Essential' ? 'MEC' : 'MVP'}`))
    done(await firm.api.post(`/v1/enrollments/${id}/elect`, { plan_id, coverage_tier: 'EE' }))
  }
}

const all_organizations = numbers(1, 300)

it('sends its roster of three hundred on March 16, for coverage starting in May', async () => {
  // Payday is Friday, and a pay period begins on Saturday.
  await firm.begin('2026-03-16', (day) => daysBetween('2026-04-25', day) % 7 === 0 && day >= '2026-04-25')
  await firm.stock(catalog)
  await firm.joins(
    { name: 'Harvest Staffing', legal_name: 'Harvest Staffing LP' },
    { pay_frequency: 'weekly', first_pay_date: '2026-05-01', deductions_per_year: 48, census_mode: 'replace' },
  )
  await firm.adopts({
    employee_classes: ['Full Time', 'Temporary'],
    compensation_types: ['Hourly'],
    waiting_period: '60_days',
    start_alignment: 'first_of_month',
  })
  await firm.offers('2026', {
    coverage_start: '2026-05-01',
    open_enrollment_start: '2026-04-01',
    open_enrollment_end: '2026-04-15',
    benefits: [
      {
        benefit_id: sure(firm.plans.get('Essential')).benefit_id,
        contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }],
      },
      {
        benefit_id: sure(firm.plans.get('Bronze')).benefit_id,
        contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 70 }],
      },
    ],
  })
  expect(await firm.census(all_organizations.map((number) => worker(number)))).toMatchObject({
    state: 'completed',
    counts: { created: 300, failed: 0 },
  })
  expect(await firm.counts()).toMatchObject({ 'employee.created': 300 })
  await firm.until('2026-04-01')
  expect(await firm.counts()).toMatchObject({ 'enrollment.granted': 600, 'enrollment.started': 600 })
})

it('enrolls 120 people in essential coverage and 60 in medical plans, and waives 30, by April 15', async () => {
  await firm.until('2026-04-08')
  await electAll(firm, '2026', 'Essential', ending([1, 2, 3, 4], all_organizations))
  await electAll(firm, '2026', 'Bronze', ending([5], all_organizations))
  await electAll(firm, '2026', 'Silver', ending([6], all_organizations))
  const ids = await enrollmentIds(firm, '2026')
  for (const number of ending([7], all_organizations))
    done(await firm.api.post(`/v1/enrollments/${sure(ids.get(`${called(number)} MEC`))}/waive`, {}))
  const years = done(await firm.api.get(`/v1/employers/${firm.employer_id}/benefit-plan-years`)).data
  expect(pick(years, (year) => year.year === 2026).enrollment_rate).toEqual({
    eligible: 300,
    enrolled: 180,
    percentage: 60,
  })
})

it('deducts a quarter of a month on four Fridays of May and nothing on the fifth', async () => {
  await firm.until('2026-05-04')
  // Eight months until December over 32 paydays: 11.125, 23.625 and 31.50 each.
  expect(await shapes(firm, '2026-05-01')).toEqual({ 'MEC 11.12': 120, 'MVP 23.62': 30, 'MVP 31.50': 30 })
  expect(await firm.collected('2026-05-01')).toBe('2988.00')
  await firm.until('2026-05-23')
  expect(await shapes(firm, '2026-05-08')).toEqual({ 'MEC 11.13': 120, 'MVP 23.63': 30, 'MVP 31.50': 30 })
  const paydays = ['2026-05-08', '2026-05-15', '2026-05-22', '2026-05-29']
  expect(await Promise.all(paydays.map((day) => firm.collected(day)))).toEqual([
    '2989.50',
    '2988.00',
    '2989.50',
    '0.00',
  ])
})

it('is billed for May: 120 × 89.00, 30 × 315.00 and 30 × 420.00', async () => {
  expect(await firm.invoice('2026-05')).toMatchObject({
    status: 'open',
    line_count: 180,
    total_in_cents: 3_273_000,
    employee_deduction_in_cents: 1_195_500,
    employer_contribution_in_cents: 2_077_500,
    issued_on: '2026-05-04',
  })
  expect(await firm.reconciles('2026-05')).toBe(true)
})
