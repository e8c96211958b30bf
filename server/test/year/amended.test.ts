import { beforeAll, expect, it } from 'vitest'
import { aPerson } from '../fixtures.ts'
import { useApi } from '../harness.ts'
import { only, sure } from '../pick.ts'
import { dollars, done, EmployerClient } from './employer-client.ts'

/**
 * Checks the statements and invoices after amendments that are reported late and withdrawn, with amounts calculated by
 * hand. Four employers have the same two people in the same plan and pay half of it: Ann alone, and Ben with his wife.
 * Each employer has different amendments, except Calm, which has none. They pay twice a month.
 */
const api = useApi()

const silver = { carrier: 'Evergreen Health', product_code: 'MVP', benefit: 'Medical', plan: 'Silver' }
const priced = (plan: object, effective_on: string, premiums: number[]) =>
  ['EE', 'ES', 'EC', 'EF'].map((coverage_tier, at) => ({
    ...plan,
    coverage_tier,
    premium_in_cents: premiums[at],
    effective_on,
  }))
const catalog = [
  ...priced(silver, '2026-01-01', [42_000, 84_000, 80_000, 120_000]),
  ...priced(silver, '2026-07-01', [44_001, 88_003, 83_000, 124_000]),
  ...priced({ ...silver, plan: 'Bronze' }, '2026-01-01', [31_500, 63_001, 60_000, 90_000]),
]

const share = (percentage: number) => [{ coverage_tier: null, method: 'percentage', percentage }]

/** Employers with different correction windows, in months, for statements and invoices. */
const [calm, dearer, closed, near] = ['Calm', 'Dearer', 'Closed', 'Near'].map((name) => ({
  name,
  client: new EmployerClient(api),
  reach: name === 'Near' ? 3 : 12,
})) as [Position, Position, Position, Position]
type Position = { name: string; client: EmployerClient; reach: number }
const positions = [calm, dearer, closed, near]
/** Moves the clock, which all employers share. */
const clock = calm.client

const benefit_id = () => sure(clock.plans.get('Silver')).benefit_id
const plan_id = (plan: string) => sure(clock.plans.get(plan)).plan_id
const pathOf = ({ client }: Position) => `benefit-plan-years/${sure(client.years.get('2026'))}/amendments` as const

beforeAll(async () => {
  await clock.begin('2026-03-10', (day) => day.endsWith('-16'))
  for (const [at, { name, client, reach }] of positions.entries()) {
    if (at === 0) await client.stock(catalog)
    else for (const [plan, ids] of clock.plans) client.plans.set(plan, ids)
    const settings = { pay_frequency: 'semi_monthly', deduction_method: 'per_month' }
    await client.joins({ name: `${name} Works`, legal_name: `${name} Works LLC` }, settings)
    await client.administer({ correction_reach_months: reach })
    await client.adopts({ classification: 'all', waiting_period: 'none' })
    const benefits = [{ benefit_id: benefit_id(), contribution_tiers: share(50) }]
    await client.offers('2026', { coverage_start: '2026-04-01', benefits })
    for (const [first_name, date_of_birth] of [
      ['Ann', `1990-05-1${at}`],
      ['Ben', `1985-08-2${at}`],
    ] as const) {
      const email = `${first_name}@${name}.example`
      const start_date = '2025-02-03'
      await client.hires({
        ...aPerson(),
        first_name,
        last_name: name,
        email,
        date_of_birth,
        start_date,
        reference_id: first_name,
      })
    }
  }
  await clock.until('2026-03-12')
  for (const { client } of positions) {
    await client.elects('Ann', 'Silver', 'EE')
    await client.brings('Ben', ['spouse', 'Bea', '1986-01-01'])
    await client.elects('Ben', 'Silver', 'ES')
  }
})

/** Reports an amendment and returns its id. */
async function amend(position: Position, input: object): Promise<string> {
  const answer = done(await position.client.operate(pathOf(position), { reason: 'Reported late', ...input }))
  await api.work()
  return (answer as unknown as { data: { id: string } }).data.id
}
async function preview(position: Position, input: object) {
  const path = `/operator/v1/${pathOf(position)}` as const
  const body = { reason: 'A preview', dry_run: true, ...input }
  return done(
    await api.post(path as '/operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments', body, {
      key: api.operator_key,
    }),
  )
}
async function withdraw(position: Position, amendment_id: string): Promise<void> {
  done(await position.client.operate(`${pathOf(position)}/${amendment_id}/withdraw`, { reason: 'Reported by mistake' }))
  await api.work()
}

it('deducts and bills a new price starting in its month when the amendment is reported in advance', async () => {
  await clock.until('2026-06-10')
  expect(await dearer.client.paycheck('2026-06-15')).toEqual({ Ann: 'Medical 105.00', Ben: 'Medical 210.00' })
  // Ann costs 440.01 a month starting in July, of which the employer pays 220.01 (rounded half up). Ben costs 880.03.
  await amend(dearer, { effective_on: '2026-07-01', repriced_plan_ids: [plan_id('Silver')] })
  await clock.until('2026-07-20')
  expect(await dearer.client.paycheck('2026-06-30')).toEqual({ Ann: 'Medical 105.00', Ben: 'Medical 210.00' })
  expect(await dearer.client.paycheck('2026-07-15')).toEqual({ Ann: 'Medical 110.00', Ben: 'Medical 220.00' })
  expect(await dearer.client.paycheck('2026-07-31')).toEqual({ Ann: 'Medical 110.00', Ben: 'Medical 220.01' })
  expect(await dearer.client.bill('2026-07')).toEqual({
    total: '1320.04, of it employees 660.01',
    Ann: 'Medical EE 440.01',
    Ben: 'Medical ES 880.03',
  })
})

/** The employer pays 40 percent from the start of the plan year. */
const less = () => ({
  effective_on: '2026-04-01',
  contributions: [{ benefit_id: benefit_id(), contribution_tiers: share(40) }],
})
const amendment_ids = { dearer: '', near: '', closed: '' }

it('previews the cost of a correction for each person, and the months outside the correction window', async () => {
  await clock.until('2026-08-20')
  // Ann pays 252.00 instead of 210.00 for April to June, and 264.01 instead of 220.00 from July. Ben pays 504.00 and
  // 528.02.
  const [of_dearer, of_near] = [await preview(dearer, less()), await preview(near, less())]
  expect(of_dearer.totals).toEqual({
    employee_count: 2,
    changed_employee_count: 2,
    losing_employee_count: 0,
    electing_employee_count: 0,
    before: {
      premium_in_cents: 3 * (42_000 + 84_000) + 9 * (44_001 + 88_003),
      employer_contribution_in_cents: 3 * (21_000 + 42_000) + 9 * (22_001 + 44_002),
      employee_deduction_in_cents: 3 * (21_000 + 42_000) + 9 * (22_000 + 44_001),
    },
    after: {
      premium_in_cents: 3 * (42_000 + 84_000) + 9 * (44_001 + 88_003),
      employer_contribution_in_cents: 3 * (16_800 + 33_600) + 9 * (17_600 + 35_201),
      employee_deduction_in_cents: 3 * (25_200 + 50_400) + 9 * (26_401 + 52_802),
    },
  })
  const beyond = ({ data }: typeof of_dearer) =>
    data.map(({ months }) => months.filter(({ is_corrected }) => !is_corrected).map(({ month }) => month))
  expect(beyond(of_dearer)).toEqual([[], []])
  expect(beyond(of_near)).toEqual([
    ['2026-04', '2026-05'],
    ['2026-04', '2026-05'],
  ])
  amendment_ids.dearer = await amend(dearer, less())
  amendment_ids.near = await amend(near, less())
})

it("corrects periods that are already closed, within the employer's correction window", async () => {
  await clock.until('2026-09-10')
  // Ann: three months of 42.00 and two of 44.01. Ben: three of 84.00 and two of 88.01.
  expect(await dearer.client.paycheck('2026-09-15')).toEqual({
    Ann: 'Medical 132.00, Medical correction 214.02',
    Ben: 'Medical 264.01, Medical correction 428.02',
  })
  // June to August only, at 42.00 and 84.00 each.
  expect(await near.client.paycheck('2026-09-15')).toEqual({
    Ann: 'Medical 126.00, Medical correction 126.00',
    Ben: 'Medical 252.00, Medical correction 252.00',
  })
  // The premium is unchanged, but the employee shares are now 264.01 and 528.02, plus 214.02 and 428.02 for earlier
  // months.
  expect((await dearer.client.bill('2026-09')).total).toBe('1320.04, of it employees 1434.07')
  expect((await near.client.bill('2026-09')).total).toBe('1260.00, of it employees 1134.00')
  for (const { client } of [dearer, near]) expect(await client.reconciles('2026-09')).toBe(true)
})

it('refunds an amendment that is withdrawn, with the next statement and invoice', async () => {
  await clock.until('2026-09-20')
  await withdraw(dearer, amendment_ids.dearer)
  await withdraw(near, amendment_ids.near)
  await clock.until('2026-10-10')
  // The whole correction, plus September, for which payroll had deducted 44.01 too much from Ann and 88.01 from Ben.
  expect(await dearer.client.paycheck('2026-10-15')).toEqual({
    Ann: 'Medical 110.00, Medical correction -258.03',
    Ben: 'Medical 220.00, Medical correction -516.03',
  })
  expect((await dearer.client.bill('2026-10')).total).toBe('1320.04, of it employees -114.05')
  // July to September. June is outside the correction window by now, so its bill does not change.
  expect(await near.client.paycheck('2026-10-15')).toEqual({
    Ann: 'Medical 105.00, Medical correction -126.00',
    Ben: 'Medical 210.00, Medical correction -252.00',
  })
  expect((await near.client.bill('2026-10')).total).toBe('1260.00, of it employees 252.00')
})

it('leaves months outside the correction window to the operator, in payroll and in invoices', async () => {
  for (const [name, cents] of [
    ['Ann', -4_200],
    ['Ben', -8_400],
  ] as const) {
    const { id } = await near.client.enrollment(name, 'Silver')
    const booked = { month: '2026-06', tax_classification: 'Pre-tax', reason: 'Amended by mistake' }
    done(
      await near.client.operate(`enrollments/${id}/manual-adjustments`, {
        ...booked,
        employee_deduction_in_cents: cents,
        employer_contribution_in_cents: -cents,
      }),
    )
  }
  await clock.until('2026-10-20')
  expect(await near.client.paycheck('2026-10-31')).toEqual({
    Ann: 'Medical manual_adjustment -42.00, Medical 105.00',
    Ben: 'Medical manual_adjustment -84.00, Medical 210.00',
  })
})

it('withdraws a price that was billed for months', async () => {
  await clock.until('2026-11-05')
  const listed = done(await api.get(`/operator/v1/${pathOf(dearer)}` as const, { key: api.operator_key })) as {
    data: { id: string; withdrawn_at: string | null }[]
  }
  await withdraw(dearer, only(listed.data.filter(({ withdrawn_at }) => withdrawn_at === null)).id)
  await clock.until('2026-12-10')
  // Ann: four months of 10.00 and half of November. Ben: four of 20.01, and 220.00 was deducted instead of 210.00.
  expect(await dearer.client.paycheck('2026-11-30')).toEqual({
    Ann: 'Medical 105.00, Medical correction -45.00',
    Ben: 'Medical 210.00, Medical correction -90.04',
  })
  // July to November: 20.01 and 40.03 less for each month, of which employees pay 10.00 and 20.01.
  expect((await dearer.client.bill('2026-12')).total).toBe('959.80, of it employees 479.95')
})

it('deducts the plan that an employee chose after theirs was closed, until the closing is withdrawn', async () => {
  const { client } = closed
  // The plan closes starting next month. Ann may choose another immediately.
  amendment_ids.closed = await amend(closed, { effective_on: '2027-01-01', closed_plan_ids: [plan_id('Silver')] })
  await client.elects('Ann', 'Bronze', 'EE')
  await clock.until('2027-01-20')
  // Bronze costs 315.00 for Ann. Ben chooses nothing.
  expect(await client.paycheck('2026-12-31')).toEqual({ Ann: 'Medical 105.00', Ben: 'Medical 210.00' })
  expect(await client.paycheck('2027-01-31')).toEqual({ Ann: 'Medical 78.75' })
  expect(await client.bill('2027-01')).toEqual({ total: '315.00, of it employees 157.50', Ann: 'Medical EE 315.00' })
  await withdraw(closed, amendment_ids.closed)
  await clock.until('2027-02-10')
  // The January premium of Silver, and a refund of the premium of Bronze.
  expect(await client.paycheck('2027-02-15')).toEqual({
    Ann: 'Medical 105.00, Medical correction 210.00, Medical correction -157.50',
    Ben: 'Medical 210.00, Medical correction 420.00',
  })
  expect((await client.bill('2027-02')).total).toBe('2205.00, of it employees 1102.50')
})

it('bills and deducts in the end, to the cent, as if withdrawn facts had never been reported', async () => {
  const inAll = async ({ client }: Position) => {
    const invoices = done(await api.get(`/v1/employers/${client.employer_id}/invoices?limit=100`)).data
    const cents = (field: 'total_in_cents' | 'employee_deduction_in_cents') =>
      dollars(invoices.reduce((sum, invoice) => sum + invoice[field], 0))
    const path = `/v1/employers/${client.employer_id}/payroll-deduction-statements?limit=100` as const
    const statements = done(await api.get(path)).data
    const proofs = ['Ann', 'Ben'].flatMap((name) => [2026, 2027].map((year) => client.proof(name, year)))
    // For a month outside the correction window, the amount due is the billed amount: Near's June, which was corrected
    // by a manual adjustment.
    const proven = (await Promise.all(proofs)).map(({ taken: _, due: __, ...proof }) => proof)
    return {
      billed: cents('total_in_cents'),
      of_employees: cents('employee_deduction_in_cents'),
      collected: dollars(statements.reduce((sum, { total_in_cents }) => sum + total_in_cents, 0)),
      proven,
    }
  }
  const never_reported = await inAll(calm)
  // Eleven months of 1260.00, half of it paid by employees. The first half of February is deducted by now.
  expect(never_reported).toMatchObject({ billed: '13860.00', of_employees: '6930.00', collected: '6615.00' })
  for (const position of [dearer, closed, near]) expect(await inAll(position), position.name).toEqual(never_reported)
})
