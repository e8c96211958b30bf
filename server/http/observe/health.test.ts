import { expect, it } from 'vitest'
import { buildHealth } from './health.ts'
import { codeOf } from '../../test/response.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const anonymous = { key: null }

it('reports that it is live and ready, without a key', async () => {
  const live = await api.get('/health/live', anonymous)
  expect([live.status, live.body]).toEqual([200, { status: 'live' }])
  const ready = await api.get('/health/ready', anonymous)
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
})

it('is not ready while a migration is missing, with the usual error body', async () => {
  await api.database.reads.rows(`update migrations set name = 'x' || name`)
  const answer = await api.get('/health/ready', anonymous)
  expect(codeOf(answer)).toEqual([503, 'unavailable'])
  expect(answer.headers.get('retry-after')).toMatch(/^([5-9]|10)$/)
  expect((await api.get('/health/live', anonymous)).status).toBe(200)
  await api.database.reads.rows('update migrations set name = substr(name, 2)')
  expect((await api.get('/health/ready', anonymous)).status).toBe(200)
})

it('is not ready while the database does not respond within 2 seconds', async () => {
  const client = await api.database.pool.connect()
  try {
    await client.query('begin; lock table migrations in access exclusive mode')
    const answer = await api.get('/health/ready', anonymous)
    expect(codeOf(answer)).toEqual([503, 'unavailable'])
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('is not ready while the process shuts down or its worker does not work', async () => {
  let reason: string | undefined = 'the process shuts down'
  const app = buildHealth(api.runtime, () => reason)
  const statuses = async () => [
    (await app.inject('/health/ready')).statusCode,
    (await app.inject('/health/live')).statusCode,
  ]
  expect(await statuses()).toEqual([503, 200])
  reason = undefined
  expect(await statuses()).toEqual([200, 200])
  await app.close()
})
