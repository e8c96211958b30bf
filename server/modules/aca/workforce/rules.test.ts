import { describe, expect, it } from 'vitest'
import { withDefaults } from '../measurement/policy-rules.ts'
import { affordabilityOf, previewOf, type Earner } from './rules.ts'

const earner = (employee_id: string, monthly_wage_in_cents: number | null, state: string | null = 'KS'): Earner => ({
  employee_id,
  first_name: 'Ada',
  last_name: employee_id,
  state,
  monthly_wage_in_cents,
})

describe('the affordable cost of coverage', () => {
  it('is $129.89 a month in 2026 by the poverty line, and more by a higher rate of pay', () => {
    const result = affordabilityOf([earner('a', 260_000), earner('b', null)], '2026-01-01', 12_990, [])
    expect(result).toMatchObject({
      required_contribution_percentage: 9.96,
      full_time_count: 2,
      poverty_line_cost_in_cents: 12_989,
      affordable_cost_in_cents: 12_989,
      unaffordable_count: 1,
    })
    expect(result.employees).toMatchObject([
      { employee_id: 'b', affordable_cost_in_cents: 12_989, safe_harbor: 'federal_poverty_line' },
    ])
    expect(affordabilityOf([earner('a', 260_000)], '2026-01-01', null, [])).toMatchObject({
      affordable_cost_in_cents: 25_896,
      unaffordable_count: null,
      employees: [{ safe_harbor: 'rate_of_pay' }],
    })
  })

  it('is unknown in a year without figures', () => {
    expect(affordabilityOf([earner('a', 260_000)], '2035-01-01', 10_000, [])).toMatchObject({
      affordable_cost_in_cents: null,
      unaffordable_count: null,
    })
  })
})

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
