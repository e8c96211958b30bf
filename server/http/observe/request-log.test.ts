import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { useApi } from '../../test/harness.ts'
import { blockOf } from '../../test/guides/code-blocks.ts'
import { busy } from '../../kernel/concurrency/fair-queue.ts'

const api = useApi()

it('logs a sample of a flood of expected 503s, and none of them as an error', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({ write: (line, _, done) => (lines.push(JSON.parse(line)), done()) })
  const runtime = { ...api.runtime, log: pino({ level: 'info' }, stream) }
  const app = await buildApp(runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  app.get('/busy', async () => {
    throw busy()
  })
  for (let count = 0; count < 150; count++) await app.inject('/busy')
  await app.close()
  const reported = lines.filter(({ trace_id }) => trace_id)
  const counted = lines.filter(({ msg }) => msg === 'further requests were refused')
  expect(reported.length).toBeLessThan(150)
  expect(reported.length + counted.reduce((sum, line) => sum + (line.refused as number), 0)).toBe(150)
  expect(lines.filter(({ err }) => err)).toEqual([])
})

it('logs a sample and the count of a flood of refusals, and all other responses', async () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({ write: (line, _, done) => (lines.push(JSON.parse(line)), done()) })
  const runtime = { ...api.runtime, log: pino({ level: 'info' }, stream) }
  const app = await buildApp(runtime, { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } })
  const get = (key: string) => app.inject({ url: '/v1/employers', headers: { authorization: `Bearer ${key}` } })
  for (let count = 0; count < 150; count++) await get('nobody')
  for (let count = 0; count < 30; count++) await get(api.story.api_key)
  await get(api.operator_key)
  await app.close()

  const reported = lines.filter(({ operation }) => operation === 'employers_list')
  const refused = reported.filter(({ status }) => status === 401).length
  const counted = lines.filter(({ msg }) => msg === 'further requests were refused')
  // The flood may last several seconds, and each second has a sample.
  expect(refused).toBeLessThan(151)
  expect(refused + counted.reduce((sum, line) => sum + (line.refused as number), 0)).toBe(151)
  expect(counted[0]).toMatchObject({ status: 401 })
  const answered = reported.filter(({ status }) => status === 200)
  expect(answered).toHaveLength(30)
  const shown = JSON.parse(blockOf('docs/operating/monitoring.md', '{"level":30')) as object
  expect(Object.keys(answered[0]!).toSorted()).toEqual(Object.keys(shown).toSorted())
})
