import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, anEmployer, boundToken } from '../../test/fixtures.ts'
import { type ApiResponse, codeOf } from '../../test/response.ts'
import { useApi } from '../../test/harness.ts'
import { connectRaw } from '../../test/clients/raw-connection.ts'
import { openBodyMemory, MemoryBudget } from './body-bytes.ts'

const api = useApi()
const detailsOf = ({ error }: ApiResponse) => error.details.map(({ field, message }) => `${field} ${message}`)

let employer_id: string
let census: string
/** A token of an employee, which may read but never write. */
let token: string

beforeAll(async () => {
  employer_id = await createEmployer(api)
  census = `/v1/employers/${employer_id}/census-sync`
  const { id } = await createEmployee(api, employer_id)
  token = await boundToken(api, 'employee', id)
})

const head = (path: string, key: string, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...more, '', ''].join('\r\n')
const json = 'Content-Type: application/json'

/** Returns the status line of the response to a head without a body. */
async function answerTo(bytes: string): Promise<string> {
  const wire = await connectRaw(api.url)
  wire.print(bytes)
  const answer = await wire.receives(/\r\n\r\n/)
  wire.hangUp()
  return answer.split('\r\n')[0]!
}

describe('a request that is refused because of its headers', () => {
  const wrong = () =>
    [
      ['unknown credentials', census, 'nobody', 401],
      ['a resource out of reach', census, token, 404],
      ['no permission', '/v1/employers', token, 403],
      ['a missing resource', '/v1/employers/empr_x/census-sync', api.story.api_key, 404],
      ['an invalid query', `${census}?mode=x`, api.story.api_key, 400],
    ] as const

  it('gets the response before its body arrives', async () => {
    for (const [why, path, key, status] of wrong()) {
      const answer = await answerTo(head(path, key, json, 'Content-Length: 29000'))
      expect(answer, why).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
  })

  it('gets the response before its body arrives if it is an unsigned webhook or names no organization', async () => {
    const path = `/v1/billing/stripe-webhooks/${api.story.rival_organization_id}` as const
    for (const [at, more] of [
      [path, []],
      [path, ['Stripe-Signature: t=1,v1=x']],
      ['/v1/billing/stripe-webhooks/org_x', ['Stripe-Signature: t=1,v1=x']],
    ] as const)
      expect(await answerTo(head(at, 'nobody', json, 'Content-Length: 500000', ...more))).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('gets no 100 Continue', async () => {
    const expecting = ['Content-Length: 29000', 'Expect: 100-continue']
    for (const [why, path, key, status] of wrong())
      expect(await answerTo(head(path, key, json, ...expecting)), why).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const { api_key } = api.story
    const large = ['Content-Length: 65537', 'Expect: 100-continue']
    expect(await answerTo(head('/v1/employers', api_key, json, ...large))).toMatch(/^HTTP\/1.1 413 /)
    const form = 'Content-Type: application/x-www-form-urlencoded'
    expect(await answerTo(head('/v1/employers', api_key, form, ...expecting))).toMatch(/^HTTP\/1.1 415 /)
  })

  it('closes the connection if the client keeps sending', async () => {
    const wire = await connectRaw(api.url)
    wire.print(head(census, token, json, 'Content-Length: 900000000'))
    await wire.receives(/^HTTP\/1.1 404 /)
    for (let sent = 0; sent < 40; sent++) wire.print('x'.repeat(1_000_000))
    expect(await wire.closed).toMatch(/^HTTP\/1.1 404 [^]*"not_found"[^]*}\n$/)
  })
})

it('sends 100 Continue to an accepted request and reads its body', async () => {
  const wire = await connectRaw(api.url)
  const body = JSON.stringify(anEmployer())
  wire.print(head('/v1/employers', api.story.api_key, json, `Content-Length: ${body.length}`, 'Expect: 100-continue'))
  await wire.receives(/^HTTP\/1.1 100 Continue\r\n\r\n$/)
  wire.print(body)
  await wire.receives(/HTTP\/1.1 201 /)
  wire.hangUp()
})

describe('a 400 for a body', () => {
  const submit = (raw: string) => api.call('POST', census, { raw })

  it('lists its first 100 faults', async () => {
    const answer = await submit(`{"employees":[${'{},'.repeat(9999)}{}]}`)
    expect(codeOf(answer)).toEqual([400, 'invalid_request'])
    expect(detailsOf(answer)).toHaveLength(100)
    const large = await submit(
      JSON.stringify({ employees: Array.from({ length: 10_000 }, () => aPerson({ email: 1 })) }),
    )
    expect(detailsOf(large)[99]).toBe('employees[99].email must be a string')
  })

  it('names text that is too long and nothing else', async () => {
    const person = (media_type: Record<string, unknown>) => JSON.stringify({ employees: [aPerson(media_type)] })
    const long = 'x'.repeat(6 * 1024 * 1024)
    expect(detailsOf(await submit(person({ email: `${long}@example.com` })))).toEqual([
      'employees[0].email must be at most 254 characters',
    ])
    expect(detailsOf(await submit(person({ [long]: { ssn: '1' } })))[0]).toHaveLength(200 + 59)
    expect(detailsOf(await submit(person({ start_date: long })))[0]).toMatch(/^employees\[0\].start_date must be/)
  })

  it('names too many fields and repeated fields', async () => {
    const fields = Array.from({ length: 499_000 }, (_, at) => `"f${at}":0`).join()
    expect(detailsOf(await submit(`{"employees":[{${fields}}]}`))).toEqual([
      ' must not contain an object of more than 1000 fields',
    ])
    expect(detailsOf(await submit('{"employees":[],"employees":[{}]}'))).toEqual(['employees must be sent only once'])
    expect(detailsOf(await api.call('POST', '/v1/employers', { raw: '{"name":"a","n\\u0061me":"b"}' }))).toEqual([
      'name must be sent only once',
    ])
  })

  it('reports a broken transfer and text that is not UTF-8', async () => {
    const latin = Buffer.from(JSON.stringify({ employees: [aPerson({ last_name: 'Núñez'.repeat(20_000) })] }), 'latin1')
    expect(detailsOf(await api.call('POST', census, { raw: latin }))).toEqual([' the body is not valid UTF-8'])
    const wire = await connectRaw(api.url)
    wire.print(`${head('/v1/employers', api.story.api_key, json, 'Transfer-Encoding: chunked')}5\r\n{"a":\r\nx\r\n`)
    expect(await wire.receives(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 400 /)
    wire.hangUp()
  })
})

it.each([
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['APPLICATION/JSON;charset="UTF-8"', 201],
  ['application/json; charset=iso-8859-1', 415],
  ['application/json; charset=utf-16', 415],
  ['application/jsonp', 415],
  ['text/csv', 415],
  ['nonsense', 415],
])('responds to a body of type %s with %i', async (type, status) => {
  const answer = await api.post('/v1/employers', anEmployer(), { headers: { 'content-type': type } })
  expect(answer.status).toBe(status)
})

it('ignores the body of an operation without one', async () => {
  const path = `/v1/employers/${employer_id}/census-sync/csyn_x/confirm` as const
  for (const type of ['nonsense', 'application/xml', 'application/json'])
    expect((await api.call('POST', path, { raw: 'x'.repeat(100_000), headers: { 'content-type': type } })).status).toBe(
      404,
    )
  const { id } = (await api.post('/v1/webhook-subscriptions', { url: 'https://example.com/hooks' })).body.data
  const test = `/v1/webhook-subscriptions/${id}/test` as const
  const sent = { raw: 'x'.repeat(100_000), headers: { 'content-type': 'nonsense', 'content-encoding': 'gzip' } }
  expect((await api.call('POST', test, sent)).status).toBe(202)
})

it('accepts a large census, and replays its response to the same census with its fields in another order', async () => {
  const people = Array.from({ length: 10_000 }, () => aPerson())
  const headers = { 'idempotency-key': 'large' }
  const path = `/v1/employers/${await createEmployer(api)}/census-sync` as const
  const first = await api.post(path, { employees: people }, { headers })
  expect([first.status, first.text]).toEqual([202, expect.stringContaining('csyn_')])
  const reversed = people.map((person) => Object.fromEntries(Object.entries(person).reverse()))
  const again = await api.call('POST', path, { raw: JSON.stringify({ employees: reversed }, null, 1), headers })
  expect([again.headers.get('idempotent-replayed'), again.text]).toEqual(['true', first.text])
  expect(codeOf(await api.post(path, { employees: people.toReversed() }, { headers }))).toEqual([
    422,
    'idempotency_key_reused',
  ])
  const { rows } = (await api.database.reads.row<{ rows: { email: string }[] }>(
    `select json_agg(row order by first_index, position) as rows
       from census_chunks, json_array_elements(rows) with ordinality as one (row, position) where census_sync_id = $1`,
    [first.body.data.census_sync_id],
  ))!
  expect(rows.map(({ email }) => email)).toEqual(people.map(({ email }) => email))
})

it('reports a broken body when the client hangs up before or during the read', async () => {
  const withMemory = openBodyMemory(1024 * 1024)
  const outcomes: Promise<unknown>[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/before') await new Promise((resolve) => request.once('close', resolve))
    outcomes.push(withMemory('org_x', (read) => read(request, response, {})).catch((error: unknown) => error))
    server.emit('read')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const path of ['/before', '/while']) {
    const read = once(server, 'read')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`, () => socket.destroy())
    await read
  }
  expect(await Promise.all(outcomes)).toMatchObject(
    Array.from({ length: 2 }, () => ({ details: [{ field: '', message: 'the body is incomplete' }] })),
  )
  server.close()
})

describe('the memory budget', () => {
  it('limits the reserved bytes, and releases them when the work ends', async () => {
    const budget = new MemoryBudget(10)
    const { promise, resolve } = Promise.withResolvers<void>()
    const hold = (...bytes: number[]) =>
      budget.run(async (take) => {
        bytes.forEach(take)
        await promise
      })
    const held = [hold(1, 3), hold(5)]
    await expect(hold(1, 1)).rejects.toMatchObject({ kind: { status: 503 }, headers: { 'retry-after': '2' } })
    held.push(hold(1))
    resolve()
    await Promise.all(held)
    await hold(10)
  })
})
