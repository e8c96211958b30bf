import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { easternDay } from '../../kernel/days.ts'
import { useApi } from '../harness.ts'
import { fuzz } from './fuzz.ts'

const first_seed = Number(process.env.FUZZ_SEED ?? 2026)
const all_requests = Number(process.env.FUZZ_REQUESTS ?? 1_500)
/** The maximum number of requests per database, so that its growth does not slow down a long run. */
const max_of_seed = 10_000

const runs = Array.from({ length: Math.ceil(all_requests / max_of_seed) }, (_, at) => ({
  seed: first_seed + at,
  requests: Math.min(max_of_seed, all_requests - at * max_of_seed),
}))

describe.each(runs)('$requests generated requests of seed $seed', ({ seed, requests }) => {
  const api = useApi({ with_story: 'usual_day' })
  let clock: NodeJS.Timeout

  beforeAll(() => {
    // Advances the clock, since some requests wait.
    clock = setInterval(() => api.wait(250), 250)
  })
  afterAll(() => clearInterval(clock))

  it('get declared responses that reveal nothing of other organizations', { timeout: requests * 200 }, async () => {
    const target = {
      url: api.url,
      story: api.story,
      db: api.database.reads,
      work: api.work,
      pass: async (ms: number) => {
        api.wait(ms)
        await api.runDays()
      },
      today: () => easternDay(api.runtime.clock()),
    }
    const { faults } = await fuzz(target, { requests, seed })
    expect(
      faults.map(
        ({ operation, fault, times, curl }) => `${operation} ${fault} (${times} times)\n  ${curl.slice(0, 1000)}`,
      ),
      `FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests} npm test -- server/test/fuzz sends the same requests`,
    ).toEqual([])
  })
})
