import { once } from 'node:events'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Io } from '../output.ts'
import type { Profile } from '../profiles.ts'
import { openPlans } from './plans.ts'
import { buildServer, openShared, type Shared } from './server.ts'

/** The maximum size of a message in bytes: the API's limit for a census. */
const largest_message = 16 * 1024 * 1024

/** Serves MCP over stdio until the input ends. */
export async function serveOverStdio(profile: Profile, io: Io): Promise<void> {
  const shared = openShared(openPlans())
  const transport = new StdioServerTransport(io.stdin, io.stdout, { maxBufferSize: largest_message })
  const onerror = ({ message }: Error) => void io.stderr.write(`${message}\n`)
  const { close } = serveStdio(() => buildServer(profile, shared), { transport, onerror })
  const ended = Promise.race([once(io.stdin, 'close'), once(io.stdin, 'end')])
  if (!io.signal.aborted) await Promise.race([ended, once(io.signal, 'abort')])
  await close()
}

/** Serves MCP over HTTP on the loopback interface until the signal aborts. */
export async function serveOverHttp(service: string, port: number, io: Io): Promise<void> {
  const { url, close } = await serveHttp(service, openShared(openPlans()), port)
  io.stderr.write(`MCP for ${service} at ${url}\n`)
  if (!io.signal.aborted) await once(io.signal, 'abort')
  await close()
}

const bearer = /^Bearer (\S+)$/i

export type McpOverHttp = { url: string; close(): Promise<void> }

/**
 * Serves MCP over streamable HTTP on the loopback interface, for clients on this machine. Each request carries its own
 * key or token, which is passed on to the service. Requests with another host name or from other origins are refused,
 * to prevent DNS rebinding.
 */
export async function serveHttp(service: string, shared: Shared, port: number): Promise<McpOverHttp> {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const { headers } = requestInfo!
      const organization = headers.get('x-service-organization')
      const [, api_key = ''] = bearer.exec(headers.get('authorization') ?? '')!
      return buildServer({ url: service, api_key, ...(organization && { organization }) }, shared)
    },
    { maxRequestBodySize: largest_message },
  )
  const handle = toNodeHandler(handler)
  const [isOurHost, isOurOrigin] = [localhostHostValidation(), localhostOriginValidation()]
  const server = createServer((request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return
    const end = (status: number, message: string, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
    if (request.url?.split('?')[0] !== '/mcp') return void end(404, 'The only path is /mcp.')
    if (!bearer.test(request.headers.authorization ?? ''))
      return void end(401, 'Send your API key or token as a bearer token.', { 'www-authenticate': 'Bearer' })
    void handle(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    close: async () => {
      await handler.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
