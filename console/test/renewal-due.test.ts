import { expect, it } from 'vitest'
import { lastToRenew } from '../src/screens/plan-years/renewal-due.ts'

const ends = (...days: string[]) => days.map((coverage_end) => ({ coverage_end }))

it.each([
  ['asks to renew a plan year that ends within 120 days', ends('2026-01-31', '2027-01-31'), '2027-01-31'],
  ['does not ask while the end is more than 120 days ahead', ends('2027-04-01'), undefined],
  ['does not ask if a later plan year exists', ends('2027-01-31', '2028-01-31'), undefined],
  ['does not ask after the end of the last plan year', ends('2026-11-30'), undefined],
  ['does not ask an employer without plan years', [], undefined],
])('%s', (_, years, expected) => expect(lastToRenew(years, '2026-12-01')?.coverage_end).toBe(expected))
