/** The service of the fuzzer, in a process of its own so that only its own holds of the event loop are measured. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildApp } from '../app.ts'
import { tasks, runDays } from '../modules.ts'
import { easternDay } from '../kernel/days.ts'
import { openDatabase } from '../database/query/database.ts'
import { makeReady } from '../database/schema/roles.ts'
import { newSecretKeys } from '../security/secrets.ts'
import { workOff } from '../jobs/worker.ts'
import { plantStory, type Story } from '../sandbox/story.ts'
import { noon, testRuntime } from '../test/runtime.ts'

export type Greeting = { url: string; story: Story }
/**
 * A request to the process. The response has the day by its clock, and how long the event loop was blocked since the
 * previous request.
 */
export type Request = { do: 'work' | 'pass' | 'hold'; ms?: number; number: number }
export type Done = { number: number; today: string; hold_ms: number }

const { DATABASE_URL = '', MIGRATION_DATABASE_URL } = process.env
await makeReady({ url: DATABASE_URL, migration_url: MIGRATION_DATABASE_URL })
const database = openDatabase({ url: DATABASE_URL, write_connections: 24 })
const keys = newSecretKeys()
let begun = noon('2026-03-10')
const clock = () => begun + Math.floor(performance.now())
const runtime = testRuntime(database, keys, clock)
const story = await plantStory(runtime, tasks)
const app = await buildApp(runtime, {
  cors_origins: [],
  rate_limit: { per_minute: 600, burst: 100 },
  refusal_limit: { per_second: 100_000, burst: 100_000 },
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send!({ url, story } satisfies Greeting)

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()

process.on('message', async (request: Request) => {
  if (request.do === 'work') await workOff(runtime, tasks)
  if (request.do === 'pass') {
    begun += request.ms!
    await runDays(runtime)
  }
  const hold_ms = request.do === 'hold' ? delay.max / 1e6 : 0
  if (request.do === 'hold') delay.reset()
  process.send!({ number: request.number, today: easternDay(clock()), hold_ms } satisfies Done)
})
process.on('disconnect', () => process.exit())
