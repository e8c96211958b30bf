import pg from 'pg'
import { expect, it } from 'vitest'
import { statements_sent } from '../tools/statements-sent.ts'
import { aPerson, createEmployee, createEmployer } from './cast.ts'
import { isOfDividing } from './looking.ts'
import { useApi } from './harness.ts'

const api = useApi()

/**
 * What PostgreSQL is asked while something is done, without begin and commit and what opens a connection, and without
 * the trail of reads, which is written for many requests together.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype
  const sent: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...asked: unknown[]) {
    const [first] = asked as [string | { text: string }]
    sent.push(typeof first === 'string' ? first : first.text)
    return query.apply(this, asked as never) as never
  }
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent.filter(
    (text) =>
      !/^(?:begin|commit|set plan_cache_mode|select where set_config|\/\* audit\.writeSheets \*\/)/.test(text) &&
      !isOfDividing(text),
  )
}

type Request = keyof typeof statements_sent

it.each(Object.entries(statements_sent) as [Request, number][])('%s sends %i statements', async (request, count) => {
  const employer_id = await createEmployer(api)
  const { id } = await createEmployee(api, employer_id)
  let last = 0
  const requests: Record<Request, () => Promise<{ status: number }>> = {
    'GET /v1/employees/{employee_id}': () => api.get(`/v1/employees/${id}`),
    'GET /v1/employers/{employer_id}/employees': () => api.get(`/v1/employers/${employer_id}/employees`),
    'GET /v1/employers': () => api.get('/v1/employers'),
    'POST /v1/employers/{employer_id}/employees': () => api.post(`/v1/employers/${employer_id}/employees`, aPerson()),
    'PATCH /v1/employees/{employee_id}, a phone number': () =>
      api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', phone: `202555017${last++}` }),
  }
  // A first time everything is prepared, and credentials are read.
  await requests[request]()
  const sent = await statementsOf(async () => expect((await requests[request]()).status).toBeLessThan(300))
  // Where tenants are divided each event is four statements and not one, and what triggers do elsewhere is one more.
  const more = api.database.divided && !request.startsWith('GET') ? 4 : 0
  expect(sent.length, sent.join('\n\n')).toBe(count + more)
})
