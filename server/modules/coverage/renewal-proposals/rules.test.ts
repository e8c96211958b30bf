import { describe, expect, it } from 'vitest'
import type { Offer } from '../plan-years/offer-rules.ts'
import { currentCosts, type EnrolledGroup, scenarioCosts } from './rules.ts'

const classes = [
  { name: 'Young', employee_class: null, min_age: null, max_age: 39, state: null, coverage_tier: null },
  { name: 'Others', employee_class: null, min_age: 40, max_age: null, state: null, coverage_tier: null },
]
/** An ICHRA with an allowance of $300 up to 39, and of $450 from 40 on. */
const ichra: Offer = {
  benefit_id: 'bprd_1',
  starts_on: '2027-01-01',
  choice_group: null,
  contribution_strategy: {
    contribution_tiers: [],
    ichra_contribution_classes: classes.map((one, at) => ({ ...one, allowance_in_cents: at === 0 ? 30_000 : 45_000 })),
  },
  rates: [
    {
      plan_id: 'pln_1',
      coverage_tier: 'EE',
      tier_id: null,
      premium_in_cents: 40_000,
      pricing: 'area',
      min_contribution_in_cents: 30_000,
      max_contribution_in_cents: 45_000,
    },
  ],
}

const aScenario = (premium_change_percent?: number) => ({
  name: 'A',
  premium_change_percent,
  rates: undefined,
  benefits: undefined,
})

const enrolledAt = (age: number, premium: number, employer: number): EnrolledGroup => ({
  benefit_id: 'bprd_1',
  benefit_name: 'Own Choice',
  plan_id: 'pln_1',
  plan_name: 'Own Choice Medical',
  coverage_tier: 'EE',
  enrollment_count: 1,
  premium_in_cents: premium,
  cost: {
    premium_in_cents: premium,
    employer_contribution_in_cents: employer,
    employee_deduction_in_cents: premium - employer,
  },
  person: { employee_class: 'Full Time', age, state: 'NY' },
})

describe('a renewal proposal for an ICHRA', () => {
  const groups = [enrolledAt(30, 40_000, 30_000), enrolledAt(40, 51_001, 30_000)]
  const current = currentCosts(groups, 2)
  const next = { year: { plan_successors: {} }, offers: [ichra] }

  it('changes the premium of each person, and applies the allowance of the age at the start', () => {
    const { per_year, plans } = scenarioCosts(aScenario(10), groups, next, 2, current)
    // $440.00 and $561.01: the second premium is rounded down. The allowances are $300 and $450.
    expect(per_year).toMatchObject({
      premium_in_cents: (44_000 + 56_101) * 12,
      employer_contribution_in_cents: (30_000 + 45_000) * 12,
      employee_deduction_in_cents: (14_000 + 11_101) * 12,
      employer_change_percent: 25,
    })
    expect(plans[0]).toMatchObject({ enrollment_count: 2, premium_in_cents: 50_051 })
  })

  it('costs nothing for a plan that is no longer offered', () => {
    const without = { ...next, offers: [] }
    expect(scenarioCosts(aScenario(), groups, without, 2, current).per_year).toMatchObject({
      premium_in_cents: 0,
      premium_change_percent: -100,
    })
  })

  it('has no change and no average without enrollments', () => {
    const none = currentCosts([], 0)
    const { per_year, per_head, tiers } = scenarioCosts(aScenario(), [], next, 0, none)
    expect(per_year.premium_change_percent).toBeNull()
    expect(per_head.premium_in_cents).toBe(0)
    expect(tiers).toEqual([])
  })
})
