import { expect, it } from 'vitest'
import { buildHealth } from './health.ts'
import { codeOf } from '../../test/answer.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()
const anonymous = { key: null }

it('is live and ready without a key', async () => {
  const live = await api.get('/health/live', anonymous)
  expect([live.status, live.body]).toEqual([200, { status: 'live' }])
  const ready = await api.get('/health/ready', anonymous)
  expect([ready.status, ready.body]).toEqual([200, { status: 'ready' }])
})

it('is not ready while a migration is missing, and says so in the usual body', async () => {
  await api.database.reads.rows(`update migrations set name = 'x' || name`)
  const answer = await api.get('/health/ready', anonymous)
  expect(codeOf(answer)).toEqual([503, 'unavailable'])
  expect(answer.headers.get('retry-after')).toMatch(/^([5-9]|10)$/)
  expect((await api.get('/health/live', anonymous)).status).toBe(200)
  await api.database.reads.rows('update migrations set name = substr(name, 2)')
  expect((await api.get('/health/ready', anonymous)).status).toBe(200)
})

it('is not ready while the database does not answer within 2 seconds', async () => {
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

it('is not ready while the process says that it ends, or that its worker takes no jobs', async () => {
  let reason: string | undefined = 'the process ends'
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
