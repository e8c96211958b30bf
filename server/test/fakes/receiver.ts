import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** The body of a webhook, as documented in docs/integrating/webhooks.md. */
type Message = {
  type: string
  timestamp: string
  data: { event_id: string; event_name: string; resource_type: string; resource_id: string; sequence: number }
}

/** A received webhook. */
export type Received = { id: string; headers: IncomingHttpHeaders; text: string; body: Message; path: string }

export type Receiver = {
  url: string
  port: number
  /** All complete webhooks, regardless of the response to them. */
  received: Received[]
  /** The total number of connections. */
  connections: number
  /** The response from now on, by default 204. `count` is how often this webhook has arrived, from 1. */
  answer: (response: ServerResponse, received: Received, count: number) => void
  close(): Promise<void>
}

/** A self-signed certificate for localhost with its key. They protect nothing. */
const self_signed = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1qQqcQq8XidtJBMM
sxL2M5WSbZjZKY3OZAnbbfhiTqChRANCAAR1hXjwenQKWcZlYaKYvfh6AVgRCOqr
+SDcYtMK+29eMugTEiObERBUKpxp2ZTB8NkltGkxmfw9p2XepxKWTgYu
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUeLat7dDJ6G8qKOWOrDmuizZywZ4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAwMjQzNFoYDzIxMjYxMDI5
MDAyNDM0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR1hXjwenQKWcZlYaKYvfh6AVgRCOqr+SDcYtMK+29eMugTEiObERBU
Kpxp2ZTB8NkltGkxmfw9p2XepxKWTgYuo28wbTAdBgNVHQ4EFgQU54ZossN/PaYQ
AejscBjc1L346ggwHwYDVR0jBBgwFoAU54ZossN/PaYQAejscBjc1L346ggwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAJDN1YhvOw0hCLWpu3OLF7nggQzV/QwdHFXOh8Nrj2ebAiAd
GNUwkJgq4K7Y+TcECzMF4KfCxIX6hCAUVlqh9BlywA==
-----END CERTIFICATE-----`,
}

/** A real loopback receiver of webhooks, until the tests of the file end. */
export async function openReceiver({ tls = false } = {}): Promise<Receiver> {
  const counts = new Map<string, number>()
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const id = String(request.headers['webhook-id'])
      const one = { id, headers: request.headers, text, body: JSON.parse(text), path: request.url! }
      const count = (counts.get(id) ?? 0) + 1
      counts.set(id, count)
      receiver.received.push(one)
      receiver.answer(response, one, count)
    })
  }
  const server = tls ? createTlsServer(self_signed, listener) : createServer(listener)
  server.on('connection', () => void receiver.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hooks`,
    port,
    received: [],
    connections: 0,
    answer: (response) => void response.writeHead(204).end(),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  afterAll(receiver.close)
  return receiver
}

/** A response with only a status and optional headers. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Receiver['answer'] =>
  (response) =>
    void response.writeHead(status, headers).end()
