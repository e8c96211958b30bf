import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import {
  aPerson,
  anEmployer,
  createEmployee,
  createEmployer,
  importCatalog,
  createOfferingEmployer,
} from './fixtures.ts'
import { isShardingStatement } from './postgres/sharded-queries.ts'
import { useApi } from './harness.ts'

/**
 * The number of statements that frequent requests send to PostgreSQL with known credentials, without begin and commit,
 * and the number of round trips. They must not grow.
 */
const statements_sent = {
  'GET /v1/employees/{employee_id}': { statements: 1, round_trips: 1 },
  'GET /v1/employers/{employer_id}/employees': { statements: 1, round_trips: 1 },
  'GET /v1/employers': { statements: 1, round_trips: 1 },
  'POST /v1/employers': { statements: 13, round_trips: 4 },
  'POST /v1/employers/{employer_id}/employees': { statements: 17, round_trips: 4 },
  'POST /v1/employers/{employer_id}/employees, with a plan year': { statements: 23, round_trips: 4 },
  'POST /v1/enrollments/{enrollment_id}/elect': { statements: 18, round_trips: 4 },
  'PATCH /v1/employees/{employee_id}, a phone number': { statements: 10, round_trips: 6 },
}

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>
/** An employer without a plan year, and one in open enrollment. */
let plain_id: string
let offering_id: string

beforeAll(async () => {
  catalog = await importCatalog(api)
  plain_id = await createEmployer(api)
  offering_id = (await createOfferingEmployer(api, catalog)).employer_id
})

type Sent = { texts: string[]; round_trips: number }

/**
 * The statements that PostgreSQL receives during `work`, without begin and commit, statements that open a connection,
 * and the audit log of reads, which is written for many requests together. A round trip is everything that is sent
 * before the next response arrives.
 */
async function sentDuring(work: () => Promise<unknown>): Promise<Sent> {
  const { query } = pg.Client.prototype
  const sent: Sent = { texts: [], round_trips: 0 }
  let is_answered = true
  const noteAnswer = () => void (is_answered = true)
  pg.Client.prototype.query = function (this: pg.Client, ...requested: unknown[]) {
    const [first] = requested as [string | { text: string; once?: (event: string, listener: () => void) => void }]
    const text = typeof first === 'string' ? first : first.text
    const is_counted = isCounted(text)
    if (is_counted) sent.texts.push(text)
    if (is_counted && is_answered) sent.round_trips++
    if (is_counted) is_answered = false
    if (typeof first !== 'string') first.once?.('end', noteAnswer)
    const answer = query.apply(this, requested as never) as unknown
    if (is_counted && answer instanceof Promise) answer.then(noteAnswer, noteAnswer)
    return answer as never
  }
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent
}

const isCounted = (text: string) =>
  !/^(?:begin|commit|set plan_cache_mode|select where set_config|\/\* audit\.writeBatches \*\/)/.test(text) &&
  !isShardingStatement(text)

type Request = keyof typeof statements_sent

it.each(Object.entries(statements_sent) as [Request, (typeof statements_sent)[Request]][])(
  'sends the expected number of statements and round trips for %s',
  async (request, { statements, round_trips }) => {
    const { id } = await createEmployee(api, plain_id)
    const { id: enrolling_id } = await createEmployee(api, offering_id)
    const enrollments = (await api.get(`/v1/employees/${enrolling_id}/enrollments`)).body.data
    const { id: enrollment_id } = enrollments.find(
      ({ benefit }: { benefit: { id: string } }) => benefit.id === catalog.mec.benefit_id,
    )!
    let last = 0
    const hire = (employer_id: string) => post(`/v1/employers/${employer_id}/employees`, aPerson())
    const post = (path: `/v1/${string}`, body: object) =>
      api.post(path, body, { headers: { 'idempotency-key': randomUUID() } })
    const requests: Record<Request, () => Promise<{ status: number }>> = {
      'GET /v1/employees/{employee_id}': () => api.get(`/v1/employees/${id}`),
      'GET /v1/employers/{employer_id}/employees': () => api.get(`/v1/employers/${plain_id}/employees`),
      'GET /v1/employers': () => api.get('/v1/employers'),
      'POST /v1/employers': () => post('/v1/employers', anEmployer()),
      'POST /v1/employers/{employer_id}/employees': () => hire(plain_id),
      'POST /v1/employers/{employer_id}/employees, with a plan year': () => hire(offering_id),
      'POST /v1/enrollments/{enrollment_id}/elect': () =>
        post(`/v1/enrollments/${enrollment_id}/elect`, {
          plan_id: catalog.mec.plan_id,
          coverage_tier: 'EE',
        }),
      'PATCH /v1/employees/{employee_id}, a phone number': () =>
        api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', phone: `202555017${last++}` }),
    }
    // The first request prepares statements and reads credentials.
    await requests[request]()
    const sent = await sentDuring(async () => expect((await requests[request]()).status).toBeLessThan(300))
    if (api.database.distribution) return
    expect({ statements: sent.texts.length, round_trips: sent.round_trips }, sent.texts.join('\n\n')).toEqual({
      statements,
      round_trips,
    })
  },
)
