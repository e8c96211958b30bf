import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { runToEnd, mapInSteps, runInSlices } from './time-slices.ts'

afterEach(() => void vi.restoreAllMocks())

/** Work with this number of steps. Each step takes this many milliseconds on the mocked clock. */
function* steps(count: number, ms: number): Generator<void, number> {
  for (let at = 0; at < count; at++) {
    now += ms
    yield
  }
  return count
}
let now = 0

it('yields after every millisecond of work, and not more often', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const turnsBeside = async (count: number, ms: number): Promise<number> => {
    const ended = new AbortController()
    const others = async () => {
      let turns = 0
      for (; !ended.signal.aborted; turns++) await setImmediate()
      return turns
    }
    const turns = others()
    expect(await runInSlices(steps(count, ms))).toBe(count)
    ended.abort()
    return turns
  }
  expect(await turnsBeside(3, 0.25)).toBeLessThanOrEqual(1)
  expect(await turnsBeside(1_000, 0.5)).toBeGreaterThan(400)
})

it('gives the same result with and without yielding', async () => {
  const double = () => mapInSteps([1, 2, 3], (number, at) => number * 2 + at)
  expect(runToEnd(double())).toEqual([2, 5, 8])
  expect(await runInSlices(double())).toEqual([2, 5, 8])
})
