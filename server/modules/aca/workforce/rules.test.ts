import { describe, expect, it } from 'vitest'
import { withDefaults } from '../measurement/policy-rules.ts'
import { previewOf } from './rules.ts'

describe('the preview of a policy', () => {
  it('has the standard measurements around today and the initial one of a hire today', () => {
    const policy = withDefaults({ method: 'look_back', standard_starts_on: '2025-10-15' })
    const calendar = { pay_frequency: 'monthly', first_pay_date: null } as const
    const { standard_periods, initial_period } = previewOf(policy, calendar, '2026-03-10')
    expect(standard_periods.map(({ measurement_period }) => measurement_period.starts_on)).toEqual([
      '2024-10-15',
      '2025-10-15',
      '2026-10-15',
    ])
    expect(standard_periods[1]).toEqual({
      measurement_period: { starts_on: '2025-10-15', ends_on: '2026-10-14' },
      administrative_period: { starts_on: '2026-10-15', ends_on: '2026-12-31' },
      stability_period: { starts_on: '2027-01-01', ends_on: '2027-12-31' },
    })
    expect(initial_period?.measurement_period).toEqual({ starts_on: '2026-03-10', ends_on: '2027-03-09' })
    expect(previewOf(withDefaults({ method: 'monthly' }), calendar, '2026-03-10').initial_period).toBeNull()
  })
})
