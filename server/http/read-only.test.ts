import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { endpoints } from '../modules.ts'
import { anEmployer, createEmployer } from '../test/fixtures.ts'
import { urlOf, useApi } from '../test/harness.ts'
import type { Database } from '../database/query/database.ts'
import { openAsFound } from '../database/citus/sharding-state.ts'

const api = useApi()

let database: Database
let call: (
  method: 'GET' | 'POST',
  url: string,
  body?: object,
) => Promise<{ status: number; headers: Record<string, unknown> }>
let close: () => Promise<unknown>

/** A service whose database accepts no writes, and whose credentials are rate limited. */
beforeAll(async () => {
  await createEmployer(api)
  const name = (await api.database.reads.row<{ name: string }>('select current_database() as name'))!.name
  await api.database.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  await api.database.pool.query('update api_keys set rate_limited = true')
  database = await openAsFound({ url: await urlOf(api) })
  const app = await buildApp(
    { ...api.runtime, database },
    { cors_origins: [], rate_limit: { per_minute: 60, burst: 100 } },
  )
  const headers = { authorization: `Bearer ${api.story.api_key}`, 'x-service-organization': api.story.organization_id }
  call = async (method, url, payload) => {
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, headers: answer.headers }
  }
  close = async () => {
    await app.close()
    await database.close()
  }
})
afterAll(() => close())

const lists = endpoints.filter(({ method, params, path }) => method === 'GET' && !params && path.startsWith('/v1/'))

it.each(lists.map(({ path }) => path))('still serves %s', async (path) => {
  expect((await call('GET', path === '/v1/dependents' ? `${path}?search=Ada` : path)).status).toBe(200)
})

it('starts no transaction to number events for a request that follows them', async () => {
  const transactions = vi.spyOn(database, 'transaction')
  expect((await call('GET', '/v1/webhook-events?wait=0')).status).toBe(200)
  const of_one = transactions.mock.calls.filter(([rows_of]) => Array.isArray(rows_of))
  transactions.mockRestore()
  expect(of_one).toEqual([])
})

it('refuses writes with 503 and a Retry-After', async () => {
  const { status, headers } = await call('POST', '/v1/employers', anEmployer())
  expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^([5-9]|10)$/)])
})

it('applies the rate limit per process, to the last token', async () => {
  const send = () => call('GET', '/v1/employers')
  const remaining = Number((await send()).headers['x-ratelimit-remaining'])
  expect(remaining).toBeLessThan(100)
  for (let left = remaining - 1; left >= 0; left--) {
    const { status, headers } = await send()
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, String(left)])
  }
  expect((await send()).status).toBe(429)
})
