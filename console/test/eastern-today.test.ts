import { afterEach, expect, it, vi } from 'vitest'
import { easternToday } from '../src/format.ts'

afterEach(() => void vi.useRealTimers())

it.each([
  ['2026-12-01T04:59:59Z', '2026-11-30'],
  ['2026-12-01T05:00:00Z', '2026-12-01'],
  ['2026-07-01T03:59:59Z', '2026-06-30'],
  ['2026-07-01T04:00:00Z', '2026-07-01'],
])('the day of the console at %s is %s, as in US Eastern time', (now, day) => {
  vi.useFakeTimers({ now: new Date(now) })
  expect(easternToday()).toBe(day)
})
