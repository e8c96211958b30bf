import { describe, expect, it } from 'vitest'
import { figuresOf, povertyLine } from '../../directory/ichra/figure-rules.ts'
import { isWithinPovertyLine, isWithinWages } from '../../directory/ichra/rules.ts'
import { costLimits, isWithinYearlyWages, rateOfPayOf, safeHarborOf, type SafeHarborFacts } from './rules.ts'

const part = (year: number) => figuresOf(year, []).required_contribution!
const line = (year: number, state = 'TX') => povertyLine(`${year}-01-01`, state, [])!

describe('the federal poverty line safe harbor', () => {
  it.each([
    ['2026', 'TX', 12_989],
    ['2026', 'AK', 16_226],
    ['2026', 'HI', 14_931],
    ['2027', 'TX', 13_592],
  ])('of %s in %s allows at most %d cents a month', (year, state, most) => {
    const facts = [line(Number(year), state), part(Number(year))] as const
    expect(isWithinPovertyLine(most, ...facts)).toBe(true)
    expect(isWithinPovertyLine(most + 1, ...facts)).toBe(false)
  })

  it('finds $129.89 a month affordable in 2026 and $129.90 not', () => {
    expect(isWithinPovertyLine(12_989, 15_650, 996)).toBe(true)
    expect(isWithinPovertyLine(12_990, 15_650, 996)).toBe(false)
  })

  it('accepts a cost of exactly the affordable percentage of the poverty line, or of the wages', () => {
    expect(isWithinPovertyLine(10_000, 12_000, 1_000)).toBe(true)
    expect(isWithinWages(10_000, 100_000, 1_000)).toBe(true)
  })
})

/** The examples of the regulation use 9.5 percent, the percentage of 2014. */
const of_examples = 950

describe('the Form W-2 safe harbor (54.4980H-5(e)(2)(ii), and the facts of the examples of (e)(2)(v))', () => {
  it.each([
    ['a full year of $100 a month and wages of $24,000', 120_000, 2_400_000, 12, 12, true],
    ['January to September, $100 a month and wages of $18,000', 90_000, 1_800_000, 9, 9, true],
    ['an offer for 5 of 8 months of employment, $100 a month and wages of $15,000', 50_000, 1_500_000, 8, 5, true],
    ['an offer for 5 of 8 months whose contributions exceed 9.5 percent of $9,375', 89_063, 1_500_000, 8, 5, false],
    ['exactly 9.5 percent', 228_000, 2_400_000, 12, 12, true],
    ['a cent above 9.5 percent', 228_001, 2_400_000, 12, 12, false],
  ])('judges %s', (_, contributions, wages_in_cents, months_employed, months_offered, is_affordable) =>
    expect(isWithinYearlyWages(contributions, { wages_in_cents, months_employed, months_offered }, of_examples)).toBe(
      is_affordable,
    ),
  )
})

describe('the rate of pay safe harbor (54.4980H-5(e)(2)(iii))', () => {
  it.each([
    ['the hourly wage on the first day if it rose later', 'hour', 130_000, 143_000, 130_000],
    ['the lowest hourly wage of the month if it fell', 'hour', 130_000, 117_000, 117_000],
    ['the salary on the first day', 'month', 300_000, 300_000, 300_000],
    ['the salary on the first day if it rose later', 'month', 300_000, 320_000, 300_000],
    ['nothing if the salary was reduced', 'month', 300_000, 299_999, null],
  ] as const)('uses %s', (_, paid_by, first_day, lowest, wage) =>
    expect(rateOfPayOf({ paid_by, first_day, lowest })).toBe(wage),
  )

  it('allows $89.53 for 130 hours at $7.25 and 9.5 percent', () => {
    expect(isWithinWages(8_953, 94_250, of_examples)).toBe(true)
    expect(isWithinWages(8_954, 94_250, of_examples)).toBe(false)
  })
})

it('the highest affordable costs are within the safe harbors, and a cent more is not', () => {
  const facts = { part: 996, poverty_line: 15_650, yearly_wages: null }
  const rate_of_pay = { paid_by: 'hour', first_day: 165_750, lowest: 165_750 } as const
  const limits = costLimits({ ...facts, rate_of_pay })
  expect(limits).toEqual({ poverty_line: 12_989, rate_of_pay: 16_508 })
  const harborOf = (cost_in_cents: number) => safeHarborOf({ ...facts, rate_of_pay, cost_in_cents })
  expect([12_989, 12_990, 16_508, 16_509].map(harborOf)).toEqual([
    'federal_poverty_line',
    'rate_of_pay',
    'rate_of_pay',
    undefined,
  ])
  expect(costLimits({ ...facts, rate_of_pay: null }).rate_of_pay).toBeNull()
})

describe('the safe harbor of a month', () => {
  const facts: SafeHarborFacts = {
    part: 996,
    cost_in_cents: 20_000,
    poverty_line: 15_650,
    rate_of_pay: null,
    yearly_wages: null,
  }
  const wages = { contributions_in_cents: 240_000, wages_in_cents: 3_000_000, months_employed: 12, months_offered: 12 }
  it.each([
    ['the federal poverty line first', { cost_in_cents: 12_989, yearly_wages: wages }, 'federal_poverty_line'],
    ['the rate of pay next', { rate_of_pay: { paid_by: 'hour', first_day: 208_000, lowest: 208_000 } }, 'rate_of_pay'],
    ['the wages of the year last', { yearly_wages: wages }, 'form_w2_wages'],
    [
      'none if the cost exceeds all',
      { cost_in_cents: 90_000, yearly_wages: { ...wages, contributions_in_cents: 1_080_000 } },
      undefined,
    ],
    ['none above the poverty line without wages', {}, undefined],
  ] as const)('is %s', (_, input, safe_harbor) => expect(safeHarborOf({ ...facts, ...input })).toBe(safe_harbor))
})
