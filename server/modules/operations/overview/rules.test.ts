import { expect, it } from 'vitest'
import { beginningOfYesterday } from './rules.ts'

it.each([
  ['in winter', '2026-01-15', '2026-01-14T05:00:00Z'],
  ['in summer', '2026-07-15', '2026-07-14T04:00:00Z'],
  ['on the day after daylight saving time began', '2026-03-09', '2026-03-08T05:00:00Z'],
  ['two days after daylight saving time ended', '2026-11-03', '2026-11-02T05:00:00Z'],
  ['at the turn of a year', '2027-01-01', '2026-12-31T05:00:00Z'],
])('yesterday begins correctly %s', (_, today, instant) => expect(beginningOfYesterday(today)).toBe(instant))
