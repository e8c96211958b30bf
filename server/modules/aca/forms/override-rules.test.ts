import { describe, expect, it } from 'vitest'
import { cellsOf, type MonthOffer, type PersonMonth } from './code-rules.ts'
import { offeredMonthOf } from './derivation-rules.ts'
import { reportedMonth, withOverride, type MonthOverride } from './override-rules.ts'

const offer: MonthOffer = {
  kind: 'group_plan',
  is_whole_month: true,
  has_minimum_value: true,
  spouse: 'offered',
  children: true,
  cost_in_cents: 20_000,
  is_within_mainland_poverty_line: false,
  safe_harbor: 'rate_of_pay',
  limits: null,
  location: 'residence',
  zipcode: null,
}
const offered: PersonMonth = {
  status: 'full_time',
  offer,
  is_enrolled: false,
  left_in_month: false,
  has_multiemployer_relief: false,
}
const enrolled = { ...offered, is_enrolled: true }
const without_offer = { ...offered, offer: null }
const part_time: PersonMonth = { ...without_offer, status: 'part_time' }

/** The month in the offer test: `full-time, offered, protected`. */
const countedBy = (month: PersonMonth, cells: Omit<MonthOverride, 'month'>): string => {
  const { status, is_offered, is_protected } = offeredMonthOf(reportedMonth(month, { month: 1, ...cells }))
  return [status, is_offered && 'offered', is_protected && 'protected'].filter(Boolean).join(', ')
}

describe('the offer test of a month with overridden cells', () => {
  it.each<[string, PersonMonth, Omit<MonthOverride, 'month'>, string]>([
    ['no offer', offered, { line_14: '1H' }, 'full_time'],
    ['no offer to an enrolled employee', enrolled, { line_14: '1H' }, 'full_time'],
    ['an offer with a safe harbor', without_offer, { line_14: '1E', line_16: '2G' }, 'full_time, offered, protected'],
    ['an offer that is not affordable', offered, { line_14: '1E', line_16: null }, 'full_time, offered'],
    ['a qualifying offer', without_offer, { line_14: '1A' }, 'full_time, offered, protected'],
    ['an offer without minimum value', offered, { line_14: '1F' }, 'full_time, offered'],
    ['an offer without the children', offered, { line_14: '1B' }, 'full_time, protected'],
    ['an ICHRA of the whole family', without_offer, { line_14: '1N', line_16: '2H' }, 'full_time, offered, protected'],
    [
      'enrollment',
      { ...offered, offer: { ...offer, safe_harbor: null } },
      { line_16: '2C' },
      'full_time, offered, protected',
    ],
    ['a multiemployer plan', without_offer, { line_16: '2E' }, 'full_time, offered, protected'],
    ['a part-time month', without_offer, { line_16: '2B' }, 'part_time'],
    ['a waiting period', without_offer, { line_16: '2D' }, 'limited_non_assessment'],
    ['a month without employment', without_offer, { line_16: '2A' }, 'not_employed'],
    ['a full-time month', part_time, { line_14: '1E', line_16: '2H' }, 'full_time, offered, protected'],
    ['another amount', offered, { line_15_in_cents: 100 }, 'full_time, offered, protected'],
  ])('counts %s as the form reports it', (_, month, cells, counted) => expect(countedBy(month, cells)).toBe(counted))

  it('keeps the last month of an employment, which has code 2B, in the count', () => {
    const left = { ...offered, offer: { ...offer, is_whole_month: false }, left_in_month: true }
    expect(countedBy(left, { line_16: '2B' })).toBe('full_time, offered, protected')
  })

  it('leaves out relief by an offer that line 14 no longer reports', () => {
    const override = { months: [{ month: 1, line_14: '1H' as const }], reason: 'No offer', updated_at: '' }
    const [month] = withOverride([cellsOf(enrolled)], override)
    expect(month!.line_16).toEqual({
      value: null,
      reason: 'Code 2C does not apply with code 1H.',
      is_overridden: false,
    })
    const [of_leaver] = withOverride([cellsOf(part_time)], override)
    expect(of_leaver!.line_16.value).toBe('2B')
  })
})
