import { describe, expect, it } from 'vitest'
import { deadlinesOf, furnishBy } from './deadline-rules.ts'

describe('the deadlines of Form 1095-C', () => {
  it.each([
    [2023, '2024-03-01'],
    [2024, '2025-03-03'],
    [2025, '2026-03-02'],
  ])('to furnish the forms of %i end on %s', (tax_year, day) => expect(furnishBy(tax_year)).toBe(day))

  it('to file end on a business day, and include the states in which employees live', () => {
    const daysOf = (tax_year: number, states: string[]) =>
      deadlinesOf(tax_year, states, '1095-C').map(
        ({ jurisdiction, step, due_on }) => `${jurisdiction} ${step} ${due_on}`,
      )
    expect(daysOf(2023, ['TX'])).toEqual(['IRS furnish 2024-03-01', 'IRS file 2024-04-01'])
    expect(daysOf(2025, ['NJ', 'CA', 'DC', 'MA', 'RI'])).toEqual([
      'IRS furnish 2026-03-02',
      'IRS file 2026-03-31',
      'CA furnish 2026-02-02',
      'CA file 2026-03-31',
      'DC furnish 2026-03-02',
      'DC file 2026-04-30',
      'MA furnish 2026-02-02',
      'MA file 2026-02-02',
      'NJ furnish 2026-03-02',
      'NJ file 2026-03-31',
      'RI furnish 2026-02-02',
      'RI file 2026-02-02',
    ])
  })
})
