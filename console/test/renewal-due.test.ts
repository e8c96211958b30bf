import { expect, it } from 'vitest'
import { latestUnrenewedYear } from '../src/screens/plan-years/renewal-due.ts'

const ends = (...days: string[]) => days.map((coverage_end) => ({ coverage_end }))

it.each([
  ['a renewal is due for a plan year that ends within 120 days', ends('2026-01-31', '2027-01-31'), '2027-01-31'],
  ['a renewal is not due while the end is more than 120 days ahead', ends('2027-04-01'), undefined],
  ['a renewal is not due if a later plan year exists', ends('2027-01-31', '2028-01-31'), undefined],
  ['a renewal is not due after the end of the last plan year', ends('2026-11-30'), undefined],
  ['a renewal is not due for an employer without plan years', [], undefined],
])('%s', (_, years, expected) =>
  expect(latestUnrenewedYear(years, 'active', '2026-12-01')?.coverage_end).toBe(expected),
)

it('a renewal is not due for a cancelled employer', () =>
  expect(latestUnrenewedYear(ends('2027-01-31'), 'cancelled', '2026-12-01')).toBeUndefined())
