import { expect, expectTypeOf, it } from 'vitest'
import { day, fieldInWords, formatCents, formatDay, type CensusRow, type Day } from 'openbenefits'

it.each(['2026-03-10', '2024-02-29', '1900-01-01', '2199-12-31'])('%s is a day', (text) => {
  expect(day(text)).toBe(text)
})

it.each([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '03/10/2026',
  '2026-3-1',
  '',
  '2026-03-10T00:00:00Z',
  ' 2026-03-10',
])('%j is not a day', (text) => {
  expect(() => day(text)).toThrow(RangeError)
})

it('does not type any string as a day', () => {
  expectTypeOf<string>().not.toExtend<Day>()
  expectTypeOf<'2026-03-10'>().toExtend<Day>()
  expectTypeOf<'soon'>().not.toExtend<Day>()
  expectTypeOf<CensusRow['date_of_birth']>().toEqualTypeOf<Day>()
})

it('formats a day the same in every time zone', () => {
  expect(formatDay('2026-03-10')).toBe('Mar 10, 2026')
  expect(formatDay('2026-01-01', 'de-DE', { dateStyle: 'long' })).toBe('1. Januar 2026')
})

it('formats cents as dollars', () => {
  expect([0, 5, 123_450, -9300].map((cents) => formatCents(cents))).toEqual(['$0.00', '$0.05', '$1,234.50', '-$93.00'])
  expect(() => formatCents(12.5)).toThrow(RangeError)
})

it.each([
  ['employees[1].email', 'row 2, email'],
  ['members[0]', 'row 1'],
  ['rows[9].address.zipcode', 'row 10, address.zipcode'],
  ['benefits[0].plan_ids[1]', 'benefits[0].plan_ids[1]'],
  ['email', 'email'],
])('displays the field %s as %s', (field, words) => expect(fieldInWords(field)).toBe(words))
