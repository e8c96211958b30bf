import { describe, expect, it } from 'vitest'
import { previewOf } from './preview-rules.ts'

describe('coverage that an amendment changes', () => {
  const election = (effective_on: string, premium_in_cents: number) => ({
    effective_on,
    plan_id: 'silver',
    coverage_tier: 'EE' as const,
    dependent_ids: [],
    premium_in_cents,
    employer_contribution_in_cents: 100,
    employee_deduction_in_cents: premium_in_cents - 100,
  })
  const base = {
    enrollment: { coverage_start: '2026-03-10', coverage_end: null },
    before: { loses_on: '2027-01-01', elections: [election('-infinity', 1000)] },
    lapses: [],
    first_open_month: '2026-06-01',
    partial_month_rules: {},
  }
  it('is shown by the changed months, with those that corrections can still reach', () => {
    const elections = [election('-infinity', 1000), election('2026-05-01', 1200)]
    const { loses_coverage_on, months } = previewOf({ ...base, after: { loses_on: '2026-08-01', elections } })
    expect(loses_coverage_on).toBe('2026-08-01')
    expect(
      months.map((one) => [one.month, one.before?.premium_in_cents, one.after?.premium_in_cents, one.is_corrected]),
    ).toEqual([
      ['2026-05', 1000, 1200, false],
      ['2026-06', 1000, 1200, true],
      ['2026-07', 1000, 1200, true],
      ...['08', '09', '10', '11', '12'].map((month) => [`2026-${month}`, 1000, undefined, true]),
    ])
  })

  it('continues in an extended plan year, unless it ended for another reason', () => {
    const after = { loses_on: '2027-02-01', elections: base.before.elections }
    const monthsOf = (coverage_end: string | null) =>
      previewOf({ ...base, enrollment: { ...base.enrollment, coverage_end }, after }).months.map(({ month }) => month)
    expect(monthsOf(null)).toEqual(['2027-01'])
    expect(monthsOf('2026-12-31')).toEqual(['2027-01'])
    expect(monthsOf('2026-10-31')).toEqual([])
  })
})
