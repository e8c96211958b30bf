import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { largest_stripe_amount, max_stripe_lines } from '../../../integrations/stripe/stripe.ts'
import { isConflict, linesToAdd, nextStep, stripeLines, type LineSum, type MirrorStep } from './rules.ts'

const ours = ['open', 'paid', 'void'] as const
const theirs = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
const known = { is_created: true, has_all_lines: true }

describe('the next step', () => {
  it.each<[(typeof ours)[number], (typeof theirs)[number] | undefined, MirrorStep | undefined]>([
    ['open', undefined, 'create'],
    ['open', 'draft', 'finalize'],
    ['open', 'open', undefined],
    ['open', 'uncollectible', undefined],
    ['open', 'paid', 'record paid'],
    ['open', 'void', 'record void'],
    ['paid', 'draft', 'finalize'],
    ['paid', 'open', 'pay'],
    ['paid', 'uncollectible', 'pay'],
    ['paid', 'paid', undefined],
    ['paid', 'void', undefined],
    ['void', 'draft', 'delete'],
    ['void', 'open', 'void'],
    ['void', 'paid', undefined],
    ['void', 'void', undefined],
  ])('for an invoice that is %s here and %s there is: %s', (status, there, step) => {
    expect(nextStep(status, { ...known, theirs: there && { status: there } })).toBe(step)
  })

  it('adds missing lines first, except to a void invoice', () => {
    const lacking = { is_created: true, has_all_lines: false, theirs: { status: 'draft' as const } }
    expect(ours.map((status) => nextStep(status, lacking))).toEqual(['add lines', 'add lines', 'delete'])
  })

  it('creates a void invoice only to find the result of an earlier request', () => {
    expect(nextStep('void', { ...known, theirs: undefined, is_created: false })).toBeUndefined()
    expect(nextStep('void', { ...known, theirs: undefined })).toBe('create')
  })
})

it('detects that one side is paid and the other void', () => {
  const found = ours.flatMap((status) =>
    theirs.filter((there) => isConflict(status, { status: there })).map((there) => [status, there]),
  )
  expect(found).toEqual([
    ['paid', 'void'],
    ['void', 'paid'],
  ])
})

describe('lines', () => {
  const sum: LineSum = {
    month: '2026-03-01',
    kind: 'coverage',
    benefit_name: 'Medical',
    plan_name: 'Gold',
    coverage_tier: 'EE',
    line_count: 2,
    premium_in_cents: 120_000,
  }

  it('contain the month, plan and count, but no person', () => {
    const adjustment: LineSum = { ...sum, kind: 'adjustment', month: '2026-02-01', line_count: 1, premium_in_cents: -5 }
    expect(stripeLines([sum, adjustment])).toEqual([
      {
        key: '1',
        amount_in_cents: 120_000,
        description: 'March 2026 · Medical · Gold · Employee only · 2 enrollments',
      },
      {
        key: '2',
        amount_in_cents: -5,
        description: 'Adjustment for February 2026 · Medical · Gold · Employee only · 1 enrollment',
      },
    ])
  })

  it('are grouped by benefit if there are too many plans and tiers', () => {
    const sums = Array.from({ length: max_stripe_lines + 1 }, (_, at) => ({ ...sum, plan_name: `Plan ${at}` }))
    expect(stripeLines(sums)).toEqual([
      { key: '1', amount_in_cents: 120_000 * 251, description: 'March 2026 · Medical · 502 enrollments' },
    ])
  })

  it('are grouped by month if there are too many benefits', () => {
    const sums = Array.from({ length: max_stripe_lines + 1 }, (_, at) => ({ ...sum, benefit_name: `Benefit ${at}` }))
    expect(stripeLines(sums).map(({ description }) => description)).toEqual(['March 2026 · 502 enrollments'])
  })

  it('add up to the invoice, within the limits of Stripe', () => {
    const anySum = fc.record({
      month: fc.constantFrom('2026-01-01', '2026-02-01', '2026-03-01'),
      kind: fc.constantFrom('coverage' as const, 'adjustment' as const),
      benefit_name: fc.constantFrom('Medical', 'Dental', 'Vision'),
      plan_name: fc.stringMatching(/^[A-D]{1,3}$/),
      coverage_tier: fc.constantFrom('EE', 'ES', 'EC', 'EF'),
      line_count: fc.integer({ min: 1, max: 10_000 }),
      premium_in_cents: fc.integer({ min: -300_000_000, max: 300_000_000 }),
    })
    fc.assert(
      fc.property(fc.array(anySum, { maxLength: 400 }), (sums) => {
        const lines = stripeLines(sums)
        const total = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
        expect(total(lines.map((line) => line.amount_in_cents))).toBe(total(sums.map((sum) => sum.premium_in_cents)))
        expect(lines.length).toBeLessThanOrEqual(max_stripe_lines)
        expect(lines.every((line) => Math.abs(line.amount_in_cents) <= largest_stripe_amount)).toBe(true)
        expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
      }),
    )
  })

  it('are added in batches, without existing ones', () => {
    const lines = Array.from({ length: 130 }, (_, at) => ({ key: `${at}`, description: '', amount_in_cents: at }))
    expect(linesToAdd(lines, []).map(({ key }) => key)).toEqual(lines.slice(0, 100).map(({ key }) => key))
    const rest = linesToAdd(lines, [undefined, ...lines.slice(1, 128).map(({ key }) => key)])
    expect(rest.map(({ key }) => key)).toEqual(['0', '128', '129'])
  })
})
