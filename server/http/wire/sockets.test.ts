import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../app.ts'
import { useApi } from '../../test/harness.ts'
import { sendRaw, connectRaw } from '../../test/clients/raw-connection.ts'

const api = useApi()

const timeouts = { headers: 100, request: 200, idle: 100, silence: 60_000, check: 20, linger: 20 }

/** A service with very short timeouts, and one with long timeouts for requests. */
let short_app: FastifyInstance
let long_app: FastifyInstance

beforeAll(async () => {
  const settings = { cors_origins: [], rate_limit: { per_minute: 600, burst: 100 } }
  short_app = await buildApp(api.runtime, { ...settings, timeouts })
  long_app = await buildApp(api.runtime, { ...settings, timeouts: { ...timeouts, headers: 60_000, request: 60_000 } })
  for (const app of [short_app, long_app]) await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => Promise.all([short_app.close(), long_app.close()]))

const countConnections = (app: FastifyInstance) =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

const head = (...more: string[]) =>
  ['POST /v1/employers HTTP/1.1', 'Host: x', `Authorization: Bearer ${api.story.api_key}`, ...more, '', ''].join('\r\n')

describe('closes a connection that the client keeps open when', () => {
  it.each([
    ['nothing arrives', '', /^HTTP\/1\.1 408 /],
    ['headers arrive slowly', 'GET /v1/employers HTTP/1.1\r\nHost: x\r\n', /^HTTP\/1\.1 408 /],
    ['a body arrives slowly', 'body', /^HTTP\/1\.1 408 /],
    // A busy machine may receive a whole request after the short timeouts.
    ['no further request arrives', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 200 /],
    ['the bytes are not HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('%s', async (_, bytes, answer) => {
    const app = answer.test('HTTP/1.1 408 ') ? short_app : long_app
    const wire = await connectRaw(app.listeningOrigin)
    wire.print(bytes === 'body' ? `${head('Content-Type: application/json', 'Content-Length: 9')}{` : bytes)
    await wire.receives(answer)
    await expect.poll(() => countConnections(app)).toBe(0)
    wire.hangUp()
  })
})

it.each([
  ['has an invalid credential', [], /^HTTP\/1\.1 401 /, 'nobody'],
  ['is in another charset', ['Content-Type: application/json; charset=utf-16'], /^HTTP\/1\.1 415 /, undefined],
  ['has too large a declared length', ['Content-Type: application/json'], /^HTTP\/1\.1 413 /, undefined],
])('a body that %s is not read', async (_, lines, answer, key = api.story.api_key) => {
  const connected = once(long_app.server, 'connection') as Promise<[Socket]>
  const wire = await connectRaw(long_app.listeningOrigin)
  const [socket] = await connected
  const input = ['POST /v1/employers HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, ...lines]
  wire.print([...input, 'Content-Length: 50000000', '', ''].join('\r\n'))
  for (let sent = 0; sent < 16; sent++) wire.print('x'.repeat(1024 * 1024))
  expect(await wire.closed).toMatch(answer)
  expect(socket.bytesRead).toBeLessThan(1024 * 1024)
})

it('a connection with a small unread body is reused', async () => {
  const wire = await connectRaw(api.url)
  const input = ['POST /v1/employers HTTP/1.1', 'Host: x', 'Content-Length: 60000', '', '']
  wire.print(input.join('\r\n') + 'x'.repeat(60_000))
  await wire.receives(/^HTTP\/1\.1 401 [^]*}\n$/)
  wire.print('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await wire.receives(/}\nHTTP\/1\.1 200 /)
  wire.hangUp()
})

describe('returns 400 for a request with', () => {
  it.each([
    ['no host', 'GET /v1/employers HTTP/1.1\r\n', 'host'],
    ['two hosts', 'GET /v1/employers HTTP/1.1\r\nHost: a\r\nhost: b\r\n', 'host'],
    ['two hosts and an unknown path', 'GET /v1/% HTTP/1.1\r\nHost: a\r\nhost: b\r\n', 'host'],
    ['two credentials', `GET /v1/employers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n`, 'authorization'],
    [
      'two keys',
      'GET /v1/employers HTTP/1.1\r\nHost: a\r\nIdempotency-Key: 1\r\nIdempotency-Key: 2\r\n',
      'idempotency-key',
    ],
  ])('%s', async (_, lines, field) => {
    const more = `Authorization: Bearer ${api.story.api_key}\r\nConnection: close\r\n\r\n`
    const [status = '', body = ''] = (await sendRaw(api.url, lines + more)).split('\r\n\r\n')
    expect(status).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request', details: [{ field }] } })
  })

  it('no host, but not over HTTP/1.0', async () => {
    const answer = await sendRaw(
      api.url,
      `GET /v1/employers HTTP/1.0\r\nAuthorization: Bearer ${api.story.api_key}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
