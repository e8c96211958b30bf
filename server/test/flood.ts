import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { afterAll } from 'vitest'

/**
 * How a server misbehaves: sends without end, or so much compressed; begins an answer and never ends it; leads to
 * another address, or to itself.
 */
export const floodings = ['endless', 'compressed', 'dripping', 'elsewhere', 'around'] as const
export type Flooding = (typeof floodings)[number]

export type Flood = {
  url: string
  mood: Flooding
  /** the paths asked for */
  requests: string[]
  /** bytes handed to sockets */
  sent: number
  /** where `elsewhere` leads */
  elsewhere: string
}

/** So much is without end, where nobody stops reading. */
const endless = 200 * 1024 * 1024

/**
 * A server on the loopback that misbehaves with every request, until the tests of the file are over; but for a path
 * that ends in `token`, which answers well, when `grants` says so.
 */
export async function openFlood({ grants = false } = {}): Promise<Flood> {
  const server = createServer(async (request, response) => {
    flood.requests.push(request.url!)
    if (grants && request.url!.endsWith('token')) return void response.end('{"access_token":"a token"}')
    await misbehave(flood, response).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const flood: Flood = { url, mood: 'endless', requests: [], sent: 0, elsewhere: url }
  return flood
}

const compressed = gzipSync(JSON.stringify('0'.repeat(endless)))

async function misbehave(flood: Flood, response: ServerResponse): Promise<void> {
  const json = { 'content-type': 'application/json' }
  if (flood.mood === 'elsewhere') return void response.writeHead(307, { location: flood.elsewhere }).end()
  if (flood.mood === 'around') return void response.writeHead(302, { location: '/again' }).end()
  if (flood.mood === 'compressed')
    return void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(compressed)
  response.writeHead(200, json).write('"')
  if (flood.mood === 'dripping') return
  const piece = Buffer.alloc(256 * 1024, '0')
  await pipeline(function* () {
    for (; flood.sent < endless; flood.sent += piece.length) yield piece
    yield '"'
  }, response)
}
