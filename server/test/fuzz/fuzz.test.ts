import { afterAll, beforeAll, expect, it } from 'vitest'
import { easternDay } from '../../kernel/days.ts'
import { useApi } from '../harness.ts'
import { fuzz } from './fuzz.ts'

const api = useApi({ told: 'usual_day' })
let going: NodeJS.Timeout

beforeAll(() => {
  // Time goes on, since some requests wait.
  going = setInterval(() => api.wait(250), 250)
})
afterAll(() => clearInterval(going))

it('answers some 1,500 requests, right and wrong, as it declares, and shows nobody what is not theirs', async () => {
  const seed = 2026
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
  const { faults, requests } = await fuzz(target, { requests: 1_500, seed })
  const told = faults.map(
    ({ operation, fault, times, curl }) => `${operation} ${fault} (${times} times)\n  ${curl.slice(0, 1000)}`,
  )
  expect(told, `npm run bench -- fuzz --seed ${seed} --requests ${requests} fires the same requests`).toEqual([])
}, 300_000)
