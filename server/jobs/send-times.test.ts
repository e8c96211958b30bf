import { expect, it } from 'vitest'
import { spread, type PlannedMinute } from './send-times.ts'

const minute_ms = 60_000
const rate = { in_total: 300, of_organization: 100 }
const now = Date.parse('2026-03-10T17:00:30Z')
const at = (minute: number) => Date.parse('2026-03-10T17:00:00Z') + minute * minute_ms

/** The number of emails in each minute. */
const counts = (shares: ReturnType<typeof spread>) => shares.map(({ minute, times }) => [minute, times.length])

it('sends a few emails immediately', () => {
  expect(spread(2, [], rate, now)).toEqual([{ minute: at(0), times: [now, now] }])
})

it('spreads a burst of 5,000 emails over 50 minutes, evenly within each', () => {
  const shares = spread(5000, [], rate, now)
  expect(counts(shares)).toEqual(Array.from({ length: 50 }, (_, minute) => [at(minute), 100]))
  const { times } = shares[1]!
  expect([times[0], times[1], times[99]]).toEqual([at(1), at(1) + 200, at(1) + 19_800])
})

it('never exceeds the limit of all organizations or of one, for bursts of several organizations', () => {
  const planned = new Map<number, Record<string, number>>()
  for (const organization of ['a', 'b', 'a', 'c', 'd', 'd'])
    for (const { minute, times } of spread(370, plannedFor(organization, planned), rate, now)) {
      const counted = planned.get(minute) ?? {}
      planned.set(minute, { ...counted, [organization]: (counted[organization] ?? 0) + times.length })
      expect(times.every((time) => time >= now && time >= minute && time < minute + minute_ms)).toBe(true)
    }
  for (const counted of planned.values()) {
    expect(Math.max(...Object.values(counted))).toBeLessThanOrEqual(rate.of_organization)
    expect(sumOf(counted)).toBeLessThanOrEqual(rate.in_total)
  }
  expect([...planned.values()].reduce((sum, counted) => sum + sumOf(counted), 0)).toBe(6 * 370)
})

const sumOf = (counted: Record<string, number>) => Object.values(counted).reduce((sum, one) => sum + one, 0)

const plannedFor = (organization: string, planned: Map<number, Record<string, number>>): PlannedMinute[] =>
  [...planned].map(([minute, counted]) => ({
    minute,
    in_total: sumOf(counted),
    of_organization: counted[organization] ?? 0,
  }))
