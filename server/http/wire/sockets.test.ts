import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { useApi } from '../../test/harness.ts'
import { speak, wireTo } from '../../test/wire.ts'

const api = useApi()

const patience = { headers: 100, request: 200, idle: 100, silence: 60_000, check: 20, linger: 20 }

/** The service with next to no patience, and one that waits for a request as long as it takes, and no longer. */
let hasty: FastifyInstance
let curt: FastifyInstance
let url: string
let curt_url: string

beforeAll(async () => {
  const settings = { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } }
  hasty = await buildApp(api.runtime, { ...settings, patience })
  curt = await buildApp(api.runtime, { ...settings, patience: { ...patience, headers: 60_000, request: 60_000 } })
  url = await hasty.listen({ port: 0, host: '127.0.0.1' })
  curt_url = await curt.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => Promise.all([hasty.close(), curt.close()]))

const countConnections = () =>
  new Promise<number>((resolve) => hasty.server.getConnections((_, count) => resolve(count)))

const head = (...more: string[]) =>
  ['POST /v1/employers HTTP/1.1', 'Host: x', `Authorization: Bearer ${api.story.api_key}`, ...more, '', ''].join('\r\n')

describe('a connection of somebody who never closes it is gone when', () => {
  it.each([
    ['nothing comes', '', /^HTTP\/1\.1 408 /],
    ['headers come slowly', 'GET /v1/employers HTTP/1.1\r\nHost: x\r\n', /^HTTP\/1\.1 408 /],
    ['a body comes slowly', 'body', /^HTTP\/1\.1 408 /],
    ['no other request comes', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 200 /],
    ['no HTTP comes', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('%s', async (_, bytes, answer) => {
    const wire = await wireTo(url)
    wire.say(bytes === 'body' ? `${head('Content-Type: application/json', 'Content-Length: 9')}{` : bytes)
    await wire.hears(answer)
    await expect.poll(countConnections, { timeout: 20_000 }).toBe(0)
    wire.hangUp()
  })
})

it.each([
  ['nobody may send', [], /^HTTP\/1\.1 401 /, 'nobody'],
  ['is in another charset', ['Content-Type: application/json; charset=utf-16'], /^HTTP\/1\.1 415 /, undefined],
  ['is said to be too large', ['Content-Type: application/json'], /^HTTP\/1\.1 413 /, undefined],
])('a body that %s is not read', async (_, lines, answer, key = api.story.api_key) => {
  const connected = once(curt.server, 'connection') as Promise<[Socket]>
  const wire = await wireTo(curt_url)
  const [socket] = await connected
  const said = ['POST /v1/employers HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, ...lines]
  wire.say([...said, 'Content-Length: 50000000', '', ''].join('\r\n'))
  for (let sent = 0; sent < 16; sent++) wire.say('x'.repeat(1024 * 1024))
  expect(await wire.closed).toMatch(answer)
  expect(socket.bytesRead).toBeLessThan(1024 * 1024)
})

it('a connection over which a little came unread is used again', async () => {
  const wire = await wireTo(api.url)
  const said = ['POST /v1/employers HTTP/1.1', 'Host: x', 'Content-Length: 60000', '', '']
  wire.say(said.join('\r\n') + 'x'.repeat(60_000))
  await wire.hears(/^HTTP\/1\.1 401 [^]*}\n$/)
  wire.say('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await wire.hears(/}\nHTTP\/1\.1 200 /)
  wire.hangUp()
})

describe('a request is a 400 that says', () => {
  it.each([
    ['no host', 'GET /v1/employers HTTP/1.1\r\n', 'host'],
    ['two hosts', 'GET /v1/employers HTTP/1.1\r\nHost: a\r\nhost: b\r\n', 'host'],
    ['two hosts where nothing is', 'GET /v1/% HTTP/1.1\r\nHost: a\r\nhost: b\r\n', 'host'],
    ['two credentials', `GET /v1/employers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n`, 'authorization'],
    [
      'two keys',
      'GET /v1/employers HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 1\r\nIdempotency-Key: 2\r\n',
      'idempotency-key',
    ],
  ])('%s', async (_, lines, field) => {
    const more = `Authorization: Bearer ${api.story.api_key}\r\nConnection: close\r\n\r\n`
    const [status = '', body = ''] = (await speak(api.url, lines + more)).split('\r\n\r\n')
    expect(status).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request', details: [{ field }] } })
  })

  it.each([
    ['before the address', 'GET  /v1/employers HTTP/1.1\r\n'],
    ['behind the address', 'GET /v1/employers  HTTP/1.1\r\n'],
    ['behind empty lines', '\r\n\r\nGET  /v1/employers HTTP/1.1\r\n'],
    ['where nothing is', 'GET  /v1/% HTTP/1.1\r\n'],
  ])('two blanks %s, in one piece or two, at first or later', async (_, line) => {
    const rest = `Host: x\r\nAuthorization: Bearer ${api.story.api_key}\r\n\r\n`
    expect(await speak(api.url, line + rest)).toMatch(/^HTTP\/1\.1 400 [^]*"invalid_request"/)

    const wire = await wireTo(api.url)
    wire.say(`GET /v1/employers?search=a++b HTTP/1.1\r\nX: a  b\r\n${rest}`)
    await wire.hears(/^HTTP\/1\.1 200 [^]*}\n$/)
    wire.say(`POST /v1/employers HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 8\r\n${rest}`)
    wire.say('{  "a":1')
    await wire.hears(/HTTP\/1\.1 400 [^]*well-formed JSON[^]*}\n$/)
    wire.say(line.slice(0, -13))
    wire.say(line.slice(-13) + rest)
    await wire.hears(/HTTP\/1\.1 400 [^]*This is not a well-formed HTTP request[^]*}\n$/)
    await wire.hears(/connection: close/i)
    wire.hangUp()
  })

  it('two blanks, also of a request that comes before an answer to the last; what only looks so is none', async () => {
    const rest = `Host: x\r\nAuthorization: Bearer ${api.story.api_key}\r\n\r\n`
    const get = `GET /v1/employers HTTP/1.1\r\n${rest}`
    const odd = `GET  /v1/employers HTTP/1.1\r\n${rest}`
    const post = `POST /v1/employers HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 30\r\n${rest}`
    const body = '{"a": "GET  /v1/x HTTP/1.1\r\n"}'
    const refused = /"error":\{"code":"invalid_request","message":"This is not a well-formed HTTP request/g
    for (const pieces of [[get + odd], [get, odd], [get + odd.slice(0, 20), odd.slice(20)], [post + body + odd]]) {
      const wire = await wireTo(api.url)
      for (const piece of pieces) wire.say(piece)
      const answers = await wire.hears(/This is not a well-formed HTTP request[^]*}\n$/)
      wire.hangUp()
      expect(answers.match(/^HTTP\/1\.1 \d+/gm), pieces[0]).toHaveLength(2)
      expect(answers.match(refused), pieces[0]).toHaveLength(1)
    }
    const wire = await wireTo(api.url)
    wire.say(post + body.slice(0, 8))
    wire.say(`${body.slice(8)}${get}`)
    expect(await wire.hears(/HTTP\/1\.1 200 [^]*}\n$/)).not.toMatch(refused)
    wire.hangUp()
  })

  it('and HTTP/1.0 needs no host', async () => {
    const answer = await speak(
      api.url,
      `GET /v1/employers HTTP/1.0\r\nAuthorization: Bearer ${api.story.api_key}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
