import { expect, it } from 'vitest'
import { averageOf } from './hour-rules.ts'

it.each([
  ['full-time with exactly 30 hours a week', 30_000, true],
  ['not full-time with one hundredth of an hour less in ten weeks', 29_999, false],
])('is %s on average (54.4980H-1(a)(21)(i))', (_, hundredths, is_full_time) => {
  const weeks = { starts_on: '2026-01-05', ends_on: '2026-03-15' }
  const worked = [{ ...weeks, kind: 'worked' as const, hundredths }]
  expect(averageOf(worked, weeks, false).is_full_time).toBe(is_full_time)
})
