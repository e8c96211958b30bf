import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { afterAll } from 'vitest'

/**
 * How a server misbehaves. `endless`: an endless response; `compressed`: an endless compressed one; `dripping`: a
 * response that never ends; `elsewhere`: a redirect to another address; `around`: a redirect to itself.
 */
export const misbehaviors = ['endless', 'compressed', 'dripping', 'elsewhere', 'around'] as const
export type Misbehavior = (typeof misbehaviors)[number]

export type MisbehavingServer = {
  url: string
  behavior: Misbehavior
  /** The requested paths. */
  requests: string[]
  /** The number of bytes written to sockets. */
  sent: number
  /** The target of `elsewhere`. */
  elsewhere: string
}

/** The size of an endless response, if the client does not stop reading. */
const endless = 200 * 1024 * 1024

/**
 * A loopback server that misbehaves for every request, until the tests of the file end. With `grants`, a path that ends
 * in `token` gets a valid response.
 */
export async function openMisbehavingServer({ grants = false } = {}): Promise<MisbehavingServer> {
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
  const flood: MisbehavingServer = { url, behavior: 'endless', requests: [], sent: 0, elsewhere: url }
  return flood
}

const compressed = gzipSync(JSON.stringify('0'.repeat(endless)))

async function misbehave(flood: MisbehavingServer, response: ServerResponse): Promise<void> {
  const json = { 'content-type': 'application/json' }
  if (flood.behavior === 'elsewhere') return void response.writeHead(307, { location: flood.elsewhere }).end()
  if (flood.behavior === 'around') return void response.writeHead(302, { location: '/again' }).end()
  if (flood.behavior === 'compressed')
    return void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(compressed)
  response.writeHead(200, json).write('"')
  if (flood.behavior === 'dripping') return
  const piece = Buffer.alloc(256 * 1024, '0')
  await pipeline(function* () {
    for (; flood.sent < endless; flood.sent += piece.length) yield piece
    yield '"'
  }, response)
}
